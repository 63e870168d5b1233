"""Prints what scikit-learn's checks say of every class, as a Markdown table.

Run it from the root: `python python/tests/estimator_table.py`.
"""

from __future__ import annotations

import sys
import warnings

from estimators import ESTIMATORS
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import check_estimator


def results(estimator: BaseEstimator) -> dict[str, list[str]]:
    """The checks by what came of them: passed, skipped, failed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        checks = check_estimator(estimator, on_fail=None, on_skip=None)
    by_status: dict[str, list[str]] = {"passed": [], "skipped": [], "failed": []}
    for one in checks:
        by_status.setdefault(one["status"], []).append(one["check_name"])
    return by_status


def row(estimator: BaseEstimator) -> tuple[str, int]:
    """A row of the table, and how many checks failed."""
    by_status = results(estimator)
    skipped = ", ".join(by_status["skipped"]) or "none"
    failed = [
        name
        for status in by_status
        if status not in ("passed", "skipped")
        for name in by_status[status]
    ]
    told = f"{len(failed)}" + (f" ({', '.join(failed)})" if failed else "")
    name = type(estimator).__name__
    return f"| `{name}` | {len(by_status['passed'])} | {skipped} | {told} |", len(failed)


def main() -> int:
    """Prints the table; 1 where a check failed."""
    print("| class | passed | skipped | failed |\n|---|---|---|---|")
    n_failed = 0
    for estimator in ESTIMATORS:
        text, failed = row(estimator)
        print(text, flush=True)
        n_failed += failed
    return int(n_failed > 0)


if __name__ == "__main__":
    sys.exit(main())
