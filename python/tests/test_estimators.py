"""scikit-learn's own checks, for every class, with none expected to fail."""

from __future__ import annotations

import pytest
import sklearn.base
from estimators import ESTIMATORS
from sklearn.utils.estimator_checks import parametrize_with_checks

import bayesieve


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(ESTIMATORS)
def test_every_check_of_scikit_learn(estimator, check):
    check(estimator)


def test_every_estimator_is_checked():
    public = [getattr(bayesieve, name) for name in bayesieve.__all__]
    classes = {
        one
        for one in public
        if isinstance(one, type) and issubclass(one, sklearn.base.BaseEstimator)
    }
    assert classes == {type(one) for one in ESTIMATORS}
