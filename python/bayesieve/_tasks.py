"""What is done with one partition of the rows, where it is.

This runs on workers, which have Python, pyarrow and this package, and need nothing else: no
numpy, no pandas, no scikit-learn. Whoever has partitions, be it Spark, Dask or Ray, hands over
the batches of each and gets bytes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from bayesieve import _engine

#: Rows that are taken at a time: smaller batches are put together.
AT_A_TIME = 65_536


class Task(Protocol):
    """A task for one partition; it can be pickled."""

    @property
    def columns(self) -> list[str]:
        """The columns that it needs."""
        ...

    def __call__(self, batches: Iterable[Any], part: str) -> bytes:
        """What the rows tell; the part is what tells this partition from all others."""
        ...

    def merge(self, parts: Sequence[bytes]) -> bytes:
        """What several partitions tell together."""
        ...


class Taking(Protocol):
    """What takes batches."""

    def observe(self, batches: list[Any]) -> None:
        """Takes some rows."""
        ...


class LearnTask:
    """Learns what the columns are: labels, numbers, where the class changes."""

    def __init__(self, start: bytes, columns: list[str], kinds: Mapping[str, str]) -> None:
        self._start = start
        self.columns = columns
        self._kinds = dict(kinds)

    def __call__(self, batches: Iterable[Any], part: str) -> bytes:
        """The profile of a partition."""
        profile = _engine.PartProfile(self._start, self.columns, self._kinds, part)
        feed(profile, batches)
        return profile.to_bytes()

    def merge(self, parts: Sequence[bytes]) -> bytes:
        """The profile of several partitions."""
        return _engine.merge_profiles([self._start, *parts])


class CountTask:
    """Counts the rows of a partition by a coding."""

    def __init__(self, coding: str, wanted: str) -> None:
        self._coding = coding
        self._wanted = wanted
        self.columns = _engine.wanted_columns(coding, wanted)

    def __call__(self, batches: Iterable[Any], part: str) -> bytes:
        """The counts of a partition."""
        counts = _engine.PartCounts(self._coding, self._wanted, part)
        feed(counts, batches)
        return counts.to_bytes()

    def merge(self, parts: Sequence[bytes]) -> bytes:
        """The counts of several partitions, each of which is there once."""
        return _engine.merge_parts(list(parts))


def feed(taker: Taking, batches: Iterable[Any]) -> None:
    """Hands over all batches, small ones together: every call has a price of its own."""
    for some in gathered(batches):
        taker.observe(some)


def gathered(batches: Iterable[Any]) -> Iterator[list[Any]]:
    """Batches in lists of at least so many rows, the last one aside."""
    some: list[Any] = []
    n_rows = 0
    for batch in batches:
        some.append(batch)
        n_rows += batch.num_rows
        if n_rows >= AT_A_TIME:
            yield some
            some, n_rows = [], 0
    if some:
        yield some
