"""Selection files, checked before anything is taken from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bayesieve._engine import DataError

SCHEMA = "bayesieve.selection.v1"

_TEXT = (str,)
_TEXT_OR_NONE = (str, type(None))
_NUMBER_OR_NONE = (int, float, type(None))
_Types = tuple[type, ...]

#: What a document must have, with its types.
ENTRIES: Mapping[str, _Types] = {
    "data": (dict,),
    "method": _TEXT,
    "settings": (dict,),
    "coding": (dict,),
    "seed": (int,),
    "kept": (list,),
    "score": (dict,),
    "steps": (list,),
    "stop": (dict,),
    "kept_features": (list,),
    "dropped": (list,),
    "warnings": (list,),
}

#: What it may have.
MORE: Mapping[str, _Types] = {
    "model": _TEXT_OR_NONE,
    "search": _TEXT_OR_NONE,
    "boundary": (dict,),
    "auto": (dict,),
}

#: What some of its entries must have in turn, each of them where they are lists.
PARTS: Mapping[str, Mapping[str, _Types]] = {
    "data": {"features": (int,), "class": _TEXT, "columns": (list,)},
    "score": {"value": _NUMBER_OR_NONE},
    "stop": {"reason": _TEXT},
    "steps": {"action": _TEXT},
    "kept_features": {"feature": _TEXT},
    "dropped": {"feature": _TEXT, "reason": _TEXT, "text": _TEXT},
    "auto": {"candidates": (list,), "chosen": _TEXT, "corrected": (dict, type(None))},
}

#: Numbers of features, where they are known.
BITS = ("information_bits", "information_given_rest_bits")


def selection_document(text: str) -> dict[str, Any]:
    """A selection file as a document: everything is there and of its type."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"this is no selection file: {error}.") from error
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != SCHEMA:
        raise DataError(f"this is no selection file, its schema is {schema!r}.")
    data = document.get("data")
    if isinstance(data, dict) and "columns" not in data:
        raise DataError(
            "the selection file does not list its columns: it is of an older version. Select again."
        )
    _check_entries(document)
    _check_names(document)
    selection: dict[str, Any] = document
    return selection


def _check_entries(document: Mapping[str, Any]) -> None:
    _check(document, ENTRIES, "")
    _check(document, {name: types for name, types in MORE.items() if name in document}, "")
    for name, types in PARTS.items():
        part = document.get(name, [])
        for one in part if isinstance(part, list) else [part]:
            _check(one, types, name)
    for name in ("kept", "warnings"):
        _check_all(document[name], _TEXT, name)
    _check_all(document["data"]["columns"], _TEXT, "data.columns")
    _check_all(document["coding"].values(), _TEXT, "coding")
    _check_all(document.get("boundary", {}).values(), (list,), "boundary")
    for one in [*document["kept_features"], *document["dropped"]]:
        _check_all([one.get(name) for name in BITS], _NUMBER_OR_NONE, one["feature"])
    if document["method"] == "auto":
        _check(document, {"auto": (dict,)}, "")
        _check_all(document["auto"]["candidates"], (dict,), "auto.candidates")
        if document["auto"]["corrected"] is not None:
            _check(document["auto"]["corrected"], {"accuracy": (int, float)}, "auto.corrected")


def _check(part: Any, types: Mapping[str, _Types], where: str) -> None:
    """Refuses a part that lacks an entry, or has one of a wrong type."""
    if not isinstance(part, dict):
        raise _damaged(f'"{where}" holds {part!r:.40}')
    for name, wanted in types.items():
        whole = f"{where}.{name}" if where else name
        if name not in part:
            raise _damaged(f'there is no "{whole}"')
        _check_all([part[name]], wanted, whole)


def _check_all(values: Any, wanted: _Types, where: str) -> None:
    for value in values:
        # A truth value is a whole number to Python only.
        if not isinstance(value, wanted) or isinstance(value, bool):
            raise _damaged(f'"{where}" holds {value!r:.40}')


def _check_names(document: Mapping[str, Any]) -> None:
    """Every column is kept or dropped, and all that is kept is a column."""
    columns = set(document["data"]["columns"])
    if len(columns) < len(document["data"]["columns"]):
        raise _damaged("two columns have one name")
    kept, dropped = set(document["kept"]), {one["feature"] for one in document["dropped"]}
    if len(kept) < len(document["kept"]):
        raise _damaged("a feature is kept twice")
    for name in document["kept"]:
        if name not in columns:
            raise _damaged(f'"{name}" is kept and no column')
    if kept != {one["feature"] for one in document["kept_features"]}:
        raise _damaged('"kept" and "kept_features" are not the same')
    for name in document["data"]["columns"]:
        if name not in kept and name not in dropped:
            raise _damaged(f'column "{name}" is neither kept nor dropped')


def _damaged(what: str) -> DataError:
    return DataError(f"the selection file is damaged: {what}. Select again.")
