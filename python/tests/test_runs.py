"""How runs go: threads, seeds, progress, budgets, Ctrl-C, and what goes wrong."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from itertools import pairwise

import numpy as np
import pytest
from command import run, timeless, write_csv
from estimators import CLASSIFIERS, SELECTORS
from test_behavior import PACKAGE, run_python
from test_data import NUMBERS, N, Y

import bayesieve
from bayesieve import (
    FSSEBNA,
    MDLFS,
    DataError,
    InternalError,
    Interrupted,
    OutputError,
    SettingError,
    Wrapper,
)

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

RNG = np.random.default_rng(5)
WIDE_Y = RNG.integers(0, 3, 3000)
WIDE = (WIDE_Y[:, None] * RNG.random(30) + RNG.integers(0, 9, (3000, 30))).astype(int)


def long_run(seconds: float, **parameters) -> FSSEBNA:
    """A run that would take minutes, and stops by itself after some seconds."""
    settings = {"population": 400, "generations": 1000, "patience": 1000, "advance": "better"}
    return FSSEBNA(model="tan", nominal="all", settings=settings, budget=seconds, **parameters)


# Threads and seeds


@pytest.mark.parametrize("estimator", [*SELECTORS, *CLASSIFIERS], ids=repr)
def test_threads_do_not_change_answers(estimator):
    X, y = WIDE[:300, :8], WIDE_Y[:300]
    answers = []
    for n_jobs in (1, 2, 7, None, -1):
        estimator.set_params(n_jobs=n_jobs).fit(X, y)
        is_selector = estimator in SELECTORS
        answers.append(timeless(estimator.document_) if is_selector else estimator.to_json())
    estimator.set_params(n_jobs=None)
    assert all(one == answers[0] for one in answers)


def test_n_jobs(monkeypatch):
    from bayesieve import _run

    assert _run.threads(-1) == _run.cores()
    monkeypatch.setattr(_run, "cores", lambda: 4)
    asked = (1, 3, 4, -1, -2, -1000)
    assert [_run.threads(one) for one in asked] == [1, 3, 4, 4, 3, 1]
    # A typing error shall not fill the memory with stacks.
    assert _run.threads(5) == _run.threads(10**6) == 4
    for wrong in (0, 1.5, "two", True):
        with pytest.raises(SettingError, match="n_jobs="):
            MDLFS(n_jobs=wrong).fit(NUMBERS, Y)


def test_workers_of_joblib_use_their_share_of_the_cores(monkeypatch):
    from bayesieve import _run

    monkeypatch.setattr(_run, "cores", lambda: 4)
    for share, n_threads in [("1", 1), ("3", 3), ("1000000", 4), ("0", 4), ("x", 4), ("²", 4)]:
        monkeypatch.setenv("OMP_NUM_THREADS", share)
        assert _run.threads(None) == n_threads
        assert _run.threads(2) == 2


def drawn(random_state):
    """A selection that depends on what is drawn."""
    search = {"population": 10, "generations": 2}
    selector = Wrapper(search="genetic", cv=2, repeat=1, settings=search, random_state=random_state)
    document = selector.fit(WIDE[:200], WIDE_Y[:200]).document_
    return document["kept"], document["score"], document["evaluations"], document["seed"]


def test_seeds():
    assert drawn(None) == drawn(1) == drawn(np.int64(1))
    assert drawn(1) != drawn(2)
    for make in (np.random.RandomState, np.random.default_rng):
        assert drawn(make(3)) == drawn(make(3))
        assert drawn(make(3)) != drawn(make(4))
        generator = make(3)
        # A generator goes on: the second run draws other numbers.
        assert drawn(generator) != drawn(generator)
    for wrong in (-1, 2**64, 0.5, "one", True):
        with pytest.raises(SettingError, match="random_state="):
            drawn(wrong)


# Progress


class EnoughError(Exception):
    """Raised by callbacks that have heard enough."""


class Listener:
    """Hears news and stops the run, so that no test waits for a clock."""

    def __init__(self, n_news: int = 3) -> None:
        self.n_news = n_news
        self.news: list[tuple[str, int, int]] = []

    def __call__(self, stage: str, done: int, total: int) -> None:
        self.news.append((stage, done, total))
        if len(self.news) == self.n_news:
            raise EnoughError


def test_callbacks_hear_how_far_a_run_is():
    listener = Listener()
    with pytest.raises(EnoughError):
        long_run(60, callback=listener).fit(WIDE, WIDE_Y)
    for stage, done, total in listener.news:
        assert isinstance(stage, str)
        assert stage
        assert 0 <= done <= total or total == 0


def test_what_a_callback_raises_stops_the_run():
    def stop(stage, done, total):
        raise LookupError("enough")

    selector = long_run(60, callback=stop)
    start = time.monotonic()
    with pytest.raises(LookupError, match="enough"):
        selector.fit(WIDE, WIDE_Y)
    assert time.monotonic() - start < 10
    assert not hasattr(selector, "support_")


def test_comparisons_take_callbacks():
    with pytest.raises(EnoughError):
        bayesieve.compare(WIDE, WIDE_Y, pipelines=["wrapper/tan"], callback=Listener(1))


def test_verbose_shows_a_bar(capfd):
    pytest.importorskip("tqdm")
    with pytest.raises(EnoughError):
        long_run(60, verbose=1, callback=Listener()).fit(WIDE, WIDE_Y)
    told = capfd.readouterr()
    assert "%|" in told.err or "it [" in told.err
    assert told.out == ""


def test_verbose_writes_lines_where_there_is_no_bar(capfd, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    listener = Listener(6)
    with pytest.raises(EnoughError):
        long_run(60, verbose=1, callback=listener).fit(WIDE, WIDE_Y)
    told = capfd.readouterr()
    assert told.err.startswith("bayesieve: ")
    # A line for a new stage and one now and then, not one for all there is to hear.
    stages = [stage for stage, *_ in listener.news]
    n_stages = 1 + sum(a != b for a, b in pairwise(stages))
    assert n_stages <= told.err.count("\n") <= n_stages + 2


def test_silence_without_verbose(capfd):
    long_run(0.3).fit(WIDE, WIDE_Y)
    told = capfd.readouterr()
    assert (told.out, told.err) == ("", "")


# Time


def test_a_budget_stops_a_run_with_the_best_so_far():
    start = time.monotonic()
    selector = long_run(0.3).fit(WIDE, WIDE_Y)
    assert time.monotonic() - start < 5
    assert selector.document_["stop"]["reason"] == "budget"
    assert len(selector.kept_) + len(selector.dropped_) == 30


@pytest.mark.parametrize("wrong", [0, -1, np.nan, np.inf, "3s", True])
def test_what_is_no_budget(wrong):
    with pytest.raises(SettingError, match="budget"):
        MDLFS(budget=wrong).fit(NUMBERS, Y)
    with pytest.raises(SettingError, match="budget"):
        bayesieve.compare(NUMBERS, Y, pipelines=["all/nb"], budget=wrong)


def test_other_threads_run_during_a_fit():
    ticks = []
    is_done = threading.Event()

    def tick():
        while not is_done.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    long_run(1.0, n_jobs=1).fit(WIDE, WIDE_Y)
    end = time.monotonic()
    is_done.set()
    thread.join()
    # With the lock held there would be a tick at each end of the fit and none between.
    assert sum(start + 0.1 < one < end - 0.1 for one in ticks) >= 3


def test_estimators_can_be_fitted_in_threads_at_once():
    expected = timeless(MDLFS().fit(NUMBERS, Y).document_)
    found = []

    def fit():
        found.extend(timeless(MDLFS().fit(NUMBERS, Y).document_) for _ in range(10))

    threads = [threading.Thread(target=fit) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(found) == 40
    assert all(one == expected for one in found)


INTERRUPTED = """
    import sys, time
    import numpy as np
    import bayesieve

    rng = np.random.default_rng(5)
    y = rng.integers(0, 3, 3000)
    X = (y[:, None] * rng.random(30) + rng.integers(0, 9, (3000, 30))).astype(int)
    is_first = True

    def say(*news):
        global is_first
        if is_first:
            print("running", flush=True)
            is_first = False

    settings = {"population": 400, "generations": 1000, "patience": 1000, "advance": "better"}
    selector = bayesieve.FSSEBNA(
        model="tan", nominal="all", settings=settings, callback=say
    )
    try:
        selector.fit(X, y)
    except KeyboardInterrupt as error:
        stopped = time.time()
        assert type(error) is bayesieve.Interrupted, type(error)
        assert type(error.__cause__) is KeyboardInterrupt
        print(stopped, error, flush=True)
    # The process goes on as if nothing had been.
    assert bayesieve.MDLFS().fit(X[:200], y[:200]).kept_ is not None
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_stops_a_run_at_once():
    words = [sys.executable, "-c", textwrap.dedent(INTERRUPTED)]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    with subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "running\n"
        time.sleep(0.3)
        sent = time.time()
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    assert child.returncode == 0, err
    stopped, words_of_error = out.split(" ", 1)
    assert "interrupted" in words_of_error.lower()
    # 0.2 seconds, and as much again for a machine that is busy with other things.
    assert float(stopped) - sent < 0.4


