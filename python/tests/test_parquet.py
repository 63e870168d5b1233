"""Row groups of Parquet files: listed once, read once."""

from __future__ import annotations

from itertools import chain

import pytest

from bayesieve import DataError, SettingError, _parquet
from bayesieve._parquet import RowGroup

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def written(path, first, n_rows=10):
    """A file of numbers in row groups of four."""
    cells = range(first, first + n_rows)
    pq.write_table(pa.table({"a": cells, "b": cells}), path, row_group_size=4)
    return str(path)


def cells(groups, column):
    """What a column of every row group holds."""
    return {
        group.part: [cell for batch in rows for cell in batch.column(column).to_pylist()]
        for group, rows in _parquet.read(groups, [column])
    }


def test_a_file_is_opened_once_for_all_row_groups_of_a_task(tmp_path, monkeypatch):
    """Its footer tells of all of them: to read it for each is quadratic in their number."""
    paths = [written(tmp_path / "1.parquet", 0), written(tmp_path / "2.parquet", 10)]
    groups = _parquet.row_groups(paths)
    assert [group.n_rows for group in groups] == [4, 4, 2, 4, 4, 2]
    opened = []

    def open_one(path):
        opened.append(path)
        return pq.ParquetFile(path)

    monkeypatch.setattr(_parquet, "opened", open_one)
    read = cells(groups, "b")
    assert opened == paths
    assert read[f"{paths[0]}#1"] == [4, 5, 6, 7]
    assert list(chain(*read.values())) == list(range(20))


def test_row_groups_that_are_gone_or_have_other_rows_are_noticed(tmp_path):
    path = written(tmp_path / "1.parquet", 0)
    for group in (RowGroup(path, 3, 4), RowGroup(path, 2, 4)):
        with pytest.raises(DataError, match="the file has changed"):
            cells([group], "a")


def test_a_file_that_is_given_twice_is_named(tmp_path):
    paths = [written(tmp_path / f"{n}.parquet", n) for n in range(3)]
    assert _parquet.files(tmp_path) == paths
    with pytest.raises(SettingError, match=r"1\.parquet is given twice"):
        _parquet.files([*paths, paths[1], paths[2]])
