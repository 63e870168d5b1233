"""Data as people have them, as tables of the engine.

Numbers go as they are, categories as codes with their labels, frames of polars and pyarrow over
the Arrow C interface without a copy. What is missing (None, NaN, NA, NaT) is missing; every text
is a label.
"""

from __future__ import annotations

import json
import math
import numbers
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from difflib import get_close_matches
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    column_or_1d,
    validate_data,
)

from bayesieve import _engine
from bayesieve._engine import DataError, SettingError
from bayesieve._run import Callback, Running, runner

#: Columns by name or by place.
Columns = Sequence[str | int] | str

#: Names of classes where the target has none, or one that a feature has.
CLASS_NAMES = ("class", "y", "target", "the class")

#: What to do with a column of dates.
DATES = (
    "dates and times are neither labels nor numbers. Turn the column into numbers, such as days "
    "since a date, or into labels, such as the weekday or the month"
)


class Reading(Running, Protocol):
    """What is said about columns, whoever says it."""

    nominal: Columns | None
    numeric: Columns | None


class Target(NamedTuple):
    """A class column: what people call the classes, and what the engine does."""

    classes: npt.NDArray[Any]
    codes: npt.NDArray[np.int64]
    labels: list[str]
    name: str | None


@dataclass(eq=False, repr=False)
class Sheet(BaseEstimator):  # type: ignore[misc]
    """Features for a function: read once, with what is said of them.

    An estimator that estimates nothing, because scikit-learn's checks ask one what it takes.
    """

    nominal: Columns | None = None
    numeric: Columns | None = None
    n_jobs: int | None = None
    verbose: int = 0
    callback: Callback | None = None

    @classmethod
    def of(cls, X: Any, **options: Any) -> Sheet:
        """The features of a function's caller."""
        sheet = cls(**options)
        sheet.X = checked(sheet, X, reset=True)
        return sheet

    @property
    def about(self) -> str:
        """What it is, in a few words."""
        return about(self.X)

    def with_class(self, y: Any) -> _engine.Table:
        """The table of features and class."""
        names = feature_names(self)
        goal = target(y, self.X)
        self.classes = goal.codes
        columns = table(self.X, names, self)
        return columns.with_class(class_name(goal.name, names), goal.codes, goal.labels)


def about(X: Any) -> str:
    """What kind of data these are, in a word; how many is said beside it."""
    return type(X).__name__


def is_frame(X: Any) -> bool:
    """Whether these are columns with names, each of a type of its own."""
    is_arrow = hasattr(X, "__arrow_c_stream__") and len(getattr(X, "shape", ())) == 2
    return is_pandas(X) or is_arrow


def is_pandas(X: Any) -> bool:
    """Whether this is a frame of pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def library(X: Any) -> str:
    """The library that a frame is of."""
    return type(X).__module__.partition(".")[0]


def checked(estimator: Any, X: Any, *, reset: bool, dtype: str | None = None) -> Any:
    """The features, after scikit-learn's own checks; frames stay as they are.

    What is no frame becomes numbers where `dtype` is "numeric", else stays what it is.
    """
    X = named(X)
    if not is_frame(X):
        # Infinite numbers are refused by the engine, which names row and column.
        return validate_data(estimator, X, reset=reset, dtype=dtype, ensure_all_finite=False)
    check_shape(X)
    check_names(X)
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return X


def named(X: Any) -> Any:
    """The same data as something whose names and gaps scikit-learn sees."""
    if type(X).__module__.startswith("polars") and hasattr(X, "collect"):
        raise DataError("a lazy frame has no rows yet. Give X.collect().")
    if isinstance(X, np.ma.MaskedArray):
        return unmasked(X)
    pyarrow = sys.modules.get("pyarrow")
    if pyarrow is not None and isinstance(X, pyarrow.RecordBatch):
        return pyarrow.Table.from_batches([X])
    return X


def unmasked(values: Any) -> npt.NDArray[Any]:
    """A masked array with None where it is masked, an array where it is not masked at all."""
    mask = np.ma.getmaskarray(values)
    if not mask.any():
        return np.asarray(values)
    return np.where(mask, None, np.asarray(values).astype(object))


def chosen(X: Any, places: npt.NDArray[np.intp]) -> Any:
    """Some columns of a frame."""
    if is_pandas(X):
        return X.iloc[:, places]
    names = column_names(X)
    return X.select([names[place] for place in places])


def array_of(X: Any) -> npt.NDArray[Any]:
    """A frame as an array: of numbers where all columns are, else of objects."""
    if not is_pandas(X) or all(isinstance(dtype, np.dtype) for dtype in X.dtypes):
        return np.asarray(X)
    import pandas as pd

    if all(pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes):
        return X.to_numpy(dtype="float64", na_value=np.nan)  # type: ignore[no-any-return]
    return X.to_numpy(dtype=object)  # type: ignore[no-any-return]


def check_shape(X: Any) -> None:
    """Refuses a frame without rows or without columns, in scikit-learn's words."""
    n_rows, n_features = X.shape
    for n, what in [(n_rows, "sample"), (n_features, "feature")]:
        if n < 1:
            raise DataError(
                f"Found array with 0 {what}(s) (shape=({n_rows}, {n_features})) while a minimum "
                "of 1 is required."
            )


