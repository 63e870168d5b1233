"""Calls of selectors, classifiers, discretizers, describe and compare."""

import inspect
import pickle
from collections.abc import Callable
from functools import partial
from typing import Any

import normal
import numpy as np
import pandas as pd
import polars
import pyarrow
import python_errors
import python_parts
from python_data import (
    CLASSIFIERS,
    DATA,
    DISCRETIZERS,
    FEW,
    SELECTORS,
    Call,
    array,
    fitted,
    made,
    mixed,
    model,
    numbers,
    page,
    selection,
    small,
    trained,
    words,
)
from sklearn.model_selection import GroupKFold, KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline

import bayesieve
from bayesieve import partitions

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
                {"estimate": "train", "cv": None}, {"estimate": "holdout", "cv": None},
                {"repeat": 2}, {"rule": "one-se"}, {"empty": "nothing"},
                {"random_state": 9}, {"settings": {"alpha": 0.1}}],
    "FSSEBNA": [{"model": "id3", "settings": FEW}, {"search": "pbil", "settings": FEW},
                {"cv": 3, "repeat": 1, "rule": "best", "settings": FEW}],
    "RPDMB": [{"criterion": "bic"}, {"criterion": "k2"}, {"ess": 10}, {"pruning": "any"},
              {"children": "link"}, {"duplicates": "keep"}, {"max_cells": 64}],
    "IAMB": [{"interleaved": True}, {"alpha": 0.01}, {"association": "mi"}, {"power": False},
             {"freedom": "adjusted"}],
    "HITONMB": [{"kmax": 1}, {"alpha": 0.2}, {"freedom": "adjusted"}],
    "MMMB": [{"kmax": 2}, {"power": False}, {"duplicates": "keep"}],
    "Separation": [{"numeric": "all", "block_size": 2}, {"level": 0.3}, {"covariance": "own"},
                   {"blocks": [["n1", "n2"], ["n3"], ["n4"]]}, {"correction": False},
                   {"threshold": "exact"}, {"weights": "optimal"}, {"prior": "uniform"}],
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

KINDS = [
    {"nominal": ["age"]}, {"nominal": [1]}, {"numeric": ["size"]}, {"nominal": "all"},
    {"numeric": "all"}, {"nominal": ["nope"]}, {"numeric": [99]}, {"keep": ["nope"]},
    {"nominal": ["age"], "numeric": ["age"]}, {"keep": ["noise"]},
]  # fmt: skip
DESCRIBED = [
    {"levels": 0}, {"levels": 1}, {"missing": "drop"}, {"missing": "available"},
    {"missing": "refuse"}, {"discretize": "width:3"}, {"discretize": "none"},
    {"nominal": ["age"]}, {"numeric": "all"}, {"levels": 2}, {"n_jobs": 0},
]  # fmt: skip


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
        *python_parts.calls(),
        *pipelines(),
        *python_errors.calls(),
    ]


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
        (f"defaults-{name}", partial(of_class, name))
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
        found.append((f"defaults-{name}", partial(signature, function)))
    found.append(("defaults-names", lambda: [bayesieve.__all__, bayesieve.__version__]))
    return found


def selections() -> list[Call]:
    """Every selector on every table, and with every parameter."""
    found: list[Call] = []
    for name in SELECTORS:
        for data in DATA:
            found.append((f"select-{name}-{data}", partial(fitted, name, data)))
    for name, many in PARAMETERS.items():
        for parameters in many:
            data = "numbers" if name == "Separation" else "small"
            call = partial(fitted, name, data, **parameters)
            found.append((f"select-{name}-{words(parameters)}", call))
    groups = np.arange(120) % 6

    def by_groups() -> dict[str, Any]:
        X, y = small()
        cv = list(GroupKFold(3).split(X, y, groups))
        return selection(bayesieve.Wrapper(cv=cv).fit(X, y))

    found.append(("select-Wrapper-groups", by_groups))

    def drawn() -> dict[str, Any]:
        return fitted("Wrapper", "small", random_state=np.random.RandomState(3))

    found.append(("select-Wrapper-generator", drawn))
    return found


def policies() -> list[Call]:
    """Missing values, bins and kinds."""
    found: list[Call] = []
    for missing in ("value", "drop", "available", "refuse", "nope"):
        for name in ("MRMR", "MDLFS", "IAMB", "NaiveBayes", "TAN"):
            run = fitted if name in SELECTORS else trained
            call = partial(run, name, "mixed", missing=missing)
            found.append((f"missing-{missing}-{name}", call))
    for discretize in ("width:4", "frequency:3", "none", "width:0", "magic"):
        for name in ("MDLFS", "ReliefF", "NaiveBayes", "ID3"):
            run = fitted if name in SELECTORS else trained
            call = partial(run, name, "numbers", discretize=discretize)
            found.append((f"discretize-{discretize.replace(':', '-')}-{name}", call))
    for parameters in KINDS:
        call = partial(fitted, "CFS", "mixed", **parameters)
        found.append((f"kinds-{words(parameters)}", call))

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

    found += [(f"frame-out-{how}", partial(output, how)) for how in ("pandas", "polars")]

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
            found.append((f"train-{name}-{data}", partial(trained, name, data)))
        for parameters in CLASSIFIER_PARAMETERS[name]:
            call = partial(trained, name, "numbers", **parameters)
            found.append((f"train-{name}-{words(parameters)}", call))

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
            X = X.mask(X.quantile(0.95) < X)
        discretizer = getattr(bayesieve, name)(**parameters).fit(X, y)
        transformed = discretizer.transform(X)
        names = discretizer.get_feature_names_out()
        return {"cuts": discretizer.cut_points_, "codes": transformed, "names": names}

    for name in DISCRETIZERS:
        ways = [{}] if name == "MDLP" else [{}, {"n_bins": 3}, {"n_bins": 0}, {"n_bins": "x"}]
        for parameters in ways:
            for gaps in (False, True):
                call = partial(binned, name, parameters, gaps)
                found.append((f"bins-{name}-{words(parameters)}{'-gaps' if gaps else ''}", call))
    found.append(("bins-MDLP-no-class", lambda: bayesieve.MDLP().fit(numbers()[0])))
    found.append(("bins-MDLP-labels", lambda: bayesieve.MDLP().fit(*mixed())))
    return found


def descriptions() -> list[Call]:
    """Descriptions as frames, documents and pages."""
    found: list[Call] = []

    def described(data: str, parameters: dict[str, Any]) -> dict[str, Any]:
        frame = bayesieve.describe(*DATA[data](), **parameters)
        return {"frame": frame, "document": frame.attrs["document"]}

    for data in DATA:
        found.append((f"describe-{data}", partial(described, data, {})))
    for parameters in DESCRIBED:
        call = partial(described, "mixed", parameters)
        found.append((f"describe-{words(parameters)}", call))

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
        found.append((f"compare-{name}", partial(compared, data, parameters)))
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
