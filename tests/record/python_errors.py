"""Calls with wrong parameters and wrong data."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from python_data import SELECTORS, Call, array, selection, small, words
from sklearn.base import clone

import bayesieve


def calls() -> list[Call]:
    """Wrong parameters and wrong data."""
    X, y = array()
    wrong: dict[str, list[dict[str, Any]]] = {
        "MDL": [{"settings": [("population", 3)]}, {"settings": {3: 4}}, {"model": 3},
                {"model": None}, {"model": "id3"}, {"model": "nope"}, {"search": ["forward"]},
                {"search": "upward"}, {"missing": None}, {"discretize": 5}, {"keep": 3.5},
                {"keep": [99]}, {"n_jobs": 0}, {"n_jobs": "x"}, {"budget": -1}, {"budget": "x"},
                {"random_state": "x"}, {"random_state": -1}, {"settings": {"population": 5}},
                {"settings": {"nope": 5}}, {"callback": 3}],
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
        for parameters in many:
            estimator = getattr(bayesieve, name)(**parameters)
            found.append((f"error-{name}-{words(parameters)}", partial(estimator.fit, X, y)))
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
            found.append((f"data-{name}-{kind}", partial(show, kind, rows, classes)))
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
