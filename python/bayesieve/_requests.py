"""What the engine is asked for, as it reads it: JSON with numbers, truth values and texts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from bayesieve._engine import SettingError


def asked(
    request: Mapping[str, Any],
    *,
    data: Mapping[str, Any] | None = None,
    origin: tuple[str, str] = ("", ""),
) -> str:
    """One text: what to do, how cells become codes, and what a page says of data and call."""
    about = dict(zip(("data", "call"), origin, strict=True))
    return written("request", {"request": request, "data": data or {}, "origin": about})


def written(name: str, value: Any) -> str:
    """A value as JSON; what that cannot hold is refused by name."""
    if isinstance(value, Mapping):
        entries = (f"{written(name, key)}:{written(key, one)}" for key, one in value.items())
        return f"{{{','.join(entries)}}}"
    try:
        text = json.dumps(value, ensure_ascii=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise SettingError(f"{name}={value!r} cannot be written as JSON: {error}.") from error
    return text


def setting(name: str, value: Any) -> Any:
    """A setting as JSON has it: lists, and numbers that it does not have, are texts."""
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (list, tuple)):
        try:
            return json.dumps(value)
        except (TypeError, ValueError, RecursionError) as error:
            raise SettingError(f"{name}={value!r} cannot be written as JSON: {error}.") from error
    is_known = value is None or isinstance(value, (str, int))
    if is_known or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)


def settings(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The settings that a function was given."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SettingError(f'settings={given!r} are no dict. Give {{"name": value}}.')
    return {str(name): setting(str(name), value) for name, value in given.items()}


def parameter(value: Any, default: Any) -> Any:
    """A setting of a document as a parameter of the type of its default."""
    if not isinstance(value, str):
        return value
    if isinstance(default, bool):
        return value == "on"
    if isinstance(default, (int, float)):
        number = float(value)
        return int(number) if number.is_integer() else number
    return json.loads(value) if value.startswith("[") else value
