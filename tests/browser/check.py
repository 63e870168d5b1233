#!/usr/bin/env python3
"""Renders six sample pages in headless Chromium and fails on what is wrong with them.

Usage: check.py BAYESIEVE REPRODUCTION_PAGE [--pictures DIR]

BAYESIEVE is the command, REPRODUCTION_PAGE the example of bayesieve-report that prints such a
page. Every page is opened 1280 and 390 pixels wide, light and dark, and must have no script, no
error, no request, nothing beyond its right edge, no labels that overlap, a text for every drawing,
and texts that stand out from what is behind them. With --pictures they are kept, to be looked at.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile

from chromium import Chromium

WIDTHS = [1280, 390]
SCHEMES = ["light", "dark"]
HOSTILE = [
    "<script>alert(1)</script>",
    "a\"b'c & <b>d",
    "</title></style></svg><h1>",
    "a name that is far too long " * 9,
    "\u202eright to left",
    "\u9577\u3044\u540d\u524d" * 9,
]

# A page with everything that must be found, and words of what must be said about it.
BROKEN = """<!DOCTYPE html><html><head><title>x</title></head><body>
<h1>x</h1><h3>x</h3><p style="color:#aaa;background:#fff">pale</p><div style="width:3000px">x</div>
<img src="http://example.invalid/x.png"><table><tr><th>x</th></tr></table>
<svg width="100" height="50"><text x="5" y="20">label one</text><text x="8" y="22">label two</text></svg>
<svg role="img" aria-labelledby="a" width="100" height="50"><title id="a">a</title>
<text x="5" y="20">label one</text><text x="8" y="22">label two</text><text x="90" y="45">cut off</text>
<g><rect x="0" y="30" width="10" height="9"/><text x="0" y="38">wide label</text></g></svg>
<p id="a">x</p><script>throw new Error("x")</script></body></html>"""
FOUND = [
    "an exception",
    "a request: http://example.invalid/x.png",
    "wide in a window",
    "beyond the right edge",
    "there is a script",
    "a drawing without a text",
    "an id occurs twice",
    "a label is cut off",
    "labels overlap",
    "a label leaves its box",
    "a heading skips a level",
    "a head without scope",
    "contrast",
]


def write_csv(path, head, rows):
    """Writes a table with every cell in quotes."""
    quoted = lambda cell: '"' + str(cell).replace('"', '""') + '"'
    with open(path, "w", encoding="utf-8") as file:
        for row in [head, *rows]:
            file.write(",".join(map(quoted, row)) + "\n")


def write_data(folder):
    """Tables that are hard to show."""
    rng = random.Random(1)
    # Forty classes, hostile names and labels: each feature knows a part of the class.
    rows = []
    for row in range(800):
        label = row % 40
        bits = [label % 2, label // 2 % 4, label // 8, label % 5, label % 3, rng.randrange(3)]
        noisy = [bit if rng.random() < 0.95 else rng.randrange(3) for bit in bits]
        rows.append([f"<i>{bit}" for bit in noisy] + [f"class <{label}> '\""])
    write_csv(os.path.join(folder, "hostile.csv"), HOSTILE + ["the <class>"], rows)
    # 7,000 features of which 300 know something.
    names = [f"gene {place}" for place in range(7000)]
    rows = []
    for row in range(72):
        sick = row % 2
        shares = [0.75 if place < 300 else 0.5 for place in range(7000)]
        cells = [sick if rng.random() < share else 1 - sick for share in shares]
        rows.append(cells + [["ill", "well"][sick]])
    write_csv(os.path.join(folder, "wide.csv"), names + ["class"], rows)
    # Numbers with gaps and a network among them.
    rows = []
    for row in range(400):
        kind = row % 3
        first = rng.gauss(kind, 1)
        second = first + rng.gauss(0, 0.5)
        third = "" if rng.random() < 0.2 else round(rng.gauss(-kind, 2), 3)
        noise = [round(rng.gauss(0, 1), 3) for _ in range(12)]
        rows.append([first, second, third, "same", *noise, f"kind {kind}"])
    head = ["first", "second", "third", "constant", *[f"noise_{n}" for n in range(12)], "class"]
    write_csv(os.path.join(folder, "numbers.csv"), head, rows)


def write_pages(bayesieve, reproduction_page, folder):
    """The six pages."""
    run = lambda *words: subprocess.run(
        [bayesieve, *words, "--quiet"], cwd=folder, check=True, stdout=subprocess.DEVNULL
    )
    run("select", "hostile.csv", "--method", "mrmr", "--report", "select-hostile.html")
    run("select", "wide.csv", "--method", "mrmr", "--count", "120", "--report", "select-wide.html")
    run("describe", "numbers.csv", "--report", "describe.html")
    run("train", "numbers.csv", "--model", "k2", "-o", "model.json", "--report", "train.html")
    run(
        *["compare", "numbers.csv", "hostile.csv", "--protocol", "holdout:4:1/2"],
        *["--learning-curve", "60,120", "--report", "compare.html"],
    )
    page = subprocess.run([reproduction_page], check=True, stdout=subprocess.PIPE).stdout
    with open(os.path.join(folder, "reproduce.html"), "wb") as file:
        file.write(page)
    return sorted(name for name in os.listdir(folder) if name.endswith(".html"))


def wrong_events(events, page):
    """Errors and requests among what the browser reported."""
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            yield f"an exception: {parameters['exceptionDetails']['text']}"
        elif method == "Log.entryAdded":
            yield f"in the log: {parameters['entry']['text']}"
        elif method == "Runtime.consoleAPICalled":
            yield "a script wrote to the console"
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if not (url.startswith("file://") and url.endswith(f"/{page}")):
                yield f"a request: {url}"


def wrong_views(browser, folder, page, checks):
    """What is wrong with a page, view by view."""
    for width in WIDTHS:
        for scheme in SCHEMES:
            events = browser.open(os.path.join(folder, page), width, scheme)
            wrong = [*wrong_events(events, page), *browser.run(checks)]
            yield width, scheme, wrong


def check_the_checks(browser, folder, checks):
    """The broken page must be found broken, or nothing of this means anything."""
    with open(os.path.join(folder, "broken.html"), "w", encoding="utf-8") as file:
        file.write(BROKEN)
    for _, _, wrong in wrong_views(browser, folder, "broken.html", checks):
        missed = [words for words in FOUND if not any(words in text for text in wrong)]
        if missed:
            raise SystemExit(f"the checks do not see: {', '.join(missed)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bayesieve", type=os.path.abspath)
    parser.add_argument("reproduction_page", type=os.path.abspath)
    parser.add_argument("--pictures", metavar="DIR")
    arguments = parser.parse_args()
    if arguments.pictures:
        os.makedirs(arguments.pictures, exist_ok=True)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "checks.js")) as file:
        checks = file.read()
    n_wrong = 0
    with tempfile.TemporaryDirectory() as folder, Chromium() as browser:
        write_data(folder)
        pages = write_pages(arguments.bayesieve, arguments.reproduction_page, folder)
        assert len(pages) == 6, pages
        for page in pages:
            for width, scheme, wrong in wrong_views(browser, folder, page, checks):
                for text in wrong:
                    print(f"{page}, {width}, {scheme}: {text}")
                n_wrong += len(wrong)
                if arguments.pictures:
                    name = f"{page.removesuffix('.html')}-{width}-{scheme}.png"
                    browser.picture(os.path.join(arguments.pictures, name), width)
        check_the_checks(browser, folder, checks)
        n_seen = len(pages) * len(WIDTHS) * len(SCHEMES)
    print(f"{len(pages)} pages, {n_seen} views: {n_wrong or 'nothing'} wrong")
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
