"""The lines of Python in the guides, for tests that run them."""

from __future__ import annotations

import re

from command import ROOT


def blocks(guide: str, below: str = "") -> list[str]:
    """The blocks of Python in a guide; with a heading, those below it alone, up to the next."""
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    if below:
        _, _, text = text.partition(f"\n{below}\n")
        level = below.split(" ")[0]
        text = re.split(rf"^#{{1,{len(level)}}} ", text, maxsplit=1, flags=re.MULTILINE)[0]
    found: list[str] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert found, (guide, below)
    return found
