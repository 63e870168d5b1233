"""A stage before a count that writes down which tasks run, and gets one of them into trouble.

Spark runs it on the executors; the test reads the notes, which are files in a shared folder.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

#: Seconds until a task that waits in vain gives up.
PATIENCE = 90.0


class Run(NamedTuple):
    """One run of a task."""

    partition: int
    attempt: int
    executor: int


@dataclass(frozen=True)
class Trap:
    """Lets batches through as they are, but for one task that is caught once.

    The caught task is the first that starts on an executor which has done another task before, so
    that the executor holds finished work. It is caught when so many of its rows have gone through:
    `"wait"` holds it up until `go()`, `"fail"` raises an error.
    """

    folder: Path
    trouble: str
    after: int

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        run = this_run()
        is_caught = self._is_second(run) and self._claim()
        self._note("started", run)
        n_rows = 0
        for batch in batches:
            yield batch
            n_rows += batch.num_rows
            if is_caught and n_rows >= self.after > n_rows - batch.num_rows:
                self._note("caught", run)
                self._trouble()
        self._note("ended", run)

    def runs(self, what: str) -> list[Run]:
        """The runs that are noted as `started`, `caught` or `ended`."""
        notes = (one.name.split(".")[1:] for one in self.folder.glob(f"{what}.*"))
        return sorted(Run(*map(int, note)) for note in notes)

    def go(self) -> None:
        """Lets the caught task go on."""
        (self.folder / "go").touch()

    def _is_second(self, run: Run) -> bool:
        return any(one.executor == run.executor for one in self.runs("ended"))

    def _claim(self) -> bool:
        try:
            (self.folder / "claim").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def _note(self, what: str, run: Run) -> None:
        (self.folder / ".".join(map(str, (what, *run)))).touch()

    def _trouble(self) -> None:
        if self.trouble == "fail":
            raise RuntimeError("this task fails once")
        end = time.monotonic() + PATIENCE
        while not (self.folder / "go").exists():
            if time.monotonic() > end:
                raise TimeoutError("nobody let this task go on")
            time.sleep(0.02)


def this_run() -> Run:
    """The run this process works for."""
    from pyspark import TaskContext

    task = TaskContext.get()
    assert task is not None
    return Run(task.partitionId(), task.attemptNumber(), executor_of(os.getpid()))


def executor_of(pid: int) -> int:
    """The Java process above a Python process of Spark's."""
    while "CoarseGrainedExecutorBackend" not in Path(f"/proc/{pid}/cmdline").read_text():
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid
