"""The notations of actions of Quoridor in several programs, a small declaration for each.

Our own notation is by Lisa Glendenning, *Mastering Quoridor* (2005): ranks count from the south,
and a wall is the square south-west of its middle, followed by ``h`` or ``v``.

Two programs also pack a game into one word, which is unpacked to words of their dialects.

Sources: for OpenSpiel, thousands of positions of random games, played in its version 2.0.2 and here
side by side; for the PBeM server its help, gamerz.net/~pbmserv/quoridor.html; for packed games
OpenQuoridorFramework, `ProgressUtils/Coding`, and two programs that write the codes of
quoridorfansite.com alike.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Final

from trine.core.errors import MalformedError
from trine.core.text.sentence import Text, quoted, text
from trine.games.corridor.board import FILES, USUAL_SIZE, square_name
from trine.games.corridor.notation import parse_action
from trine.games.corridor.rules import PASS, Wall

_MAX_LETTERS: Final = 2000  # letters; longer words are not unpacked
_OQF: Final = "1234567890qwertyuiopasdfghjklzxcvbnm"
_OQF_ACTION = re.compile("(0?)([1-9])([1-9])((?<=0..)[12]|(?<!0..))")
_QF: Final = f"{ascii_uppercase}{ascii_lowercase}{digits}-_"
_DIRECTIONS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def unpack_oqf(word: str) -> str:
    """Return the actions of OpenQuoridorFramework's compressed string; empty for other words.

    The string is a number in base 36. Its decimal digits are a 9, then for each move the file and
    rank, for each wall a 0, file, rank and direction; ranks count from the north; 00 resigns.
    """
    if len(word) > _MAX_LETTERS or not word or not {*word.lower()} <= {*_OQF}:
        return ""
    number = 0
    for letter in word.lower():
        number = number * len(_OQF) + _OQF.index(letter)
    found = re.fullmatch("9((?:0[1-9]{2}[12]|[1-9]{2})+)(00)?", str(number))
    words = _OQF_ACTION.findall(found.group(1)) if found else []
    return " ".join(
        f"{FILES[int(file) - 1]}{USUAL_SIZE + 1 - int(rank)}{'hv'[int(axis) - 1] if wall else ''}"
        for wall, file, rank, axis in words
    )


def unpack_qf(word: str) -> str:
    """Return the actions of a game code of quoridorfansite.com; empty for other words.

    A letter is six bits. The bits are 01, the number of actions in ten bits, and the actions: for a
    move 0 and three bits of direction; for a wall 1, a bit that is set if it is vertical, and six
    bits of its square, in rows of eight.
    """
    word = word.replace("+", "-").replace("/", "_")
    if len(word) > _MAX_LETTERS or not {*word} <= {*_QF}:
        return ""
    bits, at, words = "".join(f"{_QF.index(letter):06b}" for letter in word), 12, list[str]()
    if not bits.startswith("01") or len(bits) < at:
        return ""
    for _ in range(int(bits[2:at], 2)):
        count = 8 if bits[at : at + 1] == "1" else 4
        action = bits[at : at + count]
        at += count
        if len(action) < count:
            return ""
        if count == 4:
            words.append(_DIRECTIONS[int(action[1:], 2)])
        else:
            square = square_name(USUAL_SIZE - 1, int(action[2:], 2))
            words.append(f"{square}{'-/'[int(action[1])]}")
    return "" if "1" in bits[at:] or len(bits) - at > 6 else " ".join(words)


_PASSES: Final = (str(PASS), "--", "pass", "wait")
_WORD = re.compile(rf"([hv]?)(?:[{FILES}][1-9][0-9]?[-x])?([{FILES}])([1-9][0-9]?)([hv]?)")
_STEP = re.compile("[nsew]{1,2}")
_MIDDLE = re.compile(rf"([{FILES}][1-9][0-9]?)([-/])")


@dataclass(frozen=True)
class Dialect:
    """A notation of actions, and of games as lists of actions."""

    name: str
    title: Text
    whose: str
    example: str
    begins: Text
    axis_first: bool = False  # whether the direction of a wall precedes its square
    from_above: bool = False
    """Whether a wall is named by the square north-west of its middle, not south-west."""
    from_north: bool = False  # whether ranks are counted from the north
    by_direction: bool = False
    """Whether pawns move by directions, as in ``N`` and ``NE``, and walls have ``-`` or ``/``."""
    unpack: Callable[[str], str] | None = None
    """Returns the words of a game that is packed into one word; None: there is no packed form."""
    numbered: bool = False
    commands: bool = False  # whether games are the commands of a protocol, ``playmove white e2``
    has_pass: bool = True
    """Whether there is a word for a pass; OpenSpiel 2.0.2 prints a forced one as another square."""

    @property
    def syntax(self) -> tuple[bool, ...]:
        """The fields that affect how words are parsed."""
        return self.axis_first, self.from_above, self.from_north, self.by_direction

    def read(self, word: str, size: int, pawn: str) -> str:
        """Return an action in our notation.

        Args: ``size`` is the size of the board; ``pawn``, the square of the mover's pawn.

        Raises:
            MalformedError: the word is no action.
        """
        bare = word.lower().rstrip("!?+#" if self.by_direction else "!?+#/")
        if bare in _PASSES and self.has_pass:
            return str(PASS)
        if self.by_direction and _STEP.fullmatch(bare):
            return self._step(bare, pawn)
        if self.by_direction:
            middle = _MIDDLE.fullmatch(bare)
            bare = middle.group(1) + "hv"["-/".index(middle.group(2))] if middle else ""
        found = _WORD.fullmatch(bare)
        before, file, rank, behind = found.groups() if found else ("", "", "", "")
        axis, other = (before, behind) if self.axis_first else (behind, before)
        if not found or other:
            raise MalformedError(
                "{given} is no action; expected such as in {example}",
                given=quoted(word),
                example=self.example,
            )
        return f"{file}{self._turned(word, int(rank), axis, size)}{axis}"

    @staticmethod
    def _step(word: str, pawn: str) -> str:
        """Return the square that directions lead to from a pawn."""
        file = FILES.index(pawn[0]) + word.count("e") - word.count("w")
        rank = int(pawn[1:]) + word.count("n") - word.count("s")
        if file not in range(len(FILES)) or rank < 1:
            raise MalformedError("{given} leads off the board", given=quoted(word))
        return f"{FILES[file]}{rank}"

    def write(self, word: str, size: int, pawn: str) -> str:
        """Return an action of our notation in this dialect; the inverse of `read`."""
        if word == str(PASS):
            return word
        action = parse_action(word)
        axis = action.axis if isinstance(action, Wall) else ""
        place = word.removesuffix(axis)
        if self.by_direction and axis:
            return place + "-/"["hv".index(axis)]
        if self.by_direction:
            north = int(word[1:]) - int(pawn[1:])
            east = FILES.index(word[0]) - FILES.index(pawn[0])
            return "NS"[north < 0] * abs(north) + "EW"[east < 0] * abs(east)
        rank = self._turned(word, int(place[1:]), axis, size, back=True)
        return (
            (axis if self.axis_first else "")
            + f"{place[0]}{rank}"
            + ("" if self.axis_first else axis)
        )

    def _turned(self, word: str, rank: int, axis: str, size: int, *, back: bool = False) -> int:
        """Convert a rank of the dialect to our notation or, with ``back``, from it."""
        above = bool(axis) and self.from_above
        if back and above:
            rank += 1
        if self.from_north:
            rank = size + 1 - rank
        if above and not back:
            rank -= 1
        if rank < 1:
            raise MalformedError("no wall can stand at {given}", given=quoted(word))
        return rank


_SOUTH_WEST: Final = text("a wall is named by the square south-west of its middle")
_NORTH_WEST: Final = text("a wall is named by the square north-west of its middle")

DIALECTS: Final = (
    Dialect(
        "quoridor",
        text("the standard notation of Quoridor, in numbered rounds"),
        "Glendenning, Wikipedia",
        "1. e2 e8 2. e3 e7 3. e4 e6 4. e3h f6h",
        _SOUTH_WEST,
        numbered=True,
    ),
    Dialect(
        "bga",
        text("the same as a bare list, one game a line, as on Board Game Arena"),
        "Board Game Arena, quoridorstrats",
        "e2 e8 e3 e7 e4 e6 e3h f6h",
        _SOUTH_WEST,
    ),
    Dialect(
        "barricade",
        text("lists of barricade.gg, with the direction of a wall first: he2"),
        "barricade.gg",
        "e2 e8 he2 vc4",
        _SOUTH_WEST,
        axis_first=True,
    ),
    Dialect(
        "oqf",
        text("the standard notation with walls named from above"),
        "OpenQuoridorFramework",
        "1. e2 e8 2. e3 e7 3. e4 e6 4. e5 e5h 5. e7",
        _NORTH_WEST,
        from_above=True,
        numbered=True,
        unpack=unpack_oqf,
    ),
    Dialect(
        "qtp",
        text("logs of the Quoridor text protocol"),
        "programs that speak QTP",
        "playmove white e2",
        _NORTH_WEST,
        from_above=True,
        commands=True,
        has_pass=False,
    ),
    Dialect(
        "openspiel",
        text("lists of OpenSpiel, with the ranks counted from the north"),
        "OpenSpiel; KataQuoridor, as SGF",
        "e8 e2 a4h a4v e7 e3",
        text(
            "ranks are counted from the north; a wall is named by the square north-west of its "
            "middle"
        ),
        from_above=True,
        from_north=True,
        has_pass=False,
    ),
    Dialect(
        "pbem",
        text("lists of directions, and of walls with a sign behind their middle"),
        "gamerz.net, the PBeM server; quoridorfansite.com, as a code",
        "N S N S d3- e6/",
        text("a pawn goes by directions; a wall is named by the square south-west of its middle"),
        by_direction=True,
        unpack=unpack_qf,
    ),
)
"""The dialects; of two that read a text alike, the first is used."""
STANDARD: Final = DIALECTS[0]
