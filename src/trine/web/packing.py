"""The scene and the choices in a message of a game, packed: what many things share is said once.

It knows no game: pieces that differ by their place alone are of one kind, and the page has the
places from the board. `static/packing.js` makes the whole of it again:

- ``pieces`` and ``walls``: the n-th thing has the ``fields`` of the kind ``kinds[of[n]]``, with its
  name where a text has `NAME`. The name of a piece is its cell, or the wall in whose middle it
  lies, if its key ends in the id of that wall; the name of a wall is its id. ``keys`` has the keys
  that are not made of the name, and nothing in place of the others.
- ``there`` has the place of the n-th thing (``at`` of a piece, ``points`` of a wall) where it is
  not the one that the board has for its name.
- ``choices``: ``[id, label, picks but the last, last picks]`` for all actions that are written
  alike; a pick stands in the texts as the character of its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from trine.core.choices import Choosable
from trine.core.scene import Board, Point, Say, Scene

NAME: Final = "\0"
"""The name of a thing, in the texts of its kind."""
DIGITS: Final = 4
"""Of a length: as many as can be seen, and more."""

Data = dict[str, Any]


def pack_scene(scene: Scene, say: Say) -> Data:
    """The half of a scene that changes, packed."""
    data, board = scene.as_data(say), scene.board
    ids = [wall["id"] for wall in data["walls"]]
    lines = {name: lines_of(board)[name] for name in ids if name in lines_of(board)}
    middles = {name: _middle(line) for name, line in lines.items()}
    places = {name: cell.at for name, cell in board.by_id.items()}
    names = [_name(piece, middles) for piece in data["pieces"]]
    data["pieces"] = _packed(data["pieces"], names, "at", places | middles)
    data["walls"] = _packed(data["walls"], ids, "points", lines)
    data["areas"], data["labels"] = _short(data["areas"]), _short(data["labels"])
    return data


def lines_of(board: Board) -> Mapping[str, tuple[Point, ...]]:
    """Where the walls of a board can stand, by their ids."""
    return {spot.id: spot.preview.points for spot in board.spots if spot.preview}


def pack_choices(choices: Iterable[Choosable], say: Say) -> list[list[str]]:
    r"""Return the choices, packed.

    >>> steps = [Choosable("e2-e3", ("e2", "e3")), Choosable("e2-d2", ("e2", "d2"))]
    >>> pack_choices([*steps, Choosable("e3h", ("e3h",))], str)
    [['\x00-\x01', '', 'e2', 'e3 d2'], ['\x00', '', '', 'e3h']]
    """
    groups: dict[tuple[str, str, str], list[str]] = {}
    for choice in choices:
        label = choice.as_data(say).get("label", "")
        form = _without(choice.id, choice.picks), _without(label, choice.picks)
        *first, last = choice.picks
        groups.setdefault((*form, " ".join(first)), []).append(last)
    return [[*form, " ".join(last)] for form, last in groups.items()]


def _without(words: str, picks: Sequence[str]) -> str:
    for number, pick in enumerate(picks):
        words = words.replace(pick, chr(number))
    return words


def _name(piece: Data, middles: Mapping[str, Point]) -> str:
    if piece["cell"]:
        return str(piece["cell"])
    end = str(piece["key"]).rpartition("-")[2]
    return end if end in middles else ""


def _packed(
    things: Sequence[Data], names: Sequence[str], where: str, places: Mapping[str, Any]
) -> Data:
    fields = [field for field in things[0] if field != where] if things else []
    kinds: dict[tuple[Any, ...], int] = {}
    of: list[int] = []
    keys: list[str] = []
    there: dict[str, Any] = {}
    for number, (thing, name) in enumerate(zip(things, names, strict=True)):
        kind = {field: _unnamed(thing[field], name) for field in fields}
        if "key" in kind:
            keys.append("" if NAME in kind["key"] else kind["key"])
            kind["key"] = kind["key"] if NAME in kind["key"] else NAME
        if name not in places or not _same(thing[where], places[name]):
            there[str(number)] = _short(thing[where])
        of.append(kinds.setdefault(tuple(kind.values()), len(kinds)))
    return {
        "fields": fields,
        "kinds": list(kinds),
        "of": of,
        "names": " ".join(names),
        "keys": " ".join(keys),
        "there": there,
    }


def _unnamed(value: Any, name: str) -> Any:
    if isinstance(value, list):
        return tuple(value)
    # A name of one letter is found in any word.
    named = name and isinstance(value, str) and (len(name) > 1 or value == name)
    return value.replace(name, NAME) if named else value


def _middle(line: Sequence[Point]) -> Point:
    (left, top), (right, bottom) = line[0], line[-1]
    return ((left + right) / 2, (top + bottom) / 2)


def _same(one: Any, other: Any) -> bool:
    return bool(_short(one) == _short(other))


def _short(value: Any) -> Any:
    """The same with lengths that are no longer than they must be."""
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items()}
    return [_short(item) for item in value] if isinstance(value, list | tuple) else value
