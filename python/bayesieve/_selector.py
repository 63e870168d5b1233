"""What all selectors share."""

from __future__ import annotations

import html
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from bayesieve import _data, _engine, _estimators, _files, _measures, _requests, _run
from bayesieve._documents import selection_document
from bayesieve._engine import DataError
from bayesieve._exchange import handed_over, own_columns
from bayesieve._folds import fold_numbers, repeated_folds
from bayesieve._frames import frame
from bayesieve._notes import warn_of

#: Columns of the frame `dropped_`.
DROPPED = (
    "feature",
    "reason",
    "given",
    "level",
    "gain_bits",
    "price_bits",
    "information_bits",
    "sentence",
)

#: Columns of the frame `steps_`, then those that only some methods have.
STEPS = ("action", "feature", "score")
MORE_STEPS = ("operator", "with")

#: Columns of the frame `performance_`.
PERFORMANCE = ("measure", "mean", "se", "baseline")

#: What scikit-learn says there.
NOTHING_KEPT = (
    "No features were selected: either the data is too noisy or the selection test too strict."
)

#: Said where a run ended early.
OUT_OF_TIME = (
    "the budget was over before the search was: what is kept is the best so far. Give a larger "
    "budget, or None, to search on."
)


@dataclass(kw_only=True, eq=False, repr=False)
class Selector(_estimators.Learner, SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Chooses features and says why every other one can go.

    The base of all selectors: what they share.

    Parameters
    ----------
    keep : list of str or int, optional
        Features that must stay in, by name or by place.
    nominal, numeric : list of str or int, or "all", optional
        Columns that are labels, or numbers, whatever they look like. Without them text,
        categories and truth values are labels, and so are columns of two whole numbers, such as
        0 and 1; other numbers are numbers.
    missing : {"value", "drop", "available", "refuse"}
        What a missing cell means: a value of its own; a row to leave out; counts over the rows
        that are complete in each table (for methods on single features and pairs); an error.
    discretize : str
        How numbers become bins: "mdlp", "width:K", "frequency:K", or "none".
    budget : float, optional
        Seconds after which a run stops with the best so far.
    permutations : int, optional
        How often to shuffle the classes and select again: `document_["permutations"]` says how
        often that does as well. Not with `Auto`.
    random_state : int or RandomState, optional
        The seed of methods that draw. None is 1: the same answer every time.
    n_jobs : int, optional
        Threads; None or -1 for all cores. Never changes an answer.
    verbose : int
        1 shows how far a run is.
    callback : callable, optional
        Called with stage, done and total as a run goes on; what it raises stops the run.
    """

    #: The name of the method in the command.
    _method: ClassVar[str]

    _apart: ClassVar[tuple[str, ...]] = ("model", "search", "count", "settings")

    #: Settings that the method has under another name.
    _renamed: ClassVar[Mapping[str, str]] = {}

    keep: Sequence[str | int] | None = None
    nominal: _data.Columns | None = None
    numeric: _data.Columns | None = None
    missing: str = "value"
    discretize: str = "mdlp"
    budget: float | None = None
    permutations: int | None = None
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0
    callback: _run.Callback | None = None

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Selector:
        """Chooses features.

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
        found = self._run(X, y, sample_weight, evidence=False)
        self._take(found, _estimators.given(self))
        warn_of(self.notes_)
        return self

    def transform(self, X: Any) -> Any:
        """The columns that are kept.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Columns as in `fit`. A selector from a file takes its columns by name from a frame
            that has more.

        Returns
        -------
        An array, or a frame where `set_output` asks for one.
        """
        check_is_fitted(self)
        X = own_columns(self, X)
        if not _data.is_frame(X):
            return super().transform(X)
        # Frames go their own way: scikit-learn's array of all columns fails where categories
        # stand beside numbers.
        X = _data.checked(self, X, reset=False)
        places = np.flatnonzero(self.support_)
        if not len(places):
            warnings.warn(NOTHING_KEPT, UserWarning, stacklevel=2)
            if not _data.is_pandas(X):
                # Other frames without columns are without rows too.
                return np.empty((X.shape[0], 0))
        wanted = _get_output_config("transform", estimator=self)["dense"]
        return handed_over(_data.chosen(X, places), wanted)

    def inverse_transform(self, X: Any) -> Any:
        """Columns of zeros where features were dropped.

        Parameters
        ----------
        X : array of shape (n_samples, n_kept)
            What `transform` gave.
        """
        check_is_fitted(self)
        if self.support_.any():
            return super().inverse_transform(X)
        # scikit-learn refuses an array without columns, which is what nothing kept gives.
        kept = np.asarray(X)
        if kept.ndim != 2 or kept.shape[1]:
            raise ValueError("X has a different shape than during fitting.")
        return np.zeros((len(kept), len(self.support_)), dtype=kept.dtype)

    def _run(self, X: Any, y: Any, sample_weight: Any, *, evidence: bool) -> _engine.Selection:
        _estimators.check(self)
        X = _data.checked(self, X, reset=True)
        table, target = _data.with_class(self, X, y)
        weights = _data.weights(sample_weight, X)
        table = _data.weighted(table, weights, self)
        request = self._request(target.codes)
        request |= {
            "folds": repeated_folds(request["folds"], weights),
            **_measures.request(self, target.labels),
            "keep": _data.resolved(self.keep, _data.feature_names(self), "keep"),
            "seed": _run.seed(self.random_state),
            "budget": _run.seconds(self.budget),
            "permutations": _run.whole("permutations", self.permutations, "number of shuffles"),
            # What auto expects on new rows is corrected for the choice already.
            "honest": evidence and self._method_name() != "auto",
            "with_model": evidence,
        }
        origin = (_data.about(X), f"{self._call(_estimators.given(self))}.fit(X, y)")
        asked = _requests.asked(request, data=self._coding(), origin=origin)
        return _engine.select(table, asked, _run.runner(self))

    def _request(self, classes: npt.NDArray[np.int64]) -> dict[str, Any]:
        """The method and what it is told."""
        cv = getattr(self, "cv", None)
        is_number = cv is None or isinstance(cv, Integral)
        folds = None if is_number else fold_numbers(cv, classes)
        left_out = set() if is_number else {"cv"}
        if not is_number and getattr(self, "repeat", None) in ("auto", 1):
            # Folds that are given are there once; more often is for the engine to refuse.
            left_out.add("repeat")
        own = self._own_settings(left_out).items()
        more = _estimators.more_settings(self)
        return {
            "method": self._method_name(),
            "model": getattr(self, "model", None),
            "search": getattr(self, "search", None),
            "count": _run.whole("count", getattr(self, "count", None), "number of features"),
            "settings": {self._renamed.get(name, name): one for name, one in own} | more,
            "folds": folds,
        }

    def _method_name(self) -> str:
        return self._method

    @classmethod
    def _method_names(cls) -> tuple[str, ...]:
        """The methods of the command that this class stands for."""
        return (cls._method,) if hasattr(cls, "_method") else ()

    def _take(self, selection: _engine.Selection, parameters: _estimators.Parameters) -> None:
        """Keeps what was found, and the parameters it was found with."""
        self._selection = selection
        self._fitted_with = parameters
        self._document: dict[str, Any] = json.loads(selection.document)
        self.kept_ = list(self._document["kept"])
        kept = set(self.kept_)
        names = self._document["data"]["columns"]
        self.support_ = np.array([name in kept for name in names], dtype=bool)
        self.score_ = self._document["score"]["value"]
        self.notes_ = list(self._document["warnings"])
        if self._document["stop"]["reason"] == "budget":
            self.notes_.append(OUT_OF_TIME)

    def _get_support_mask(self) -> npt.NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "support_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    @property
    def document_(self) -> dict[str, Any]:
        """Everything that is known, as the command's `select --json` prints it."""
        check_is_fitted(self)
        return self._document

    @property
    def dropped_(self) -> Any:
        """Every feature that is out, with its reason: a frame."""
        check_is_fitted(self)
        records = [{**one, "sentence": one["text"]} for one in self._document["dropped"]]
        return frame(records, DROPPED)

    @property
    def steps_(self) -> Any:
        """How the method got there: a frame of actions, features and scores."""
        check_is_fitted(self)
        steps = self._document["steps"]
        more = [name for name in MORE_STEPS if any(name in step for step in steps)]
        return frame(steps, [*STEPS, *more])

    @property
    def performance_(self) -> Any:
        """What to expect on new rows: a frame of measures with standard errors and baselines.

        For `Auto` and ``size="cv"``, corrected for having chosen.
        """
        check_is_fitted(self)
        if "performance" not in self._document:
            raise AttributeError(f"{type(self).__name__} measured no predictions")
        measures = self._document["performance"]["measures"]
        return frame([{"measure": key, **one} for key, one in measures.items()], PERFORMANCE)

    @property
    def path_(self) -> Any:
        """The curve over numbers of features: a frame, for `Auto` and ``size="cv"``."""
        check_is_fitted(self)
        if "path" not in self._document:
            raise AttributeError(f"{type(self).__name__} judged no numbers of features")
        points = self._document["path"]
        keys = list(dict.fromkeys(key for point in points for key in point["measures"]))
        records = [
            {**point, **{key: one["mean"] for key, one in point["measures"].items()}}
            for point in points
        ]
        return frame(records, ("size", "features_added", *keys))

    @property
    def boundary_(self) -> dict[str, list[str]]:
        """What the kept features are to the class, for methods that find Markov boundaries."""
        check_is_fitted(self)
        if "boundary" not in self._document:
            raise AttributeError(f"{type(self).__name__} finds no Markov boundary")
        boundary: dict[str, list[str]] = self._document["boundary"]
        return boundary

    def explain(self, feature: str | int) -> str:
        """Why a feature is in or out, in words.

        Parameters
        ----------
        feature : str or int
            Its name or its place.
        """
        check_is_fitted(self)
        # Features that the user left out are no columns, but have their reason.
        names = list(self._document["data"]["columns"])
        left_out = {one["feature"] for one in self._document["dropped"]} - {*names}
        is_left_out = isinstance(feature, str) and feature in left_out
        name = feature if is_left_out else _data.known(feature, names, "feature")
        for one in self._document["dropped"]:
            if one["feature"] == name:
                return f"{name} is dropped: {one['text']}"
        kept = next(one for one in self._document["kept_features"] if one["feature"] == name)
        told = [
            f"{kept[key]:.4f} bits about the class {how}"
            for key, how in [
                ("information_bits", "alone"),
                ("information_given_rest_bits", "with all other kept features known"),
            ]
            if kept.get(key) is not None
        ]
        told_in_words = f": it tells {' and '.join(told)}" if told else ""
        return f"{name} is kept{told_in_words}"

    def report(
        self, path: _files.Source, X: Any = None, y: Any = None, sample_weight: Any = None
    ) -> None:
        """Writes a page for people: one file, nothing to fetch.

        Parameters
        ----------
        path : path
            Where to; ends in .html.
        X, y, sample_weight : the training rows, optional
            Those of `fit`, with its parameters. With them the page also shows what the features
            buy: the network over them, and the accuracy of the whole procedure on rows it has not
            seen, for which it runs ten times more.
        """
        check_is_fitted(self)
        _files.check_page(path)
        selection = self._selection if X is None else self._again(X, y, sample_weight)
        page = selection.page()
        if not page:
            raise DataError(
                "a selection that was read from a file has no page. Give the training rows: "
                "report(path, X, y)."
            )
        _files.write(path, page)

    def _again(self, X: Any, y: Any, sample_weight: Any) -> _engine.Selection:
        """The same selection once more, with what only the training rows tell."""
        X = _data.checked(self, own_columns(self, X), reset=False)
        # A generator would go on, and draw other numbers than it did for the fit.
        again = clone(self).set_params(random_state=self._document["seed"])
        selection: _engine.Selection = again._run(X, y, sample_weight, evidence=True)
        kept = json.loads(selection.document)["kept"]
        if kept != self.kept_:
            raise DataError(
                f"with these rows and parameters {len(kept)} features are kept, others than the "
                f"{len(self.kept_)} of fit. Give the rows that fit got, with the parameters it had."
            )
        return selection

    def to_json(self, path: _files.Source | None = None) -> str | None:
        """The selection file that the command reads and writes, as a text or into a file.

        `bayesieve train data.csv --selection FILE` trains on what is kept. Parameters that only
        this package has are in the entry `python`; what a file cannot hold, such as a splitter,
        is left out.
        """
        check_is_fitted(self)
        text = _estimators.with_entry(self._selection.document, type(self), self._fitted_with)
        return _files.handed_over(text, path)

    @classmethod
    def from_json(cls, source: _files.Source) -> Selector:
        """A fitted selector from a selection file, of this package or of the command."""
        document = selection_document(_files.read(source))
        saved = _estimators.saved(document, cls)
        document.pop("python", None)
        text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
        return cls._of(document, _engine.Selection.restore(text, ""), saved)

    @classmethod
    def _of(
        cls,
        document: Mapping[str, Any],
        selection: _engine.Selection,
        saved: _estimators.Parameters | None = None,
    ) -> Selector:
        """A fitted selector with the parameters of a document, and those that were saved."""
        selector = cls(**{**cls._from_document(document), **(saved or {})})
        selector._take(selection, _estimators.given(selector))
        _estimators.settle(selector, document["data"]["columns"])
        return selector

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters that a document of the command tells of."""
        by_setting = {setting: name for name, setting in cls._renamed.items()}
        settings = document.get("settings", {}).items()
        told = {by_setting.get(name, name): value for name, value in settings}
        defaults = {one.name: one.default for one in fields(cls)}
        if "settings" in defaults:
            # Those of the search and of the classifier.
            more = {name: told.pop(name) for name in list(told) if name not in defaults}
            told["settings"] = more or None
        told |= {"model": document.get("model"), "search": document.get("search")}
        told |= document.get("coding", {})
        told["random_state"] = document.get("seed")
        if document["stop"]["reason"] == "count":
            told["count"] = len(document["kept"])
        try:
            known = {
                name: _requests.parameter(value, defaults[name])
                for name, value in told.items()
                if name in defaults
            }
        except ValueError as error:
            raise DataError(f"the selection file is damaged: a setting: {error}.") from error
        return cls._own_parameters(document, known)

    @classmethod
    def _own_parameters(cls, document: Mapping[str, Any], known: dict[str, Any]) -> dict[str, Any]:
        if document["method"] != cls._method:
            raise DataError(
                f"the selection was made by {document['method']}, not by {cls._method}. "
                "bayesieve.read_selection takes any."
            )
        return known

    def plot(self, ax: Any = None, top: int = 20) -> Any:
        """Draws what the features tell about the class, kept ones apart; needs matplotlib.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw.
        top : int
            Most features to draw, the most telling first.

        Returns
        -------
        The axes.
        """
        check_is_fitted(self)
        from bayesieve._plot import draw_selection

        return draw_selection(self._document, ax, top)

    @property
    def _repr_html_(self) -> Any:
        return self._html

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._html()}

    def _html(self) -> str:
        """A small page for a notebook."""
        if not self.__sklearn_is_fitted__():
            return f"<pre>{html.escape(repr(self))}</pre>"
        from bayesieve._notebook import selection_html

        return selection_html(self._call(self._fitted_with), self._document)

    def _call(self, parameters: _estimators.Parameters) -> str:
        return _estimators.call(type(self), parameters)
