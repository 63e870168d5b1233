"""Selectors: one class per method, with its settings as parameters.

All of them choose features by what a Bayesian-network classifier needs, behave as scikit-learn's
own selectors, and say in words why every other feature can go. Parameters that all of them share
are those of :class:`Selector`.
"""

from bayesieve._selector import Selector
from bayesieve.selectors.auto import Auto
from bayesieve.selectors.boundaries import HITONMB, IAMB, MMMB, RPDMB
from bayesieve.selectors.description_length import MDL, MDLFS
from bayesieve.selectors.filters import CFS, FCBF, KollerSahami
from bayesieve.selectors.information import InfoAS
from bayesieve.selectors.rankers import CMIM, JMI, MRMR, ReliefF
from bayesieve.selectors.separation import Separation
from bayesieve.selectors.wrappers import FSSEBNA, K2AS, NaiveAS, Wrapper

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
