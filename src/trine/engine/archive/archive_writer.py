"""Adding games to an archive, and merging its small parts.

The table ``games``, in the order of adding:

| column | |
|---|---|
| `game` | the number of the game in its part |
| `id` | `ArchivedGame.identity` |
| `rules`, `date`, `event`, `clock` | tags |
| `players`, `ratings` | lists, in turn order |
| `winner`, `result`, `reason` | the number of the winner, and the tags about the end |
| `turns` | their number |
| `tags` | all tags but those about the end, as JSON |
| `file`, `line` | the source of the record |

The table ``turns``, in the order of their keys, so that turns from one position are adjacent:

| column | |
|---|---|
| `key`, `image` | the key of the position before the turn, and the symmetry that leads to it |
| `after` | the key of the position after the turn |
| `game`, `number` | the numbers of the game in its part, and of the turn in its game, from 0 |
| `turn`, `text` | the tag, as `2g`, and the actions in the notation of records |
| `score`, `rating` | of its player: the score of the game, 1, 0.5 or 0, and the rating |
| `seconds`, `comments` | its time, and the comments of the record, one a line |
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from trine.core.contract.record import Record
from trine.core.errors import FileError, TrineError
from trine.core.text.sentence import verbatim
from trine.engine.archive.archived_game import ArchivedGame, archived_game
from trine.engine.archive.parts import (
    SPILL_FOLDER,
    ArchiveFolder,
    ArchivePart,
    by_kind,
    open_database,
)
from trine.play.record.time_notes import seconds_of

GAME_COLUMNS: Final = """
    game, id, rules, date::varchar as date, event::varchar as event, clock::varchar as clock,
    string_split(players, chr(10)) as players,
    list_transform(string_split(ratings, chr(10)), lambda one: try_cast(one as smallint))
        as ratings,
    if(winner < 0, null, winner) as winner,
    result::varchar as result, reason::varchar as reason, turns, tags, file, line"""
TURN_COLUMNS: Final = """
    key, image, after, game, number, turn, text,
    if(isnan(score), null, score) as score, if(rating = 0, null, rating) as rating,
    if(isnan(seconds), null, seconds) as seconds, comments::varchar as comments"""
PARQUET_OPTIONS: Final = "format parquet, compression zstd, row_group_size 122880"
"""Larger row groups are slower to scan, smaller ones take more space."""


class Columns:
    """Buffers games of one game and year, until they are written as a part."""

    def __init__(self) -> None:
        self._games: list[ArchivedGame] = []
        self.turns = 0

    def add(self, game: ArchivedGame) -> None:
        self._games.append(game)
        self.turns += len(game.turns)

    def write(self, database: Any, folder: ArchiveFolder, game: str, year: int) -> ArchivePart:
        """Write the buffered games as the next part; raises `FileError`."""
        part = folder.next_part(game, year)
        unfinished = folder.unfinished(part)
        turns, games = unfinished
        database.register("new_turns", self._turn_arrays())
        database.register("new_games", self._game_arrays())
        try:
            write(database, f"select {TURN_COLUMNS} from new_turns order by key, game", turns)
            write(database, f"select {GAME_COLUMNS} from new_games order by game", games)
        finally:
            database.unregister("new_turns")
            database.unregister("new_games")
        folder.put(part, unfinished)
        return part

    def _turn_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns of turns; missing numbers are NaN or 0."""
        games = self._games
        lengths = [len(game.turns) for game in games]
        return {
            "key": np.concatenate([game.keys[:-1] for game in games]),
            "after": np.concatenate([game.keys[1:] for game in games]),
            "game": np.repeat(np.arange(len(games), dtype=np.uint32), lengths),
            "number": np.concatenate([np.arange(length, dtype=np.uint16) for length in lengths]),
            "score": _of_movers(games, ArchivedGame.score, np.float32, np.nan),
            "rating": _of_movers(games, ArchivedGame.rating, np.int16, 0),
            "seconds": np.array(
                [_or(seconds_of(said), np.nan) for game in games for said in game.comments],
                np.float64,
            ),
            "image": _texts(image for game in games for image in game.images[:-1]),
            "turn": _texts(turn for game in games for turn in game.turns),
            "text": _texts(words for game in games for words in game.texts),
            "comments": _texts("\n".join(said) or None for game in games for said in game.comments),
        }

    def _game_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns of games; a missing winner is -1."""
        games = self._games
        columns: dict[str, NDArray[Any]] = {
            "game": np.arange(len(games), dtype=np.uint32),
            "id": np.array([game.identity for game in games], np.uint64),
            "winner": np.array([_or(game.winner, -1) for game in games], np.int8),
            "turns": np.array([len(game.turns) for game in games], np.uint16),
            "line": np.array([game.line for game in games], np.uint32),
            "file": _texts(game.file for game in games),
            "reason": _texts(game.reason for game in games),
            "result": _texts(game.closing.get("Result") for game in games),
            "players": _texts("\n".join(game.players) for game in games),
            "ratings": _texts(
                "\n".join("" if rating is None else str(rating) for rating in game.ratings)
                for game in games
            ),
            "tags": _texts(json.dumps(game.tags, ensure_ascii=False) for game in games),
        }
        for name in ("Rules", "Date", "Event", "Clock"):
            columns[name.lower()] = _texts(game.tags.get(name) for game in games)
        return columns


def _of_movers(
    games: Sequence[ArchivedGame],
    fact: Callable[[ArchivedGame, int], float | None],
    kind: type[np.generic],
    missing: float,
) -> NDArray[Any]:
    found = []
    for game in games:
        facts = np.array(
            [_or(fact(game, player), missing) for player in range(len(game.players))], kind
        )
        found.append(facts[np.array(game.movers, np.intp)])
    return np.concatenate(found)


def _or(value: float | None, missing: float) -> Any:
    return missing if value is None else value


def _texts(values: Iterable[str | None]) -> NDArray[Any]:
    return np.array(list(values), object)


def merge(database: Any, folder: ArchiveFolder, parts: Sequence[ArchivePart]) -> ArchivePart:
    """Write one part in place of consecutive parts of one game and year.

    The files of the old parts stay until the next adding, since other processes may read them.
    """
    merged = replace(parts[0], last=parts[-1].last)
    unfinished = folder.unfinished(merged)
    counts = [count_rows(database, folder.games(part)) for part in parts]
    firsts = [*accumulate(counts, initial=0)][:-1]
    for file_of, order, file in zip(
        (folder.turns, folder.games), ("key, game", "game"), unfinished, strict=True
    ):
        each = (
            f"select * replace ((game + {first})::uinteger as game) "
            f"from read_parquet({quoted_path(file_of(part))}, hive_partitioning = false)"
            for part, first in zip(parts, firsts, strict=True)
        )
        write(database, f"select * from ({' union all '.join(each)}) order by {order}", file)
    folder.put(merged, unfinished)
    return merged


def count_rows(database: Any, file: Path) -> int:
    found = database.execute(f"select num_rows from parquet_file_metadata({quoted_path(file)})")
    return int(found.fetchone()[0])


def write(database: Any, query: str, file: Path) -> None:
    """Write the rows of a query as a Parquet file; raises `FileError`."""
    try:
        database.execute(f"copy ({query}) to {quoted_path(file)} ({PARQUET_OPTIONS})")
    except Exception as error:
        if type(error).__name__ != "IOException":  # matched by name: DuckDB is not imported here
            raise
        problem = verbatim(str(error).partition("\n")[0])
        raise FileError("{file}: {problem}", file=str(file), problem=problem) from None


def quoted_path(file: Path) -> str:
    """Return a path as an SQL string.

    >>> quoted_path(Path("Anna's games.parquet"))
    "'Anna''s games.parquet'"
    """
    return "'" + str(file).replace("'", "''") + "'"


WRITE_TURNS: Final = 1_000_000  # turns; the size of the buffer in memory, about 250 MB
MERGE_COUNT: Final = 8
"""This many consecutive parts of one size are merged into one, recursively, so that nightly
additions do not leave thousands of files."""
MAX_MERGED_TURNS: Final = 16_000_000  # turns; larger merges would take minutes

Kind = tuple[str, int]  # a game and a year


class ArchiveWriter:
    """Adds games to an archive."""

    def __init__(self, folder: ArchiveFolder, database: Any) -> None:
        self._folder = folder
        self._database = database
        self._known: dict[Kind, set[int]] = {}
        self._waiting: dict[Kind, Columns] = {}

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        """Open or create an archive; all games are written by the end of the block."""
        folder = ArchiveFolder(path)
        with open_database(path / SPILL_FOLDER) as database, folder.open_to_add():
            writer = cls(folder, database)
            try:
                yield writer
            except TrineError:
                writer.write()
                raise
            writer.write()

    def add(self, record: Record) -> bool:
        """Add a record; return False if the archive already has it. Raises `TrineError`."""
        game = archived_game(record)
        kind = game.game, game.year
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = self._identities(kind)
        if (identity := game.identity) in known:
            return False
        known.add(identity)
        self._waiting.setdefault(kind, Columns()).add(game)
        if sum(columns.turns for columns in self._waiting.values()) >= WRITE_TURNS:
            self.write()
        return True

    def write(self) -> None:
        while self._waiting:
            kind = next(iter(self._waiting))
            self._waiting[kind].write(self._database, self._folder, *kind)
            del self._waiting[kind]
            self._merge(kind)

    def _identities(self, kind: Kind) -> set[int]:
        parts = by_kind(self._folder.parts()).get(kind, ())
        files = ", ".join(quoted_path(self._folder.games(part)) for part in parts)
        if not files:
            return set()
        found = self._database.execute(f"select id from read_parquet([{files}])")
        return set(found.fetchnumpy()["id"].tolist())

    def _merge(self, kind: Kind) -> None:
        """Merge the newest parts of a kind while there are enough of one size."""
        while True:
            newest = by_kind(self._folder.parts())[kind][-MERGE_COUNT:]
            spans = {part.last - part.first for part in newest}
            if len(newest) < MERGE_COUNT or len(spans) > 1:
                return
            turns = sum(count_rows(self._database, self._folder.turns(part)) for part in newest)
            if turns > MAX_MERGED_TURNS:
                return
            merge(self._database, self._folder, newest)
