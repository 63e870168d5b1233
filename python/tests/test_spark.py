"""Spark gives the answers of rows in memory, whatever the partitions."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
import sparks
from command import timeless
from guides import blocks
from in_parts import N_ROWS, features, in_memory, many_rows
from spark_cluster import wait_for

import bayesieve

sparks.needed()

import pandas as pd  # noqa: E402
import pyarrow as pa  # noqa: E402
import pyarrow.parquet as pq  # noqa: E402

from bayesieve import spark as bs  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

COLUMNS = many_rows()
TABLE = pa.table(COLUMNS)


@pytest.fixture(scope="module")
def spark():
    session = sparks.local_session()
    yield session
    session.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The rows in three files, of several row groups."""
    folder = tmp_path_factory.mktemp("data") / "rows.parquet"
    folder.mkdir()
    for place, first in enumerate(range(0, N_ROWS, 8_000)):
        rows = TABLE.slice(first, 8_000)
        pq.write_table(rows, folder / f"part-{place}.parquet", row_group_size=3_000)
    (folder / "_SUCCESS").touch()
    return folder


@pytest.fixture(scope="module")
def df(spark, folder):
    return spark.read.parquet(folder.as_uri())


@pytest.fixture(scope="module")
def coding(df):
    return bs.fit_coding(df)


@pytest.fixture(scope="module")
def counts(df, coding):
    return bs.count(df, coding)


SELECTORS = [
    bayesieve.MDLFS(),
    bayesieve.MRMR(),
    bayesieve.CFS(),
    bayesieve.FCBF(),
    bayesieve.InfoAS(criterion="cig", stop="chi2"),
    bayesieve.IAMB(),
]


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_selections_are_those_of_memory(df, coding, selector):
    settings = {"stop": "chi2"} if isinstance(selector, bayesieve.InfoAS) else None
    found = bs.select(df, "y", selector._method_name(), coding=coding, settings=settings)
    expected = in_memory(selector, COLUMNS)
    assert found.kept_ == expected.kept_
    assert found.score_ == expected.score_
    assert timeless(found.document_) == timeless(expected.document_)


@pytest.mark.parametrize("n_parts", [1, 3, 7])
def test_partitions_change_no_byte(df, coding, counts, n_parts):
    other = df.repartition(n_parts)
    assert bs.fit_coding(other) == coding
    assert bs.count(other, coding).to_bytes() == counts.to_bytes()


def test_an_empty_partition_changes_no_byte(df, coding, counts):
    # All rows in the partitions of three keys; the others of forty have none.
    other = df.repartition(40, df.few)
    assert bs.fit_coding(other) == coding
    assert bs.count(other, coding).to_bytes() == counts.to_bytes()


def test_a_tree_of_merges_changes_no_byte(df, coding, counts):
    other = df.repartition(12)
    assert bs.count(other, coding, merge="tree").to_bytes() == counts.to_bytes()
    assert bs.fit_coding(bs.rows(other, merge="tree")) == coding


def test_few_tasks_change_no_byte(df, coding, counts):
    assert bs.count(df.repartition(12), coding, tasks=2).to_bytes() == counts.to_bytes()


def test_workers_open_files_by_themselves(spark, folder, coding, counts):
    by_files = bs.count_files(spark, folder, coding, tasks=2)
    names = [f"{folder}/part-{place}.parquet#{group}" for place in range(2) for group in range(3)]
    assert list(by_files.shards)[:6] == names
    assert by_files.n_rows == N_ROWS
    # The same tables under other names.
    assert timeless(by_files.select("jmi").document_) == timeless(counts.select("jmi").document_)
    # However they are divided.
    each = [bs.count_files(spark, one, coding) for one in sorted(folder.glob("part-*"))]
    assert each[1] + (each[2] + each[0]) == by_files
    files = bs.files(spark, folder.as_uri())
    assert bs.fit_coding(files) == coding
    found = bs.select(files, method="iamb")
    assert found.kept_ == in_memory(bayesieve.IAMB(), COLUMNS).kept_


