"""Selectors that find the Markov boundary of the class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bayesieve._selector import Selector
from bayesieve.selectors._choice import Choice, Sharing


@dataclass(kw_only=True, eq=False, repr=False)
class RPDMB(Selector):
    """Find the Markov boundary of the class by the score of fringed graphs (Acid et al., 2013).

    Parameters
    ----------
    criterion : {"bdeu", "bic", "k2"}
        The score that makes a graph good: the command's setting `score`, a name that
        scikit-learn has for something else.
    ess : float
        How many rows the prior of bdeu is worth.
    pruning : {"smart", "any", "all", "none"}
        When a link is not looked at again.
    tolerance : float
        By how many nats a move must make the score larger at least.
    children : {"auto", "total", "link"}
        What the deletion of a child is valued by.
    duplicates : {"auto", "drop", "keep"}
        Whether features that say the same as an earlier one in every row are left out first.
    max_cells : int
        Families whose table would have more cells are not looked at.
    """

    _method: ClassVar[str] = "rpdmb"
    _renamed: ClassVar[Mapping[str, str]] = {"criterion": "score"}

    criterion: str = "bdeu"
    ess: float = 1
    pruning: str = "smart"
    tolerance: float = 1e-9
    children: str = "auto"
    duplicates: str = "auto"
    max_cells: int = 16_777_216


@dataclass(kw_only=True, eq=False, repr=False)
class IAMB(Choice):
    """Find the Markov boundary of the class by tests: grow, then shrink.

    Parameters
    ----------
    interleaved : bool
        Shrink after every step (inter-IAMB).
    alpha : float
        The level of the tests: a feature counts as independent where p is above it.
    association : {"p", "mi"}
        Which feature comes in first: that of the smallest p, or that of the most information.
    power : bool
        Make a test only with five rows per cell of its table on average.
    freedom : {"nominal", "adjusted"}
        Degrees of freedom of every combination of values there could be, or of those that occur.
    duplicates : {"drop", "keep"}
        Whether features that say the same as an earlier one in every row are left out first.
    """

    _by: ClassVar[str] = "interleaved"
    _methods: ClassVar[Mapping[Any, str]] = {False: "iamb", True: "inter-iamb"}

    interleaved: bool = False
    alpha: float = 0.05
    association: str = "p"
    power: bool = True
    freedom: str = "nominal"
    duplicates: str = "drop"


@dataclass(kw_only=True, eq=False, repr=False)
class _ByNeighbors(Sharing):
    """Boundaries by tests of parents and children.

    Parameters
    ----------
    alpha : float
        The level of the tests.
    kmax : int
        The most features held fixed in a test.
    power : bool
        Make a test only with five rows per cell of its table on average.
    freedom : {"nominal", "adjusted"}
        Degrees of freedom of every combination of values there could be, or of those that occur.
    duplicates : {"drop", "keep"}
        Whether features that say the same as an earlier one in every row are left out first.
    """

    alpha: float = 0.05
    kmax: int = 3
    power: bool = True
    freedom: str = "nominal"
    duplicates: str = "drop"


@dataclass(kw_only=True, eq=False, repr=False)
class HITONMB(_ByNeighbors):
    """Find the Markov boundary of the class by HITON: parents and children first, then spouses."""

    _method: ClassVar[str] = "hiton-mb"


@dataclass(kw_only=True, eq=False, repr=False)
class MMMB(_ByNeighbors):
    """Find the Markov boundary of the class by max-min tests of parents and children."""

    _method: ClassVar[str] = "mmmb"
