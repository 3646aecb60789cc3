"""Games of TZAAR as bare lists of actions, with or without numbers.

``1w d3xd4``, then ``1b f1xe2 h1+g1``; or the same with ``1.``, or without a number. A list names no
start: the game begins with the fixed start, or with the placements that it lists.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from trine.core.contract.notation import Format
from trine.core.contract.record import Record, WrittenTurn
from trine.core.text.sentence import Word, text
from trine.games.tzaar.board import SEATS
from trine.games.tzaar.rules import OFFICIAL

_TAG = re.compile(r"([0-9]{1,4})(?:([wb])[.:)]?|[.:)]+)")
_PLACEMENT = re.compile("[TYZ][a-i][1-9]", re.IGNORECASE)
_BEGINS = re.compile(
    rf"\s*(?:{_TAG.pattern}\s+)?(?:[a-i][1-9][x+-]?[a-i][1-9]|{_PLACEMENT.pattern})(?:[\s,;]|$)",
    re.IGNORECASE,
)
_TURN_LENGTH: Final = 2  # actions; those of every turn but the first and placements


@dataclass
class _TurnList:
    """A list as it is being read."""

    record: Record
    numbered: bool = False  # whether the turns have tags such as ``1w``
    moves: int = 0  # number of turns so far, not counting placements

    def add_line(self, words: list[Word], line: int) -> None:
        """Add the turns of a line: where tags begin one, or else all that the line has."""
        rest: list[Word] = []
        for word in words:
            if not (found := _TAG.fullmatch(word.text)):
                rest.append(word)
                continue
            self._add(rest, line)
            rest = []
            if found[2]:
                self.numbered = True
                self.record.turns.append(WrittenTurn(int(found[1]), found[2], line=line))
        self._add(rest, line)

    def _add(self, words: list[Word], line: int) -> None:
        """Add words to the turn with a tag, or else as turns; long lines hold several."""
        turns = self.record.turns
        if words and _PLACEMENT.fullmatch(words[0].text) and not self.moves:
            self.record.tags["Setup"] = "placement"
        if self.numbered:
            turns[-1].words += words
            return
        several = len(words) > _TURN_LENGTH
        while words:
            placed = _PLACEMENT.fullmatch(words[0].text) is not None
            length = 1 if placed or (several and not self.moves) else _TURN_LENGTH
            self.moves += not placed
            rounds, player = divmod(len(turns), len(SEATS))
            turns.append(WrittenTurn(rounds + 1, SEATS[player].letter, words[:length], line=line))
            words = words[length:]


def read_tzaar_lists(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Read lists; a next one begins where the numbers do, or, without any, after an empty line."""
    current: _TurnList | None = None
    for number, line in enumerate(lines, start=1):
        shown = re.sub(r"\{[^{}]*\}|#.*", lambda found: " " * len(found[0]), line)
        words = [Word(found[0], found.start() + 1) for found in re.finditer(r"[^\s,;]+", shown)]
        again = bool(words) and re.fullmatch(r"1w?[.:)]*", words[0].text) is not None
        if current and (again or not (line.strip() or current.numbered)):
            yield current.record
            current = None
        if words and not current:
            tags = {"Game": "tzaar", "Rules": OFFICIAL.name}
            current = _TurnList(Record(tags, line=number, file=file, lenient=True))
        if words and current:
            current.add_line(words, number)
    if current:
        yield current.record


LISTS: Final = Format(
    "tzaar-list",
    text("TZAAR games as lists, a turn a line"),
    read_tzaar_lists,
    lambda head: _BEGINS.match(head) is not None,
    game="tzaar",
    whose="forums, and programs that print turns",
    example="1w d3xd4",
    begins=text("a list names no start; the fixed start is taken, or its placements"),
    looks_like_others=True,
)
