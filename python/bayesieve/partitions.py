"""Rows in partitions, wherever they are: Spark, Dask, Ray, or files.

The same functions serve all of them. `bayesieve.spark` has what is Spark's own; for other engines
say how a task is run on every partition, which takes a few lines (see docs/spark.md).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Protocol

from bayesieve import _counted, _data, _engine, _estimators, _files, _run
from bayesieve._classifier import Classifier
from bayesieve._engine import DataError, SettingError
from bayesieve._notes import DataWarning
from bayesieve._selector import Selector
from bayesieve._tasks import CountTask, LearnTask, Task
from bayesieve.coding import Coding
from bayesieve.counts import Counts

__all__ = ["Partitions", "Rows", "Task", "count", "fit_coding", "select", "train"]

#: The class where nobody says which column it is.
CLASS = "y"


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
        Most different numbers of a column that are kept apart, 16,384 unless said otherwise.

    Returns
    -------
    Coding
    """
    coding = _learned(
        rows_of(rows),
        class_col,
        features=features,
        ignore=ignore,
        nominal=nominal,
        numeric=numeric,
        missing=missing,
        discretize=discretize,
        max_labels=max_labels,
        max_numbers=max_numbers,
    )
    for note in coding.notes:
        warnings.warn(note, DataWarning, stacklevel=2)
    return coding


def _learned(
    rows: Rows,
    class_col: str,
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
    """The coding of rows, without a word about them."""
    names = checked_names(rows)
    class_name = _data.known(class_col, names, "class_col")
    used = used_columns(names, class_name, features, ignore)
    kinds = dict(zip(names, _data.kinds(names, _Kinds(nominal, numeric)), strict=True))
    start = _engine.start_profile(
        _estimators.request(
            {
                "class": class_name,
                "features": used,
                "excluded": [one for one in names if one not in {*used, class_name}],
                "coding": {
                    "missing": _run.word("missing", missing),
                    "discretize": _run.word("discretize", discretize),
                },
                "max_labels": limit("max_labels", max_labels, least=1),
                "max_numbers": limit("max_numbers", max_numbers, least=2),
            }
        )
    )
    declared = {name: kind for name, kind in kinds.items() if kind is not None}
    profile = _profile(rows, start, [*used, class_name], declared)
    again, fresh = _engine.profile_again(profile)
    if again:
        # Numbers in some partitions and text in others: all of them are labels.
        kinds_again = {**declared, **dict.fromkeys(again, "nominal")}
        profile = _profile(rows, fresh, [*used, class_name], kinds_again)
    return Coding(_engine.finish_profile(profile)).learned_on(origin(rows))


def _profile(rows: Rows, start: bytes, columns: list[str], kinds: Mapping[str, str]) -> bytes:
    """The profile of all partitions."""
    task = LearnTask(start, columns, kinds)
    return task.merge(list(rows.run(task)))


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
    how = _counted.how(
        method,
        model=model,
        search=search,
        count=count,
        settings=settings,
        keep=_counted.kept(keep, coding.features),
        budget=budget,
        random_state=random_state,
        data=f"{coding.n_rows:,} rows in partitions",
    )
    run = _counted.runner(n_jobs, verbose, callback)
    return _counted.selector(_engine.select_counted(elsewhere(rows, coding), how, run))


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
    run = _counted.runner(n_jobs, verbose, callback)
    return _counted.classifier(_engine.train_counted(elsewhere(rows, coding), request, run))


def elsewhere(rows: Rows, coding: Coding) -> _engine.Elsewhere:
    """Rows that the engine may have counted."""
    text = coding_text(coding)

    def ask(wanted: str) -> list[bytes]:
        return list(rows.run(CountTask(text, wanted)))

    return {"coding": text, "n_rows": coding.expected_rows(origin(rows)), "ask": ask}


def fitted(
    rows: Rows, class_col: str | None, coding: Coding | None, to_code: Mapping[str, Any]
) -> Coding:
    """The coding that was given, or that of the rows."""
    if coding is None:
        return _learned(rows, CLASS if class_col is None else class_col, **to_code)
    if to_code:
        raise SettingError(f"{next(iter(to_code))} is settled by the coding. Leave it out.")
    coding_text(coding)
    if class_col not in (None, coding.class_name):
        raise SettingError(
            f'class_col="{class_col}", but the class of the coding is "{coding.class_name}".'
        )
    check_columns(rows, coding)
    return coding


@dataclass
class _Kinds:
    """What is said of columns."""

    nominal: _data.Columns | None
    numeric: _data.Columns | None
    n_jobs: int | None = None
    verbose: int = 0
    callback: _run.Callback | None = None


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
    names: dict[str, None] = {}
    for name in map(str, rows.columns):
        if name in names:
            raise DataError(f'two columns are named "{name}". Give each its own name.')
        names[name] = None
    return list(names)


def used_columns(
    names: list[str],
    class_name: str,
    features: _data.Columns | None,
    ignore: _data.Columns | None,
) -> list[str]:
    """The features, in the order of the columns."""
    wanted = set(names if features is None else _data.resolved(features, names, "features"))
    wanted -= {class_name, *_data.resolved(ignore, names, "ignore")}
    return [name for name in names if name in wanted]


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


def limit(parameter: str, value: Any, *, least: int) -> int | None:
    """A number that bounds something."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise SettingError(f"{parameter}={value!r} is no limit. Give a number from {least} on.")
    return int(value)
