"""Weights of rows count as repeated rows do."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold

import bayesieve

X, Y = load_iris(return_X_y=True)
#: 0 for the first of every four rows, then 1, 2 and 3.
WEIGHTS = np.arange(len(Y)) % 4
REPEATED = np.repeat(np.arange(len(Y)), WEIGHTS)


def without_times(document):
    return {name: one for name, one in document.items() if name != "seconds"}


@pytest.mark.parametrize(
    "selector",
    [bayesieve.MDLFS(), bayesieve.MRMR(count=2), bayesieve.NaiveAS()],
    ids=lambda one: type(one).__name__,
)
def test_selectors_select_as_on_repeated_rows(selector):
    weighted = selector.fit(X, Y, sample_weight=WEIGHTS)
    kept, document = weighted.kept_, without_times(weighted.document_)
    repeated = selector.fit(X[REPEATED], Y[REPEATED])
    assert kept == repeated.kept_
    assert document == without_times(repeated.document_)
    assert document["data"]["rows"] == WEIGHTS.sum()


@pytest.mark.parametrize(
    "classifier",
    [bayesieve.NaiveBayes(), bayesieve.TAN(), bayesieve.ID3()],
    ids=lambda one: type(one).__name__,
)
def test_classifiers_learn_as_on_repeated_rows(classifier):
    weighted = classifier.fit(X, Y, sample_weight=WEIGHTS).predict_proba(X)
    repeated = classifier.fit(X[REPEATED], Y[REPEATED]).predict_proba(X)
    np.testing.assert_array_equal(weighted, repeated)
    once = classifier.fit(X, Y).predict_proba(X)
    assert not np.array_equal(weighted, once)


def test_cut_points_and_descriptions_are_those_of_repeated_rows():
    weighted = bayesieve.MDLP().fit(X, Y, sample_weight=WEIGHTS)
    repeated = bayesieve.MDLP().fit(X[REPEATED], Y[REPEATED])
    for left, right in zip(weighted.cut_points_, repeated.cut_points_, strict=True):
        np.testing.assert_array_equal(left, right)
    described = bayesieve.describe(X, Y, sample_weight=WEIGHTS)
    assert described.equals(bayesieve.describe(X[REPEATED], Y[REPEATED]))


def test_folds_that_are_given_hold_all_copies_of_a_row():
    folds = np.arange(len(Y)) % 3
    weighted = bayesieve.Wrapper(cv=folds).fit(X, Y, sample_weight=WEIGHTS)
    repeated = bayesieve.Wrapper(cv=folds[REPEATED]).fit(X[REPEATED], Y[REPEATED])
    assert weighted.kept_ == repeated.kept_
    assert weighted.score_ == repeated.score_
    cv = KFold(3, shuffle=True, random_state=1)
    pipelines = ["all/nb"]
    found = bayesieve.compare(X, Y, sample_weight=WEIGHTS, pipelines=pipelines, cv=cv)
    # Every row that counts is tested once.
    assert len(found.document["runs"]) == 3


def test_classes_of_rows_that_do_not_count_are_gone():
    weights = (Y != 1).astype(int)
    classifier = bayesieve.NaiveBayes().fit(X, Y, sample_weight=weights)
    assert classifier.classes_.tolist() == [0, 2]


@pytest.mark.parametrize(
    ("weights", "part"),
    [
        (np.full(len(Y), 0.5), "multiply them by 2"),
        (np.full(len(Y), -1), "the weight is -1"),
        (np.full(len(Y), np.nan), "the weight is missing"),
        (np.full(len(Y), np.inf), "the weight is inf"),
        (np.zeros(len(Y)), "all weights are zero"),
        (np.full(len(Y), 1e6), "150,000,000"),
        (np.ones(3), "150 rows"),
        (np.ones((len(Y), 2)), "150 rows"),
        (["many"] * len(Y), "no numbers"),
    ],
)
def test_weights_that_are_none_are_refused(weights, part):
    for fit in (bayesieve.MRMR().fit, bayesieve.TAN().fit, bayesieve.MDLP().fit):
        with pytest.raises(bayesieve.DataError, match="sample_weight") as error:
            fit(X, Y, sample_weight=weights)
        assert part in str(error.value)


def test_weights_of_several_data_sets_are_refused():
    with pytest.raises(bayesieve.SettingError, match="sample_weight is for one data set"):
        bayesieve.compare({"a": (X, Y), "b": (X, Y)}, sample_weight=WEIGHTS)
