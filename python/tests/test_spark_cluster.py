"""Counts inside a Spark cluster stay exact when its processes die and its tasks run twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from spark_cluster import Cluster, running_cluster, wait_for
from spark_trap import Run, Trap
from tables import draw

pytest.importorskip("pyspark", reason="pyspark is not installed")
pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

N_FILES = 8
N_ROWS = 400

#: Files are partitions, and a partition is several batches.
LAYOUT = {
    "spark__sql__files__maxPartitionBytes": "64k",
    "spark__sql__files__openCostInBytes": "64k",
    "spark__sql__execution__arrow__maxRecordsPerBatch": "100",
}

#: A second copy of a task as soon as there is a reason for one.
SPECULATION = {
    "spark__speculation": "true",
    "spark__speculation__interval": "100ms",
    "spark__speculation__quantile": "0.5",
    "spark__speculation__multiplier": "1.1",
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def logs(cluster: Cluster) -> Iterator[None]:
    """What the cluster said, for the message of a test that fails."""
    yield
    print(cluster.logs())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table in several files."""
    folder = tmp_path_factory.mktemp("files")
    for one in range(N_FILES):
        columns, y = draw(one, ["no", "yes"], n_rows=N_ROWS)
        parquet.write_table(pa.table({**columns, "class": y}), folder / f"{one}.parquet")
    return folder


def count(df: Any, merge: str) -> list[Any]:
    def stand_in(batches):
        import pyarrow as pa

        rows = sum(batch.num_rows for batch in batches)
        yield pa.RecordBatch.from_pydict({"rows": pa.array([rows], pa.int64())})

    def sums(batches):
        import pyarrow as pa

        rows = sum(sum(batch["rows"].to_pylist()) for batch in batches)
        yield pa.RecordBatch.from_pydict({"rows": pa.array([rows], pa.int64())})

    parts = df.mapInArrow(stand_in, "rows long")
    if merge == "tree":
        parts = parts.repartition(2, "rows").mapInArrow(sums, "rows long")
    return sum(one.rows for one in parts.collect())


def disturbed(
    cluster: Cluster, trap: Trap, df: Any, merge: str, disturb: Callable[[Run], None]
) -> Any:
    """A count of rows that come through a trap, and what is done once it has caught a task."""
    trapped = df.mapInArrow(trap, df.schema)
    with ThreadPoolExecutor(1) as pool:
        counting = pool.submit(count, trapped, merge)
        try:
            caught = wait_for(lambda: trap.runs("caught") or counting.done(), "a caught task")
            if caught is not True:
                disturb(caught[0])
            return counting.result(timeout=90)
        finally:
            trap.go()
            cluster.cancel()


@pytest.mark.parametrize("merge", ["driver", "tree"])
def test_counts_are_the_same_after_an_executor_is_killed(cluster, files, tmp_path, merge):
    df = cluster.session(**LAYOUT).read.parquet(str(files))
    calm = count(df, merge)
    trap = Trap(tmp_path, "wait")
    assert disturbed(cluster, trap, df, merge, lambda run: cluster.kill(run.executor)) == calm
    again = ran_again(trap)
    assert trap.runs("caught")[0].partition in again
    if merge == "tree":
        # What the executor had finished was lost with it.
        assert len(again) > 1


def test_counts_are_the_same_after_a_worker_is_killed(cluster, files, tmp_path):
    df = cluster.session(**LAYOUT).read.parquet(str(files))
    calm = count(df, "driver")

    def disturb(run: Run) -> None:
        cluster.kill(cluster.workers[cluster.executors()[run.executor]].pid)

    trap = Trap(tmp_path, "wait")
    assert disturbed(cluster, trap, df, "driver", disturb) == calm
    assert trap.runs("caught")[0].partition in ran_again(trap)


def test_counts_are_the_same_after_a_task_fails(cluster, files, tmp_path):
    df = cluster.session(**LAYOUT).read.parquet(str(files))
    calm = count(df, "driver")
    trap = Trap(tmp_path, "fail")
    assert disturbed(cluster, trap, df, "driver", lambda run: None) == calm
    assert ran_again(trap) == [trap.runs("caught")[0].partition]


@pytest.mark.parametrize("moment", ["started", "ended"])
def test_counts_are_the_same_when_two_copies_of_a_task_run(cluster, files, tmp_path, moment):
    df = cluster.session(**LAYOUT, **SPECULATION).read.parquet(str(files))
    calm = count(df, "driver")
    trap = Trap(tmp_path, "wait")

    def disturb(run: Run) -> None:
        def copies() -> list[Run]:
            return [one for one in trap.runs(moment) if is_copy(one, run)]

        wait_for(copies, "a second copy")
        trap.go()

    assert disturbed(cluster, trap, df, "driver", disturb) == calm
    caught = trap.runs("caught")[0]
    assert any(is_copy(one, caught) for one in trap.runs("started"))


def ran_again(trap: Trap) -> list[int]:
    """The partitions that were run more than once."""
    return sorted({one.partition for one in trap.runs("started") if one.attempt > 0})


def is_copy(run: Run, of: Run) -> bool:
    return run.partition == of.partition and run.attempt > 0 and run.executor != of.executor
