"""The arrangements to choose from while a side sets up, each with what stands where."""

from __future__ import annotations

from collections.abc import Iterator

from trine.core.contract import Room
from trine.core.play import Play
from trine.core.scene.scene import Piece
from trine.core.text.sentence import Text
from trine.house.games.drafts import read_draft
from trine.house.games.messages import Arrangement


def ready_words(room: Room) -> Iterator[tuple[str, Text]]:
    """The words that set pieces up; one with a blank in capitals is to be completed."""
    return ((word, told) for word, told in room.setup_words.items() if word == word.lower())


def arrangements(play: Play, seat: int, pieces: str = "") -> list[Arrangement]:
    """Return the arrangements of the side to move; the one by chance is another each time.

    >>> from trine.games import new_play
    >>> found = arrangements(new_play("arimaa"), 0)
    >>> found[0].a[:2], len(found[0].pieces), found[0].pieces[0].cell
    (['Ra1', 'Rb1'], 16, 'a1')
    """
    if not (play.room.whole_setups and play.position.in_setup):
        return []
    return [_arrangement(play, seat, pieces, word, told) for word, told in ready_words(play.room)]


def _arrangement(play: Play, seat: int, pieces: str, word: str, told: Text) -> Arrangement:
    line = read_draft(play, (), word)
    before, after = (
        play.room.scene(position, seat=seat, pieces=pieces) for position in (line.start, line.end)
    )
    taken = {one.cell for one in before.pieces}
    placed = [
        Piece(figure=one.figure, base=one.base, owner=one.owner, cell=one.cell, label=one.label)
        for one in after.pieces
        if one.cell not in taken
    ]
    return Arrangement(told, [str(action) for action in line], placed)
