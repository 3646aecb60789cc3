"""Markup of SVG: elements, texts, numbers and outlines, each in as few bytes as can be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final
from xml.sax.saxutils import escape

from trine.core.scene.scene import Point

UNIT: Final = 100
"""The units of the view box for one unit of a scene: figures come in hundredths."""


def element(name: str, attributes: Mapping[str, str], *content: str) -> str:
    """Return an element, given its content as markup."""
    head = "".join(f' {key}="{escaped(value)}"' for key, value in attributes.items())
    inner = "".join(content)
    return f"<{name}{head}>{inner}</{name}>" if inner else f"<{name}{head}/>"


_UNSPEAKABLE: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold, not even escaped."""


def escaped(said: str) -> str:
    """Return words as they may stand in an element or an attribute."""
    return escape(_UNSPEAKABLE.sub("\ufffd", said), {'"': "&quot;"})


def number(value: float) -> str:
    """Return a number of two decimals at the most."""
    return f"{round(value, 2) + 0.0:g}"


def units(length: float) -> str:
    """Return a length of a scene in units of the view box."""
    return number(length * UNIT)


def polygon(points: Iterable[Point]) -> str:
    """Return the path of a closed outline."""
    return "M" + "L".join(f"{units(x)} {units(y)}" for x, y in points) + "Z"
