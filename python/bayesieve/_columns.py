"""Single columns of pandas and numpy, as the engine takes them.

Numbers are arrays; categories are pairs of codes and labels, texts triples that end in "text",
because of texts the engine asks whether they name rows. A negative code is missing.
"""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Iterable
from datetime import date, time, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from bayesieve._engine import DataError

#: What to do with a column of dates.
DATES = (
    "dates and times are neither labels nor numbers. Turn the column into numbers, such as days "
    "since a date, or into labels, such as the weekday or the month"
)

#: Distinct whole numbers up to which those that a float would round stay apart as labels.
MOST_LABELS = 20


def unmasked(values: Any) -> npt.NDArray[Any]:
    """A masked array with None where it is masked, an array where it is not masked at all."""
    mask = np.ma.getmaskarray(values)
    if not mask.any():
        return np.asarray(values)
    cells = np.array(values, dtype=object, subok=False)
    cells[mask] = None
    return cells


def pandas_column(name: str, series: Any, kind: str | None) -> Any:
    """A column of pandas as numbers, as codes and labels, or as truth values."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        if kind == "numeric" and pd.api.types.is_numeric_dtype(dtype.categories.dtype):
            return series.to_numpy(dtype="float64", na_value=np.nan)
        labels = [label(one) for one in dtype.categories]
        # Those of the array are shared, those of `series.cat` copied.
        return merged(series.array.codes, labels)
    if getattr(dtype, "kind", "O") in "Mm" or isinstance(dtype, pd.PeriodDtype):
        raise DataError(f'column "{name}": {DATES}.')
    if isinstance(dtype, pd.SparseDtype):
        raise DataError(f'column "{name}" is sparse. Make it dense: X["{name}"].sparse.to_dense().')
    if pd.api.types.is_complex_dtype(dtype):
        raise DataError(f'column "{name}": Complex data not supported.')
    if dtype == np.bool_:
        return truths(series.to_numpy(), kind)
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        if isinstance(dtype, np.dtype):
            return standard(series.to_numpy())
        return nullable(name, series, kind)
    try:
        codes, uniques = pd.factorize(series, use_na_sentinel=True)
    except TypeError:
        # Lists and the like have no hash.
        codes, uniques = factorized(series.to_numpy())
    return coded(name, codes, uniques, kind)


def nullable(name: str, series: Any, kind: str | None) -> Any:
    """A column of pandas with numbers that may be missing."""
    import pandas as pd

    is_whole = series.dtype.kind in "iu"
    if is_whole and not series.hasnans:
        return series.to_numpy(dtype=series.dtype.numpy_dtype)
    floats = series.to_numpy(dtype="float64", na_value=np.nan)
    if is_whole and (np.abs(floats) >= 2**53).any():
        codes, uniques = pd.factorize(series, use_na_sentinel=True)
        return coded(name, codes, uniques, kind)
    return floats


def plain_column(name: str, values: npt.NDArray[Any], kind: str | None) -> Any:
    """A column of texts, objects, truth values or rare numbers."""
    if values.dtype.kind in "Mm":
        raise DataError(f'column "{name}": {DATES}.')
    if values.dtype.kind == "b":
        return truths(values, kind)
    codes, uniques = factorized(values)
    return coded(name, codes, uniques, kind)


def truths(values: npt.NDArray[np.bool_], kind: str | None) -> npt.NDArray[Any]:
    """Truth values as they are; as numbers 0 and 1."""
    return values.astype(np.uint8) if kind == "numeric" else values


def standard(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Numbers of a type that the engine reads, in this machine's byte order."""
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        return values.astype(np.float32 if values.dtype.itemsize < 4 else np.float64)
    if not values.dtype.isnative:
        return values.astype(values.dtype.newbyteorder("="))
    return values


def factorized(values: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], list[Any]]:
    """Codes of objects in the order they come, -1 where missing."""
    cells = values.tolist()
    try:
        each = dict.fromkeys(cells)
    except TypeError:
        # What has no hash is told from others by its text.
        cells = [cell if is_hashable(cell) else str(cell) for cell in cells]
        each = dict.fromkeys(cells)
    following = itertools.count()
    places = {value: -1 if is_missing(value) else next(following) for value in each}
    codes = np.fromiter(map(places.__getitem__, cells), dtype=np.int64, count=len(cells))
    return codes, [value for value, place in places.items() if place >= 0]


def is_hashable(value: Any) -> bool:
    """Whether a value can be looked up."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def is_missing(value: Any) -> bool:
    """Whether there is no value: None, NaN, NA, NaT."""
    if value is None or (is_decimal(value) and value.is_nan()):
        return True
    different = value != value
    # NA is neither equal to itself nor different, but NA.
    return different is True or type(different).__name__ in ("NAType",) or different is np.True_


def coded(name: str, codes: Any, uniques: Iterable[Any], kind: str | None) -> Any:
    """Distinct values and their codes as numbers, or as codes and labels."""
    values = list(uniques)
    codes = np.asarray(codes, dtype=np.int64)
    is_truth = all(isinstance(value, (bool, np.bool_)) for value in values)
    if is_truth and kind == "numeric":
        values = [int(value) for value in values]
    elif is_truth:
        return merged(codes, [label(value) for value in values])
    if all(isinstance(value, numbers.Real) or is_decimal(value) for value in values):
        are_labels = kind == "nominal" or (kind is None and len(values) <= MOST_LABELS)
        if are_labels and any(is_rounded(value) for value in values):
            return merged(codes, [label(value) for value in values])
        return np.array([as_float(value) for value in values] + [math.nan])[codes]
    if any(is_date(value) for value in values):
        raise DataError(f'column "{name}": {DATES}.')
    return (*merged(codes, [label(value) for value in values]), "text")


def is_rounded(value: Any) -> bool:
    """Whether this is a whole number that no float is."""
    if not isinstance(value, numbers.Integral):
        return False
    number = as_float(value)
    return math.isinf(number) or int(number) != int(value)


def as_float(value: Any) -> float:
    """The float next to a number; infinite, which the engine refuses, where that is too small."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def is_decimal(value: Any) -> bool:
    """Whether this is a decimal number."""
    return type(value).__module__ == "decimal"


def is_date(value: Any) -> bool:
    """Whether this is a date or a time."""
    dates = (date, time, timedelta, np.datetime64, np.timedelta64)
    return isinstance(value, dates) or type(value).__name__ == "Period"


def merged(codes: npt.NDArray[Any], labels: list[str]) -> tuple[npt.NDArray[Any], list[str]]:
    """Codes and labels, each label once: 1 and "1" are written alike."""
    places: dict[str, int] = {}
    new = [places.setdefault(one, len(places)) for one in labels]
    if len(places) == len(labels):
        return codes, labels
    table = np.array([*new, -1], dtype=np.int64)
    return table[codes], list(places)


def label(value: Any) -> str:
    """A value as the engine writes it: 1.0 is 1, True is true."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        text = repr(float(value) + 0.0)
        return text.removesuffix(".0")
    try:
        text = value.decode() if isinstance(value, bytes) else str(value)
        text.encode()
    except UnicodeError as error:
        raise DataError(f"{value!r} is no text: {error}. Give texts in Unicode.") from error
    return text
