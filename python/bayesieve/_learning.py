"""Codings of rows in partitions, learned in one pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from bayesieve import _data, _engine, _requests, _run
from bayesieve._data import resolved
from bayesieve._engine import SettingError
from bayesieve._partitions import Rows, check_columns, checked_names, coding_text, origin
from bayesieve._tasks import LearnTask
from bayesieve.coding import Coding

#: The class where nobody says which column it is.
CLASS = "y"


@dataclass(frozen=True)
class Wanted:
    """What is said of columns, as `fit_coding` takes it."""

    features: _data.Columns | None = None
    ignore: _data.Columns | None = None
    nominal: _data.Columns | None = None
    numeric: _data.Columns | None = None
    missing: str = "value"
    discretize: str = "mdlp"
    max_labels: int | None = None
    max_numbers: int | None = None

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Wanted:
        """What another function hands on."""
        names = [one.name for one in fields(cls)]
        for name in given:
            if name not in names:
                raise SettingError(
                    f"there is no parameter {name!r}. Those of the coding are: {', '.join(names)}."
                )
        return cls(**given)

    def used(self, names: list[str], class_name: str) -> list[str]:
        """The features, in the order of the columns."""
        wanted = set(names if self.features is None else resolved(self.features, names, "features"))
        wanted -= {class_name, *resolved(self.ignore, names, "ignore")}
        return [name for name in names if name in wanted]

    def request(self, names: list[str], class_name: str) -> str:
        """What to learn, as the engine reads it."""
        used = self.used(names, class_name)
        others = set(names).difference(used, [class_name])
        data = {
            "class": class_name,
            "features": used,
            "ignore": [one for one in names if one in others],
            "missing": _run.word("missing", self.missing),
            "discretize": _run.word("discretize", self.discretize),
        }
        limits = {
            "max_labels": _run.whole("max_labels", self.max_labels, "limit"),
            "max_numbers": _run.whole("max_numbers", self.max_numbers, "limit", least=2),
        }
        return _requests.written("request", {"data": data, **limits})


def learned(rows: Rows, class_col: str, wanted: Wanted) -> Coding:
    """The coding of rows, without a word about them."""
    names = checked_names(rows)
    class_name = _data.known(class_col, names, "class_col")
    start = _engine.start_profile(wanted.request(names, class_name))
    columns = [*wanted.used(names, class_name), class_name]
    declared = zip(names, _data.kinds(names, wanted), strict=True)
    kinds = {name: kind for name, kind in declared if kind is not None}
    profile = profiled(rows, start, columns, kinds)
    # Numbers in some parts and text in others: all of them are labels. Where parts are other ones
    # every time, so may such columns be, but no column is unclear twice.
    for _ in columns:
        again, start = _engine.profile_again(profile)
        if not again:
            break
        kinds |= dict.fromkeys(again, "nominal")
        profile = profiled(rows, start, columns, kinds)
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
        return learned(rows, CLASS if class_col is None else class_col, Wanted.of(to_code))
    if to_code:
        raise SettingError(f"{next(iter(to_code))} is settled by the coding. Leave it out.")
    coding_text(coding)
    if class_col not in (None, coding.class_name):
        raise SettingError(
            f'class_col="{class_col}", but the class of the coding is "{coding.class_name}".'
        )
    check_columns(rows, coding)
    return coding
