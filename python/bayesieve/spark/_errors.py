"""Errors of tasks as the errors they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from bayesieve import _engine

#: The last line of what a worker says. Our own texts are of one line.
LINE = re.compile(
    r"^(?:bayesieve\.)?(DataError|SettingError|InternalError): (.+?)\s*$", re.MULTILINE
)

#: Said where a worker lacks what it needs.
ABSENT = re.compile(
    r"^ModuleNotFoundError: No module named '(bayesieve|pyarrow)[.\w]*'", re.MULTILINE
)


@contextmanager
def as_our_own() -> Iterator[None]:
    """Raises what a task raised, with its text, rather than Spark's account of it."""
    try:
        yield
    except Exception as error:
        own = own_error(error)
        if own is None:
            raise
        raise own from error


def own_error(error: BaseException) -> BaseException | None:
    """The error of a task that Spark tells of; None where it is another's."""
    if isinstance(error, (_engine.DataError, _engine.SettingError, _engine.InternalError)):
        return None
    text = str(error)
    absent = ABSENT.search(text)
    if absent:
        return ImportError(
            f"the workers of Spark have no {absent[1]}: they need Python, pyarrow and the wheel of "
            "bayesieve. Install them there, or say which Python to use in PYSPARK_PYTHON."
        )
    told = LINE.findall(text)
    if not told:
        return None
    kind, what = told[-1]
    own: BaseException = getattr(_engine, kind)(what)
    return own
