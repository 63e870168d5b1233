"""Records the answers of the command: exit codes, output and written files of some 500 cases.

python3 tests/record/record.py BINARY OUTDIR [--data DIR] [--jobs N] [--only WORD]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any

import cases_data
import cases_errors
import cases_models
import cases_select
import normal
import tables
from case import Case


def all_cases() -> list[Case]:
    """Every case; two of the same name would hide each other, so that is an error."""
    found = [
        case
        for module in (cases_select, cases_data, cases_models, cases_errors)
        for case in module.cases()
    ]
    names = [case.name for case in found]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"cases of the same name: {sorted(twice)}")
    return found


def main() -> None:
    """Runs all cases and writes one JSON file for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary", type=Path)
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--data", type=Path, help="where tables are kept [default: scratch]")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--slow", type=float, help="name the cases that take so many seconds")
    options = parser.parse_args()
    binary = str(options.binary.resolve())
    cases = [case for case in all_cases() if options.only in case.name]
    if not options.only and options.outdir.exists():
        shutil.rmtree(options.outdir)
    options.outdir.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="record-") as scratch:
        data = (options.data or Path(scratch, "data")).resolve()
        tables.make(data, binary)

        def one(case: Case) -> float:
            start = monotonic()
            recorded = run(case, binary, (Path(scratch, "cases", case.name), data))
            text = json.dumps(recorded, indent=1, ensure_ascii=False)
            (options.outdir / f"{case.name}.json").write_text(text + "\n")
            return monotonic() - start

        start = monotonic()
        with ThreadPoolExecutor(options.jobs) as pool:
            seconds = list(pool.map(one, cases))
    for case, took in zip(cases, seconds, strict=True):
        if options.slow is not None and took >= options.slow:
            print(f"{took:6.1f} s  {case.name}")
    commands = sum(len(case.steps) for case in cases)
    print(f"{len(cases)} cases, {commands} commands in {monotonic() - start:.0f} s")


def run(case: Case, binary: str, folders: tuple[Path, Path]) -> dict[str, Any]:
    """Runs the commands of a case, one after the other, in a folder of its own."""
    folder, data = folders
    folder.mkdir(parents=True)
    (folder / "data").symlink_to(data)
    masks = {str(data): "data", str(folder): "SCRATCH", binary: "bayesieve"}
    steps = [step(case, place, masks) for place in range(len(case.steps))]
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {str(path.relative_to(folder)): normal.file(path) for path in found}
    shutil.rmtree(folder)
    return {"name": case.name, "steps": steps, "files": files}


def step(case: Case, place: int, masks: dict[str, str]) -> dict[str, Any]:
    """Runs one command of a case and records what it answers, with its paths masked."""
    _, folder, binary = masks
    arguments = case.steps[place]
    ran = subprocess.run(
        [binary, *arguments],
        input=case.stdin.encode(),
        capture_output=True,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": folder, "LC_ALL": "C.UTF-8"},
        timeout=600,
    )

    def masked(output: bytes) -> str:
        text = output.decode()
        for path, mask in masks.items():
            text = text.replace(path, mask)
        return text

    return {
        "command": arguments,
        "exit": ran.returncode,
        "stdout": printed(arguments, masked(ran.stdout)),
        "stderr": {"kind": "notes", "value": normal.text(masked(ran.stderr))},
    }


def printed(arguments: list[str], text: str) -> dict[str, Any]:
    """Standard output, by what it is: a document, help, a table of data, or text for people."""
    if (document := normal.document(text)) is not None:
        return {"kind": "document", "value": document}
    listings = {"--help", "-h", "help", "methods", "completions"}
    if not arguments or listings & set(arguments):
        return {"kind": "help", "value": text}
    if arguments[0] in ("predict", "generate") or arguments[:2] == ["network", "sample"]:
        return {"kind": "text", "value": text}
    return {"kind": "table", "value": normal.text(text)}


if __name__ == "__main__":
    main()
