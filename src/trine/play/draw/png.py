"""Pictures as PNG, for programs that show no SVG: what messengers put beside a link."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

WIDE: Final = 600
"""Units: pixels; messengers show pictures of links no wider."""


def can_draw() -> bool:
    """Return whether the library that draws is installed; it is the extra ``pictures``."""
    return find_spec("resvg_py") is not None


def png_of(svg: str, width: int = WIDE) -> bytes:
    """Return a picture of `draw_svg` as PNG.

    Limits: coordinates are missing where the machine has no fonts. It takes a tenth of a second of
    processor time.
    """
    from resvg_py import svg_to_bytes  # loaded when a picture is asked for

    return bytes(svg_to_bytes(svg_string=svg, width=width))
