"""Files of the command as estimators, whatever they hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bayesieve import _engine, _files, classifiers, selectors
from bayesieve._classifier import Classifier
from bayesieve._documents import selection_document
from bayesieve._engine import DataError
from bayesieve._selector import Selector


def read_selection(source: _files.Source) -> Selector:
    """A fitted selector from a selection file, of whatever method.

    Parameters
    ----------
    source : path, or the document as a text
        What `bayesieve select -o` or `to_json` wrote.
    """
    text = _files.read(source)
    return selector_class(selection_document(text)["method"]).from_json(text)


def selector_class(method: str) -> type[Selector]:
    """The selector of a method."""
    for name in selectors.__all__:
        cls: type[Selector] = getattr(selectors, name)
        if method in cls._method_names():
            return cls
    raise DataError(f"there is no selector for the method {method!r}.")


def read_model(source: _files.Source) -> Classifier:
    """A fitted classifier from a model file, of whatever kind.

    Parameters
    ----------
    source : path, or the document as a text
        What `bayesieve train -o` or `to_json` wrote.
    """
    text = _files.read(source)
    return fitted(_engine.Model.from_document(text), json.loads(text))


def fitted(model: _engine.Model, document: Mapping[str, Any]) -> Classifier:
    """The fitted classifier of a model, with the parameters that its document tells of."""
    for name in classifiers.__all__:
        cls = getattr(classifiers, name)
        if model.kind in getattr(cls, "_kinds", ()):
            return cls._of(model, document)  # type: ignore[no-any-return]
    raise DataError(f"there is no classifier for the model {model.kind!r}.")
