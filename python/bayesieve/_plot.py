"""Drawings with matplotlib, where that is installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: Colors that print and color-blind readers tell apart.
KEPT, DROPPED = "#1b6ca8", "#c9ccd1"


def draw_selection(document: Mapping[str, Any], ax: Any, top: int) -> Any:
    """Bars of what features tell about the class, the most telling on top."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("plot() needs matplotlib: pip install matplotlib") from error
    told = [
        (one.get("information_bits") or 0.0, one["feature"], is_kept)
        for part, is_kept in [("kept_features", True), ("dropped", False)]
        for one in document[part]
    ]
    # Kept features first, then the dropped ones that tell most.
    told.sort(key=lambda one: (not one[2], -one[0]))
    shown = sorted(told[:top], key=lambda one: one[0])
    if ax is None:
        _, ax = plt.subplots(figsize=(7, 1 + 0.3 * len(shown)), layout="constrained")
    bars = ax.barh(
        range(len(shown)),
        [bits for bits, *_ in shown],
        color=[KEPT if is_kept else DROPPED for *_, is_kept in shown],
    )
    for bar, (*_, is_kept) in zip(bars, shown, strict=True):
        bar.set_label("_nolegend_")
        bar.set_hatch("" if is_kept else "//")
        bar.set_edgecolor("white" if is_kept else "#8a9099")
    ax.set_yticks(range(len(shown)), [name for _, name, _ in shown])
    ax.set_xlabel(f"bits about {document['data']['class']}")
    n_kept = len(document["kept"])
    ax.set_title(f"{document['method']} keeps {n_kept} of {document['data']['features']} features")
    for color, hatch, what in [(KEPT, "", "kept"), (DROPPED, "//", "dropped")]:
        ax.barh([0], [0], color=color, hatch=hatch, label=what)
    ax.legend(loc="lower right", frameon=False)
    return ax
