"""Small positions, written stack by stack: those of examples and lessons."""

from __future__ import annotations

from trine.games.tzaar.board import CENTRE, COLUMN_LENGTHS, COLUMNS, EMPTY
from trine.games.tzaar.diagrams import HOLE


def sketch(stacks: str, turn: str) -> str:
    """The text of a position with a few stacks, for any rule set.

    Args: ``stacks`` names each with its point, and its height if it is 2 or more, as in
        ``Td3 z2f5``; ``turn`` tells who is to move and the action of the turn, as in ``white 1``.

    >>> sketch("Ta1 z2c3", "white 1").split()[1]
    'T..../....../..z2..../......../....*..../......../......./....../.....'
    """
    at = {word[-2:]: word[:-2] for word in stacks.split()}
    at[CENTRE] = HOLE
    columns = (
        "".join(at.get(f"{column}{rank}", EMPTY) for rank in range(1, length + 1))
        for column, length in zip(COLUMNS, COLUMN_LENGTHS, strict=True)
    )
    return f"{{rules}} {'/'.join(columns)} {turn}"
