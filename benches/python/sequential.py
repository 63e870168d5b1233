"""Forward selection by the accuracy of naive Bayes: this package and scikit-learn, same folds.

    python benches/python/sequential.py [--rows 3196] [--threads 1]

The table is as large as the chess endgames of the UCI repository and of the same shape: 35 binary
features and one of three values, two classes. It is drawn here: some features tell about the
class, some repeat others, most are noise, and the class is wrong in about 15 % of the rows.

Both walk forward, one feature at a time, by the mean accuracy over the same ten folds of naive
Bayes with one added to every count, until no feature makes it larger. Both must take the same
features in the same order, or this script fails. Of two features with the same accuracy both take
the one that stands first; accuracies that differ by rounding alone are the same to this package,
not to scikit-learn.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import CategoricalNB

from bayesieve import Wrapper

N_FEATURES = 36
#: The place of the feature with three values.
THREE_VALUED = 14
#: Gains below this are none: accuracies are counts over rows, rounded when they are averaged.
NO_GAIN = 1e-9


def draw(n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Features as codes, and classes."""
    rng = np.random.default_rng(seed)
    # Most positions of an endgame lack most peculiarities: shares far from one half.
    shares = rng.beta(1.0, 2.0, N_FEATURES) * 0.8 + 0.1
    X = (rng.random((n_rows, N_FEATURES)) < shares).astype(np.int64)
    X[:, THREE_VALUED] = rng.choice(3, n_rows, p=[0.5, 0.3, 0.2])
    # Six features repeat earlier ones, one row in ten aside.
    for copy, original in zip(range(30, 36), range(2, 14, 2), strict=True):
        is_same = rng.random(n_rows) < 0.9
        X[is_same, copy] = X[is_same, original]
    votes = X[:, [2, 4, 6, 8, 10, 12, 20]] @ np.array([2.0, -1.6, 1.3, -1.0, 0.8, 0.6, -0.5])
    votes += 1.2 * (X[:, THREE_VALUED] == 2) + 1.5 * (X[:, 22] & X[:, 24])
    y = (votes > np.median(votes)).astype(np.int64)
    is_wrong = rng.random(n_rows) < 0.15
    return X, np.where(is_wrong, 1 - y, y)


def fastest(run: Callable[[], object], repeats: int) -> float:
    """Seconds of the fastest of several runs."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


class Recording(SequentialFeatureSelector):
    """Scikit-learn's own, which ends with a set; this one notes the order, too."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> Recording:
        self.walk_: list[tuple[int, float]] = []
        return super().fit(X, y)

    def _get_best_new_feature_score(self, *args: Any, **more: Any) -> tuple[int, float]:
        best = super()._get_best_new_feature_score(*args, **more)
        self.walk_.append(best)
        return best


def main() -> None:
    parser = argparse.ArgumentParser(description="forward selection, ours and scikit-learn's")
    parser.add_argument("--rows", type=int, default=3196)
    parser.add_argument("--seed", type=int, default=2, help="of the table")
    parser.add_argument("--threads", type=int, default=1, help="of ours; scikit-learn has one")
    asked = parser.parse_args()

    X, y = draw(asked.rows, asked.seed)
    folds = list(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    for train, _ in folds:
        # CategoricalNB counts as many values as it sees; all of them, then both smooth alike.
        assert (X[train].max(axis=0) == X.max(axis=0)).all()

    ours = Wrapper(model="nb", search="forward", cv=folds, rule="best", n_jobs=asked.threads)
    theirs = Recording(CategoricalNB(alpha=1), tol=NO_GAIN, scoring="accuracy", cv=folds, n_jobs=1)
    our_seconds = fastest(lambda: ours.fit(X, y), 20)
    their_seconds = fastest(lambda: theirs.fit(X, y), 1)

    our_order = [int(name[1:]) for name in ours.kept_]
    their_order = [int(place) for place, _ in theirs.walk_[: theirs.support_.sum()]]
    print(f"{asked.rows} rows, {N_FEATURES} features, 10 folds, forward by naive Bayes")
    print(f"order, ours:         {our_order}")
    print(f"order, scikit-learn: {their_order}")
    assert our_order == their_order, "not the same features"
    their_score = theirs.walk_[len(their_order) - 1][1]
    print(f"accuracy: {ours.score_:.6f} and {their_score:.6f}")
    assert abs(ours.score_ - their_score) < NO_GAIN, "not the same accuracy"
    print(f"seconds: {our_seconds:.4f} and {their_seconds:.2f}")
    print(f"ratio: {their_seconds / our_seconds:.0f}")


if __name__ == "__main__":
    main()
