"""The method that chooses a method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bayesieve._engine import SettingError
from bayesieve._measures import Measured
from bayesieve._selector import Selector


@dataclass(kw_only=True, eq=False, repr=False)
class Auto(Selector, Measured):
    """Tries the fast methods and takes the smallest set that does about as well as the best.

    Who takes part is decided by the size of the data alone; the answer is the same on every
    machine. `candidates_` shows the others, `accuracy_` what to expect on new rows, corrected for
    having chosen.

    Parameters
    ----------
    model : {"nb", "tan"}, optional
        Only this classifier; both without.
    count : int, optional
        How many features to keep; without, as many as the rule takes.
    tolerance : float, optional
        How far from the best the measure may be, in its own units; without, one standard error of
        the paired difference.
    cv : splitter, list of splits, or array, optional
        Folds in place of drawn ones.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from bayesieve import Auto
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> auto = Auto().fit(X, y)
    >>> auto.kept_
    ['petal width (cm)', 'petal length (cm)']
    """

    _method: ClassVar[str] = "auto"
    _apart: ClassVar[tuple[str, ...]] = ("model", "count", "cv")

    model: str | None = None
    count: int | None = None
    tolerance: float | None = None
    cv: Any = None

    @classmethod
    def _own_parameters(cls, document: Mapping[str, Any], known: dict[str, Any]) -> dict[str, Any]:
        # The model of the document is the one that was chosen, not one that was asked for.
        known.pop("model", None)
        return super()._own_parameters(document, known)

    def _request(self, classes: npt.NDArray[np.int64]) -> dict[str, Any]:
        if isinstance(self.cv, Integral):
            raise SettingError(
                f"cv={self.cv!r} are no folds. Give a splitter such as StratifiedKFold(5), or its "
                "splits."
            )
        return super()._request(classes)

    @property
    def candidates_(self) -> Any:
        """Who was compared: a frame."""
        from bayesieve._frames import frame

        records = self.document_["auto"]["candidates"]
        columns = (
            *("pipeline", "value", "accuracy", "standard_error", "log_loss"),
            *("kept", "mean_kept", "agreement"),
        )
        return frame(records, columns)

    @property
    def accuracy_(self) -> float | None:
        """The accuracy to expect on new rows, corrected for having chosen."""
        corrected = self.document_["auto"]["corrected"]
        return None if corrected is None else float(corrected["accuracy"])

    @property
    def chosen_(self) -> str:
        """The method and the model that were taken."""
        return str(self.document_["auto"]["chosen"])
