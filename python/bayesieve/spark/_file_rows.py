"""Rows of Parquet files that workers of Spark open by themselves."""

from __future__ import annotations

from typing import Any

from bayesieve import _parquet, _run
from bayesieve._engine import DataError
from bayesieve._spark_tasks import SCHEMA, OnRowGroups
from bayesieve._tasks import Task
from bayesieve.spark._rows import collected, function

#: Tasks where nobody says how many.
MOST_TASKS = 256


class FileRows:
    """Row groups of files, some for every task."""

    #: Every row group has a name of its own.
    shard: str | None = None

    def __init__(self, spark: Any, paths: _parquet.Paths, tasks: int | None) -> None:
        self._spark = spark
        found = _parquet.files(paths)
        self.columns = _parquet.column_names(found[0])
        groups = _parquet.row_groups(found)
        if not groups:
            raise DataError(f"{found[0]}: there are no rows.")
        n_tasks = _run.whole("tasks", tasks, "number of tasks")
        self._plan = _parquet.divided(groups, n_tasks or MOST_TASKS)

    def run(self, task: Task) -> list[bytes]:
        """One job: every task counts the row groups of its list."""
        n_tasks = len(self._plan)
        # One row per task, its number; what a number stands for travels with the function.
        numbers = self._spark.range(0, n_tasks, 1, n_tasks)
        work = function(OnRowGroups(task, self._plan))
        return collected(numbers.mapInArrow(work, SCHEMA))
