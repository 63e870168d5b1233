"""Prints what scikit-learn's checks say of every class, as a Markdown table.

Run it from the root: `python python/tests/estimator_table.py`.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

import conftest  # noqa: F401  (before scipy is imported)
from estimators import ESTIMATORS
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import check_estimator


def results(estimator: BaseEstimator) -> list[dict[str, Any]]:
    """Every check, with what came of it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found: list[dict[str, Any]] = check_estimator(estimator, on_fail=None, on_skip=None)
    return found


def named(checks: list[dict[str, Any]], status: str) -> list[str]:
    """The names of the checks of one status."""
    return [one["check_name"] for one in checks if one["status"] == status]


def main() -> int:
    """Prints the table and why checks were skipped; 1 where one failed."""
    print("| class | passed | skipped | failed |\n|---|---|---|---|")
    reasons: dict[str, str] = {}
    n_failed = 0
    for estimator in ESTIMATORS:
        checks = results(estimator)
        passed, skipped = named(checks, "passed"), named(checks, "skipped")
        failed = [one["check_name"] for one in checks if one["status"] not in ("passed", "skipped")]
        told = ", ".join([str(len(failed)), *failed])
        print(f"| `{estimator!r}` | {len(passed)} | {', '.join(skipped) or 'none'} | {told} |")
        reasons |= {
            one["check_name"]: str(one["exception"]) for one in checks if one["status"] == "skipped"
        }
        n_failed += len(failed)
    for name, reason in reasons.items():
        print(f"\n{name} was skipped: {reason}")
    return int(n_failed > 0)


if __name__ == "__main__":
    sys.exit(main())
