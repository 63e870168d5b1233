"""What estimators share: parameters, as they are checked, said and saved, and a clean start."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from bayesieve import _requests
from bayesieve._engine import DataError, SettingError

#: Parameters that say how a run goes: no answer depends on them.
RUNNING = ("n_jobs", "verbose", "callback")

#: Parameters that estimators have whatever the method or the model is.
SHARED = (
    *("keep", "nominal", "numeric", "missing", "discretize", "budget", "permutations"),
    "random_state",
    *RUNNING,
)

#: Parameters that say what predictions are judged by: the engine takes them apart.
MEASURING = ("scoring", "positive", "costs", "size", "tolerance")

#: What fits leave beside what people see, which ends in an underscore.
HIDDEN = ("_selection", "_document", "_model", "_order", "_fitted_with", "_is_read")

#: Parameters that name columns.
COLUMNS = ("keep", "nominal", "numeric")

#: What an estimator was made with: its parameters by their names.
Parameters = dict[str, Any]


class Learner:
    """What selectors and classifiers have in common."""

    #: Own parameters that are no settings of the engine: it takes them apart.
    _apart: ClassVar[tuple[str, ...]] = ()

    #: Whether it is made for labels, be they bins; others are made for numbers and take labels too.
    _is_for_labels: ClassVar[bool] = True

    @classmethod
    def _setting_names(cls) -> list[str]:
        """Parameters that are settings of the method or the model."""
        own = [one.name for one in fields(cls)]  # type: ignore[arg-type]
        # A method that judges no predictions may have a setting of such a name.
        measuring = MEASURING if "scoring" in own else ()
        return [name for name in own if name not in (*SHARED, *measuring, *cls._apart)]

    def _own_settings(self, left_out: Collection[str] = ()) -> dict[str, Any]:
        """Their values."""
        names = [name for name in self._setting_names() if name not in left_out]
        return {name: _requests.setting(name, getattr(self, name)) for name in names}

    def _coding(self) -> dict[str, Any]:
        """How cells become codes."""
        return {name: getattr(self, name) for name in ("missing", "discretize")}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = self._is_for_labels
        return tags


def forget(estimator: Any) -> None:
    """Drops what an earlier fit left, so that one that fails leaves no mix of two."""
    for name in list(vars(estimator)):
        is_public = name.endswith("_") and not name.startswith("_")
        if is_public or name in HIDDEN:
            delattr(estimator, name)


def given(estimator: Any) -> Parameters:
    """The parameters of an estimator as they are now; they may change after a fit."""
    return {
        one.name: getattr(estimator, one.name)
        for one in fields(estimator)
        if one.name not in RUNNING
    }


def check(estimator: Any) -> None:
    """Refuses parameters of a wrong type by name, before the engine sees them as texts."""
    for one in fields(estimator):
        value = getattr(estimator, one.name)
        if one.type in (str, "str", "str | None"):
            is_none = value is None and one.type == "str | None"
            if not is_none and not isinstance(value, str):
                hint = f' such as "{one.default}"' if isinstance(one.default, str) else ", or None"
                raise SettingError(f"{one.name}={value!r} is no text. Give one{hint}.")
        if one.name in COLUMNS and not (
            value is None or isinstance(value, (str, Integral, Iterable))
        ):
            raise SettingError(
                f"{one.name}={value!r} are no columns. Give a list of names or places."
            )


def more_settings(estimator: Any) -> dict[str, Any]:
    """The parameter `settings`: those of a search or of a classifier, by name."""
    settings = getattr(estimator, "settings", None)
    if settings is None:
        return {}
    if not isinstance(settings, Mapping):
        raise SettingError(
            f'settings={settings!r} is no mapping. Give a dict such as {{"population": 100}}.'
        )
    own = {one.name for one in fields(estimator)}
    for name, value in settings.items():
        if not isinstance(name, str):
            raise SettingError(f"settings: {name!r} is no name of a setting. Give texts.")
        if name in own:
            raise SettingError(
                f"settings: {name} is a parameter of {type(estimator).__name__}. "
                f"Give {name}={value!r} beside settings."
            )
    return _requests.settings(settings)


def call(cls: type, parameters: Parameters) -> str:
    """How an estimator was made. Folds are not spelled out: that would take longer than a run."""
    defaults = {one.name: one.default for one in fields(cls)}
    parts = [
        f"{name}={_brief(value)}"
        for name, value in parameters.items()
        if _brief(value) != _brief(defaults[name])
    ]
    return f"{cls.__name__}({', '.join(parts)})"


def _brief(value: Any) -> str:
    if isinstance(value, (list, tuple)) and len(value) <= 20:
        if all(isinstance(one, (str, int, float)) for one in value):
            return repr(value)
    elif value is None or isinstance(value, (str, int, float, Mapping)):
        return repr(value)
    return f"<{type(value).__name__}>"


def with_entry(document: str, cls: type, parameters: Parameters) -> str:
    """A document with an entry `python`: parameters that the command knows nothing of."""
    known = {}
    for name, value in parameters.items():
        try:
            known[name] = _plain(value)
        except (TypeError, ValueError, RecursionError):
            # Splitters and generators are nothing that a file can hold.
            continue
    entry = json.dumps({"class": cls.__name__, "parameters": known}, ensure_ascii=False)
    # The rest stays to the letter; a model can be too large to be read and written for this.
    before, brace, after = document.rpartition("}")
    return f'{before.rstrip()},\n  "python": {entry}\n{brace}{after}'


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    if isinstance(value, str):
        value.encode()
        return value
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"JSON has no {value}")
        return value
    if hasattr(value, "tolist"):
        # Of numpy, or an index of pandas.
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
        return {name: _plain(one) for name, one in value.items()}
    raise TypeError(f"JSON has no {type(value).__name__}")


def saved(document: Mapping[str, Any], cls: type) -> Parameters:
    """The parameters that a document of this package tells of."""
    told = document.get("python")
    if told is None:
        return {}
    if not isinstance(told, Mapping) or not isinstance(told.get("parameters"), Mapping):
        raise DataError('the file is damaged: its entry "python" holds no parameters.')
    if told.get("class") != cls.__name__:
        return {}
    names = {one.name for one in fields(cls)} - {*RUNNING}
    return {name: value for name, value in told["parameters"].items() if name in names}


def settle(estimator: Any, names: list[str]) -> None:
    """Tells an estimator from a file which columns it takes."""
    estimator._is_read = True
    estimator.n_features_in_ = len(names)
    if names != [f"x{place}" for place in range(len(names))]:
        estimator.feature_names_in_ = np.array(names, dtype=object)
