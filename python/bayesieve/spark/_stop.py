"""Jobs that end with whoever waits for them."""

from __future__ import annotations

import secrets
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

#: How often jobs are told to end, and the seconds between.
ATTEMPTS, PAUSE = 5, 0.2


class Tags(NamedTuple):
    """How the jobs of this thread get a tag and lose it, and how those with a tag are given up."""

    add: Callable[[str], Any]
    remove: Callable[[str], Any]
    cancel: Callable[[str], Any]


def tags_of(session: Any) -> Tags:
    """The tags of a session, which has a context or is one of Connect.

    Those of the session itself are no use where it has a context: Spark keeps them by its own
    threads, and after Ctrl-C it serves this one by another.
    """
    if type(session).__module__.startswith("pyspark.sql.connect"):
        return Tags(session.addTag, session.removeTag, session.interruptTag)
    context = session.sparkContext
    return Tags(context.addJobTag, context.removeJobTag, context.cancelJobsWithTag)


@contextmanager
def ending_together(session: Any) -> Iterator[None]:
    """Has Spark give up the jobs of a block that Ctrl-C ends: by itself it goes on with them."""
    tag = f"bayesieve-{secrets.token_hex(8)}"
    tags = None
    # Where a cluster allows no tags, jobs are run without.
    with suppress(Exception):
        tags = tags_of(session)
        tags.add(tag)
    try:
        with plainly_interrupted():
            yield
    except BaseException as error:
        if tags is not None:
            cancel(tags, tag)
        if is_interruption(error):
            raise KeyboardInterrupt from error
        raise
    finally:
        if tags is not None:
            with suppress(Exception):
                tags.remove(tag)


def cancel(tags: Tags, tag: str) -> None:
    """Gives up the jobs with a tag: the first call over a connection that broke off may fail."""
    for _ in range(ATTEMPTS):
        with suppress(Exception):
            tags.cancel(tag)
            return
        time.sleep(PAUSE)


def is_interruption(error: BaseException | None) -> bool:
    """Whether an error came while Ctrl-C was dealt with: what Spark does then may fail, too."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


@contextmanager
def plainly_interrupted() -> Iterator[None]:
    """Has Ctrl-C raise `KeyboardInterrupt` and do nothing else; a handler of the user's stays.

    That of Spark asks Java to cancel all jobs, which fails while this thread waits for Java, and
    in Spark 3.5 nothing but that failure is raised.
    """
    before = signal.getsignal(signal.SIGINT)
    is_of_spark = getattr(before, "__module__", None) in ("pyspark.context", "pyspark.core.context")
    if not is_of_spark or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
