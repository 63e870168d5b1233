"""Selections, models and descriptions from counts: requests and results."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bayesieve import _data, _engine, _estimators, _files, _run, selectors
from bayesieve._classifier import Classifier
from bayesieve._engine import DataError, SettingError
from bayesieve._notes import DataWarning
from bayesieve._saved import read_model, read_selection
from bayesieve._selector import Selector

#: The model where nobody names one, as in the command.
MODEL = "tan"


@dataclass(frozen=True)
class Source:
    """What was counted or can be, the features of it, and what it is called."""

    tables: _engine.Counts | _engine.Elsewhere
    features: list[str]
    data: str


@dataclass
class Running:
    """How a function's run goes."""

    n_jobs: int | None
    verbose: int = 0
    callback: _run.Callback | None = None


@dataclass(frozen=True)
class Choice:
    """What to select by, as `select` takes it."""

    method: str
    model: str | None
    search: str | None
    count: int | None
    settings: Mapping[str, Any] | None
    keep: Sequence[str | int] | None
    budget: float | None
    random_state: Any

    def request(self, source: Source) -> str:
        """The same as the engine reads it."""
        check_method(self.method)
        return _estimators.request(
            {
                "method": self.method,
                "model": self.model,
                "search": self.search,
                "count": _run.whole("count", self.count, "number of features"),
                "settings": _data.settings_of(self.settings),
                "keep": _data.resolved(self.keep, source.features, "keep"),
                "seed": _run.seed(self.random_state),
                "budget": _run.seconds(self.budget),
                "origin": {"data": source.data, "call": f"select(method={self.method!r})"},
            }
        )


def check_method(method: str) -> None:
    """Refuses a method that no selector stands for, before anything is counted."""
    _run.word("method", method)
    named = (getattr(selectors, name)._method_names() for name in selectors.__all__)
    names = [one for names in named for one in names]
    if method not in names:
        raise SettingError(f"there is no method {method!r}. There are: {', '.join(sorted(names))}.")


def select(source: Source, choice: Choice, running: Running) -> Selector:
    """The fitted selector of what is counted."""
    run = _run.runner(running)
    selection = _engine.select_counted(source.tables, choice.request(source), run)
    found = read_selection(selection.document)
    found._take(selection, found._fitted_with)
    for note in found.notes_:
        warnings.warn(note, DataWarning, stacklevel=3)
    return found


def training(
    model: str | None,
    selection: Selector | _files.Source | None,
    settings: Mapping[str, Any] | None,
    features: list[str] | None = None,
) -> str:
    """What to train, as the engine reads it."""
    if model is None and selection is not None:
        model = selected(selection).document_.get("model")
    return _estimators.request(
        {
            "model": _run.word("model", model or MODEL),
            "settings": _data.settings_of(settings),
            "features": features,
        }
    )


def chosen(
    features: _data.Columns | None,
    selection: Selector | _files.Source | None,
    names: list[str],
) -> list[str] | None:
    """The features to train on, in the order of the columns; None for all."""
    if selection is not None:
        if features is not None:
            raise SettingError("features and selection both say what to train on. Give one.")
        kept = selected(selection).kept_
        if not kept:
            raise DataError("the selection keeps no feature: there is nothing to train on.")
        features = kept
    if features is None:
        return None
    wanted = set(_data.resolved(features, names, "features"))
    return [name for name in names if name in wanted]


def selected(selection: Selector | _files.Source) -> Selector:
    """A fitted selector, or that of a file."""
    if isinstance(selection, Selector):
        return selection
    if isinstance(selection, (str, os.PathLike)):
        return read_selection(selection)
    raise SettingError(
        f"selection={selection!r:.60} is no selection. Give what select came to, or its file."
    )


def train(source: Source, request: str, running: Running) -> Classifier:
    """The fitted classifier of what is counted."""
    model, notes = _engine.train_counted(source.tables, request, _run.runner(running))
    found = read_model(model.document())
    found.notes_ = notes
    for note in notes:
        warnings.warn(note, DataWarning, stacklevel=3)
    return found


def describe(source: Source, levels: str | int, call: str, n_jobs: int | None) -> tuple[str, str]:
    """A description of what is counted, as a document and as a page."""
    told = {"levels": str(levels), "origin": {"data": source.data, "call": call}}
    run = _run.runner(Running(n_jobs))
    return _engine.describe_counted(source.tables, _estimators.request(told), run)
