"""The package and the command answer alike, bit for bit, and read each other's files."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from command import document, run, spelled, timeless, write_csv
from estimators import CLASSIFIERS, SELECTORS
from tables import TABLES

import bayesieve
from bayesieve._selector import Selector

pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

#: Small enough for every table, and not what the methods do by themselves.
SEVERAL = [
    *[one for one in SELECTORS if not isinstance(one, bayesieve.FSSEBNA)],
    bayesieve.FSSEBNA(cv=3, repeat=1, settings={"population": 20, "generations": 3}),
    bayesieve.MDLFS(model="nb", search="backward", auxiliary="own-tree"),
    bayesieve.MDL(search="genetic", settings={"population": 20, "generations": 4}, random_state=7),
    bayesieve.KollerSahami(k=2, gamma=0.01, blanket="strongest"),
    bayesieve.CFS(search="forward", locally_predictive=True),
    bayesieve.MRMR(count=3),
    bayesieve.MRMR(count=2, scheme="miq"),
    bayesieve.JMI(count=2, missing="available"),
    bayesieve.FCBF(count=2, discretize="width:4"),
    bayesieve.ReliefF(count=3, k=3),
    bayesieve.InfoAS(criterion="cig", stop="chi2", alpha=0.01),
    bayesieve.InfoAS(criterion="cgr", test="g", stop="chi2"),
    bayesieve.K2AS(variant="le"),
    bayesieve.Wrapper(model="id3", cv=3, repeat=2, rule="one-se", random_state=5),
    bayesieve.RPDMB(criterion="bic", pruning="any"),
    bayesieve.IAMB(interleaved=True, alpha=0.01, power=False),
    bayesieve.HITONMB(kmax=1, freedom="adjusted", duplicates="keep"),
    bayesieve.Separation(covariance="own", correction=False),
    bayesieve.MDLFS(keep=["noise"], nominal=["steps"], numeric=["few"], missing="drop"),
]


def flags(selector: Selector) -> list[str]:
    """What the command is told to do the same."""
    request = selector._request(np.zeros(0, dtype=np.int64))
    words = ["--method", request["method"], "--seed", str(selector.random_state or 1)]
    for name in ("model", "search", "count"):
        if request[name] is not None:
            words += [f"--{name}", str(request[name])]
    for name in ("keep", "nominal", "numeric", "missing", "discretize"):
        value = getattr(selector, name)
        if value is not None:
            words += [f"--{name}", value if isinstance(value, str) else ",".join(value)]
    given = {name: getattr(selector, name) for name in selector._setting_names()}
    default = type(selector)()
    for name, value in request["settings"].items():
        # Only what is not the default: so that defaults are held to the command's too.
        is_default = name in given and given[name] == getattr(default, name, None)
        words += [] if is_default else ["--set", f"{name}={spelled(value)}"]
    return words if type(selector) is bayesieve.Auto else [*words, "--no-honest"]


@pytest.fixture(params=TABLES)
def table(request, tmp_path):
    columns, y = TABLES[request.param]
    path = write_csv(tmp_path / "data.csv", {**columns, "class": y})
    return pd.DataFrame(columns), np.array(y), path


@pytest.mark.parametrize("kind", ["nominal", "numeric"])
def test_few_whole_numbers_that_are_declared_are_the_same(kind, table, tmp_path):
    """Undeclared ones are numbers in a frame, which says so, and labels in a file."""
    X, y, _ = table
    codes = np.unique(y, return_inverse=True)[1] % 7
    X = pd.DataFrame({"levels": 2 * codes + np.arange(len(y)) % 5, "near": X["near"]})
    assert 2 < X["levels"].nunique() <= 20
    columns = {name: X[name].tolist() for name in X}
    path = write_csv(tmp_path / "levels.csv", {**columns, "class": y.tolist()})
    words = ["--class", "class", "--method", "mrmr", "--count", "2", "--no-honest"]
    theirs = document("select", path, *words, f"--{kind}", "levels")
    mine = bayesieve.MRMR(count=2, **{kind: ["levels"]}).fit(X, y).document_
    assert timeless(mine) == theirs
    in_frame = bayesieve.MRMR(count=2).fit(X, y).document_["steps"]
    assert (in_frame == mine["steps"]) == (kind == "numeric")
    in_file = document("select", path, *words)["steps"]
    assert (in_file == mine["steps"]) == (kind == "nominal")


@pytest.mark.parametrize("selector", SEVERAL, ids=repr)
def test_selections_are_the_same(selector, table):
    X, y, path = table
    mine = selector.fit(X, y)
    theirs = document("select", path, "--class", "class", *flags(selector))
    assert timeless(mine.document_) == theirs
    assert mine.kept_ == theirs["kept"]
    assert mine.score_ == theirs["score"]["value"]
    assert list(mine.dropped_["sentence"]) == [one["text"] for one in theirs["dropped"]]
    assert mine.steps_.to_dict("records") == theirs["steps"]


def predicted(model: Path, path: Path) -> tuple[list[str], dict[str, list[float]]]:
    """Classes and the probabilities of each, as the command has them."""
    out = model.with_suffix(".csv")
    run("predict", model, path, "-o", out, "--quiet")
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    labels = [name for name in rows[0] if name.startswith("p(")]
    return (
        [row["predicted"] for row in rows],
        {name[2:-1]: [float(row[name]) for row in rows] for name in labels},
    )


def assert_predicts_as(classifier, X, answer):
    classes, probabilities = answer
    assert [str(one) for one in classifier.predict(X)] == classes
    mine = classifier.predict_proba(X)
    assert mine.shape[1] == len(probabilities)
    for place, label in enumerate(classifier.classes_):
        assert mine[:, place].tolist() == probabilities[str(label)]


MODELS = [
    *CLASSIFIERS,
    bayesieve.NaiveBayes(discretize="none", divisor="n"),
    bayesieve.NaiveBayes(smoothing="dirichlet", alpha=2, missing="drop"),
    bayesieve.TAN(smoothing="mixing", discretize="frequency:3"),
    bayesieve.BlockGaussian(weights="optimal", block_size=2),
    bayesieve.ID3(discretize="none", cuts="gain", level=0.2),
]


@pytest.mark.parametrize("classifier", MODELS, ids=repr)
def test_models_are_the_same_and_files_go_both_ways(classifier, table, tmp_path):
    X, y, path = table
    kind, default = classifier._model_name(), type(classifier)()
    words = ["--missing", classifier.missing, "--discretize", classifier.discretize]
    for name, value in classifier._own_settings().items():
        if value != getattr(default, name):
            words += ["--set", f"{name}={spelled(value)}"]
    theirs, mine = tmp_path / "theirs.json", tmp_path / "mine.json"
    run("train", path, "--class", "class", "--model", kind, "-o", theirs, "--quiet", *words)
    classifier.fit(X, y).to_json(mine)
    expected = json.loads(theirs.read_text())
    # Which texts are empty cells is a matter of files: in memory, what is missing is missing.
    expected.pop("missing_cells")
    found = json.loads(mine.read_text())
    # Parameters that the command has no place for.
    assert found.pop("python")["class"] == type(classifier).__name__
    assert found == expected

    answer = predicted(theirs, path)
    assert_predicts_as(classifier, X, answer)
    assert predicted(mine, path) == answer
    read = bayesieve.read_model(theirs)
    assert type(read) is type(classifier)
    assert_predicts_as(read, X, answer)


def test_what_training_never_saw_is_treated_the_same(table, tmp_path):
    X, y, _ = table
    new = X.copy()
    new["text"] = ["never" if row % 3 == 0 else value for row, value in enumerate(X["text"])]
    new["near"] = [None if row % 5 == 0 else value for row, value in enumerate(X["near"])]
    new["few"] = X["few"] + 40
    columns = {name: new[name].tolist() for name in new}
    path = write_csv(tmp_path / "new.csv", columns)
    for classifier in CLASSIFIERS:
        model = tmp_path / "model.json"
        classifier.fit(X, y).to_json(model)
        assert_predicts_as(classifier, new, predicted(model, path))


def test_a_model_remembers_what_columns_were_declared(table, tmp_path):
    X, _, path = table
    model = tmp_path / "model.json"
    words = ["--nominal", "steps", "--numeric", "few", "--quiet"]
    run("train", path, "--class", "class", "--model", "nb", "-o", model, *words)
    answer = predicted(model, path)
    read = bayesieve.read_model(model)
    assert_predicts_as(read, X, answer)
    # A few rows look like other kinds of columns; the model knows better.
    rows = [read.predict_proba(X.iloc[[row]])[0].tolist() for row in range(20)]
    assert rows == read.predict_proba(X)[:20].tolist()


def test_selection_files_go_both_ways(table, tmp_path):
    X, y, path = table
    mine, theirs = tmp_path / "mine.json", tmp_path / "theirs.json"
    selector = bayesieve.MDLFS(model="nb").set_output(transform="pandas").fit(X, y)
    selector.to_json(mine)
    words = ["--class", "class", "--method", "mdl-fs", "--model", "nb", "--quiet"]
    run("select", path, *words, "-o", theirs)

    read = bayesieve.read_selection(theirs)
    assert isinstance(read, bayesieve.MDLFS)
    assert read.get_params() == {**selector.get_params(), "random_state": 1}
    assert read.set_output(transform="pandas").transform(X).equals(selector.transform(X))
    assert read.explain("same") == selector.explain("same")

    models = []
    for one in (mine, theirs):
        model = one.with_name(f"model-{one.name}")
        run("train", path, "--selection", one, "-o", model, "--quiet")
        models.append(bayesieve.read_model(model))
    features = [list(one.feature_names_in_) for one in models]
    assert features[0] == features[1] == list(selector.transform(X))
    kept = selector.transform(X)
    assert np.array_equal(*(one.predict_proba(kept) for one in models))


def test_descriptions_are_the_same(table):
    X, y, path = table
    mine = bayesieve.describe(X, y)
    theirs = document("describe", path, "--class", "class")
    assert timeless(mine.attrs["document"]) == theirs
    assert mine["information_bits"].tolist() == [
        one["information_bits"] for one in theirs["columns"] if one["name"] != "class"
    ]


@pytest.mark.parametrize("protocol", ["cv:3", "holdout:4:2/3", "5x2cv"])
def test_comparisons_are_the_same(table, protocol):
    X, y, path = table
    pipelines = ["all/nb", "mdl-fs/tan", "mrmr:2/id3", "wrapper/nb"]
    mine = bayesieve.compare({"data": (X, y)}, pipelines=pipelines, protocol=protocol)
    words = [word for one in pipelines for word in ("--pipeline", one)]
    theirs = document("compare", path, "--class", "class", "--protocol", protocol, *words)
    assert list(mine.runs["accuracy"]) == [one["accuracy"] for one in theirs["runs"]]
    assert list(mine.runs["kept"]) == [one["kept"] for one in theirs["runs"]]
    assert timeless(mine.document) == theirs
