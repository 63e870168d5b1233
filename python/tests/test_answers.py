"""Predictions, networks and frames: what comes out, and what is said about it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

import bayesieve
from bayesieve import DataWarning

IRIS = load_iris(return_X_y=True)


# Cells that training has no value for


@pytest.mark.parametrize(
    "classifier", [bayesieve.NaiveBayes(), bayesieve.TAN(), bayesieve.ID3()], ids=repr
)
def test_cells_that_are_passed_over_are_told(classifier):
    rng = np.random.default_rng(1)
    X = rng.choice(["a", "b"], (60, 5)).astype(object)
    X[:, 4] = rng.choice(["a", None], 60)
    # A tree reads the columns that it grows by.
    y = (X[:, 0] == "a") & (X[:, 1] == "a")
    new = X.copy()
    new[:3, 0] = None
    new[:2, 1] = "never"
    new[0, 4] = None
    classifier.fit(X, y)
    for predict in (classifier.predict, classifier.predict_proba):
        with pytest.warns(DataWarning) as told:
            predict(new)
        told = [one for one in told if issubclass(one.category, DataWarning)]
        assert len(told) == 1
        assert '"x0" (3 missing), "x1" (2 never seen in training).' in str(told[0].message)
        assert told[0].filename == __file__


def test_at_most_three_columns_are_named():
    X = np.array([["a", "b"] * 4] * 10, dtype=object)
    X[::2] = "c"
    classifier = bayesieve.NaiveBayes().fit(X, [0, 1] * 5)
    with pytest.warns(DataWarning, match="x2.* and 5 more columns") as told:
        classifier.predict(np.full((1, 8), "never", dtype=object))
    assert "x3" not in str(told[0].message)


def test_clean_rows_are_predicted_in_silence():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for classifier in (bayesieve.NaiveBayes(), bayesieve.ID3(), bayesieve.BlockGaussian()):
            classifier.fit(*IRIS).predict_proba(IRIS[0] + 100)


# Networks


def test_a_tree_has_no_network():
    tree = bayesieve.ID3().fit(*IRIS)
    assert not hasattr(tree, "network_")
    with pytest.raises(AttributeError, match="no network"):
        tree.network_  # noqa: B018


@pytest.mark.parametrize(
    "classifier",
    [
        bayesieve.NaiveBayes(),
        bayesieve.TAN(),
        bayesieve.NaiveBayes(discretize="none"),
        bayesieve.BlockGaussian(),
    ],
    ids=repr,
)
def test_networks_tell_their_graph(classifier):
    network = classifier.fit(*IRIS).network_
    assert network.nodes == ["x0", "x1", "x2", "x3", "class"]
    assert network.parents["class"] == []
    assert all("class" in network.parents[f"x{place}"] for place in range(4))
    n_arcs = sum(map(len, network.parents.values()))
    assert repr(network) == f"Network(5 nodes, {n_arcs} arcs)"


def test_networks_of_blocks_have_the_arcs_of_their_drawing():
    network = bayesieve.BlockGaussian(blocks=[["x3", "x1"]]).fit(*IRIS).network_
    arcs = {(parent, node) for node, parents in network.parents.items() for parent in parents}
    drawn = [line.strip(' ;"').split('" -> "') for line in network.to_dot().splitlines()]
    assert arcs == {tuple(one) for one in drawn if len(one) == 2}
    assert len(arcs) == 5


# Frames


def mixed(pd):
    """Columns of every type that pandas and polars both have."""
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 80)
    X = pd.DataFrame(
        {
            "label": pd.Categorical(np.where(y == 1, "p", "q")),
            "flag": (y + (rng.random(80) < 0.1)) % 2 == 1,
            "number": y + rng.random(80),
            "whole": y + rng.integers(0, 3, 80),
        }
    )
    return X, y


def test_pipelines_hand_frames_over_to_another_library():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    X, y = mixed(pd)
    selector = bayesieve.MRMR(count=4).set_output(transform="polars").fit(X, y)
    out = selector.transform(X)
    assert isinstance(out, pl.DataFrame)
    kinds = dict(zip(out.columns, out.dtypes, strict=True))
    assert isinstance(kinds["label"], pl.Categorical)
    assert kinds["flag"] == pl.Boolean
    assert kinds["number"] == pl.Float64
    assert kinds["whole"] == pl.Int64
    model = make_pipeline(bayesieve.MRMR(), bayesieve.NaiveBayes()).set_output(transform="polars")
    assert model.fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_frames_become_frames_of_pandas_with_their_types(library):
    pd = pytest.importorskip("pandas")
    other = pytest.importorskip(library)
    pytest.importorskip("pyarrow")
    X, y = mixed(pd)
    frame = other.from_pandas(X) if library == "polars" else other.Table.from_pandas(X)
    out = bayesieve.MRMR(count=4).set_output(transform="pandas").fit_transform(frame, y)
    assert isinstance(out, pd.DataFrame)
    assert list(out.columns) == list(X.columns)
    assert isinstance(out["label"].dtype, pd.CategoricalDtype)
    assert [str(out[name].dtype) for name in ("flag", "number", "whole")] == [
        "bool",
        "float64",
        "int64",
    ]


def test_tables_of_pyarrow_become_frames_of_polars():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    pd = pytest.importorskip("pandas")
    X, y = mixed(pd)
    selector = bayesieve.MRMR(count=4).set_output(transform="polars")
    out = selector.fit_transform(pa.Table.from_pandas(X), y)
    assert isinstance(out, pl.DataFrame)
    assert out["flag"].dtype == pl.Boolean


def test_columns_that_mix_types_still_become_a_frame():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    X, y = mixed(pd)
    X["label"] = [3 if one else "q" for one in y]
    X = X[["label", "number"]]
    selector = bayesieve.MRMR(count=2).set_output(transform="polars")
    assert isinstance(selector.fit(X, y).transform(X[["label", "number"]]), pl.DataFrame)
