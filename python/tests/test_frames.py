"""Results where neither pandas nor polars is installed."""

from __future__ import annotations

import copy
import pickle
import sys

import pytest

from bayesieve._frames import frame


@pytest.fixture
def records(monkeypatch):
    for name in ("pandas", "polars"):
        monkeypatch.setitem(sys.modules, name, None)
    rows = [
        {"name": "x0", "bits": 0.12345678, "given": ["x1"], "left": 1},
        {"name": "longer", "bits": 12},
    ]
    return frame(rows, ["name", "bits", "given"])


def test_records_show_themselves_as_a_table(records):
    assert repr(records) == (
        "name        bits  given\n"
        "x0      0.123457  ['x1']\n"
        "longer        12"
    )  # fmt: skip


def test_records_are_lists_of_dicts(records):
    assert records == [
        {"name": "x0", "bits": 0.12345678, "given": ["x1"]},
        {"name": "longer", "bits": 12, "given": None},
    ]


def test_copies_of_records_show_the_same(records):
    for copied in (copy.copy(records), copy.deepcopy(records), pickle.loads(pickle.dumps(records))):
        assert repr(copied) == repr(records)
        assert copied == records


def test_long_cells_are_cut_and_no_rows_are_only_names(records):
    long = frame([{"text": "a\nb" + "c" * 60}], ["text"])
    assert repr(long).splitlines()[1] == "a b" + "c" * 34 + "..."
    assert repr(frame([], ["a", "b"])) == "a  b"
