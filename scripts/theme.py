"""The themes as a module of JavaScript, for the board in a browser: ``static/board/theme.js``.

``scripts/theme`` runs this, and a test holds that it is what the themes say.
"""

import json
import sys
from pathlib import Path
from typing import Any

from trine.play.draw.board_theme import THEMES, BoardTheme


def theme_module() -> str:
    """The text of the module: each theme by day, and the paints that differ by night."""
    themes = {name: _both(day, night) for name, (day, night) in THEMES.items()}
    written = json.dumps(themes, separators=(",", ":"), ensure_ascii=False)
    return (
        "// Written by scripts/theme from trine/play/draw/board_theme.py; edit it there.\n"
        "/** @type {Record<string, House.BoardTheme>} */\n"
        f"export const THEMES = {written};\n"
    )


def _both(day: BoardTheme, night: BoardTheme) -> dict[str, Any]:
    paints, darker = day.as_data()["paints"], night.as_data()["paints"]
    return day.as_data() | {
        "night": {role: paint for role, paint in darker.items() if paint != paints.get(role)}
    }


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(theme_module(), encoding="utf-8")
