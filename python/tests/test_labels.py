"""The same answers, whatever the classes are called."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from bayesieve import MRMR, TAN, Auto, NaiveBayes, Wrapper

pytestmark = pytest.mark.filterwarnings("ignore::bayesieve.DataWarning")


def data(n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers and classes from 0, the same number of rows of each."""
    if n_classes == 3:
        x, y = load_iris(return_X_y=True)
        return x, y
    x, y = load_breast_cancer(return_X_y=True)
    rows = np.sort(np.concatenate([np.flatnonzero(y == code)[:150] for code in (0, 1)]))
    return x[rows, :10], y[rows]


def namings(y: np.ndarray) -> list[np.ndarray]:
    """The same classes as numbers, as numbers the other way round, and as words."""
    last = int(y.max())
    words = np.array(["malign", "benign", "absent"])
    assert list(words) == sorted(words, reverse=True)
    return [y, last - y, words[y]]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "selector",
    [Auto(), Wrapper(), Wrapper(search="genetic"), MRMR(count=3)],
    ids=["auto", "wrapper", "genetic wrapper", "mrmr"],
)
def test_selections_do_not_depend_on_the_names_of_classes(selector, n_classes):
    x, y = data(n_classes)
    found = []
    for named in namings(y):
        selector.fit(x, named)
        found.append((list(selector.kept_), selector.document_["score"]))
    (kept, score), *others = found
    for other_kept, other_score in others:
        assert other_kept == kept
        assert other_score["value"] == pytest.approx(score["value"], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("model", [NaiveBayes(), TAN()], ids=repr)
def test_predictions_do_not_depend_on_the_names_of_classes(model, n_classes):
    x, y = data(n_classes)
    codes = None
    for named in namings(y):
        # The code of every name, by any row that has it.
        code_of = {name: int(y[row]) for row, name in enumerate(named)}
        model.fit(x, named)
        order = np.argsort([code_of[name] for name in model.classes_])
        predicted = np.array([code_of[name] for name in model.predict(x)])
        p = model.predict_proba(x)[:, order]
        if codes is None:
            codes, probabilities = predicted, p
        assert np.array_equal(predicted, codes)
        np.testing.assert_allclose(p, probabilities, rtol=1e-12, atol=1e-12)
