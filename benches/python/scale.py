"""What counting costs, from runs on this machine to clusters: the model of docs/scale.md.

    python benches/python/scale.py --bayesieve target/release/bayesieve [--rows 400000]

Counts a generated table at several sizes by the command, fits the four constants of the model
by least squares, and predicts a run that took no part in the fit. Then goes through a count of
many rows on many executors task by task with these constants, and prints what the closed
formulas of docs/scale.md say beside it.
"""

from __future__ import annotations

import argparse
import heapq
import os
import random
import resource
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

# Columns have 2 and 3 values in turn, and there are two classes.
CELLS_PER_PAIR = 2 * 2.5 * 2.5
# Enough that pairs cost as much as reading.
MOST_FEATURES = 1_000
# From specs of clusters and docs/benchmarks.md, not measured here: what Spark's own conversion
# of a cell to Arrow costs, and a link of 10 Gbit/s that reaches a third of that.
SPARK_SECONDS_PER_CELL = 55e-9
BYTES_PER_SECOND = 400e6


@dataclass
class Constants:
    """Seconds of one core."""

    start: float
    per_cell: float
    per_pair: float
    per_pair_row: float

    def count(self, rows: float, features: float) -> float:
        """Counting all single and pair tables."""
        constants = (self.start, self.per_cell, self.per_pair, self.per_pair_row)
        both = zip(constants, terms(rows, features), strict=True)
        return sum(constant * term for constant, term in both)


def terms(rows: float, features: float) -> tuple[float, ...]:
    """What each constant is of: a run, its cells, its pairs, and the rows of its pairs."""
    pairs = features * (features - 1) / 2
    return 1.0, rows * (features + 1), pairs, rows * pairs


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination of a small system."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def fit(runs: list[tuple[int, int, float]]) -> Constants:
    """Least squares of relative errors over (rows, features, seconds)."""
    lines = []
    for rows, features, seconds in runs:
        lines.append([term / seconds for term in terms(rows, features)])
    normal = [[sum(a[i] * a[j] for a in lines) for j in range(4)] for i in range(4)]
    right = [sum(a[i] for a in lines) for i in range(4)]
    return Constants(*solve(normal, right))


def write(path: Path, rows: int) -> None:
    """Draws a table of two and three values in turn, and a class of two."""
    draw = np.random.default_rng(1)
    columns = {
        f"x{i}": draw.integers(0, 2 + i % 2, rows, dtype=np.int8) for i in range(MOST_FEATURES)
    }
    columns["class"] = draw.integers(0, 2, rows, dtype=np.int8)
    parquet.write_table(pa.table(columns), path)