def check_names(X: Any) -> None:
    """Refuses a frame with two columns of one name."""
    names = column_names(X)
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise DataError(f'two columns are named "{twice}". Give each its own name.')


def column_names(X: Any) -> list[Any]:
    """The names of the columns of a frame."""
    # A table of pyarrow has both, of which `columns` are the columns themselves.
    return list(X.column_names if hasattr(X, "column_names") else X.columns)


def feature_names(estimator: Any) -> list[str]:
    """The names of the features as in scikit-learn: their own, else x0, x1 and so on."""
    own = getattr(estimator, "feature_names_in_", None)
    if own is not None:
        return [label(name) for name in own]
    return [f"x{place}" for place in range(estimator.n_features_in_)]


def table(X: Any, names: list[str], options: Reading) -> _engine.Table:
    """The features as a table of the engine."""
    head = (names, kinds(names, options))
    run = runner(options)
    if is_pandas(X):
        # One after the other: taking each by its place costs more than coding it.
        columns = [
            pandas_column(name, series, kind)
            for name, (_, series), kind in zip(names, X.items(), head[1], strict=True)
        ]
        return _engine.Table.from_columns(head, columns, run)
    if is_frame(X):
        return _engine.Table.from_arrow(head, exportable(X), run)
    matrix = np.asarray(X)
    if matrix.dtype.kind in "fiub":
        return _engine.Table.from_matrix(head, standard(matrix), run)
    columns = [plain_column(name, matrix[:, place]) for place, name in enumerate(names)]
    return _engine.Table.from_columns(head, columns, run)


def exportable(X: Any) -> Any:
    """The same frame without types of polars that Arrow's C interface has no word for."""
    if not type(X).__module__.startswith("polars"):
        return X
    import polars as pl

    other = {pl.Null: pl.Boolean, pl.Int128: pl.Float64}
    found = {name: other[kind] for name, kind in X.schema.items() if kind in other}
    return X.cast(found) if found else X


def kinds(names: list[str], options: Reading) -> list[str | None]:
    """The kind that each column is declared to have."""
    chosen: dict[str, str] = {}
    for kind, wanted in [("nominal", options.nominal), ("numeric", options.numeric)]:
        for name in resolved(wanted, names, kind):
            if chosen.setdefault(name, kind) != kind:
                raise SettingError(
                    f'column "{name}" is declared both nominal and numeric. '
                    "Leave it in one of the two lists."
                )
    return [chosen.get(name) for name in names]


def resolved(wanted: Columns | None, names: list[str], parameter: str) -> list[str]:
    """Columns given by name or by place, by name; "all" is all of them."""
    if wanted is None:
        return []
    if isinstance(wanted, str) and wanted == "all":
        return names
    if isinstance(wanted, (str, numbers.Integral)):
        return [known(wanted, names, parameter)]
    return [known(one, names, parameter) for one in wanted]


def known(one: str | int, names: list[str], parameter: str) -> str:
    """One column by name or by place, by name."""
    if isinstance(one, str):
        if one in names:
            return one
        near = get_close_matches(one, names, n=1)
        hint = f'Did you mean "{near[0]}"?' if near else f"There are {len(names)} columns."
        raise SettingError(f'{parameter}: there is no column "{one}". {hint}')
    if isinstance(one, (bool, np.bool_)) or not isinstance(one, numbers.Integral):
        raise SettingError(
            f"{parameter}: {one!r} is neither a name nor a place. Columns of a mask are "
            "numpy.flatnonzero(mask)."
        )
    place = int(one)
    if not -len(names) <= place < len(names):
        raise SettingError(
            f"{parameter}: there is no column {place}. There are {len(names)}, from 0 on."
        )
    return names[place]


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
    if pd.api.types.is_numeric_dtype(dtype) and not pd.api.types.is_bool_dtype(dtype):
        if isinstance(dtype, np.dtype):
            return standard(series.to_numpy())
        return series.to_numpy(dtype="float64", na_value=np.nan)
    if dtype == np.bool_:
        return series.to_numpy()
    try:
        codes, uniques = pd.factorize(series, use_na_sentinel=True)
    except TypeError:
        # Lists and the like have no hash.
        codes, uniques = factorized(series.to_numpy())
    return coded(name, codes, uniques)


