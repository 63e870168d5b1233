"""Classes of every kind, and data at the edge of what there can be."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from estimators import CLASSIFIERS, SELECTORS
from sklearn.base import clone
from test_data import LETTERS, NUMBERS, RNG, N, Y

import bayesieve
from bayesieve import MDLFS, DataError, NaiveBayes

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

NOISE = RNG.normal(size=(N, 3))


def as_classes(kind):
    """The class as people have it, and what `classes_` is then."""
    pandas = lambda: pytest.importorskip("pandas")  # noqa: E731
    words = np.where(Y == 1, "yes", "no")
    made = {
        "int": lambda: (Y, [0, 1]),
        "negative": lambda: (Y * 2 - 1, [-1, 1]),
        "unsigned": lambda: (Y.astype("u1"), [0, 1]),
        "other byte order": lambda: (Y.astype(">i4"), [0, 1]),
        "whole floats": lambda: (Y + 9.0, [9.0, 10.0]),
        "bool": lambda: (Y == 1, [False, True]),
        "texts": lambda: (words, ["no", "yes"]),
        "text objects": lambda: (words.astype(object), ["no", "yes"]),
        "list": lambda: (words.tolist(), ["no", "yes"]),
        "numbers as texts": lambda: (np.where(Y == 1, "9", "10"), ["10", "9"]),
        "empty text": lambda: (np.where(Y == 1, "", "x"), ["", "x"]),
        "series": lambda: (pandas().Series(words, name="answer"), ["no", "yes"]),
        "categories": lambda: (
            pandas().Series(pandas().Categorical(words, categories=["yes", "never", "no"])),
            ["no", "yes"],
        ),
        "categories of numbers": lambda: (pandas().Series(Y).astype("category"), [0, 1]),
        "Int64": lambda: (pandas().Series(Y, dtype="Int64"), [0, 1]),
        "boolean": lambda: (pandas().Series(Y == 1, dtype="boolean"), [False, True]),
        "string": lambda: (pandas().Series(words, dtype="string"), ["no", "yes"]),
        "polars": lambda: (
            pytest.importorskip("polars").Series("answer", words.tolist()),
            ["no", "yes"],
        ),
        "pyarrow": lambda: (pytest.importorskip("pyarrow").array(words.tolist()), ["no", "yes"]),
        "pyarrow dictionary": lambda: (
            pytest.importorskip("pyarrow").array(words.tolist()).dictionary_encode(),
            ["no", "yes"],
        ),
    }
    return made if kind is None else made[kind]()


@pytest.mark.parametrize("kind", as_classes(None))
def test_classes_of_every_kind(kind):
    y, classes = as_classes(kind)
    classifier = NaiveBayes().fit(NUMBERS, y)
    assert classifier.classes_.tolist() == classes
    values = np.asarray(y)
    predicted = classifier.predict(NUMBERS)
    # The first column tells the class: no row is doubtful.
    assert predicted.tolist() == values.tolist()
    by_place = classifier.classes_[classifier.predict_proba(NUMBERS).argmax(axis=1)]
    assert by_place.tolist() == values.tolist()
    assert classifier.score(NUMBERS, values) == 1.0
    assert MDLFS().fit(NUMBERS, y).kept_ == MDLFS().fit(NUMBERS, Y).kept_


def test_many_classes_come_in_the_order_of_scikit_learn():
    rows = RNG.integers(0, 12, 600)
    labels = np.array([str(one) for one in rows])
    X = np.column_stack([rows, RNG.integers(0, 3, 600)])
    classifier = NaiveBayes(nominal="all").fit(X, labels)
    assert classifier.classes_.tolist() == sorted(set(labels))
    assert (classifier.predict(X) == labels).all()
    assert classifier._model.class_labels == [str(one) for one in range(12)]


@pytest.mark.parametrize("estimator", [*SELECTORS, *CLASSIFIERS], ids=repr)
def test_one_class_is_refused(estimator):
    with pytest.raises(DataError, match="one class"):
        estimator.fit(NUMBERS, np.ones(N, dtype=int))


def test_one_class_can_be_described():
    pytest.importorskip("pandas")
    told = bayesieve.describe(NUMBERS, np.ones(N, dtype=int))
    assert told["information_bits"].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("missing", [np.nan, None, "NA"], ids=repr)
def test_a_class_that_is_missing_is_refused_with_a_count(missing):
    value = pytest.importorskip("pandas").NA if missing == "NA" else missing
    y = np.array([value if row < 3 else float(one) for row, one in enumerate(Y)], dtype=object)
    for estimator in (MDLFS(), NaiveBayes(), bayesieve.MDLP()):
        with pytest.raises(DataError, match=f"missing in 3 of {N} rows.*NaN. Drop these rows"):
            estimator.fit(NUMBERS, y)


def test_targets_that_are_no_classes_are_refused():
    for y, message in [
        (RNG.normal(size=N), "continuous"),
        # Whole numbers, measured: 60 of them, each in two rows.
        (np.arange(N) // 2, "Unknown label type: continuous"),
        (np.arange(N) // 2 + 0.0, "Unknown label type: continuous"),
        (np.where(Y == 1, np.inf, 0.0), "infinity"),
        (np.column_stack([Y, Y]), "1d array"),
        (Y[:5], "inconsistent numbers of samples"),
        (None, "y"),
    ]:
        for estimator in (MDLFS(), NaiveBayes()):
            with pytest.raises(ValueError, match=message):
                estimator.fit(NUMBERS, y)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_frames_and_classes_of_other_lengths_are_refused(library):
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    X = make({"a": LETTERS, "b": NUMBERS[:, 0].tolist()})
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        MDLFS().fit(X, Y[:5])


# Little or nothing to tell


@pytest.mark.filterwarnings("ignore:No features were selected")
def test_zero_features_kept():
    selector = MDLFS().fit(NOISE, Y)
    assert selector.kept_ == []
    assert not selector.support_.any()
    assert selector.get_feature_names_out().shape == (0,)
    assert selector.transform(NOISE).shape == (N, 0)
    assert len(selector.dropped_) == 3
    assert "keeps 0 of 3" in selector._repr_html_()
    assert not selector.inverse_transform(selector.transform(NOISE)).any()
    assert selector.inverse_transform(np.empty((5, 0))).shape == (5, 3)
    with pytest.raises(ValueError, match="different shape"):
        selector.inverse_transform(NOISE)


@pytest.mark.filterwarnings("ignore:No features were selected")
@pytest.mark.parametrize("wanted", ["pandas", "polars"])
@pytest.mark.parametrize("given", ["numpy", "pandas", "polars", "pyarrow"])
def test_set_output_from_every_library(given, wanted):
    module, out = pytest.importorskip(given), pytest.importorskip(wanted)
    columns = {"few": NUMBERS[:, 0].tolist(), "text": LETTERS, "noise": NOISE[:, 0].tolist()}
    if given == "numpy":
        X, names = NUMBERS, ["x0", "x1", "x2"]
    else:
        X = (module.table if given == "pyarrow" else module.DataFrame)(columns)
        names = list(columns)
    selector = bayesieve.MRMR(count=2).set_output(transform=wanted).fit(X, Y)
    frame = selector.transform(X)
    assert isinstance(frame, out.DataFrame)
    # In the order of the columns, as all selectors of scikit-learn do.
    assert list(frame.columns) == [name for name in names if name in selector.kept_]
    assert frame.shape == (N, 2)
    if given != "numpy":
        nothing = MDLFS().set_output(transform=wanted).fit(X, RNG.permutation(Y))
        assert nothing.transform(X).shape == (N, len(nothing.kept_))


def test_constant_and_empty_columns_are_said_to_be_such():
    X = np.column_stack([NUMBERS, np.full(N, 7.0), np.full(N, np.nan)])
    selector = MDLFS().fit(X, Y)
    reasons = {one["feature"]: one["reason"] for one in selector.document_["dropped"]}
    assert reasons["x3"] == reasons["x4"] == "constant"
    for classifier in CLASSIFIERS:
        assert np.isfinite(classifier.fit(X, Y).predict_proba(X)).all()


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=repr)
def test_nothing_but_constant_columns_leaves_the_frequencies(classifier):
    X = np.ones((N, 2))
    expected = np.bincount(Y) / N
    # A leaf of a tree adds a row to every class: at most 1 in 120 more or less.
    assert np.allclose(classifier.fit(X, Y).predict_proba(X[:1]), expected, atol=1 / N)


def test_one_row():
    with pytest.raises(DataError, match="one class"):
        MDLFS().fit(NUMBERS[:1], Y[:1])
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(NUMBERS, columns=["a", "b", "c"])
    classifier = NaiveBayes().fit(frame, Y)
    assert classifier.predict(frame.iloc[[3]]).tolist() == [Y[3]]
    assert MDLFS().fit(frame, Y).transform(frame.iloc[[3]]).shape[0] == 1


def test_classes_whose_rows_are_all_left_out_are_no_classes():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": ["u", "v"] * 60, "b": [1, None, 2] * 40})
    y = np.array(["p", "q", "r"] * 40)
    classifier = NaiveBayes(missing="drop").fit(X, y)
    assert classifier.classes_.tolist() == ["p", "r"]
    assert classifier.predict_proba(X).shape == (120, 2)
    assert set(classifier.predict(X)) <= {"p", "r"}


# Prediction


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=repr)
def test_unseen_values_and_missing_cells_are_summed_out(classifier):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"text": LETTERS, "few": NUMBERS[:, 0]})
    new = pd.DataFrame({"text": ["never", None], "few": [99, None]})
    classifier = clone(classifier).set_params(nominal=["few"])
    probabilities = classifier.fit(X, Y).predict_proba(new)
    assert np.allclose(probabilities.sum(axis=1), 1.0)
    assert np.array_equal(probabilities[0], probabilities[1])
    if not isinstance(classifier, bayesieve.ID3):
        # Nothing is known: what is left is how frequent the classes are.
        assert np.allclose(probabilities[0], np.bincount(Y) / N)


def test_a_missing_cell_is_a_value_where_training_had_some():
    X = np.array([[None if one == 1 else "known"] for one in Y], dtype=object)
    classifier = NaiveBayes().fit(X, Y)
    assert (classifier.predict(X) == Y).all()


def test_columns_are_held_to_their_names():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(NUMBERS, columns=["a", "b", "c"])
    for estimator, ask in [(NaiveBayes(), "predict"), (MDLFS(), "transform")]:
        estimator.fit(X, Y)
        with pytest.raises(ValueError, match="same order"):
            getattr(estimator, ask)(X[["b", "a", "c"]])
        with pytest.raises(ValueError, match="missing:\n- c"):
            getattr(estimator, ask)(X[["a", "b"]])
        with pytest.raises(ValueError, match="unseen at fit time:\n- d"):
            getattr(estimator, ask)(X.assign(d=1))
        with pytest.warns(UserWarning, match="does not have valid feature names"):
            getattr(estimator, ask)(NUMBERS)


# Names that are markup


class Tags(HTMLParser):
    """The tags of a page, without what stands in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)


