"""Methods and models on the same splits, with tests and ranks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from numbers import Integral, Real
from typing import Any

from sklearn.base import BaseEstimator

from bayesieve import _data, _engine, _files, _measures, _requests, _run
from bayesieve._engine import DataError, SettingError
from bayesieve._folds import fold_numbers, repeated_folds
from bayesieve._frames import frame
from bayesieve._notes import warn_of

__all__ = ["Comparison", "compare"]

#: How rows are split where nothing else is said.
DEFAULT_PROTOCOL = "cv:10"

#: Columns of the frames.
RUNS = (
    "data",
    "pipeline",
    "run",
    "fold",
    "training_rows",
    "test_rows",
    "kept",
    "accuracy",
    "log_loss",
    "brier",
    "call_per_row_without_class",
    "inner_accuracy",
    "seconds",
)
SUMMARY = (
    "data",
    "pipeline",
    "runs",
    "accuracy",
    "accuracy_sd",
    "log_loss",
    "brier",
    "kept",
    "kept_share",
    "stability",
    "seconds",
)
TESTS = ("test", "measure", "data", "a", "b", "difference", "statistic", "p")
RANKS = (
    "pipeline",
    "measure",
    "average_rank",
    "competition_rank",
    "wins",
    "losses",
    "draws",
    "critical_difference",
)
CURVES = ("data", "pipeline", "training_rows", "accuracy", "standard_error", "kept")


class Comparison:
    """What :func:`compare` found, as frames."""

    def __init__(self, document: str, page: str) -> None:
        self._text, self._page = document, page
        #: Everything, as the command's `compare --json` prints it.
        self.document: dict[str, Any] = json.loads(document)

    @cached_property
    def summary(self) -> Any:
        """One row per data set and pipeline: accuracy, kept features, stability, time."""
        records = []
        for one in self.document["summary"]:
            means = {
                name: (one[name] or {}).get("mean")
                for name in ("accuracy", "log_loss", "brier", "kept", "seconds")
            }
            more = {
                "accuracy_sd": (one["accuracy"] or {}).get("sd"),
                "kept_share": one["kept"]["share"],
            }
            more |= {key: of["mean"] for key, of in one.get("measures", {}).items()}
            records.append({**one, **means, **more})
        return frame(records, [*SUMMARY, *self._measures()])

    def _measures(self) -> list[str]:
        """The measures that are known besides those that all frames have."""
        known = (key for one in self.document["summary"] for key in one.get("measures", {}))
        return [key for key in dict.fromkeys(known) if key not in SUMMARY]

    @cached_property
    def runs(self) -> Any:
        """One row per run."""
        records = [{**one.get("measures", {}), **one} for one in self.document["runs"]]
        return frame(records, [*RUNS, *self._measures()])

    @cached_property
    def tests(self) -> Any:
        """Every test of two pipelines, and of all of them over the data sets."""
        return frame(self.document["tests"], TESTS)

    @cached_property
    def ranks(self) -> Any:
        """Average ranks, wins and losses."""
        return frame(self.document["ranks"], RANKS)

    @cached_property
    def learning_curves(self) -> Any:
        """Accuracy by the number of training rows, where curves were asked for."""
        records = [
            {
                **one,
                "accuracy": one["accuracy"]["mean"],
                "standard_error": one["accuracy"]["standard_error"],
                "kept": (one["kept"] or {}).get("mean"),
            }
            for one in self.document["learning_curves"]
        ]
        return frame(records, CURVES)

    def to_json(self, path: _files.Source | None = None) -> str | None:
        """The document as a text, or into a file."""
        return _files.handed_over(self._text, path)

    def report(self, path: _files.Source) -> None:
        """Writes a page for people: one file, nothing to fetch."""
        _files.check_page(path)
        _files.write(path, self._page)

    def __repr__(self) -> str:
        return repr(self.summary)

    def _repr_html_(self) -> str | None:
        show = getattr(self.summary, "_repr_html_", None)
        return None if show is None else str(show())


def compare(
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    pipelines: Sequence[str] | str = (),
    methods: Sequence[str] | str = ("all", "mdl-fs", "cfs", "mrmr"),
    models: Sequence[str] | str = ("nb", "tan"),
    protocol: str | None = None,
    cv: Any = None,
    learning_curve: Sequence[int] | None = None,
    scoring: str | None = None,
    positive: Any = None,
    costs: Any = None,
    test: str | None = None,
    alpha: float = 0.05,
    settings: Mapping[str, Any] | None = None,
    keep: _data.Columns | None = None,
    nominal: _data.Columns | None = None,
    numeric: _data.Columns | None = None,
    missing: str = "value",
    discretize: str = "mdlp",
    budget: float | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    callback: _run.Callback | None = None,
) -> Comparison:
    """Put methods and models under one protocol, on the same splits.

    Everything that is learned, bins and features too, is learned again on the training rows of
    every run.

    Parameters
    ----------
    X, y : features and classes, or a dict of such pairs
        One data set, or several as ``{"name": (X, y), ...}``.
    sample_weight : array of shape (n_samples,), optional
        How often every row of one data set counts: whole numbers, 0 leaves a row out.
    pipelines : list of str
        What to compare: ``"mdl-fs/tan"``, ``"mrmr:20/nb"``, ``"all/id3"``.
    methods, models : list of str
        All pairs of these, where no pipelines are given.
    protocol : str, optional
        ``"cv:10"``, ``"cv:10x3"``, ``"holdout:50:2/3"``, ``"5x2cv"`` or ``"split:1000/2196x30"``.
        Without it and without `cv` it is ``"cv:10"``.
    cv : splitter, list of splits, or array, optional
        Folds of one data set, in place of the protocol.
    learning_curve : list of int, optional
        Also with so many training rows.
    scoring : str, optional
        The measure that tests, wins and ranks go by; accuracy without. Names as in
        :class:`bayesieve.Auto`, scikit-learn's too.
    positive : label, optional
        The positive class of AUC, average precision and F1; without, the rarest class.
    costs : array or frame of shape (n_classes, n_classes), optional
        What mistakes cost, by true class (rows) and predicted class (columns).
    test : str, optional
        What wins and losses go by, in place of the protocol's own.
    alpha : float
        The level of the tests.
    settings : dict, optional
        Settings for every pipeline that has them.
    keep : list of str or int, optional
        Features that must stay in; by name where there are several data sets.
    nominal, numeric, missing, discretize, budget, random_state, n_jobs, verbose, callback
        As in the selectors.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bayesieve import compare
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> found = compare(X, y, pipelines=["all/nb", "mdl-fs/nb"], protocol="cv:5")
    >>> list(found.summary["pipeline"])
    ['all/nb', 'mdl-fs/nb']
    """
    sets = _sets(X, y)
    if sample_weight is not None and isinstance(X, Mapping):
        raise SettingError("sample_weight is for one data set. Compare one at a time.")
    splits = _protocol(protocol, cv, len(sets))
    request = {
        **_contestants(pipelines, methods, models),
        "settings": _requests.settings(settings),
        "protocol": splits,
        "curve": None if learning_curve is None else _sizes(learning_curve),
        "test": None if test is None else _run.word("test", test),
        "alpha": _level(alpha),
        "seed": _run.seed(random_state),
        "budget": _run.seconds(budget),
    }
    coding = {
        "missing": _run.word("missing", missing),
        "discretize": _run.word("discretize", discretize),
    }
    reading: dict[str, Any] = {"nominal": nominal, "numeric": numeric}
    reading |= {"n_jobs": n_jobs, "verbose": verbose, "callback": callback}
    sheets = {name: _data.Sheet.of(features, **reading) for name, (features, _) in sets.items()}
    tables = [
        (name, sheets[name].with_class(classes, sample_weight))
        for name, (_, classes) in sets.items()
    ]
    only = next(iter(sheets.values()))
    folds = None if cv is None else fold_numbers(cv, only.classes)
    request |= _measures.measures(scoring, positive, costs, only.labels)
    request |= {
        "keep": _kept(keep, sheets),
        "folds": repeated_folds(folds, _data.weights(sample_weight, only.X)),
    }
    about = ", ".join(f"{name}: {sheet.about}" for name, sheet in sheets.items())
    by = f"protocol={splits!r}" if cv is None else f"cv={type(cv).__name__}"
    origin = (about, f"bayesieve.compare(..., {by})")
    asked = _requests.asked(request, data=coding, origin=origin)
    found = Comparison(*_engine.compare(tables, asked, _run.runner(only)))
    warn_of(found.document["warnings"])
    return found


def _sets(X: Any, y: Any) -> dict[str, tuple[Any, Any]]:
    """The data sets by name, features and classes."""
    if not isinstance(X, Mapping):
        return {"data": (X, y)}
    if y is not None:
        raise DataError(
            'a dict of data sets has its classes inside: {"name": (X, y)}. Leave y out.'
        )
    if not X:
        raise DataError("there is no data set in the dict. Give at least one.")
    for name, one in X.items():
        if not isinstance(one, (tuple, list)) or len(one) != 2:
            raise DataError(f'data set "{name}" is no pair of features and classes. Give (X, y).')
    if len({str(name) for name in X}) < len(X):
        raise DataError("two data sets are written alike. Give each its own name.")
    return {str(name): (one[0], one[1]) for name, one in X.items()}


def _contestants(pipelines: Any, methods: Any, models: Any) -> dict[str, list[str]]:
    """Who is compared."""
    named = _pipelines(pipelines)
    pairs = {"methods": _listed("methods", methods), "models": _listed("models", models)}
    if not named and not all(pairs.values()):
        raise SettingError("there is nothing to compare. Give pipelines, or methods and models.")
    return {"pipelines": named, **pairs}


def _protocol(protocol: Any, cv: Any, n_sets: int) -> str:
    """How rows are split, unless by folds that are given."""
    if cv is not None and protocol is not None:
        raise SettingError("protocol and cv both say how rows are split. Give one of them.")
    if cv is not None and n_sets != 1:
        raise SettingError("cv is for one data set. Compare one at a time, or give a protocol.")
    return DEFAULT_PROTOCOL if protocol is None else _run.word("protocol", protocol)


def _level(alpha: Any) -> float:
    """The level of a test."""
    if isinstance(alpha, bool) or not isinstance(alpha, Real) or not 0 < float(alpha) < 1:
        raise SettingError(f"alpha={alpha!r} is no level of a test. Give one between 0 and 1.")
    return float(alpha)


def _pipelines(names: Any) -> list[str]:
    """The names of pipelines; one alone is a list of one."""
    if isinstance(names, str) and any("/" in one.partition("=")[0] for one in names.split(",")[1:]):
        several = [one.strip() for one in names.split(",")]
        raise SettingError(f"pipelines={names!r} is one text. Give a list: {several!r}.")
    return _listed("pipelines", names)


def _listed(parameter: str, words: Any) -> list[str]:
    """Words as a list; one alone is a list of one."""
    if isinstance(words, str):
        return [words]
    each = list(words) if isinstance(words, Iterable) else [words]
    for one in each:
        if isinstance(one, BaseEstimator):
            raise SettingError(
                f"{parameter}: {type(one).__name__} is an estimator. Methods and models are given "
                'by their names, such as "mdl-fs/tan"; estimators go to cross_validate of '
                "scikit-learn with the same splitter."
            )
        if not isinstance(one, str):
            raise SettingError(f"{parameter}: {one!r} is no name. Give a list of texts.")
    return each


def _kept(keep: Any, sheets: Mapping[str, _data.Sheet]) -> list[str]:
    """The features that must stay in, which every data set has."""
    if len(sheets) == 1:
        (sheet,) = sheets.values()
        return _data.resolved(keep, _data.feature_names(sheet), "keep")
    given = () if keep is None else keep
    names: list[Any] = [given] if isinstance(given, (str, Integral)) else list(given)
    if not all(isinstance(one, str) for one in names):
        raise SettingError("keep: places differ between data sets. Give names of features.")
    for name, sheet in sheets.items():
        _data.resolved(names, _data.feature_names(sheet), f'keep, data set "{name}"')
    return names


def _sizes(sizes: Any) -> list[int]:
    """Numbers of training rows."""
    each = list(sizes) if isinstance(sizes, Iterable) else [sizes]
    if not all(isinstance(one, Integral) and int(one) > 0 for one in each):
        raise SettingError(f"learning_curve={sizes!r} are no numbers of rows. Give whole numbers.")
    return [int(one) for one in each]
