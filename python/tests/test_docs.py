"""The examples of the guide to the package."""

from __future__ import annotations

import importlib.util
import re

import pytest
from command import ROOT
from guides import blocks

import bayesieve

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")


def test_whatever_the_package_names_of_itself_is_there():
    """In messages and docstrings: `bayesieve.partitions.Partitions` and its kin."""
    found = set()
    for file in (ROOT / "python" / "bayesieve").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        found |= set(re.findall(r"(?<![\w/.])bayesieve(?:\.[A-Za-z_]\w*)+", text))
    assert {"bayesieve.read_model", "bayesieve.partitions.Partitions"} <= found
    for name in found:
        # Documents have names of the same kind.
        assert is_there(name) or name.endswith(".v1"), name


def is_there(name):
    """Whether a name leads to something, through modules that may have to be imported."""
    place = bayesieve
    for one in name.split(".")[1:]:
        if not hasattr(place, one) and importlib.util.find_spec(f"{place.__name__}.{one}"):
            importlib.import_module(f"{place.__name__}.{one}")
        if not hasattr(place, one):
            return False
        place = getattr(place, one)
    return True


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
