"""Turns as protocols write them: a whole turn, or the rest of one, as words.

In AEI the words of a turn stand apart, ``Ee2n Ee3n``. In UGI a move is one word, so the words of a
turn are joined by commas, ``Ee2n,Ee3n``, which every room's `interpret` reads as well as spaces.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from trine.core.contract.outcome import Reason
from trine.core.contract.position import Action
from trine.core.contract.turn import Turn
from trine.core.errors import IllegalError, MalformedError
from trine.core.play import Play
from trine.core.text.wording import written_actions
from trine.core.text.words import quoted

JOINT = ","
"""The separator of the words of a UGI move; at the end it marks a turn that is still open."""
LEAVING = {"resigns": Reason.RESIGNATION, "resign": Reason.RESIGNATION, "lost": Reason.TIME}
"""Words, as in records, that stand in place of a turn when a player leaves the play."""


def read_turn(play: Play, words: str, *, open_ended: bool = False) -> tuple[Action, ...]:
    """Read a whole turn, or the rest of one; if only the end of the turn is left, it is implied.

    Args: with ``open_ended`` the turn may stay open.

    Raises:
        MalformedError, IllegalError: the words are no legal turn, or more or less than one.

    >>> from trine.games import new_play
    >>> [str(action) for action in read_turn(new_play("tzaar"), "d3d4")]
    ['d3xd4']
    """
    play.check_goes_on()
    _check_only_actions(play, words)
    line = play.interpret(words)
    if any(step.closes for step in line.steps[:-1]):
        raise IllegalError("{given} is more than one turn", given=quoted(words))
    if line.steps[-1].closes or open_ended:
        return line.actions
    end = play.room.rules.end
    if end is None:
        raise IllegalError("{given} does not complete the turn", given=quoted(words))
    if reason := line.end.why_not(end, play.history):
        raise IllegalError(
            "{given} is not a whole turn: {reason}", given=quoted(words), reason=reason
        )
    return (*line.actions, end)


def _check_only_actions(play: Play, words: str) -> None:
    """Raise an error for words that people type to let the room choose, such as ``fill``."""
    kinds = {name.split()[0] for name in play.room.rules.setup_words}
    for word in words.replace(JOINT, " ").split():
        if word.lower() in kinds:
            raise MalformedError("{given} is no action", given=quoted(word))


def read_move(play: Play, move: str) -> tuple[Action, ...]:
    """Read a legal move of UGI; one that ends with a comma leaves its turn open."""
    return read_turn(play, move.replace(JOINT, " "), open_ended=move.endswith(JOINT))


def format_move(play: Play, actions: Iterable[Action]) -> str:
    """Write the rest of a turn as a move of UGI.

    >>> from trine.games import new_play
    >>> play = new_play("tzaar/open")
    >>> format_move(play, read_turn(play, "d3xd4 -"))
    'd3xd4,-'
    """
    return JOINT.join(written_actions(play.room, play.position, actions).split())


def played_move(play: Play, turn: Turn) -> str:
    """Write a turn that was played as a move of UGI, or the word for leaving the play."""
    if turn.left:
        return next((word for word, reason in LEAVING.items() if reason is turn.left), "lost")
    return JOINT.join(written_actions(play.room, turn.before, turn.actions).split())


class NotatedTurn(NamedTuple):
    """A turn of a line of play, in words."""

    player: int
    words: str
    open: bool
    """Whether the line ends within it."""


def divided(play: Play, line: Iterable[Action]) -> list[NotatedTurn]:
    """Return a line of play divided into turns.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> [way.words for way in divided(play, play.interpret("e2 e8 e3h"))]
    ['e2', 'e8', 'e3h']
    """
    ways: list[NotatedTurn] = []
    position, begun, part = play.position, play.position, list[Action]()
    for action in line:
        part.append(action)
        position = position.play_unchecked(action)
        if not position.turn_open:
            ways.append(NotatedTurn(begun.mover, written_actions(play.room, begun, part), False))
            begun, part = position, []
    if part:
        ways.append(NotatedTurn(begun.mover, written_actions(play.room, begun, part), True))
    return ways


def format_line(play: Play, line: Iterable[Action]) -> str:
    """Write a line of play as moves of UGI.

    >>> from trine.games import new_play
    >>> play = new_play("tzaar")
    >>> format_line(play, play.interpret("d3d4 f1e2"))
    'd3xd4 f1xe2,'
    """
    ways = divided(play, line)
    return " ".join(
        JOINT.join(way.words.split()) + (JOINT if way.open else "") for way in ways if way.words
    )
