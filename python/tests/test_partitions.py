"""Rows in partitions give the answers of rows in memory."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import signal
import subprocess
import sys

import pytest
from command import document, run, timeless, write_csv
from in_parts import features, in_memory, in_parts, many_rows

import bayesieve
from bayesieve import partitions
from bayesieve.coding import Coding
from bayesieve.counts import Counts
from bayesieve.partitions import Partitions

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

COLUMNS = many_rows(n_rows=5_000)
TABLE = pa.table(COLUMNS)

#: One for every kind of question that methods ask.
SELECTORS = [
    bayesieve.MDLFS(),
    bayesieve.MDL(model="nb", search="backward"),
    bayesieve.MRMR(count=4),
    bayesieve.MRMR(scheme="miq"),
    bayesieve.JMI(),
    bayesieve.CMIM(),
    bayesieve.CFS(),
    bayesieve.FCBF(),
    bayesieve.KollerSahami(),
    bayesieve.KollerSahami(k=2),
    bayesieve.InfoAS(),
    bayesieve.InfoAS(criterion="cig", stop="chi2"),
    bayesieve.IAMB(),
    bayesieve.IAMB(interleaved=True),
    bayesieve.HITONMB(),
    bayesieve.MMMB(),
    bayesieve.RPDMB(),
]


@pytest.fixture(scope="module")
def coding():
    return partitions.fit_coding(in_parts(TABLE))


def words(selector):
    """What `select` is told to do the same."""
    given = selector._request([])
    return {name: given[name] for name in ("method", "model", "search", "count", "settings")}


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_selections_are_those_of_memory(selector, coding):
    found = partitions.select(in_parts(TABLE, 4), coding=coding, **words(selector))
    expected = in_memory(selector, COLUMNS)
    assert timeless(found.document_) == timeless(expected.document_)
    assert type(found) is type(selector)


@pytest.mark.parametrize("declared", [{}, {"nominal": ["levels"]}, {"numeric": ["flag"]}])
def test_few_whole_numbers_are_what_they_are_in_memory(declared):
    shift = [4 * (one == "yes") for one in COLUMNS["y"]]
    few = {
        "levels": [one + place % 7 for place, one in enumerate(shift)],
        "codes": [place % 3 for place in range(len(shift))],
        "flag": [place % 2 for place in range(len(shift))],
    }
    rows = {**few, **COLUMNS}
    found = partitions.select(in_parts(pa.table(rows)), method="mrmr", count=4, **declared)
    expected = in_memory(bayesieve.MRMR(count=4, **declared), rows)
    assert timeless(found.document_) == timeless(expected.document_)
    named = '"codes"' if "nominal" in declared else '"levels", "codes"'
    assert found.notes_[0].split(" hold")[0].endswith(named)
    # The two values of a flag are labels unless somebody says otherwise; that asks for no note.
    assert not any("flag" in note for note in found.notes_)


@pytest.mark.parametrize("missing", ["value", "drop", "available"])
def test_gaps_mean_what_they_mean_in_memory(missing):
    found = partitions.select(in_parts(TABLE), method="jmi", missing=missing, discretize="width:5")
    expected = in_memory(bayesieve.JMI(missing=missing, discretize="width:5"), COLUMNS)
    assert timeless(found.document_) == timeless(expected.document_)


def test_rows_without_a_class_do_not_count():
    rows = TABLE.set_column(
        TABLE.column_names.index("y"), "y", pa.array(["no", None, "yes", "no", None] * 1_000)
    )
    coding = partitions.fit_coding(in_parts(rows))
    assert coding.n_rows == partitions.count(in_parts(rows), coding).n_rows == 3_000
    assert any("2,000 rows" in note for note in coding.notes)


@pytest.mark.parametrize(("n_parts", "batch"), [(1, 5_000), (3, 77), (7, 1_000)])
def test_neither_parts_nor_batches_change_a_byte(n_parts, batch, coding):
    rows = in_parts(TABLE, n_parts, batch)
    assert partitions.fit_coding(rows) == coding
    expected = partitions.count(in_parts(TABLE), coding)
    assert partitions.count(rows, coding).to_bytes() == expected.to_bytes()


def test_a_part_without_rows_changes_nothing(coding):
    rows = in_parts(TABLE)
    empty = in_parts(TABLE.slice(0, 0), 1, each=lambda task, _, __: task([], "nobody"))
    both = Partitions(rows.columns, lambda task: [*rows.run(task), *empty.run(task)])
    assert partitions.fit_coding(both) == coding
    assert partitions.count(both, coding) == partitions.count(rows, coding)


def test_no_rows_at_all_are_refused_in_words(coding):
    none = Partitions(TABLE.column_names, lambda _: [])
    with pytest.raises(bayesieve.DataError, match="class"):
        partitions.fit_coding(none)
    assert partitions.count(none, Coding.from_json(coding.to_json())).n_rows == 0


def test_the_answer_to_another_question_is_refused(coding):
    rows, said = in_parts(TABLE), []

    def run(task):
        said.append(rows.run(task))
        return said[0]

    with pytest.raises(bayesieve.DataError, match="joint"):
        partitions.select(Partitions(rows.columns, run), coding=coding, method="iamb")


def test_a_part_that_comes_twice_is_refused(coding):
    rows = in_parts(TABLE)
    twice = Partitions(rows.columns, lambda task: [*rows.run(task), *rows.run(task)[1:2]])
    with pytest.raises(bayesieve.DataError, match=r"\"part 1\" is in both.*count twice"):
        partitions.count(twice, coding)


def test_rows_that_are_not_the_same_every_time_are_noticed():
    sizes = iter([5_000, 4_990, 5_000, 5_000, 4_990])
    rows = Partitions(
        TABLE.column_names, lambda task: in_parts(TABLE.slice(0, next(sizes))).run(task)
    )
    coding = partitions.fit_coding(rows)
    with pytest.raises(bayesieve.DataError, match=r"5,000 rows before and 4,990 now.*persist"):
        partitions.count(rows, coding)
    # The first tables are of all rows, those of a later step are not.
    with pytest.raises(bayesieve.DataError, match="5,000 rows before and 4,990 now"):
        partitions.select(rows, method="cdc-as", coding=Coding(coding.to_json()))


def test_rows_may_be_of_a_class_with_slots():
    """Such objects cannot be referred to weakly."""

    class Slotted:
        __slots__ = ("columns", "run", "shard")

        def __init__(self, n_rows):
            self.columns, self.shard = TABLE.column_names, "rows"
            self.run = in_parts(TABLE.slice(0, n_rows)).run

    rows = Slotted(5_000)
    coding = partitions.fit_coding(rows)
    assert partitions.count(rows, coding).n_rows == 5_000
    rows.run = Slotted(4_990).run
    with pytest.raises(bayesieve.DataError, match="5,000 rows before and 4,990 now"):
        partitions.count(rows, coding)
    assert partitions.count(Slotted(4_990), coding).n_rows == 4_990


def test_a_coding_of_other_rows_may_be_used(coding):
    assert partitions.count(in_parts(TABLE.slice(0, 100)), coding).n_rows == 100


def test_what_the_coding_does_not_know_is_named_with_its_place(coding):
    def with_cell(name, value):
        cells = TABLE.column(name).to_pylist()
        cells[4_000] = value
        return TABLE.set_column(TABLE.column_names.index(name), name, pa.array(cells))

    with pytest.raises(bayesieve.DataError, match='part 2, column "text": "other" is not among'):
        partitions.count(in_parts(with_cell("text", "other")), coding)
    with pytest.raises(bayesieve.DataError, match='column "few": an empty cell'):
        partitions.count(in_parts(with_cell("few", None)), coding)
    with pytest.raises(bayesieve.DataError, match='column "y": "maybe"'):
        partitions.count(in_parts(with_cell("y", "maybe")), coding)


def test_wrong_columns_and_words_are_refused_before_anything_runs(coding):
    def never(_):
        raise AssertionError("this was run")

    rows = Partitions(TABLE.column_names, never)
    with pytest.raises(bayesieve.SettingError, match='there is no column "Y"'):
        partitions.fit_coding(rows, "Y")
    with pytest.raises(bayesieve.SettingError, match='Did you mean "near"'):
        partitions.fit_coding(rows, ignore=["neer"])
    with pytest.raises(bayesieve.DataError, match='no column "near"'):
        partitions.count(Partitions(["y"], never), coding)
    with pytest.raises(bayesieve.SettingError, match="no method 'mdlfs'"):
        partitions.select(rows, method="mdlfs", coding=coding)
    with pytest.raises(bayesieve.SettingError, match="needs the rows in memory"):
        partitions.select(rows, method="wrapper", coding=coding)
    with pytest.raises(bayesieve.SettingError, match="missing is settled by the coding"):
        partitions.select(rows, coding=coding, missing="drop")
    with pytest.raises(bayesieve.SettingError, match=r"no parameter 'mising'.* missing,"):
        partitions.select(rows, mising="drop")
    with pytest.raises(bayesieve.SettingError, match="is no coding"):
        partitions.count(rows, "coding.json")
    with pytest.raises(bayesieve.SettingError, match="max_labels=0"):
        partitions.fit_coding(rows, max_labels=0)
    with pytest.raises(bayesieve.DataError, match='two columns are named "a"'):
        partitions.fit_coding(Partitions(["a", "y", "a"], never))
    with pytest.raises(bayesieve.DataError, match="list are in no partitions"):
        partitions.fit_coding([1, 2])


def test_a_column_of_too_many_labels_is_refused():
    rows = in_parts(TABLE.append_column("id", pa.array([f"row {n}" for n in range(5_000)])))
    with pytest.raises(bayesieve.DataError, match=r'column "id": .* more than 1,000 different'):
        partitions.fit_coding(rows, max_labels=1_000)


def test_columns_that_are_left_out_have_their_reason():
    found = partitions.select(in_parts(TABLE), ignore=["noise"], numeric=["few"], keep=["far"])
    assert "excluded" in found.explain("noise") or "left out" in found.explain("noise")
    assert "far" in found.kept_
    assert Coding(partitions.fit_coding(in_parts(TABLE), features=["near", "text"]).to_json())
    assert partitions.fit_coding(in_parts(TABLE), features=["text", "near"]).features == [
        "near",
        "text",
    ]


def test_numbers_in_some_parts_and_text_in_others_are_labels():
    """As Dask hands them over: partitions of a column of objects have types of their own."""
    numbers = pa.table({"a": [1, 2, 3, 2], "y": [0, 1, 0, 1]})
    texts = pa.table({"a": ["1", "x", "x", "1"], "y": [0, 1, 0, 1]})

    def run(task):
        return [task(one.to_batches(), str(n)) for n, one in enumerate([numbers, texts])]

    rows = Partitions(["a", "y"], run)
    coding = partitions.fit_coding(rows)
    assert coding.labels("a") == ["1", "2", "3", "x"]
    assert partitions.count(rows, coding).n_rows == 8


def test_columns_that_turn_out_to_be_text_one_after_the_other_are_labels():
    """Parts whose types are guessed from other rows every time: three readings, not two."""
    asked = []

    def cells(name):
        # In the first reading "a" is numbers and text, in the second "b" is, too.
        is_text = len(asked) >= {"a": 1, "b": 2}[name]
        return pa.array(["1", "x", "2", "x"]) if is_text else pa.array([1, 2, 1, 2])

    def run(task):
        asked.append(task)
        numbers = pa.table({"a": [1, 2, 3, 2], "b": [4, 5, 4, 5], "y": [0, 1, 0, 1]})
        others = pa.table({"a": cells("a"), "b": cells("b"), "y": [0, 1, 0, 1]})
        return [task(one.to_batches(), str(n)) for n, one in enumerate([numbers, others])]

    coding = partitions.fit_coding(Partitions(["a", "b", "y"], run))
    assert len(asked) == 3
    assert coding.labels("a") == ["1", "2", "3", "x"]
    assert coding.labels("b") == ["1", "2", "4", "5", "x"]


def test_truth_values_are_numbers_where_they_are_declared_so():
    coding = partitions.fit_coding(in_parts(TABLE), numeric=["flag"])
    assert coding.cut_points("flag") is not None
    assert partitions.count(in_parts(TABLE), coding).n_rows == 5_000


def test_codings_and_counts_are_kept_in_the_commands_files(coding, tmp_path):
    data = write_csv(tmp_path / "data.csv", COLUMNS)
    coding.save(tmp_path / "coding.json")
    assert Coding.load(tmp_path / "coding.json") == coding
    assert Coding.from_json(coding.to_json()) == coding
    assert pickle.loads(pickle.dumps(coding)) == coding
    theirs = tmp_path / "theirs.counts"
    run("count", data, "--domains", tmp_path / "coding.json", "-o", theirs, "--quiet")
    mine = partitions.count(in_parts(TABLE), coding)
    mine.save(tmp_path / "mine.counts")
    assert Counts.load(tmp_path / "mine.counts") == mine == pickle.loads(pickle.dumps(mine))
    theirs = bayesieve.read_counts(theirs)
    for method in ("mdl-fs", "mrmr", "cfs"):
        documents = [timeless(one.select(method).document_) for one in (mine, theirs)]
        assert documents[0] == documents[1]
    both = mine + theirs
    assert both.n_rows == 10_000
    assert len(both.shards) == 2
    assert theirs + mine == both
    run("merge", tmp_path / "mine.counts", tmp_path / "theirs.counts", "-o", tmp_path / "all")
    assert (tmp_path / "all").read_bytes() == both.to_bytes()


def test_the_same_rows_are_not_added_twice(coding):
    counts = partitions.count(in_parts(TABLE), coding)
    with pytest.raises(bayesieve.DataError, match="is in both"):
        counts.merge(partitions.count(in_parts(TABLE, 5), coding))


def test_counts_answer_as_rows_do_as_far_as_pairs_tell(coding):
    counts = partitions.count(in_parts(TABLE), coding)
    for selector in (bayesieve.MDLFS(), bayesieve.JMI(count=3)):
        told = words(selector)
        assert counts.select(**told).kept_ == in_memory(selector, COLUMNS).kept_
    with pytest.raises(bayesieve.SettingError, match="a table of 3 features is needed"):
        counts.select("cdc-as")
    with pytest.raises(bayesieve.SettingError, match="needs the rows"):
        counts.select("auto")


def test_what_a_run_asks_for_may_fail_and_be_stopped(coding):
    class LostError(Exception):
        pass

    rows = in_parts(TABLE)
    n_jobs = iter(range(10))

    def lost(task):
        if next(n_jobs) == 2:
            raise LostError("the cluster is gone")
        return rows.run(task)

    with pytest.raises(LostError, match="the cluster is gone"):
        partitions.select(Partitions(rows.columns, lost), method="cdc-as", coding=coding)

    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(bayesieve.Interrupted):
        partitions.select(Partitions(rows.columns, interrupted), coding=coding)


POOL = """
import os, signal, sys, time
from multiprocessing import Pool
import pyarrow as pa
from bayesieve import partitions

