"""Counts of rows, kept: what methods need to know of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from bayesieve import _counted, _data, _engine, _files, _run
from bayesieve._classifier import Classifier
from bayesieve._selector import Selector
from bayesieve.coding import Coding
from bayesieve.description import as_frame

__all__ = ["Counts", "read_counts"]


class Counts:
    """How many rows have each value and each pair of values, by class.

    What `bayesieve.spark.count` comes back with, and what files of `bayesieve count` hold. Counts
    of other rows by the same coding can be added: in any order, by any steps, the same.
    """

    def __init__(self, counts: _engine.Counts) -> None:
        self._counts = counts

    @classmethod
    def load(cls, path: _files.Source) -> Counts:
        """Counts from a file that `save`, `bayesieve count` or `bayesieve merge` wrote."""
        return cls(_engine.Counts.read(os.fspath(path)))

    def save(self, path: _files.Source) -> None:
        """Writes a file for `bayesieve select --counts` and `bayesieve merge`."""
        self._counts.write(os.fspath(path))

    @classmethod
    def from_bytes(cls, data: bytes) -> Counts:
        """Counts from the bytes of a file."""
        return cls(_engine.Counts.from_bytes(data))

    def to_bytes(self) -> bytes:
        """The bytes of a file, the same for the same counts."""
        return self._counts.to_bytes()

    @property
    def n_rows(self) -> int:
        """Number of rows: those with a class, and that were not dropped."""
        return self._counts.n_rows

    @property
    def shards(self) -> dict[str, int]:
        """The parts that were counted, with their rows; none is ever added twice."""
        return dict(self._counts.shards)

    @property
    def coding(self) -> Coding:
        """How the rows were coded."""
        return Coding(self._counts.coding())

    def merge(self, other: Counts) -> Counts:
        """The counts of both; other codings, and parts that are in both, are refused."""
        return Counts(self._counts.merged(other._counts))

    def select(
        self,
        method: str = "mdl-fs",
        *,
        model: str | None = None,
        search: str | None = None,
        count: int | None = None,
        settings: Mapping[str, Any] | None = None,
        keep: Sequence[str | int] | None = None,
        budget: float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        callback: _run.Callback | None = None,
    ) -> Selector:
        """Chooses features, by methods that need tables of single features and pairs alone.

        Parameters
        ----------
        method : str
            As in the command: "mdl-fs", "mrmr", "jmi", "cmim", "cfs", "fcbf" and others.
        model, search, count, settings, keep
            As in the command, where the method takes them.
        budget, random_state, n_jobs, verbose, callback
            As in all selectors.

        Returns
        -------
        A fitted selector of the method's class.
        """
        choice = _counted.Choice(method, model, search, count, settings, keep, budget, random_state)
        return _counted.select(self._source(), choice, _counted.Running(n_jobs, verbose, callback))

    def train(
        self,
        model: str | None = None,
        *,
        features: _data.Columns | None = None,
        selection: Selector | _files.Source | None = None,
        settings: Mapping[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        callback: _run.Callback | None = None,
    ) -> Classifier:
        """Trains a classifier: naive Bayes and TAN need no more than counts.

        Parameters
        ----------
        model : {"nb", "tan"}, optional
            That of the selection unless said otherwise, else "tan".
        features : list of str, optional
            Features to train on; all unless a selection says otherwise.
        selection : fitted selector, or a selection file, optional
            Trains on what it keeps.
        settings : dict, optional
            Settings of the model, such as {"alpha": 0.5}.
        n_jobs, verbose, callback
            As in all classifiers.

        Returns
        -------
        A fitted `NaiveBayes` or `TAN`.
        """
        source = self._source()
        chosen = _counted.chosen(features, selection, source.features)
        request = _counted.training(model, selection, settings, chosen)
        return _counted.train(source, request, _counted.Running(n_jobs, verbose, callback))

    def describe(
        self,
        *,
        levels: str | int = "auto",
        n_jobs: int | None = None,
        report: _files.Source | None = None,
    ) -> Any:
        """Says what every feature holds and tells about the class.

        Parameters
        ----------
        levels : {"auto", 0, 1}
            How deep to look for redundancy; "auto" is 1 up to 1,000 features.
        n_jobs : int, optional
            Threads; None or -1 for all cores.
        report : path, optional
            Also write a page for people.

        Returns
        -------
        frame
            As that of `bayesieve.describe`.
        """
        if report is not None:
            _files.check_page(report)
        looked = _counted.describe(self._source(), levels, "counts.describe()", n_jobs)
        return as_frame(looked, report)

    def _source(self) -> _counted.Source:
        return _counted.Source(self._counts, self.coding.features, f"{self.n_rows:,} rows, counted")

    def __add__(self, other: Counts) -> Counts:
        return self.merge(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._counts,)

    def __repr__(self) -> str:
        n_features = len(self.coding.features)
        return f"Counts({self.n_rows:,} rows, {n_features} features, {len(self.shards)} shards)"


def read_counts(path: _files.Source) -> Counts:
    """Counts from a file that `bayesieve count` or `bayesieve merge` wrote.

    Parameters
    ----------
    path : path
        The file.
    """
    return Counts.load(path)