def test_files_that_are_no_good_are_refused(spark, folder, coding, tmp_path):
    with pytest.raises(bayesieve.DataError, match="nowhere"):
        bs.files(spark, tmp_path / "nowhere.parquet")
    with pytest.raises(bayesieve.DataError, match="there is no Parquet file"):
        bs.files(spark, tmp_path)
    with pytest.raises(bayesieve.SettingError, match="is given twice"):
        bs.files(spark, [folder, folder / "part-0.parquet"])
    (tmp_path / "text.parquet").write_text("no Parquet")
    with pytest.raises(bayesieve.DataError, match="cannot be read as Parquet"):
        bs.files(spark, tmp_path)
    pq.write_table(TABLE.slice(0, 50), tmp_path / "text.parquet")
    files = bs.files(spark, tmp_path)
    pq.write_table(TABLE.slice(0, 40), tmp_path / "text.parquet")
    with pytest.raises(bayesieve.DataError, match="the file has changed"):
        bs.fit_coding(files)


def test_nulls_and_nans_are_missing_alike(spark, df, coding):
    # "gaps" has nulls; as NaN they are missing, too.
    other = df.na.fill({"gaps": float("nan")})
    assert other.where("isnan(gaps)").count() > 1_000
    assert bs.fit_coding(other) == coding
    dropped = bs.fit_coding(df, missing="drop")
    complete = df.dropna().count()
    assert dropped.n_rows == bs.count(df, dropped).n_rows == complete < N_ROWS
    with pytest.raises(bayesieve.DataError, match=r'column "gaps": .* cells are missing'):
        bs.fit_coding(df, missing="refuse")


def test_what_the_coding_does_not_know_is_told_as_it_is(df, coding):
    from pyspark.sql import functions as f

    odd = f.when(df.near == COLUMNS["near"][17], "odd").otherwise(df.text)
    with pytest.raises(bayesieve.DataError) as raised:
        bs.count(df.withColumn("text", odd), coding)
    assert re.match(
        r'partition \d+(, .*)?, column "text": "odd" is not among the labels', str(raised.value)
    )
    gap = f.when(df.near == COLUMNS["near"][17], None).otherwise(df.few)
    with pytest.raises(bayesieve.DataError, match='column "few": an empty cell'):
        bs.count(df.withColumn("few", gap), coding, merge="tree")
    with pytest.raises(bayesieve.DataError, match='no column "text", which the coding has'):
        bs.count(df.drop("text"), coding)
    with pytest.raises(bayesieve.DataError, match=r'column "day": .* is a date'):
        bs.fit_coding(df.withColumn("day", f.current_date()))
    with pytest.raises(bayesieve.SettingError, match="merge='heap'"):
        bs.count(df, coding, merge="heap")
    with pytest.raises(bayesieve.SettingError, match="tasks=0"):
        bs.rows(df, tasks=0)
    with pytest.raises(bayesieve.DataError, match="dict is no DataFrame"):
        bs.count({}, coding)


def test_workers_that_lack_something_are_told_apart():
    from bayesieve.spark._errors import own_error

    text = "An exception was thrown from the Python worker:\nTraceback:\n  File ...\n"
    absent = own_error(RuntimeError(f"{text}ModuleNotFoundError: No module named 'pyarrow'\n at"))
    assert isinstance(absent, ImportError)
    assert "the workers of Spark have no pyarrow" in str(absent)
    other = own_error(RuntimeError(f"{text}bayesieve.InternalError: a defect \n\tat java.base"))
    assert isinstance(other, bayesieve.InternalError)
    assert str(other) == "a defect"
    assert own_error(RuntimeError("Lost executor 0")) is None


def test_names_may_have_dots_and_backticks(spark):
    rows = [(n % 3, n % 2, n % 2) for n in range(60)]
    odd = spark.createDataFrame(rows, ["a.b", "c`d", "y z"])
    coding = bs.fit_coding(odd, "y z")
    assert coding.features == ["a.b", "c`d"]
    assert bs.count(odd, coding).n_rows == 60
    assert bs.select(odd, "y z", "mrmr", coding=coding).kept_[0] == "c`d"


def test_names_may_differ_in_case_alone(spark):
    """Spark takes them for the same; places tell them apart."""
    cells = (
        spark.range(60).selectExpr("id % 3 as c", "id % 2 as C", "id % 2 as y").toDF("c", "C", "y")
    )
    coding = bs.fit_coding(cells, nominal=["c"])
    assert [coding.labels(name) for name in ("c", "C")] == [["0", "1", "2"], ["0", "1"]]
    model = bs.train(cells, model="nb", coding=coding)
    assert bs.predict(cells, model, columns=["y"]).where("predicted != y").count() == 0
    with pytest.raises(bayesieve.SettingError, match='Did you mean "y"'):
        bs.fit_coding(cells, "Y")


