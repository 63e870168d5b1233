"""The calls of the Python package that are recorded, each with a name."""

import hashlib
import inspect
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bayesieve
import normal
import numpy as np
import pandas as pd
import polars
import pyarrow
import tables
from bayesieve import partitions
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline

Call = tuple[str, Callable[[], Any]]

FEW = {"population": 10, "generations": 3}
SELECTORS = [
    "Auto", "MDLFS", "MDL", "KollerSahami", "CFS", "MRMR", "JMI", "CMIM", "FCBF", "ReliefF",
    "InfoAS", "NaiveAS", "K2AS", "Wrapper", "FSSEBNA", "RPDMB", "IAMB", "HITONMB", "MMMB",
    "Separation",
]  # fmt: skip
CLASSIFIERS = ["NaiveBayes", "TAN", "NetworkClassifier", "BlockGaussian", "ID3"]
DISCRETIZERS = ["MDLP", "EqualWidth", "EqualFrequency"]

# Parameters that are not the default, by class; each is fitted on the small table.
PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "Auto": [{"model": "nb"}, {"model": "tan", "random_state": 3}],
    "MDLFS": [{"model": "nb"}, {"search": "backward"}, {"auxiliary": "own-tree"},
              {"auxiliary": "empty"}, {"search": "genetic", "settings": FEW}, {"keep": ["f5"]},
              {"keep": [0, 4]}, {"keep": "all"}],
    "MDL": [{"model": "nb"}, {"search": "floating"}, {"search": "umda", "settings": FEW},
            {"settings": {}}, {"n_jobs": 1}],
    "KollerSahami": [{"k": 0}, {"k": 2}, {"gamma": 0.01}, {"blanket": "strongest"}],
    "CFS": [{"search": "forward"}, {"locally_predictive": True}, {"search": "exhaustive"}],
    "MRMR": [{"scheme": "miq"}, {"count": 2}, {"count": 2, "keep": ["f4"]}],
    "JMI": [{"alpha": 0.5}, {"count": 3}],
    "CMIM": [{"alpha": 0.0}, {"count": 3}],
    "FCBF": [{"delta": 0.1}, {"count": 1}],
    "ReliefF": [{"k": 3}, {"sample": 40, "random_state": 5}, {"threshold": 0.05}, {"count": 2}],
    "InfoAS": [{"criterion": "cig"}, {"criterion": "cgr"}, {"stop": "chi2", "alpha": 0.2},
               {"stop": "chi2", "test": "g"}],
    "NaiveAS": [{"estimate": "train"}, {"settings": {"alpha": 0.5}}],
    "K2AS": [{"variant": "le"}, {"settings": {"parents": 1}}],
    "Wrapper": [{"model": "tan"}, {"model": "id3"}, {"model": "k2"}, {"model": "cb"},
                {"search": "backward"}, {"cv": 3}, {"cv": StratifiedKFold(4)},
                {"cv": KFold(3)}, {"cv": [1, 2, 3] * 40}, {"estimate": "holdout"},
                {"estimate": "train"}, {"repeat": 2}, {"rule": "one-se"}, {"empty": "nothing"},
                {"random_state": 9}, {"settings": {"alpha": 0.1}}],
    "FSSEBNA": [{"model": "id3", "settings": FEW}, {"search": "pbil", "settings": FEW},
                {"cv": 3, "repeat": 1, "rule": "best", "settings": FEW}],
    "RPDMB": [{"criterion": "bic"}, {"criterion": "k2"}, {"ess": 10}, {"pruning": "any"},
              {"children": "link"}, {"duplicates": "keep"}, {"max_cells": 64}],
    "IAMB": [{"interleaved": True}, {"alpha": 0.01}, {"association": "mi"}, {"power": False},
             {"freedom": "adjusted"}],
    "HITONMB": [{"kmax": 1}, {"alpha": 0.2}, {"freedom": "adjusted"}],
    "MMMB": [{"kmax": 2}, {"power": False}, {"duplicates": "keep"}],
    "Separation": [{"numeric": "all", "block_size": 2}],
}  # fmt: skip

CLASSIFIER_PARAMETERS: dict[str, list[dict[str, Any]]] = {
    "NaiveBayes": [{"alpha": 0.1}, {"smoothing": "ml"}, {"smoothing": "dirichlet"},
                   {"discretize": "none"}, {"discretize": "none", "divisor": "n"}],
    "TAN": [{"alpha": 0.1}, {"smoothing": "mixing"}, {"discretize": "width:3"}],
    "NetworkClassifier": [{"learner": "cb"}, {"parents": 1}, {"learner": "cb", "level": 0.2},
                          {"learner": "cb", "stop": "score"}],
    "BlockGaussian": [{"block_size": 2}, {"weights": "optimal"}, {"covariance": "own"},
                      {"blocks": [["n1", "n2"], ["n3"]]}, {"prior": "uniform"}],
    "ID3": [{"level": 0.3}, {"discretize": "none"}, {"cuts": "gain"}],
}  # fmt: skip


