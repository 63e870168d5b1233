"""The examples of the guide to the package."""

from __future__ import annotations

import re

import pytest
from guides import blocks

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")


def test_examples_of_the_guide_say_what_they_say(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    n_checked = 0
    for block in blocks("python.md"):
        exec(block, names)
        for line in block.splitlines():
            told = re.fullmatch(r"(\S.*?)\s+# (\[.*\]|\'.*\'|\d+)(:.*)?", line)
            if told:
                expected = told[2].strip("'").removesuffix(" ...")
                assert str(eval(told[1], names)).startswith(expected), line
                n_checked += 1
    assert n_checked == 4
    assert (tmp_path / "comparison.html").exists()
