"""Classifiers: naive Bayes, TAN, learned networks, blocks of normal numbers, trees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bayesieve._classifier import Classifier, Network
from bayesieve._engine import SettingError

__all__ = ["ID3", "TAN", "BlockGaussian", "NaiveBayes", "Network", "NetworkClassifier"]


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayes(Classifier):
    """Naive Bayes: features independent of each other given the class.

    Parameters
    ----------
    smoothing : {"laplace", "ml", "dirichlet", "mixing"}
        How counts become probabilities; "ml" takes plain frequencies.
    alpha : float, optional
        What laplace adds to every cell (1); the weight of dirichlet (1) and mixing (5).
    divisor : {"n-1", "n"}
        What variances are divided by, where numbers stay numbers (`discretize="none"`).
    """

    _kinds: ClassVar[tuple[str, ...]] = ("nb",)

    smoothing: str = "laplace"
    alpha: float | None = None
    divisor: str = "n-1"


@dataclass(kw_only=True, eq=False, repr=False)
class TAN(Classifier):
    """Tree-augmented naive Bayes: every feature has the class and at most one other as parents."""

    _kinds: ClassVar[tuple[str, ...]] = ("tan",)

    smoothing: str = "laplace"
    alpha: float | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class NetworkClassifier(Classifier):
    """A Bayesian network whose structure is learned.

    Parameters
    ----------
    learner : {"k2", "cb"}
        K2 with the class first, or CB: tests for an order, then K2.
    smoothing : {"laplace", "ml", "dirichlet", "mixing"}
        How counts become probabilities; "ml" takes plain frequencies.
    alpha : float, optional
        What laplace adds to every cell (1); the weight of dirichlet (1) and mixing (5).
    parents : int
        Most parents of a node.
    level : float, optional
        Level of the tests, for cb (0.05).
    stop : {"accuracy", "score"}, optional
        When cb stops: when accuracy, or the score, no longer rises.
    order : {"tests", "class-first"}, optional
        The order that cb gives to K2.
    """

    _kinds: ClassVar[tuple[str, ...]] = ("k2", "cb")
    _apart: ClassVar[tuple[str, ...]] = ("learner",)

    learner: str = "k2"
    smoothing: str = "laplace"
    alpha: float | None = None
    parents: int = 5
    level: float | None = None
    stop: str | None = None
    order: str | None = None

    def _model_name(self) -> str:
        if self.learner not in self._kinds:
            raise SettingError(
                f'learner={self.learner!r} is not one of its values. Use "k2" or "cb".'
            )
        return self.learner

    @classmethod
    def _own_parameters(cls, kind: str, known: Mapping[str, Any]) -> dict[str, Any]:
        own = super()._own_parameters(kind, known)
        if kind == "k2":
            # Documents tell of all settings; these are cb's.
            for name in ("level", "stop", "order"):
                own.pop(name, None)
        return {**own, "learner": kind}


@dataclass(kw_only=True, eq=False, repr=False)
class BlockGaussian(Classifier):
    """Naive Bayes over labels, with numbers jointly normal in blocks.

    Parameters
    ----------
    smoothing, alpha
        Of the labels, as in :class:`NaiveBayes`.
    blocks : "found", or list of lists of str
        Which features make a block.
    block_size, level, covariance, correction, threshold, prior
        As in :class:`bayesieve.Separation`.
    weights : {"none", "threshold", "optimal"}
        What a block counts: as it is, nothing below its threshold, or by its score.
    """

    _kinds: ClassVar[tuple[str, ...]] = ("block",)
    _is_for_labels: ClassVar[bool] = False

    smoothing: str = "laplace"
    alpha: float | None = None
    blocks: Any = "found"
    block_size: int = 12
    level: float = 0.05
    covariance: str = "common"
    correction: bool = True
    threshold: str = "asymptotic"
    weights: str = "none"
    prior: str = "em"


@dataclass(kw_only=True, eq=False, repr=False)
class ID3(Classifier):
    """A decision tree by gain ratio.

    Parameters
    ----------
    level : float
        Level of the chi-square tests that stop its growth.
    cuts : {"ratio", "gain"}
        What makes a cut of numbers the best of its feature, where numbers stay numbers.
    """

    _kinds: ClassVar[tuple[str, ...]] = ("id3",)

    level: float = 0.01
    cuts: str = "ratio"
