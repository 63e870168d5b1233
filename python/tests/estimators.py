"""Every estimator of the package, for the tests that all of them have to pass."""

from __future__ import annotations

from sklearn.base import BaseEstimator

import bayesieve

#: One of each class with what it does by itself, then those whose parameters make them another
#: method of the command.
ESTIMATORS: list[BaseEstimator] = [
    bayesieve.Auto(),
    bayesieve.MDLFS(),
    bayesieve.MDL(),
    bayesieve.KollerSahami(),
    bayesieve.CFS(),
    bayesieve.MRMR(),
    bayesieve.JMI(),
    bayesieve.CMIM(),
    bayesieve.FCBF(),
    bayesieve.ReliefF(),
    bayesieve.InfoAS(),
    bayesieve.NaiveAS(),
    bayesieve.K2AS(),
    bayesieve.Wrapper(),
    bayesieve.FSSEBNA(),
    bayesieve.RPDMB(),
    bayesieve.IAMB(),
    bayesieve.HITONMB(),
    bayesieve.MMMB(),
    bayesieve.Separation(),
    bayesieve.NaiveBayes(),
    bayesieve.TAN(),
    bayesieve.NetworkClassifier(),
    bayesieve.NetworkClassifier(learner="cb"),
    bayesieve.BlockGaussian(),
    bayesieve.ID3(),
    bayesieve.MDLP(),
    bayesieve.EqualWidth(),
    bayesieve.EqualFrequency(),
]

SELECTORS = [one for one in ESTIMATORS if isinstance(one, bayesieve.selectors.Selector)]
CLASSIFIERS = [
    one
    for one in ESTIMATORS
    if not isinstance(one, bayesieve.selectors.Selector) and hasattr(one, "predict")
]
