"""How a run is carried out: threads, seeds, progress."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from math import isfinite
from numbers import Integral, Real
from typing import Any, Protocol, TypedDict

from sklearn.utils import check_random_state

from bayesieve._engine import SettingError

#: Called with the stage, what is done and how much there is (0 where that is not known).
Callback = Callable[[str, int, int], object]

#: The seed where none is given, as in the command.
SEED = 1


class Runner(TypedDict):
    """What the engine is told about a run."""

    threads: int
    callback: Callback | None


class Running(Protocol):
    """What runs have in common, whoever starts them."""

    n_jobs: int | None
    verbose: int
    callback: Callback | None


def runner(options: Running) -> Runner:
    """How the engine shall run for an estimator or a function."""
    return {
        "threads": threads(options.n_jobs),
        "callback": heard(options.verbose, options.callback),
    }


def threads(n_jobs: int | None) -> int:
    """The number of threads; None and -1 are all cores, -2 all but one.

    Workers of joblib have a share of the cores, which they are told by `OMP_NUM_THREADS`.
    More threads than cores would only take memory.
    """
    if n_jobs is None:
        share = os.environ.get("OMP_NUM_THREADS", "")
        return min(int(share), cores()) if share.isdecimal() and int(share) > 0 else cores()
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, Integral):
        raise SettingError(f"n_jobs={n_jobs!r} is no number of threads. Use None for all cores.")
    if n_jobs == 0:
        raise SettingError("n_jobs=0 has no meaning. Use None or -1 for all cores.")
    if n_jobs < 0:
        return max(1, cores() + 1 + int(n_jobs))
    return min(int(n_jobs), cores())


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def seed(random_state: Any) -> int:
    """A seed of the engine: the number itself, one drawn from a generator, or the default."""
    if random_state is None:
        return SEED
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**31))
    if hasattr(random_state, "randint"):
        return int(check_random_state(random_state).randint(2**31 - 1))
    if isinstance(random_state, bool) or not isinstance(random_state, Integral):
        raise SettingError(
            f"random_state={random_state!r} is no seed. Give a whole number or a RandomState."
        )
    if not 0 <= int(random_state) < 2**64:
        raise SettingError(
            f"random_state={random_state} is no seed. Give a number from 0 to {2**64 - 1}."
        )
    return int(random_state)


def seconds(budget: Any) -> float | None:
    """Seconds that a run may take."""
    if budget is None:
        return None
    if isinstance(budget, bool) or not isinstance(budget, Real) or not isfinite(budget):
        raise SettingError(
            f"budget={budget!r} is no number of seconds. Give one above zero, or None."
        )
    return float(budget)


def whole(parameter: str, value: Any, what: str, least: int = 1) -> int | None:
    """A parameter that is a number of things, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise SettingError(
            f"{parameter}={value!r} is no {what}. Give one from {least} on, or None."
        )
    return int(value)


def word(parameter: str, value: Any) -> str:
    """A parameter that is a text."""
    if not isinstance(value, str):
        raise SettingError(f"{parameter}={value!r} is no text.")
    return value


def heard(verbose: int, callback: Callback | None) -> Callback | None:
    """Whom progress is told to: the user's callback, a bar, both or nobody."""
    if not verbose:
        return callback
    bar = Bar()

    def both(stage: str, done: int, total: int) -> None:
        bar(stage, done, total)
        if callback is not None:
            callback(stage, done, total)

    return both


class Bar:
    """Progress for people: a bar of tqdm where that is installed, else a line now and then."""

    #: Seconds between two lines.
    EVERY = 2.0

    def __init__(self) -> None:
        self._stage = ""
        self._total = -1
        self._next_line = 0.0
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int) -> None:
        tqdm = _tqdm()
        if tqdm is None:
            self._line(stage, done, total)
            return
        if self._bar is None or (stage, total) != (self._stage, self._total):
            self.close()
            self._stage, self._total = stage, total
            self._bar = tqdm(desc=stage, total=total or None, leave=False)
        self._bar.update(done - self._bar.n)

    def _line(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage == self._stage and now < self._next_line:
            return
        self._stage, self._next_line = stage, now + self.EVERY
        share = f" {100 * done // total} %" if total else ""
        print(f"bayesieve: {stage}{share}", file=sys.stderr)

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __del__(self) -> None:
        self.close()


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm
