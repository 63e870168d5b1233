"""The command, for tests that hold the package to it."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


def command_path() -> Path:
    """The command: `BAYESIEVE`, else the one that `cargo build --release` made."""
    path = Path(os.environ.get("BAYESIEVE", ROOT / "target" / "release" / "bayesieve"))
    if not path.exists():
        pytest.skip(f"there is no {path}: build the command, or say where it is in BAYESIEVE")
    return path


def run(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Runs the command and expects an exit code."""
    words = [str(command_path()), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == code, done.stderr
    return done


def document(*arguments: object) -> dict[str, Any]:
    """The JSON that the command prints, without what a clock says."""
    found: dict[str, Any] = json.loads(run(*arguments, "--json", "--quiet").stdout)
    return timeless(found)


def timeless(document: Any) -> Any:
    """A document without what a clock says."""
    if isinstance(document, dict):
        return {key: timeless(value) for key, value in document.items() if key != "seconds"}
    if isinstance(document, list):
        return [timeless(one) for one in document]
    return document


def write_csv(path: Path, columns: Mapping[str, Sequence[Any]]) -> Path:
    """Writes columns as CSV; what is missing is an empty cell."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*(map(cell, one) for one in columns.values()), strict=True))
    return path


def spelled(value: Any) -> str:
    """A setting as the command is told it."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def cell(value: Any) -> str:
    """A value as people write it into a file."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
