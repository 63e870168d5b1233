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

from bayesieve._classifier import Network
from bayesieve._engine import (
    DataError,
    InternalError,
    Interrupted,
    OutputError,
    SettingError,
    __version__,
)
from bayesieve._notes import DataWarning
from bayesieve._saved import read_model, read_selection
from bayesieve.classifiers import ID3, TAN, BlockGaussian, NaiveBayes, NetworkClassifier
from bayesieve.comparison import Comparison, compare
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
    "Comparison",
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
    "read_model",
    "read_selection",
]