def test_rows_that_are_not_the_same_every_time_are_noticed(spark, tmp_path):
    def draw(batches):
        for batch in batches:
            (tmp_path / uuid.uuid4().hex).touch()
            # Fewer rows every time.
            yield batch.slice(len(list(tmp_path.iterdir())))

    rows = spark.range(0, 200, 1, 4).selectExpr("id % 3 as a", "id % 2 as y")
    with pytest.raises(bayesieve.DataError, match=r"rows before and .* now"):
        bs.select(rows.mapInArrow(draw, rows.schema), "y", "iamb")


def test_rows_that_are_not_there_are_told_of(spark, coding, df):
    none = spark.createDataFrame(spark.sparkContext.emptyRDD(), df.schema)
    assert none.rdd.getNumPartitions() == 0
    for empty in (none, df.where("few < -99")):
        assert bs.count(empty, coding, merge="tree").n_rows == 0
        with pytest.raises(bayesieve.DataError, match='column "y": the class has no value'):
            bs.fit_coding(empty)


def test_one_class_has_a_coding_and_no_selection(df):
    from pyspark.sql import functions as f

    alone = df.select("text", "few").withColumn("y", f.lit("all"))
    coding = bs.fit_coding(alone)
    assert coding.classes == ["all"]
    for work in (bs.select, bs.train):
        with pytest.raises(bayesieve.DataError, match="all rows are of one class"):
            work(alone, coding=coding)


def test_nested_columns_are_refused_where_they_are_used(df):
    from pyspark.sql import functions as f

    nested = df.select("few", "y", f.struct("text", "few").alias("both"))
    with pytest.raises(bayesieve.DataError, match=r'column "both": the type Struct.*Leave'):
        bs.fit_coding(nested)
    model = bs.train(nested, model="nb", ignore=["both"])
    told = bs.predict(nested, model).first()
    assert told["both"]["few"] == told["few"]


def test_labels_that_training_never_saw_are_summed_out(spark):
    rows = spark.createDataFrame([("p", 0)] * 3 + [("q", 1)], ["a", "y"])
    model = bs.train(rows, model="nb")
    new = spark.createDataFrame([("never",), (None,)], "a string")
    # Nothing is left but the shares of the classes: three of four, one of four.
    for row in bs.predict(new, model, columns=[]).collect():
        assert tuple(row) == (0, pytest.approx(0.75), pytest.approx(0.25))


def test_predictions_are_those_of_memory(df):
    X = pd.DataFrame(features(COLUMNS))
    for model, y in [
        (bayesieve.TAN(), pd.Series(COLUMNS["y"])),
        (bayesieve.NaiveBayes(), pd.Series(COLUMNS["y"]) == "yes"),
        (bayesieve.ID3(), (pd.Series(COLUMNS["y"]) == "yes").astype(int) + 7),
    ]:
        model.fit(X, y)
        told = bs.predict(df, model).collect()
        names = ["predicted", *(f"p({label})" for label in model._model.class_labels)]
        assert told[0].__fields__ == [*COLUMNS, *names]
        again = pd.DataFrame([row.asDict() for row in told])
        mine = again[list(features(COLUMNS))]
        assert again["predicted"].tolist() == model.predict(mine).tolist()
        assert again[names[1:]].to_numpy().tolist() == model.predict_proba(mine).tolist()


def test_models_are_those_of_memory(df, coding):
    X = pd.DataFrame(features(COLUMNS))
    selection = bs.select(df, coding=coding)
    model = bs.train(df, "y", selection=selection, coding=coding)
    expected = bayesieve.TAN().fit(X[[name for name in X if name in selection.kept_]], COLUMNS["y"])
    assert (
        model.predict_proba(X).tolist()
        == expected.predict_proba(X[model.feature_names_in_]).tolist()
    )


def test_predictions_hand_on_what_is_asked_for(df, tmp_path):
    X = pd.DataFrame(features(COLUMNS))[["text", "few"]]
    model = bayesieve.NaiveBayes().fit(X, COLUMNS["y"])
    model.to_json(tmp_path / "model.json")
    told = bs.predict(df, tmp_path / "model.json", columns=["steps"])
    assert told.columns == ["steps", "predicted", "p(no)", "p(yes)"]
    assert told.count() == N_ROWS
    with pytest.raises(bayesieve.DataError, match='no column "text", which the model needs'):
        bs.predict(df.drop("text"), model)
    with pytest.raises(bayesieve.SettingError, match="is no classifier"):
        bs.predict(df, bayesieve.MDLFS())
    with pytest.raises(bayesieve.DataError, match='two columns are named "few"'):
        bs.predict(df.select("text", "few", "few"), model)
    with pytest.raises(bayesieve.DataError, match='there is a column "predicted" already'):
        bs.predict(bs.predict(df, model), model)


