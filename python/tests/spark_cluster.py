"""A standalone Spark cluster on loopback: one master, two workers, processes that may be killed.

Everything listens on loopback alone. The workers have addresses of their own, because Spark never
starts a second copy of a task on a host that runs the first one.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sparks

#: One host per worker; all of 127.0.0.0/8 is loopback.
MASTER, *WORKERS = "127.0.0.1", "127.0.0.2", "127.0.0.3"

#: Seconds until a process that does not answer is given up; a busy machine needs some.
PATIENCE = 90.0

#: Java that starts fast: these processes live for a minute or two.
JAVA_OPTIONS = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

EXECUTOR = "CoarseGrainedExecutorBackend"

PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)


def spark_home() -> Path:
    """Where Spark is; tests are skipped, and say why, where no cluster can be started."""
    sparks.needed()
    import pyspark

    home = Path(pyspark.__file__).parent
    if not (home / "bin" / "spark-class").exists():
        pytest.skip(f"there is no Spark in {home}: install pyspark itself, not its client alone")
    if not Path("/proc/self/stat").exists():
        pytest.skip("these tests look processes up in /proc, which this system does not have")
    return home


@dataclass(frozen=True)
class Daemon:
    """A master or a worker, and what it says."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.process.pid

    def wait_until(self, pattern: str) -> str:
        """What it says, as soon as it says it."""

        def look() -> str | None:
            text = contents(self.log)
            found = re.search(pattern, text)
            if found is None and self.process.poll() is not None:
                raise RuntimeError(f"{self.log.name} ends:\n{text[-2_000:]}")
            return found.group(1) if found else None

        found: str = wait_for(look, f"{pattern} in {self.log}")
        return found