EVIL = '<img src=x onerror="alert(1)">'


def test_names_stay_names_in_pages(tmp_path):
    pd = pytest.importorskip("pandas")
    names = [EVIL, "</script><script>alert(2)", "a&b"]
    X = pd.DataFrame(NUMBERS, columns=names)
    y = pd.Series(np.where(Y == 1, EVIL, "<b>"), name="<i>class</i>")
    selector = bayesieve.MRMR(count=2).fit(X, y)
    small = selector._repr_html_()
    assert "img" not in Tags(small).found
    assert "&lt;img" in small
    page = tmp_path / "page.html"
    selector.report(page)
    plain = tmp_path / "plain.html"
    bayesieve.MRMR(count=2).fit(X.set_axis(["a", "b", "c"], axis=1), Y).report(plain)
    told = page.read_text()
    assert "alert(1)" in told
    # No tag comes from a name: there are as many scripts as without such names.
    scripts = [Tags(one.read_text()).found.count("script") for one in (page, plain)]
    assert scripts[0] == scripts[1]
    assert "img" not in Tags(told).found
    assert not re.search(r"""(src|href)=["']?https?:""", told)


def test_features_may_have_the_names_that_classes_have():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(NUMBERS, columns=["class", "y", "target"])
    selector = MDLFS().fit(X, pd.Series(Y, name="class"))
    assert selector.document_["data"]["class"] == "the class"
    assert selector.kept_ == [["class", "y", "target"][int(MDLFS().fit(NUMBERS, Y).kept_[0][1])]]
