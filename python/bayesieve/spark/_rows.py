"""Rows of a DataFrame of Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from typing import Any

from bayesieve import _run
from bayesieve._engine import DataError, SettingError
from bayesieve._spark_tasks import SCHEMA, OnAnswers, OnPartition, check_once
from bayesieve._tasks import Task
from bayesieve.spark._errors import as_our_own
from bayesieve.spark._stop import ending_together

#: How answers of tasks come together.
MERGES = ("driver", "tree")

#: Tasks that merge answers in the cluster.
MERGERS = 8


class FrameRows:
    """The rows of a DataFrame, partition by partition."""

    #: How the rows are divided is Spark's business: no partition has a name that lasts.
    shard: str | None = "spark"

    def __init__(self, df: Any, merge: str, tasks: int | None) -> None:
        if merge not in MERGES:
            raise SettingError(f'merge={merge!r} is no way to merge. Use "driver" or "tree".')
        self.origin = df
        self._merge = merge
        self._tasks = _run.whole("tasks", tasks, "number of tasks")

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.origin.columns)

    def run(self, task: Task) -> list[bytes]:
        """One job: the task on every partition, and what each returned."""
        chosen = numbered(self.origin, task.columns)
        if self._tasks is not None:
            chosen = chosen.coalesce(self._tasks)
        answers = chosen.mapInArrow(function(OnPartition(task)), SCHEMA)
        if self._merge == "tree":
            # By the part's name: a task that runs again sends its row to the same place.
            answers = answers.repartition(MERGERS, "part")
            answers = answers.mapInArrow(function(OnAnswers(task)), SCHEMA)
        return collected(answers)


def collected(answers: Any) -> list[bytes]:
    """What tasks returned, each once."""
    with as_our_own(), ending_together(answers.sparkSession):
        found = answers.collect()
    check_once(row[0] for row in found)
    return [bytes(row[1]) for row in found]


def function(task: Callable[[Iterator[Any]], Iterator[Any]]) -> Callable[..., Iterable[Any]]:
    """A task as a plain function, which is what Spark takes."""

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        return task(batches)

    return run


def numbered(df: Any, names: Iterable[str]) -> Any:
    """Some columns, called by their places: Spark trips over dots and upper case in names."""
    places = {name: place for place, name in enumerate(df.columns)}
    renamed = df.toDF(*(f"c{place}" for place in range(len(df.columns))))
    return renamed.select(*(f"c{places[name]}" for name in names))


def check_frame(df: Any) -> None:
    """Refuses what is no DataFrame."""
    if hasattr(df, "mapInArrow"):
        return
    if find_spec("pyspark") is None:
        raise ImportError("pyspark is not installed. Run pip install 'bayesieve[spark]'.")
    raise DataError(f"{type(df).__name__} is no DataFrame of Spark. Give spark.createDataFrame(X).")
