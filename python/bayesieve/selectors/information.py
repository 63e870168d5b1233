"""Selectors that add features by what they tell once others are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from bayesieve._measures import Sized
from bayesieve.selectors._choice import Choice


@dataclass(kw_only=True, eq=False, repr=False)
class InfoAS(Choice, Sized):
    """Add the feature with the largest conditional gain until nothing more is told.

    Singh and Provan, 1996.

    Parameters
    ----------
    criterion : {"cdc", "cig", "cgr"}
        What makes a feature the next: conditional distance, gain, or gain ratio.
    stop : {"zero", "chi2"}
        When to stop: when nothing more is told, or when a test says that the best feature's gain
        could be chance.
    alpha : float
        The level of the test, for ``stop="chi2"``.
    test : {"pearson", "g"}
        The statistic of the test, for ``stop="chi2"``.
    """

    _by: ClassVar[str] = "criterion"
    _methods: ClassVar[Mapping[Any, str]] = {"cdc": "cdc-as", "cig": "cig-as", "cgr": "cgr-as"}

    criterion: Literal["cdc", "cig", "cgr"] = "cdc"
    stop: str = "zero"
    alpha: float = 0.05
    test: str = "pearson"
