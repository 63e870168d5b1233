"""One case: commands that run one after the other in a folder of their own."""

import shlex
from dataclasses import dataclass


@dataclass
class Case:
    """Commands, as the arguments behind `bayesieve`; `data/` holds the tables of `tables.py`."""

    name: str
    steps: list[list[str]]
    stdin: str = ""


def case(name: str, *commands: str, stdin: str = "") -> Case:
    """A case of commands as somebody would type them."""
    return Case(name, [shlex.split(command) for command in commands], stdin)
