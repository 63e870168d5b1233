"""Folds as scikit-learn has them, as the engine does."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Number
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesieve._engine import SettingError


def fold_numbers(cv: Any, classes: npt.NDArray[np.int64]) -> list[int]:
    """The fold of every row.

    Parameters
    ----------
    cv : splitter, list of splits, or array
        A splitter such as `StratifiedKFold(10)`, its splits, or the number of the fold of every
        row. Splitters by groups need the groups: give `list(cv.split(X, y, groups))`.
    classes : array
        The class of every row.
    """
    n_rows = len(classes)
    if isinstance(cv, str) or not (hasattr(cv, "split") or isinstance(cv, Iterable)):
        raise SettingError(f"cv={cv!r} are no folds. Give a number, a splitter, or its splits.")
    if not hasattr(cv, "split"):
        splits = list(cv)
        if len(splits) == n_rows and all(isinstance(one, Integral) for one in splits):
            return [int(one) for one in splits]
    else:
        try:
            splits = list(cv.split(np.zeros((n_rows, 1)), classes))
        except (TypeError, ValueError) as error:
            raise SettingError(f"cv: {type(cv).__name__}: {error}") from error
    if any(isinstance(one, (Number, np.bool_, str)) for one in splits):
        raise SettingError(
            f"cv: {len(splits)} numbers of folds for {n_rows} rows. Give a whole number for each."
        )
    folds = np.full(n_rows, -1, dtype=np.int64)
    for number, split in enumerate(splits):
        rows = _test_rows(split, n_rows)
        if (folds[rows] >= 0).any():
            raise SettingError("cv: a row is tested in two folds. Each row is tested once.")
        folds[rows] = number
    if (folds < 0).any():
        raise SettingError("cv: some rows are in no fold. Each row is tested once.")
    return [int(one) for one in folds]


def repeated_folds(
    folds: list[int] | None, weights: npt.NDArray[np.float64] | None
) -> list[int] | None:
    """The folds of rows that come as often as they weigh."""
    if folds is None or weights is None:
        return folds
    times = np.rint(weights).astype(np.int64)
    return [int(one) for one in np.repeat(folds, times)]


def _test_rows(split: Any, n_rows: int) -> npt.NDArray[Any]:
    """The places of the rows that a split tests."""
    try:
        _, test = split
        # By their places, or by a truth value for each.
        rows: npt.NDArray[Any] = np.arange(n_rows)[np.asarray(test)]
    except (TypeError, ValueError, IndexError) as error:
        raise SettingError(
            f"cv: a split is no pair of training and test rows out of {n_rows}: {error}."
        ) from error
    return rows
