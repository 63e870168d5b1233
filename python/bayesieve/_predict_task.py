"""Predictions of rows, where they are.

This runs on workers, which have Python, pyarrow and this package, and need nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bayesieve import _engine


class PredictTask:
    """Adds the class and the probabilities to rows.

    Parameters
    ----------
    document : str
        A model file.
    columns : list of str
        The columns of the rows that are handed on.
    classes : pair of a type of pyarrow and a list
        The classes, by their codes.
    names : list of str
        The names of the new columns.
    """

    def __init__(
        self, document: str, columns: list[str], classes: tuple[str, list[Any]], names: list[str]
    ) -> None:
        self._document = document
        self._columns = columns
        self._type, self._classes = classes
        self._names = names

    def __call__(self, batches: Iterable[Any], part: str) -> Iterator[Any]:
        """The same rows with new columns, batch by batch."""
        import pyarrow as pa

        predictions = _engine.PartPredictions(self._document, part)
        classes = pa.array(self._classes, type=pa.type_for_alias(self._type))
        for batch in batches:
            predicted = predictions.predict(batch)
            kept = [batch.column(name) for name in self._columns]
            new = [classes.take(predicted.column(0)), *predicted.columns[1:]]
            yield pa.RecordBatch.from_arrays([*kept, *new], names=[*self._columns, *self._names])