cells = [0, 1] * 20

def one(task, part):
    if "slow" in sys.argv:
        if part == "1":
            print("started", flush=True)
        time.sleep(60)
    return task(pa.table({"a": cells, "y": cells}).select(task.columns).to_batches(), part)

def run(task):
    with Pool(2) as pool:
        return pool.starmap(one, [(task, "1"), (task, "2")])

if __name__ == "__main__":
    rows = partitions.Partitions(["a", "y"], run)
    coding = partitions.fit_coding(rows)
    sys.argv.append("slow")
    try:
        partitions.select(rows, coding=coding)
    except KeyboardInterrupt as error:
        print(type(error).__name__)
"""


def test_ctrl_c_ends_a_run_in_processes(tmp_path):
    """In a task of a minute. A pool whose workers are interrupted, too, may never end."""
    (tmp_path / "pool.py").write_text(POOL, encoding="utf-8")
    told = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, tmp_path / "pool.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env=told,
    )
    try:
        assert process.stdout.readline() == "started\n"
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=30)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert said.splitlines()[-1] == "Interrupted"
    assert [one.name for one in tmp_path.iterdir()] == ["pool.py"]


def test_a_selection_from_partitions_has_its_page_and_its_file(coding, tmp_path):
    found = partitions.select(in_parts(TABLE), coding=coding)
    found.report(tmp_path / "page.html")
    assert "5,000 rows" in (tmp_path / "page.html").read_text(encoding="utf-8")
    found.to_json(tmp_path / "selection.json")
    data = write_csv(tmp_path / "data.csv", COLUMNS)
    model = tmp_path / "model.json"
    run("train", data, "--selection", tmp_path / "selection.json", "-o", model, "--quiet")
    assert document("select", data, "--class", "y", "--method", "mdl-fs")["kept"] == found.kept_


MODELS = [
    bayesieve.NaiveBayes(),
    bayesieve.TAN(),
    bayesieve.TAN(smoothing="mixing"),
    bayesieve.NaiveBayes(alpha=0.5),
]


@pytest.mark.parametrize("classifier", MODELS, ids=repr)
@pytest.mark.parametrize("kept", [None, ["text", "near", "holes"]])
def test_models_are_those_of_memory(classifier, kept, coding):
    X = pd.DataFrame(features(COLUMNS))
    # In the order of the columns, whatever the order of the features.
    X = X if kept is None else X[["near", "text", "holes"]]
    expected = classifier.fit(X, pd.Series(COLUMNS["y"], name="y"))._model.document()
    kind, settings = classifier._model_name(), classifier._own_settings()
    told = {"features": kept, "settings": settings}
    rows = in_parts(TABLE)
    for found in (
        partitions.train(rows, "y", kind, coding=coding, **told),
        partitions.train(rows, model=kind, **told),
        partitions.count(rows, coding).train(kind, **told),
    ):
        assert type(found) is type(classifier)
        assert found._model.document() == expected


def test_training_takes_what_a_selection_keeps(coding, tmp_path):
    rows = in_parts(TABLE)
    selection = partitions.select(rows, coding=coding, model="nb")
    selection.to_json(tmp_path / "selection.json")
    model = partitions.train(rows, selection=selection)
    assert isinstance(model, bayesieve.NaiveBayes)
    assert model._model.features == [name for name in TABLE.column_names if name in selection.kept_]
    again = partitions.count(rows, coding).train(selection=tmp_path / "selection.json")
    assert again.to_json() == model.to_json()
    with pytest.raises(bayesieve.SettingError, match="Give one"):
        partitions.train(rows, selection=selection, features=["near"])
    with pytest.raises(bayesieve.SettingError, match="is no selection"):
        partitions.train(rows, selection=model)
    with pytest.raises(bayesieve.SettingError, match="id3 needs the rows in memory"):
        partitions.train(rows, model="id3", coding=coding)
    with pytest.raises(bayesieve.SettingError, match='no column "neer"'):
        partitions.train(rows, features=["neer"])


def test_naive_bayes_asks_for_single_tables_alone(coding):
    asked = []
    rows = in_parts(TABLE)

    def run(task):
        asked.append(json.loads(task._wanted))
        return rows.run(task)

    partitions.train(Partitions(rows.columns, run), model="nb", features=["near"], coding=coding)
    assert asked == [{"tables": {"features": [0], "pairs": "none"}}]
    asked.clear()
    partitions.train(Partitions(rows.columns, run), model="tan", coding=coding)
    assert [one["tables"]["pairs"] for one in asked] == ["all"]


@pytest.mark.parametrize("levels", ["auto", 0])
def test_descriptions_are_those_of_memory(levels, coding, tmp_path):
    X = pd.DataFrame(features(COLUMNS))
    expected = bayesieve.describe(X, pd.Series(COLUMNS["y"], name="y"), levels=levels)
    expected = timeless(expected.attrs["document"])
    page = tmp_path / "page.html"
    for found in (
        partitions.describe(in_parts(TABLE), "y", levels=levels, report=page),
        partitions.describe(partitions.count(in_parts(TABLE), coding), levels=levels),
    ):
        told = timeless(found.attrs["document"])
        # Which rows are equal only rows can tell.
        assert told == {**expected, "duplicate_rows": None}
    assert "5,000" in page.read_text(encoding="utf-8")


WORKER = """
import sys
for name in ("numpy", "pandas", "sklearn", "scipy"):
    sys.modules[name] = None  # as if it were not installed