def calls() -> list[Call]:
    """All calls."""
    return [
        *defaults(),
        *selections(),
        *policies(),
        *frames(),
        *classifiers(),
        *discretizers(),
        *descriptions(),
        *comparisons(),
        *parts(),
        *files(),
        *pipelines(),
        *errors(),
    ]


# Data


def small() -> tuple[pd.DataFrame, pd.Series]:
    """Five features of few values, as labels and whole numbers."""
    names, *rows = tables.small_rows(120, 5)
    frame = pd.DataFrame(rows, columns=names)
    for name in ("f1", "f3", "f4"):
        frame[name] = frame[name].astype(int)
    return frame.drop(columns="class"), frame["class"]


def numbers(n: int = 90, seed: int = 7) -> tuple[pd.DataFrame, pd.Series]:
    """Six numbers and three classes."""
    names, *rows = tables.number_rows(n, seed)
    frame = pd.DataFrame(rows, columns=names)
    return frame.drop(columns="class").astype(float), frame["class"]


def array() -> tuple[Any, Any]:
    """The numbers without names, with classes that are numbers, too."""
    X, y = numbers()
    return X.to_numpy(), y.map({"x": 0, "y": 1, "z": 2}).to_numpy()


def mixed(more: bool = False) -> tuple[pd.DataFrame, pd.Series]:
    """Columns of every kind, with missing values, a constant and a duplicate."""
    rows = tables.mixed_rows()
    names, *cells = rows
    frame = pd.DataFrame(cells, columns=names).replace(["", "?", "NA"], None)
    for name in ("age", "height", "size"):
        frame[name] = frame[name].astype(float)
    frame["city"] = frame["city"].astype("category")
    columns = [] if more else ["id", "void"]
    return frame.drop(columns=[*columns, "class"]), frame["class"]


DATA = {"small": small, "numbers": numbers, "array": array, "mixed": mixed}


# What is recorded of each kind of object


def selection(selector: Any, X: Any = None) -> dict[str, Any]:
    """Everything that a fitted selector shows."""
    found = {
        "class": type(selector).__name__,
        "parameters": {key: str(one) for key, one in selector.get_params().items()},
        "kept": selector.kept_,
        "support": selector.support_,
        "names_out": selector.get_feature_names_out(),
        "score": selector.score_,
        "document": selector.document_,
        "dropped": selector.dropped_,
        "steps": selector.steps_,
        "boundary": getattr(selector, "boundary_", None),
        "notes": selector.notes_,
        "text": [selector.explain(place) for place in range(len(selector.support_))],
    }
    if X is not None and selector.kept_:
        found["transformed"] = selector.transform(X)
    if isinstance(selector, bayesieve.Auto):
        found |= {
            "chosen": selector.chosen_,
            "accuracy": selector.accuracy_,
            "candidates": selector.candidates_,
        }
    return found


def model(classifier: Any, X: Any, y: Any) -> dict[str, Any]:
    """Everything that a fitted classifier shows."""
    found = {
        "class": type(classifier).__name__,
        "parameters": {key: str(one) for key, one in classifier.get_params().items()},
        "classes": classifier.classes_,
        "predicted": classifier.predict(X),
        "probabilities": classifier.predict_proba(X),
        "score": classifier.score(X, y),
        "document": json.loads(classifier.to_json()),
        "notes": classifier.notes_,
    }
    if not isinstance(classifier, bayesieve.ID3):
        network = classifier.network_
        found |= {"parents": network.parents, "nodes": network.nodes, "dot": network.to_dot()}
        found["network"] = repr(network)
    return found


def page(path: str) -> dict[str, Any]:
    """A page that was written."""
    return normal.file(Path(path))


def digest(data: bytes) -> str:
    """Bytes by their hash."""
    return hashlib.sha256(data).hexdigest()


def made(name: str, **parameters: Any) -> Any:
    """An estimator of the package; population searches are made small."""
    if name == "FSSEBNA":
        parameters = {"settings": FEW, **parameters}
    return getattr(bayesieve, name)(**parameters)


def fitted(name: str, data: str, **parameters: Any) -> dict[str, Any]:
    """A selection on one of the tables."""
    X, y = DATA[data]()
    return selection(made(name, **parameters).fit(X, y), X)


def trained(name: str, data: str, **parameters: Any) -> dict[str, Any]:
    """A model of one of the tables."""
    X, y = DATA[data]()
    return model(made(name, **parameters).fit(X, y), X, y)


# Calls


