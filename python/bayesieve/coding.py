"""How cells become codes, settled before anything is counted."""

from __future__ import annotations

import json
import weakref
from collections.abc import Callable, Collection
from typing import Any

from bayesieve import _engine, _files
from bayesieve._engine import SettingError

__all__ = ["Coding"]


class Coding:
    """The columns of some data, their labels, and where their numbers are cut.

    Rows that are counted apart, on other days or other machines, can only be added up if all were
    coded alike. A coding is learned once (`bayesieve.spark.fit_coding`), kept, and applied to
    every part. Its file is that of `bayesieve count --domains`.
    """

    def __init__(self, document: str) -> None:
        self._text, self._fingerprint = _engine.read_coding(document)
        self._document: dict[str, Any] = json.loads(self._text)
        self._learned_on: Callable[[], Any] | None = None

    @classmethod
    def from_json(cls, source: _files.Source) -> Coding:
        """A coding from a file, or from its text."""
        return cls(_files.read(source))

    @classmethod
    def load(cls, path: _files.Source) -> Coding:
        """A coding from a file that `save` or `bayesieve count --domains-only` wrote."""
        return cls(_files.read(path))

    def to_json(self, path: _files.Source | None = None) -> str | None:
        """The coding as a text, or into a file."""
        return _files.handed_over(self._text, path)

    def save(self, path: _files.Source) -> None:
        """Writes the file that `bayesieve count --domains` reads."""
        _files.write(path, self._text)

    @property
    def document(self) -> dict[str, Any]:
        """Everything that is known of the columns, as the file has it."""
        return self._document

    @property
    def fingerprint(self) -> str:
        """A number that is the same for codings that give the same codes."""
        return self._fingerprint

    @property
    def class_name(self) -> str:
        """The column of the class."""
        name: str = self._document["class"]["name"]
        return name

    @property
    def classes(self) -> list[str]:
        """The labels of the class."""
        labels: list[str] = self._document["class"]["labels"]
        return labels

    @property
    def features(self) -> list[str]:
        """The features, in the order of the columns."""
        return [one["name"] for one in self._document["features"]]

    @property
    def n_rows(self) -> int:
        """Rows that it was learned on: those with a class, and that were not dropped."""
        n_rows: int = self._document["rows"]
        return n_rows

    @property
    def notes(self) -> list[str]:
        """What is worth a look about the data."""
        notes: list[str] = self._document["notes"]
        return notes

    def labels(self, column: str) -> list[str] | None:
        """The labels of a column; None where it has numbers."""
        return self._column(column).get("labels")

    def cut_points(self, column: str) -> list[float] | None:
        """Where the numbers of a column are cut; None where it has labels."""
        return self._column(column).get("cut_points")

    def _column(self, name: str) -> dict[str, Any]:
        for one in [*self._document["features"], self._document["class"]]:
            if one["name"] == name:
                return dict(one)
        raise SettingError(f'there is no column "{name}" in the coding.')

    def chosen(self, features: Collection[str]) -> Coding:
        """The coding of some features alone."""
        others = {one["name"] for one in self._document["features"]} - set(features)
        document = {
            **self._document,
            "features": [one for one in self._document["features"] if one["name"] not in others],
            "notes": [
                note for note in self.notes if not any(f'"{name}"' in note for name in others)
            ],
        }
        return Coding(json.dumps(document))

    def learned_on(self, rows: Any) -> Coding:
        """The same coding, which knows what it was learned on as long as that is there."""
        try:
            self._learned_on = weakref.ref(rows)
        except TypeError:
            # An object with slots: it stays as long as the coding does.
            self._learned_on = lambda: rows
        return self

    def expected_rows(self, rows: Any) -> int | None:
        """How many rows these must have: the same as before, if it was learned on them."""
        is_same = self._learned_on is not None and self._learned_on() is rows
        return self.n_rows if is_same else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Coding) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._text,)

    def __repr__(self) -> str:
        n_features = len(self._document["features"])
        return (
            f"Coding({n_features} features, class {self.class_name!r} of "
            f"{len(self.classes)}, learned on {self.n_rows:,} rows)"
        )
