"""The texts beside the board of Corridor: status, actions in groups, what to do next."""

from __future__ import annotations

from trine.core.contract.position import Cause, Outcome, Reason
from trine.core.text.sentence import Text, join, ntext, text
from trine.games.corridor.board import LEFT, UNCHOSEN, square_name
from trine.games.corridor.position import Position
from trine.games.corridor.rules import Action, Choice, Move, Wall


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


def heading(position: Position, action: Action) -> tuple[int, Text]:
    """Return the group of a legal action, and its heading; moves of the pawn come before walls."""
    match action:
        case Choice():
            return 0, text("start squares")
        case Move() if is_jump(position, action):
            return 2, text("jumps of the pawn")
        case Move():
            return 1, text("steps of the pawn")
        case Wall(axis="h"):
            return 3, text("horizontal walls")
        case Wall():
            return 4, text("vertical walls")
        case _:
            return 5, text("pass")


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