def defaults() -> list[Call]:
    """Parameters of all classes and functions, with their order and defaults."""

    def signature(function: Any) -> dict[str, str]:
        parameters = inspect.signature(function).parameters.values()
        return {one.name: f"{one.kind.name} {one.default!r}" for one in parameters}

    def of_class(name: str) -> dict[str, Any]:
        kind = getattr(bayesieve, name)
        shown = {key: repr(value) for key, value in kind().get_params().items()}
        return {"signature": signature(kind), "defaults": shown, "repr": repr(kind())}

    found: list[Call] = [
        (f"defaults-{name}", lambda name=name: of_class(name))
        for name in [*SELECTORS, *CLASSIFIERS, *DISCRETIZERS]
    ]
    functions = {
        "describe": bayesieve.describe,
        "compare": bayesieve.compare,
        "fit_coding": partitions.fit_coding,
        "count": partitions.count,
        "select": partitions.select,
        "train": partitions.train,
        "describe-parts": partitions.describe,
        "counts-select": bayesieve.Counts.select,
        "counts-train": bayesieve.Counts.train,
        "counts-describe": bayesieve.Counts.describe,
    }
    for name, function in functions.items():
        found.append((f"defaults-{name}", lambda function=function: signature(function)))
    found.append(("defaults-names", lambda: [bayesieve.__all__, bayesieve.__version__]))
    return found


def selections() -> list[Call]:
    """Every selector on every table, and with every parameter."""
    found: list[Call] = []
    for name in SELECTORS:
        for data in DATA:
            call = lambda name=name, data=data: fitted(name, data)  # noqa: E731
            found.append((f"select-{name}-{data}", call))
    for name, many in PARAMETERS.items():
        for number, parameters in enumerate(many):
            data = "numbers" if name == "Separation" else "small"
            call = lambda n=name, d=data, p=parameters: fitted(n, d, **p)  # noqa: E731
            found.append((f"select-{name}-parameters-{number}", call))
    blocks = [["n1", "n2"], ["n3"], ["n4"]]
    for number, parameters in enumerate(
        [
            {"blocks": blocks},
            {"level": 0.3},
            {"covariance": "own"},
            {"correction": False},
            {"threshold": "exact"},
            {"weights": "optimal"},
            {"prior": "uniform"},
        ]  # fmt: skip
    ):
        call = lambda p=parameters: fitted("Separation", "numbers", **p)  # noqa: E731
        found.append((f"select-Separation-numbers-{number}", call))
    groups = np.arange(120) % 6

    def by_groups() -> dict[str, Any]:
        X, y = small()
        cv = list(GroupKFold(3).split(X, y, groups))
        return selection(bayesieve.Wrapper(cv=cv).fit(X, y))

    found.append(("select-Wrapper-groups", by_groups))
    generator = np.random.RandomState
    drawn = lambda: fitted("Wrapper", "small", random_state=generator(3))  # noqa: E731
    found.append(("select-Wrapper-generator", drawn))
    return found


def policies() -> list[Call]:
    """Missing values, bins and kinds."""
    found: list[Call] = []
    for missing in ("value", "drop", "available", "refuse", "nope"):
        for name in ("MRMR", "MDLFS", "IAMB", "NaiveBayes", "TAN"):
            run = fitted if name in SELECTORS else trained
            call = lambda r=run, n=name, m=missing: r(n, "mixed", missing=m)  # noqa: E731
            found.append((f"missing-{missing}-{name}", call))
    for discretize in ("width:4", "frequency:3", "none", "width:0", "magic"):
        for name in ("MDLFS", "ReliefF", "NaiveBayes", "ID3"):
            run = fitted if name in SELECTORS else trained
            call = lambda r=run, n=name, d=discretize: r(n, "numbers", discretize=d)  # noqa: E731
            found.append((f"discretize-{discretize.replace(':', '-')}-{name}", call))
    for number, parameters in enumerate(
        [
            {"nominal": ["age"]},
            {"nominal": [1]},
            {"numeric": ["size"]},
            {"nominal": "all"},
            {"numeric": "all"},
            {"nominal": ["nope"]},
            {"numeric": [99]},
            {"keep": ["nope"]},
            {"nominal": ["age"], "numeric": ["age"]},
            {"keep": ["noise"]},
        ]  # fmt: skip
    ):
        call = lambda p=parameters: fitted("CFS", "mixed", **p)  # noqa: E731
        found.append((f"kinds-{number}", call))

    def with_ids() -> dict[str, Any]:
        X, y = mixed(more=True)
        return selection(bayesieve.MDLFS().fit(X, y), X)

    found.append(("kinds-identifier", with_ids))
    return found


