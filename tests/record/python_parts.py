"""Calls on partitions, counts and files."""

import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import normal
import pyarrow
from python_data import (
    CLASSIFIERS,
    DATA,
    Call,
    digest,
    made,
    model,
    page,
    selection,
    small,
    words,
)
from sklearn.base import clone

import bayesieve
from bayesieve import partitions


def calls() -> list[Call]:
    """All calls of this file."""
    return [*parts(), *files()]


def in_parts(table: Any, n_parts: int) -> Any:
    """A table of pyarrow in partitions that run here."""

    def run(task: Any) -> list[bytes]:
        size = -(-table.num_rows // n_parts)
        pieces = [table.slice(size * part, size).select(task.columns) for part in range(n_parts)]
        return [task(p.to_batches(max_chunksize=17), f"part {n}") for n, p in enumerate(pieces)]

    return partitions.Partitions(table.column_names, run)


def sheet(name: str) -> Any:
    """One of the tables as a table of pyarrow, with the class as column y."""
    X, y = DATA[name]()
    text = X.astype({"city": str}) if "city" in X else X
    return pyarrow.Table.from_pandas(text.assign(y=y.to_numpy()), preserve_index=False)


def rows(name: str) -> Any:
    """One of the tables in three partitions."""
    return in_parts(sheet(name), 3)


def counted(name: str) -> Any:
    """The counts of one of the tables."""
    return partitions.count(rows(name), partitions.fit_coding(rows(name), "y"))


def coded(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """Everything that a coding shows."""
    coding = partitions.fit_coding(rows(name), "y", **parameters)
    return {
        "document": coding.document,
        "fingerprint": coding.fingerprint,
        "classes": coding.classes,
        "notes": coding.notes,
        "repr": repr(coding),
    }


def counts(name: str) -> dict[str, Any]:
    """Everything that counts show."""
    found = counted(name)
    return {
        "bytes": digest(found.to_bytes()),
        "rows": found.n_rows,
        "shards": found.shards,
        "repr": repr(found),
        "again": found == bayesieve.Counts.from_bytes(found.to_bytes()),
        "pickled": found == pickle.loads(pickle.dumps(found)),
    }


def from_counts(name: str, method: str, **more: Any) -> dict[str, Any]:
    """A selection from counts."""
    return selection(counted(name).select(method, **more))


def from_parts(name: str, method: str, **more: Any) -> dict[str, Any]:
    """A selection from partitions."""
    return selection(partitions.select(rows(name), "y", method, **more))


def trained_on_counts(kind: str, **more: Any) -> dict[str, Any]:
    """A model from counts."""
    return model(counted("small").train(kind, **more), *small())


def trained_on_parts(kind: str, **more: Any) -> dict[str, Any]:
    """A model from partitions."""
    return model(partitions.train(rows("small"), "y", kind, **more), *small())


CODINGS = [
    ("small", {}), ("mixed", {}), ("numbers", {}), ("mixed", {"missing": "drop"}),
    ("mixed", {"missing": "available"}), ("numbers", {"discretize": "width:3"}),
    ("mixed", {"features": ["city", "age"]}), ("mixed", {"ignore": ["noise"]}),
    ("mixed", {"nominal": ["age"]}), ("numbers", {"max_numbers": 16}),
    ("mixed", {"max_labels": 2}), ("mixed", {"missing": "refuse"}),
    ("mixed", {"features": ["nope"]}), ("numbers", {"discretize": "none"}),
    ("numbers", {"discretize": "frequency:4"}), ("mixed", {"numeric": ["size"]}),
]  # fmt: skip
ON_COUNTS = ["mdl-fs", "mdl", "koller-sahami", "cfs", "mrmr", "mrmr-miq", "jmi", "cmim", "fcbf"]
REFUSED = ["all", "iamb", "wrapper", "auto", "nope"]
ON_PARTS = [*ON_COUNTS, "cig-as", "cgr-as", "cdc-as", "rpdmb", "iamb", "inter-iamb", "hiton-mb",
            "mmmb", "relief-f"]  # fmt: skip


def parts() -> list[Call]:
    """Codings, counts, and work on partitions."""
    found: list[Call] = [
        (f"coding-{name}-{words(parameters)}", partial(coded, name, parameters))
        for name, parameters in CODINGS
    ]
    for name in ("small", "mixed", "numbers"):
        found.append((f"counts-{name}", partial(counts, name)))
        found.append((f"counts-describe-{name}", lambda name=name: counted(name).describe()))
        call = partial(lambda name: partitions.describe(rows(name), "y"), name)
        found.append((f"parts-describe-{name}", call))
    for name in ("small", "mixed"):
        for method in [*ON_COUNTS, *REFUSED]:
            found.append((f"counts-select-{method}-{name}", partial(from_counts, name, method)))
        for method in ON_PARTS:
            found.append((f"parts-select-{method}-{name}", partial(from_parts, name, method)))
    more: dict[str, Callable[[], Any]] = {
        "count": partial(from_counts, "small", "mrmr", count=2, keep=["f5"]),
        "settings": partial(from_counts, "small", "koller-sahami", settings={"gamma": 0.01}),
        "search": partial(from_counts, "small", "mdl", model="nb", search="backward"),
        "drop": partial(from_parts, "mixed", "mrmr", missing="drop"),
        "available": partial(from_parts, "mixed", "mrmr", missing="available"),
        "width": partial(from_parts, "numbers", "mdl-fs", discretize="width:4"),
        "bad-keep": partial(from_counts, "small", "mrmr", keep=["nope"]),
        "bad-settings": partial(from_counts, "small", "mrmr", settings={"nope": 1}),
        "bad-model": partial(from_counts, "small", "mdl", model="id3"),
        "bad-word": partial(from_parts, "small", "mrmr", nope=3),
        "bad-rows": lambda: partitions.select([1, 2, 3], "y"),
        "bad-class": lambda: partitions.select(rows("small"), "nope"),
        "merge-twice": lambda: counted("small").merge(counted("small")),
        "merge-other": lambda: counted("small") + counted("numbers"),
    }
    found += [(f"counts-more-{name}", call) for name, call in more.items()]
    for kind in ("nb", "tan", "k2"):
        found.append((f"counts-train-{kind}", partial(trained_on_counts, kind)))
        found.append((f"parts-train-{kind}", partial(trained_on_parts, kind)))
    settings = {"alpha": 0.5}
    found.append(("counts-train-settings", partial(trained_on_counts, "nb", settings=settings)))
    chosen = ["f1", "f2"]
    found.append(("parts-train-features", partial(trained_on_parts, "tan", features=chosen)))
    return found


def files() -> list[Call]:
    """Files of the command, written and read again, and pages."""
    found: list[Call] = []

    def written(name: str) -> dict[str, Any]:
        X, y = small()
        selector = made(name).fit(X, y)
        selector.to_json("selection.json")
        again = bayesieve.read_selection("selection.json")
        return {
            "file": normal.file(Path("selection.json")),
            "again": selection(again, X),
            "class": type(again).__name__,
            "refitted": clone(again).fit(X, y).kept_,
        }

    for name in ("MDLFS", "MRMR", "Wrapper", "IAMB", "RPDMB", "K2AS", "InfoAS", "CFS", "Auto"):
        found.append((f"file-{name}", partial(written, name)))

    def stored(name: str) -> dict[str, Any]:
        X, y = small()
        made(name).fit(X, y).to_json("model.json")
        again = bayesieve.read_model("model.json")
        return {"file": normal.file(Path("model.json")), "again": model(again, X, y)}

    for name in CLASSIFIERS:
        found.append((f"file-{name}", partial(stored, name)))

    def reported(name: str, data: str, with_rows: bool) -> dict[str, Any]:
        X, y = DATA[data]()
        estimator = made(name).fit(X, y)
        estimator.report("page.html", *((X, y) if with_rows else ()))
        return page("page.html")

    for name in ("MDLFS", "MRMR", "IAMB", "RPDMB", "Separation", *CLASSIFIERS):
        for with_rows in (False, True):
            data = "numbers" if name in ("Separation", "BlockGaussian") else "small"
            call = partial(reported, name, data, with_rows)
            found.append((f"page-{name}{'-rows' if with_rows else ''}", call))

    def no_selection(text: str, read: Callable[[str], Any]) -> Any:
        Path("file.json").write_text(text)
        return read("file.json")

    for number, text in enumerate(["", "{", "[]", '{"schema": "bayesieve.model.v1"}', "null"]):
        for read in (bayesieve.read_selection, bayesieve.read_model, bayesieve.read_counts):
            call = partial(no_selection, text, read)
            found.append((f"file-bad-{number}-{read.__name__}", call))
    for read in (bayesieve.read_selection, bayesieve.read_model, bayesieve.read_counts):
        found.append((f"file-absent-{read.__name__}", partial(read, "absent.json")))
    X, y = small()
    unwritable: dict[str, Callable[[], Any]] = {
        "selection": lambda: bayesieve.MRMR().fit(X, y).to_json("absent/x.json"),
        "model": lambda: bayesieve.TAN().fit(X, y).to_json("absent/x.json"),
        "page": lambda: bayesieve.MRMR().fit(X, y).report("absent/x.html"),
        "ending": lambda: bayesieve.MRMR().fit(X, y).report("x.txt"),
    }
    found += [(f"file-unwritable-{name}", call) for name, call in unwritable.items()]
    return found
