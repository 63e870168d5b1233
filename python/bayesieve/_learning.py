"""Codings of rows in partitions, learned in one pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from bayesieve import _data, _engine, _estimators, _run
from bayesieve._engine import SettingError
from bayesieve._partitions import Rows, check_columns, checked_names, coding_text, origin
from bayesieve._tasks import LearnTask
from bayesieve.coding import Coding

#: The class where nobody says which column it is.
CLASS = "y"


@dataclass
class Kinds:
    """What is said of columns."""

    nominal: _data.Columns | None
    numeric: _data.Columns | None
    n_jobs: int | None = None
    verbose: int = 0
    callback: _run.Callback | None = None


def learned(
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
    kinds = dict(zip(names, _data.kinds(names, Kinds(nominal, numeric)), strict=True))
    request = {
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
    start = _engine.start_profile(_estimators.request(request))
    columns = [*used, class_name]
    declared = {name: kind for name, kind in kinds.items() if kind is not None}
    profile = profiled(rows, start, columns, declared)
    again, fresh = _engine.profile_again(profile)
    if again:
        # Numbers in some partitions and text in others: all of them are labels.
        profile = profiled(rows, fresh, columns, {**declared, **dict.fromkeys(again, "nominal")})
    return Coding(_engine.finish_profile(profile)).learned_on(origin(rows))


def profiled(rows: Rows, start: bytes, columns: list[str], kinds: Mapping[str, str]) -> bytes:
    """The profile of all partitions."""
    task = LearnTask(start, columns, kinds)
    return task.merge(list(rows.run(task)))


def fitted(
    rows: Rows, class_col: str | None, coding: Coding | None, to_code: Mapping[str, Any]
) -> Coding:
    """The coding that was given, or that of the rows."""
    if coding is None:
        return learned(rows, CLASS if class_col is None else class_col, **to_code)
    if to_code:
        raise SettingError(f"{next(iter(to_code))} is settled by the coding. Leave it out.")
    coding_text(coding)
    if class_col not in (None, coding.class_name):
        raise SettingError(
            f'class_col="{class_col}", but the class of the coding is "{coding.class_name}".'
        )
    check_columns(rows, coding)
    return coding


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


def limit(parameter: str, value: Any, *, least: int) -> int | None:
    """A number that bounds something."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise SettingError(f"{parameter}={value!r} is no limit. Give a number from {least} on.")
    return int(value)
