"""The evaluation of a position, move ordering, and static detection of wins."""

from trine.core.compiled.arrays import Buffer, Floats, Row, Rows
from trine.core.compiled.bits import NONE, ONE, count, lowest
from trine.core.compiled.jit import kernel
from trine_games.three.kernel.rules import LINE_SETS, completing, mover

CENTRE, CORNERS = 4, 0b101000101
MAX_SCORE = 20_000


@kernel()
def evaluate(row: Row, player: int, weights: Floats, counts: Floats) -> int:
    """Return the lines that a player can still fill, minus the lines of the other player."""
    lines = 0
    for line in LINE_SETS:
        lines += row[1 - player] & line == NONE
        lines -= row[player] & line == NONE
    counts[0] = lines
    return int(min(max(weights[0] * counts[0], -MAX_SCORE), MAX_SCORE))


@kernel()
def tactical(row: Row, buffer: Buffer) -> int:
    """Write the squares that complete a row, or that prevent the other player from it."""
    squares, total = completing(row, 0) | completing(row, 1), 0
    while squares:
        buffer[total] = lowest(squares)
        squares &= squares - ONE
        total += 1
    return total


@kernel()
def score_moves(row: Row, actions: Buffer, total: int, scores: Buffer) -> None:
    """Write scores that put the centre first, then the corners."""
    for index in range(total):
        square = actions[index]
        scores[index] = 500 if square == CENTRE else 200 if CORNERS >> square & 1 else 0


@kernel()
def detect_win(row: Row) -> int:
    """Return 1 if a row can be completed now, -2 if the other player could complete two, else 0."""
    player = mover(row)
    if completing(row, player):
        return 1
    return -2 if count(completing(row, 1 - player)) > 1 else 0


@kernel()
def null_move(rows: Rows, ply: int) -> bool:
    """Return false: the board decides the player to move, so there is no null move."""
    return False
