"""Selectors that ask a classifier how well it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from bayesieve._measures import Measured, Sized
from bayesieve._selector import Selector
from bayesieve.selectors._choice import Choice


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveAS(Selector, Measured):
    """Add the feature that helps naive Bayes most on the other half of the rows.

    Parameters
    ----------
    estimate : {"holdout", "train"}
        Where the accuracy comes from: the other half of the rows, or all rows, trained on and
        tested (optimistic).
    settings : dict, optional
        Settings of the classifier, such as ``{"alpha": 0.5}``.
    """

    _method: ClassVar[str] = "naive-as"

    estimate: str = "holdout"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class K2AS(Choice, Sized):
    """Add the feature that helps a network learned by K2 most on the other half of the rows.

    Parameters
    ----------
    variant : {"plain", "le"}
        K2-AS, or K2-AS with local evaluation.
    settings : dict, optional
        Settings of the classifier, such as ``{"parents": 3}``.
    """

    _by: ClassVar[str] = "variant"
    _methods: ClassVar[Mapping[Any, str]] = {"plain": "k2-as", "le": "k2-as-le"}

    variant: Literal["plain", "le"] = "plain"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class Wrapper(Selector, Sized):
    """Walk sets of features by the accuracy that a classifier gets with them.

    Parameters
    ----------
    model : {"nb", "tan", "k2", "cb", "id3", "block"}
        The classifier.
    search : str
        How sets are walked, as in :class:`MDL`.
    estimate : {"cv", "holdout", "train"}
        Where the accuracy comes from: folds, one half of the rows by a model of the other, or the
        training rows themselves (optimistic).
    cv : int, splitter, list of splits, or array
        Number of folds, or the folds themselves.
    repeat : int or "auto"
        How often folds are drawn; "auto": again while the standard error is above 1 %, at most
        five times.
    rule : {"best", "one-se"}
        The best set found, or a smaller one within a standard error of it.
    empty : {"majority", "nothing"}
        What is right without any feature: the most frequent class, or nothing.
    settings : dict, optional
        Settings of the search and of the classifier.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bayesieve import Wrapper
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> Wrapper(model="nb", cv=5, repeat=1).fit(X, y).kept_
    ['petal length (cm)']
    """

    _method: ClassVar[str] = "wrapper"

    model: str = "nb"
    search: str = "forward"
    estimate: str = "cv"
    cv: Any = 10
    repeat: int | str = "auto"
    rule: str = "best"
    empty: str = "majority"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class FSSEBNA(Selector, Measured):
    """Evolve sets of features by the accuracy of a classifier, drawn from a learned network.

    Inza, Larranaga, Etxeberria and Sierra, 2000.

    Parameters
    ----------
    model : {"nb", "tan", "k2", "cb", "id3", "block"}
        The classifier.
    search : {"ebna", "genetic", "umda", "pbil", "mimic", "tree-eda", "bmda"}, optional
        How populations are drawn; without, ebna up to 100 features, then a simpler one.
    cv : int, splitter, list of splits, or array
        Number of folds, or the folds themselves.
    repeat : int or "auto"
        How often folds are drawn.
    rule : {"one-se", "best"}
        A smaller set within a standard error of the best, or the best set found.
    settings : dict, optional
        Settings of the search (``population``, ``generations``, ...) and of the classifier.
    """

    _method: ClassVar[str] = "fss-ebna"

    model: str = "nb"
    search: str | None = None
    cv: Any = 10
    repeat: int | str = "auto"
    rule: str = "one-se"
    settings: Mapping[str, Any] | None = None
