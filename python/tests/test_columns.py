"""Columns and classes where types leave something to decide."""

from __future__ import annotations

import numpy as np
import pytest
from test_data import column

import bayesieve
from bayesieve import DataError, NaiveBayes, _classes, _columns

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

#: The first whole number that no float is, between two that are.
ODD = 2**53 + 1
N = 120
Y = np.arange(N) % 2


# Whole numbers that no float is


@pytest.mark.parametrize(
    "dtype", ["int64", "uint64", "Int64", "UInt64", "int64[pyarrow]", "uint64[pyarrow]", "object"]
)
def test_large_whole_numbers_stay_apart(dtype):
    pd = pytest.importorskip("pandas")
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    expected = ("nominal", 2, [str(ODD - 1), str(ODD)], 0)
    cells = pd.Series([ODD - 1, ODD] * 60, dtype=dtype)
    assert column(pd.DataFrame({"a": cells})) == expected
    if dtype in ("int64", "uint64"):
        return
    gaps = pd.Series([ODD - 1, ODD, None] * 40, dtype=dtype)
    assert column(pd.DataFrame({"a": gaps})) == (*expected[:3], 40)
    # More than twenty are numbers, unless they are declared labels: as without gaps.
    many = pd.DataFrame({"a": pd.Series([*range(ODD - 1, ODD + 118), None], dtype=dtype)})
    assert column(many)[0] == "numeric"
    assert column(many, nominal="all")[1] == N - 1
    assert column(pd.DataFrame({"a": gaps}), numeric="all")[:2] == ("numeric", 1)


def test_large_whole_numbers_of_numpy_stay_apart():
    for missing in ([], [None]):
        cells = np.array([[one] for one in ([ODD - 1, ODD, *missing] * 60)[:N]], dtype=object)
        assert column(cells)[:3] == ("nominal", 2, [str(ODD - 1), str(ODD)])


def test_whole_numbers_beyond_all_floats():
    huge = 10**400
    cells = np.array([[huge], [huge + 1]] * 60, dtype=object)
    assert column(cells)[:3] == ("nominal", 2, [str(huge), str(huge + 1)])
    for sign in (1, -1):
        with pytest.raises(DataError, match="infinite number"):
            column(sign * cells, numeric="all")


def test_a_model_reads_large_whole_numbers_with_and_without_gaps():
    pd = pytest.importorskip("pandas")
    cells = pd.Series([ODD - 1, ODD] * 60, dtype="Int64")
    model = NaiveBayes().fit(pd.DataFrame({"a": cells}), Y)
    new = pd.DataFrame({"a": pd.Series([ODD, ODD - 1, None], dtype="Int64")})
    assert model.predict(new)[:2].tolist() == [1, 0]
    many = pd.DataFrame({"a": pd.Series(range(ODD, ODD + N), dtype="Int64")})
    # Numbers in training stay numbers in few rows, of which one is missing.
    assert len(NaiveBayes().fit(many, Y).predict(new)) == 3


# Texts


def test_texts_that_name_rows_are_noted_in_every_library():
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    names = [f"row {place}" for place in range(N)]
    frames = [
        pl.DataFrame({"x0": names}),
        pd.DataFrame({"x0": names}),
        pd.DataFrame({"x0": pd.Series(names, dtype=object)}),
        pd.DataFrame({"x0": pd.Series(names, dtype="string")}),
        np.array(names)[:, None],
        np.array(names, dtype=object)[:, None],
    ]
    notes = [bayesieve.MRMR(count=1).fit(X, Y).notes_ for X in frames]
    assert all(one == notes[0] for one in notes)
    assert any("x0" in one for one in notes[0])
    # Whoever says that they are categories knows what they are.
    declared = pd.DataFrame({"x0": pd.Categorical(names)})
    assert bayesieve.MRMR(count=1).fit(declared, Y).notes_ == []


