"""Selectors of numbers in blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bayesieve._selector import Selector


@dataclass(kw_only=True, eq=False, repr=False)
class Separation(Selector):
    """Keep the blocks of numbers that hold the classes apart (Pavlenko, 2003).

    Parameters
    ----------
    blocks : "found", or list of lists of str
        Which features make a block: found in the data, or named; features that are not named
        are blocks of one.
    block_size : int
        Most features of a block that is found.
    level : float
        Features join a block where the test that they depend on each other has p below this.
    covariance : {"common", "own"}
        Whether classes share a covariance or have their own.
    correction : bool
        Shrink distances by what an estimated covariance makes them too large by.
    threshold : {"asymptotic", "exact"}
        What a block must score.
    weights : {"none", "optimal"}
        What a kept block counts in a classifier.
    prior : {"em", "plug-in", "uniform", "chi-square"}
        What is taken for the law of the true scores.
    """

    _method: ClassVar[str] = "separation"
    _is_for_labels: ClassVar[bool] = False

    blocks: str | Sequence[Sequence[str]] = "found"
    block_size: int = 12
    level: float = 0.05
    covariance: str = "common"
    correction: bool = True
    threshold: str = "asymptotic"
    weights: str = "none"
    prior: str = "em"
