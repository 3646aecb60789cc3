"""A scene as an SVG file, or as PNG, for any game.

The file is self-contained (no script, no style sheet, no fonts), describes its content in words,
and is identical byte for byte for the same scene. Colour is never the only difference: players
differ in brightness and in the figures of their pieces, marks differ in form.
"""

import re
from collections import Counter
from importlib.util import find_spec
from typing import Final

from trine.core.scene.scene import Say, Scene
from trine.core.text.language import Language
from trine.play.draw.board_theme import WOOD, BoardTheme
from trine.play.draw.drawing import Drawing

_PAINTED: Final = re.compile(r'\b(fill|stroke)="(#[0-9a-f]{6})"')


def draw_svg(
    scene: Scene,
    *,
    width: int = 480,
    theme: BoardTheme = WOOD,
    language: Language | None = None,
    legend: bool = False,
    prefix: str = "trine",
    night: BoardTheme | None = None,
) -> str:
    """Draw a scene as a standalone SVG file.

    ``legend`` explains the roles below the picture; the status of the scene is always shown there.
    ``prefix`` begins all ids, for pages with several pictures. In dark mode the file shows the
    paints of ``night``; such a file must not be inlined in a page, which its styles would change.

    Units: ``width`` is in pixels; the height follows from the scene.
    Guarantee: well-formed XML whatever the texts hold; the same scene gives the same bytes.

    >>> from trine.core.scene.scene import Board
    >>> from trine.core.text.sentence import verbatim
    >>> empty = Scene(verbatim("<b>"), verbatim("nothing"), board=Board((2, 1), ()))
    >>> print(draw_svg(empty, width=200))
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100" \
role="img" aria-labelledby="trine-title trine-desc">
    <title id="trine-title">&lt;b&gt;</title>
    <desc id="trine-desc">nothing</desc>
    </svg>
    <BLANKLINE>
    """
    say: Say = language.say if language else str
    drawn = Drawing(scene, theme, say, prefix).file(width, legend)
    if not night:
        return drawn
    return _with_night(drawn, Drawing(scene, night, say, prefix).file(width, legend))


def _with_night(by_day: str, by_night: str) -> str:
    """Add the dark paints to a drawing: for a light paint with several, the most frequent one."""
    pairs = Counter(zip(_PAINTED.findall(by_day), _PAINTED.findall(by_night), strict=True))
    rules: dict[tuple[str, str], str] = {}
    for (before, (_, after)), _ in pairs.most_common():
        rules.setdefault(before, after)
    overrides = "".join(
        f'[{what}="{before}"]{{{what}:{after}}}'
        for (what, before), after in rules.items()
        if before != after
    )
    style = f"<style>@media (prefers-color-scheme:dark){{{overrides}}}</style>"
    return by_day.replace("</desc>\n", f"</desc>\n{style}\n", 1)


PICTURE_WIDTH: Final = 600  # pixels; the widest picture that messengers show for a link


def can_draw() -> bool:
    """Return whether the library for PNG, in the extra ``pictures``, is installed."""
    return find_spec("resvg_py") is not None


def png_of(svg: str, width: int = PICTURE_WIDTH) -> bytes:
    """Return a picture of `draw_svg` as PNG; it takes a tenth of a second of processor time.

    Limits: coordinates are missing if the machine has no fonts.
    """
    from resvg_py import svg_to_bytes  # an optional dependency

    return bytes(svg_to_bytes(svg_string=svg, width=width))
