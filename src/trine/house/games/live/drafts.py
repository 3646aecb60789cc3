"""Drafts: the actions of an open turn, checked but not submitted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.choices import Choosable, choices
from trine.core.errors import IllegalError, MalformedError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, quoted, split_words, text

MAX_ACTIONS = 64
"""The maximum number of actions in a turn."""
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
