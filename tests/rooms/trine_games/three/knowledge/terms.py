"""The evaluation in words."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import numpy as np

from trine.core.doors import Aspect, Term
from trine.core.text import text

_LINES: Final = ("open_lines", text("lines that can still be filled"))


def _weight() -> float:
    """The weight of the one term."""
    lines = files(__package__).joinpath("weights.txt").read_text(encoding="utf-8").splitlines()
    ((name, weight),) = [line.split("\t") for line in lines if not line.startswith("#")]
    assert name == _LINES[0]
    return float(weight)


TERMS: Final = (
    Term(*(_LINES[0], _weight(), _LINES[1]), aspect=Aspect("lines", text("the lines"))),
)
WEIGHTS: Final = np.array([term.weight for term in TERMS], np.float32)
