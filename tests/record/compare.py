"""Compares two recordings case by case: answers apart from wording.

    python3 tests/record/compare.py OLD NEW [--wording] [--allow table,page] [--only WORD]

Answers are exit codes, documents, files and numbers; wording is what messages, reasons, help and
warnings say. The exit code is 1 where an answer differs.
"""

import argparse
import difflib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Entries of documents that are made to be read, not to be computed with.
WORDS = {"text", "sentence", "warnings", "notes", "summary", "formula", "cost", "meaning", "source",
         "rule", "correction", "failure", "citation"}  # fmt: skip
NUMBER = re.compile(r"\d(?:[\d,]*\d)?(?:\.\d+)?(?:e[-+]?\d+)?")
FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
TAG = re.compile(r"<[^>]*>")
SPOKEN = re.compile(r'\s(?:aria-label|title|content|alt)="[^"]*"')

# A difference: its class (answer, table, page or wording), the place, and both sides.
Difference = tuple[str, str, str]


def main() -> None:
    """Reports all differences and says by the exit code whether an answer is among them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--wording", action="store_true", help="also list what only words change")
    parser.add_argument("--allow", default="", help="classes that are no fault: table, page")
    parser.add_argument("--only", default="", help="only cases whose name contains this")
    parser.add_argument("--most", type=int, default=5, help="differences to list per case")
    options = parser.parse_args()
    sides = [{path.name: path for path in side.glob("*.json")} for side in folders(options)]
    names = sorted(name for name in sides[0].keys() | sides[1].keys() if options.only in name)
    if not names:
        sys.exit("there is nothing to compare")
    classes: Counter[str] = Counter()
    for name in names:
        found = list(case(*[side.get(name) for side in sides]))
        classes.update({kind for kind, _, _ in found} or {"same"})
        shown = [one for one in found if options.wording or one[0] != "wording"]
        if shown:
            print(f"{name.removesuffix('.json')}")
        for kind, place, sides_text in shown[: options.most]:
            print(f"  {kind}: {place}\n" + "\n".join(f"    {x}" for x in sides_text.split("\n")))
        if len(shown) > options.most:
            print(f"  … and {len(shown) - options.most} more")
    print(f"{len(names)} cases: " + ", ".join(f"{n} {kind}" for kind, n in classes.most_common()))
    faults = set(classes) - {"same", "wording", *options.allow.split(",")}
    sys.exit(1 if faults else 0)


def folders(options: argparse.Namespace) -> list[Path]:
    """Both folders, which must exist."""
    for folder in (options.old, options.new):
        if not folder.is_dir():
            sys.exit(f"{folder}: this is not a folder")
    return [options.old, options.new]


def case(old: Path | None, new: Path | None) -> Iterator[Difference]:
    """The differences between two recordings of a case."""
    if old is None or new is None:
        yield "answer", "case", f"only in {'OLD' if new is None else 'NEW'}"
        return
    yield from values(json.loads(old.read_text()), json.loads(new.read_text()), "")


def values(old: Any, new: Any, place: str, words: bool = False) -> Iterator[Difference]:
    """The differences between two recorded values; `words` says that they are wording."""
    if old == new and type(old) is type(new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        if old.get("kind") == new.get("kind") and old.get("kind") in KINDS:
            yield from KINDS[old["kind"]](old["value"], new["value"], place)
            return
        for key in [*old, *(key for key in new if key not in old)]:
            where = f"{place}.{key}".strip(".")
            if key not in old or key not in new:
                kind = "wording" if words or key in WORDS else "answer"
                yield kind, where, f"only in {'OLD' if key in old else 'NEW'}"
            else:
                spoken = words or (key in WORDS and is_spoken(old[key]) and is_spoken(new[key]))
                yield from values(old[key], new[key], where, spoken)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (first, second) in enumerate(zip(old, new, strict=True)):
            yield from values(first, second, f"{place}[{number}]", words)
    else:
        is_wording = words or (is_sentence(old) and is_sentence(new) and same_numbers(old, new))
        yield "wording" if is_wording else "answer", place, both(old, new)


def is_spoken(value: Any) -> bool:
    """Whether it is text or a list of texts, or nothing: `summary` is also a key of data."""
    entries = value if isinstance(value, list) else [value]
    return all(entry is None or isinstance(entry, str) for entry in entries)


def is_sentence(value: Any) -> bool:
    """Whether it is text of four words or more."""
    return isinstance(value, str) and len(value.split()) >= 4


def same_numbers(old: str, new: str) -> bool:
    """Whether two texts hold the same numbers in the same order."""
    return NUMBER.findall(old) == NUMBER.findall(new)


def both(old: Any, new: Any) -> str:
    """Both sides, short enough to read."""
    short = [json.dumps(side, ensure_ascii=False) for side in (old, new)]
    start = max(0, len(shared(*short)) - 60)
    first, second = (side[start : start + 240] for side in short)
    return f"- {first}\n+ {second}"


def shared(old: str, new: str) -> str:
    """What two texts begin with."""
    for place, (first, second) in enumerate(zip(old, new, strict=False)):
        if first != second:
            return old[:place]
    return old if len(old) < len(new) else new


def table(old: str, new: str, place: str) -> Iterator[Difference]:
    """Text for people: rows of tables and the numbers of sentences are answers, words are not."""
    yield from skeletons((old, new), (table_bones(old), table_bones(new)), (place, "table"))


def table_bones(text: str) -> list[str]:
    """What must stay of text for people: cells of tables, and of sentences their numbers."""
    bones: list[str] = []
    numbers: list[str] = []
    for line in [*text.split("\n"), ""]:
        cells = re.split(r"\s{2,}", line.strip())
        if len(cells) == 1:
            numbers += NUMBER.findall(line)
            if line.strip():
                continue
        if numbers:
            bones.append("numbers: " + " ".join(numbers))
            numbers = []
        if len(cells) > 1:
            bones.append("  ".join(c if len(c.split()) < 4 else numbers_of(c) for c in cells))
    return bones


def numbers_of(cell: str) -> str:
    """A sentence in a cell, as its numbers."""
    return "(" + " ".join(NUMBER.findall(cell)) + ")"


def notes(old: str, new: str, place: str) -> Iterator[Difference]:
    """Standard error: rows of tables are answers, all the rest is wording."""
    rows = [[b for b in table_bones(text) if is_row(b)] for text in (old, new)]
    yield from skeletons((old, new), (rows[0], rows[1]), (place, "table"))


def is_row(bone: str) -> bool:
    """Whether it is a row with numbers in two cells or more, such as of a confusion matrix."""
    cells = bone.split("  ")
    return sum(1 for cell in cells if NUMBER.fullmatch(cell)) >= 2


def help_text(old: str, new: str, place: str) -> Iterator[Difference]:
    """Help: which options there are is an answer, what is said of them is not."""
    flags = [sorted(set(FLAG.findall(text))) for text in (old, new)]
    yield from skeletons((old, new), (flags[0], flags[1]), (place, "answer"))


def page(old: str, new: str, place: str) -> Iterator[Difference]:
    """Pages: elements and numbers are answers, words are not."""
    yield from skeletons((old, new), (page_bones(old), page_bones(new)), (place, "page"))


def page_bones(text: str) -> list[str]:
    """What must stay of a page: its elements, and the numbers between them."""
    bones = []
    for tag, words in zip(TAG.findall(text), TAG.split(text)[1:], strict=True):
        bones += [SPOKEN.sub("", tag), *NUMBER.findall(words)]
    return bones


def exact(old: Any, new: Any, place: str) -> Iterator[Difference]:
    """Data: all of it is an answer."""
    if isinstance(old, str) and isinstance(new, str) and "\n" in old:
        yield "answer", place, diff(old.split("\n"), new.split("\n"))
    elif old != new:
        yield "answer", place, both(old, new)


def skeletons(
    texts: tuple[str, str], bones: tuple[list[str], list[str]], place: tuple[str, str]
) -> Iterator[Difference]:
    """A difference of the class where what must stay differs, else of wording."""
    where, kind = place
    if bones[0] != bones[1]:
        yield kind, where, diff(*bones)
    elif texts[0] != texts[1]:
        yield "wording", where, diff(*[text.split("\n") for text in texts])


def diff(old: list[str], new: list[str]) -> str:
    """The first lines that differ."""
    lines = difflib.unified_diff(old, new, n=0, lineterm="")
    changed = [line[:240] for line in lines if line[:3] not in ("---", "+++", "@@ ")]
    return "\n".join(changed[:8] + (["…"] if len(changed) > 8 else []))


def document(old: Any, new: Any, place: str) -> Iterator[Difference]:
    """Documents, entry by entry."""
    yield from values(old, new, place)


KINDS = {
    "document": document,
    "journal": document,
    "table": table,
    "notes": notes,
    "help": help_text,
    "page": page,
    "text": exact,
    "bytes": exact,
}

if __name__ == "__main__":
    main()
