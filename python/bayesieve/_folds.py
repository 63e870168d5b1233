"""Folds as scikit-learn has them, as the engine does."""

from __future__ import annotations

from typing import Any

import numpy as np

from bayesieve._engine import SettingError


def fold_numbers(cv: Any, n_rows: int) -> list[int]:
    """The fold of every row.

    Parameters
    ----------
    cv : splitter, list of splits, or array
        A splitter such as `KFold(10)`, its splits, or the number of the fold of every row.
        Stratified splitters need the classes: give `list(cv.split(X, y))`.
    n_rows : int
        Number of rows.
    """
    if hasattr(cv, "split"):
        try:
            splits = list(cv.split(np.zeros((n_rows, 1))))
        except (TypeError, ValueError) as error:
            raise SettingError(
                f"cv: {type(cv).__name__} needs the classes. Give list(cv.split(X, y))."
            ) from error
    elif len(cv) == n_rows and np.ndim(cv[0]) == 0:
        return [int(one) for one in cv]
    else:
        splits = list(cv)
    folds = np.full(n_rows, -1, dtype=np.int64)
    for number, (_, test) in enumerate(splits):
        rows = np.asarray(test)
        if (folds[rows] >= 0).any():
            raise SettingError("cv: a row is tested in two folds. Each row is tested once.")
        folds[rows] = number
    if (folds < 0).any():
        raise SettingError("cv: some rows are in no fold. Each row is tested once.")
    return [int(one) for one in folds]