def frames() -> list[Call]:
    """The same data from several libraries, and what comes back."""
    X, y = mixed()
    plain = X.astype({"city": str})
    arrow = pyarrow.Table.from_pandas(plain)
    takes: dict[str, Callable[[], Any]] = {
        "polars": lambda: bayesieve.MDLFS().fit(polars.from_arrow(arrow), y.to_numpy()),
        "pyarrow": lambda: bayesieve.MDLFS().fit(arrow, y.to_numpy()),
        "objects": lambda: bayesieve.MDLFS().fit(X.to_numpy(dtype=object), y.to_numpy()),
        "float32": lambda: bayesieve.MDLFS().fit(array()[0].astype("float32"), array()[1]),
        "whole": lambda: bayesieve.MDLFS().fit(np.arange(240).reshape(60, 4) % 7, [0, 1, 2] * 20),
        "truth": lambda: bayesieve.MDLFS().fit(np.arange(240).reshape(60, 4) % 7 > 3, [0, 1] * 30),
        "numbered": lambda: bayesieve.MDLFS().fit(pd.DataFrame(array()[0]), array()[1]),
        "true-class": lambda: bayesieve.MDLFS().fit(small()[0], small()[1] == "yes"),
        "whole-floats": lambda: bayesieve.MDLFS().fit(np.round(array()[0]), array()[1]),
    }
    found: list[Call] = [
        (f"frame-{name}", lambda take=take: selection(take())) for name, take in takes.items()
    ]

    def output(how: str) -> Any:
        selector = bayesieve.MRMR(count=3).set_output(transform=how).fit(X, y)
        given = selector.transform(X)
        return {"type": str(type(given)), "columns": list(given.columns), "rows": given.shape[0]}

    found += [(f"frame-out-{how}", lambda how=how: output(how)) for how in ("pandas", "polars")]

    def inverse() -> Any:
        selector = bayesieve.MRMR(count=3).fit(*array())
        return selector.inverse_transform(selector.transform(array()[0]))

    found.append(("frame-inverse", inverse))
    found.append(("frame-shown", lambda: page_text(bayesieve.MRMR(count=2).fit(X, y))))
    return found


def page_text(selector: Any) -> dict[str, Any]:
    """How a notebook shows a selector."""
    return {"kind": "page", "value": selector._repr_html_()}


def classifiers() -> list[Call]:
    """Every classifier on every table, with parameters, on rows that training never saw."""
    found: list[Call] = []
    for name in CLASSIFIERS:
        for data in DATA:
            call = lambda name=name, data=data: trained(name, data)  # noqa: E731
            found.append((f"train-{name}-{data}", call))
        for number, parameters in enumerate(CLASSIFIER_PARAMETERS[name]):
            call = lambda n=name, p=parameters: trained(n, "numbers", **p)  # noqa: E731
            found.append((f"train-{name}-parameters-{number}", call))

        def unseen(name: str = name) -> dict[str, Any]:
            X, y = mixed()
            classifier = made(name).fit(X, y)
            rows = X.head(12).copy()
            rows["city"] = ["Atlantis"] * 6 + [None] * 6
            rows["age"] = 999.0
            return {
                "predicted": classifier.predict(rows),
                "probabilities": classifier.predict_proba(rows),
                "logs": classifier.predict_log_proba(rows),
            }

        found.append((f"predict-{name}-unseen", unseen))

        def formats(name: str = name) -> dict[str, Any]:
            X, y = small()
            network = made(name).fit(X, y).network_
            written = [network.to_bif(), network.to_xmlbif(), network.to_net(), network.to_dot()]
            return {"kind": "text", "value": "\n".join(written)}

        found.append((f"train-{name}-formats", formats))
    return found


def discretizers() -> list[Call]:
    """Bins of numbers, with missing values among them."""
    found: list[Call] = []

    def binned(name: str, parameters: dict[str, Any], gaps: bool) -> dict[str, Any]:
        X, y = numbers()
        if gaps:
            X = X.mask(X > X.quantile(0.95))
        discretizer = getattr(bayesieve, name)(**parameters).fit(X, y)
        transformed = discretizer.transform(X)
        names = discretizer.get_feature_names_out()
        return {"cuts": discretizer.cut_points_, "codes": transformed, "names": names}

    for name in DISCRETIZERS:
        ways = [{}] if name == "MDLP" else [{}, {"n_bins": 3}, {"n_bins": 0}, {"n_bins": "x"}]
        for number, parameters in enumerate(ways):
            for gaps in (False, True):
                call = lambda n=name, p=parameters, g=gaps: binned(n, p, g)  # noqa: E731
                found.append((f"bins-{name}-{number}{'-gaps' if gaps else ''}", call))
    X, y = numbers()
    found.append(("bins-MDLP-no-class", lambda: bayesieve.MDLP().fit(X)))
    found.append(("bins-MDLP-labels", lambda: bayesieve.MDLP().fit(mixed()[0], mixed()[1])))
    return found


