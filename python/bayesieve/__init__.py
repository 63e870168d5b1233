"""The smallest set of features a Bayesian-network classifier needs, and why the others can go.

Selectors, classifiers and discretizers behave as those of scikit-learn, take frames of pandas,
polars and pyarrow as they are, and give the same answers as the command `bayesieve`, bit for bit.

>>> import bayesieve
>>> from sklearn.datasets import load_breast_cancer
>>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
>>> selector = bayesieve.MDLFS(model="nb").fit(X, y)
>>> len(selector.kept_) < X.shape[1]
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bayesieve._engine import (
    DataError,
    InternalError,
    Interrupted,
    OutputError,
    SettingError,
    __version__,
)
from bayesieve._notes import DataWarning

if TYPE_CHECKING:
    from bayesieve._classifier import Network
    from bayesieve._saved import read_model, read_selection
    from bayesieve.classifiers import ID3, TAN, BlockGaussian, NaiveBayes, NetworkClassifier
    from bayesieve.coding import Coding
    from bayesieve.comparison import Comparison, compare
    from bayesieve.counts import Counts, read_counts
    from bayesieve.description import describe
    from bayesieve.discretizers import MDLP, EqualFrequency, EqualWidth
    from bayesieve.selectors import (
        CFS,
        CMIM,
        FCBF,
        FSSEBNA,
        HITONMB,
        IAMB,
        JMI,
        K2AS,
        MDL,
        MDLFS,
        MMMB,
        MRMR,
        RPDMB,
        Auto,
        InfoAS,
        KollerSahami,
        NaiveAS,
        ReliefF,
        Separation,
        Wrapper,
    )

__all__ = [
    "CFS",
    "CMIM",
    "FCBF",
    "FSSEBNA",
    "HITONMB",
    "IAMB",
    "ID3",
    "JMI",
    "K2AS",
    "MDL",
    "MDLFS",
    "MDLP",
    "MMMB",
    "MRMR",
    "RPDMB",
    "TAN",
    "Auto",
    "BlockGaussian",
    "Coding",
    "Comparison",
    "Counts",
    "DataError",
    "DataWarning",
    "EqualFrequency",
    "EqualWidth",
    "InfoAS",
    "InternalError",
    "Interrupted",
    "KollerSahami",
    "NaiveAS",
    "NaiveBayes",
    "Network",
    "NetworkClassifier",
    "OutputError",
    "ReliefF",
    "Separation",
    "SettingError",
    "Wrapper",
    "__version__",
    "compare",
    "describe",
    "read_counts",
    "read_model",
    "read_selection",
]

#: What each module has to offer here; all other names are selectors. They are imported when they
#: are asked for: on workers of Spark, Dask and Ray there may be neither numpy nor scikit-learn, and
#: none of them is needed.
_OFFERED = {
    "_classifier": ("Network",),
    "_saved": ("read_model", "read_selection"),
    "classifiers": ("ID3", "TAN", "BlockGaussian", "NaiveBayes", "NetworkClassifier"),
    "coding": ("Coding",),
    "comparison": ("Comparison", "compare"),
    "counts": ("Counts", "read_counts"),
    "description": ("describe",),
    "discretizers": ("MDLP", "EqualFrequency", "EqualWidth"),
}

_HOMES = dict.fromkeys(__all__, "selectors")
_HOMES |= {name: module for module, names in _OFFERED.items() for name in names}

#: Modules that are attributes of the package without an import of their own.
_MODULES = ("classifiers", "comparison", "counts", "description", "discretizers", "selectors")


def __getattr__(name: str) -> Any:
    """A name of the package, whose module is imported now."""
    if name in _HOMES:
        value = getattr(import_module(f"bayesieve.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f"bayesieve.{name}")
    raise AttributeError(f"module 'bayesieve' has no attribute {name!r}")


def __dir__() -> list[str]:
    """All names of the package."""
    return sorted({*globals(), *_HOMES, *_MODULES})
