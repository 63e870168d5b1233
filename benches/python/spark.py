"""What counting inside Spark costs on top of the command: seconds, and CPU seconds by /proc.

    python benches/python/spark.py --bayesieve target/release/bayesieve [--rows 1000000]

One table of whole numbers in a Parquet file, all its single and pair tables given the class. The
command learns the coding and counts it; so does Spark, in `local[2]` and on a standalone cluster of
one master and two workers on this machine, as a DataFrame and as files that the tasks open
themselves. The first run of a session starts Python on the executors and warms Java up; the later
ones show what rows cost. All results must be the same. Java's compiler works beside the tasks for
a while: take the later runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

from bayesieve import spark as inside
from bayesieve.coding import Coding
from bayesieve.counts import Counts

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "tests"))
import sparks
from command import timeless
from spark_cluster import contents, processes, running_cluster

ROW_GROUP = 65_536
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """Seconds by the clock, and of processors by kind of process."""

    wall: float
    java: float
    own: float

    def __str__(self) -> str:
        return f"{self.wall:8.2f}{self.java:8.2f}{self.own:8.2f}{self.java + self.own:8.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="the cost of counting inside Spark")
    parser.add_argument("--bayesieve", type=Path, required=True, help="the command")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = write_table(folder / "data.parquet", asked.rows, asked.columns)
        print(f"{asked.rows:,} rows, {asked.columns} features, {data.stat().st_size:,} bytes")
        print(f"{'':32}{'wall':>8}{'java':>8}{'other':>8}{'in all':>8}")
        expected = by_command(asked, data, folder)
        for where in ("local", "standalone"):
            with ExitStack() as stack:
                session, cost = timed(lambda where=where: start(where, folder, stack))
                show(f"{where}, start", cost)
                for what, way in ways(session, data, expected.coding).items():
                    for repeat in range(asked.repeats):
                        found, cost = timed(way)
                        show(f"{where}, {what}, {repeat + 1}", cost)
                        assert_same(found, expected)


def show(what: str, cost: Cost) -> None:
    print(f"{what:32}{cost}", flush=True)


def by_command(asked: argparse.Namespace, data: Path, folder: Path) -> Counts:
    """Counts by the command, on one thread and on all; the coding is learned apart, as in Spark."""
    domains, out = folder / "coding.json", folder / "counts"
    words = [asked.bayesieve, "count", data, "--quiet"]

    def run(*more: object) -> None:
        subprocess.run([*map(str, words), *map(str, more)], check=True, stdout=subprocess.DEVNULL)

    learn = ("--class", "class", "--domains-only", "-o", domains)
    show("command, coding", timed(lambda: run(*learn))[1])
    for threads in (1, 0):
        count = ("--domains", domains, "-o", out, "--threads", threads)
        for repeat in range(asked.repeats):
            cost = timed(lambda count=count: run(*count))[1]
            show(f"command, {threads or 'all'} threads, {repeat + 1}", cost)
    return Counts.load(out)


def ways(session: Any, data: Path, coding: Coding) -> dict[str, Callable[[], Any]]:
    """What is measured in a session."""
    df = session.read.parquet(str(data))
    return {
        "fit_coding": lambda: inside.fit_coding(df, class_col="class"),
        "count": lambda: inside.count(df, coding),
        "count, tree": lambda: inside.count(df, coding, merge="tree"),
        "count_files": lambda: inside.count_files(session, data, coding),
    }


def assert_same(found: Coding | Counts, expected: Counts) -> None:
    """Shards have other names in files: what the counts tell must be the same."""
    if isinstance(found, Coding):
        assert found == expected.coding
    else:
        told = [timeless(one.select("jmi").document_) for one in (found, expected)]
        assert told[0] == told[1]


def write_table(path: Path, n_rows: int, n_columns: int) -> Path:
    """Columns of 2 to 8 values, some of which tell about one of three classes."""
    rng = np.random.default_rng(1)
    names = [f"f{place:02}" for place in range(n_columns)]
    schema = pa.schema([(name, pa.int32()) for name in [*names, "class"]])
    with parquet.ParquetWriter(path, schema) as writer:
        for first in range(0, n_rows, ROW_GROUP):
            rows = drawn(rng, min(ROW_GROUP, n_rows - first), n_columns)
            writer.write_table(pa.table(rows, schema=schema))
    return path


def drawn(rng: np.random.Generator, n_rows: int, n_columns: int) -> list[Any]:
    y = rng.integers(0, 3, n_rows)
    columns = []
    for place in range(n_columns):
        values = 2 + place % 7
        noise = rng.integers(0, values, n_rows)
        tells = rng.random(n_rows) < place / (2 * n_columns)
        columns.append(pa.array(np.where(tells, y % values, noise), pa.int32()))
    return [*columns, pa.array(y, pa.int32())]


def start(where: str, folder: Path, stack: ExitStack) -> Any:
    """A session that stops with the stack."""
    if where == "standalone":
        place = folder / "cluster"
        place.mkdir()
        cluster = stack.enter_context(running_cluster(place))
        # As Java is without options: tests have it start fast and run slow.
        return cluster.session(spark__executor__extraJavaOptions="-XX:+UseG1GC")
    session = sparks.local_session()
    stack.callback(session.stop)
    return session


def timed(work: Callable[[], Any]) -> tuple[Any, Cost]:
    """What a function returns, and what it cost in this process and all that belong to it."""
    before, started = used(), time.perf_counter()
    found = work()
    wall = time.perf_counter() - started
    after = used()
    spent = {True: 0.0, False: 0.0}
    for pid, (is_java, seconds) in after.items():
        spent[is_java] += seconds - before.get(pid, (is_java, 0.0))[1]
    return found, Cost(wall, spent[True], spent[False])


def used() -> dict[int, tuple[bool, float]]:
    """Whether it is Java, and the seconds, of this process and all below it, ended ones too."""
    parents = {pid: parent for pid, (parent, _) in processes().items()}
    found = {}
    for pid in parents:
        above = pid
        while above in parents and above != os.getpid():
            above = parents[above]
        if above == os.getpid():
            name, _, rest = contents(Path(f"/proc/{pid}/stat")).rpartition(")")
            # Its own time, and that of children it has waited for.
            seconds = sum(map(int, rest.split()[11:15])) / TICKS
            found[pid] = ("(java" in name, seconds)
    return found


if __name__ == "__main__":
    main()
