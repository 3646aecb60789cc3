"""Turns that are not played yet: drafts of the open turn, and conditional turns.

Conditional turns form a tree from the current position: successive turns of all players, with at
most one answer of the tree's owner to each. An opponent's turn matches a branch if it leads to the
same position, whatever the order of its actions. A branch without actions matches any turn that
matches no other branch; the answer after it is played if it is legal then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.choices import Choosable, choices
from trine.core.contract.position import Turn
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, quoted, split_words, text
from trine.play.session.state import State

MAX_ACTIONS = 64
_UNFINISHED: Final = text("nothing forbids it; it is only not complete")


def read_draft(play: Play, ids: Sequence[str], line: str = "") -> CheckedLine:
    """Read a draft of the open turn: action ids, then typed actions; all must be legal."""
    if len(ids) > MAX_ACTIONS:
        raise MalformedError("a turn has at most {count} actions", count=MAX_ACTIONS)
    play.check_goes_on()
    checker = Checker(play.position, play.history)
    for given in ids:
        _check_open(checker)
        _play_id(play, checker, given)
    if line:
        _check_open(checker)
        for action in _ahead(play, checker).interpret(line):
            _check_open(checker)
            checker.play(action)
    return checker.line()


def whole_turn(play: Play, ids: Sequence[str]) -> CheckedLine:
    """Return a whole turn, given the ids of its actions; it must be legal and complete."""
    line = read_draft(play, ids)
    if not (line.steps and line.steps[-1].closes):
        raise IllegalError("the turn is not complete")
    return line


def play_draft(play: Play, ids: Sequence[str]) -> None:
    for given in ids:
        play.act_unchecked(next(one for one in play.legal_actions() if str(one) == given))


def gestures(play: Play, ids: Sequence[str], spot: str) -> Sequence[Choosable]:
    """Return what a gesture from a spot can add to the open turn after a legal draft."""
    line = read_draft(play, ids)
    if line.steps and line.steps[-1].closes:
        return ()
    found: Sequence[Choosable] = play.room.view.gestures(line.end, line.actions, spot, play.history)
    return found


def why_not(play: Play, ids: Sequence[str], picks: Sequence[str]) -> Text:
    """Return why a pick cannot be made after a legal draft, or that nothing forbids it."""
    checker = Checker(play.position, play.history)
    for given in ids:
        _check_open(checker)
        _play_id(play, checker, given)
    _check_open(checker)
    position, view = checker.position, play.room.view
    if not picks:
        return _UNFINISHED
    if refusal := view.refusal(position, picks, play.history):
        return refusal
    legal = choices(play.room, position, position.legal_actions(play.history))
    drawn = view.gestures(position, checker.line().actions, picks[0], play.history)
    if any(way.path[: len(picks)] == tuple(picks) for way in (*legal, *drawn)):
        return _UNFINISHED
    try:
        _play_id(play, checker, "".join(picks))
    except TrineError as error:
        if isinstance(reason := error.text.values.get("reason"), Text):
            return reason
    return text("there is nothing to choose here now")


def _play_word(play: Play, checker: Checker, typed: str) -> bool:
    """Play a legal action whose id is also its notation; return whether it was one.

    For the most common input, this saves finding all legal actions.
    """
    if len(words := split_words(typed)) != 1:
        return False
    try:
        action, _ = play.room.rules.read_action(checker.position, words, play.history)
    except TrineError:
        return False
    if str(action) != typed or checker.why_not(action):
        return False
    checker.play_unchecked(action)
    return True


def _ahead(play: Play, checker: Checker) -> Play:
    ahead = play.copy()
    ahead.follow(checker.line())
    return ahead


def _check_open(checker: Checker) -> None:
    if checker.closed:
        raise IllegalError("the turn is over; it can only be submitted or changed")


def _play_id(play: Play, checker: Checker, action_id: str) -> None:
    if _play_word(play, checker, action_id):
        return
    for action in checker.position.legal_actions(play.history):
        if str(action) == action_id:
            checker.play_unchecked(action)
            return
    if play.room.rules.end is not None and action_id == str(play.room.rules.end):
        checker.play(play.room.rules.end, action_id)
    words = split_words(action_id)
    if len(words) != 1:
        raise MalformedError("{given} is no action", given=quoted(action_id))
    action, _ = play.room.rules.read_action(checker.position, words, play.history)
    checker.play(action, action_id)


DEEPEST: Final = 12  # maximum number of turns in a line of a correspondence game
MAX_TURNS: Final = 120  # maximum number of turns in a tree

MAX_AHEAD: Final = 1  # maximum number of answers in a line of a game on a clock

Line = Sequence[Sequence[str]]  # successive turns, each as the ids of its actions


@dataclass(frozen=True)
class Branch:
    """A node of the tree: a turn, and the turns that may follow it."""

    ids: tuple[str, ...]  # the ids of the turn's actions; an empty tuple stands for any turn
    tag: str
    words: str
    mine: bool  # whether the turn is an answer of the tree's owner
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

    turns: int  # number of turns played before the tree begins
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
        grown = replace(self, branches=_add(self.branches, play.copy(), new))
        if sum(map(len, grown.branches)) > MAX_TURNS:
            raise IllegalError("there is room for {count} conditional turns", count=MAX_TURNS)
        return grown

    def without(self, line: Line) -> Conditions:
        """Return the tree without a line's last turn, what follows it, and what only led to it."""
        return replace(self, branches=_prune(self.branches, [tuple(ids) for ids in line]))

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


def _add(branches: tuple[Branch, ...], play: Play, line: Sequence[Branch]) -> tuple[Branch, ...]:
    if not line:
        return branches
    first, *rest = line
    ahead = play.copy()
    _follow(ahead, first.ids)
    alike = (one for one in branches if _leads_to(play, one, ahead.position))
    same = next((one for one in branches if one.ids == first.ids), None) or next(alike, None)
    grown = replace(same or first, then=_add(same.then if same else (), ahead, rest))
    if first.mine:  # a player prepares one reply only: it replaces the earlier one
        return (grown,)
    return (*(one for one in branches if one is not same), grown)


def _prune(branches: tuple[Branch, ...], line: Sequence[tuple[str, ...]]) -> tuple[Branch, ...]:
    kept = []
    for one in branches:
        if not line or one.ids != line[0]:
            kept.append(one)
        elif len(line) > 1:
            then = _prune(one.then, line[1:])
            if then or one.mine:
                kept.append(replace(one, then=then))
    return tuple(kept)


def _leads_to(play: Play, branch: Branch, position: Any) -> bool:
    with suppress(TrineError):  # a line after "any turn" may be illegal now
        return bool(branch.ids) and bool(read_draft(play, branch.ids).end == position)
    return False
