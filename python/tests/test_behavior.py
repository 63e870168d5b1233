"""Estimators among others: copies, pipelines, searches, workers, files and pages."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import joblib
import numpy as np
import pytest
from command import timeless
from estimators import ESTIMATORS, SELECTORS
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from test_data import NUMBERS, N, Y

import bayesieve
from bayesieve import MDLFS, MRMR, DataError, NaiveBayes, OutputError, SettingError, Wrapper

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

IRIS = load_iris(return_X_y=True)
PACKAGE = Path(bayesieve.__file__).parent.parent


def run_python(code: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a process of its own, where the package is the same one."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE), **more}
    words = [sys.executable, "-c", textwrap.dedent(code)]
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return done


# Copies


def copies(estimator):
    """An estimator by every way that keeps what it learned."""
    yield pickle.loads(pickle.dumps(estimator))
    yield copy.deepcopy(estimator)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_copies_know_what_the_original_knows(estimator, tmp_path):
    estimator.fit(*IRIS)
    ask = "predict_proba" if hasattr(estimator, "predict_proba") else "transform"
    expected = getattr(estimator, ask)(IRIS[0])
    joblib.dump(estimator, tmp_path / "kept.joblib")
    for one in [*copies(estimator), joblib.load(tmp_path / "kept.joblib")]:
        assert np.array_equal(getattr(one, ask)(IRIS[0]), expected, equal_nan=True)
        assert one.get_params() == estimator.get_params()
        if estimator in SELECTORS:
            assert one.document_ == estimator.document_
            assert one.explain(0) == estimator.explain(0)
            one.report(tmp_path / "page.html")
            assert len((tmp_path / "page.html").read_text()) > 1000


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_clones_know_nothing_and_learn_the_same(estimator):
    unfitted = clone(estimator)
    assert unfitted.get_params() == estimator.get_params()
    assert not hasattr(unfitted, "n_features_in_")
    first, second = unfitted.fit(*IRIS), clone(estimator).fit(*IRIS)
    ask = "predict_proba" if hasattr(estimator, "predict_proba") else "transform"
    answers = [getattr(one, ask)(IRIS[0]) for one in (first, second)]
    assert np.array_equal(*answers, equal_nan=True)


# Among scikit-learn's own


def test_searches_over_counts_and_settings():
    X, y = load_breast_cancer(return_X_y=True)
    pipeline = make_pipeline(MRMR(), NaiveBayes())
    grid = {"mrmr__count": [1, 3, 5], "mrmr__scheme": ["mid", "miq"], "naivebayes__alpha": [0.5, 1]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    assert len(search.best_estimator_[0].kept_) == search.best_params_["mrmr__count"]


def test_pipelines_name_their_features():
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipeline = make_pipeline(StandardScaler(), MDLFS(model="nb"), NaiveBayes())
    pipeline.set_output(transform="pandas").fit(X, y)
    kept = pipeline[:-1].get_feature_names_out()
    assert set(kept) == set(pipeline[1].kept_) == set(pipeline[-1].feature_names_in_)
    assert pipeline.score(X, y) > 0.9
    # Equal folds, unequal scale: bins do not care.
    plain = make_pipeline(MDLFS(model="nb"), NaiveBayes()).fit(X, y)
    assert (plain.predict(X) == pipeline.predict(X)).all()


def test_in_column_transformers():
    pd = pytest.importorskip("pandas")
    X, y = load_iris(return_X_y=True, as_frame=True)
    X["flower"] = pd.Categorical(np.where(y == 0, "small", "large"))
    numbers = list(X.columns[:4])
    parts = ColumnTransformer(
        [
            ("numbers", MRMR(count=2), numbers),
            ("bins", bayesieve.MDLP(), numbers),
            ("words", MDLFS(), ["flower"]),
        ]
    )
    assert parts.fit_transform(X, y).shape == (150, 7)
    names = list(parts.get_feature_names_out())
    assert names[-1] == "words__flower"
    assert sum(name.startswith("numbers__") for name in names) == 2


def test_discretizers_and_scikit_learns_classifiers():
    from sklearn.naive_bayes import CategoricalNB

    pipeline = make_pipeline(bayesieve.EqualFrequency(n_bins=5), CategoricalNB(min_categories=5))
    assert cross_val_score(pipeline, *IRIS, cv=3).mean() > 0.85


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
def test_workers_after_the_parent_has_used_the_engine(backend):
    pipeline = make_pipeline(Wrapper(cv=3, repeat=1), NaiveBayes())
    expected = cross_val_score(pipeline, *IRIS, cv=3)
    with joblib.parallel_backend(backend, n_jobs=2):
        found = cross_val_score(pipeline, *IRIS, cv=3)
    assert found.tolist() == expected.tolist()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_process_can_fork_after_it_used_the_engine():
    code = """
        import multiprocessing, bayesieve
        from sklearn.datasets import load_iris
        X, y = load_iris(return_X_y=True)
        def kept(n_jobs):
            return bayesieve.Auto(n_jobs=n_jobs).fit(X, y).kept_
        expected = kept(2)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(kept, [1, 2, 2, 1]) == [expected] * 4
        assert kept(None) == expected
    """
    run_python(code)


@pytest.mark.parametrize(
    "cv",
    [
        KFold(4),
        StratifiedKFold(4),
        list(KFold(4).split(NUMBERS)),
        np.arange(N) % 4,
        (np.arange(N) % 4).tolist(),
    ],
    ids=["KFold", "StratifiedKFold", "splits", "array", "list"],
)
def test_folds_of_scikit_learn(cv):
    selector = Wrapper(cv=cv).fit(NUMBERS, Y)
    assert selector.document_["estimate"]["inner"]["folds"] == 4
    assert bayesieve.Auto(cv=cv).fit(NUMBERS, Y).document_["auto"]["folds"] == 4
    found = bayesieve.compare(NUMBERS, Y, pipelines=["all/nb"], cv=cv)
    assert len(found.document["runs"]) == 4


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        (ShuffleSplit(3), "tested in two folds|in no fold"),
        (np.arange(5), "5 numbers of folds for 120 rows"),
        ("stratified", "are no folds"),
        (1.5, "are no folds"),
        ([(np.arange(60, 120), np.arange(60))], "in no fold"),
        ([(np.arange(60), [N])], "no pair of training and test rows out of 120: index 120"),
        ([(np.arange(60), ["a"])], "no pair of training and test rows"),
        ([[0, 1, 2]], "no pair of training and test rows"),
        (np.ones(N, dtype=bool), "120 numbers of folds for 120 rows"),
    ],
)
def test_what_are_no_folds(cv, message):
    for cls in (Wrapper, bayesieve.Auto, bayesieve.FSSEBNA):
        with pytest.raises(SettingError, match=message):
            cls(cv=cv).fit(NUMBERS, Y)


def test_auto_draws_its_own_folds_unless_they_are_given():
    with pytest.raises(SettingError, match=r"StratifiedKFold\(5\)"):
        bayesieve.Auto(cv=5).fit(NUMBERS, Y)


# Files and pages


def test_pages_are_written_whole_or_not_at_all(tmp_path):
    selector = MDLFS().fit(*IRIS)
    page = tmp_path / "page.html"
    page.write_text("before")
    with pytest.raises(SettingError, match=r"ends in \.html"):
        selector.report(tmp_path / "page.txt")
    with pytest.raises(OutputError, match="cannot be written"):
        selector.report(tmp_path / "nowhere" / "page.html")
    with pytest.raises(DataError):
        selector.report(page, IRIS[0], np.ones(150, dtype=int))
    assert page.read_text() == "before"
    selector.report(page)
    assert page.read_text().startswith("<!doctype html>".upper()) or "<html" in page.read_text()
    assert os.listdir(tmp_path) == ["page.html"]
    alone = len(page.read_text())
    selector.report(str(page), *IRIS)
    assert len(page.read_text()) > alone


def test_every_kind_of_page(tmp_path):
    X, y = IRIS
    page = tmp_path / "page.html"
    makers = [
        lambda: NaiveBayes().fit(X, y).report(page),
        lambda: NaiveBayes().fit(X, y).report(page, X, y),
        lambda: bayesieve.describe(X, y, report=page),
        lambda: bayesieve.compare(X, y, pipelines=["all/nb"], protocol="cv:3").report(page),
    ]
    for make in makers:
        make()
        assert "</html>" in page.read_text()
        page.unlink()


def test_a_selection_from_a_file_has_no_page_without_rows(tmp_path):
    selector = MDLFS().fit(*IRIS)
    read = bayesieve.read_selection(selector.to_json())
    with pytest.raises(DataError, match=r"report\(path, X, y\)"):
        read.report(tmp_path / "page.html")
    read.report(tmp_path / "page.html", *IRIS)
    assert (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    "selector",
    [
        *SELECTORS,
        bayesieve.IAMB(interleaved=True, power=False),
        bayesieve.MRMR(count=2, scheme="miq"),
        bayesieve.RPDMB(criterion="bic"),
        bayesieve.Separation(blocks=[["x0", "x1"]], correction=False),
        bayesieve.MDL(search="genetic", settings={"population": 20}, random_state=3),
    ],
    ids=repr,
)
def test_a_selection_from_a_file_is_the_selector_that_wrote_it(selector, tmp_path):
    selector.fit(*IRIS)
    selector.to_json(tmp_path / "selection.json")
    read = bayesieve.read_selection(tmp_path / "selection.json")
    assert type(read) is type(selector)
    assert read.kept_ == selector.kept_
    assert np.array_equal(read.transform(IRIS[0]), selector.transform(IRIS[0]))
    assert timeless(read.fit(*IRIS).document_) == timeless(selector.document_)


@pytest.mark.parametrize(
    "classifier",
    [
        NaiveBayes(smoothing="ml"),
        bayesieve.TAN(smoothing="mixing", alpha=3),
        bayesieve.NetworkClassifier(parents=2),
        bayesieve.NetworkClassifier(learner="cb", level=0.1, order="class-first"),
        bayesieve.BlockGaussian(blocks=[["x0", "x1"]], correction=False, weights="optimal"),
        bayesieve.ID3(level=0.2, cuts="gain"),
    ],
    ids=repr,
)
def test_a_model_from_a_file_is_the_classifier_that_wrote_it(classifier):
    text = classifier.fit(*IRIS).to_json()
    read = bayesieve.read_model(text)
    assert type(read) is type(classifier)
    assert np.array_equal(read.predict_proba(IRIS[0]), classifier.predict_proba(IRIS[0]))
    assert read.classes_.tolist() == classifier.classes_.tolist()
    assert read.fit(*IRIS).to_json() == text
    if not isinstance(classifier, (bayesieve.ID3, bayesieve.BlockGaussian)):
        assert read.network_.to_bif().count("probability (") == 5
        assert "digraph" in read.network_.to_dot()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no selection file"),
        ('{"schema": "bayesieve.model.v1"}', "its schema is 'bayesieve.model.v1'"),
        ('{"schema": "bayesieve.selection.v1", "data": {}}', "older version"),
        ("nowhere.json", "cannot be read"),
    ],
)
def test_broken_selection_files(text, message):
    with pytest.raises(DataError, match=message):
        bayesieve.read_selection(text)


@pytest.mark.parametrize("text", ["{", "{}", '{"schema": "bayesieve.model.v9"}', "nowhere.json"])
def test_broken_model_files(text):
    with pytest.raises(DataError):
        bayesieve.read_model(text)


def test_a_file_of_another_class_is_refused():
    with pytest.raises(DataError, match="made by mdl-fs"):
        MRMR.from_json(MDLFS().fit(*IRIS).to_json())
    with pytest.raises(DataError, match="holds nb"):
        bayesieve.TAN.from_json(NaiveBayes().fit(*IRIS).to_json())


# What people look at


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_every_feature_is_kept_or_dropped_with_a_reason(selector):
    pytest.importorskip("pandas")
    selector.fit(*IRIS)
    names = {f"x{place}" for place in range(4)}
    assert set(selector.kept_) | set(selector.dropped_["feature"]) == names
    assert len(selector.kept_) + len(selector.dropped_) == 4
    assert selector.get_feature_names_out().tolist() == sorted(selector.kept_)
    for name in names:
        word = "kept" if name in selector.kept_ else "dropped: "
        assert selector.explain(name).startswith(f"{name} is {word}")
        assert selector.explain(int(name[1])) == selector.explain(name)
    with pytest.raises(SettingError, match="no column"):
        selector.explain("x9")
    assert selector.dropped_["sentence"].map(len).gt(0).all()
    assert "kept" in selector._repr_html_()


def test_boundaries_are_there_where_they_apply():
    boundary = bayesieve.IAMB().fit(*IRIS).boundary_
    assert set(boundary) >= {"parents", "children", "siblings", "spouses"}
    with pytest.raises(AttributeError, match="no Markov boundary"):
        _ = MDLFS().fit(*IRIS).boundary_


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    for selector in (MDLFS().fit(X, y), bayesieve.Separation().fit(X, y)):
        ax = selector.plot(top=7)
        assert len(ax.get_yticks()) == 7
        assert ax.get_title().startswith(selector._method)
    _, own = plt.subplots()
    assert MDLFS().fit(X, y).plot(ax=own) is own
    plt.close("all")


#: Python in which libraries are not installed. Unlike None in `sys.modules` this is what
#: scikit-learn sees there.
BLOCKED = """
    import sys

    class Blocker:
        names = {names!r}

        def find_spec(self, name, path=None, target=None):
            if name.partition(".")[0] in self.names:
                raise ImportError(f"{{name}} is not installed")
            return None

    sys.meta_path.insert(0, Blocker())
