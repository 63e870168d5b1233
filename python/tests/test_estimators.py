"""scikit-learn's own checks, for every class."""

from __future__ import annotations

import pytest
import sklearn.base
from estimators import ESTIMATORS
from sklearn.utils.estimator_checks import parametrize_with_checks

import bayesieve

#: These draw halves of the rows by their order, and the check shuffles the rows it weighs.
DRAWING = (bayesieve.NaiveAS, bayesieve.K2AS)


def expected_failures(estimator):
    if not isinstance(estimator, DRAWING):
        return {}
    return {
        "check_sample_weight_equivalence_on_dense_data": "halves of rows follow the order of rows"
    }


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
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