def measure(bayesieve: str, folder: Path, most_rows: int) -> list[tuple[int, int, float, int]]:
    """Runs of the command: rows, features, seconds of one core, bytes of the count file."""
    runs = []
    for rows in (most_rows // 4, most_rows // 2, most_rows):
        data, domains = folder / f"{rows}.parquet", folder / f"{rows}.json"
        quiet = ["--quiet"]
        write(data, rows)
        for features in (100, 300, 600, MOST_FEATURES):
            names = ",".join(f"x{i}" for i in range(features))
            learn = ["count", str(data), "--features", names, "--domains-only", "-o", str(domains)]
            subprocess.run([bayesieve, *learn, *quiet], check=True, stdout=subprocess.DEVNULL)
            out = folder / "shard.counts"
            command = [bayesieve, "count", str(data), "--domains", str(domains)]
            seconds = cpu_seconds([*command, "-o", str(out), *quiet])
            runs.append((rows, features, seconds, out.stat().st_size))
            print(f"{rows:>12,} x {features:>3}: {seconds:7.2f} s, {out.stat().st_size:>9,} bytes")
            os.remove(out)
        os.remove(data)
    return runs


@dataclass
class Cluster:
    """A count of many rows on many executors."""

    rows: float
    features: int
    executors: int
    cores: int
    tasks: int


def partial_bytes(features: float, bytes_per_cell: float) -> float:
    return features * (features - 1) / 2 * CELLS_PER_PAIR * bytes_per_cell


def simulate(cluster: Cluster, constants: Constants, bytes_per_cell: float, seed: int) -> float:
    """Goes through the tasks one by one, then through a tree of merges; seconds on the clock.

    Tasks differ by a tenth, and one in a hundred is lost once and done again.
    """
    draw = random.Random(seed)
    slots = [0.0] * (cluster.executors * cluster.cores)
    task_rows = cluster.rows / cluster.tasks
    size = partial_bytes(cluster.features, bytes_per_cell)
    ready = []
    for _ in range(cluster.tasks):
        seconds = constants.count(task_rows, cluster.features) * draw.uniform(0.9, 1.1)
        if draw.random() < 0.01:
            seconds *= 2
        begin = heapq.heappop(slots)
        heapq.heappush(slots, begin + seconds)
        ready.append(begin + seconds)
    # Every executor adds up its own; then pairs of executors, pairs of pairs, ...
    clock = max(ready)
    merge = 2 * size / BYTES_PER_SECOND
    per_executor = cluster.tasks / cluster.executors * merge / cluster.cores
    clock += per_executor
    left = cluster.executors
    while left > 1:
        clock += merge
        left = (left + 1) // 2
    return clock


def formula(cluster: Cluster, constants: Constants, bytes_per_cell: float) -> float:
    """The same in closed form."""
    slots = cluster.executors * cluster.cores
    rounds = -(-cluster.tasks // slots)
    size = partial_bytes(cluster.features, bytes_per_cell)
    merge = 2 * size / BYTES_PER_SECOND
    levels = (cluster.executors - 1).bit_length()
    counting = rounds * constants.count(cluster.rows / cluster.tasks, cluster.features)
    return counting + (cluster.tasks / slots + levels) * merge


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bayesieve", required=True, help="the command")
    parser.add_argument("--rows", type=int, default=400_000, help="rows of the largest run")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = measure(arguments.bayesieve, Path(folder), arguments.rows)
    # The largest run takes no part in the fit.
    *fitted, (rows, features, seconds, size) = runs
    constants = fit([run[:3] for run in fitted])
    bytes_per_cell = size / (features * (features - 1) / 2 * CELLS_PER_PAIR)
    print(f"\nstart of a run           {constants.start:8.3f} s")
    print(f"reading and coding       {constants.per_cell * 1e9:8.3f} ns a cell")
    print(f"a table, with its file   {constants.per_pair * 1e6:8.3f} us a pair")
    per_pair_row = constants.per_pair_row * 1e12
    print(f"counting                 {per_pair_row:8.3f} ns a thousand rows of a pair")
    print(f"count file               {bytes_per_cell:8.3f} bytes a cell of a table")
    predicted = constants.count(rows, features)
    print(f"held out: {rows:,} x {features}: {predicted:.2f} s predicted, {seconds:.2f} s measured")

    print("\nrows             features  executors x cores  tasks   formula  task by task")
    for cluster in (
        Cluster(1e9, 1_000, 100, 1, 1_000),
        Cluster(1e9, 1_000, 100, 4, 4_000),
        Cluster(1e9, 5_000, 100, 4, 4_000),
        Cluster(1e9, 20_000, 100, 4, 4_000),
    ):
        closed = formula(cluster, constants, bytes_per_cell)
        stepped = simulate(cluster, constants, bytes_per_cell, 1)
        cores = f"{cluster.executors} x {cluster.cores}"
        print(
            f"{cluster.rows:<16,.0f} {cluster.features:>8,}  {cores:>17}  {cluster.tasks:>5,}"
            f"  {closed:8.1f} s  {stepped:8.1f} s"
            f"   (a partial {partial_bytes(cluster.features, 8) / 1e6:,.0f} MB in memory)"
        )
    spark = 1e9 * 1_001 * SPARK_SECONDS_PER_CELL
    print(f"\nby mapInArrow Spark's own share of 1e9 x 1,000 is {spark:,.0f} core seconds")


if __name__ == "__main__":
    main()
