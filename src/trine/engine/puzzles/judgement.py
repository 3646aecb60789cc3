"""A judgement: whether one turn, or a few as good, is far better than all others; its themes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from trine.core.contract import Room
from trine.core.contract.position import Action, Position
from trine.core.text.sentence import Text, ctext, text

AS_GOOD: Final = 0.07
"""Units: chance; turns within so much of the best one are solutions too. Guess, made so that people
would agree with it."""
JUDGED: Final = 20_000
"""Units: nodes for each turn that is compared; the effort of a judge."""


@dataclass(frozen=True)
class JudgedTurn:
    """A turn with the chance of its player and the line that follows."""

    actions: tuple[Action, ...]
    after: Position
    chance: float
    line: tuple[tuple[Action, ...], ...]
    """The turns thought best for all players from here, this one first."""


@dataclass(frozen=True)
class Idea:
    """An achievement of a turn, and all turns that achieve as much."""

    theme: str
    share: float
    """Of all different turns from the position."""
    keys: frozenset[int]
    """Those of the positions after the turns that share it."""


@dataclass(frozen=True)
class Judgement:
    """The turns that solve a position, and the best of the others."""

    before: Position
    solutions: tuple[JudgedTurn, ...]
    """Where a turn wins at once, it alone: the referee knows which others do."""
    other: JudgedTurn | None
    """None where a turn wins at once, and no other was compared."""
    idea: Idea | None = None
    """The idea that solves it, if not these very turns: the one shown is the best of its turns."""

    @property
    def best(self) -> JudgedTurn:
        return self.solutions[0]

    @property
    def at_once(self) -> bool:
        return wins_at_once(self.best)


def wins_at_once(turn: JudgedTurn) -> bool:
    """Return whether a turn ends the play as its player wishes."""
    return turn.after.outcome() is not None and turn.chance == 1


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


def theme_title(room: Room, name: str) -> Text:
    return STAKES[name] if name in STAKES else room.book.themes[name].title
