"""Selections, models and descriptions from counts: requests and results."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from bayesieve import _data, _engine, _estimators, _files, _run, selectors
from bayesieve._classifier import Classifier
from bayesieve._engine import DataError, SettingError
from bayesieve._notes import DataWarning
from bayesieve._saved import read_model, read_selection
from bayesieve._selector import Selector

#: The model where nobody names one, as in the command.
MODEL = "tan"


@dataclass
class Running:
    """How a function's run goes."""

    n_jobs: int | None
    verbose: int
    callback: _run.Callback | None


def runner(n_jobs: int | None, verbose: int, callback: _run.Callback | None) -> _run.Runner:
    """How the engine shall run for a function."""
    return _run.runner(Running(n_jobs, verbose, callback))


def kept(keep: Sequence[str | int] | None, features: list[str]) -> list[str]:
    """Features that must stay in, by name."""
    return _data.resolved(keep, features, "keep")


def how(
    method: str,
    *,
    model: str | None,
    search: str | None,
    count: int | None,
    settings: Mapping[str, Any] | None,
    keep: list[str],
    budget: float | None,
    random_state: Any,
    data: str,
) -> str:
    """What to select by, as the engine reads it."""
    is_number = isinstance(count, Integral) and not isinstance(count, bool) and count > 0
    if count is not None and not is_number:
        raise SettingError(f"count={count!r} is no number of features. Give one from 1 on.")
    check_method(method)
    return _estimators.request(
        {
            "method": method,
            "model": model,
            "search": search,
            "count": count,
            "settings": _data.settings_of(settings),
            "keep": keep,
            "seed": _run.seed(random_state),
            "budget": _run.seconds(budget),
            "origin": {"data": data, "call": f"select(method={method!r})"},
        }
    )


def check_method(method: str) -> None:
    """Refuses a method that no selector stands for, before anything is counted."""
    _run.word("method", method)
    named = (getattr(selectors, name)._method_names() for name in selectors.__all__)
    names = [one for names in named for one in names]
    if method not in names:
        raise SettingError(f"there is no method {method!r}. There are: {', '.join(sorted(names))}.")


def selector(selection: _engine.Selection) -> Selector:
    """The fitted selector of a selection."""
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
    return selection if isinstance(selection, Selector) else read_selection(selection)


def classifier(trained: tuple[_engine.Model, list[str]]) -> Classifier:
    """The fitted classifier of a model."""
    model, notes = trained
    found = read_model(model.document())
    found.notes_ = notes
    for note in notes:
        warnings.warn(note, DataWarning, stacklevel=3)
    return found


def describing(levels: str | int, data: str, call: str) -> str:
    """What to look at, as the engine reads it."""
    return _estimators.request({"levels": str(levels), "origin": {"data": data, "call": call}})
