"""Selectors that weigh what goes with the class against what goes with other features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bayesieve._measures import Sized
from bayesieve._selector import Selector


@dataclass(kw_only=True, eq=False, repr=False)
class KollerSahami(Selector, Sized):
    """Drop, one by one, the feature whose blanket among the others leaves it least to tell.

    Koller and Sahami, 1996.

    Parameters
    ----------
    k : int
        The size of a blanket.
    gamma : float
        The information, in bits, that is too much to lose.
    blanket : {"min", "strongest"}
        The features that leave least to tell, or those that tell most themselves.
    """

    _method: ClassVar[str] = "koller-sahami"

    k: int = 1
    gamma: float = 0.05
    blanket: str = "min"


@dataclass(kw_only=True, eq=False, repr=False)
class CFS(Selector):
    """Keep features that go with the class and not with each other (Hall, 1999).

    Parameters
    ----------
    search : str
        How sets are walked, as in :class:`MDL`.
    locally_predictive : bool
        Whether features join at the end that go with the class more than with any feature that
        is in.
    settings : dict, optional
        Settings of the search.
    """

    _method: ClassVar[str] = "cfs"

    search: str = "best-first"
    locally_predictive: bool = False
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class FCBF(Selector, Sized):
    """Rank features, and drop those that go more with a better one than with the class.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, all that remain.
    delta : float
        The symmetric uncertainty with the class that a feature must exceed.
    """

    _method: ClassVar[str] = "fcbf"

    count: int | None = None
    delta: float = 0.0
