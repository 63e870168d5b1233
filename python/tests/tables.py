"""Tables for tests: plain lists, so that every library gets the same."""

from __future__ import annotations

import math
import random
from typing import Any

Columns = dict[str, list[Any]]


def draw(seed: int, labels: list[str], n_rows: int = 240) -> tuple[Columns, list[str]]:
    """Columns of every kind, some of which tell about the class."""
    rng = random.Random(seed)
    y = [rng.choice(labels) for _ in range(n_rows)]
    code = [labels.index(one) for one in y]
    noise = lambda wide: rng.gauss(0, wide)  # noqa: E731
    columns: Columns = {
        "near": [2 * c + noise(1.0) for c in code],
        "far": [c + noise(4.0) for c in code],
        "gaps": [None if rng.random() < 0.2 else c + noise(1.0) for c in code],
        "few": [(c + rng.randint(0, 2)) % 2 for c in code],
        "steps": [rng.randint(-30, 30) + 10 * c for c in code],
        "text": [rng.choice("pq") if rng.random() < 0.3 else "abcdefghijkl"[c] for c in code],
        "holes": [None if rng.random() < 0.1 else rng.choice(["u", "v", "w"]) for _ in code],
        "flag": [(c + rng.randint(0, 1)) % 2 == 0 for c in code],
        "same": ["one"] * n_rows,
        "noise": [noise(1.0) for _ in code],
    }
    columns["near_again"] = list(columns["near"])
    return columns, y


#: Columns and classes, by what is special about them.
TABLES: dict[str, tuple[Columns, list[str]]] = {
    "two classes": draw(1, ["no", "yes"]),
    "labels that sort otherwise as texts": draw(2, ["9", "10", "-1", "100"]),
    "many classes": draw(3, [str(one) for one in range(12)], n_rows=360),
}


def floats(values: list[Any]) -> list[float]:
    """Numbers with NaN where they are missing."""
    return [math.nan if value is None else float(value) for value in values]
