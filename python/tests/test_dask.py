"""Dask gives the answers of rows in memory: the ten lines of the guide at work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import timeless
from in_parts import features, many_rows

import bayesieve

dd = pytest.importorskip("dask.dataframe", reason="dask[dataframe] is not installed")
pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")

GUIDE = Path(__file__).parents[2] / "docs" / "spark.md"

COLUMNS = many_rows(n_rows=5_000)


def guide(heading: str) -> str:
    """The first block of Python below a heading."""
    _, _, below = GUIDE.read_text(encoding="utf-8").partition(f"### {heading}\n")
    block = re.search(r"```python\n(.*?)```", below, re.DOTALL)
    assert block, heading
    return block[1]


@pytest.mark.parametrize("n_parts", [1, 4])
@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_the_lines_of_the_guide_give_the_answers_of_memory(n_parts, scheduler):
    import dask

    frame = pd.DataFrame(COLUMNS)
    names = {"ddf": dd.from_pandas(frame, npartitions=n_parts)}
    with dask.config.set(scheduler=scheduler):
        exec(guide("Dask"), names)
    X, y = pd.DataFrame(features(COLUMNS)), pd.Series(COLUMNS["y"], name="y")
    found = names["selection"]
    assert timeless(found.document_) == timeless(bayesieve.MDLFS().fit(X, y).document_)
    assert names["counts"].n_rows == 5_000