import pickle
import pyarrow as pa

tasks, rows = pickle.load(sys.stdin.buffer)
table = pa.ipc.open_stream(rows).read_all()
answers = [task(table.select(task.columns).to_batches(), "part 0") for task in tasks]
sys.stdout.buffer.write(pickle.dumps(answers))
"""


def test_workers_need_pyarrow_and_the_package_alone(coding):
    tasks, expected = [], []

    def run(task):
        tasks.append(task)
        expected.append(task(TABLE.select(task.columns).to_batches(), "part 0"))
        return expected[-1:]

    rows = Partitions(TABLE.column_names, run)
    partitions.select(rows, method="cdc-as")
    assert len(tasks) > 3
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, TABLE.schema) as stream:
        stream.write_table(TABLE)
    given = pickle.dumps((tasks, sink.getvalue().to_pybytes()))
    done = subprocess.run([sys.executable, "-c", WORKER], input=given, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    assert pickle.loads(done.stdout) == expected


def test_a_coding_says_what_it_is(coding):
    assert coding.class_name == "y"
    assert coding.classes == ["no", "yes"]
    assert coding.labels("flag") == ["false", "true"]
    assert coding.cut_points("near")
    assert coding.labels("near") is None
    assert repr(coding) == "Coding(11 features, class 'y' of 2, learned on 5,000 rows)"
    assert coding.fingerprint == Coding(json.dumps(coding.document)).fingerprint
    with pytest.raises(bayesieve.SettingError, match='no column "other"'):
        coding.labels("other")
    with pytest.raises(bayesieve.DataError, match="domains cannot be read"):
        Coding("{}")
