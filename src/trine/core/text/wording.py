"""A play in words: its outcome as a sentence, its actions as in records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from trine.core.contract import Room
from trine.core.contract.outcome import Outcome
from trine.core.contract.position import Action, Position
from trine.core.contract.seat import Seat
from trine.core.contract.turn import Turn
from trine.core.text.sentence import Text, join, text


def describe(players: Sequence[Text], outcome: Outcome | None) -> Text:
    """Return an outcome as a sentence with the players' names.

    >>> from trine.core.contract.outcome import Reason
    >>> from trine.games import open_room
    >>> print(describe(names(open_room("arimaa").seats), Outcome(0, Reason.GOAL)))
    Gold wins (goal)
    """
    if outcome is None:
        return text("the play is not over")
    if outcome.winner is None:
        return text("a draw ({reason})", reason=outcome.reason.text)
    return text(
        "{player} wins ({reason})", player=players[outcome.winner], reason=outcome.reason.text
    )


def ended(room: Room, position: Position, players: Sequence[Text], outcome: Outcome) -> Text:
    """Return how a play has ended, and its cause on the board.

    >>> from trine.games import new_play
    >>> play = new_play("corridor", position="quoridor 5 2 c4,c2 b3h 9,9 1")
    >>> play.enter("c5")
    >>> print(ended(play.room, play.position, names(play.position.seats), play.outcome))
    South wins: the pawn has reached c5
    """
    cause = room.view.cause(position, outcome)
    if cause is None:
        return describe(players, outcome)
    if outcome.winner is None:
        return text("a draw: {cause}", cause=cause.text)
    return text("{player} wins: {cause}", player=players[outcome.winner], cause=cause.text)


def names(seats: Sequence[Seat]) -> list[Text]:
    """Return the names of seats, for players without names."""
    return [seat.name for seat in seats]


def written_actions(room: Room, position: Position, actions: Iterable[Action]) -> str:
    """Return consecutive actions from a position, written as in records."""
    words = []
    for action in actions:
        words.append(room.rules.format_action(position, action))
        position = position.play_unchecked(action)
    return " ".join(filter(None, words))


def last_turn(
    room: Room, turns: Sequence[Turn], called: Callable[[int], Text] | None = None
) -> list[Text]:
    """Return a line about the last turn; empty before the first turn and after a whole setup."""
    if not turns or room.sets_up_whole(turns[-1].before):
        return []
    last = turns[-1]
    tag = room.tag(last.before)
    if last.left:
        player = called(last.player) if called else last.before.seats[last.player].name
        return [
            text(
                "{turn}: {player} has left ({reason})",
                turn=tag,
                player=player,
                reason=last.left.text,
            )
        ]
    steps = written_actions(room, last.before, last.actions)
    return [text("last turn: {turn} {steps}", turn=tag, steps=steps)]


def next_step(room: Room, begun: Position, actions: Sequence[Action], position: Position) -> Text:
    """Return what the actions before a position have lost, and what its player does next."""
    sentences = []
    for action in actions:
        if fall := room.view.falls(begun, action):
            sentences.append(fall.text)
        begun = begun.play_unchecked(action)
    return join([*sentences, room.view.coach(position)], " ")


def changed_cells(room: Room, before: Position, actions: Sequence[Action]) -> frozenset[str]:
    """Return the cells to highlight after actions; none after a whole setup, which changes all."""
    return frozenset() if room.sets_up_whole(before) else room.view.changed_cells(before, actions)