def plain_column(name: str, values: npt.NDArray[Any]) -> Any:
    """A column of texts, objects or rare numbers."""
    if values.dtype.kind in "Mm":
        raise DataError(f'column "{name}": {DATES}.')
    if values.dtype.kind in "SU":
        texts, places = np.unique(values, return_inverse=True)
        return coded(name, places, texts)
    codes, uniques = factorized(values)
    return coded(name, codes, uniques)


def standard(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Numbers of a type that the engine reads, in this machine's byte order."""
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        return values.astype(np.float32 if values.dtype.itemsize < 4 else np.float64)
    if not values.dtype.isnative:
        return values.astype(values.dtype.newbyteorder("="))
    return values


def factorized(values: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], list[Any]]:
    """Codes of objects in the order they come, -1 where missing."""
    places: dict[Any, int] = {}
    codes = np.empty(len(values), dtype=np.int64)
    for row, value in enumerate(values):
        if is_missing(value):
            codes[row] = -1
            continue
        try:
            codes[row] = places.setdefault(value, len(places))
        except TypeError:
            # What cannot be told from others by itself is told by its text.
            codes[row] = places.setdefault(str(value), len(places))
    return codes, list(places)


def is_missing(value: Any) -> bool:
    """Whether there is no value: None, NaN, NA, NaT."""
    if value is None or (is_decimal(value) and value.is_nan()):
        return True
    different = value != value
    # NA is neither equal to itself nor different, but NA.
    return different is True or type(different).__name__ in ("NAType",) or different is np.True_


def coded(name: str, codes: Any, uniques: Iterable[Any]) -> Any:
    """Distinct values and their codes as numbers, truth values, or codes and labels."""
    values = list(uniques)
    codes = np.asarray(codes, dtype=np.int64)
    if all(isinstance(value, (bool, np.bool_)) for value in values):
        return merged(codes, [label(value) for value in values])
    if all(isinstance(value, numbers.Real) or is_decimal(value) for value in values):
        table = np.array([float(value) for value in values] + [math.nan])
        return table[codes]
    if any(is_date(value) for value in values):
        raise DataError(f'column "{name}": {DATES}.')
    return merged(codes, [label(value) for value in values])


def is_decimal(value: Any) -> bool:
    """Whether this is a decimal number."""
    return type(value).__module__ == "decimal"


def is_date(value: Any) -> bool:
    """Whether this is a date or a time."""
    dates = (date, time, timedelta, np.datetime64, np.timedelta64)
    return isinstance(value, dates) or type(value).__name__ == "Period"


def merged(codes: npt.NDArray[Any], labels: list[str]) -> Any:
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


def setting(value: Any) -> str:
    """A value as the command writes it: truth values are on and off, lists are JSON."""
    if isinstance(value, (bool, np.bool_)):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return json.dumps(value)
    return str(value)


def parameter(value: Any, default: Any) -> Any:
    """A setting of a document as a parameter of the type of its default."""
    if not isinstance(value, str):
        return value
    if isinstance(default, bool):
        return value == "on"
    if isinstance(default, (int, float)):
        number = float(value)
        return int(number) if number.is_integer() else number
    return json.loads(value) if value.startswith("[") else value


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
    n_missing = sum(map(is_missing, values)) if values.dtype.kind in "fcO" else 0
    if n_missing:
        raise DataError(
            f"the class is missing in {n_missing} of {len(values)} rows: Input y contains NaN. "
            "Drop these rows, or fill the class in."
        )
    if values.dtype.kind == "f" and np.isinf(values).any():
        raise DataError("Input y contains infinity. Drop these rows.")
    if values.dtype.kind not in "biu":
        check_classification_targets(values)
    check_consistent_length(X, values)
    classes, codes = distinct(values)
    labels = [label(one) for one in classes]
    if len(set(labels)) < len(labels):
        raise DataError(
            'two classes are written alike, such as 1 and "1". Give all classes one type.'
        )
    return Target(classes, codes.astype(np.int64), labels, name if isinstance(name, str) else None)


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
