"""Counts inside a Spark cluster are the command's, also when processes die and tasks run twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sparks
from command import document, run, timeless
from spark_cluster import PATIENCE, Cluster, running_cluster, wait_for
from spark_trap import Run, Trap
from tables import draw

sparks.needed()

import pyarrow as pa  # noqa: E402
from pyarrow import parquet  # noqa: E402

from bayesieve import spark  # noqa: E402
from bayesieve._tasks import AT_A_TIME  # noqa: E402
from bayesieve.coding import Coding  # noqa: E402
from bayesieve.counts import Counts  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

#: Each is a partition. With more than there are executors, one of these gets a second one.
N_FILES = 4

#: More than are counted at a time, so that a partition can be half counted.
N_ROWS = AT_A_TIME + 8_000
CAUGHT_AFTER = AT_A_TIME + 4_000

LAYOUT = {
    # A file is as large as a partition may be, or so Spark is told.
    "spark__sql__files__maxPartitionBytes": "16m",
    "spark__sql__files__openCostInBytes": "16m",
    "spark__sql__execution__arrow__maxRecordsPerBatch": "2000",
}

#: A second copy of a task as soon as there is a reason for one.
SPECULATION = {
    "spark__speculation": "true",
    "spark__speculation__interval": "100ms",
    "spark__speculation__quantile": "0.5",
    "spark__speculation__multiplier": "1.1",
}

METHODS = ["mdl-fs", "mdl", "cfs", "mrmr", "koller-sahami", "iamb"]


@dataclass(frozen=True)
class Data:
    """A table as one file and as several, and what the command makes of it."""

    whole: Path
    parts: Path
    coding: Coding
    counts: bytes


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    folder = tmp_path_factory.mktemp("data")
    (folder / "parts").mkdir()
    tables = []
    for seed in range(N_FILES):
        columns, y = draw(seed, ["no", "yes"], n_rows=1_000)
        drawn = pa.table({**columns, "y": y})
        tables.append(drawn.take([row % 1_000 for row in range(N_ROWS)]))
        parquet.write_table(tables[-1], folder / "parts" / f"{seed}.parquet")
    whole, domains = folder / "all.parquet", folder / "coding.json"
    parquet.write_table(pa.concat_tables(tables), whole)
    run("count", whole, "--class", "y", "--domains-only", "-o", domains)
    return Data(whole, folder / "parts", Coding.load(domains), counts_of(whole, domains))


def counts_of(whole: Path, domains: Path) -> bytes:
    """The counts of a file by the command, as one shard that is called as in Spark."""
    out = whole.with_suffix(".counts")
    run("count", whole, "--domains", domains, "-o", out)
    [name] = Counts.load(out).shards
    # The name ends with a number that is made of what was counted.
    run(
        "count",
        whole,
        "--domains",
        domains,
        "--shard",
        name.replace(whole.name, "spark"),
        "-o",
        out,
    )
    return out.read_bytes()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def logs(cluster: Cluster) -> Iterator[None]:
    """What the cluster said, for the message of a test that fails."""
    yield
    print(cluster.logs())


@pytest.fixture
def df(cluster: Cluster, data: Data) -> Any:
    return cluster.session(**LAYOUT).read.parquet(str(data.parts))


def count(df: Any, data: Data) -> bytes:
    return spark.count(df, data.coding).to_bytes()


def count_by_tree(df: Any, data: Data) -> bytes:
    return spark.count(df, data.coding, merge="tree").to_bytes()


def coding_of(df: Any, data: Data) -> Coding:
    return spark.fit_coding(df)


def test_counts_are_those_of_the_command(df, data):
    assert coding_of(df, data) == data.coding
    assert count(df, data) == data.counts
    assert count_by_tree(df, data) == data.counts


@pytest.mark.parametrize("method", METHODS)
def test_selections_are_those_of_the_command(df, data, method):
    found = spark.select(df, class_col="y", method=method)
    expected = document("select", data.whole, "--class", "y", "--method", method, "--no-honest")
    assert found.kept_ == expected["kept"]
    assert timeless(found.document_) == expected


def during(cluster: Cluster, work: Callable[[], Any], disturb: Callable[[], None]) -> Any:
    """What some work comes to while something is done to the cluster."""
    with ThreadPoolExecutor(1) as pool:
        working = pool.submit(work)
        try:
            disturb()
            return working.result(PATIENCE)
        finally:
            # The pool waits for the work, which must not wait for anything.
            cluster.cancel()


def trapped(
    cluster: Cluster, trap: Trap, work: Callable[[Any], Any], df: Any, then: Callable[[Run], None]
) -> Any:
    """What work on rows comes to that go through a trap, with something done to what it caught."""

    def disturb() -> None:
        then(wait_for(lambda: trap.runs("caught"), "a task in the trap")[0])

    return during(cluster, lambda: work(df.mapInArrow(trap, df.schema)), disturb)


def ran_again(trap: Trap) -> set[int]:
    """The partitions that were run more than once."""
    return {one.partition for one in trap.runs("started") if one.attempt > 0}


@pytest.mark.parametrize("work", [count, count_by_tree, coding_of])
def test_an_executor_that_is_killed_changes_nothing(cluster, df, data, tmp_path, work):
    trap = Trap(tmp_path, "wait", CAUGHT_AFTER)
    found = trapped(
        cluster, trap, lambda rows: work(rows, data), df, lambda run: cluster.kill(run.executor)
    )
    assert found == (data.coding if work is coding_of else data.counts)
    [caught] = trap.runs("caught")
    assert caught.partition in ran_again(trap)
    if work is count_by_tree:
        # What it had done lay on the executor for others to fetch, and went with it.
        done = {one.partition for one in trap.runs("ended") if one.executor == caught.executor}
        assert done
        assert done <= ran_again(trap)


def test_a_worker_that_is_killed_changes_nothing(cluster, df, data, tmp_path):
    def kill(run: Run) -> None:
        cluster.kill(cluster.workers[cluster.executors()[run.executor]].pid)

    trap = Trap(tmp_path, "wait", CAUGHT_AFTER)
    assert trapped(cluster, trap, lambda rows: count(rows, data), df, kill) == data.counts
    assert trap.runs("caught")[0].partition in ran_again(trap)


def test_a_task_that_fails_and_runs_again_changes_nothing(cluster, df, data, tmp_path):
    trap = Trap(tmp_path, "fail", CAUGHT_AFTER)
    found = trapped(cluster, trap, lambda rows: count(rows, data), df, lambda run: None)
    assert found == data.counts
    assert ran_again(trap) == {trap.runs("caught")[0].partition}


def test_an_executor_that_is_killed_changes_nothing_in_files(cluster, data, tmp_path):
    """Files are opened by tasks, where no trap can be: an executor that stands still holds one."""
    session = cluster.session(**LAYOUT)

    def work() -> Any:
        return spark.count_files(session, data.parts, data.coding)

    calm = work()
    assert calm.n_rows == N_FILES * N_ROWS
    victim = next(iter(cluster.executors()))

    def kill() -> None:
        wait_for(lambda: has_one_task_left(session), "the tasks of the other executor")
        cluster.kill(victim)

    with cluster.frozen(victim):
        assert during(cluster, work, kill) == calm
    assert last_stage(session).numFailedTasks > 0
    assert timeless(calm.select("mdl-fs").document_) == timeless(
        Counts.from_bytes(data.counts).select("mdl-fs").document_
    )


def last_stage(session: Any) -> Any:
    """How far the last stage is that was started."""
    tracker = session.sparkContext.statusTracker()
    jobs = tracker.getJobIdsForGroup(None)
    stages = tracker.getJobInfo(max(jobs)).stageIds
    return tracker.getStageInfo(max(stages))


def has_one_task_left(session: Any) -> bool:
    stage = last_stage(session)
    return bool(stage.numActiveTasks == 1 and stage.numCompletedTasks == stage.numTasks - 1)


@pytest.mark.parametrize("moment", ["started", "ended"])
def test_a_task_that_runs_in_two_copies_changes_nothing(cluster, data, tmp_path, moment):
    df = cluster.session(**LAYOUT, **SPECULATION).read.parquet(str(data.parts))
    trap = Trap(tmp_path, "wait", CAUGHT_AFTER)
    copies: list[Run] = []

    def let_go(caught: Run) -> None:
        def seen() -> list[Run]:
            return [one for one in trap.runs(moment) if is_copy(one, caught)]

        copies.extend(wait_for(seen, f"a second copy that has {moment}"))
        trap.go()

    found = trapped(cluster, trap, lambda rows: count(rows, data), df, let_go)
    assert found == data.counts
    assert copies


def is_copy(run: Run, of: Run) -> bool:
    return run.partition == of.partition and run.attempt > 0 and run.executor != of.executor
