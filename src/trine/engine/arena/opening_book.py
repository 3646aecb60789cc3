"""The openings of a match's games, so that two players do not repeat one game.

An opening is a start, by options of the game, and a line of turns. It depends only on the seed of
the match and its number, so any process can make it.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final, Self

import numpy as np

from trine.core.contract.heuristics import Heuristics, Kernel
from trine.core.contract.position import Options, Position, Seat
from trine.core.contract.record import format_record, read_records
from trine.core.contract.room import Room
from trine.core.errors import FileError, IllegalError, MalformedError, Place, TrineError
from trine.core.play import Play
from trine.core.text.sentence import quoted, text, typed
from trine.engine.selfplay.selfplay_plan import begin, left_to_chance, play_random_turn, set_up
from trine.games import NO_OPTIONS, open_heuristics, open_kernel, open_room, start_position
from trine.play.record.formats import read_unambiguous
from trine.play.record.replay import record_of, replay
from trine.play.record.text_files import read_lines

AUTO: Final = "auto"
START: Final = "start"
RANDOM_TURNS: Final = 4
"""Units: turns; the length of a random line, for games without openings of their own. Guess."""
FAIR_LINE_TRIES: Final = 100  # maximum number of random lines tried to find a fair one. Guess
FAIR_ADVANTAGE: Final = 100
"""Units: points; the largest advantage in a fair random line: a chance of 64 %. Guess."""
FILE_TURNS: Final = 8  # turns; the default length of the opening of a recorded game. Guess


@dataclass(frozen=True)
class Openings:
    """The openings of a match, by number."""

    game: str
    rules: str
    options: tuple[tuple[str, str], ...] = ()
    """The chosen start options; the game chooses the others."""
    kind: str = AUTO
    turns: int = RANDOM_TURNS
    book: tuple[str, ...] = ()
    """The openings of a file: positions, or records cut to their openings, as text."""
    title: str = AUTO  # name in reports

    def begin(self, seed: int, number: int) -> Play:
        """Return a play after an opening, determined by the seed and a number from 0."""
        room, options = open_room(self.game), dict(self.options)
        if self.book:
            return _from_book(room, self.rules, self.book[number % len(self.book)])
        if self.kind == START:
            return Play(room, start_position(room, self.rules, options))
        rng = rng_for(seed, "opening", number)
        play = begin(room, self.rules, options, rng)
        if self.kind == AUTO and left_to_chance(room, self.rules, options):
            return play
        turns = self.turns
        if self.kind == AUTO and room.sets_up_whole(play.position):
            # Sound setups are few, so each player also plays a random turn.
            turns = len(play.position.seats)
        return _fair_line(play, turns, rng)

    def with_options(self, options: Sequence[tuple[str, str]]) -> Self:
        return replace(self, options=(*self.options, *options)) if options else self

    @property
    def first(self) -> Position:
        room = open_room(self.game)
        if self.book:
            return _from_book(room, self.rules, self.book[0]).start
        return start_position(room, self.rules, dict(self.options))

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(self.first.seats)


def parse_openings(
    words: str, game: str, rules: str, options: Options = NO_OPTIONS, turns: int = FILE_TURNS
) -> Openings:
    """Read a specification of openings: ``auto``, ``start``, ``random:N`` or a file name.

    Openings that are cut from records have ``turns`` turns.

    Raises:
        FileError: the file is missing or empty.
        IllegalError: a game cannot begin from an opening, games might never end, or options are
            combined with a file.
        TrineError: the specification is malformed.
    """
    room = open_room(game)
    first = start_position(room, rules, options)  # raises an error for malformed options
    if first.rules.repetition_allowed and not first.rules.draws:
        raise IllegalError("by these rules a game of programs might never end")
    given = tuple(options.items())
    if words != START and not Path(words).exists():
        room.check_search(first)  # openings are evaluated
    if words in (AUTO, START):
        return Openings(game, rules, given, words, title=words)
    if line := re.fullmatch(r"random:([0-9]{1,3})", words):
        return Openings(game, rules, given, "random", int(line[1]), title=words)
    if not Path(words).exists():
        raise FileError(
            "no openings {given}: write auto, start, random:4, or the name of a file",
            given=quoted(words),
        )
    if given:
        raise IllegalError(
            "openings of a file leave nothing to choose; leave out {options}",
            options=", ".join(f"--{tag.lower()}" for tag, _ in given),
        ).at(words)
    book = tuple(_read_book(Path(words), room, rules, turns))
    return Openings(game, rules, (), "file", book=book, title=Path(words).name)


def rng_for(seed: int, *what: object) -> Random:
    """Return the random generator for one purpose in a match, independent of all others.

    >>> rng_for(1, "opening", 0).getrandbits(8) == rng_for(1, "opening", 0).getrandbits(8)
    True
    """
    words = " ".join(map(str, (seed, *what)))
    return Random(int.from_bytes(hashlib.sha256(words.encode()).digest()[:16], "big"))


def read_positions(path: Path, game: str, rules: str) -> Iterator[Position]:
    """Yield the position after each opening of a file; raises what `parse_openings` raises."""
    room = open_room(game)
    for entry in _read_book(path, room, rules, FILE_TURNS):
        yield _from_book(room, rules, entry).position


def _read_book(path: Path, room: Room, rules: str, turns: int) -> Iterator[str]:
    """Yield the checked openings of a file: one position a line, or records."""
    of_positions = not any(line.startswith(("[", "(")) for line in read_lines(path))
    seats = 0
    for play, place in (
        _positions(path, room, rules) if of_positions else _beginnings(path, room, rules, turns)
    ):
        here = len(play.start.seats)
        if play.outcome:
            over = text("no game can begin here, it is over: {why}", why=play.outcome.reason.text)
            raise IllegalError(over, place)
        if seats not in (0, here):
            raise IllegalError(
                text(
                    "an opening for {given} players, after openings for {seats}",
                    given=here,
                    seats=seats,
                ),
                place,
            )
        seats = here
        yield (
            room.rules.format_position(play.start)
            if of_positions
            else format_record(record_of(play))
        )
    if not seats:
        raise FileError("{file} holds no openings", file=str(path))


def _positions(path: Path, room: Room, rules: str) -> Iterator[tuple[Play, Place]]:
    for number, line in enumerate(read_lines(path), start=1):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            place = Place(str(path), number)
            try:
                start = start_position(room, rules, NO_OPTIONS, bare)
            except TrineError as error:
                raise error.at(place.file, place.line) from None
            yield Play(room, start), place


def _beginnings(path: Path, room: Room, rules: str, turns: int) -> Iterator[tuple[Play, Place]]:
    for record in read_unambiguous(path):
        place = Place(record.file, record.line)
        if record.tags.get("Game") != room.name:
            raise MalformedError(
                text(
                    "a game of {given}, not of {game}",
                    given=record.tags.get("Game", "-"),
                    game=typed(room.title),
                ),
                place,
            )
        play = replay(record, rules)
        cut = Play(room, play.start)
        for turn in play.turns[:turns]:
            if turn.left:
                break
            for action in turn.actions:
                cut.act(action)
            if cut.outcome:  # a game must be playable from here
                cut.take_back()
                break
        yield cut, place


def _from_book(room: Room, rules: str, entry: str) -> Play:
    if not entry.startswith("["):
        return Play(room, start_position(room, rules, NO_OPTIONS, entry))
    (record,) = read_records(entry.splitlines(keepends=True))
    return replay(record, rules)


def _fair_line(start: Play, turns: int, rng: Random) -> Play:
    """Return a play after a fair random line, or after the fairest line tried."""
    evaluator = _Evaluator(start)
    fairest: tuple[float, Play] | None = None
    for _ in range(FAIR_LINE_TRIES):
        play = start.copy()
        set_up(play, rng)
        for _ in range(turns):
            play_random_turn(play, rng)
        if play.outcome:
            continue
        advantage = evaluator.advantage(play)
        if advantage <= FAIR_ADVANTAGE:
            return play
        if fairest is None or advantage < fairest[0]:
            fairest = advantage, play
    if fairest is None:
        raise MalformedError(
            "random:{turns} is too long: by then these games are over", turns=turns
        )
    return fairest[1]


class _Evaluator:
    """Evaluates positions of a play."""

    def __init__(self, play: Play) -> None:
        name = play.room.name
        self._kernel: Kernel = open_kernel(name)
        self._heuristics: Heuristics = open_heuristics(name)
        self._row = np.zeros(self._kernel.words, np.uint64)
        self._counts = np.zeros(len(self._heuristics.terms), np.float32)

    def advantage(self, play: Play) -> float:
        """Return the greatest advantage of a player, in points; infinite for a detected win."""
        self._kernel.to_row(play.position, self._row)
        if self._heuristics.detect_win(self._row):
            return float("inf")
        players: Sequence[int] = play.position.playing
        row, weights, counts = self._row, self._heuristics.weights, self._counts
        points: list[Any] = [
            self._heuristics.evaluate(row, one, weights, counts) for one in players
        ]
        return float(max(map(abs, points)))