def test_an_interruption_is_a_keyboard_interrupt():
    assert issubclass(Interrupted, KeyboardInterrupt)
    assert not issubclass(Interrupted, Exception)


# Errors


@pytest.mark.parametrize(
    ("selector", "words"),
    [
        (MDLFS(model="tam"), ["--method", "mdl-fs", "--model", "tam"]),
        (MDLFS(search="forwad"), ["--method", "mdl-fs", "--search", "forwad"]),
        (MDLFS(missing="available"), ["--method", "mdl-fs", "--missing", "available"]),
        (MDLFS(missing="dorp"), ["--method", "mdl-fs", "--missing", "dorp"]),
        (MDLFS(discretize="width:0"), ["--method", "mdl-fs", "--discretize", "width:0"]),
        (
            MDLFS(settings={"populaton": 3}),
            ["--method", "mdl-fs", "--model", "tan", "--search", "forward", "--set", "populaton=3"],
        ),
        (bayesieve.KollerSahami(k=9), ["--method", "koller-sahami", "--set", "k=9"]),
        (bayesieve.JMI(alpha=np.nan), ["--method", "jmi", "--set", "alpha=nan"]),
        (bayesieve.MRMR(keep=["x0", 0]), ["--method", "mrmr", "--keep", "x0,x0"]),
    ],
    ids=lambda one: repr(one) if not isinstance(one, list) else "",
)
def test_wrong_settings_get_the_words_of_the_command(selector, words, tmp_path):
    with pytest.raises(SettingError) as told:
        selector.fit(NUMBERS, Y)
    columns = {f"x{place}": NUMBERS[:, place].tolist() for place in range(3)}
    path = write_csv(tmp_path / "data.csv", {**columns, "class": Y.tolist()})
    answer = run("select", path, "--class", "class", "--quiet", *words, code=2).stderr
    assert same_words(told.value, answer), answer


