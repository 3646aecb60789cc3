"""Judgements: whether one turn, or a few equal ones, is far better than all others; themes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from trine.core.contract import Room
from trine.core.contract.position import Action, Position
from trine.core.text.sentence import Text, ctext, text

SOLUTION_MARGIN: Final = 0.07
"""Units: chance; turns within this margin of the best one are solutions, too. Guess: people should
agree with it."""
JUDGE_NODES: Final = 20_000
"""Units: nodes; the search for each compared turn."""


@dataclass(frozen=True)
class JudgedTurn:
    """A turn with the win chance of its player and the expected line."""

    actions: tuple[Action, ...]
    after: Position
    chance: float
    line: tuple[tuple[Action, ...], ...]
    """The best turns of all players, beginning with this one."""


@dataclass(frozen=True)
class Idea:
    """A theme that a turn realizes, and all turns that realize it."""

    theme: str
    share: float
    """The share of the different turns that realize the theme."""
    keys: frozenset[int]
    """The keys of the positions after the turns that realize the theme."""


@dataclass(frozen=True)
class Judgement:
    """The solutions of a position, and the best other turn."""

    before: Position
    solutions: tuple[JudgedTurn, ...]
    """Of the turns that win at once only one is listed: the referee recognizes the others."""
    other: JudgedTurn | None
    """None after an immediate win, since no other turn is compared."""
    idea: Idea | None = None
    """The idea that solves the position, if every turn with it counts; the best one is shown."""

    @property
    def best(self) -> JudgedTurn:
        return self.solutions[0]

    @property
    def at_once(self) -> bool:
        return wins_at_once(self.best)


def wins_at_once(turn: JudgedTurn) -> bool:
    """Return whether a turn ends the play with a win."""
    return turn.after.outcome() is not None and turn.chance == 1


IMMEDIATE_WIN: Final = "at-once"
FORCED: Final = "forced"
HOLD: Final = "hold"
BETTER: Final = "better"
MAX_HOLD_CHANCE: Final = 0.6
"""Units: chance; up to this chance the best turn is a defence. Guess."""

STAKES: Final[Mapping[str, Text]] = {
    IMMEDIATE_WIN: ctext("theme", "win at once"),
    FORCED: ctext("theme", "sure win"),
    BETTER: ctext("theme", "advantage"),
    HOLD: ctext("theme", "defence"),
}
"""The stakes of puzzles, in a word or two."""
TASKS: Final[Mapping[str, Text]] = {
    IMMEDIATE_WIN: text("{player} can win with this very turn. How?"),
    FORCED: text("{player} has a turn that surely wins. Which?"),
    BETTER: text("{player} has one idea that is far better than all others. Which?"),
    HOLD: text("{player} is in danger. What holds?"),
}


def stake_of(judgement: Judgement) -> str:
    if judgement.at_once:
        return IMMEDIATE_WIN
    if judgement.best.chance == 1:
        return FORCED
    return HOLD if judgement.best.chance <= MAX_HOLD_CHANCE else BETTER


def theme_title(room: Room, name: str) -> Text:
    return STAKES[name] if name in STAKES else room.handbook.themes[name].title
