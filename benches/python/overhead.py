"""What the Python package costs on top of the engine: seconds and memory.

    python benches/python/overhead.py [--rows 100000] [--columns 100] [--threads 1]

A table of labels with two or three values is given as a pyarrow table of dictionary columns and
as a pandas frame of categoricals. Every case runs in a process of its own.

- time: `MDLFS().fit(X, y)` against the engine's own call on columns that are coded already, the
  median of several of each in turn;
- memory: the largest resident memory during the first `fit`, over that of the interpreter with
  all modules loaded, against the frame plus the coded table (one byte per cell).
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
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
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--case", choices=FRAMES, help="one case, as JSON")
    asked = parser.parse_args()
    if asked.case:
        print(json.dumps(measured(asked)))
        return
    print(
        f"{'frame':24}{'engine ms':>10}{'fit ms':>8}{'more %':>8}"
        f"{'frame MB':>10}{'coded MB':>10}{'peak MB':>9}{'times':>7}"
    )
    for case in FRAMES:
        command = [sys.executable, __file__, "--case", case]
        for name in ("rows", "columns", "threads", "repeats"):
            command += [f"--{name}", str(getattr(asked, name))]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        print(
            f"{case:24}{found['engine'] * 1e3:10.1f}{found['fit'] * 1e3:8.1f}"
            f"{100 * (found['fit'] / found['engine'] - 1):8.1f}"
            f"{found['frame'] / MEGABYTE:10.1f}{found['coded'] / MEGABYTE:10.1f}"
            f"{found['peak'] / MEGABYTE:9.1f}"
            f"{found['peak'] / (found['frame'] + found['coded']):7.2f}"
        )


def measured(asked: argparse.Namespace) -> dict[str, float]:
    """One case: seconds of the engine and of fit, bytes of the frame, of its codes, at the peak."""
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
    table = _data.table(X, names, selector).with_class("class", target.codes, target.labels)
    request = json.dumps(
        {
            **selector._request(asked.rows),
            "keep": [],
            "coding": {"missing": "value", "discretize": "mdlp"},
            "seed": 1,
            "budget": None,
            "evidence": False,
            "origin": {"data": "", "call": ""},
        }
    )
    engine, fit = [], []
    for _ in range(asked.repeats):
        start = time.perf_counter()
        _engine.select(table, request, _run.runner(selector))
        middle = time.perf_counter()
        selector.fit(X, y)
        engine.append(middle - start)
        fit.append(time.perf_counter() - middle)
    return {
        "engine": statistics.median(engine),
        "fit": statistics.median(fit),
        "frame": frame,
        "coded": asked.rows * asked.columns,
        "peak": peak,
    }


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
