"""Conditional turns: what a player answers to turns of the others that are expected.

They are a tree from the position as it stands: turns of all players after each other, where the
player whose tree it is has one answer at most to each. A turn of another matches a branch when it
leads to the same position, in whichever order its actions came.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from trine.core.checked import CheckedLine
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.text import text
from trine.core.wording import written_actions
from trine.house.drafts import read_draft

DEEPEST: Final = 12
"""Turns of a line by correspondence."""
MOST: Final = 120
"""Turns of a whole tree."""

Line = Sequence[Sequence[str]]
"""Turns after each other, each as the ids of its actions."""


@dataclass(frozen=True)
class Branch:
    """A turn, and what may follow it."""

    ids: tuple[str, ...]
    """Its actions."""
    tag: str
    words: str
    """The turn as records write it."""
    mine: bool
    """Whether it is an answer of the player whose tree it is."""
    then: tuple[Branch, ...] = ()

    def __len__(self) -> int:
        return 1 + sum(map(len, self.then))

    def as_data(self) -> list[Any]:
        """The branch as JSON has it."""
        then = [one.as_data() for one in self.then]
        return [list(self.ids), self.tag, self.words, self.mine, then]

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> Self:
        """A branch as `as_data` gives it."""
        ids, tag, words, mine, then = data
        return cls(tuple(ids), tag, words, mine, tuple(cls.from_data(one) for one in then))

    def lines(self) -> list[list[Branch]]:
        """The lines of the branch, from its turn to each end."""
        if not self.then:
            return [[self]]
        return [[self, *line] for one in self.then for line in one.lines()]


@dataclass(frozen=True)
class Conditions:
    """The conditional turns of one player."""

    turns: int
    """The number of turns that have been played where the tree begins."""
    branches: tuple[Branch, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.branches)

    def lines(self) -> list[list[Branch]]:
        """All lines of the tree."""
        return [line for one in self.branches for line in one.lines()]

    def with_line(self, play: Play, seat: int, line: Line) -> Conditions:
        """The tree with one more line, which ends with an answer of its player.

        Raises:
            TrineError: a turn of it is not legal, or the line is none.
        """
        self._check_waits(play, seat)
        ahead, new = play.copy(), list[Branch]()
        if len(line) > DEEPEST:
            raise IllegalError(text("a line has at most {count} turns", count=DEEPEST))
        for ids in line:
            checked = whole_turn(ahead, ids)
            tag = ahead.room.tag(ahead.turn_start)
            words = written_actions(ahead.room, checked.start, checked.actions)
            new.append(Branch(tuple(ids), tag, words, ahead.mover == seat))
            ahead.follow(checked)
        if not new or not new[-1].mine:
            raise IllegalError(text("a line ends with an answer of your own"))
        grown = replace(self, branches=_grown(self.branches, play.copy(), new))
        if sum(map(len, grown.branches)) > MOST:
            raise IllegalError(text("there is room for {count} conditional turns", count=MOST))
        return grown

    def _check_waits(self, play: Play, seat: int) -> None:
        play.check_goes_on()
        if play.mover == seat:
            raise IllegalError(text("it is your turn; conditions are for turns of the others"))

    def without(self, line: Line) -> Conditions:
        """The tree without the last turn of a line, what follows it, and what led to it alone."""
        return replace(self, branches=_pruned(self.branches, [tuple(ids) for ids in line]))

    def followed(self, before: Play, after: Play) -> Conditions:
        """Return the rest of the tree after turns that were played; empty where it was left."""
        turns = after.turns[len(before.turns) :]
        goes_on = not after.outcome and after.turns[: len(before.turns)] == before.turns
        if not goes_on or self.turns != len(before.turns):
            return Conditions(len(after.turns))
        branches, ahead = self.branches, before.copy()
        for turn in turns:
            if turn.left:
                return Conditions(len(after.turns))
            found = (one for one in branches if _leads_to(ahead, one, turn.after))
            branches = next((one.then for one in found), ())
            if not branches:
                break
            ahead.follow(ahead.check(turn.actions))
        return Conditions(len(after.turns), branches)


def whole_turn(play: Play, ids: Sequence[str]) -> CheckedLine:
    """A whole turn by the ids of its actions.

    Raises:
        TrineError: it is not legal, or not complete.
    """
    line = read_draft(play, ids)
    if not (line.steps and line.steps[-1].closes):
        raise IllegalError(text("the turn is not complete"))
    return line


def play_ahead(play: Play, line: Line) -> Play:
    """A play with turns that have not been played.

    Raises:
        TrineError: one of them is not legal, or there are too many.
    """
    if len(line) > DEEPEST:
        raise IllegalError(text("a line has at most {count} turns", count=DEEPEST))
    ahead = play.copy()
    for ids in line:
        ahead.follow(whole_turn(ahead, ids))
    return ahead


def _grown(branches: tuple[Branch, ...], play: Play, line: Sequence[Branch]) -> tuple[Branch, ...]:
    if not line:
        return branches
    first, *rest = line
    checked = whole_turn(play, first.ids)
    same = next((one for one in branches if _leads_to(play, one, checked.end)), None)
    play.follow(checked)
    grown = replace(same or first, then=_grown(same.then if same else (), play, rest))
    if first.mine:  # one answer: another takes its place
        return (grown,)
    return (*(one for one in branches if one is not same), grown)


def _pruned(branches: tuple[Branch, ...], line: Sequence[tuple[str, ...]]) -> tuple[Branch, ...]:
    kept = []
    for one in branches:
        if not line or one.ids != line[0]:
            kept.append(one)
        elif len(line) > 1:
            then = _pruned(one.then, line[1:])
            if then or one.mine:
                kept.append(replace(one, then=then))
    return tuple(kept)


def _leads_to(play: Play, branch: Branch, position: Any) -> bool:
    return bool(read_draft(play, branch.ids).end == position)
