"""Predictions of the rows of a DataFrame."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from bayesieve import _data, _files
from bayesieve._classifier import Classifier
from bayesieve._engine import DataError, SettingError
from bayesieve._predict_task import PredictTask
from bayesieve._saved import read_model
from bayesieve._spark_tasks import OnRows
from bayesieve.spark._rows import check_frame, function, numbered

#: The column of the class that is predicted.
PREDICTED = "predicted"

#: Kinds of classes in numpy, as pyarrow and as Spark call them.
TYPES = {"i": ("int64", "long"), "u": ("int64", "long"), "f": ("double", "double")}
TYPES["b"] = ("bool", "boolean")
TEXT = ("string", "string")


def predict(
    df: Any, model: Classifier | _files.Source, columns: Sequence[str] | None = None
) -> Any:
    """Predict the class of every row: a DataFrame with the class and the probabilities.

    Rows are predicted batch by batch when the DataFrame is used. Values that training never saw,
    and missing cells where training had none, are summed out exactly.

    Parameters
    ----------
    df : DataFrame of Spark
        The rows; all columns that the model reads must be there, by their names.
    model : fitted classifier, or a model file
        What `train` or any classifier of the package came to; a path, or the document as a text.
    columns : list of str, optional
        Columns to hand on beside the predictions; None for all.

    Returns
    -------
    DataFrame
        The columns, then `predicted` and `p(label)` for every class.
    """
    check_frame(df)
    classifier = classifier_of(model)
    text = classifier.to_json() or ""
    names = list(df.columns)
    _data.check_once(names)
    kept = names if columns is None else [_data.known(one, names, "columns") for one in columns]
    read = required(classifier, names)
    new = [PREDICTED, *(f"p({label})" for label in classifier._model.class_labels)]
    for name in kept:
        if name in new:
            raise DataError(
                f'there is a column "{name}" already. Rename it, or leave it out: columns=[...].'
            )
    type_, type_of_spark = TYPES.get(classifier.classes_.dtype.kind, TEXT)
    task = PredictTask(text, kept, (type_, classes_by_code(classifier, type_)), new)
    types = [type_of_spark, *["double"] * (len(new) - 1)]
    both = list(dict.fromkeys([*kept, *read]))
    told = schema(df, kept, zip(new, types, strict=True))
    return numbered(df, both).mapInArrow(function(OnRows(task, both)), told)


def classifier_of(model: Any) -> Classifier:
    """A fitted classifier, or that of a file."""
    if isinstance(model, Classifier):
        return model
    if isinstance(model, (str, os.PathLike)):
        return read_model(model)
    raise SettingError(
        f"model={model!r:.60} is no classifier. Give what train came to, or a model file."
    )


def required(classifier: Classifier, names: list[str]) -> list[str]:
    """The columns that the model reads."""
    features = classifier._model.features
    read = [features[place] for place in classifier._model.required]
    for name in read:
        if name not in names:
            raise DataError(f'there is no column "{name}", which the model needs.')
    return read


def classes_by_code(classifier: Classifier, type_: str) -> list[Any]:
    """The classes in the order of the engine's codes."""
    classes: list[Any] = [None] * len(classifier.classes_)
    for place, value in zip(classifier._order, classifier.classes_.tolist(), strict=True):
        classes[place] = _data.label(value) if type_ == TEXT[0] else value
    return classes


def schema(df: Any, kept: list[str], new: Iterator[tuple[str, str]]) -> Any:
    """The columns of the result."""
    from pyspark.sql.types import StructType

    fields = [df.schema[name] for name in kept]
    told = StructType(fields)
    for name, type_ in new:
        told = told.add(name, type_)
    return told
