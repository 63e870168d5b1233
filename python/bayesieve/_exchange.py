"""Frames that come in and go out: columns chosen by name, types kept between libraries."""

from __future__ import annotations

from typing import Any

import numpy as np

from bayesieve import _data


def own_columns(estimator: Any, X: Any) -> Any:
    """The columns that an estimator from a file takes, of a frame that may have more.

    Files are made on some columns of a table: without those that were left out, or with those
    alone that a selection keeps. What was fitted here takes what it was fitted on.
    """
    X = _data.named(X)
    if not getattr(estimator, "_is_read", False) or not _data.is_frame(X):
        return X
    names = _data.feature_names(estimator)
    places = {name: place for place, name in enumerate(_data.column_names(X))}
    if list(places) == names or any(name not in places for name in names):
        # Nothing to choose, or columns that lack: for scikit-learn to say.
        return X
    _data.check_names(X)
    return _data.chosen(X, np.array([places[name] for name in names], dtype=np.intp))


def handed_over(kept: Any, wanted: str) -> Any:
    """A frame in the library that `set_output` asks for, its types kept; else an array."""
    if wanted == _data.library(kept):
        return kept
    try:
        if wanted == "pandas":
            return kept.to_pandas()
        if wanted == "polars":
            import polars as pl

            return pl.from_pandas(kept) if _data.is_pandas(kept) else pl.from_arrow(kept)
    except (ImportError, TypeError, ValueError, NotImplementedError):
        # Without pyarrow, and for columns that mix types, scikit-learn wraps an array.
        pass
    return _data.array_of(kept)
