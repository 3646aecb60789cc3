"""The arrangements to choose from while a side sets up, each with what stands where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from trine.core.contract import Room
from trine.core.contract.checked import CheckedLine
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.scene.scene import Piece
from trine.core.text.sentence import NOTHING, Text
from trine.house.games.drafts import read_draft
from trine.house.games.messages import Arrangement

MOST_KEPT: Final = 16
"""The largest number of kept arrangements that are shown."""


def ready_words(room: Room) -> Iterator[tuple[str, Text]]:
    """The words that set pieces up; one with a blank in capitals is to be completed."""
    return ((word, told) for word, told in room.setup_words.items() if word == word.lower())


def arrangements(
    play: Play, seat: int, pieces: str = "", kept: Sequence[str] = ()
) -> list[Arrangement]:
    """Return the arrangements of the side to move; the one by chance is another each time.

    Those that somebody has ``kept``, as written actions, stand first, if they are possible here.

    >>> from trine.games import new_play
    >>> found = arrangements(new_play("arimaa"), 0)
    >>> found[0].a[:2], len(found[0].pieces), found[0].pieces[0].cell
    (['Ra1', 'Rb1'], 16, 'a1')
    >>> own = " ".join(found[1].a)
    >>> " ".join(arrangements(new_play("arimaa"), 0, kept=["Ra1 Ra1", own])[0].a) == own
    True
    """
    if not (play.room.whole_setups and play.position.in_setup):
        return []
    lines: list[tuple[CheckedLine, Text]] = []
    for actions in kept[:MOST_KEPT]:
        with suppress(TrineError):
            lines.append((read_draft(play, actions.split()), NOTHING))
    lines += [(read_draft(play, (), word), told) for word, told in ready_words(play.room)]
    return [_arrangement(play.room, seat, pieces, line, told) for line, told in lines]


def _arrangement(room: Room, seat: int, pieces: str, line: CheckedLine, told: Text) -> Arrangement:
    before, after = (
        room.scene(position, seat=seat, pieces=pieces) for position in (line.start, line.end)
    )
    taken = {one.cell for one in before.pieces}
    placed = [
        Piece(figure=one.figure, base=one.base, owner=one.owner, cell=one.cell, label=one.label)
        for one in after.pieces
        if one.cell not in taken
    ]
    return Arrangement(told, [str(action) for action in line], placed)
