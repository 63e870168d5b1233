"""Records the answers of the Python package: documents, predictions, warnings, exceptions.

    python tests/record/record_python.py OUTDIR [--only WORD]

Run it with the Python of an environment that has the package with its extra `all`.
"""

import argparse
import json
import math
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import normal
import numpy as np
import pandas as pd
import python_cases


def main() -> None:
    """Runs all calls and writes one JSON file for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--only", default="", help="only calls whose name contains this")
    options = parser.parse_args()
    calls = python_cases.calls()
    names = [name for name, _ in calls]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"calls of the same name: {sorted(twice)}")
    outdir = options.outdir.resolve()
    if not options.only and outdir.exists():
        shutil.rmtree(outdir)
    outdir.mkdir(parents=True, exist_ok=True)
    chosen = [(name, call) for name, call in calls if options.only in name]
    for name, call in chosen:
        with tempfile.TemporaryDirectory(prefix="record-") as scratch:
            os.chdir(scratch)
            recorded = {"name": name, **record(call, scratch)}
            os.chdir(outdir)
        text = json.dumps(recorded, indent=1, ensure_ascii=False)
        (outdir / f"{name}.json").write_text(text + "\n")
    print(f"{len(chosen)} calls")


def record(call: Callable[[], Any], scratch: str) -> dict[str, Any]:
    """What a call returns or raises, and what it warns of, with paths and addresses masked."""
    value, error = None, None
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            value = plain(call())
        except Exception as raised:
            error = {"type": type(raised).__module__ + "." + type(raised).__name__}
            error["text"] = masked(str(raised), scratch)
    return {
        "value": normal.timeless(value),
        "error": error,
        "warned": [
            {"category": one.category.__name__, "text": masked(str(one.message), scratch)}
            for one in warned
        ],
    }


def masked(text: str, scratch: str) -> str:
    """A message without what differs from run to run."""
    return re.sub(r"\b0x[0-9a-f]+\b", "0x#", text.replace(scratch, "SCRATCH"))


def plain(value: Any) -> Any:
    """The value as JSON can hold it, to the last bit; what is not a number is a text."""
    if isinstance(value, pd.DataFrame):
        value = value.astype(object)
        rows = [{str(key): plain(cell) for key, cell in row.items()} for _, row in value.iterrows()]
        return {"columns": [str(name) for name in value.columns], "rows": rows}
    if isinstance(value, np.ndarray | pd.Series | pd.Index):
        return [plain(entry) for entry in value.tolist()]
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, bytes):
        raise TypeError("bytes are recorded by their hash")
    return repr(value)


if __name__ == "__main__":
    main()
