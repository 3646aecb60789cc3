"""The notation of turns in protocols: a whole turn, or the rest of one.

AEI separates the actions of a turn by spaces, ``Ee2n Ee3n``. A UGI move is one word, so commas join
its actions, ``Ee2n,Ee3n``; `interpret` of every game reads commas like spaces.
"""

from collections.abc import Iterable
from typing import NamedTuple

from trine.core.contract.position import Action, Reason, Turn
from trine.core.errors import IllegalError, MalformedError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import quoted

SEPARATOR = ","  # separates the actions of a UGI move; at the end it marks an open turn
LEAVING = {"resigns": Reason.RESIGNATION, "resign": Reason.RESIGNATION, "lost": Reason.TIME}
"""Words in place of a turn if a player leaves the play, as in records."""


def read_turn(play: Play, words: str, *, open_ended: bool = False) -> tuple[Action, ...]:
    """Read a whole turn, or the rest of one; the end of the turn can be omitted.

    With ``open_ended`` the turn may stay open.

    Raises:
        MalformedError, IllegalError: the words are not exactly one legal turn.

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
    """Raise an error if the text has a setup shorthand, such as ``fill``."""
    kinds = {name.split()[0] for name in play.room.rules.setup_words}
    for word in words.replace(SEPARATOR, " ").split():
        if word.lower() in kinds:
            raise MalformedError("{given} is no action", given=quoted(word))


def read_move(play: Play, move: str) -> tuple[Action, ...]:
    """Read a legal UGI move; a final comma leaves the turn open."""
    return read_turn(play, move.replace(SEPARATOR, " "), open_ended=move.endswith(SEPARATOR))


def format_move(play: Play, actions: Iterable[Action]) -> str:
    """Return the rest of a turn as a UGI move.

    >>> from trine.games import new_play
    >>> play = new_play("tzaar/open")
    >>> format_move(play, read_turn(play, "d3xd4 -"))
    'd3xd4,-'
    """
    return SEPARATOR.join(written_actions(play.room, play.position, actions).split())


def played_move(play: Play, turn: Turn) -> str:
    """Return a played turn as a UGI move, or the word for leaving the play."""
    if turn.left:
        return next((word for word, reason in LEAVING.items() if reason is turn.left), "lost")
    return SEPARATOR.join(written_actions(play.room, turn.before, turn.actions).split())


class NotatedTurn(NamedTuple):
    """A turn of a line, in notation."""

    player: int
    words: str
    open: bool  # whether the line ends within the turn


def split_turns(play: Play, line: Iterable[Action]) -> list[NotatedTurn]:
    """Split a line of play into turns.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> [turn.words for turn in split_turns(play, play.interpret("e2 e8 e3h"))]
    ['e2', 'e8', 'e3h']
    """
    turns: list[NotatedTurn] = []
    position, begun, part = play.position, play.position, list[Action]()
    for action in line:
        part.append(action)
        position = position.play_unchecked(action)
        if not position.turn_open:
            turns.append(NotatedTurn(begun.mover, written_actions(play.room, begun, part), False))
            begun, part = position, []
    if part:
        turns.append(NotatedTurn(begun.mover, written_actions(play.room, begun, part), True))
    return turns


def format_line(play: Play, line: Iterable[Action]) -> str:
    """Return a line of play as UGI moves.

    >>> from trine.games import new_play
    >>> play = new_play("tzaar")
    >>> format_line(play, play.interpret("d3d4 f1e2"))
    'd3xd4 f1xe2,'
    """
    turns = [turn for turn in split_turns(play, line) if turn.words]
    return " ".join(
        SEPARATOR.join(turn.words.split()) + (SEPARATOR if turn.open else "") for turn in turns
    )
