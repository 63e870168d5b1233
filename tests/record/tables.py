"""The tables that all cases read: made by the command's own generators, or written here.

Everything written here is small, the same on every machine, and holds what tables in the wild
hold: missing values, quotes, rare classes, constants, duplicates, numbers and text.
"""

import gzip
import json
import random
import subprocess
from pathlib import Path

# File, generator, rows, seed.
GENERATED = [
    ("example.csv", "example1", 320, 1),
    ("led.csv", "led24", 200, 1),
    ("led-new.csv", "led24", 80, 2),
    ("led.parquet", "led24", 200, 1),
    ("led.csv.gz", "led24", 200, 1),
    ("wave.csv", "waveform40", 120, 1),
    ("wave-new.csv", "waveform40", 60, 2),
    ("copies.csv", "redundant21", 150, 1),
    ("planted.csv", "planted100", 400, 1),
    ("led-more.csv", "led24", 1000, 4),
    ("tall.parquet", "planted100", 20_000, 5),
    ("wave-more.csv", "waveform40", 600, 6),
]

BIF = """network small { }
variable a { type discrete [ 2 ] { no, yes }; }
variable b { type discrete [ 3 ] { low, mid, high }; }
variable c { type discrete [ 2 ] { no, yes }; }
variable d { type discrete [ 2 ] { no, yes }; }
variable e { type discrete [ 2 ] { no, yes }; }
probability ( a ) { table 0.5, 0.5; }
probability ( b ) { table 0.3, 0.3, 0.4; }
probability ( c | a, b ) {
  (no, low) 0.95, 0.05;
  (no, mid) 0.4, 0.6;
  (no, high) 0.5, 0.5;
  (yes, low) 0.3, 0.7;
  (yes, mid) 0.2, 0.8;
  (yes, high) 0.1, 0.9;
}
probability ( d | c ) {
  (no) 0.9, 0.1;
  (yes) 0.2, 0.8;
}
probability ( e ) { table 0.5, 0.5; }
"""


