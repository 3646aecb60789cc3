"""Puzzles: positions where one turn, or a few equal ones, is far better; stored as records.

The turns of the record are the solution and the expected line. Other solutions are variations of
the first turn; a tempting wrong turn is a variation with the note `WRONG`, followed by its
refutation. Files of puzzles are files of records.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from trine.core.contract.position import Action, Position, Turn
from trine.core.contract.record import Record, read_records
from trine.core.contract.room import Room
from trine.core.errors import MalformedError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, ctext, text
from trine.games import open_room
from trine.play.record.replay import opening, record_of
from trine.play.record.text_files import read_lines
from trine.play.record.variations import GameNode, tree_of, written_tree

SOLUTION_MARGIN: Final = 0.07
"""Units: chance; turns this close to the best one are solutions, as people should agree. Guess."""
JUDGE_NODES: Final = 20_000  # nodes; the limit of the search for each compared turn


@dataclass(frozen=True)
class JudgedTurn:
    """A turn with the win chance of its player and the expected line."""

    actions: tuple[Action, ...]
    after: Position
    chance: float
    line: tuple[tuple[Action, ...], ...]  # the best turns of all players, beginning with this one


@dataclass(frozen=True)
class Idea:
    """A theme that a turn realizes, and all turns that realize it."""

    theme: str
    share: float  # the share of the different turns that realize the theme
    keys: frozenset[int]  # the keys of the positions after the turns that realize the theme


@dataclass(frozen=True)
class Judgement:
    """The solutions of a position, and the best other turn."""

    before: Position
    solutions: tuple[JudgedTurn, ...]
    """If turns win at once, only one of them is here: the referee recognizes the others."""
    other: JudgedTurn | None  # None after an immediate win, since no other turn is compared
    idea: Idea | None = None
    """The idea whose turns all are solutions, the best one shown; None if only some turns are."""

    @property
    def best(self) -> JudgedTurn:
        return self.solutions[0]

    @property
    def at_once(self) -> bool:
        return wins_at_once(self.best)


def wins_at_once(turn: JudgedTurn) -> bool:
    return turn.after.outcome() is not None and turn.chance == 1


IMMEDIATE_WIN: Final = "at-once"
FORCED: Final = "forced"
HOLD: Final = "hold"
BETTER: Final = "better"
MAX_HOLD_CHANCE: Final = 0.6  # chance; up to this chance the best turn is a defence. Guess

STAKES: Final[Mapping[str, Text]] = {
    IMMEDIATE_WIN: ctext("theme", "win at once"),
    FORCED: ctext("theme", "sure win"),
    BETTER: ctext("theme", "advantage"),
    HOLD: ctext("theme", "defence"),
}
"""The stakes of puzzles, in a word or two."""
TASKS: Final[Mapping[str, Text]] = {
    IMMEDIATE_WIN: text("You can win with this very turn. How?"),
    FORCED: text("You have a turn that surely wins. Which?"),
    BETTER: text("You have one idea that is far better than all others. Which?"),
    HOLD: text("You are in danger. What holds?"),
}


def stake_of(judgement: Judgement) -> str:
    if judgement.at_once:
        return IMMEDIATE_WIN
    if judgement.best.chance == 1:
        return FORCED
    return HOLD if judgement.best.chance <= MAX_HOLD_CHANCE else BETTER


def theme_title(room: Room, name: str) -> Text:
    return STAKES[name] if name in STAKES else room.handbook.themes[name].title


NAME: Final = "Puzzle"
THEMES: Final = "Themes"
RATING: Final = "Rating"
CHANCES: Final = "Chances"
SOURCE: Final = "Source"
IDEA: Final = "Idea"
WRONG: Final = "not enough"  # the note on a wrong turn
LINE_TURNS: Final = 3  # turns; the stored length of a line


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