class Cluster:
    """A master, two workers with one core and 1 GB each, and at most one session."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home = home
        self._folder = folder
        self._started: list[Daemon] = []
        self._settings: dict[str, str] = {}
        self._session: Any = None
        self.url = ""
        self.workers: dict[str, Daemon] = {}

    def start(self) -> None:
        """Starts the master, then the workers, and waits until they know each other."""
        master = self._launch("master", MASTER, "master.Master", "--host", MASTER, "--port", "0")
        self.url = master.wait_until(r"Starting Spark master at (\S+)")
        self.repair()

    def repair(self) -> None:
        """Starts the workers that are not there, and waits for all executors of the session."""
        absent = [host for host in WORKERS if not self._is_alive(host)]
        for host in absent:
            self.workers[host] = self._start_worker(host)
        for host in absent:
            self.workers[host].wait_until(r"(Successfully registered)")
        if self._session is not None:
            wait_for(self._has_executors, "the executors")

    def session(self, **settings: str) -> Any:
        """A session with these settings, dots of their names as `__`; the last one if it has them.

        Another session of this process is stopped: there can be one at a time.
        """
        from pyspark.sql import SparkSession

        if self._session is None or settings != self._settings:
            self._stop_session()
            active = SparkSession.getActiveSession()
            if active is not None:
                active.stop()
            builder = SparkSession.builder.master(self.url).appName("bayesieve")
            for name, value in (self._defaults() | settings).items():
                builder = builder.config(name.replace("__", "."), value)
            self._session, self._settings = builder.getOrCreate(), settings
        self.repair()
        return self._session

    def executors(self) -> dict[int, str]:
        """The host of every running executor, by process."""
        parents = {one.pid: host for host, one in self.workers.items()}
        return {
            pid: parents[parent]
            for pid, (parent, _) in processes().items()
            if parent in parents and EXECUTOR in command_line(pid)
        }

    def kill(self, pid: int) -> None:
        """Kills a process of this cluster, which gets no chance to say anything."""
        assert pid in self._members(), f"{pid} is no process of this cluster"
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: pid not in self._members(), f"the end of process {pid}")

    @contextlib.contextmanager
    def frozen(self, pid: int) -> Iterator[None]:
        """Has a process stand still; nobody is told, so that it still gets work."""
        os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def cancel(self) -> None:
        """Ends the jobs that run."""
        if self._session is not None:
            self._session.sparkContext.cancelAllJobs()

    def stop(self) -> None:
        """Ends the session and every process, those that no longer listen too."""
        try:
            self._stop_session()
        finally:
            members = self._members()
            for pid in members:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            for one in self._started:
                one.process.wait()
            wait_for(lambda: not self._members(), "the cluster's end")

    def logs(self, lines: int = 12, width: int = 160) -> str:
        """The last lines of every log, but for what is said at every start."""
        executors = sorted(self._folder.glob("work/*/*/*/stderr"))
        parts = [f"logs in {self._folder}"]
        for log in [*sorted(self._folder.glob("*.log")), *executors]:
            told = [
                line[:width] for line in contents(log).splitlines() if "SecurityManager" not in line
            ]
            parts += [f"--- {log.relative_to(self._folder)}", *told[-lines:]]
        return "\n".join(parts)

    def _launch(self, name: str, host: str, class_name: str, *arguments: str) -> Daemon:
        log = self._folder / f"{name}.log"
        environment = os.environ | {
            "SPARK_HOME": str(self._home),
            # Pages for people listen here; without it, on every address of the machine.
            "SPARK_LOCAL_IP": host,
            "SPARK_LOCAL_DIRS": str(self._folder / "local"),
            "SPARK_DAEMON_MEMORY": "256m",
            # The port of the master's other interface would be a fixed one.
            "SPARK_DAEMON_JAVA_OPTS": f"{JAVA_OPTIONS} -Dspark.master.rest.enabled=false",
        }
        program = [self._home / "bin" / "spark-class", f"org.apache.spark.deploy.{class_name}"]
        with log.open("wb") as file:
            process = subprocess.Popen(
                [*program, *arguments, "--webui-port", "0"],
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                env=environment,
                # A session of the system: by it all descendants are found again.
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        self._started.append(Daemon(process, log))
        return self._started[-1]

    def _start_worker(self, host: str) -> Daemon:
        name = f"worker-{host}-{len(self._started)}"
        place = ("--host", host, "--port", "0", "--work-dir", str(self._folder / "work" / host))
        size = ("--cores", "1", "--memory", "1g")
        return self._launch(name, host, "worker.Worker", *place, *size, self.url)

    def _is_alive(self, host: str) -> bool:
        return host in self.workers and self.workers[host].pid in self._members()

    def _has_executors(self) -> bool:
        # The driver is one of them.
        known = self._session.sparkContext._jsc.sc().getExecutorMemoryStatus().size()
        return known == 1 + len(WORKERS) and sorted(self.executors().values()) == WORKERS

    def _defaults(self) -> dict[str, str]:
        return {
            "spark.driver.host": MASTER,
            "spark.driver.bindAddress": MASTER,
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": JAVA_OPTIONS,
            "spark.executor.memory": "1g",
            "spark.executor.cores": "1",
            "spark.executor.extraJavaOptions": JAVA_OPTIONS,
            # What tests send to executors is found there by name.
            "spark.executorEnv.PYTHONPATH": str(Path(__file__).parent),
            "spark.sql.warehouse.dir": str(self._folder / "warehouse"),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }

    def _stop_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.stop()

    def _members(self) -> list[int]:
        ours = {one.pid for one in self._started}
        return [pid for pid, (_, session) in processes().items() if session in ours]


@contextlib.contextmanager
def running_cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster that works in a folder and ends with the block, however that ends."""
    home = spark_home()
    # The first session starts the driver's Java, which reads these.
    given = sparks.environment()
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    cluster = Cluster(home, folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def end_with_parent() -> None:
    """Has this process killed when the one that started it is: nothing may outlive the tests."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def wait_for(look: Callable[[], Any], what: str, patience: float = PATIENCE) -> Any:
    """What a function finds, as soon as it finds something."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise TimeoutError(f"waited {patience:.0f} seconds for {what}")


def processes() -> dict[int, tuple[int, int]]:
    """The parent and the session of every process that has not ended."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            # The name in parentheses may hold anything, parentheses too.
            fields = contents(folder / "stat").rpartition(")")[2].split()
            if fields and fields[0] != "Z":
                found[int(folder.name)] = (int(fields[1]), int(fields[3]))
    return found


def command_line(pid: int) -> str:
    """The words a process was started with; none when it has ended."""
    return contents(Path("/proc", str(pid), "cmdline")).replace("\0", " ")


def contents(path: Path) -> str:
    """The text of a file; none when it has gone."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return ""