def make(folder: Path, binary: str) -> None:
    """Writes all tables to the folder; a generated one that is there already is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, generator, rows, seed in GENERATED:
        if not (folder / name).exists():
            size = ["--rows", str(rows), "--seed", str(seed)]
            command = [binary, "generate", generator, *size, "--quiet", "-o", str(folder / name)]
            subprocess.run(command, check=True)
    for name, text in written().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def written() -> dict[str, str | bytes]:
    """All files that are written here, by name."""
    mixed = mixed_rows()
    mixed_csv = lines(mixed, ",")
    votes = vote_rows(435)
    return {
        "mixed.csv": mixed_csv,
        "mixed.tsv": lines(mixed, "\t"),
        "mixed-bar.txt": lines(mixed, "|"),
        "mixed.csv.gz": gzip.compress(mixed_csv.encode(), mtime=0),
        "mixed.arff": arff(mixed),
        "mixed-new.csv": lines(new_rows(mixed), ","),
        "small.csv": lines(small_rows(120, 5), ","),
        "small-new.csv": lines(small_rows(40, 6), ","),
        "numbers.csv": lines(number_rows(90, 7), ","),
        "numbers-new.csv": lines(number_rows(30, 8), ","),
        "part-1.csv": lines(small_rows(60, 9), ","),
        "part-2.csv": lines(small_rows(50, 10), ","),
        "part-3.csv": lines(small_rows(40, 11), ","),
        "wide.csv": lines(wide_rows(), ","),
        "labels.csv": lines(label_rows(), ","),
        "alone.csv": "a,b,class\n1,u,x\n2,v,y\n1,u,x\n2,v,y\n",
        "odd.csv": odd_names(),
        "flat.csv": "a,b,class\n1,,x\n1,,y\n1,?,y\n1,,x\n",
        "folds.txt": folds(120, 4),
        "folds-led.txt": folds(200, 5),
        "folds-short.txt": folds(7, 2),
        "folds-words.txt": "one\ntwo\n" * 60,
        "sets.txt": "f1,f2\n11000\nnone\nf3\n00011\n",
        "sets-bad.txt": "f1,f2\nf1,f9\n",
        "sets-twice.txt": "f1,f2\nf1,f1\n",
        "blocks.json": json.dumps([["n1", "n2"], ["n3"], ["n4"]]),
        "blocks-bad.json": json.dumps([["n1", "n1"], ["zz"]]),
        "net.bif": BIF,
        "papers/alarm.bif": BIF,
        "papers/networks/boblo.bif": BIF.replace("0.95, 0.05", "0.6, 0.4"),
        "papers/votes.csv": lines(votes, ","),
        "papers/uci/chess.csv": lines(small_rows(150, 12), ","),
        "papers/uci/car.csv": lines(small_rows(90, 13), ","),
        "papers/uci/pima.csv": lines(number_rows(80, 14), ","),
        "papers/uci/ionosphere.csv": lines(number_rows(60, 15), ","),
        **broken(),
    }


def broken() -> dict[str, str | bytes]:
    """Files that must be refused, or looked at twice."""
    return {
        "bad/empty.csv": "",
        "bad/blank.csv": "\n\n\n",
        "bad/header.csv": "a,b,class\n",
        "bad/one-row.csv": "a,class\n1,x\n",
        "bad/one-class.csv": "a,class\n1,x\n2,x\n1,x\n",
        "bad/no-class.csv": "a,class\n1,\n2,\n",
        "bad/some-class.csv": "a,class\n1,x\n2,\n2,y\n1,x\n2,y\n",
        "bad/twice.csv": "a,b,a,class\n1,2,3,x\n",
        "bad/nameless.csv": "a,,class\n1,2,x\n",
        "bad/short-row.csv": "a,b,class\n1,2,x\n1,2\n",
        "bad/long-row.csv": "a,b,class\n1,2,x\n1,2,x,9\n",
        "bad/open-quote.csv": 'a,class\n1,x\n2,"y\n3,x\n',
        "bad/nul.csv": b"a,class\n1,x\n\0,y\n",
        "bad/latin.csv": b"a,class\n1,x\nM\xfcnchen,y\n",
        "bad/utf16.csv": b"\xff\xfea\0,\0b\0",
        "bad/infinite.csv": "a,class\n1.5,x\n-inf,y\n",
        "bad/huge.csv": "a,class\n1e999,x\n2,y\n",
        "bad/many.csv": "f,class\n" + "".join(f"a,{i}.5\n" for i in range(21)),
        "bad/names.csv": "id,who\n" + "".join(f"{i},name{i}\n" for i in range(1001)),
        "bad/word.csv": "a,class\n" + "".join(f"{i}.5,{i % 2}\n" for i in range(30)) + "N/A,1\n",
        "bad/incomplete.csv": "a,b,class\n,u,x\n,v,y\n",
        "bad/few.csv": "a,class\n1,x\n2,y\n1,x\n",
        "bad/plain.txt": "nothing that anybody could read as a document\n",
        "bad/broken.json": '{"schema": "bayesieve.model.v1", "classes": [',
        "bad/other.json": '{"schema": "somebody.else.v1"}',
        "bad/future.json": '{"schema": "bayesieve.model.v99"}',
        "bad/cut.parquet": b"PAR1\x00\x00",
        "bad/cut.csv.gz": gzip.compress(b"a,class\n1,x\n2,y\n" * 99, mtime=0)[:40],
        "bad/no-data.arff": "@relation r\n@attribute a numeric\n@attribute class {x,y}\n",
        "bad/label.arff": "@relation r\n@attribute a {u,v}\n@attribute class {x,y}\n@data\nw,x\n",
        "bad/cycle.bif": BIF.replace("( a ) { table 0.5, 0.5; }", "( a | d ) { table 1,0,0,1; }"),
        "bad/sums.bif": BIF.replace("0.9, 0.1", "0.9, 0.3"),
        "bad/cut.bif": BIF[:300],
        "bad/unknown.xyz": BIF,
    }


def lines(rows: list[list[str]], delimiter: str) -> str:
    """The rows as text, with quotes where a cell needs them."""

    def quoted(cell: str) -> str:
        needs = any(mark in cell for mark in (delimiter, '"', "\n"))
        return '"' + cell.replace('"', '""') + '"' if needs else cell

    return "".join(delimiter.join(map(quoted, row)) + "\n" for row in rows)


def small_rows(n: int, seed: int) -> list[list[str]]:
    """Five features of few values and two classes: f1 and f2 together tell most of the class."""
    draw = random.Random(seed).random
    rows = [["f1", "f2", "f3", "f4", "f5", "class"]]
    for _ in range(n):
        first, second = int(draw() * 2), int(draw() * 3)
        label = int(first + second >= 2) if draw() < 0.85 else int(draw() * 2)
        third = first if draw() < 0.8 else 1 - first
        cells = [first, "abc"[second], third, int(draw() * 4), "uv"[int(draw() * 2)]]
        rows.append([*map(str, cells), ["no", "yes"][label]])
    return rows


def number_rows(n: int, seed: int) -> list[list[str]]:
    """Six numbers and three classes; n2 goes with n1, n6 is a copy of n4."""
    draw = random.Random(seed).random
    rows = [["n1", "n2", "n3", "n4", "n5", "n6", "class"]]
    for row in range(n):
        label = row % 3
        noise = [draw() + draw() + draw() - 1.5 for _ in range(5)]
        first = label + noise[0]
        second = first + 0.5 * noise[1]
        numbers = [first, second, 2 * (label == 1) + noise[2], noise[3], 10 * noise[4]]
        cells = [f"{number:.4f}" for number in [*numbers, numbers[3]]]
        rows.append([*cells, "xyz"[label]])
    return rows


def mixed_rows() -> list[list[str]]:
    """Text, labels, numbers, missing values, a constant, a duplicate, a rare class."""
    draw = random.Random(3).random
    names = ["city", "size", "age", "height", "same as city", "flat", "void", "id", "noise"]
    rows = [[*names, "class"]]
    cities = ['New York, "NY"', "Bonn", "Oslo", "Łódź"]
    for row in range(160):
        city, size, age = int(draw() * 4), int(draw() * 3), 18 + int(draw() * 60)
        height = 150 + 40 * draw() + 5 * size
        label = (city >= 2) + (age > 45) if draw() < 0.9 else int(draw() * 3)
        cells = [cities[city], str(size), str(age), f"{height:.2f}", cities[city]]
        cells += ["1", "", f"r{row}", "pq"[int(draw() * 2)]]
        for place, share in ((1, 0.1), (2, 0.08), (3, 0.05)):
            if draw() < share:
                cells[place] = ["", "?", "NA"][int(draw() * 3)]
        kind = ["low", "mid", "high"][label] if row not in (40, 41, 90) else "rare"
        rows.append([*cells, kind])
    return rows


def new_rows(mixed: list[list[str]]) -> list[list[str]]:
    """Rows to predict: other order of columns, labels never seen, numbers beyond the range."""
    rows = [list(row) for row in mixed[:31]]
    for place in range(1, 31, 5):
        rows[place][0] = "Atlantis"
        rows[place][2] = "999"
    for place in range(2, 31, 7):
        rows[place][1] = ""
    return [[row[-1], *row[:-1]] for row in rows]


def wide_rows() -> list[list[str]]:
    """More features than rows, and more than are looked at in pairs by themselves."""
    draw = random.Random(21).random
    rows = [[*(f"w{place}" for place in range(1100)), "class"]]
    for row in range(60):
        told = [str(int((row % 2 + draw() * 3) / 2)) for _ in range(5)]
        rows.append([*told, *(str(int(draw() * 3)) for _ in range(1095)), "uv"[row % 2]])
    return rows


def label_rows() -> list[list[str]]:
    """Columns of 60, 300 and 900 labels, two of few, and a class of twelve."""
    draw = random.Random(22).random
    rows = [["sixty", "hundreds", "many", "few", "two", "number", "class"]]
    for _ in range(3000):
        label = int(draw() * 12)
        near = (label + int(draw() * 3)) % 12
        cells = [f"s{5 * near + int(draw() * 5)}", f"h{int(draw() * 300)}"]
        cells += [f"m{75 * label + int(draw() * 75) if draw() < 0.5 else int(draw() * 900)}"]
        cells += [str(near // 3), "ab"[near % 2], f"{near + draw():.3f}"]
        rows.append([*cells, f"c{label}"])
    return rows


def arff(mixed: list[list[str]]) -> str:
    """The mixed rows as ARFF, with declared kinds."""
    names, rows = mixed[0], mixed[1:]
    text = "@relation 'mixed rows'\n"
    for place, name in enumerate(names):
        labels = sorted({row[place] for row in rows} - {"", "?", "NA"})
        escaped = ",".join("'" + label.replace("'", "\\'") + "'" for label in labels)
        kind = "numeric" if name in ("age", "height") else "{" + escaped + "}"
        text += f"@attribute '{name}' {kind if labels else 'numeric'}\n"
    text += "@data\n"
    for row in rows:
        is_number = [name in ("age", "height") for name in names]
        cells = zip(row, is_number, strict=True)
        empty = ("", "?", "NA")
        text += ",".join("?" if c in empty else c if n else f"'{c}'" for c, n in cells) + "\n"
    return text


def vote_rows(n: int) -> list[list[str]]:
    """Votes that go with the party less and less, with one cell in ten missing."""
    rows = [["adoption", "physician-fee-freeze", "crime", "class"]]
    for row in range(n):
        adoption, freeze, crime = ("ny"[(row % 2) ^ (row % every == 0)] for every in (7, 29, 3))
        party = ["democrat", "republican"][row % 2]
        rows.append([adoption, freeze, "" if row % 10 == 3 else crime, party])
    return rows


def odd_names() -> str:
    """Names that break pages and tables that do not escape them."""
    rows = [["<script>alert(1)</script>", "🦀", 'say "hi"', "a\tb", "two\nlines", "class"]]
    rows += [[str(i % 2), str(i % 3), "uv"[i % 2], str(i % 5), "k", "xy"[i % 2]] for i in range(40)]
    return lines(rows, ",")


def folds(n: int, k: int) -> str:
    """One fold number per row."""
    return "".join(f"{1 + row % k}\n" for row in range(n))
