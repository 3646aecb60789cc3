"""The questions of a page on which something is tried, and the answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from trine.core.contract.choices import Choosable
from trine.core.scene.scene import View
from trine.core.text.sentence import Text
from trine.house.games.messages import Id, Line

MOST: Final = 24
"""Actions of one trial: more than any lesson needs, and enough to see what a clause says."""


class Trial(msgspec.Struct, forbid_unknown_fields=True):
    """A trial, as a page tells of it."""

    a: Annotated[list[Id], Meta(max_length=MOST)] = []
    """All actions so far."""
    submit: bool = True
    """Whether the turn is over if the last action ends it; it can still be changed if not."""
    picks: Annotated[list[Id], Meta(max_length=8)] = []
    """The picks behind them that were refused; the question is why."""
    spot: str = ""
    """The spot on which a gesture begins; the question is what it can make."""
    helped: bool = False
    """Whether a hint or the solution was asked for before."""
    line: Line = ""
    """One of the lines that an example shows, in place of the actions."""


class Why(msgspec.Struct):
    """The reason for a refusal."""

    why: Text


class Gestures(msgspec.Struct):
    """What a gesture can make of the open turn."""

    choices: Sequence[Choosable]


class LessonState(msgspec.Struct):
    """The state of an attempt at a lesson."""

    view: View
    choices: Sequence[Choosable]
    handles: Sequence[str]
    a: list[str]
    open: int
    """The number of actions of the turn that is open, or closed and not yet submitted."""
    closed: bool
    state: str
    told: Text
    coach: Text
    """A sentence on the next action of an open turn."""
    first: View | None
    """The position before the answers, which come after it."""
    rated: Text | None = None
    """The change of the person's rating by the try at a puzzle, if it counts."""


class Solution(msgspec.Struct):
    """The solution of a puzzle and what is expected to follow."""

    views: Sequence[View]
    """The board at the beginning and after each turn."""
    told: Text


class ExampleState(msgspec.Struct):
    """The answer of the referee to a trial in the position of an example."""

    view: View
    choices: Sequence[Choosable]
    handles: Sequence[str]
    a: list[str]
    legal: bool
    told: Text
    mover: Text
    """The player to move; empty where the play is over."""
