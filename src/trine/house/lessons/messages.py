"""The requests of a page for trying actions (lessons, puzzles, clauses), and the responses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from trine.core.contract.choices import Choosable
from trine.core.scene.scene import View
from trine.core.text.sentence import Text
from trine.house.games.view.messages import Id, Line

MAX_ACTIONS: Final = 24
"""The maximum number of actions in one trial: more than any lesson needs, and enough to try a
clause."""


class Trial(msgspec.Struct, forbid_unknown_fields=True):
    """Actions to try in a lesson, puzzle or clause, as a page sends them."""

    a: Annotated[list[Id], Meta(max_length=MAX_ACTIONS)] = []
    """All actions so far."""
    submit: bool = True
    """Whether a turn ended by the last action is submitted; if not, it can still be changed."""
    picks: Annotated[list[Id], Meta(max_length=8)] = []
    """Refused picks after the actions; if given, the response is `Why`."""
    spot: str = ""
    """The spot where a gesture begins; if given, the response is `Gestures`."""
    helped: bool = False
    """Whether the visitor has asked for a hint or the solution."""
    line: Line = ""
    """A line of an example, in place of the actions."""


class Why(msgspec.Struct):
    """The reason for a refusal."""

    why: Text


class Gestures(msgspec.Struct):
    """The actions that a gesture can make in the open turn."""

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
    """The board before the opponents' replies; ``view`` is the board after them."""
    rated: Text | None = None
    """The change of the person's rating by this attempt at a puzzle, if it is rated."""


class Solution(msgspec.Struct):
    """The solution of a puzzle and the expected continuation."""

    views: Sequence[View]
    """The board at the beginning and after each turn."""
    told: Text


class ExampleState(msgspec.Struct):
    """The referee's answer to actions that a page tries in an example."""

    view: View
    choices: Sequence[Choosable]
    handles: Sequence[str]
    a: list[str]
    legal: bool
    told: Text
    mover: Text
    """The player to move; empty if the play is over."""
