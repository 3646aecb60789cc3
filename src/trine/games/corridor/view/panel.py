"""The texts beside the board of Corridor: status, actions in groups, what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trine.core.contract.outcome import Cause, Outcome, Reason
from trine.core.text.sentence import Text, join, ntext, text
from trine.games.corridor.board import LEFT, UNCHOSEN, square_name
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Action, Choice, Move, Pass, Wall


def status(position: Position) -> list[Text]:
    """Return the lines beside the board: start squares, distances, walls in hand, owners of walls.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> for line in status(Position.first(RULE_SETS["quoridor"])):
    ...     print(line)
    South: 8 steps to the goal, 10 walls in hand
    North: 8 steps to the goal, 10 walls in hand
    """
    lines = [_standing(position, player) for player in range(position.players)]
    if position.in_setup:
        free = [
            square_name(position.size, square)
            for square in position.start_squares(position.mover)
            if square not in position.pawns
        ]
        lines.append(
            text(
                "{player} can start on: {cells}",
                player=position.seats[position.mover].name,
                cells=" ".join(free),
            )
        )
    for player, seat in enumerate(position.seats):
        walls = [str(wall) for wall in position.walls if position.owners.get(wall) == player]
        if walls:
            lines.append(
                text("walls of {player}: {walls}", player=seat.name, walls=" ".join(walls))
            )
    return lines


def _standing(position: Position, player: int) -> Text:
    parts = [steps_to_go(position, player)]
    hand = position.hands[player]
    if hand is not None and position.pawns[player] != LEFT:
        parts.append(walls_in_hand(hand))
    return text("{player}: {standing}", player=position.seats[player].name, standing=join(parts))


def walls_in_hand(hand: int) -> Text:
    """Return the number of walls in a hand, in words.

    >>> str(walls_in_hand(1))
    '1 wall in hand'
    """
    return ntext("{count} wall in hand", "{count} walls in hand", hand)


def steps_to_go(position: Position, player: int) -> Text:
    """Return the distance to a player's goal, or why there is none, in words.

    >>> from trine.games.corridor.rules import RULE_SETS
    >>> str(steps_to_go(Position.first(RULE_SETS["corridor"]), 0))
    'start square not chosen'
    """
    pawn = position.pawns[player]
    if pawn == LEFT:
        return text("has left the play")
    if pawn == UNCHOSEN:
        return text("start square not chosen")
    steps = position.distance(player)
    if steps is None:
        return text("trapped, no way to the goal")
    if steps == 0:
        return text("at the goal")
    return ntext("{count} step to the goal", "{count} steps to the goal", steps)


def changed_cells(position: Position, actions: Sequence[Action]) -> frozenset[str]:
    """Return the names of the squares that pawns leave and reach, and of the walls placed."""
    changed = set()
    for action in actions:
        if isinstance(action, Move):
            changed.add(square_name(position.size, position.pawns[position.mover]))
        if not isinstance(action, Pass):
            changed.add(str(action).removeprefix("@"))
        position = position.play_unchecked(action)
    return frozenset(changed)


HEADINGS: Final = (
    text("start squares"),
    text("steps of the pawn"),
    text("jumps of the pawn"),
    text("horizontal walls"),
    text("vertical walls"),
    text("pass"),
)
"""The groups of actions, in order."""


def group_actions(position: Position, actions: Sequence[Action]) -> list[tuple[Text, list[Action]]]:
    """Return legal actions in groups with headings; moves of the pawn come before walls."""
    groups: list[list[Action]] = [[] for _ in HEADINGS]
    for action in actions:
        match action:
            case Choice():
                groups[0].append(action)
            case Move():
                groups[2 if is_jump(position, action) else 1].append(action)
            case Wall():
                groups[3 if action.axis == "h" else 4].append(action)
            case Pass():
                groups[5].append(action)
    return [(words, group) for words, group in zip(HEADINGS, groups, strict=True) if group]


def is_jump(position: Position, move: Move) -> bool:
    """Return whether a move of the player to move is a jump, which is more than one square."""
    rank, file = divmod(position.pawns[position.mover], position.size)
    return abs(move.file - file) + abs(move.rank - rank) > 1


# --- the cause of the end, and what to do next --------------------------------------------------


def cause(position: Position, outcome: Outcome) -> Cause | None:
    """Return the cause of a play's end; None if the board does not show it.

    >>> from trine.games import new_play
    >>> play = new_play("corridor", position="quoridor 5 2 c4,c2 b3h 9,9 1")
    >>> play.enter("c5")
    >>> print(cause(play.position, play.outcome).text)
    the pawn has reached c5
    """
    if outcome.reason is Reason.TRAPPED:
        return Cause(text("nobody has a way to the goal"))
    if outcome.reason is not Reason.GOAL or outcome.winner is None:
        return None
    cell = square_name(position.size, position.pawns[outcome.winner])
    return Cause(text("the pawn has reached {cell}", cell=cell), (cell,))


def coach(position: Position) -> Text:
    """Return what the player to move can do next."""
    if position.in_setup:
        return text("Choose the square on your side where your pawn begins.")
    if position.hands[position.mover] == 0:
        return text("Move your pawn: you have no wall left.")
    return text("Move your pawn, or tap between squares to set a wall.")
