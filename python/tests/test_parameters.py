"""Parameters: refused by name, those of the fit, and what is left of an earlier fit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from test_data import NUMBERS, Y
from test_runs import WIDE, WIDE_Y, long_run

import bayesieve
from bayesieve import DataError, DataWarning, SettingError

IRIS = load_iris(return_X_y=True)


# Parameters of a wrong type


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (bayesieve.Wrapper(settings={"cv": 3}), "cv is a parameter of Wrapper"),
        (bayesieve.MDL(settings={"model": "nb"}), "model is a parameter of MDL"),
        (bayesieve.NaiveAS(settings={"budget": 3}), "budget is a parameter of NaiveAS"),
        (bayesieve.MDL(settings=[("population", 3)]), r"settings=\[.* is no mapping"),
        (bayesieve.MDL(settings="population=3"), "settings=.* is no mapping"),
        (bayesieve.MDL(settings={3: 4}), "settings: 3 is no name"),
        (bayesieve.MDL(model=3), "model=3 is no text"),
        (bayesieve.MDL(model=None), "model=None is no text"),
        (bayesieve.MDL(model=object()), "model=<object"),
        (bayesieve.MDL(search=["forward"]), "search="),
        (bayesieve.MDL(missing=None), "missing=None"),
        (bayesieve.MDL(missing=np.nan), "missing=nan"),
        (bayesieve.MDL(discretize=5), "discretize=5"),
        (bayesieve.RPDMB(criterion=None), "criterion=None"),
        (bayesieve.Auto(model=7), "model=7"),
        (bayesieve.MDL(keep=3.5), "keep=3.5"),
        (bayesieve.MDL(model="\ud800"), "model="),
        (bayesieve.Separation(blocks=[[object()]]), "blocks="),
        (bayesieve.Separation(blocks=[[np.int64(3)]]), "blocks="),
        (bayesieve.MDL(settings={"population": [object()]}), "population="),
        (bayesieve.NaiveBayes(missing=None), "missing=None"),
        (bayesieve.NaiveBayes(discretize=b"mdlp"), "discretize="),
        (bayesieve.NaiveBayes(smoothing=None), "smoothing=None"),
        (bayesieve.NaiveBayes(numeric=3.5), "numeric=3.5"),
        (bayesieve.NetworkClassifier(stop=3), "stop=3"),
        (bayesieve.BlockGaussian(blocks=[[{1}]]), "blocks="),
        (bayesieve.ID3(cuts=1), "cuts=1"),
    ],
    ids=repr,
)
def test_parameters_of_a_wrong_type_are_refused_by_name(estimator, message):
    with pytest.raises(SettingError, match=message):
        estimator.fit(NUMBERS, Y)


def test_settings_beside_parameters_are_taken():
    found = bayesieve.NaiveAS(settings={"alpha": 0.5}).fit(NUMBERS, Y)
    assert float(found.document_["settings"]["alpha"]) == 0.5
    assert bayesieve.MDL(settings={}).fit(NUMBERS, Y).kept_ is not None
    assert bayesieve.NetworkClassifier(stop=None, nominal=[0]).fit(NUMBERS, Y).notes_ == []


# An earlier fit


@pytest.mark.parametrize(
    ("estimator", "wrong"),
    [
        (bayesieve.MRMR(), {"missing": "nope"}),
        (bayesieve.Auto(), {"model": "nope"}),
        (bayesieve.NaiveBayes(), {"smoothing": "nope"}),
        (bayesieve.TAN(), {"missing": 3}),
        (bayesieve.EqualWidth(), {"n_bins": 0}),
        (bayesieve.MDLP(), {"n_jobs": 0}),
    ],
    ids=repr,
)
def test_a_fit_that_fails_leaves_nothing_of_the_one_before(estimator, wrong):
    estimator = clone(estimator).fit(*IRIS)
    use = estimator.predict if hasattr(estimator, "predict") else estimator.transform
    with pytest.raises(SettingError):
        estimator.set_params(**wrong).fit(IRIS[0][:, :2], IRIS[1])
    with pytest.raises(NotFittedError):
        use(IRIS[0])
    left = {name for name in vars(estimator) if name.endswith("_") or name.startswith("_")}
    assert left <= {"n_features_in_", "feature_names_in_"}


def test_a_fit_keeps_what_is_no_answer():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(IRIS[0], columns=list("abcd"))
    selector = bayesieve.MRMR().set_output(transform="pandas").fit(X, IRIS[1])
    assert isinstance(selector.fit(X, IRIS[1]).transform(X), pd.DataFrame)


# Notebooks and pages


def test_a_notebook_shows_the_parameters_of_the_fit():
    selector = bayesieve.MRMR(count=2).fit(*IRIS)
    selector.set_params(count=3)
    assert "MRMR(count=2)" in selector._repr_html_()
    assert "count=3" not in selector._repr_html_()
    assert "MRMR(count=3)" in bayesieve.MRMR(count=3)._repr_html_()


def test_pages_are_those_of_the_fit(tmp_path):
    page = tmp_path / "page.html"
    X, y = IRIS
    selector = bayesieve.MRMR(count=2).fit(X, y)
    selector.report(page, X, y)
    page.unlink()
    with pytest.raises(DataError, match="Give the rows that fit got"):
        selector.report(page, X[:, [3, 2, 1, 0]], y)
    with pytest.raises(ValueError, match="X has 3 features, but MRMR is expecting 4"):
        selector.report(page, X[:, :3], y)
    selector.set_params(count=3)
    with pytest.raises(DataError, match="with the parameters it had"):
        selector.report(page, X, y)
    assert not page.exists()


def test_pages_have_the_column_names_of_the_fit(tmp_path):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(IRIS[0], columns=list("abcd"))
    selector = bayesieve.MRMR(count=2).fit(X, IRIS[1])
    with pytest.raises(ValueError, match="feature names should match"):
        selector.report(tmp_path / "page.html", X.rename(columns={"a": "e"}), IRIS[1])


def test_pages_draw_the_seed_of_the_fit(tmp_path):
    settings = {"population": 10, "generations": 2}
    selector = bayesieve.Wrapper(
        search="genetic",
        nominal="all",
        cv=2,
        repeat=1,
        settings=settings,
        random_state=np.random.RandomState(3),
        budget=60,
    )
    X, y = WIDE[:200], WIDE_Y[:200]
    # A generator that went on would choose other features.
    selector.fit(X, y).report(tmp_path / "page.html", X, y)
    assert (tmp_path / "page.html").exists()


# Time


def test_a_run_that_the_budget_stopped_says_so():
    with pytest.warns(DataWarning, match="the budget was over before the search was"):
        selector = long_run(0.3).fit(WIDE, WIDE_Y)
    assert any("budget was over" in note for note in selector.notes_)
    read = bayesieve.read_selection(selector.to_json())
    assert read.notes_ == selector.notes_
    assert json.loads(selector.to_json())["warnings"] == selector.document_["warnings"]


def test_a_run_that_was_done_in_time_says_nothing(recwarn):
    assert bayesieve.MRMR(count=2, budget=600).fit(*IRIS).notes_ == []
    assert not [one for one in recwarn if issubclass(one.category, DataWarning)]
