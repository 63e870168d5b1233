"""Rows in partitions, as functions see them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bayesieve import _data, _engine
from bayesieve._engine import DataError, SettingError
from bayesieve._tasks import CountTask, Task
from bayesieve.coding import Coding


class Rows(Protocol):
    """Rows in partitions: names of columns, and a way to run a task on every partition."""

    @property
    def columns(self) -> Sequence[str]:
        """The names of the columns, in their order."""
        ...

    @property
    def run(self) -> Callable[[Task], Iterable[bytes]]:
        """Runs a task on every partition and comes back with what each returned."""
        ...

    @property
    def shard(self) -> str | None:
        """What all partitions together are called; None where they have names of their own."""
        ...


@dataclass(frozen=True)
class Partitions:
    """Rows in the partitions of some engine.

    Parameters
    ----------
    columns : list of str
        The names of the columns, in their order.
    run : callable
        Gets a task, calls `task(batches, part)` for every partition, on whatever machine it is,
        and returns what the calls returned. `batches` are record batches of pyarrow with the
        columns `task.columns` at least; `part` is a text that tells the partition from all others
        and is the same when the task is run again.
    shard : str
        What the rows are called in a file of counts.
    """

    columns: Sequence[str]
    run: Callable[[Task], Iterable[bytes]]
    shard: str | None = "rows"


def rows_of(given: Any) -> Rows:
    """What was given, as rows in partitions."""
    if hasattr(given, "mapInArrow"):
        from bayesieve.spark import rows

        return rows(given)
    if all(hasattr(given, name) for name in ("columns", "run", "shard")):
        return given  # type: ignore[no-any-return]
    raise DataError(
        f"rows of type {type(given).__name__} are in no partitions. Give a DataFrame of Spark, or "
        "bayesieve.partitions.Partitions; for data in memory use the selectors of bayesieve."
    )


def origin(rows: Rows) -> Any:
    """What the rows were given as: a DataFrame may be wrapped anew for every call."""
    return getattr(rows, "origin", rows)


def checked_names(rows: Rows) -> list[str]:
    """The names of the columns, each there once."""
    names = [str(name) for name in rows.columns]
    _data.check_once(names)
    return names


def check_columns(rows: Rows, coding: Coding) -> None:
    """Refuses rows without a column of the coding, before anything is run."""
    names = set(rows.columns)
    for name in [*coding.features, coding.class_name]:
        if name not in names:
            raise DataError(f'there is no column "{name}", which the coding has.')


def coding_text(coding: Any) -> str:
    """The text of a coding."""
    if not isinstance(coding, Coding):
        raise SettingError(
            f"coding={coding!r:.40} is no coding. Give what fit_coding came back with, or "
            "Coding.load(path)."
        )
    return coding.to_json() or ""


def on_demand(rows: Rows, coding: Coding) -> _engine.Partitions:
    """Rows that the engine may have counted."""
    text = coding_text(coding)

    def ask(wanted: str) -> list[bytes]:
        return list(rows.run(CountTask(text, wanted)))

    return {"coding": text, "n_rows": coding.expected_rows(origin(rows)), "ask": ask}
