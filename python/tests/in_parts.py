"""Tables in partitions, for tests of what works on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from tables import Columns, draw

from bayesieve._selector import Selector
from bayesieve.partitions import Partitions, Task

#: Rows of the tables: enough for tables of many cells, and for several batches.
N_ROWS = 20_000


def many_rows(labels: Sequence[str] = ("no", "yes"), n_rows: int = N_ROWS) -> Columns:
    """Columns of every kind and the class `y`; numbers have two digits, so few are distinct."""
    columns, y = draw(11, list(labels), n_rows)
    rounded = {name: [shorter(one) for one in values] for name, values in columns.items()}
    return {**rounded, "y": y}


def shorter(value: Any) -> Any:
    """A number with two digits; everything else as it is."""
    return round(value, 2) if isinstance(value, float) else value


def features(columns: Columns) -> Columns:
    """All columns but the class."""
    return {name: values for name, values in columns.items() if name != "y"}


def in_memory(selector: Selector, columns: Columns) -> Selector:
    """A selector that is fitted on columns in memory."""
    import pandas as pd

    return selector.fit(pd.DataFrame(features(columns)), pd.Series(columns["y"], name="y"))


def bounds(n_rows: int, n_parts: int) -> list[tuple[int, int]]:
    """Where each part starts and ends."""
    cuts = [n_rows * part // n_parts for part in range(n_parts + 1)]
    return list(pairwise(cuts))


def in_parts(
    table: Any,
    n_parts: int = 3,
    batch: int = 3_000,
    each: Callable[[Task, list[Any], str], bytes] | None = None,
) -> Partitions:
    """A table of pyarrow in partitions, each handed over in batches."""

    def run(task: Task) -> list[bytes]:
        answers = []
        for number, (first, last) in enumerate(bounds(table.num_rows, n_parts)):
            rows = table.slice(first, last - first).select(task.columns)
            batches, part = rows.to_batches(max_chunksize=batch), f"part {number}"
            answers.append(each(task, batches, part) if each else task(batches, part))
        return answers

    return Partitions(table.column_names, run)
