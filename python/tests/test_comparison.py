"""Comparisons and descriptions as frames."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from test_data import NUMBERS, Y

import bayesieve
from bayesieve import DataError, SettingError, compare, describe

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")


@pytest.fixture(scope="module")
def found():
    sets = {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)}
    pipelines = ["all/nb", "mdl-fs/nb", "mrmr:2/tan"]
    return compare(sets, pipelines=pipelines, protocol="holdout:5:2/3", learning_curve=[40, 80])


def test_the_frames_of_a_comparison(found):
    assert len(found.runs) == 2 * 3 * 5
    assert set(found.summary["data"]) == {"iris", "wine"}
    by = found.runs.groupby(["data", "pipeline"])["accuracy"].mean()
    told = found.summary.set_index(["data", "pipeline"])["accuracy"]
    assert np.allclose(by.sort_index(), told.sort_index())
    assert (found.summary.query("pipeline == 'mrmr:2/tan'")["kept"] == 2).all()
    assert {"friedman"} <= set(found.tests["test"])
    assert set(found.ranks["pipeline"]) == {"all/nb", "mdl-fs/nb", "mrmr:2/tan"}
    assert set(found.learning_curves["training_rows"]) >= {40, 80}


def test_a_comparison_can_be_kept(found, tmp_path):
    found.to_json(tmp_path / "comparison.json")
    document = json.loads((tmp_path / "comparison.json").read_text())
    assert document == json.loads(found.to_json()) == found.document
    assert document["schema"] == "bayesieve.comparison.v1"
    found.report(tmp_path / "page.html")
    assert "</html>" in (tmp_path / "page.html").read_text()
    assert "mdl-fs/nb" in repr(found)
    assert "<table" in found._repr_html_()


def test_one_word_is_a_list_of_one():
    one = compare(NUMBERS, Y, pipelines="all/nb", protocol="cv:2")
    same = compare(NUMBERS, Y, methods="all", models="nb", protocol="cv:2")
    assert list(one.runs["accuracy"]) == list(same.runs["accuracy"])


def test_features_to_keep_are_kept_in_every_run():
    kept = compare(NUMBERS, Y, pipelines="mdl-fs/nb", protocol="cv:3", keep=[1]).runs["kept"]
    assert all("x1" in one for one in kept)


def test_settings_go_to_those_that_have_them():
    plain = compare(NUMBERS, Y, pipelines=["cfs/nb"], protocol="cv:3")
    other = compare(
        NUMBERS, Y, pipelines=["cfs/nb"], protocol="cv:3", settings={"locally_predictive": True}
    )
    assert len(plain.runs) == len(other.runs) == 3


def test_without_a_protocol_there_are_ten_folds():
    assert len(compare(NUMBERS, Y, pipelines=["all/nb"]).runs) == 10
    assert len(compare(NUMBERS, Y, pipelines=["all/nb"], cv=np.arange(120) % 3).runs) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"learning_curve": [0.5]}, "learning_curve"),
        ({"learning_curve": 0.5}, "learning_curve"),
        ({"keep": ["x9"]}, 'no column "x9"'),
        ({"cv": 3}, "are no folds"),
        ({"settings": {"alfa": 1}}, "alfa"),
        ({"settings": ["alpha"]}, "settings=.*are no dict"),
        ({"settings": {"alpha": [np.int64(1)]}}, "alpha=.*cannot be written as JSON"),
        ({"cv": np.arange(120) % 3, "protocol": "cv:10"}, "protocol and cv both"),
        ({"protocol": 5}, "protocol=5 is no text"),
        ({"missing": None}, "missing=None is no text"),
        ({"discretize": np.zeros(2)}, "discretize=.* is no text"),
        ({"test": 3}, "test=3 is no text"),
        ({"alpha": "x"}, "alpha='x' is no level"),
        ({"pipelines": "all/nb, mdl-fs/tan"}, r"Give a list: \['all/nb', 'mdl-fs/tan'\]"),
        ({"pipelines": ["all/nb", GaussianNB()]}, "GaussianNB is an estimator.*cross_validate"),
        ({"pipelines": GaussianNB()}, "GaussianNB is an estimator"),
        ({"pipelines": [1]}, "pipelines: 1 is no name"),
        ({"pipelines": [], "methods": []}, "nothing to compare"),
    ],
)
def test_what_cannot_be_compared(words, message):
    with pytest.raises(SettingError, match=message):
        compare(NUMBERS, Y, **{"pipelines": ["all/nb"], **words})


@pytest.mark.parametrize(
    ("sets", "y", "message"),
    [
        ({"a": NUMBERS}, None, 'data set "a" is no pair'),
        ({"a": (NUMBERS,)}, None, 'data set "a" is no pair'),
        ({"a": (NUMBERS, Y)}, Y, "Leave y out"),
        ({}, None, "no data set"),
        ({1: (NUMBERS, Y), "1": (NUMBERS, Y)}, None, "written alike"),
    ],
)
def test_what_are_no_data_sets(sets, y, message):
    with pytest.raises(DataError, match=message):
        compare(sets, y, pipelines=["all/nb"])


def test_several_data_sets_share_names_not_places():
    two = {name: (pd.DataFrame(NUMBERS, columns=list(name)), Y) for name in ("abc", "bad")}
    with pytest.raises(SettingError, match="one data set"):
        compare(two, pipelines=["all/nb"], cv=np.arange(120) % 3)
    with pytest.raises(SettingError, match="places differ"):
        compare(two, pipelines=["mdl-fs/nb"], keep=[0])
    with pytest.raises(SettingError, match=r'data set "bad".*no column "c"'):
        compare(two, pipelines=["mdl-fs/nb"], keep=["c"])
    kept = compare(two, pipelines=["mdl-fs/nb"], keep=["a"], protocol="cv:2").runs["kept"]
    assert all("a" in one for one in kept)


def test_what_cannot_be_described():
    for words in ({"missing": 1}, {"discretize": None}):
        with pytest.raises(SettingError, match="is no text"):
            describe(NUMBERS, Y, **words)


def test_descriptions_say_what_columns_tell():
    X = pd.DataFrame({"good": Y, "bad": np.arange(120) % 7, "same": 1, "none": np.nan})
    told = describe(X, Y).set_index("name")
    # The class itself tells all there is: its entropy.
    p = Y.mean()
    entropy = -(p * np.log2(p) + (1 - p) * np.log2(1 - p))
    assert told.loc["good", "information_bits"] == pytest.approx(entropy, abs=1e-12)
    assert told.loc["good", "symmetric_uncertainty"] == pytest.approx(1)
    assert told["kind"].to_dict() == {
        "good": "nominal",
        "bad": "numeric",
        "same": "constant",
        "none": "empty",
    }
    assert told.loc["none", "missing"] == 120


@pytest.mark.parametrize("levels", [0, 1, "auto", "1"])
def test_levels_of_redundancy(levels):
    twice = np.column_stack([NUMBERS[:, 0], NUMBERS[:, 0]])
    told = describe(twice, Y, levels=levels)
    has_level_1 = told["redundant_level1_given"].notna().any()
    assert has_level_1 == (levels != 0)


def test_discretizers_cut_where_the_engine_does():
    X, y = load_iris(return_X_y=True)
    told = describe(X, y)["cut_points"]
    cuts = bayesieve.MDLP().fit(X, y).cut_points_
    assert [one.tolist() for one in cuts] == list(told)
    # Five rows, two bins of equal width over 0 to 10: the cut is at 5, which is on its left.
    numbers = np.array([[0.0], [1.0], [5.0], [5.5], [10.0]])
    assert bayesieve.EqualWidth(n_bins=2).fit_transform(numbers).ravel().tolist() == [0, 0, 0, 1, 1]
    # Four rows, two bins of two: the cut is half way between 2 and 3.
    numbers = np.array([[1.0], [2.0], [3.0], [100.0]])
    assert bayesieve.EqualFrequency(n_bins=2).fit(numbers).cut_points_[0].tolist() == [2.5]