def same_words(error: BaseException, answer: str) -> bool:
    """Whether the answer holds the error, however lines are broken and parameters spelled."""
    return plain(str(error)) in plain(answer)


def plain(message: str) -> str:
    """The message with `count=3`, `--count 3` and `--set count=3` alike."""
    return " ".join(re.sub("--set |--|=", " ", message).split())


def test_wrong_data_get_the_words_of_the_command(tmp_path):
    gaps = [[None if value == 3 else int(value) for value in one] for one in NUMBERS.T]
    columns = {f"x{place}": one for place, one in enumerate(gaps)}
    path = write_csv(tmp_path / "data.csv", {**columns, "class": Y.tolist()})
    X = np.array(gaps, dtype=float).T
    with pytest.raises(DataError) as told:
        MDLFS(missing="refuse").fit(X, Y)
    words = ["--class", "class", "--method", "mdl-fs", "--missing", "refuse", "--quiet"]
    assert same_words(told.value, run("select", path, *words, code=3).stderr)


def test_exceptions_are_what_people_catch():
    assert issubclass(DataError, ValueError)
    assert issubclass(SettingError, ValueError)
    assert issubclass(OutputError, OSError)
    assert issubclass(InternalError, RuntimeError)
    for name in ("DataError", "SettingError", "OutputError", "Interrupted", "InternalError"):
        assert getattr(bayesieve, name).__module__ == "bayesieve"
        assert getattr(bayesieve, name).__doc__


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: bayesieve.MRMR(count=0).fit(NUMBERS, Y), "count=0"),
        (lambda: bayesieve.MRMR(count=1.5).fit(NUMBERS, Y), "count=1.5"),
        (lambda: bayesieve.MRMR(count="two").fit(NUMBERS, Y), "count='two'"),
        (lambda: bayesieve.MRMR(scheme="mip").fit(NUMBERS, Y), "Use 'mid' or 'miq'"),
        (lambda: bayesieve.MRMR(scheme=[]).fit(NUMBERS, Y), "scheme="),
        (lambda: bayesieve.NetworkClassifier(learner="k3").fit(NUMBERS, Y), "learner='k3'"),
        (lambda: bayesieve.EqualWidth(n_bins=0).fit(NUMBERS), "1 to 255"),
        (lambda: bayesieve.NaiveBayes(alpha=-1).fit(NUMBERS, Y), "alpha"),
        (lambda: bayesieve.compare(NUMBERS, Y, protocol="cv:0"), "cv:0"),
        (lambda: bayesieve.compare(NUMBERS, Y, pipelines=["mdl/nope"]), "nope"),
        (lambda: bayesieve.compare(NUMBERS, Y, pipelines=["all/nb"] * 2), "given twice"),
        (lambda: bayesieve.compare(NUMBERS, Y, alpha=np.nan), "alpha"),
        (lambda: bayesieve.compare(NUMBERS, Y, test="no-test"), "no-test"),
        (lambda: bayesieve.describe(NUMBERS, Y, levels=2), "level"),
    ],
)
def test_wrong_parameters_are_said_by_name(make, message):
    with pytest.raises(SettingError, match=message):
        make()


