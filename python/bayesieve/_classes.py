"""Classes of any kind: numbers, texts and truth values."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from bayesieve._columns import factorized, label, unmasked
from bayesieve._engine import DataError

#: Names of classes where the target has none, or one that a feature has.
CLASS_NAMES = ("class", "y", "target", "the class")


#: Distinct numbers up to which a target is taken for classes, whatever the number of rows.
MAX_NUMERIC_CLASSES = 20

#: With more of them, each must have so many rows on average.
MIN_ROWS_OF_CLASS = 10


class Target(NamedTuple):
    """A class column: what people call the classes, and what the engine does."""

    classes: npt.NDArray[Any]
    codes: npt.NDArray[np.int64]
    labels: list[str]
    name: str | None


def target(y: Any, X: Any) -> Target:
    """The class of every row."""
    if y is None:
        raise DataError(
            "requires y to be passed, but the target y is None. Give the class of every row."
        )
    name = getattr(y, "name", None)
    if isinstance(y, np.ma.MaskedArray):
        y = unmasked(y)
    values = column_or_1d(np.asarray(y) if hasattr(y, "__arrow_c_stream__") else y, warn=True)
    is_number = values.dtype.kind in "biufc"
    if is_number:
        n_missing = int(np.isnan(values).sum()) if values.dtype.kind in "fc" else 0
    else:
        codes, uniques = factorized(values)
        n_missing = int((codes < 0).sum())
    if n_missing:
        raise DataError(
            f"the class is missing in {n_missing} of {len(values)} rows: Input y contains NaN. "
            "Drop these rows, or fill the class in."
        )
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise DataError("Input y contains infinity. Drop these rows.")
    if values.dtype.kind not in "biu":
        # Of objects scikit-learn looks at the first one, after it has sorted them all.
        check_classification_targets(values if is_number else values[:1])
    check_consistent_length(X, values)
    classes, codes = distinct(values) if is_number else ordered(codes, uniques, values.dtype)
    if is_number:
        check_classes(len(classes), len(values))
    labels = [label(one) for one in classes]
    if len(set(labels)) < len(labels):
        raise DataError(
            'two classes are written alike, such as 1 and "1". Give all classes one type.'
        )
    return Target(classes, codes.astype(np.int64), labels, name if isinstance(name, str) else None)


def check_classes(n_classes: int, n_rows: int) -> None:
    """Refuses whole numbers that are measured rather than classes, in scikit-learn's words."""
    if n_classes > MAX_NUMERIC_CLASSES and n_rows < n_classes * MIN_ROWS_OF_CLASS:
        raise DataError(
            f"Unknown label type: continuous. The target has {n_classes} distinct numbers in "
            f"{n_rows} rows. Bin it first, with pandas.qcut for instance, or give the classes as "
            "texts."
        )


def class_name(wanted: str | None, names: list[str]) -> str:
    """A name for the class that no feature has."""
    taken = set(names)
    for name in (wanted, *CLASS_NAMES):
        if name and name not in taken:
            return name
    return next(name for name in (f"class{i}" for i in range(len(names) + 1)) if name not in taken)


def distinct(values: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
    """Distinct values in their order, and the place of each row's value among them.

    Whole numbers near each other, as most classes are, are counted rather than sorted.
    """
    if values.dtype.kind in "iu" and len(values):
        smallest, largest = int(values.min()), int(values.max())
        if largest - smallest < len(values) and largest < 2**62:
            steps = values.astype(np.int64) - smallest
            is_there = np.bincount(steps) > 0
            classes = (np.flatnonzero(is_there) + smallest).astype(values.dtype)
            return classes, (np.cumsum(is_there) - 1)[steps]
    return np.unique(values, return_inverse=True)


def ordered(
    codes: npt.NDArray[np.int64], uniques: list[Any], dtype: np.dtype[Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The same codes and values, with the values in their order."""
    try:
        order = sorted(range(len(uniques)), key=uniques.__getitem__)
    except TypeError as error:
        raise DataError(
            f"the classes cannot be put in order: {error}. Give all classes one type."
        ) from error
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    classes = np.empty(len(order), dtype=dtype)
    classes[:] = [uniques[place] for place in order]
    return classes, rank[codes]
