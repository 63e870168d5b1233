"""What counting inside Spark costs on top of the command: seconds, and CPU seconds by /proc.

    python benches/python/spark.py --bayesieve target/release/bayesieve [--rows 1000000]

One table of whole numbers in a Parquet file, all its single and pair tables given the class. The
command counts it with the domains of a coding that was fitted once; Spark counts it in `local[2]`
and on a standalone cluster of one master and two workers on this machine, as a DataFrame and as
files that the tasks open themselves. The first run of a session starts Python on the executors
and warms Java up; the later ones show what rows cost. All results must be the same.
"""

from __future__ import annotations

import argparse
import os
import resource
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

sys.path.insert(0, str(Path(__file__).parents[2] / "python" / "tests"))
from spark_cluster import processes, running_cluster

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """Seconds by the clock, and of processors by kind of process."""

    wall: float
    java: float
    python: float

    def __str__(self) -> str:
        return f"{self.wall:7.2f}{self.java:9.2f}{self.python:9.2f}{self.java + self.python:9.2f}"


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
        print(f"{'':34}{'wall':>7}{'java':>9}{'python':>9}{'in all':>9}")
        coding = None
        expected = None
        for where in ("local[2]", "standalone"):
            with ExitStack() as stack:
                started = time.perf_counter()
                session = start(where, folder, stack)
                print(f"{where + ', start':34}{time.perf_counter() - started:7.2f}")
                df = session.read.parquet(str(data))
                if coding is None:
                    coding, cost = timed(lambda: inside.fit_coding(df, class_col="class"))
                    print(f"{where + ', fit_coding':34}{cost}")
                    expected = by_command(asked, data, coding, folder)
                for what, way in ways(session, df, data, coding).items():
                    for repeat in range(asked.repeats):
                        found, cost = timed(way)
                        print(f"{f'{where}, {what}, run {repeat + 1}':34}{cost}")
                        assert same(found, expected), what


def write_table(path: Path, n_rows: int, n_columns: int) -> Path:
    """Columns of 2 to 8 values, some of which tell about one of three classes."""
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, n_rows)
    columns = {}
    for place in range(n_columns):
        values = 2 + place % 7
        noise = rng.integers(0, values, n_rows)
        tells = rng.random(n_rows) < place / (2 * n_columns)
        columns[f"f{place:02}"] = pa.array(np.where(tells, y % values, noise), pa.int32())
    columns["class"] = pa.array(y, pa.int32())
    parquet.write_table(pa.table(columns), path, row_group_size=65_536)
    return path


def start(where: str, folder: Path, stack: ExitStack) -> Any:
    """A session that stops with the stack."""
    if where == "standalone":
        place = folder / "cluster"
        place.mkdir()
        return stack.enter_context(running_cluster(place)).session()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(where).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "1g")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    stack.callback(session.stop)
    return session


def timed(work: Callable[[], Any]) -> tuple[Any, Cost]:
    """What a function returns, and what it cost in this process and all that belong to it."""
    before, started = used(), time.perf_counter()
    found = work()
    wall = time.perf_counter() - started
    after = used()
    spent = {
        kind: sum(
            seconds - before.get(pid, (kind, 0.0))[1]
            for pid, (is_of, seconds) in after.items()
            if is_of == kind
        )
        for kind in ("java", "python")
    }
    return found, Cost(wall, spent["java"], spent["python"])


def used() -> dict[int, tuple[str, float]]:
    """Kind and seconds of this process and its descendants, those that have ended included."""
    parents = {pid: parent for pid, (parent, _) in processes().items()}
    found = {}
    for pid in parents:
        line = pid
        while line in parents and line != os.getpid():
            line = parents[line]
        if line == os.getpid():
            name, _, rest = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
            seconds = sum(map(int, rest.split()[11:15])) / TICKS
            found[pid] = ("java" if "(java" in name else "python", seconds)
    return found
