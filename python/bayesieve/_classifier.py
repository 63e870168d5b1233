"""What all classifiers share."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from bayesieve import _data, _engine, _estimators, _files, _requests, _run
from bayesieve._engine import DataError
from bayesieve._exchange import own_columns
from bayesieve._notes import DataWarning, warn_of


class Network:
    """A Bayesian network: its graph, and its text in formats that other tools read."""

    def __init__(self, model: _engine.Model) -> None:
        self._model = model

    @property
    def parents(self) -> dict[str, list[str]]:
        """The parents of every node."""
        return dict(self._model.parents() or [])

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
class Classifier(_estimators.Learner, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of the engine.

    The base of all classifiers: what they share. Values that training never saw, and missing
    cells where training had none, are summed out exactly (a tree sends them down its largest
    branch).

    Parameters
    ----------
    nominal, numeric : list of str or int, or "all", optional
        Columns that are labels, or numbers, whatever they look like. Without them text,
        categories and truth values are labels, and so are columns of two whole numbers, such as
        0 and 1; other numbers are numbers.
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

    #: Models of the command that this class stands for.
    _kinds: ClassVar[tuple[str, ...]] = ()

    nominal: _data.Columns | None = None
    numeric: _data.Columns | None = None
    missing: str = "value"
    discretize: str = "mdlp"
    n_jobs: int | None = None
    verbose: int = 0
    callback: _run.Callback | None = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Classifier:
        """Trains the model.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Of numpy, pandas, polars or pyarrow; numbers, labels and missing cells as they are.
        y : array of shape (n_samples,)
            The class of every row: numbers, texts or truth values.
        sample_weight : array of shape (n_samples,), optional
            How often every row counts: whole numbers, 0 leaves a row out. The result is that of
            rows that are repeated as often.

        Returns
        -------
        self
        """
        _estimators.forget(self)
        _estimators.check(self)
        X = _data.checked(self, X, reset=True)
        table, target = _data.with_class(self, X, y)
        table = _data.weighted(table, _data.weights(sample_weight, X), self)
        model, notes = _engine.train(table, self._asked(), _run.runner(self))
        self._take(model, target.classes, target.labels)
        self._fitted_with = _estimators.given(self)
        self.notes_ = notes
        warn_of(notes)
        return self

    def _asked(self) -> str:
        """What to train, as the engine reads it."""
        request = {"model": self._model_name(), "settings": self._own_settings()}
        origin = ("training rows", f"{self!r}.fit(X, y)")
        return _requests.asked(request, data=self._coding(), origin=origin)

    def _model_name(self) -> str:
        return self._kinds[0]

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
        X = _data.checked(self, own_columns(self, X), reset=False)
        names = self._model_columns()
        codes, probabilities, passed_over = self._model.predict(
            _data.table(X, names, self), _run.runner(self)
        )
        if passed_over:
            warnings.warn(told_of(passed_over), DataWarning, stacklevel=3)
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

    @property
    def network_(self) -> Network:
        """The network that was learned; a tree has none."""
        check_is_fitted(self)
        if self._model.parents() is None:
            raise AttributeError(f"{type(self).__name__} is a tree: it learns no network")
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
        table = None
        if X is not None:
            X = _data.checked(self, own_columns(self, X), reset=False)
            target = _data.target(y, X)
            table = _data.table(X, self._model_columns(), self).with_class(
                self._model.class_name, target.codes, self._labels_of(target.classes, target.labels)
            )
        page = self._model.page(self._asked(), self.notes_, _run.runner(self), table)
        _files.write(path, page)

    def _labels_of(self, classes: npt.NDArray[Any], labels: list[str]) -> list[str]:
        """Classes as the model writes them: that of a file may have 1.0 where 1 is meant."""
        written = self._model.class_labels
        known = {
            one: written[place]
            for one, place in zip(self.classes_.tolist(), self._order, strict=True)
        }
        pairs = zip(classes.tolist(), labels, strict=True)
        return [known.get(one, label) for one, label in pairs]

    def to_json(self, path: _files.Source | None = None) -> str | None:
        """The model file that the command reads and writes, as a text or into a file.

        `bayesieve predict FILE data.csv` predicts with it. Parameters that only this package has
        are in the entry `python`.
        """
        check_is_fitted(self)
        text = _estimators.with_entry(self._model.document(), type(self), self._fitted_with)
        return _files.handed_over(text, path)

    @classmethod
    def from_json(cls, source: _files.Source) -> Classifier:
        """A fitted classifier from a model file, of this package or of the command.

        Classes are whole numbers, numbers, truth values or texts, as their labels look. From a
        frame it takes its columns by name, also where there are more.
        """
        text = _files.read(source)
        return cls._of(_engine.Model.from_document(text), json.loads(text))

    @classmethod
    def _of(cls, model: _engine.Model, document: Mapping[str, Any]) -> Classifier:
        """A fitted classifier of a model, with the parameters that its document tells of."""
        told = document.get("settings", {})
        told = {**told, **told.get("block", {})}
        if told.get("smoothing") == "ml":
            # Plain frequencies have none; documents write it all the same.
            told.pop("alpha", None)
        known = {
            one.name: _requests.parameter(told[one.name], one.default)
            for one in fields(cls)
            if one.name in told
        }
        own = cls._own_parameters(model.kind, known)
        classifier = cls(**{**own, **_estimators.saved(document, cls)})
        classifier._take(model, *classes_of(model.class_labels))
        classifier._fitted_with = _estimators.given(classifier)
        classifier.notes_ = []
        _estimators.settle(classifier, model.features)
        return classifier

    @classmethod
    def _own_parameters(cls, kind: str, known: Mapping[str, Any]) -> dict[str, Any]:
        if kind not in cls._kinds:
            raise DataError(
                f"the model file holds {kind}, which is no {cls.__name__}. "
                "bayesieve.read_model takes any."
            )
        return dict(known)


#: Numbers as people write them; 007 and 1_000 are texts.
WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?")
TRUTH = {"false": False, "False": False, "true": True, "True": True}

#: Columns that a warning names at most.
NAMED = 3


def classes_of(labels: list[str]) -> tuple[npt.NDArray[Any], list[str]]:
    """Classes by their labels, in their order, and the label of each.

    Numbers or truth values where all labels are, and no two of them the same one; else texts.
    """
    values = _values(labels)
    order = sorted(range(len(labels)), key=values.__getitem__)
    return np.array([values[place] for place in order]), [labels[place] for place in order]


def _values(labels: list[str]) -> list[Any]:
    values: list[Any] = labels
    if all(label in TRUTH for label in labels):
        values = [TRUTH[label] for label in labels]
    elif all(WHOLE.fullmatch(label) for label in labels):
        whole = [int(label) for label in labels]
        # Larger ones would lose digits as numbers.
        values = whole if all(-(2**63) <= one < 2**63 for one in whole) else labels
    elif all(NUMBER.fullmatch(label) for label in labels):
        numbers = [float(label) for label in labels]
        values = numbers if np.isfinite(numbers).all() else labels
    return values if len(set(values)) == len(labels) else labels


def told_of(passed_over: list[tuple[str, int, int]]) -> str:
    """What was passed over in prediction, as a sentence."""
    parts = []
    for name, n_missing, n_unseen in passed_over[:NAMED]:
        counts = [(n_missing, "missing"), (n_unseen, "never seen in training")]
        parts.append(f'"{name}" ({", ".join(f"{n} {what}" for n, what in counts if n)})')
    n_more = len(passed_over) - len(parts)
    more = f" and {n_more} more columns" if n_more > 1 else " and one more column" if n_more else ""
    return f"cells that training has no value for are passed over: {', '.join(parts)}{more}."
