"""Data as people have them, as tables of the engine.

Numbers go as they are, categories as codes with their labels, frames of polars and pyarrow over
the Arrow C interface without a copy. What is missing (None, NaN, NA, NaT) is missing; every text
is a label.
"""

from __future__ import annotations

import numbers
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import _get_feature_names, validate_data

from bayesieve import _engine
from bayesieve._classes import Target, class_name, target
from bayesieve._columns import label, pandas_column, plain_column, standard, unmasked
from bayesieve._engine import DataError, SettingError
from bayesieve._names import repeated
from bayesieve._run import Callback, Running, runner

__all__ = ["class_name", "label", "target"]

#: Columns by name or by place.
Columns = Sequence[str | int] | str


class Declaring(Protocol):
    """What is said about columns, whoever says it."""

    @property
    def nominal(self) -> Columns | None:
        """Those that are labels."""
        ...

    @property
    def numeric(self) -> Columns | None:
        """Those that are numbers."""
        ...


class Reading(Declaring, Running, Protocol):
    """The same of whoever has a run."""


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

    def with_class(self, y: Any, sample_weight: Any = None) -> _engine.Table:
        """The table of features and class, every row as often as it weighs."""
        table, goal = with_class(self, self.X, y)
        self.classes = goal.codes
        self.labels = goal.labels
        return weighted(table, weights(sample_weight, self.X), self)


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
    is_known = is_pandas(X) or _get_feature_names(X) is not None
    validate_data(estimator, X if is_known else Heading(X), reset=reset, skip_check_array=True)
    return X


class Heading:
    """Shape and names of a frame, for a scikit-learn that does not see them.

    Before it knew polars it asked frames for `__dataframe__`, which polars 2 has no more.
    """

    def __init__(self, X: Any) -> None:
        self.shape = X.shape
        self._names = column_names(X)

    def __dataframe__(self) -> Heading:
        return self

    def column_names(self) -> list[Any]:
        """The names of the columns."""
        return self._names


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
    check_once(column_names(X))


def check_once(names: Iterable[Any]) -> None:
    """Refuses two columns of one name."""
    twice = repeated(names)
    if twice:
        raise DataError(f'two columns are named "{twice[0]}". Give each its own name.')


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
        return _engine.Table.from_arrow(head, exportable(X, head[1]), run)
    matrix = np.asarray(X)
    is_plain = matrix.dtype.kind in "fiu" or (matrix.dtype.kind == "b" and "numeric" not in head[1])
    if is_plain:
        return _engine.Table.from_matrix(head, standard(matrix), run)
    columns = [
        plain_column(name, values, kind)
        for name, values, kind in zip(names, matrix.T, head[1], strict=True)
    ]
    return _engine.Table.from_columns(head, columns, run)


def with_class(estimator: Any, X: Any, y: Any) -> tuple[_engine.Table, Target]:
    """The features and the class behind them as a table of the engine; also the class itself."""
    names = feature_names(estimator)
    goal = target(y, X)
    features = table(X, names, estimator)
    name = class_name(goal.name, names)
    return features.with_class(name, goal.codes, goal.labels), goal


def weights(sample_weight: Any, X: Any) -> npt.NDArray[np.float64] | None:
    """One weight per row, where weights are given; the engine refuses what is no number of rows."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, np.ma.MaskedArray):
        sample_weight = np.ma.filled(sample_weight.astype(np.float64), np.nan)
    values = np.asarray(sample_weight)
    if values.dtype.kind not in "biufO":
        raise DataError("sample_weight holds no numbers. Give one number per row.")
    try:
        values = values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"sample_weight: {error}. Give one number per row.") from error
    n_rows = X.shape[0]
    if values.shape != (n_rows,):
        raise DataError(
            f"sample_weight has the shape {values.shape}, and X has {n_rows} rows. Give one number "
            "per row."
        )
    return values


def weighted(
    table: _engine.Table, weights: npt.NDArray[np.float64] | None, options: Running
) -> _engine.Table:
    """The same rows, each as often as it weighs."""
    return table if weights is None else table.weighted(weights, runner(options))


def exportable(X: Any, kinds: list[str | None]) -> Any:
    """The same frame with types that the engine has a word for.

    Truth values that shall be numbers are 0 and 1.
    """
    if library(X) == "pyarrow":
        return with_truths_as_numbers(X, kinds)
    if library(X) != "polars":
        return X
    import polars as pl

    other = {pl.Null: pl.Boolean, pl.Int128: pl.Float64}
    found = {name: other[kind] for name, kind in X.schema.items() if kind in other}
    declared = zip(X.schema.items(), kinds, strict=True)
    truths = [name for (name, type_), kind in declared if type_ == pl.Boolean and kind == "numeric"]
    found |= dict.fromkeys(truths, pl.UInt8)
    return X.cast(found) if found else X


def with_truths_as_numbers(X: Any, kinds: list[str | None]) -> Any:
    """A table of pyarrow whose truth values are numbers where they are declared so."""
    import pyarrow as pa

    for place, (field, kind) in enumerate(zip(X.schema, kinds, strict=True)):
        if kind == "numeric" and pa.types.is_boolean(field.type):
            X = X.set_column(place, field.name, X.column(place).cast(pa.uint8()))
    return X


def kinds(names: list[str], options: Declaring) -> list[str | None]:
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
        near = [name for name in names if name.casefold() == one.casefold()]
        near = near or get_close_matches(one, names, n=1)
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
