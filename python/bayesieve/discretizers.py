"""Discretizers: numbers into bins, as transformers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from bayesieve import _data, _engine, _estimators, _run

__all__ = ["MDLP", "EqualFrequency", "EqualWidth"]


@dataclass(kw_only=True, eq=False, repr=False)
class Discretizer(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers into bins, numbered from 0: the base of all discretizers.

    A number on a cut belongs to the bin on its left. Missing cells stay missing (NaN).

    Parameters
    ----------
    n_jobs : int, optional
        Threads; None or -1 for all cores. Never changes an answer.
    """

    n_jobs: int | None = None

    def _way(self) -> str:
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Discretizer:
        """Learns where to cut.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Numbers; missing cells are passed over.
        y : array of shape (n_samples,)
            The class of every row, for :class:`MDLP`.
        sample_weight : array of shape (n_samples,), optional
            How often every row counts: whole numbers, 0 leaves a row out. The result is that of
            rows that are repeated as often.
        """
        _estimators.forget(self)
        X = _data.checked(self, X, reset=True, dtype="numeric")
        table = self._table(X)
        needs_class = self.__sklearn_tags__().target_tags.required
        if needs_class:
            target = _data.target(y, X)
            name = _data.class_name(target.name, _data.feature_names(self))
            table = table.with_class(name, target.codes, target.labels)
        table = _data.weighted(table, _data.weights(sample_weight, X), _Quiet(self))
        cuts = _engine.cut_points(table, self._way(), needs_class, _run.runner(_Quiet(self)))
        self.cut_points_ = [np.array(one) for one in cuts]
        self.n_bins_ = np.array([len(one) + 1 for one in cuts])
        return self

    def transform(self, X: Any) -> npt.NDArray[np.float64]:
        """The bin of every number."""
        check_is_fitted(self)
        table = self._table(_data.checked(self, X, reset=False, dtype="numeric"))
        cuts = [one.tolist() for one in self.cut_points_]
        return _engine.into_bins(table, cuts, _run.runner(_Quiet(self)))

    def _table(self, X: Any) -> _engine.Table:
        return _data.table(X, _data.feature_names(self), _Quiet(self))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "cut_points_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


class _Quiet:
    """Columns of numbers, read without a word."""

    nominal: _data.Columns | None = None
    numeric: _data.Columns | None = "all"
    verbose: int = 0
    callback: _run.Callback | None = None

    def __init__(self, discretizer: Discretizer) -> None:
        self.n_jobs = discretizer.n_jobs


@dataclass(kw_only=True, eq=False, repr=False)
class MDLP(Discretizer):
    """Cuts that tell more about the class than they cost to describe (Fayyad and Irani, 1993).

    A column where no cut pays gets one bin.

    Examples
    --------
    >>> import numpy as np
    >>> from bayesieve import MDLP
    >>> X = np.arange(100.0)[:, None]
    >>> mdlp = MDLP().fit(X, X[:, 0] >= 40)
    >>> mdlp.cut_points_[0].tolist()
    [39.5]
    >>> mdlp.transform([[39], [40], [np.nan]]).ravel().tolist()
    [0.0, 1.0, nan]
    """

    def _way(self) -> str:
        return "mdlp"

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


@dataclass(kw_only=True, eq=False, repr=False)
class EqualWidth(Discretizer):
    """Bins of equal width between the smallest and the largest number.

    Parameters
    ----------
    n_bins : int
        Number of bins, 1 to 255.
    """

    n_bins: int = 10

    def _way(self) -> str:
        return f"width:{self.n_bins}"


@dataclass(kw_only=True, eq=False, repr=False)
class EqualFrequency(Discretizer):
    """Bins with nearly equally many rows; equal numbers stay together.

    Parameters
    ----------
    n_bins : int
        Most bins, 1 to 255.
    """

    n_bins: int = 10

    def _way(self) -> str:
        return f"frequency:{self.n_bins}"
