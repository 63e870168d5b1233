"""What all classifiers share."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesieve import _data, _engine, _files, _run
from bayesieve._engine import DataError
from bayesieve._notes import DataWarning


class Network:
    """A Bayesian network: its graph, and its text in formats that other tools read."""

    def __init__(self, model: _engine.Model) -> None:
        self._model = model

    @property
    def parents(self) -> dict[str, list[str]]:
        """The parents of every node."""
        graph = json.loads(self._model.network("json"))
        return {name: list(graph["parents"][name]) for name in graph["nodes"]}

    @property
    def nodes(self) -> list[str]:
        """The nodes: the features, then the class."""
        return list(self.parents)

    def to_bif(self) -> str:
        """The network in the Bayesian interchange format."""
        return self._model.network("bif")

    def to_xmlbif(self) -> str:
        """The network as XMLBIF 0.3."""
        return self._model.network("xmlbif")

    def to_net(self) -> str:
        """The network in Hugin's format."""
        return self._model.network("net")

    def to_dot(self) -> str:
        """The graph for Graphviz."""
        return self._model.network("dot")

    def __repr__(self) -> str:
        parents = self.parents
        n_arcs = sum(map(len, parents.values()))
        return f"Network({len(parents)} nodes, {n_arcs} arcs)"


@dataclass(kw_only=True, eq=False, repr=False)
class Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of the engine.

    The base of all classifiers: what they share. Values that training never saw, and missing
    cells where training had none, are summed out exactly (a tree sends them down its largest
    branch).

    Parameters
    ----------
    nominal, numeric : list of str or int, or "all", optional
        Columns that are labels, or numbers, whatever they look like. Without them text,
        categories and truth values are labels, whole numbers with at most 20 distinct values
        are labels, other numbers are numbers.
    missing : {"value", "drop", "refuse"}
        What a missing cell in training means: a value of its own; a row to leave out; an error.
    discretize : str
        How numbers become bins: "mdlp", "width:K", "frequency:K", or "none".
    n_jobs : int, optional
        Threads; None or -1 for all cores. Never changes an answer.
    verbose : int
        1 shows how far a run is.
    callback : callable, optional
        Called with stage, done and total as a run goes on; what it raises stops the run.
    """

    #: Parameters that are settings of the model.
    _settings: ClassVar[tuple[str, ...]] = ()

    nominal: _data.Columns | None = None
    numeric: _data.Columns | None = None
    missing: str = "value"
    discretize: str = "mdlp"
    n_jobs: int | None = None
    verbose: int = 0
    callback: _run.Callback | None = None

    def fit(self, X: Any, y: Any) -> Classifier:
        """Trains the model.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Of numpy, pandas, polars or pyarrow; numbers, labels and missing cells as they are.
        y : array of shape (n_samples,)
            The class of every row, of any type.

        Returns
        -------
        self
        """
        X = _data.checked(self, X, reset=True)
        names = _data.feature_names(self)
        target = _data.target(y, X)
        table = _data.table(X, names, self)
        class_name = _data.class_name(target.name, names)
        table = table.with_class(class_name, target.codes, target.labels)
        request = {
            "model": self._model_name(),
            "settings": [f"{name}={value}" for name, value in self._given()],
            "coding": {"missing": self.missing, "discretize": self.discretize},
        }
        model, notes = _engine.train(table, json.dumps(request), _run.runner(self))
        self._take(model, target.classes, target.labels)
        self.notes_ = notes
        for note in notes:
            warnings.warn(note, DataWarning, stacklevel=2)
        return self

    def _given(self) -> list[tuple[str, str]]:
        """The settings of the model, name and value."""
        values = {name: getattr(self, name) for name in self._settings}
        return [(name, _data.setting(value)) for name, value in values.items() if value is not None]

    def _model_name(self) -> str:
        raise NotImplementedError

    def _take(self, model: _engine.Model, classes: npt.NDArray[Any], labels: Iterable[str]) -> None:
        """Keeps what was learned, and where the engine has each class."""
        self._model = model
        places = {label: place for place, label in enumerate(model.class_labels)}
        order = [places.get(label, -1) for label in labels]
        if -1 in order:
            # Rows with missing cells were left out, and with them whole classes.
            classes = classes[[place >= 0 for place in order]]
            order = [place for place in order if place >= 0]
        self.classes_ = classes
        self._order = np.array(order, dtype=np.intp)

    def _predicted(self, X: Any) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        check_is_fitted(self)
        X = _data.checked(self, X, reset=False)
        names = self._model_columns()
        codes, probabilities, _ = self._model.predict(
            _data.table(X, names, self), _run.runner(self)
        )
        return codes, probabilities

    def _model_columns(self) -> list[str]:
        return _data.feature_names(self)

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The most probable class of every row; ties go to the larger class in training."""
        codes, _ = self._predicted(X)
        place = np.empty(len(self._order), dtype=np.intp)
        place[self._order] = np.arange(len(self._order))
        return self.classes_[place[codes]]

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The probability of every class, in the order of `classes_`."""
        _, probabilities = self._predicted(X)
        if np.array_equal(self._order, np.arange(probabilities.shape[1])):
            return probabilities
        return probabilities[:, self._order]

    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """The logarithm of the probability of every class."""
        with np.errstate(divide="ignore"):
            logs: npt.NDArray[np.float64] = np.log(self.predict_proba(X))
        return logs

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    @property
    def network_(self) -> Network:
        """The network that was learned."""
        check_is_fitted(self)
        return Network(self._model)

    def report(self, path: _files.Source, X: Any = None, y: Any = None) -> None:
        """Writes a page for people: one file, nothing to fetch.

        Parameters
        ----------
        path : path
            Where to; ends in .html.
        X, y : rows and their classes, optional
            With them the page shows how well the model predicts them.
        """
        check_is_fitted(self)
        _files.check_page(path)
        origin = {"data": "training rows", "call": f"{self!r}.fit(X, y)"}
        table = None
        if X is not None:
            X = _data.checked(self, X, reset=False)
            target = _data.target(y, X)
            table = _data.table(X, self._model_columns(), self).with_class(
                self._model.class_name, target.codes, target.labels
            )
        page = self._model.page(
            json.dumps(origin), (self._given(), self.notes_), _run.runner(self), table
        )
        _files.write(path, page)

    def to_json(self, path: _files.Source | None = None) -> str | None:
        """The model file that the command reads and writes, as a text or into a file.

        `bayesieve predict FILE data.csv` predicts with it.
        """
        check_is_fitted(self)
        text = self._model.document()
        if path is None:
            return text
        _files.write(path, text)
        return None

    @classmethod
    def from_json(cls, source: _files.Source) -> Classifier:
        """A fitted classifier from a model file, of this package or of the command.

        Classes are whole numbers, numbers, truth values or texts, as their labels look.
        """
        text = _files.read(source)
        model = _engine.Model.from_document(text)
        document = json.loads(text)
        told = document.get("settings", {})
        told = {**told, **told.get("block", {})}
        if told.get("smoothing") == "ml":
            # Plain frequencies have none; documents write it all the same.
            told.pop("alpha", None)
        known = {
            one.name: _data.parameter(told[one.name], one.default)
            for one in fields(cls)
            if one.name in told
        }
        classifier = cls(**cls._own_parameters(model.kind, known))
        classifier._take(model, classes_of(model.class_labels), model.class_labels)
        names = model.features
        classifier.notes_ = []
        classifier.n_features_in_ = len(names)
        if names != [f"x{place}" for place in range(len(names))]:
            classifier.feature_names_in_ = np.array(names, dtype=object)
        return classifier

    @classmethod
    def _own_parameters(cls, kind: str, known: Mapping[str, Any]) -> dict[str, Any]:
        if kind not in cls._kinds:
            raise DataError(
                f"the model file holds {kind}, which is no {cls.__name__}. "
                "bayesieve.read_model takes any."
            )
        return dict(known)

    #: Models of the command that this class stands for.
    _kinds: ClassVar[tuple[str, ...]] = ()


def classes_of(labels: list[str]) -> npt.NDArray[Any]:
    """Classes by their labels: numbers where all of them are, and written as numbers are."""
    for kind in (int, float):
        try:
            classes = [kind(label) for label in labels]
        except ValueError:
            continue
        is_written_so = [_data.label(one) for one in classes] == labels
        if is_written_so and np.isfinite(classes).all():
            return np.array(classes)
    if set(labels) == {"false", "true"}:
        return np.array([label == "true" for label in labels])
    return np.array(labels)
