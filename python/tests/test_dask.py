"""Dask gives the answers of rows in memory: the ten lines of the guide at work."""

from __future__ import annotations

import pytest
from command import timeless
from guides import blocks
from in_parts import in_memory, many_rows

import bayesieve

dd = pytest.importorskip("dask.dataframe", reason="dask[dataframe] is not installed")
pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

COLUMNS = many_rows(n_rows=5_000)


@pytest.mark.parametrize("n_parts", [1, 4])
@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_the_lines_of_the_guide_give_the_answers_of_memory(n_parts, scheduler):
    import dask

    frame = pd.DataFrame(COLUMNS)
    names = {"ddf": dd.from_pandas(frame, npartitions=n_parts)}
    with dask.config.set(scheduler=scheduler):
        for block in blocks("spark.md", "### Dask"):
            exec(block, names)
    expected = in_memory(bayesieve.MDLFS(), COLUMNS)
    assert timeless(names["selection"].document_) == timeless(expected.document_)
    assert names["counts"].n_rows == 5_000
