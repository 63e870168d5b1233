"""What columns hold and tell."""

from __future__ import annotations

import json
from typing import Any

from bayesieve import _data, _engine, _files, _requests, _run
from bayesieve._frames import frame
from bayesieve._notes import warn_of

__all__ = ["describe"]

#: Columns of the frame.
COLUMNS = (
    "name",
    "kind",
    "values",
    "missing",
    "information_bits",
    "symmetric_uncertainty",
    "redundant_level0",
    "redundant_level1_given",
    "redundant_level1_gain_bits",
    "cut_points",
)


def describe(
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    nominal: _data.Columns | None = None,
    numeric: _data.Columns | None = None,
    missing: str = "value",
    discretize: str = "mdlp",
    levels: str | int = "auto",
    n_jobs: int | None = None,
    report: _files.Source | None = None,
) -> Any:
    """Say what every column holds and tells about the class.

    Parameters
    ----------
    X : array or frame of shape (n_samples, n_features)
        Of numpy, pandas, polars or pyarrow.
    y : array of shape (n_samples,)
        The class of every row.
    sample_weight : array of shape (n_samples,), optional
        How often every row counts: whole numbers, 0 leaves a row out.
    nominal, numeric : list of str or int, or "all", optional
        Columns that are labels, or numbers, whatever they look like.
    missing : {"value", "drop", "available", "refuse"}
        What a missing cell means.
    discretize : str
        How numbers become bins: "mdlp", "width:K", "frequency:K", or "none".
    levels : {"auto", 0, 1}
        How deep to look for redundancy; "auto" is 1 up to 1,000 features.
    n_jobs : int, optional
        Threads; None or -1 for all cores.
    report : path, optional
        Also write a page for people.

    Returns
    -------
    frame
        One row per column of `X`; with pandas, `attrs["document"]` has everything that the
        command's `describe --json` prints.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bayesieve import describe
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> columns = describe(X, y)
    >>> columns.sort_values("information_bits", ascending=False).iloc[0]["name"]
    'petal width (cm)'
    """
    if report is not None:
        _files.check_page(report)
    data = _data.Sheet.of(X, nominal=nominal, numeric=numeric, n_jobs=n_jobs)
    table = data.with_class(y, sample_weight)
    asked = _requests.asked(
        {"levels": str(levels)},
        data={
            "missing": _run.word("missing", missing),
            "discretize": _run.word("discretize", discretize),
        },
        origin=(data.about, "bayesieve.describe(X, y)"),
    )
    return as_frame(_engine.describe(table, asked, _run.runner(data)), report)


def as_frame(described: tuple[str, str], report: _files.Source | None) -> Any:
    """A document and a page of the engine: one is a frame, the other goes into a file."""
    text, page = described
    document = json.loads(text)
    warn_of(document["warnings"], 3)
    if report is not None:
        _files.write(report, page)
    columns = frame(document["columns"], COLUMNS)
    if hasattr(columns, "attrs"):
        columns.attrs["document"] = document
    return columns
