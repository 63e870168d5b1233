"""What the Python package costs on top of the engine: seconds and memory.

    python benches/python/overhead.py [--rows 100000] [--columns 100] [--threads 1]

A table of labels with two or three values is given as a pyarrow table of dictionary columns and
as a pandas frame of categoricals. Every case runs in a process of its own.

- time: `MDLFS().fit(X, y)` against the engine's own calls on the same columns, coding and selection
  one after the other as in `fit` (a table that was coded a moment ago is not yet in the caches),
  and how much of that is the coding; the fastest of several of each, in turn;
- memory: the largest resident memory during the first `fit`, against the frame plus the coded
  table (one byte per cell): for the process as a whole, and over what the interpreter has with all
  modules loaded and no frame.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bayesieve import MDLFS, _data, _engine, _run

MEGABYTE = 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description="the package's cost over the engine's")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=25)
    parser.add_argument("--case", choices=FRAMES, help="one case, as JSON")
    asked = parser.parse_args()
    if asked.case:
        print(json.dumps(asdict(measured(asked))))
        return
    print(
        f"{'frame':23}{'engine ms':>10}{'coding ms':>10}{'fit ms':>8}{'% over':>8}"
        f"{'frame MB':>10}{'peak MB':>9}{'times':>7}{'process':>9}"
    )
    for case in FRAMES:
        command = [sys.executable, __file__, "--case", case]
        for name in ("rows", "columns", "threads", "repeats"):
            command += [f"--{name}", str(getattr(asked, name))]
        run = subprocess.run(command, check=True, stdout=subprocess.PIPE)
        print(line(case, Measured(**json.loads(run.stdout))))


@dataclass
class Measured:
    """Seconds of the engine's call, of coding and of fit; bytes before and after."""

    engine: float
    coding: float
    fit: float
    before: int
    frame: int
    coded: int
    peak: int


def line(case: str, found: Measured) -> str:
    expected = found.frame + found.coded
    return (
        f"{case:23}{found.engine * 1e3:10.1f}{found.coding * 1e3:10.1f}{found.fit * 1e3:8.1f}"
        f"{100 * (found.fit / found.engine - 1):8.1f}"
        f"{found.frame / MEGABYTE:10.1f}{found.peak / MEGABYTE:9.1f}"
        f"{found.peak / expected:7.2f}"
        f"{(found.before + found.peak) / (found.before + expected):9.2f}"
    )


def measured(asked: argparse.Namespace) -> Measured:
    """One case, in this process."""
    build = FRAMES[asked.case]
    selector = MDLFS(n_jobs=asked.threads)
    # Whatever is loaded at the first use is no part of the frame or of the run.
    selector.fit(build(50, 3), classes(50))
    y = classes(asked.rows)
    before = resident("VmRSS")
    X = build(asked.rows, asked.columns)
    frame = resident("VmRSS") - before
    Path("/proc/self/clear_refs").write_text("5")
    selector.fit(X, y)
    peak = resident("VmHWM") - before

    names = [str(name) for name in selector.feature_names_in_]
    target = _data.target(y, X)
    request = json.dumps(
        {
            "method": "mdl-fs",
            "model": "tan",
            "search": "forward",
            "count": None,
            "settings": ["auxiliary=tree"],
            "folds": None,
            "keep": [],
            "coding": {"missing": "value", "discretize": "mdlp"},
            "seed": 1,
            "budget": None,
            "evidence": False,
            "origin": {"data": "", "call": ""},
        }
    )
    coded = code(X, names, selector)

    def selected() -> object:
        table = coded().with_class("class", target.codes, target.labels)
        return _engine.select(table, request, _run.runner(selector))

    engine, coding, fit = [], [], []
    for _ in range(asked.repeats):
        engine.append(seconds(selected))
        coding.append(seconds(coded))
        fit.append(seconds(lambda: selector.fit(X, y)))
    return Measured(
        engine=min(engine),
        coding=min(coding),
        fit=min(fit),
        before=before,
        frame=frame,
        coded=asked.rows * asked.columns,
        peak=peak,
    )


def code(X: Any, names: list[str], selector: MDLFS) -> Callable[[], _engine.Table]:
    """What codes the columns inside the engine, with all that Python has to do done."""
    head, run = (names, [None] * len(names)), _run.runner(selector)
    if not _data.is_pandas(X):
        return lambda: _engine.Table.from_arrow(head, X, run)
    columns = [_data.pandas_column(name, X[name], None) for name in names]
    return lambda: _engine.Table.from_columns(head, columns, run)


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def resident(field: str) -> int:
    """Bytes of resident memory: now (VmRSS), or at most since the mark was reset (VmHWM)."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return 1024 * int(line.split()[1])
    raise RuntimeError(f"/proc/self/status has no {field}")


def classes(n_rows: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 2, n_rows)


def column(n_rows: int, place: int) -> tuple[np.ndarray, list[str]]:
    """Codes and labels: one column in ten tells about the class, the others nothing."""
    rng = np.random.default_rng(place + 1)
    n_values = 2 + place % 2
    codes = rng.integers(0, n_values, n_rows, dtype=np.int8)
    if place % 10 == 0:
        is_told = rng.random(n_rows) < 0.3
        codes[is_told] = classes(n_rows)[is_told]
    return codes, ["no", "perhaps", "yes"][:n_values]


def arrow_frame(n_rows: int, n_columns: int, index: str) -> Any:
    import pyarrow as pa

    arrays = []
    for place in range(n_columns):
        codes, labels = column(n_rows, place)
        arrays.append(pa.DictionaryArray.from_arrays(codes.astype(index), labels))
    return pa.table(arrays, names=[f"f{place}" for place in range(n_columns)])


def pandas_frame(n_rows: int, n_columns: int) -> Any:
    import pandas as pd

    columns = {}
    for place in range(n_columns):
        codes, labels = column(n_rows, place)
        columns[f"f{place}"] = pd.Categorical.from_codes(codes, categories=labels)
    return pd.DataFrame(columns, copy=False)


FRAMES = {
    "pyarrow, 32-bit codes": lambda *shape: arrow_frame(*shape, "int32"),
    "pyarrow, 8-bit codes": lambda *shape: arrow_frame(*shape, "int8"),
    "pandas categoricals": pandas_frame,
}


if __name__ == "__main__":
    main()