def descriptions() -> list[Call]:
    """Descriptions as frames, documents and pages."""
    found: list[Call] = []

    def described(data: str, parameters: dict[str, Any]) -> dict[str, Any]:
        frame = bayesieve.describe(*DATA[data](), **parameters)
        return {"frame": frame, "document": frame.attrs["document"]}

    for data in DATA:
        found.append((f"describe-{data}", lambda data=data: described(data, {})))
    for number, parameters in enumerate(
        [
            {"levels": 0},
            {"levels": 1},
            {"missing": "drop"},
            {"missing": "available"},
            {"missing": "refuse"},
            {"discretize": "width:3"},
            {"discretize": "none"},
            {"nominal": ["age"]},
            {"numeric": "all"},
            {"levels": 2},
            {"n_jobs": 0},
        ]  # fmt: skip
    ):
        call = lambda p=parameters: described("mixed", p)  # noqa: E731
        found.append((f"describe-parameters-{number}", call))

    def reported() -> dict[str, Any]:
        bayesieve.describe(*mixed(), report="page.html")
        return page("page.html")

    found.append(("describe-page", reported))
    return found


def comparisons() -> list[Call]:
    """Comparisons as frames, documents and pages."""
    found: list[Call] = []
    two = {"pipelines": ["all/nb", "mdl-fs/tan", "mrmr:2/nb"]}
    both = {"small": small(), "numbers": numbers(), "mixed": mixed()}

    def compared(data: Any, parameters: dict[str, Any]) -> dict[str, Any]:
        comparison = bayesieve.compare(*data, **parameters)
        comparison.report("page.html")
        return {
            "document": comparison.document,
            "summary": comparison.summary,
            "runs": comparison.runs,
            "tests": comparison.tests,
            "ranks": comparison.ranks,
            "curves": comparison.learning_curves,
            "repr": {"kind": "table", "value": normal.text(repr(comparison).split("\n")[0])},
            "page": page("page.html"),
        }

    runs: dict[str, tuple[Any, dict[str, Any]]] = {
        "pipelines": (small(), {**two, "protocol": "cv:3"}),
        "repeated": (small(), {**two, "protocol": "cv:3x2", "random_state": 4}),
        "holdout": (small(), {**two, "protocol": "holdout:4:2/3", "learning_curve": [20, 40]}),
        "5x2cv": (small(), {**two, "protocol": "5x2cv"}),
        "methods": (small(), {"methods": ["all", "cfs"], "models": "nb", "protocol": "cv:3"}),
        "splitter": (small(), {**two, "cv": StratifiedKFold(3)}),
        "tables": ((both,), {**two, "protocol": "cv:3", "test": "wilcoxon", "alpha": 0.1}),
        "settings": (small(), {**two, "protocol": "cv:3", "settings": {"alpha": 0.5}}),
        "keep": (small(), {**two, "protocol": "cv:3", "keep": ["f5"]}),
        "missing": (mixed(), {**two, "protocol": "cv:3", "missing": "drop"}),
        "width": (numbers(), {**two, "protocol": "cv:3", "discretize": "width:3"}),
        "error-pipeline": (small(), {"pipelines": ["mdl-sf/nb"]}),
        "error-twice": (small(), {"pipelines": ["all/nb", "all/nb"]}),
        "error-protocol": (small(), {**two, "protocol": "cv:1"}),
        "error-both": (small(), {**two, "protocol": "cv:3", "cv": KFold(3)}),
        "error-alpha": (small(), {**two, "alpha": 2}),
        "error-test": (small(), {**two, "test": "t"}),
        "error-curve": (small(), {**two, "learning_curve": [5, 3]}),
        "error-settings": (small(), {**two, "settings": {"alhpa": 1}}),
        "error-models": (small(), {"models": ["nbb"]}),
        "error-cv-tables": ((both,), {**two, "cv": KFold(3)}),
    }
    for name, (data, parameters) in runs.items():
        call = lambda d=data, p=parameters: compared(d, p)  # noqa: E731
        found.append((f"compare-{name}", call))
    return found


