"""Small pages for notebooks: no script, nothing to fetch."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

#: Features of each kind that are shown.
SHOWN = 10


def selection_html(call: str, document: Mapping[str, Any]) -> str:
    """What is kept, and why the others are out."""
    data = document["data"]
    kept = [
        _row(one["feature"], _bits(one.get("information_bits")), "")
        for one in document["kept_features"][:SHOWN]
    ]
    # What tells most is asked about first.
    telling = sorted(document["dropped"], key=lambda one: -(one.get("information_bits") or 0.0))
    dropped = [
        _row(one["feature"], _bits(one.get("information_bits")), one["text"])
        for one in telling[:SHOWN]
    ]
    title = f"keeps {len(document['kept'])} of {data['features']} features to predict "
    parts = [
        f"<p><code>{html.escape(call)}</code> {html.escape(title)}"
        f"<b>{html.escape(data['class'])}</b>.</p>",
        _table("kept", ("feature", "bits alone", ""), kept, len(document["kept_features"])),
        _table("dropped", ("feature", "bits alone", "why"), dropped, len(document["dropped"])),
    ]
    return f'<div style="font-size:90%">{"".join(parts)}</div>'


def _bits(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _row(*cells: str) -> str:
    left = '<td style="text-align:left">'
    return "<tr>" + "".join(f"{left}{html.escape(cell)}</td>" for cell in cells) + "</tr>"


def _table(title: str, head: tuple[str, ...], rows: list[str], n_all: int) -> str:
    if not rows:
        return ""
    names = "".join(f'<th style="text-align:left">{html.escape(name)}</th>' for name in head)
    more = f"<p>and {n_all - len(rows)} more</p>" if n_all > len(rows) else ""
    return (
        f"<details open><summary>{n_all} {title}</summary>"
        f"<table><thead><tr>{names}</tr></thead><tbody>{''.join(rows)}</tbody></table>{more}"
        "</details>"
    )
