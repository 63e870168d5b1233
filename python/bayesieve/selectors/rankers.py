"""Selectors that rank features, the most telling first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from bayesieve._measures import Sized
from bayesieve._selector import Selector
from bayesieve.selectors._choice import Choice, Sharing


@dataclass(kw_only=True, eq=False, repr=False)
class MRMR(Choice, Sized):
    """Rank features by what they tell, less what those before them tell of them.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, the method's own stop.
    scheme : {"mid", "miq"}
        Relevance less redundancy, or over it.
    """

    _by: ClassVar[str] = "scheme"
    _methods: ClassVar[Mapping[Any, str]] = {"mid": "mrmr", "miq": "mrmr-miq"}

    count: int | None = None
    scheme: Literal["mid", "miq"] = "mid"


@dataclass(kw_only=True, eq=False, repr=False)
class _ByGain(Sharing, Sized):
    """Rankings that stop where the next gain could be chance.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, the method's own stop.
    alpha : float
        Without a count: stop when a gain as large as the next one has at least this probability
        by chance.
    """

    count: int | None = None
    alpha: float = 0.05


@dataclass(kw_only=True, eq=False, repr=False)
class JMI(_ByGain):
    """Rank features by what they tell together with each of those before them."""

    _method: ClassVar[str] = "jmi"


@dataclass(kw_only=True, eq=False, repr=False)
class CMIM(_ByGain):
    """Rank features by what they tell at least, whichever of those before them is known."""

    _method: ClassVar[str] = "cmim"


@dataclass(kw_only=True, eq=False, repr=False)
class ReliefF(Selector, Sized):
    """Rank features by how they differ between near rows of other classes and of the same.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, those above the threshold.
    k : int
        Nearest rows of every class.
    sample : int
        Rows looked at, evenly spaced; 0 for all.
    threshold : float
        Without a count: the weight that a feature must exceed.
    """

    _method: ClassVar[str] = "relief-f"

    count: int | None = None
    k: int = 10
    sample: int = 0
    threshold: float = 0.0