def test_a_refused_fit_leaves_no_half_fitted_estimator():
    selector = MDLFS(model="nope")
    with pytest.raises(SettingError):
        selector.fit(NUMBERS, Y)
    with pytest.raises(ValueError, match="not fitted"):
        selector.transform(NUMBERS)


def test_notes_are_warnings_and_stay_on_the_estimator():
    with pytest.warns(bayesieve.DataWarning) as warned:
        selector = bayesieve.MRMR(count=10).fit(NUMBERS, Y)
    assert [str(one.message) for one in warned] == selector.notes_
    beginnings = (
        'column "x0" holds at most 20 distinct whole numbers, taken as numbers',
        "1 number column has no cut point",
        "a count of 10: there are 3 features",
        "x0 predicts the class almost perfectly by itself",
    )
    assert len(selector.notes_) == len(beginnings)
    for note, beginning in zip(selector.notes_, beginnings, strict=True):
        assert note.startswith(beginning)


def test_the_version_is_the_same_everywhere():
    assert bayesieve.__version__ == bayesieve._engine.__version__
    found = run("--version").stdout.split()
    assert found[-1] == bayesieve.__version__


def test_importing_takes_no_optional_library():
    code = """
        import sys
        import sklearn.feature_selection, sklearn.base
        before = set(sys.modules)
        import bayesieve
        new = {name.partition(".")[0] for name in set(sys.modules) - before}
        assert not new & {"pandas", "polars", "pyarrow", "matplotlib", "tqdm"}, new
    """
    run_python(code)


def test_rows_and_columns_can_change_places():
    rng = np.random.default_rng(1)
    rows, columns = rng.permutation(N), rng.permutation(3)
    expected = MDLFS(model="nb").fit(NUMBERS, Y)
    moved = MDLFS(model="nb").fit(NUMBERS[rows][:, columns], Y[rows])
    assert [columns[int(name[1:])] for name in moved.kept_] == [
        int(name[1:]) for name in expected.kept_
    ]
