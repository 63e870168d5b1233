"""What predictions are judged by: a measure, the positive class, and what mistakes cost."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from bayesieve._columns import label
from bayesieve._engine import SettingError

MEASURED = """scoring : str, optional
    The measure that decides: "log-loss", "accuracy", "balanced-accuracy", "auc",
    "average-precision", "f1", "brier", "calibration" or "cost"; also by scikit-learn's names,
    such as "neg_log_loss" and "roc_auc". Without, the method's own.
positive : label, optional
    The positive class of AUC, average precision and F1; without, the rarest class.
costs : array or frame of shape (n_classes, n_classes), optional
    What mistakes cost, by true class (rows) and predicted class (columns): an array in the order
    of the classes, or a frame of pandas with labels on both sides."""

COUNT = """count : int, optional
    How many to keep; without, the method's own stop."""

SIZED = """size : {"own", "cv"}, optional
    What ends the order of the features: the method's own stop, or the smallest number that
    predicts about as well as the best, by cross-validation.
tolerance : float, optional
    For ``size="cv"``: how far from the best the measure may be, in its own units; without, one
    standard error of the paired difference."""


def documented(text: str, parameters: Sequence[str]) -> str:
    """A docstring with more parameters behind its own."""
    head, examples, rest = inspect.cleandoc(text).partition("\n\nExamples\n")
    if "\nParameters\n" not in head:
        head += "\n\nParameters\n----------"
    known = [one for one in parameters if f"\n{one.partition(' :')[0]} :" not in head]
    return "\n".join([head, *known]) + examples + rest


@dataclass(kw_only=True, eq=False, repr=False)
class Measured:
    """A selector that judges predictions."""

    #: What its parameters mean, for the docstrings of classes.
    _texts: ClassVar[tuple[str, ...]] = (MEASURED,)

    scoring: str | None = None
    positive: Any = None
    costs: Any = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # Those below have the text of their base, as it is.
        if any("_texts" in vars(base) for base in cls.__bases__) and cls.__doc__:
            cls.__doc__ = documented(cls.__doc__, cls._texts)


@dataclass(kw_only=True, eq=False, repr=False)
class Sized(Measured):
    """A selector with an order of the features, whose end can be judged."""

    _texts: ClassVar[tuple[str, ...]] = (COUNT, SIZED, MEASURED)

    count: int | None = None
    size: str | None = None
    tolerance: float | None = None


def request(estimator: Any, labels: Sequence[str]) -> dict[str, Any]:
    """What an estimator is judged by, as the engine reads it."""
    if not isinstance(estimator, Measured):
        return {}
    sized = {"size": getattr(estimator, "size", None)}
    tolerance = getattr(estimator, "tolerance", None)
    if tolerance is not None:
        if isinstance(tolerance, bool) or not isinstance(tolerance, Real):
            raise SettingError(f"tolerance={tolerance!r} must be a number from 0 on, or None.")
        sized["tolerance"] = float(tolerance)
    return sized | measures(estimator.scoring, estimator.positive, estimator.costs, labels)


def measures(scoring: Any, positive: Any, costs: Any, labels: Sequence[str]) -> dict[str, Any]:
    """A measure, the positive class and costs, as the engine reads them."""
    if scoring is not None and not isinstance(scoring, str):
        raise SettingError(
            f"scoring={scoring!r} is no name of a measure. Give one such as "
            '"log-loss" or "roc_auc".'
        )
    return {
        "measure": scoring,
        "positive": None if positive is None else label(positive),
        "costs": None if costs is None else cost_table(costs, labels),
    }


def cost_table(costs: Any, labels: Sequence[str]) -> dict[str, Any]:
    """Costs by label: those of a frame, or those of the classes in their order."""
    rows = columns = list(labels)
    if hasattr(costs, "index") and hasattr(costs, "columns"):
        rows, columns = [label(one) for one in costs.index], [label(one) for one in costs.columns]
    try:
        cells = np.asarray(costs, dtype=float)
    except (TypeError, ValueError) as error:
        raise SettingError(f"costs are no numbers: {error}.") from error
    if cells.shape != (len(rows), len(columns)):
        raise SettingError(
            f"costs have the shape {cells.shape}, expected {(len(labels), len(labels))}: a row for "
            "every true class and a column for every predicted one."
        )
    if not (np.isfinite(cells) & (cells >= 0)).all():
        raise SettingError("costs must be numbers from 0 on.")
    return {"predicted": columns, "rows": list(zip(rows, cells.tolist(), strict=True))}
