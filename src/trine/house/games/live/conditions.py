"""Conditional turns: a player's prepared answers to expected turns of the others.

They form a tree from the current position: successive turns of all players, with at most one answer
of the tree's owner to each. An opponent's turn matches a branch if it leads to the same position,
whatever the order of its actions. A branch without actions matches any turn that matches no other
branch; the answer after it is played if it is legal then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from trine.core.contract.position import Turn
from trine.core.errors import IllegalError, TrineError
from trine.core.play import Play, written_actions
from trine.house.games.live.drafts import read_draft, whole_turn
from trine.play.session.state import State

DEEPEST: Final = 12
"""The maximum number of turns in a line of a correspondence game."""
MAX_TURNS: Final = 120
"""The maximum number of turns in a tree."""

MAX_AHEAD: Final = 1
"""The maximum number of answers in a line of a game on a clock."""

Line = Sequence[Sequence[str]]
"""Successive turns, each as the ids of its actions."""


@dataclass(frozen=True)
class Branch:
    """A node of the tree: a turn, and the turns that may follow it."""

    ids: tuple[str, ...]
    """The ids of the turn's actions; empty for any turn."""
    tag: str
    words: str
    mine: bool
    """Whether the turn is an answer of the tree's owner."""
    then: tuple[Branch, ...] = ()

    def __len__(self) -> int:
        return 1 + sum(map(len, self.then))

    def as_data(self) -> list[Any]:
        then = [one.as_data() for one in self.then]
        return [list(self.ids), self.tag, self.words, self.mine, then]

    @classmethod
    def from_data(cls, data: Sequence[Any]) -> Self:
        ids, tag, words, mine, then = data
        return cls(tuple(ids), tag, words, mine, tuple(cls.from_data(one) for one in then))

    def lines(self) -> list[list[Branch]]:
        """Return all lines of the branch, from its turn to each end."""
        if not self.then:
            return [[self]]
        return [[self, *line] for one in self.then for line in one.lines()]


@dataclass(frozen=True)
class Conditions:
    """The conditional turns of one player."""

    turns: int
    """The number of turns played before the tree begins."""
    branches: tuple[Branch, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.branches)

    def lines(self) -> list[list[Branch]]:
        return [line for one in self.branches for line in one.lines()]

    def with_line(self, play: Play, seat: int, line: Line) -> Conditions:
        """Return the tree with another line, which must be legal and end with an answer."""
        play.check_goes_on()
        if play.mover == seat:
            raise IllegalError("it is your turn; conditions are for turns of the others")
        ahead, new = play.copy(), list[Branch]()
        if len(line) > DEEPEST:
            raise IllegalError("a line has at most {count} turns", count=DEEPEST)
        for ids in line:
            mine = ahead.mover == seat
            if mine and not ids:
                raise IllegalError("the turn is not complete")
            _follow(ahead, ids)
            turn = ahead.turns[-1]
            words = written_actions(ahead.room, turn.before, turn.actions) or "…"
            new.append(Branch(tuple(ids), ahead.room.tag(turn.before), words, mine))
        if not new or not new[-1].mine:
            raise IllegalError("a line ends with an answer of your own")
        grown = replace(self, branches=_grown(self.branches, play.copy(), new))
        if sum(map(len, grown.branches)) > MAX_TURNS:
            raise IllegalError("there is room for {count} conditional turns", count=MAX_TURNS)
        return grown

    def without(self, line: Line) -> Conditions:
        """Return the tree without a line's last turn, what follows it, and what only led to it."""
        return replace(self, branches=_pruned(self.branches, [tuple(ids) for ids in line]))

    def followed(self, before: Play, after: Play) -> Conditions:
        """Return the part of the tree after the played turns; empty if they are not in the tree."""
        turns = after.turns[len(before.turns) :]
        goes_on = not after.outcome and after.turns[: len(before.turns)] == before.turns
        if not goes_on or self.turns != len(before.turns):
            return Conditions(len(after.turns))
        branches, ahead = self.branches, before.copy()
        for turn in turns:
            if turn.left:
                return Conditions(len(after.turns))
            found = [one for one in branches if _leads_to(ahead, one, turn.after)]
            found += [one for one in branches if not one.ids]
            branches = found[0].then if found else ()
            if not branches:
                break
            ahead.follow(ahead.check(turn.actions))
        return Conditions(len(after.turns), branches)


def followed(
    conditions: Mapping[int, Conditions], before: State, after: State
) -> Mapping[int, Conditions]:
    """Return the conditional turns by seat that remain after a change."""
    left = {seat: one for seat, one in conditions.items() if seat in after.staying}
    if after.play is not before.play:
        left = {seat: one.followed(before.play, after.play) for seat, one in left.items()}
    return {seat: one for seat, one in left.items() if one}


def prepared_answer(conditions: Mapping[int, Conditions], state: State) -> tuple[str, ...]:
    """Return the prepared answer of the player to move, as action ids; empty if there is none.

    An answer to any turn may be illegal now; then the result is empty, too.
    """
    known = conditions.get(state.play.mover)
    if not known or known.turns != len(state.play.turns):
        return ()
    ids = next((one.ids for one in known.branches if one.mine), ())
    with suppress(TrineError):
        return tuple(map(str, whole_turn(state.play, ids))) if ids else ()
    return ()


def check_short(conditions: Conditions) -> None:
    """Check that each line prepares only one reply, the limit in a game on a clock."""
    if any(sum(one.mine for one in line) > MAX_AHEAD for line in conditions.lines()):
        raise IllegalError("in a game on a clock you can prepare only one reply")


def play_ahead(play: Play, line: Line) -> Play:
    """Return the play after ``line``, future turns that must be legal."""
    if len(line) > DEEPEST:
        raise IllegalError("a line has at most {count} turns", count=DEEPEST)
    ahead = play.copy()
    for ids in line:
        _follow(ahead, ids)
    return ahead


def _follow(ahead: Play, ids: Sequence[str]) -> None:
    """Play a whole turn; if there are no ids (any turn), pass."""
    before, passed = ahead.position, ahead.room.rules.passed
    if ids:
        ahead.follow(whole_turn(ahead, ids))
        return
    ahead.check_goes_on()
    if before.in_setup or not passed:
        raise IllegalError("while the board is set up, no turn can be prepared")
    ahead.position = passed(before)
    ahead.turns.append(Turn(before, (), ahead.position))


def _grown(branches: tuple[Branch, ...], play: Play, line: Sequence[Branch]) -> tuple[Branch, ...]:
    if not line:
        return branches
    first, *rest = line
    ahead = play.copy()
    _follow(ahead, first.ids)
    alike = (one for one in branches if _leads_to(play, one, ahead.position))
    same = next((one for one in branches if one.ids == first.ids), None) or next(alike, None)
    grown = replace(same or first, then=_grown(same.then if same else (), ahead, rest))
    if first.mine:  # one answer: the new one replaces it
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
    with suppress(TrineError):  # a line after "any turn" may be illegal now
        return bool(branch.ids) and bool(read_draft(play, branch.ids).end == position)
    return False