def in_parts(table: Any, n_parts: int) -> Any:
    """A table of pyarrow in partitions that run here."""

    def run(task: Any) -> list[bytes]:
        size = -(-table.num_rows // n_parts)
        pieces = [table.slice(size * part, size).select(task.columns) for part in range(n_parts)]
        return [task(p.to_batches(max_chunksize=17), f"part {n}") for n, p in enumerate(pieces)]

    return partitions.Partitions(table.column_names, run)


def parts() -> list[Call]:
    """Codings, counts, and work on partitions."""
    found: list[Call] = []
    sheets = {}
    for name in ("small", "mixed", "numbers"):
        X, y = DATA[name]()
        text = X.astype({"city": str}) if "city" in X else X
        sheets[name] = pyarrow.Table.from_pandas(text.assign(y=y.to_numpy()), preserve_index=False)

    def rows(name: str, n: int = 3) -> Any:
        return in_parts(sheets[name], n)

    def coded(name: str, parameters: dict[str, Any]) -> dict[str, Any]:
        coding = partitions.fit_coding(rows(name), "y", **parameters)
        return {
            "document": coding.document,
            "fingerprint": coding.fingerprint,
            "classes": coding.classes,
            "notes": coding.notes,
            "repr": repr(coding),
        }

    for number, (name, parameters) in enumerate(
        [
            ("small", {}),
            ("mixed", {}),
            ("numbers", {}),
            ("mixed", {"missing": "drop"}),
            ("mixed", {"missing": "available"}),
            ("numbers", {"discretize": "width:3"}),
            ("mixed", {"features": ["city", "age"]}),
            ("mixed", {"ignore": ["noise"]}),
            ("mixed", {"nominal": ["age"]}),
            ("numbers", {"max_numbers": 16}),
            ("mixed", {"max_labels": 2}),
            ("mixed", {"missing": "refuse"}),
            ("mixed", {"features": ["nope"]}),
            ("numbers", {"discretize": "none"}),
        ]  # fmt: skip
    ):
        found.append((f"coding-{number}", lambda n=name, p=parameters: coded(n, p)))

    def counted(name: str) -> Any:
        return partitions.count(rows(name), partitions.fit_coding(rows(name), "y"))

    def counts(name: str) -> dict[str, Any]:
        counted_rows = counted(name)
        return {
            "bytes": digest(counted_rows.to_bytes()),
            "rows": counted_rows.n_rows,
            "shards": counted_rows.shards,
            "repr": repr(counted_rows),
            "again": counted_rows == bayesieve.Counts.from_bytes(counted_rows.to_bytes()),
            "pickled": counted_rows == pickle.loads(pickle.dumps(counted_rows)),
        }

    for name in sheets:
        found.append((f"counts-{name}", lambda name=name: counts(name)))
        found.append((f"counts-describe-{name}", lambda name=name: counted(name).describe()))
        found.append((f"parts-describe-{name}", lambda n=name: partitions.describe(rows(n), "y")))
    for method in ("mdl-fs", "mdl", "koller-sahami", "cfs", "mrmr", "mrmr-miq", "jmi", "cmim",
                   "fcbf", "all", "iamb", "wrapper", "nope"):  # fmt: skip
        for name in ("small", "mixed"):
            call = lambda n=name, m=method: selection(counted(n).select(m))  # noqa: E731
            found.append((f"counts-select-{method}-{name}", call))
    for method in ("mdl-fs", "mrmr", "cig-as", "cdc-as", "rpdmb", "iamb", "inter-iamb", "hiton-mb",
                   "mmmb", "relief-f"):  # fmt: skip
        for name in ("small", "mixed"):
            call = lambda n=name, m=method: selection(partitions.select(rows(n), "y", m))  # noqa: E731
            found.append((f"parts-select-{method}-{name}", call))
    more: dict[str, Callable[[], Any]] = {
        "count": lambda: selection(counted("small").select("mrmr", count=2, keep=["f5"])),
        "settings": lambda: selection(
            counted("small").select("koller-sahami", settings={"gamma": 0.01})
        ),
        "search": lambda: selection(counted("small").select("mdl", model="nb", search="backward")),
        "bad-keep": lambda: counted("small").select("mrmr", keep=["nope"]),
        "bad-settings": lambda: counted("small").select("mrmr", settings={"nope": 1}),
        "bad-model": lambda: counted("small").select("mdl", model="id3"),
        "bad-rows": lambda: partitions.select([1, 2, 3], "y"),
        "bad-class": lambda: partitions.select(rows("small"), "nope"),
        "merge-twice": lambda: counted("small").merge(counted("small")),
        "merge-other": lambda: counted("small") + counted("numbers"),
    }
    found += [(f"counts-more-{name}", call) for name, call in more.items()]
    for kind in ("nb", "tan", "k2"):
        call = lambda k=kind: model(counted("small").train(k), *small())  # noqa: E731
        found.append((f"counts-train-{kind}", call))
        call = lambda k=kind: model(partitions.train(rows("small"), "y", k), *small())  # noqa: E731
        found.append((f"parts-train-{kind}", call))
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
        found.append((f"file-{name}", lambda name=name: written(name)))

    def stored(name: str) -> dict[str, Any]:
        X, y = small()
        made(name).fit(X, y).to_json("model.json")
        again = bayesieve.read_model("model.json")
        return {"file": normal.file(Path("model.json")), "again": model(again, X, y)}

    for name in CLASSIFIERS:
        found.append((f"file-{name}", lambda name=name: stored(name)))

    def reported(name: str, data: str, with_rows: bool) -> dict[str, Any]:
        X, y = DATA[data]()
        estimator = made(name).fit(X, y)
        estimator.report("page.html", *((X, y) if with_rows else ()))
        return page("page.html")

    for name in ("MDLFS", "MRMR", "IAMB", "RPDMB", "Separation", *CLASSIFIERS):
        for with_rows in (False, True):
            data = "numbers" if name in ("Separation", "BlockGaussian") else "small"
            call = lambda n=name, d=data, w=with_rows: reported(n, d, w)  # noqa: E731
            found.append((f"page-{name}{'-rows' if with_rows else ''}", call))

    def no_selection(text: str, read: Callable[[str], Any]) -> Any:
        Path("file.json").write_text(text)
        return read("file.json")

    for number, text in enumerate(["", "{", "[]", '{"schema": "bayesieve.model.v1"}', "null"]):
        for read in (bayesieve.read_selection, bayesieve.read_model, bayesieve.read_counts):
            call = lambda t=text, r=read: no_selection(t, r)  # noqa: E731
            found.append((f"file-bad-{number}-{read.__name__}", call))
    for read in (bayesieve.read_selection, bayesieve.read_model, bayesieve.read_counts):
        found.append((f"file-absent-{read.__name__}", lambda read=read: read("absent.json")))
    X, y = small()
    unwritable: dict[str, Callable[[], Any]] = {
        "selection": lambda: bayesieve.MRMR().fit(X, y).to_json("absent/x.json"),
        "model": lambda: bayesieve.TAN().fit(X, y).to_json("absent/x.json"),
        "page": lambda: bayesieve.MRMR().fit(X, y).report("absent/x.html"),
        "ending": lambda: bayesieve.MRMR().fit(X, y).report("x.txt"),
    }
    found += [(f"file-unwritable-{name}", call) for name, call in unwritable.items()]
    return found


def pipelines() -> list[Call]:
    """Inside scikit-learn: pipelines, scores, copies."""
    X, y = array()
    first = bayesieve.MRMR(count=3)

    def pickled() -> dict[str, Any]:
        selector = pickle.loads(pickle.dumps(bayesieve.MDLFS().fit(X, y)))
        classifier = pickle.loads(pickle.dumps(bayesieve.TAN().fit(X, y)))
        return {"selector": selection(selector, X), "model": model(classifier, X, y)}

    runs: dict[str, Callable[[], Any]] = {
        "scores": lambda: cross_val_score(make_pipeline(first, bayesieve.NaiveBayes()), X, y, cv=3),
        "scores-tan": lambda: cross_val_score(bayesieve.TAN(), *small(), cv=4),
        "fitted": lambda: make_pipeline(first, bayesieve.TAN()).fit(X, y).predict(X),
        "binned": lambda: make_pipeline(bayesieve.MDLP(), bayesieve.TAN()).fit(X, y).predict(X),
        "pickled": pickled,
    }

    def drawn() -> dict[str, Any]:
        import matplotlib

        matplotlib.use("agg")
        axes = bayesieve.MRMR(count=2).fit(*small()).plot()
        return {
            "bars": [bar.get_width() for bar in axes.patches],
            "labels": [label.get_text() for label in axes.get_yticklabels()],
            "text": axes.get_xlabel(),
        }

    found: list[Call] = [(f"pipeline-{name}", call) for name, call in runs.items()]
    found.append(("pipeline-plot", drawn))
    return found


def errors() -> list[Call]:
    """Wrong parameters and wrong data."""
    X, y = array()
    wrong: dict[str, list[dict[str, Any]]] = {
        "MDL": [{"settings": [("population", 3)]}, {"settings": {3: 4}}, {"model": 3},
                {"model": None}, {"model": "id3"}, {"model": "nope"}, {"search": ["forward"]},
                {"search": "upward"}, {"missing": None}, {"discretize": 5}, {"keep": 3.5},
                {"keep": [99]}, {"n_jobs": 0}, {"n_jobs": "x"}, {"budget": -1}, {"budget": "x"},
                {"random_state": "x"}, {"random_state": -1}, {"settings": {"population": 5}},
                {"settings": {"nope": 5}}, {"verbose": "x"}, {"callback": 3}],
        "MRMR": [{"count": 0}, {"count": -1}, {"count": 2.5}, {"count": 99}, {"count": True},
                 {"scheme": "x"}],
        "KollerSahami": [{"k": 3}, {"k": -1}, {"gamma": -1}, {"gamma": "x"}, {"blanket": "x"}],
        "JMI": [{"alpha": 2}, {"alpha": None}],
        "ReliefF": [{"k": 0}, {"sample": -1}, {"threshold": 5}],
        "Wrapper": [{"cv": 1}, {"cv": "x"}, {"cv": [1, 2]}, {"rule": "x"}, {"estimate": "x"},
                    {"model": "x"}, {"repeat": 0}, {"search": "x"}],
        "Auto": [{"model": 7}, {"model": "cb"}, {"cv": [1, 2]}],
        "RPDMB": [{"criterion": None}, {"criterion": "x"}, {"ess": 0}, {"pruning": "x"}],
        "IAMB": [{"alpha": 2}, {"association": "x"}, {"interleaved": "x"}],
        "HITONMB": [{"kmax": 99}, {"kmax": "x"}],
        "InfoAS": [{"criterion": "x"}, {"stop": "x"}, {"test": "x"}],
        "K2AS": [{"variant": "x"}],
        "Separation": [{"blocks": [[0, 0]]}, {"blocks": [["zz"]]}, {"prior": "x"}, {"level": 2}],
        "FSSEBNA": [{"search": "forward"}, {"settings": {"population": 1}}],
        "NaiveBayes": [{"missing": None}, {"discretize": b"mdlp"}, {"smoothing": None},
                       {"smoothing": "x"}, {"alpha": -1}, {"alpha": "x"}, {"divisor": "x"},
                       {"missing": "available"}, {"numeric": 3.5}],
        "TAN": [{"missing": 3}, {"alpha": None}, {"discretize": "none"}],
        "NetworkClassifier": [{"learner": "x"}, {"stop": 3}, {"parents": -1}, {"level": 2},
                              {"stop": "score"}],
        "BlockGaussian": [{"blocks": [[{1}]]}, {"weights": "x"}, {"block_size": 0}],
        "ID3": [{"cuts": 1}, {"cuts": "x"}, {"level": 2}],
    }  # fmt: skip
    found: list[Call] = []
    for name, many in wrong.items():
        for number, parameters in enumerate(many):
            call = lambda n=name, p=parameters: getattr(bayesieve, n)(**p).fit(X, y)  # noqa: E731
            found.append((f"error-{name}-{number}", call))
    holes = X.copy()
    holes[7, 1] = np.inf
    bad: dict[str, tuple[Any, Any]] = {
        "one-class": (X, np.zeros(90)),
        "short": (X, y[:50]),
        "infinite": (holes, y),
        "class-missing": (X, np.where(y == 1, np.nan, y)),
        "class-numbers": (X, X[:, 0]),
        "empty": (X[:0], y[:0]),
        "flat": (X[:, 0], y),
        "twice": (pd.DataFrame(X, columns=list("aabcde")), y),
        "names": (pd.DataFrame(X, columns=["a", 1, "b", "c", "d", "e"]), y),
        "dates": (pd.DataFrame({"a": pd.date_range("2020-01-01", periods=90)}), y),
        "no-class": (X, None),
        "one-row": (X[:1], y[:1]),
        "columns": (X[:, :0], y),
        "list": ([[1, "a"], [2, "b"], [1, "a"], [2, "b"]], ["u", "v", "u", "v"]),
        "deep": (X.reshape(90, 3, 2), y),
    }
    for name, (rows, classes) in bad.items():
        for kind in ("MDLFS", "TAN"):
            call = lambda k=kind, r=rows, c=classes: show(k, r, c)  # noqa: E731
            found.append((f"data-{name}-{kind}", call))
    frame, classes = small()
    selector = bayesieve.MRMR(count=2)
    used: dict[str, Callable[[], Any]] = {
        "unfitted": lambda: selector.transform(frame),
        "unfitted-model": lambda: bayesieve.TAN().predict(frame),
        "fewer": lambda: clone(selector).fit(frame, classes).transform(frame.iloc[:, :3]),
        "order": lambda: clone(selector).fit(frame, classes).transform(frame[frame.columns[::-1]]),
        "predict-fewer": lambda: bayesieve.TAN().fit(frame, classes).predict(frame.iloc[:, :3]),
        "explain": lambda: clone(selector).fit(frame, classes).explain("nope"),
        "explain-place": lambda: clone(selector).fit(frame, classes).explain(99),
        "other-rows": lambda: report_other(frame, classes),
        "none-kept": lambda: none_kept(),
    }
    found += [(f"error-used-{name}", call) for name, call in used.items()]
    return found


def show(name: str, X: Any, y: Any) -> Any:
    """What a fit gives on data that may be refused."""
    estimator = getattr(bayesieve, name)().fit(X, y)
    return estimator.kept_ if name in SELECTORS else estimator.predict_proba(X)


def report_other(X: Any, y: Any) -> None:
    """A page with other rows than those of the fit."""
    bayesieve.MRMR(count=2).fit(X, y).report("page.html", X.iloc[::-1], y)


def none_kept() -> Any:
    """A selection of nothing, and what transform says of it."""
    X = np.arange(400).reshape(100, 4) % 3
    selector = bayesieve.MDLFS().fit(X, np.arange(100) % 2)
    return [selection(selector), selector.transform(X).shape]