def test_texts_declared_numbers_are_refused_with_row_and_column():
    for X in (np.array([["x"], ["y"]] * 60), np.array([["x"], [None]] * 60, dtype=object)):
        with pytest.raises(DataError, match='row 1, column "x0": "x" is no number'):
            bayesieve.describe(X, Y, numeric="all")


# Truth values


def test_truth_values_declared_numbers_are_zero_and_one():
    pd = pytest.importorskip("pandas")
    truths = np.array([True, False] * 60)
    columns = [
        pd.Series(truths),
        pd.Series(truths, dtype="boolean"),
        pd.Series(truths, dtype=object),
        pd.Series([True, None, False] * 40, dtype="boolean"),
        pd.Series([True, None, False] * 40, dtype=object),
        pd.Series(pd.Categorical(truths)),
    ]
    for cells in columns:
        told = column(pd.DataFrame({"a": cells}), numeric="all")
        assert told[:2] == ("numeric", 2), cells.dtype
        assert told[3] == cells.isna().sum()
    both = np.column_stack([truths, ~truths])
    for X in (both, both.astype(object), pd.DataFrame(both, columns=["x0", "x1"])):
        document = bayesieve.describe(X, Y, numeric=[1]).attrs["document"]
        assert [one["kind"] for one in document["columns"]] == ["nominal", "numeric"]


def test_truth_values_are_cut_between_zero_and_one():
    truths = np.array([[True], [False]] * 60)
    # Yes and no are as far apart as 1 and 0: half way is 0.5.
    for X in (truths, *as_frames(truths)):
        for discretizer in (bayesieve.MDLP(), bayesieve.EqualWidth(n_bins=2)):
            discretizer.fit(X, truths[:, 0])
            assert discretizer.cut_points_[0].tolist() == [0.5]
            assert discretizer.transform(X)[:2].tolist() == [[1.0], [0.0]]


def as_frames(truths):
    pd = pytest.importorskip("pandas")
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    cells = {"a": truths[:, 0].tolist()}
    frame = pd.DataFrame(cells)
    return frame, frame.astype("boolean"), pl.DataFrame(cells), pa.table(cells)


# Classes


def test_classes_are_looked_at_once_each(monkeypatch):
    seen = []
    is_missing = _columns.is_missing
    monkeypatch.setattr(_columns, "is_missing", lambda one: seen.append(one) or is_missing(one))
    words = np.array(["no", "yes"], dtype=object)[np.arange(5000) % 2]
    X = np.empty((5000, 1))
    for y in (words, words.astype(str), np.arange(5000) % 2 + 0.0):
        _classes.target(y, X)
        assert len(seen) <= 2
        seen.clear()


@pytest.mark.parametrize("dtype", ["O", "U8", "U3"])
def test_classes_of_texts_are_in_order(dtype):
    words = np.array(["b", "a", "ab", "b", ""]).astype(dtype)
    goal = _classes.target(words, np.empty((5, 1)))
    classes, codes = np.unique(words, return_inverse=True)
    assert goal.classes.tolist() == classes.tolist() == ["", "a", "ab", "b"]
    assert goal.classes.dtype == words.dtype
    assert goal.codes.tolist() == codes.tolist() == [3, 1, 2, 3, 0]


def test_classes_of_several_types_are_refused_in_words():
    y = np.array(["a", 1] * 60, dtype=object)
    with pytest.raises(DataError, match="Give all classes one type"):
        NaiveBayes().fit(np.empty((N, 1)), y)


def test_missing_classes_are_counted_whatever_they_are():
    y = np.array(["a", None, float("nan"), float("nan"), "b"], dtype=object)
    with pytest.raises(DataError, match="missing in 3 of 5 rows"):
        _classes.target(y, np.empty((5, 1)))
    with pytest.raises(DataError, match="missing in 2 of 4 rows"):
        _classes.target(np.array([0.0, np.nan, 1.0, np.nan]), np.empty((4, 1)))
