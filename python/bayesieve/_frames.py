"""Results as frames: of pandas where that is installed, else of polars, else plain records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def frame(records: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> Any:
    """Records as a frame with these columns; what a record lacks is missing."""
    rows = [{name: record.get(name) for name in columns} for record in records]
    try:
        import pandas as pd
    except ImportError:
        pass
    else:
        return pd.DataFrame(rows, columns=list(columns))
    try:
        import polars as pl
    except ImportError:
        return Records(rows, columns)
    if not rows:
        return pl.DataFrame({name: [] for name in columns})
    return pl.DataFrame(rows, infer_schema_length=None)


class Records(list[dict[str, Any]]):
    """Rows as dicts, which show themselves as a table."""

    #: Characters of a cell that are shown.
    WIDEST = 40

    def __init__(self, rows: Iterable[dict[str, Any]], columns: Sequence[str]) -> None:
        super().__init__(rows)
        self.columns = list(columns)

    def __repr__(self) -> str:
        """The columns below their names, numbers to the right."""
        cells = [[self._shown(row.get(name)) for name in self.columns] for row in self]
        widths = [max(map(len, column)) for column in zip(self.columns, *cells, strict=True)]
        is_number = [
            all(isinstance(row.get(name), (int, float, type(None))) for row in self)
            for name in self.columns
        ]
        lines = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, is_number, strict=True)
            ).rstrip()
            for line in (self.columns, *cells)
        ]
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (list(self), self.columns)

    @classmethod
    def _shown(cls, value: Any) -> str:
        if value is None:
            return ""
        text = f"{value:.6g}" if isinstance(value, float) else str(value)
        text = " ".join(text.split())
        return text if len(text) <= cls.WIDEST else text[: cls.WIDEST - 3] + "..."
