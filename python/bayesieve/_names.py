"""Names that must stand once. Workers import this: it needs nothing else."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)


def repeated(names: Iterable[Name]) -> list[Name]:
    """The names that were there before, in order."""
    seen: set[Name] = set()
    again = []
    for name in names:
        if name in seen:
            again.append(name)
        seen.add(name)
    return again
