"""What the calls of the Python package work on, and what is recorded of their results."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import normal
import pandas as pd
import tables

import bayesieve

# The name of a call, and the call.
Call = tuple[str, Callable[[], Any]]

# Settings that make searches by populations small.
FEW = {"population": 10, "generations": 3}
SELECTORS = [
    "Auto", "MDLFS", "MDL", "KollerSahami", "CFS", "MRMR", "JMI", "CMIM", "FCBF", "ReliefF",
    "InfoAS", "NaiveAS", "K2AS", "Wrapper", "FSSEBNA", "RPDMB", "IAMB", "HITONMB", "MMMB",
    "Separation",
]  # fmt: skip
CLASSIFIERS = ["NaiveBayes", "TAN", "NetworkClassifier", "BlockGaussian", "ID3"]
DISCRETIZERS = ["MDLP", "EqualWidth", "EqualFrequency"]


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
    is_network = not isinstance(classifier, bayesieve.ID3)
    if is_network and classifier.discretize != "none":
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


def words(parameters: dict[str, Any]) -> str:
    """Parameters as part of the name of a call."""
    return "-".join(re.findall(r"[\w.-]+", str(parameters)[:60])) or "default"
