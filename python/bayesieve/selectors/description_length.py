"""Selectors that make a description of the data short."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bayesieve._measures import Sized
from bayesieve._selector import Selector


@dataclass(kw_only=True, eq=False, repr=False)
class MDL(Selector, Sized):
    """Keep the features that make the description of the data by a classifier shortest.

    Parameters
    ----------
    model : {"tan", "nb"}
        The classifier.
    search : str
        How sets are walked: "forward", "backward", "floating", "backward-floating",
        "best-first", "genetic", "ebna", "umda", "pbil", "mimic", "tree-eda", "bmda" or
        "exhaustive".
    naming : {"off", "on"}
        "on" adds what it costs to say which features are kept and where their numbers are cut,
        so that few of many columns pass by chance.
    settings : dict, optional
        Settings of the search, such as ``{"population": 100}``.
    """

    _method: ClassVar[str] = "mdl"

    model: str = "tan"
    search: str = "forward"
    naming: str = "off"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class MDLFS(Selector, Sized):
    """Keep the features whose class information pays for their tables.

    Drugan and Wiering, 2010.

    Parameters
    ----------
    model : {"tan", "nb"}
        The classifier whose description is made short.
    search : str
        How sets are walked, as in :class:`MDL`.
    auxiliary : {"tree", "own-tree", "empty", "complete"}
        The network over the features alone: the likeliest tree, the classifier's own tree, none,
        or all features tied together.
    naming : {"off", "on"}
        "on" adds what it costs to say which features are kept and where their numbers are cut,
        so that few of many columns pass by chance.
    settings : dict, optional
        Settings of the search.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bayesieve import MDLFS
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = MDLFS(model="nb").fit(X, y)
    >>> selector.kept_
    ['petal width (cm)']
    >>> selector.transform(X).shape
    (150, 1)
    """

    _method: ClassVar[str] = "mdl-fs"

    model: str = "tan"
    search: str = "forward"
    auxiliary: str = "tree"
    naming: str = "off"
    settings: Mapping[str, Any] | None = None
