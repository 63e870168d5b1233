"""Selections, models and descriptions from counts: requests and results."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bayesieve import _data, _engine, _files, _requests, _run, selectors
from bayesieve._classifier import Classifier
from bayesieve._engine import DataError, SettingError
from bayesieve._notes import warn_of
from bayesieve._saved import fitted, read_selection, selector_class
from bayesieve._selector import Selector


@dataclass(frozen=True)
class Source:
    """What was counted or can be, the features of it, and what it is called."""

    tables: _engine.Counts | _engine.Partitions
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

    def asked(self, source: Source) -> str:
        """The same as the engine reads it."""
        request = {
            "method": self.method,
            "model": self.model,
            "search": self.search,
            "count": _run.whole("count", self.count, "number of features"),
            "settings": _requests.settings(self.settings),
            "keep": _data.resolved(self.keep, source.features, "keep"),
            "seed": _run.seed(self.random_state),
            "budget": _run.seconds(self.budget),
        }
        call = f"select(method={self.method!r})"
        return _requests.asked(request, origin=(source.data, call))


def check_method(method: str) -> None:
    """Refuses a method that no selector stands for, before anything is counted."""
    _run.word("method", method)
    named = (getattr(selectors, name)._method_names() for name in selectors.__all__)
    names = [one for names in named for one in names]
    if method not in names:
        raise SettingError(f"there is no method {method!r}. There are: {', '.join(sorted(names))}.")


def select(source: Source, choice: Choice, running: Running) -> Selector:
    """The fitted selector of what is counted."""
    check_method(choice.method)
    selection = _engine.select(source.tables, choice.asked(source), _run.runner(running))
    found = selector_class(choice.method)._of(json.loads(selection.document), selection)
    warn_of(found.notes_, 3)
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
    request = {
        "model": None if model is None else _run.word("model", model),
        "settings": _requests.settings(settings),
    }
    return _requests.asked(request, data={"features": features})


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


def train(source: Source, asked: str, running: Running) -> Classifier:
    """The fitted classifier of what is counted."""
    model, notes = _engine.train(source.tables, asked, _run.runner(running))
    found = fitted(model, json.loads(model.document()))
    found.notes_ = notes
    warn_of(notes, 3)
    return found


def describe(source: Source, levels: str | int, call: str, n_jobs: int | None) -> tuple[str, str]:
    """A description of what is counted, as a document and as a page."""
    asked = _requests.asked({"levels": str(levels)}, origin=(source.data, call))
    return _engine.describe(source.tables, asked, _run.runner(Running(n_jobs)))