def test_the_lines_of_the_guide_run(spark, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    y = [int(one == "yes") for one in COLUMNS["y"]]
    visits = pa.table({**COLUMNS, "y": y, "id": range(N_ROWS)})
    pq.write_table(visits.slice(0, 15_000), "visits.parquet", row_group_size=4_000)
    pq.write_table(visits.slice(15_000), "new.parquet")
    names = {"spark": spark, "new_rows": spark.read.parquet(f"{tmp_path}/new.parquet")}
    others = blocks("spark.md", "## Dask and Ray")
    lines = [one for one in blocks("spark.md") if one not in others]
    assert len(lines) == 5
    for block in lines:
        # Spark was started in another folder.
        exec(block.replace('"visits.parquet"', f'"{tmp_path}/visits.parquet"'), names)
    assert "predicted" in capsys.readouterr().out


@pytest.mark.parametrize("work", [bs.fit_coding, bs.select], ids=["fit_coding", "select"])
def test_ctrl_c_ends_the_job_and_not_the_session(spark, tmp_path, work):
    def slow(batches):
        (tmp_path / "started").touch()
        time.sleep(60)
        yield from batches

    def press():
        wait_for(lambda: (tmp_path / "started").exists(), "a task")
        os.kill(os.getpid(), signal.SIGINT)

    tracker, before = spark.sparkContext.statusTracker(), signal.getsignal(signal.SIGINT)
    rows = spark.range(0, 40, 1, 2).selectExpr("id % 3 as a", "id % 2 as y")
    coding = {} if work is bs.fit_coding else {"coding": bs.fit_coding(rows)}
    with ThreadPoolExecutor(1) as pool:
        pressed = pool.submit(press)
        with pytest.raises(KeyboardInterrupt):
            work(rows.mapInArrow(slow, rows.schema), "y", **coding)
        pressed.result()
    wait_for(lambda: not tracker.getActiveJobsIds(), "the end of the job", patience=10)
    assert not spark.sparkContext.getJobTags()
    assert signal.getsignal(signal.SIGINT) is before
    assert bs.fit_coding(rows).n_rows == 40


def test_ctrl_c_is_told_of_whatever_else_fails_with_it():
    """The connection to Java breaks off, and the next calls over it may fail."""
    from bayesieve.spark._stop import ending_together

    done = []

    class Context:
        def addJobTag(self, tag):  # noqa: N802
            done.append(("add", tag))

        def cancelJobsWithTag(self, tag):  # noqa: N802
            done.append(("cancel", tag))
            if len(done) < 3:
                raise ConnectionError("broken off")

        def removeJobTag(self, tag):  # noqa: N802
            raise ConnectionError("broken off")

    def interrupted():
        try:
            raise KeyboardInterrupt
        finally:
            raise ConnectionError("broken off")

    with pytest.raises(KeyboardInterrupt), ending_together(SimpleNamespace(sparkContext=Context())):
        interrupted()
    assert [what for what, _ in done] == ["add", "cancel", "cancel"]
    assert len({tag for _, tag in done}) == 1
    # Without a context, as on clusters that keep it to themselves, jobs are run all the same.
    with pytest.raises(ConnectionError), ending_together(None):
        raise ConnectionError


CONNECT = Path(__file__).with_name("connect.py")


def test_a_session_of_connect_gives_the_same(folder, coding, counts, tmp_path):
    pytest.importorskip("grpc", reason="pyspark[connect] is not installed")
    done = subprocess.run(
        [sys.executable, CONNECT, folder.as_uri(), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=None,
    )
    assert done.returncode == 0, done.stderr[-4_000:]
    assert (tmp_path / "coding.json").read_text(encoding="utf-8") == coding.to_json()
    for name in ("driver", "tree"):
        assert (tmp_path / f"{name}.counts").read_bytes() == counts.to_bytes()
    kept = (tmp_path / "kept").read_text(encoding="utf-8").split()
    assert kept == in_memory(bayesieve.IAMB(), COLUMNS).kept_
    said = (tmp_path / "said").read_text(encoding="utf-8")
    assert '"odd" is not among the labels' in said
