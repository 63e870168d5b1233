"""Notes about data."""

from __future__ import annotations

import warnings
from collections.abc import Iterable


class DataWarning(UserWarning):
    """Something about the data that is worth a look; also in `notes_`."""


def warn_of(notes: Iterable[str], stacklevel: int = 2) -> None:
    """Warns of every note, where the caller of the caller stands."""
    for note in notes:
        warnings.warn(note, DataWarning, stacklevel=stacklevel + 1)
