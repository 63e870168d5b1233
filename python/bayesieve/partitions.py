"""Rows in partitions, wherever they are: Spark, Dask, Ray, or files.

The same functions serve all of them. `bayesieve.spark` has what is Spark's own; for other engines
say how a task is run on every partition, which takes a few lines (see docs/spark.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bayesieve import _counted, _data, _engine, _files, _run
from bayesieve._classifier import Classifier
from bayesieve._learning import CLASS, Wanted, fitted, learned
from bayesieve._notes import warn_of
from bayesieve._partitions import (
    Partitions,
    Rows,
    check_columns,
    checked_names,
    coding_text,
    on_demand,
    origin,
    rows_of,
)
from bayesieve._selector import Selector
from bayesieve._tasks import CountTask, Task
from bayesieve.coding import Coding
from bayesieve.counts import Counts
from bayesieve.description import as_frame

__all__ = ["Partitions", "Rows", "Task", "count", "describe", "fit_coding", "select", "train"]


def fit_coding(
    rows: Any,
    class_col: str = CLASS,
    *,
    features: _data.Columns | None = None,
    ignore: _data.Columns | None = None,
    nominal: _data.Columns | None = None,
    numeric: _data.Columns | None = None,
    missing: str = "value",
    discretize: str = "mdlp",
    max_labels: int | None = None,
    max_numbers: int | None = None,
) -> Coding:
    """Learn what the columns are, which labels they have and where numbers are cut.

    One pass over the rows. Labels are exact. The result does not depend on how the rows are
    divided, and is the same as in memory as long as no column of numbers has more than
    `max_numbers` different ones; above that neighboring numbers are taken together.

    Parameters
    ----------
    rows : DataFrame of Spark, `Partitions` or `bayesieve.spark.files(...)`
        The rows.
    class_col : str
        The column of the class.
    features, ignore : list of str, optional
        Use only these columns; never use these.
    nominal, numeric : list of str, or "all", optional
        Columns that are labels, or numbers, whatever they look like.
    missing : {"value", "drop", "available", "refuse"}
        What a missing cell means.
    discretize : str
        How numbers become bins: "mdlp", "width:K" or "frequency:K".
    max_labels : int, optional
        Most labels of a column, 65,536 unless said otherwise; a column with more is refused.
    max_numbers : int, optional
        Most different numbers of a column that are kept apart, 16,384 unless said otherwise;
        with more than 16 classes fewer are.

    Returns
    -------
    Coding
    """
    wanted = Wanted(
        features, ignore, nominal, numeric, missing, discretize, max_labels, max_numbers
    )
    coding = learned(rows_of(rows), class_col, wanted)
    warn_of(coding.notes)
    return coding


def count(rows: Any, coding: Coding) -> Counts:
    """Count single features and all pairs of features by class, in one pass over the rows.

    Parameters
    ----------
    rows : DataFrame of Spark, `Partitions` or `bayesieve.spark.files(...)`
        The rows.
    coding : Coding
        What `fit_coding` came back with, on these rows or on others.

    Returns
    -------
    Counts
        What a file of `bayesieve count` holds.
    """
    rows = rows_of(rows)
    text = coding_text(coding)
    check_columns(rows, coding)
    task = CountTask(text, _engine.wanted_counts(text))
    parts = list(rows.run(task))
    n_rows = coding.expected_rows(origin(rows))
    return Counts(_engine.Counts.of_parts(text, parts, rows.shard, n_rows))


def select(
    rows: Any,
    class_col: str | None = None,
    method: str = "mdl-fs",
    *,
    coding: Coding | None = None,
    model: str | None = None,
    search: str | None = None,
    count: int | None = None,
    settings: Mapping[str, Any] | None = None,
    keep: Sequence[str | int] | None = None,
    budget: float | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    callback: _run.Callback | None = None,
    **to_code: Any,
) -> Selector:
    """Choose features, and say why every other one can go.

    The answer is that of the command and of the selectors in memory, to the last bit. The rows are
    gone through once for the coding, once for all tables of single features and pairs, and once
    for every step of a method that needs larger tables (boundary methods, `cig-as` and its kin,
    `koller-sahami` with k above 1).

    Parameters
    ----------
    rows : DataFrame of Spark, `Partitions` or `bayesieve.spark.files(...)`
        The rows.
    class_col : str
        The column of the class, "y" unless the coding or you say otherwise.
    method : str
        Any method of the command that works on counts.
    coding : Coding, optional
        What `fit_coding` came back with; without it the coding is learned first.
    model, search, count, settings, keep
        As in the command, where the method takes them.
    budget, random_state, n_jobs, verbose, callback
        As in all selectors.
    **to_code
        Parameters of `fit_coding`, where the coding is learned here.

    Returns
    -------
    A fitted selector of the method's class.
    """
    rows = rows_of(rows)
    _counted.check_method(method)
    coding = fitted(rows, class_col, coding, to_code)
    choice = _counted.Choice(method, model, search, count, settings, keep, budget, random_state)
    running = _counted.Running(n_jobs, verbose, callback)
    return _counted.select(source(rows, coding), choice, running)


def train(
    rows: Any,
    class_col: str | None = None,
    model: str | None = None,
    *,
    features: _data.Columns | None = None,
    selection: Selector | _files.Source | None = None,
    coding: Coding | None = None,
    settings: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    callback: _run.Callback | None = None,
    **to_code: Any,
) -> Classifier:
    """Train a classifier: naive Bayes or TAN, the same as on the rows in memory.

    Parameters
    ----------
    rows : DataFrame of Spark, `Partitions` or `bayesieve.spark.files(...)`
        The rows.
    class_col : str
        The column of the class, "y" unless the coding or you say otherwise.
    model : {"nb", "tan"}, optional
        That of the selection unless said otherwise, else "tan".
    features : list of str, optional
        Features to train on; all unless a selection says otherwise.
    selection : fitted selector, or a selection file, optional
        Trains on what it keeps.
    coding : Coding, optional
        What `fit_coding` came back with; without it the coding is learned first.
    settings : dict, optional
        Settings of the model, such as {"alpha": 0.5}.
    n_jobs, verbose, callback
        As in all classifiers.
    **to_code
        Parameters of `fit_coding`, where the coding is learned here.

    Returns
    -------
    A fitted `NaiveBayes` or `TAN`.
    """
    rows = rows_of(rows)
    request = _counted.training(model, selection, settings)
    names = checked_names(rows) if coding is None else coding.features
    chosen = _counted.chosen(features, selection, names)
    if coding is None and chosen is not None:
        to_code["features"] = chosen
    coding = fitted(rows, class_col, coding, to_code)
    if chosen is not None and chosen != coding.features:
        coding = coding.chosen(chosen)
    running = _counted.Running(n_jobs, verbose, callback)
    return _counted.train(source(rows, coding), request, running)


def describe(
    rows: Any,
    class_col: str | None = None,
    *,
    coding: Coding | None = None,
    levels: str | int = "auto",
    n_jobs: int | None = None,
    report: _files.Source | None = None,
    **to_code: Any,
) -> Any:
    """Say what every column holds and tells about the class.

    Parameters
    ----------
    rows : DataFrame of Spark, `Partitions`, `bayesieve.spark.files(...)` or `Counts`
        The rows, or what was counted of them.
    class_col : str
        The column of the class, "y" unless the coding or you say otherwise.
    coding : Coding, optional
        What `fit_coding` came back with; without it the coding is learned first.
    levels : {"auto", 0, 1}
        How deep to look for redundancy; "auto" is 1 up to 1,000 features.
    n_jobs : int, optional
        Threads; None or -1 for all cores.
    report : path, optional
        Also write a page for people.
    **to_code
        Parameters of `fit_coding`, where the coding is learned here.

    Returns
    -------
    frame
        One row per feature, as that of `bayesieve.describe`.
    """
    if isinstance(rows, Counts):
        return rows.describe(levels=levels, n_jobs=n_jobs, report=report)
    if report is not None:
        _files.check_page(report)
    rows = rows_of(rows)
    coding = fitted(rows, class_col, coding, to_code)
    looked = _counted.describe(source(rows, coding), levels, "describe(rows)", n_jobs)
    return as_frame(looked, report)


def source(rows: Rows, coding: Coding) -> _counted.Source:
    """Rows in partitions, for methods that work on counts."""
    data = f"{coding.n_rows:,} rows in partitions"
    return _counted.Source(on_demand(rows, coding), coding.features, data)
