"""Data as people have them: numpy, pandas, polars and pyarrow, all read alike."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from tables import TABLES, floats

import bayesieve
from bayesieve import MDLFS, DataError, NaiveBayes, SettingError

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

RNG = np.random.default_rng(0)
N = 120
Y = RNG.integers(0, 2, N)
#: Few whole numbers that tell, many that do not, many that tell a little.
NUMBERS = np.column_stack(
    [3 * Y + RNG.integers(0, 3, N), RNG.integers(0, 40, N), 20 * Y + RNG.integers(0, 25, N)]
)
LETTERS = np.array(list("abcdef"))[NUMBERS[:, 0]].tolist()


def found(X, y=Y, **parameters):
    """What is kept and why the rest is not, in full."""
    document = MDLFS(model="nb", **parameters).fit(X, y).document_
    return document["kept_features"], document["dropped"], document["steps"]


def column(frame, **parameters):
    """Kind, values, labels and missing cells of the first column."""
    pytest.importorskip("pandas")
    rows = bayesieve.describe(frame, Y, **parameters).attrs["document"]["columns"]
    one = rows[0]
    return one["kind"], one["values"], one.get("labels"), one["missing"]


# numpy


NUMBER_TYPES = [
    *("f2", "f4", "f8", "longdouble", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
    *(">f2", ">f4", ">f8", ">i2", ">i4", ">i8", ">u2", ">u8", "O"),
]


@pytest.mark.parametrize("dtype", NUMBER_TYPES)
def test_numbers_of_every_type_are_the_same_numbers(dtype):
    assert found(NUMBERS.astype(dtype)) == found(NUMBERS)


@pytest.mark.parametrize("dtype", ["U8", "S8", ">U8", "O"])
def test_texts_of_every_type_are_the_same_labels(dtype):
    texts = NUMBERS.astype(str)
    assert found(texts.astype(dtype)) == found(texts)


def test_texts_are_labels_even_where_they_look_like_numbers():
    kind, n_values, labels, _ = column(NUMBERS[:, 1:].astype(str))
    assert (kind, n_values, labels[:2]) == ("nominal", len(np.unique(NUMBERS[:, 1])), ["0", "1"])


@pytest.mark.parametrize(
    "lay_out",
    [
        np.asfortranarray,
        lambda X: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
        lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
        lambda X: np.broadcast_to(X, (1, *X.shape))[0],
        lambda X: X.tolist(),
    ],
    ids=["fortran", "strided", "backward", "broadcast", "lists"],
)
@pytest.mark.parametrize("dtype", ["f8", "i4", "O", "U8"])
def test_the_layout_in_memory_changes_nothing(lay_out, dtype):
    X = NUMBERS.astype(dtype)
    assert found(lay_out(X)) == found(X)


def test_read_only_arrays_are_read():
    X = NUMBERS.astype(float)
    X.flags.writeable = False
    assert found(X) == found(NUMBERS)


def test_truth_values_are_labels():
    assert column(NUMBERS > 2)[:3] == ("nominal", 2, ["false", "true"])


def test_masked_cells_are_missing():
    X = np.ma.masked_array(NUMBERS, mask=NUMBERS == 3)
    gaps = np.where(NUMBERS == 3, np.nan, NUMBERS)
    assert found(X) == found(gaps)
    masked_class = np.ma.masked_array(Y, mask=[True] + [False] * (N - 1))
    with pytest.raises(DataError, match=f"missing in 1 of {N} rows"):
        NaiveBayes().fit(NUMBERS, masked_class)


def test_objects_without_a_hash_are_told_by_their_text():
    assert column(np.array([[["a"]], [["b"]]] * 60, dtype=object)[:, :, 0])[1] == 2
    cells = np.empty((N, 1), dtype=object)
    cells[:, 0] = [[one] for one in LETTERS]
    assert column(cells)[:2] == ("nominal", 6)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.empty((0, 3)), "0 sample"),
        (np.empty((N, 0)), "0 feature"),
        (NUMBERS[:, 0], "Expected 2D array"),
        (NUMBERS[:, :, None], "dim 3"),
        (NUMBERS.astype(complex), "Complex data not supported"),
        (NUMBERS.astype("M8[D]"), "dates and times are neither labels nor numbers. Turn"),
        (NUMBERS.astype("m8[D]"), "dates and times"),
        (np.array([[b"\xff"]] * N), "no text"),
        (np.array([["\ud800"]] * N), "no text"),
    ],
    ids=["rows", "columns", "1d", "3d", "complex", "dates", "times", "bytes", "surrogates"],
)
def test_what_cannot_be_read_is_refused(X, message):
    with pytest.raises(ValueError, match=message):
        MDLFS().fit(X, Y[: len(X)])


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil"])
def test_sparse_matrices_are_refused_with_the_way_out(kind):
    X = sparse.random(N, 3, density=0.5, format=kind, random_state=0)
    for estimator in (MDLFS(), NaiveBayes(), bayesieve.MDLP()):
        with pytest.raises(TypeError, match="toarray"):
            estimator.fit(X, Y)
    with pytest.raises(TypeError, match="toarray"):
        NaiveBayes().fit(NUMBERS, Y).predict(X)


@pytest.mark.parametrize("dtype", ["f4", "f8", "longdouble", "O"])
def test_infinite_numbers_are_refused_with_row_and_column(dtype):
    X = NUMBERS.astype(dtype)
    X[7, 1] = np.inf
    with pytest.raises(DataError, match='row 8, column "x1": "inf" is an infinite number'):
        MDLFS().fit(X, Y)
    with pytest.raises(DataError, match="infinite"):
        NaiveBayes().fit(NUMBERS + 0.5, Y).predict(X)


# pandas


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda pd: pd.Categorical(LETTERS), ("nominal", 6, list("abcdef"), 0)),
        (
            lambda pd: pd.Categorical(LETTERS, categories=list("zfedcbaxy")),
            ("nominal", 6, list("abcdef"), 0),
        ),
        (lambda pd: pd.Categorical([9, 10] * 60), ("nominal", 2, ["9", "10"], 0)),
        (lambda pd: pd.Categorical([9.0, 10.5] * 60), ("nominal", 2, ["9", "10.5"], 0)),
        (lambda pd: pd.Categorical([True, False] * 60), ("nominal", 2, ["false", "true"], 0)),
        (
            lambda pd: pd.Categorical([1, "1", "x"] * 40, categories=[1, "1", "x"]),
            ("nominal", 2, ["1", "x"], 0),
        ),
        (lambda pd: pd.Categorical(["a", None, "b"] * 40), ("nominal", 2, ["a", "b"], 40)),
        (lambda pd: pd.array([1, None, 3] * 40, dtype="Int64"), ("nominal", 2, ["1", "3"], 40)),
        (lambda pd: pd.array([*range(119), None], dtype="UInt8"), ("numeric", 119, None, 1)),
        (lambda pd: pd.array([0.5, None, 3] * 40, dtype="Float64"), ("numeric", 2, None, 40)),
        (
            lambda pd: pd.array([True, None, False] * 40, dtype="boolean"),
            ("nominal", 2, ["false", "true"], 40),
        ),
        (lambda pd: pd.array(["a", None, "b"] * 40, "string"), ("nominal", 2, ["a", "b"], 40)),
        (lambda pd: pd.Series(["a", None, "b"] * 40), ("nominal", 2, ["a", "b"], 40)),
        (lambda pd: pd.Series(["a", None] * 60, dtype=object), ("nominal", 1, ["a"], 60)),
        (
            lambda pd: pd.Series(["a", np.nan, "b"] * 40, dtype=object),
            ("nominal", 2, ["a", "b"], 40),
        ),
        (
            lambda pd: pd.Series(["a", pd.NA, "b"] * 40, dtype=object),
            ("nominal", 2, ["a", "b"], 40),
        ),
        (
            lambda pd: pd.Series(["a", pd.NaT, "b"] * 40, dtype=object),
            ("nominal", 2, ["a", "b"], 40),
        ),
        (lambda pd: pd.Series([1, pd.NA, 3] * 40, dtype=object), ("nominal", 2, ["1", "3"], 40)),
        (
            lambda pd: pd.Series([True, None, False] * 40, dtype=object),
            ("nominal", 2, ["false", "true"], 40),
        ),
        (
            lambda pd: pd.Series([1, "a", 2.5] * 40, dtype=object),
            ("nominal", 3, ["1", "2.5", "a"], 0),
        ),
        (
            lambda pd: pd.Series([Decimal("1.5"), Decimal(2)] * 60, dtype=object),
            ("numeric", 2, None, 0),
        ),
        (
            lambda pd: pd.Series([Decimal("NaN"), Decimal(2)] * 60, dtype=object),
            ("nominal", 1, ["2"], 60),
        ),
        (
            lambda pd: pd.Series([Fraction(1, 4), Fraction(3, 4)] * 60, dtype=object),
            ("numeric", 2, None, 0),
        ),
        (lambda pd: pd.Series([b"a", b"b"] * 60, dtype=object), ("nominal", 2, ["a", "b"], 0)),
        (lambda pd: pd.Series([[1], [2]] * 60, dtype=object), ("nominal", 2, ["[1]", "[2]"], 0)),
        (lambda pd: pd.Series([None] * N, dtype=object), ("empty", 0, None, N)),
        (lambda pd: pd.Series(NUMBERS[:, 1].astype(">f8") / 4), ("numeric", 39, None, 0)),
    ],
)
def test_columns_of_pandas(make, expected):
    pd = pytest.importorskip("pandas")
    told = column(pd.DataFrame({"a": make(pd)}))
    kind, n_values, labels, n_missing = expected
    assert (told[0], told[1], told[3]) == (kind, n_values, n_missing)
    if labels is not None:
        assert told[2] == labels


@pytest.mark.parametrize(
    "make",
    [
        lambda pd: pd.to_datetime(NUMBERS[:, 0], unit="D"),
        lambda pd: pd.to_datetime(NUMBERS[:, 0], unit="D", utc=True),
        lambda pd: pd.to_timedelta(NUMBERS[:, 0], unit="D"),
        lambda pd: pd.PeriodIndex(["2020-01"] * N, freq="M"),
        lambda pd: pd.Series([dt.date(2020, 1, 1)] * N, dtype=object),
        lambda pd: pd.Series([pd.Timestamp("2020")] * N, dtype=object),
        lambda pd: pd.Series([pd.Period("2020"), None] * 60, dtype=object),
        lambda pd: pd.Series([dt.time(1), dt.timedelta(1)] * 60, dtype=object),
    ],
)
def test_dates_of_pandas_are_refused_with_advice(make):
    pd = pytest.importorskip("pandas")
    with pytest.raises(DataError, match=r'column "when": dates and times .* such as the weekday'):
        MDLFS().fit(pd.DataFrame({"when": make(pd)}), Y)


def test_sparse_columns_of_pandas_are_refused_with_the_way_out():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.arrays.SparseArray(NUMBERS[:, 0])})
    with pytest.raises(DataError, match=r'X\["a"\].sparse.to_dense\(\)'):
        MDLFS().fit(X, Y)


def test_categories_of_numbers_can_be_declared_numbers():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.Categorical([1, 2, None] * 40)})
    assert column(X, numeric="all")[:2] == ("numeric", 2)
    with pytest.raises(DataError, match='row 1, column "a": "x" is no number'):
        column(pd.DataFrame({"a": pd.Categorical(["x", "y"] * 60)}), numeric=["a"])


def test_names_that_are_no_texts():
    pd = pytest.importorskip("pandas")
    expected = MDLFS().fit(NUMBERS, Y)
    for columns in (range(3), pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)])):
        selector = MDLFS().fit(pd.DataFrame(NUMBERS, columns=columns), Y)
        assert selector.kept_ == expected.kept_
        assert not hasattr(selector, "feature_names_in_")
    with pytest.raises(TypeError, match="string"):
        MDLFS().fit(pd.DataFrame(NUMBERS, columns=["a", 1, 2]), Y)


def test_duplicate_names_are_refused():
    pd = pytest.importorskip("pandas")
    with pytest.raises(DataError, match='two columns are named "a"'):
        MDLFS().fit(pd.DataFrame(NUMBERS, columns=["a", "b", "a"]), Y)


def test_a_series_is_no_table():
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match="2"):
        MDLFS().fit(pd.Series(NUMBERS[:, 0]), Y)


# polars and pyarrow


def test_columns_of_polars():
    pl = pytest.importorskip("polars")
    series = {
        "text": pl.Series(LETTERS),
        "categorical": pl.Series(LETTERS, dtype=pl.Categorical),
        "enum": pl.Series(LETTERS, dtype=pl.Enum(list("fedcba"))),
    }
    for name, one in series.items():
        assert column(pl.DataFrame({"a": one})) == ("nominal", 6, list("abcdef"), 0), name
    gaps = pl.Series([None if one == "a" else one for one in LETTERS])
    assert column(pl.DataFrame({"a": gaps}))[3] == LETTERS.count("a")
    assert column(pl.DataFrame({"a": [None] * N}))[0] == "empty"
    assert column(pl.DataFrame({"a": pl.Series([float("nan"), None, 1.5, 2.5] * 30)}))[3] == 60
    many = pl.Series(NUMBERS[:, 1].tolist())
    for kind in (pl.UInt64, pl.Float32, pl.Decimal(10, 2), pl.Int128):
        assert column(pl.DataFrame({"a": many.cast(kind)}))[:2] == ("numeric", 39), kind


def test_what_polars_has_and_the_engine_does_not():
    pl = pytest.importorskip("polars")
    for value in (dt.date(2020, 1, 1), dt.datetime(2020, 1, 1), dt.timedelta(1), dt.time(1)):
        with pytest.raises(DataError, match=r'column "a".*date or a time.*weekday'):
            MDLFS().fit(pl.DataFrame({"a": [value] * N}), Y)
    with pytest.raises(DataError, match="cannot be read"):
        MDLFS().fit(pl.DataFrame({"a": [[1]] * N}), Y)
    lazy = pl.DataFrame({"a": LETTERS}).lazy()
    with pytest.raises(DataError, match=r"collect\(\)"):
        MDLFS().fit(lazy, Y)
    with pytest.raises(DataError, match=r"collect\(\)"):
        MDLFS().fit(lazy.collect(), Y).transform(lazy)


def test_columns_of_pyarrow():
    pa = pytest.importorskip("pyarrow")
    letters = pa.array(LETTERS)
    chunks = [letters[:50].dictionary_encode(), letters[50:].dictionary_encode()]
    columns = [
        letters,
        letters.cast(pa.large_string()),
        letters.dictionary_encode(),
        pa.chunked_array(chunks),
        pa.chunked_array([letters[:1], letters[1:1], letters[1:]]),
    ]
    for one in columns:
        assert column(pa.table({"a": one})) == ("nominal", 6, list("abcdef"), 0)
    assert column(pa.table({"a": pa.nulls(N)}))[0] == "empty"
    decimals = pa.array([Decimal("1.5"), None, Decimal("2.25")] * 40)
    assert column(pa.table({"a": decimals})) == ("numeric", 2, None, 40)
    for value in (dt.date(2020, 1, 1), dt.datetime(2020, 1, 1), dt.timedelta(1)):
        with pytest.raises(DataError, match=r'column "a".*date or a time.*weekday'):
            MDLFS().fit(pa.table({"a": [value] * N}), Y)
    with pytest.raises(DataError, match="two columns"):
        MDLFS().fit(pa.table([letters, letters], names=["a", "a"]), Y)


# All of them


@pytest.fixture(params=TABLES)
def libraries(request):
    """One table as every library has it."""
    columns, y = TABLES[request.param]
    has_numbers = lambda cells: any(isinstance(one, float) for one in cells)  # noqa: E731
    own = {name: floats(one) if has_numbers(one) else one for name, one in columns.items()}
    frames = {}
    pd = pytest.importorskip("pandas")
    frames["pandas"] = pd.DataFrame(own)
    frames["pandas objects"] = pd.DataFrame(columns, dtype=object)
    texts = ["text", "holes", "same"]
    frames["pandas categories"] = pd.DataFrame(own).astype(dict.fromkeys(texts, "category"))
    frames["pandas nullable"] = pd.DataFrame(columns).convert_dtypes()
    pl = pytest.importorskip("polars")
    frames["polars"] = pl.DataFrame(columns)
    frames["polars categories"] = pl.DataFrame(columns).with_columns(
        pl.col(pl.String).cast(pl.Categorical)
    )
    pa = pytest.importorskip("pyarrow")
    frames["pyarrow"] = pa.table(columns)
    frames["pyarrow batch"] = pa.table(columns).to_batches()[0]
    half = len(y) // 2
    frames["pyarrow chunks"] = pa.concat_tables(
        [pa.table(columns).slice(0, half), pa.table(columns).slice(half)]
    )
    return frames, y


def test_the_same_content_is_the_same_selection_and_the_same_model(libraries):
    frames, y = libraries
    expected = found(frames.pop("pandas objects"), y)
    probabilities = None
    for name, X in frames.items():
        assert found(X, y) == expected, name
        selector = MDLFS(model="nb").fit(X, y)
        assert selector.transform(X).shape == (len(y), len(selector.kept_)), name
        classifier = NaiveBayes().fit(X, y)
        mine = classifier.predict_proba(X)
        assert probabilities is None or np.array_equal(mine, probabilities), name
        probabilities = mine


def test_a_model_predicts_frames_of_other_libraries(libraries):
    frames, y = libraries
    classifier = bayesieve.TAN().fit(frames["pandas"], y)
    expected = classifier.predict_proba(frames["pandas"])
    for name, X in frames.items():
        assert np.array_equal(classifier.predict_proba(X), expected), name


# Parameters that name columns


def test_columns_by_name_by_place_and_all():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(NUMBERS, columns=["first", "second", "third"])
    by_name = found(X, nominal=["second"], numeric=["first"], keep=["third"])
    assert by_name == found(X, nominal=[1], numeric=[0], keep=[-1])
    assert by_name == found(X, nominal="second", numeric=np.array([0]), keep=2)
    assert found(X, nominal="all") == found(X, nominal=[0, 1, 2])
    assert column(X, numeric="all")[0] == "numeric"
    assert MDLFS(keep="all").fit(X, Y).get_support().all()


@pytest.mark.parametrize("parameter", ["nominal", "numeric", "keep"])
def test_columns_that_are_not_there(parameter):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(NUMBERS, columns=["first", "second", "third"])
    for wrong, message in [
        (["secnd"], 'no column "secnd". Did you mean "second"?'),
        ([3], "no column 3. There are 3, from 0 on"),
        ([0.5], "neither a name nor a place"),
        ([True, False, False], r"numpy.flatnonzero\(mask\)"),
        ([None], "neither"),
    ]:
        with pytest.raises(SettingError, match=f"{parameter}: .*{message}".replace("?", r"\?")):
            MDLFS(**{parameter: wrong}).fit(X, Y)
    with pytest.raises(SettingError, match="both nominal and numeric"):
        MDLFS(nominal=["first"], numeric=[0]).fit(X, Y)
