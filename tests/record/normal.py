"""What of an answer is recorded: everything but times, scratch paths and the order of journals."""

import gzip
import hashlib
import json
import re
from pathlib import Path
from typing import Any

# "50 trials in 0.3 s", "a pass takes about 0.1 s": the only sentences that hold times.
TIME = re.compile(r"\b(in|about) [\d.,]+ (?:s|ms|seconds)\b")
# Columns are right-aligned: the numbers of a column of times end where its header ends.
COLUMN = re.compile(r"\s{2,}(s|seconds)(?=\s{2}|$)")
LAST_NUMBER = re.compile(r"\s+[\d.]+$")
PAGE_TIME = re.compile(r"(<li>seconds: <b>)[^<]*")
ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
CELL = re.compile(r"(<t[hd]\b[^>]*>)(.*?)(</t[hd]>)", re.DOTALL)


def document(text: str) -> Any:
    """The JSON document in the text without its times, or None if it is not JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return timeless(value) if isinstance(value, dict | list) else None


def timeless(value: Any) -> Any:
    """The value without the entries that hold seconds, at any depth."""
    if isinstance(value, dict):
        is_time = value.get("measure") == "seconds"
        return {
            key: "#" if is_time and isinstance(entry, float) else timeless(entry)
            for key, entry in value.items()
            if key != "seconds"
        }
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def text(value: str) -> str:
    """Text for people without its times: sentences, and columns whose header is `s`."""
    lines = TIME.sub(r"\1 # s", value).split("\n")
    end = None
    for place, line in enumerate(lines):
        if header := COLUMN.search(line):
            end = header.end(1)
            lines[place] = line[: header.start()] + "  s" + line[end:]
        elif end is not None and (number := LAST_NUMBER.search(line[:end])):
            lines[place] = line[: number.start()] + "  #" + line[end:]
        elif not line.strip():
            end = None
    return "\n".join(lines)


def csv(value: str) -> str:
    """A table of runs without its column of seconds."""
    header, _, _ = value.partition("\n")
    names = header.split(",")
    if "seconds" not in names or "pipeline" not in names:
        return value
    place = names.index("seconds")
    # No cell before the seconds of a run needs quotes.
    lines = [line.split(",", place + 1) for line in value.split("\n")]
    masked = [[*line[:place], "#", *line[place + 1 :]] if len(line) > 1 else line for line in lines]
    return "\n".join(",".join(line) for line in masked)


def page(value: str) -> str:
    """An HTML page without its times: in the footer, and in columns called seconds."""
    value = PAGE_TIME.sub(r"\1#", TIME.sub(r"\1 # s", value))
    place = None
    parts, end = [], 0
    for row in ROW.finditer(value):
        cells = list(CELL.finditer(row.group()))
        names = [cell.group(2) for cell in cells]
        masked = row.group()
        if '<th scope="col"' in masked:
            place = names.index("seconds") if "seconds" in names else None
        elif place is not None and place < len(cells):
            cell = cells[place]
            masked = masked[: cell.start(2)] + "#" + masked[cell.end(2) :]
        parts += [value[end : row.start()], masked]
        end = row.end()
    return "".join(parts) + value[end:]


def journal(value: str) -> list[Any]:
    """A checkpoint: its lines without times, sorted, as threads finish in any order."""
    first, *others = value.splitlines()
    lines = [timeless(json.loads(line)) if line.startswith("{") else line for line in others]
    return [timeless(json.loads(first)), *sorted(lines, key=json.dumps)]


def file(path: Path) -> dict[str, Any]:
    """What is recorded of a written file."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    try:
        value = data.decode()
    except UnicodeDecodeError:
        return {"kind": "bytes", "value": hashlib.sha256(data).hexdigest(), "size": len(data)}
    if value.startswith('{"schema":"bayesieve.') and "checkpoint" in value[:60]:
        return {"kind": "journal", "value": journal(value)}
    if (found := document(value)) is not None:
        return {"kind": "document", "value": found}
    if value.lstrip().lower().startswith(("<!doctype html", "<svg")):
        return {"kind": "page", "value": page(value)}
    return {"kind": "text", "value": csv(value)}
