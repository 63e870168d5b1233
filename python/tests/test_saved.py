"""Estimators from files: the same parameters, their own columns, and files that are damaged."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from command import run, write_csv
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from tables import TABLES

import bayesieve
from bayesieve import DataError

pytestmark = [
    pytest.mark.filterwarnings("ignore::bayesieve.DataWarning"),
    pytest.mark.filterwarnings("ignore:X does not have valid feature names"),
]

IRIS = load_iris(return_X_y=True)
TABLE, LABELS = TABLES["two classes"]
FOLDS = [row % 3 for row in range(150)]


# Parameters


@pytest.mark.parametrize(
    "estimator",
    [
        bayesieve.MRMR(keep=["x1"], nominal=["x0"], numeric=[1, 2], missing="drop"),
        bayesieve.MRMR(keep=np.array([3]), count=np.int64(2), random_state=7),
        bayesieve.MRMR(scheme="miq", discretize="width:3"),
        bayesieve.Wrapper(cv=FOLDS, repeat=1, settings={"alpha": 0.5}, budget=60),
        bayesieve.Wrapper(cv=np.array(FOLDS)),
        bayesieve.Auto(model="nb", cv=FOLDS),
        bayesieve.NaiveBayes(discretize="frequency:4", missing="drop", numeric="all"),
        bayesieve.TAN(nominal=["x0"], alpha=2),
        bayesieve.NetworkClassifier(learner="cb", discretize="width:3"),
    ],
    ids=repr,
)
def test_files_remember_the_parameters(estimator):
    text = estimator.fit(*IRIS).to_json()
    read = type(estimator).from_json(text)

    def plain(one):
        return {
            name: value.tolist() if hasattr(value, "tolist") else value
            for name, value in one.get_params().items()
        }

    assert plain(read) == plain(estimator)
    # Once more makes no difference.
    assert json.loads(read.to_json()) == json.loads(text)
    assert json.loads(pickle.loads(pickle.dumps(read)).to_json()) == json.loads(text)


def test_what_a_file_cannot_hold_is_left_out():
    selector = bayesieve.Wrapper(
        cv=StratifiedKFold(3), random_state=np.random.RandomState(3), callback=print, n_jobs=1
    )
    selector.set_params(callback=None).fit(*IRIS)
    told = json.loads(selector.to_json())["python"]
    assert told["class"] == "Wrapper"
    assert not {"cv", "random_state", "callback", "n_jobs", "verbose"} & set(told["parameters"])
    read = bayesieve.read_selection(selector.to_json())
    # The seed that was drawn gives the same answer again.
    assert read.random_state == selector.document_["seed"]
    assert "python" not in read.document_


def test_files_hold_columns_that_pandas_names():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(IRIS[0], columns=list("abcd"))
    selector = bayesieve.MRMR(keep=X.columns[:2]).fit(X, IRIS[1])
    assert bayesieve.read_selection(selector.to_json()).keep == ["a", "b"]


def test_files_hold_the_parameters_of_the_fit():
    selector = bayesieve.MRMR(count=2).fit(*IRIS).set_params(count=3)
    assert bayesieve.read_selection(selector.to_json()).count == 2
    classifier = bayesieve.NaiveBayes(alpha=2).fit(*IRIS).set_params(alpha=3)
    assert bayesieve.read_model(classifier.to_json()).alpha == 2


def test_the_command_reads_files_with_parameters(tmp_path):
    path = write_csv(tmp_path / "data.csv", {**TABLE, "class": LABELS})
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(TABLE)
    selection, model = tmp_path / "selection.json", tmp_path / "model.json"
    bayesieve.MRMR(keep=["far"], nominal=["few"]).fit(X, LABELS).to_json(selection)
    trained = tmp_path / "trained.json"
    words = ["--class", "class", "--selection", selection, "--model", "nb", "-o", trained]
    run("train", path, *words, "--quiet")
    assert "far" in bayesieve.read_model(trained).feature_names_in_
    bayesieve.NaiveBayes(nominal=["few"]).fit(X, LABELS).to_json(model)
    assert run("predict", model, path, "--quiet").stdout


# Columns


@pytest.fixture(params=["pandas", "polars", "pyarrow"])
def whole_frame(request):
    """All columns, in another order than the file has them."""
    library = pytest.importorskip(request.param)
    columns = {name: TABLE[name] for name in reversed(TABLE)}
    make = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}[request.param]
    return getattr(library, make)(columns)


def test_selections_of_some_columns_take_theirs_by_name(whole_frame, tmp_path):
    path = write_csv(tmp_path / "data.csv", {**TABLE, "class": LABELS})
    selection = tmp_path / "selection.json"
    words = ["--class", "class", "--ignore", "far,same", "--method", "mrmr", "--count", "2"]
    run("select", path, *words, "-o", selection, "--quiet")
    selector = bayesieve.read_selection(selection)
    assert selector.n_features_in_ == len(TABLE) - 2
    expected = np.array([TABLE[name] for name in TABLE if name in selector.kept_], dtype=object).T
    assert selector.transform(whole_frame).tolist() == expected.tolist()
    # An array has no names to choose by.
    with pytest.raises(ValueError, match="features"):
        selector.transform(np.zeros((3, len(TABLE))))
    assert selector.explain("far") == "far is dropped: it was left out by the options"
    assert "same" in list(selector.dropped_["feature"])
    with pytest.raises(bayesieve.SettingError, match="there is no column"):
        selector.explain("fa")


def test_models_of_some_columns_take_theirs_by_name(whole_frame, tmp_path):
    path = write_csv(tmp_path / "data.csv", {**TABLE, "class": LABELS})
    model = tmp_path / "model.json"
    words = ["--class", "class", "--features", "near,text", "--model", "nb", "-o", model]
    run("train", path, *words, "--quiet")
    classifier = bayesieve.read_model(model)
    names = list(classifier.feature_names_in_)
    is_arrow = hasattr(whole_frame, "column_names")
    own = whole_frame.select(names) if is_arrow else whole_frame[names]
    expected = classifier.predict_proba(own)
    assert classifier.predict_proba(whole_frame).tolist() == expected.tolist()
    classifier.report(tmp_path / "page.html", whole_frame, LABELS)
    with pytest.raises(ValueError, match="features"):
        classifier.predict(np.zeros((3, len(TABLE))))


def test_what_was_fitted_here_refuses_other_columns():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(IRIS[0], columns=list("abcd"))
    for estimator in (bayesieve.MRMR(), bayesieve.NaiveBayes()):
        estimator.fit(X, IRIS[1])
        use = estimator.transform if hasattr(estimator, "transform") else estimator.predict
        with pytest.raises(ValueError, match="feature names should match"):
            use(X.assign(e=1.0))
        # A file that was read is forgotten by the next fit.
        read = type(estimator).from_json(estimator.to_json())
        read.fit(X, IRIS[1])
        use = read.transform if hasattr(read, "transform") else read.predict
        with pytest.raises(ValueError, match="feature names should match"):
            use(X.assign(e=1.0))


# Damage


def damages(document, path=()):
    """Every way to take an entry out, or to put something else in its place."""
    entries = document.items() if isinstance(document, dict) else list(enumerate(document))[:2]
    for name, value in list(entries):
        yield (*path, name), None
        if isinstance(value, (dict, list)):
            yield from damages(value, (*path, name))


OTHER = (None, 3, "text", [], {}, [3], True, -1.5)


@pytest.mark.parametrize("method", [bayesieve.MRMR(count=2), bayesieve.Auto(), bayesieve.IAMB()])
def test_damaged_selection_files_are_refused_or_read(method):
    document = json.loads(method.fit(*IRIS).to_json())
    n_refused = 0
    for path, _ in damages(document):
        for other in ("out of it", *OTHER):
            broken = copy.deepcopy(document)
            part = broken
            for name in path[:-1]:
                part = part[name]
            if other == "out of it":
                del part[path[-1]]
            else:
                part[path[-1]] = other
            try:
                read = bayesieve.read_selection(json.dumps(broken))
            except DataError:
                n_refused += 1
                continue
            # What is read can be used.
            for name in read.document_["data"]["columns"]:
                assert read.explain(name).startswith(name)
            assert len(read.dropped_) == len(read.document_["dropped"])
            assert len(read.steps_) == len(read.document_["steps"])
            rows = np.zeros((3, read.n_features_in_))
            assert read.transform(rows).shape[1] == len(read.kept_)
            assert read._repr_html_()
            assert read.to_json()
    assert n_refused > 100


def test_kept_features_that_are_no_columns_are_refused():
    text = bayesieve.MRMR(count=2).fit(*IRIS).to_json()
    with pytest.raises(DataError, match="damaged"):
        bayesieve.read_selection(text.replace('"x3"', '"y3"', 1))


# Classes


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["9", "10"], [9, 10]),
        (["10", "9", "-1"], [-1, 9, 10]),
        (["10.0", "1.0", "2.0"], [1.0, 2.0, 10.0]),
        (["0.5", "1"], [0.5, 1.0]),
        (["1.0", "1"], ["1", "1.0"]),
        (["1", str(2**63)], ["1", str(2**63)]),
        (["1", str(2**63 - 1)], [1, 2**63 - 1]),
        (["false", "true"], [False, True]),
        (["True", "False"], [False, True]),
        (["True", "true"], ["True", "true"]),
        (["yes", "no"], ["no", "yes"]),
        (["01", "1"], ["01", "1"]),
        (["1_0", "2"], ["1_0", "2"]),
        (["nan", "inf"], ["inf", "nan"]),
        (["1e999", "1.5"], ["1.5", "1e999"]),
    ],
)
def test_classes_of_files_are_what_their_labels_look_like(labels, classes):
    from bayesieve._classifier import classes_of

    found, in_order = classes_of(labels)
    assert found.tolist() == classes
    assert [type(one) for one in found.tolist()] == [type(one) for one in classes]
    assert sorted(in_order) == sorted(labels)


@pytest.mark.parametrize(
    ("labels", "values"),
    [
        (["10.0", "2.0", "1.0"], [10.0, 2.0, 1.0]),
        (["True", "False", "True"], [True, False, True]),
        (["b", "a", "c"], ["b", "a", "c"]),
    ],
)
def test_probabilities_follow_the_classes(labels, values, tmp_path):
    X, y = IRIS
    columns = {f"x{place}": X[:, place].tolist() for place in range(4)}
    path = write_csv(tmp_path / "data.csv", {**columns, "class": [labels[one] for one in y]})
    model = tmp_path / "model.json"
    run("train", path, "--class", "class", "--model", "nb", "-o", model, "--quiet")
    classifier = bayesieve.read_model(model)
    truth = np.array(values)[y]
    assert classifier.classes_.tolist() == sorted(set(values))
    assert classifier.score(X, truth) > 0.9
    assert log_loss(truth, classifier.predict_proba(X), labels=classifier.classes_) < 0.3
    page = tmp_path / "page.html"
    classifier.report(page, X, truth)
    assert page.exists()