"""

WITHOUT = """
    import bayesieve
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    selector = bayesieve.Auto(verbose=1).fit(X, y)
    assert [one["feature"] for one in selector.dropped_] + selector.kept_
    assert selector.steps_ is not None and selector.candidates_
    assert selector.transform(X).shape[1] == len(selector.kept_)
    assert bayesieve.NaiveBayes().fit(X, y).score(X, y) > 0.9
    assert bayesieve.describe(X, y)[0]["name"] == "x0"
    found = bayesieve.compare(X, y, pipelines=["all/nb"], protocol="cv:3")
    assert found.summary[0]["pipeline"] == "all/nb"
    head, row = repr(found).splitlines()
    assert head.split()[:2] == ["data", "pipeline"] and row.split()[:2] == ["data", "all/nb"]
    assert len(repr(bayesieve.describe(X, y)).splitlines()) == 5
    assert found._repr_html_() is None
    assert bayesieve.MDLP().fit(X, y).transform(X).shape == X.shape
    try:
        selector.plot()
    except ImportError as error:
        assert "pip install matplotlib" in str(error)
    else:
        raise AssertionError("a plot without matplotlib")
    assert not Blocker.names & set(sys.modules)
"""


def test_nothing_optional_is_needed():
    names = {"pandas", "polars", "pyarrow", "matplotlib", "tqdm"}
    run_python(BLOCKED.format(names=names) + WITHOUT)


def test_frames_of_polars_where_there_is_no_pandas():
    pytest.importorskip("polars")
    code = """
    import bayesieve, polars
    from sklearn.datasets import load_iris

    selector = bayesieve.MRMR(count=1).fit(*load_iris(return_X_y=True))
    assert isinstance(selector.dropped_, polars.DataFrame)
    assert selector.dropped_["feature"].len() == 3
    assert isinstance(selector.steps_, polars.DataFrame)
    """
    # Polars asks what there is when it is imported.
    run_python("    import polars" + BLOCKED.format(names={"pandas"}) + code)
