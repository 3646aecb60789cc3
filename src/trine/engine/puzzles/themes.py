"""The themes of puzzles: the ideas of their game, and what is at stake in any game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract import Room
from trine.core.text.sentence import Text, ctext, text
from trine.engine.puzzles.judgement import Judgement

AT_ONCE: Final = "at-once"
FORCED: Final = "forced"
HOLD: Final = "hold"
BETTER: Final = "better"
HOLDS: Final = 0.6
"""Units: chance; up to here the best turn saves more than it wins. Guess."""

STAKES: Final[Mapping[str, Text]] = {
    AT_ONCE: ctext("theme", "win at once"),
    FORCED: ctext("theme", "sure win"),
    BETTER: ctext("theme", "advantage"),
    HOLD: ctext("theme", "defence"),
}
"""The stake of a puzzle, in a word or two."""
TASKS: Final[Mapping[str, Text]] = {
    AT_ONCE: text("{player} can win with this very turn. How?"),
    FORCED: text("{player} has a turn that surely wins. Which?"),
    BETTER: text("{player} has one idea that is far better than all others. Which?"),
    HOLD: text("{player} is in danger. What holds?"),
}


def stake_of(judgement: Judgement) -> str:
    if judgement.at_once:
        return AT_ONCE
    if judgement.best.chance == 1:
        return FORCED
    return HOLD if judgement.best.chance <= HOLDS else BETTER


def themes_of(room: Room, judgement: Judgement) -> list[str]:
    if judgement.idea:
        return [stake_of(judgement), judgement.idea.theme]
    before, actions = judgement.before, judgement.best.actions
    used = [name for name, theme in room.book.themes.items() if theme.used(before, actions)]
    return [stake_of(judgement), *used]


def theme_title(room: Room, name: str) -> Text:
    """Return a theme in a word or two."""
    return STAKES[name] if name in STAKES else room.book.themes[name].title
