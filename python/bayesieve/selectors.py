"""Selectors: one class per method, with its settings as parameters.

All of them choose features by what a Bayesian-network classifier needs, behave as scikit-learn's
own selectors, and say in words why every other feature can go. Parameters that all of them share
are those of :class:`Selector`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from bayesieve._engine import DataError, SettingError
from bayesieve._selector import Selector

__all__ = [
    "CFS",
    "CMIM",
    "FCBF",
    "FSSEBNA",
    "HITONMB",
    "IAMB",
    "JMI",
    "K2AS",
    "MDL",
    "MDLFS",
    "MMMB",
    "MRMR",
    "RPDMB",
    "Auto",
    "InfoAS",
    "KollerSahami",
    "NaiveAS",
    "ReliefF",
    "Selector",
    "Separation",
    "Wrapper",
]


class _Choice(Selector):
    """A selector that stands for several methods of the command, by one of its parameters."""

    #: The parameter, and the method of each of its values.
    _by: ClassVar[str]
    _methods: ClassVar[Mapping[Any, str]]

    def _method_name(self) -> str:
        value = getattr(self, self._by)
        if not isinstance(value, (str, bool)) or value not in self._methods:
            known = " or ".join(repr(one) for one in self._methods)
            raise SettingError(f"{self._by}={value!r} is not one of its values. Use {known}.")
        return self._methods[value]

    @classmethod
    def _method_names(cls) -> tuple[str, ...]:
        return tuple(cls._methods.values())

    @classmethod
    def _own_parameters(cls, document: Mapping[str, Any], known: dict[str, Any]) -> dict[str, Any]:
        for value, method in cls._methods.items():
            if document["method"] == method:
                return {**known, cls._by: value}
        raise DataError(
            f"the selection was made by {document['method']}, not by {cls.__name__}. "
            "bayesieve.read_selection takes any."
        )


@dataclass(kw_only=True, eq=False, repr=False)
class Auto(Selector):
    """Tries the fast methods and takes the smallest set that does about as well as the best.

    Who takes part is decided by the size of the data alone; the answer is the same on every
    machine. `candidates_` shows the others, `accuracy_` what to expect on new rows, corrected for
    having chosen.

    Parameters
    ----------
    model : {"nb", "tan"}, optional
        Only this classifier; both without.
    cv : splitter, list of splits, or array, optional
        Folds in place of drawn ones.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bayesieve import Auto
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> auto = Auto().fit(X, y)
    >>> auto.kept_
    ['petal width (cm)']
    """

    _method: ClassVar[str] = "auto"

    model: str | None = None
    cv: Any = None

    @classmethod
    def _own_parameters(cls, document: Mapping[str, Any], known: dict[str, Any]) -> dict[str, Any]:
        # The model of the document is the one that was chosen, not one that was asked for.
        known.pop("model", None)
        return super()._own_parameters(document, known)

    def _request(self, classes: npt.NDArray[np.int64]) -> dict[str, Any]:
        if isinstance(self.cv, Integral):
            raise SettingError(
                f"cv={self.cv!r} are no folds. Give a splitter such as StratifiedKFold(5), or its "
                "splits."
            )
        return super()._request(classes)

    @property
    def candidates_(self) -> Any:
        """Who was compared: a frame."""
        from bayesieve._frames import frame

        columns = ("pipeline", "accuracy", "standard_error", "kept", "mean_kept", "agreement")
        return frame(self.document_["auto"]["candidates"], columns)

    @property
    def accuracy_(self) -> float | None:
        """The accuracy to expect on new rows, corrected for having chosen."""
        corrected = self.document_["auto"]["corrected"]
        return None if corrected is None else float(corrected["accuracy"])

    @property
    def chosen_(self) -> str:
        """The method and the model that were taken."""
        return str(self.document_["auto"]["chosen"])


@dataclass(kw_only=True, eq=False, repr=False)
class MDL(Selector):
    """Keep the features that make the description of the data by a classifier shortest.

    Parameters
    ----------
    model : {"tan", "nb"}
        The classifier.
    search : str
        How sets are walked: "forward", "backward", "floating", "backward-floating",
        "best-first", "genetic", "ebna", "umda", "pbil", "mimic", "tree-eda", "bmda" or
        "exhaustive".
    settings : dict, optional
        Settings of the search, such as ``{"population": 100}``.
    """

    _method: ClassVar[str] = "mdl"

    model: str = "tan"
    search: str = "forward"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class MDLFS(Selector):
    """Keep the features whose class information pays for their tables.

    Drugan and Wiering, 2010.

    Parameters
    ----------
    model : {"tan", "nb"}
        The classifier whose description is made short.
    search : str
        How sets are walked, as in :class:`MDL`.
    auxiliary : {"tree", "own-tree", "empty", "complete"}
        The network over the features alone: the likeliest tree, the classifier's own tree, none,
        or all features tied together.
    settings : dict, optional
        Settings of the search.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bayesieve import MDLFS
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = MDLFS(model="nb").fit(X, y)
    >>> selector.kept_
    ['petal width (cm)']
    >>> selector.transform(X).shape
    (150, 1)
    """

    _method: ClassVar[str] = "mdl-fs"
    _settings: ClassVar[tuple[str, ...]] = ("auxiliary",)

    model: str = "tan"
    search: str = "forward"
    auxiliary: str = "tree"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class KollerSahami(Selector):
    """Drop, one by one, the feature whose blanket among the others leaves it least to tell.

    Koller and Sahami, 1996.

    Parameters
    ----------
    k : int
        The size of a blanket.
    gamma : float
        The information, in bits, that is too much to lose.
    blanket : {"min", "strongest"}
        The features that leave least to tell, or those that tell most themselves.
    """

    _method: ClassVar[str] = "koller-sahami"
    _settings: ClassVar[tuple[str, ...]] = ("k", "gamma", "blanket")

    k: int = 1
    gamma: float = 0.05
    blanket: str = "min"


@dataclass(kw_only=True, eq=False, repr=False)
class CFS(Selector):
    """Keep features that go with the class and not with each other (Hall, 1999).

    Parameters
    ----------
    search : str
        How sets are walked, as in :class:`MDL`.
    locally_predictive : bool
        Whether features join at the end that go with the class more than with any feature that
        is in.
    settings : dict, optional
        Settings of the search.
    """

    _method: ClassVar[str] = "cfs"
    _settings: ClassVar[tuple[str, ...]] = ("locally_predictive",)

    search: str = "best-first"
    locally_predictive: bool = False
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class MRMR(_Choice):
    """Rank features by what they tell, less what those before them tell of them.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, the method's own stop.
    scheme : {"mid", "miq"}
        Relevance less redundancy, or over it.
    """

    _by: ClassVar[str] = "scheme"
    _methods: ClassVar[Mapping[Any, str]] = {"mid": "mrmr", "miq": "mrmr-miq"}

    count: int | None = None
    scheme: Literal["mid", "miq"] = "mid"


@dataclass(kw_only=True, eq=False, repr=False)
class JMI(Selector):
    """Rank features by what they tell together with each of those before them.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, the method's own stop.
    alpha : float
        Without a count: stop when a gain as large as the next one has at least this probability
        by chance.
    """

    _method: ClassVar[str] = "jmi"
    _settings: ClassVar[tuple[str, ...]] = ("alpha",)

    count: int | None = None
    alpha: float = 0.05


@dataclass(kw_only=True, eq=False, repr=False)
class CMIM(Selector):
    """Rank features by what they tell at least, whichever of those before them is known.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, the method's own stop.
    alpha : float
        Without a count: stop when a gain as large as the next one has at least this probability
        by chance.
    """

    _method: ClassVar[str] = "cmim"
    _settings: ClassVar[tuple[str, ...]] = ("alpha",)

    count: int | None = None
    alpha: float = 0.05


@dataclass(kw_only=True, eq=False, repr=False)
class FCBF(Selector):
    """Rank features, and drop those that go more with a better one than with the class.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, all that remain.
    delta : float
        The symmetric uncertainty with the class that a feature must exceed.
    """

    _method: ClassVar[str] = "fcbf"
    _settings: ClassVar[tuple[str, ...]] = ("delta",)

    count: int | None = None
    delta: float = 0.0


@dataclass(kw_only=True, eq=False, repr=False)
class ReliefF(Selector):
    """Rank features by how they differ between near rows of other classes and of the same.

    Parameters
    ----------
    count : int, optional
        How many to keep; without, those above the threshold.
    k : int
        Nearest rows of every class.
    sample : int
        Rows looked at, evenly spaced; 0 for all.
    threshold : float
        Without a count: the weight that a feature must exceed.
    """

    _method: ClassVar[str] = "relief-f"
    _settings: ClassVar[tuple[str, ...]] = ("k", "sample", "threshold")

    count: int | None = None
    k: int = 10
    sample: int = 0
    threshold: float = 0.0


@dataclass(kw_only=True, eq=False, repr=False)
class InfoAS(_Choice):
    """Add the feature with the largest conditional gain until nothing more is told.

    Singh and Provan, 1996.

    Parameters
    ----------
    criterion : {"cdc", "cig", "cgr"}
        What makes a feature the next: conditional distance, gain, or gain ratio.
    stop : {"zero", "chi2"}
        When to stop: when nothing more is told, or when a test says that the best feature's gain
        could be chance.
    alpha : float
        The level of the test, for ``stop="chi2"``.
    test : {"pearson", "g"}
        The statistic of the test, for ``stop="chi2"``.
    """

    _by: ClassVar[str] = "criterion"
    _methods: ClassVar[Mapping[Any, str]] = {"cdc": "cdc-as", "cig": "cig-as", "cgr": "cgr-as"}
    _settings: ClassVar[tuple[str, ...]] = ("stop", "alpha", "test")

    criterion: Literal["cdc", "cig", "cgr"] = "cdc"
    stop: str = "zero"
    alpha: float = 0.05
    test: str = "pearson"


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveAS(Selector):
    """Add the feature that helps naive Bayes most on the other half of the rows.

    Parameters
    ----------
    estimate : {"holdout", "train"}
        Where the accuracy comes from: the other half of the rows, or all rows, trained on and
        tested (optimistic).
    settings : dict, optional
        Settings of the classifier, such as ``{"alpha": 0.5}``.
    """

    _method: ClassVar[str] = "naive-as"
    _settings: ClassVar[tuple[str, ...]] = ("estimate",)

    estimate: str = "holdout"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class K2AS(_Choice):
    """Add the feature that helps a network learned by K2 most on the other half of the rows.

    Parameters
    ----------
    variant : {"plain", "le"}
        K2-AS, or K2-AS with local evaluation.
    settings : dict, optional
        Settings of the classifier, such as ``{"parents": 3}``.
    """

    _by: ClassVar[str] = "variant"
    _methods: ClassVar[Mapping[Any, str]] = {"plain": "k2-as", "le": "k2-as-le"}

    variant: Literal["plain", "le"] = "plain"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class Wrapper(Selector):
    """Walk sets of features by the accuracy that a classifier gets with them.

    Parameters
    ----------
    model : {"nb", "tan", "k2", "cb", "id3", "block"}
        The classifier.
    search : str
        How sets are walked, as in :class:`MDL`.
    estimate : {"cv", "holdout", "train"}
        Where the accuracy comes from: folds, one half of the rows by a model of the other, or the
        training rows themselves (optimistic).
    cv : int, splitter, list of splits, or array
        Number of folds, or the folds themselves.
    repeat : int or "auto"
        How often folds are drawn; "auto": again while the standard error is above 1 %, at most
        five times.
    rule : {"best", "one-se"}
        The best set found, or a smaller one within a standard error of it.
    empty : {"majority", "nothing"}
        What is right without any feature: the most frequent class, or nothing.
    settings : dict, optional
        Settings of the search and of the classifier.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bayesieve import Wrapper
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> Wrapper(model="nb", cv=5, repeat=1).fit(X, y).kept_
    ['petal length (cm)']
    """

    _method: ClassVar[str] = "wrapper"
    _settings: ClassVar[tuple[str, ...]] = ("estimate", "cv", "repeat", "rule", "empty")

    model: str = "nb"
    search: str = "forward"
    estimate: str = "cv"
    cv: Any = 10
    repeat: int | str = "auto"
    rule: str = "best"
    empty: str = "majority"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class FSSEBNA(Selector):
    """Evolve sets of features by the accuracy of a classifier, drawn from a learned network.

    Inza, Larranaga, Etxeberria and Sierra, 2000.

    Parameters
    ----------
    model : {"nb", "tan", "k2", "cb", "id3", "block"}
        The classifier.
    search : {"ebna", "genetic", "umda", "pbil", "mimic", "tree-eda", "bmda"}, optional
        How populations are drawn; without, ebna up to 100 features, then a simpler one.
    cv : int, splitter, list of splits, or array
        Number of folds, or the folds themselves.
    repeat : int or "auto"
        How often folds are drawn.
    rule : {"one-se", "best"}
        A smaller set within a standard error of the best, or the best set found.
    settings : dict, optional
        Settings of the search (``population``, ``generations``, ...) and of the classifier.
    """

    _method: ClassVar[str] = "fss-ebna"
    _settings: ClassVar[tuple[str, ...]] = ("cv", "repeat", "rule")

    model: str = "nb"
    search: str | None = None
    cv: Any = 10
    repeat: int | str = "auto"
    rule: str = "one-se"
    settings: Mapping[str, Any] | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class RPDMB(Selector):
    """Find the Markov boundary of the class by the score of fringed graphs (Acid et al., 2013).

    Parameters
    ----------
    criterion : {"bdeu", "bic", "k2"}
        The score that makes a graph good: the command's setting `score`, a name that
        scikit-learn has for something else.
    ess : float
        How many rows the prior of bdeu is worth.
    pruning : {"smart", "any", "all", "none"}
        When a link is not looked at again.
    tolerance : float
        By how many nats a move must make the score larger at least.
    children : {"auto", "total", "link"}
        What the deletion of a child is valued by.
    duplicates : {"auto", "drop", "keep"}
        Whether features that say the same as an earlier one in every row are left out first.
    max_cells : int
        Families whose table would have more cells are not looked at.
    """

    _method: ClassVar[str] = "rpdmb"
    _renamed: ClassVar[Mapping[str, str]] = {"criterion": "score"}
    _settings: ClassVar[tuple[str, ...]] = (
        "criterion",
        "ess",
        "pruning",
        "tolerance",
        "children",
        "duplicates",
        "max_cells",
    )

    criterion: str = "bdeu"
    ess: float = 1
    pruning: str = "smart"
    tolerance: float = 1e-9
    children: str = "auto"
    duplicates: str = "auto"
    max_cells: int = 16_777_216


@dataclass(kw_only=True, eq=False, repr=False)
class IAMB(_Choice):
    """Find the Markov boundary of the class by tests: grow, then shrink.

    Parameters
    ----------
    interleaved : bool
        Shrink after every step (inter-IAMB).
    alpha : float
        The level of the tests: a feature counts as independent where p is above it.
    association : {"p", "mi"}
        Which feature comes in first: that of the smallest p, or that of the most information.
    power : bool
        Make a test only with five rows per cell of its table on average.
    freedom : {"nominal", "adjusted"}
        Degrees of freedom of every combination of values there could be, or of those that occur.
    duplicates : {"drop", "keep"}
        Whether features that say the same as an earlier one in every row are left out first.
    """

    _by: ClassVar[str] = "interleaved"
    _methods: ClassVar[Mapping[Any, str]] = {False: "iamb", True: "inter-iamb"}
    _settings: ClassVar[tuple[str, ...]] = (
        "alpha",
        "association",
        "power",
        "freedom",
        "duplicates",
    )

    interleaved: bool = False
    alpha: float = 0.05
    association: str = "p"
    power: bool = True
    freedom: str = "nominal"
    duplicates: str = "drop"


@dataclass(kw_only=True, eq=False, repr=False)
class _ByNeighbors(Selector):
    """Boundaries by tests of parents and children."""

    _settings: ClassVar[tuple[str, ...]] = ("alpha", "kmax", "power", "freedom", "duplicates")

    alpha: float = 0.05
    kmax: int = 3
    power: bool = True
    freedom: str = "nominal"
    duplicates: str = "drop"


@dataclass(kw_only=True, eq=False, repr=False)
class HITONMB(_ByNeighbors):
    """Find the Markov boundary of the class by HITON: parents and children first, then spouses.

    Parameters
    ----------
    alpha : float
        The level of the tests.
    kmax : int
        The most features held fixed in a test.
    power : bool
        Make a test only with five rows per cell of its table on average.
    freedom : {"nominal", "adjusted"}
        Degrees of freedom of every combination of values there could be, or of those that occur.
    duplicates : {"drop", "keep"}
        Whether features that say the same as an earlier one in every row are left out first.
    """

    _method: ClassVar[str] = "hiton-mb"


@dataclass(kw_only=True, eq=False, repr=False)
class MMMB(_ByNeighbors):
    """Find the Markov boundary of the class by max-min tests of parents and children.

    Parameters
    ----------
    alpha : float
        The level of the tests.
    kmax : int
        The most features held fixed in a test.
    power : bool
        Make a test only with five rows per cell of its table on average.
    freedom : {"nominal", "adjusted"}
        Degrees of freedom of every combination of values there could be, or of those that occur.
    duplicates : {"drop", "keep"}
        Whether features that say the same as an earlier one in every row are left out first.
    """

    _method: ClassVar[str] = "mmmb"


@dataclass(kw_only=True, eq=False, repr=False)
class Separation(Selector):
    """Keep the blocks of numbers that hold the classes apart (Pavlenko, 2003).

    Parameters
    ----------
    blocks : "found", or list of lists of str
        Which features make a block: found in the data, or named; features that are not named
        are blocks of one.
    block_size : int
        Most features of a block that is found.
    level : float
        Features join a block where the test that they depend on each other has p below this.
    covariance : {"common", "own"}
        Whether classes share a covariance or have their own.
    correction : bool
        Shrink distances by what an estimated covariance makes them too large by.
    threshold : {"asymptotic", "exact"}
        What a block must score.
    weights : {"none", "optimal"}
        What a kept block counts in a classifier.
    prior : {"em", "plug-in", "uniform", "chi-square"}
        What is taken for the law of the true scores.
    """

    _method: ClassVar[str] = "separation"
    _settings: ClassVar[tuple[str, ...]] = (
        "blocks",
        "block_size",
        "level",
        "covariance",
        "correction",
        "threshold",
        "weights",
        "prior",
    )

    blocks: str | Sequence[Sequence[str]] = "found"
    block_size: int = 12
    level: float = 0.05
    covariance: str = "common"
    correction: bool = True
    threshold: str = "asymptotic"
    weights: str = "none"
    prior: str = "em"
