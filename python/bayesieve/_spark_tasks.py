"""Tasks on the partitions of a DataFrame and on row groups of Parquet files, where they run.

Workers import this module and nothing else of the package but the tasks themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bayesieve._engine import DataError
from bayesieve._names import repeated
from bayesieve._parquet import RowGroup, read
from bayesieve._predict_task import PredictTask
from bayesieve._tasks import Task

#: What a task returns: the part, and what it tells.
SCHEMA = "part string, counts binary"


def answer(part: str, counts: bytes) -> Any:
    """One row of what a task returns."""
    import pyarrow as pa

    columns = [pa.array([part], pa.string()), pa.array([counts], pa.binary())]
    return pa.RecordBatch.from_arrays(columns, names=["part", "counts"])


def named(batches: Iterable[Any], names: list[str]) -> Iterator[Any]:
    """Batches with the names of their columns, which travel as numbers."""
    import pyarrow as pa

    for batch in batches:
        yield pa.RecordBatch.from_arrays(batch.columns, names=names)


def partition() -> str:
    """The partition that this task has."""
    from pyspark import TaskContext

    context = TaskContext.get()
    if context is None:
        raise DataError("this is no task of Spark: there is no partition.")
    return f"partition {context.partitionId()}"


class OnPartition:
    """A task on a partition of a DataFrame.

    The part is the partition's number. That of the attempt is left out: a task that runs a second
    time, after a failure or beside a slow one, is the same part and returns the same bytes, and
    Spark keeps one result per partition.
    """

    def __init__(self, task: Task) -> None:
        self._task = task

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """What the partition tells, as one row."""
        part = partition()
        yield answer(part, self._task(named(batches, self._task.columns), part))


class OnAnswers:
    """Merges what tasks returned, in the cluster."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """All answers of a partition as one."""
        names: list[str] = []
        sum_of: list[bytes] = []
        for batch in batches:
            for part, counts in zip(
                batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True
            ):
                names.append(part)
                sum_of = [self._task.merge([*sum_of, counts])]
        check_once(names)
        if names:
            yield answer(min(names), sum_of[0])


def check_once(parts: Iterable[str]) -> None:
    """Refuses a part that is there twice."""
    twice = repeated(parts)
    if twice:
        raise DataError(f"{twice[0]} was counted twice. Run it again.")


class OnRowGroups:
    """A task on row groups of files, which the worker opens by itself."""

    def __init__(self, task: Task, plan: list[list[RowGroup]]) -> None:
        self._task = task
        self._plan = plan

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """What the row groups tell whose list is named by its number."""
        for batch in batches:
            for number in batch.column(0).to_pylist():
                answers = [
                    self._task(rows, group.part)
                    for group, rows in read(self._plan[number], self._task.columns)
                ]
                yield answer(f"task {number}", self._task.merge(answers))


class OnRows:
    """A task that hands on the rows of a partition."""

    def __init__(self, task: PredictTask, names: list[str]) -> None:
        self._task = task
        self._names = names

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The rows, batch by batch."""
        return self._task(named(batches, self._names), partition())
