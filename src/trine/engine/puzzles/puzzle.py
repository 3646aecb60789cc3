"""Puzzles: positions with solutions, stored as ordinary records.

The turns of the record are the solution and the expected line. Other solutions are variations of
the first turn; a tempting wrong turn is a variation with the note `WRONG`, followed by its
refutation. Files of puzzles are files of records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from trine.core.contract import Room
from trine.core.contract.position import Position, Turn
from trine.core.contract.record import Record, read_records
from trine.core.errors import MalformedError
from trine.core.play import Play, written_actions
from trine.engine.puzzles.judgement import Judgement
from trine.games import open_room
from trine.play.record.replay import opening, record_of
from trine.play.record.text_files import read_lines
from trine.play.record.variations import GameNode, tree_of, written_tree

NAME: Final = "Puzzle"
THEMES: Final = "Themes"
RATING: Final = "Rating"
CHANCES: Final = "Chances"
SOURCE: Final = "Source"
IDEA: Final = "Idea"
WRONG: Final = "not enough"
"""The note on a wrong turn."""
LINE_TURNS: Final = 3
"""Units: turns; the stored length of a line."""


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A puzzle as a record; its turns are parsed on first use."""

    record: Record

    @property
    def name(self) -> str:
        """A short name, determined by the position."""
        return self.record.tags[NAME]

    @property
    def game(self) -> str:
        return self.record.tags["Game"]

    @property
    def rules(self) -> str:
        return self.record.tags["Rules"]

    @property
    def themes(self) -> tuple[str, ...]:
        return tuple(self.record.tags.get(THEMES, "").split())

    @property
    def rating(self) -> int:
        return int(self.record.tags[RATING])

    @property
    def chances(self) -> tuple[float, ...]:
        """The win chances with the solution, and with the best other turn, if known."""
        return tuple(map(float, self.record.tags[CHANCES].split()))

    @property
    def idea(self) -> str:
        """The theme whose turns all solve the puzzle; empty if only certain turns do."""
        return self.record.tags.get(IDEA, "")

    @property
    def room(self) -> Room:
        return open_room(self.game)

    @cached_property
    def start(self) -> Position:
        return opening(self.record)[1]

    @cached_property
    def _root(self) -> GameNode:
        return tree_of(self.record)

    @property
    def line(self) -> list[Turn]:
        return [node.turn for node in self._root.line() if node.turn]

    @property
    def solutions(self) -> list[Turn]:
        return [node.turn for node in self._root.variations if node.turn and node.note != WRONG]

    @property
    def tries(self) -> list[list[Turn]]:
        """Tempting wrong turns, each with its refutation."""
        return [
            [one.turn for one in (node, *node.line()) if one.turn]
            for node in self._root.variations
            if node.note == WRONG
        ]

    def written(self, turn: Turn) -> str:
        return written_actions(self.room, turn.before, turn.actions)


def puzzle_of(record: Record) -> Puzzle:
    """Return the puzzle of a record; raises `MalformedError` for a missing or malformed tag."""
    puzzle = Puzzle(record)
    try:
        _ = puzzle.name, puzzle.game, puzzle.rules, puzzle.rating, puzzle.chances
    except (KeyError, ValueError):
        raise MalformedError("this record is no puzzle").at(record.file, record.line) from None
    return puzzle


def make_puzzle(
    play: Play, judgement: Judgement, rating: int, themes: Sequence[str], source: str
) -> Puzzle:
    best, other = judgement.best, judgement.other
    root = GameNode(play)
    _add(root, best.line[:LINE_TURNS], played=True)
    for solution in judgement.solutions[1:]:
        _add(root, solution.line[:1], played=False)
    if other:
        _add(root, other.line[:LINE_TURNS], played=False).note = WRONG
    start = play.room.rules.format_position(play.start)
    tags = {
        NAME: name_of(play.room.name, play.start.rules.name, start),
        THEMES: " ".join(themes),
        RATING: str(rating),
        CHANCES: " ".join(f"{turn.chance:.2f}" for turn in (best, other) if turn),
        SOURCE: source,
    }
    if judgement.idea:
        tags[IDEA] = judgement.idea.theme
    return Puzzle(written_tree(root, record_of(play, tags)))


def name_of(game: str, rules: str, position: str) -> str:
    """Return the name of the puzzle of a position.

    >>> name_of("corridor", "quoridor", "quoridor 5 2 c4,c2 b3h 9,9 1")
    'aa6ada63'
    """
    return sha256(f"{game}/{rules} {position}".encode()).hexdigest()[:8]


def _add(root: GameNode, line: Sequence[tuple[object, ...]], *, played: bool) -> GameNode:
    """Add the whole turns of a line to a tree; return the node of the first one."""
    node, first, ahead = root, None, root.play()
    for actions in line:
        count = len(ahead.turns)
        ahead.act_unchecked(*actions)
        if len(ahead.turns) == count:
            break
        node = node.adopt(ahead.turns[-1], played=played)
        first = first or node
        if ahead.outcome:
            break
    assert first
    return first


def read_puzzles(path: str | Path) -> Iterator[Puzzle]:
    """Yield the puzzles of a file; raises `TrineError`."""
    for record in read_records(read_lines(path), str(path)):
        if record.error:
            raise record.error
        yield puzzle_of(record)


@cache
def shipped(game: str) -> Sequence[Puzzle]:
    """Return the puzzles of a game that come with this program; empty for third-party games.

    >>> {puzzle.game for puzzle in shipped("corridor")}
    {'corridor'}
    """
    file = files("trine.engine.puzzles.sets").joinpath(f"{game}.trine")
    if not file.is_file():
        return ()
    with as_file(file) as path:
        return tuple(read_puzzles(path))
