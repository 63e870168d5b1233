"""Results as frames: of pandas where that is installed, else of polars, else plain records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        return rows
    if not rows:
        return pl.DataFrame({name: [] for name in columns})
    return pl.DataFrame(rows, infer_schema_length=None)
