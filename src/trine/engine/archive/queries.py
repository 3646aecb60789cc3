"""Queries of an archive: statistics, searches for games, and their records."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from trine.core.contract.position import Outcome, Position, Reason
from trine.core.contract.record import Record
from trine.engine.archive import parts
from trine.engine.archive.archive_writer import quoted_path
from trine.engine.archive.archived_game import written_record
from trine.engine.archive.position_keys import position_key
from trine.games import open_room
from trine.play.record.formats import read_unambiguous
from trine.play.record.statistics import RATING_BAND, By, GroupFigures

_GROUPS: Final = {
    By.RULES: "rules",
    By.PLAYERS: "unnest(list_distinct(list_filter(players, lambda one: one <> '')))",
    By.YEAR: "if(year = 0, '', year::varchar)",
    By.MONTH: "if(year = 0, '', left(date, 7))",
    By.CLOCK: "coalesce(clock, '')",
    By.RATING: f"coalesce(printf('%04d', floor(list_avg(ratings) / {RATING_BAND})::int"
    f" * {RATING_BAND}), '')",
}


@dataclass(frozen=True)
class GameFilter:
    """A search for games; empty fields match all games."""

    game: str = ""
    rules: str = ""
    player: str = ""
    result: str = ""  # the value of the tag Result or Reason
    years: tuple[int, int] | None = None  # the first and the last year
    position: tuple[str, Position] | None = None
    """A game, and a position that occurred at the beginning of a turn."""

    def condition(self, names: Mapping[str, str]) -> tuple[str, list[object]]:
        """Return an SQL condition and its values, without the position; ``names`` are by id."""
        meant = self.player.lower()
        players = [meant, *(one for one, name in names.items() if name.lower() == meant)]
        given: dict[str, object] = {
            "rules = ?": self.rules,
            "list_has_any(list_transform(players, lambda one: lower(one)), list_transform(?, "
            "lambda one: lower(one)))": players if meant else None,
            "lower(?) in (lower(result), reason)": self.result,
        }
        known = {part: value for part, value in given.items() if value}
        return " and ".join(["true", *known]), list(known.values())

    def holds(self, part: parts.ArchivePart) -> bool:
        """Return whether games of a part can match."""
        game = self.position[0] if self.position else self.game
        years = self.years or (part.year, part.year)
        return game in ("", part.game) and years[0] <= part.year <= years[1]


@dataclass(frozen=True)
class GameInArchive:
    """A game found in an archive."""

    part: parts.ArchivePart
    number: int  # number of the game in the part
    tags: Mapping[str, str] = field(compare=False)
    players: Sequence[str] = field(compare=False)
    ratings: Sequence[int | None] = field(compare=False)
    result: str | None = field(compare=False)
    reason: str | None = field(compare=False)
    turns: int = field(compare=False)


class Archive:
    """Answers queries of an archive."""

    def __init__(self, path: Path) -> None:
        """Open an archive; raises `TrineError` if there is none, or DuckDB is missing."""
        self.folder = parts.ArchiveFolder(path)
        self.folder.check()
        self.database = parts.open_database(path / parts.SPILL_FOLDER)
        self.names = parts.read_names(path)

    def figures(self, by: By) -> Mapping[tuple[str, str], GroupFigures]:
        """Return statistics by game and group, like `trine.play.record.statistics.count`."""
        counted: dict[tuple[str, str], GroupFigures] = {}
        for part in self.folder.parts():
            games = (
                f"(select *, {_GROUPS[by]} as grouped "
                f"from {table(self.folder.games(part))}, (select {part.year} as year))"
            )
            ended = self.database.execute(
                f"select grouped, winner, reason, turns, count(*) from {games} "
                "group by all order by all"
            )
            for group, winner, reason, turns, times in ended.fetchall():
                outcome = None if reason is None else Outcome(winner, Reason(reason))
                named = part.game, self._player_name(group)
                counted.setdefault(named, GroupFigures()).add(outcome, turns, times)
            taken = self.database.execute(
                f"select grouped, seconds, count(*) from {games} "
                f"join {table(self.folder.turns(part))} using (game) where seconds is not null "
                "group by all order by all"
            )
            for group, seconds, times in taken.fetchall():
                named = part.game, self._player_name(group)
                counted[named].seconds += [seconds] * times
        return dict(sorted(counted.items()))

    def find(self, wanted: GameFilter) -> Iterator[GameInArchive]:
        """Yield matching games by game and year, in the order of adding."""
        for part in filter(wanted.holds, self.folder.parts()):
            yield from self._find_in(part, wanted)

    def sources(self, beginning: str) -> set[str]:
        """Return the source files of games whose names begin with ``beginning``."""
        files = [self.folder.games(part) for part in self.folder.parts()]
        if not files:
            return set()
        found = self.database.execute(
            f"select distinct file from {table(*files)} where starts_with(file, ?)", [beginning]
        )
        return {file for (file,) in _fetch_rows(found)}

    def records(self, wanted: GameFilter) -> Iterator[Record]:
        for part in filter(wanted.holds, self.folder.parts()):
            found = list(self._find_in(part, wanted))
            rows = self.database.cursor().execute(
                "select game, turn, text, comments "
                f"from {table(self.folder.turns(part))} semi join "
                "(select unnest(?::uinteger[]) as wanted) on game = wanted order by game, number",
                [[one.number for one in found]],
            )
            grouped = groupby(_fetch_rows(rows), itemgetter(0))  # in the order of ``found``
            ahead = next(grouped, None)
            for one in found:
                turns = list(ahead[1]) if ahead and ahead[0] == one.number else []
                ahead = next(grouped, None) if turns else ahead
                yield _record(one, turns)

    def _find_in(self, part: parts.ArchivePart, wanted: GameFilter) -> Iterator[GameInArchive]:
        condition, values = wanted.condition(self.names)
        if wanted.position:
            key = position_key(open_room(part.game), wanted.position[1]).key
            there = f"select game from {table(self.folder.turns(part))} where key = ?"
            condition += f" and game in ({there})"
            values.append(key)
        rows = self.database.cursor().execute(
            "select game, tags, players, ratings, result, reason, turns "
            f"from {table(self.folder.games(part))} where {condition} order by game",
            values,
        )
        for number, tags, players, *facts in _fetch_rows(rows):
            named = {tag: self._player_name(value) for tag, value in json.loads(tags).items()}
            yield GameInArchive(part, number, named, [*map(self._player_name, players)], *facts)

    def _player_name(self, player: str) -> str:
        return self.names.get(player, player)


def records_in(path: Path, game: str, rules: str = "") -> Iterator[Record]:
    """Yield the records of a file in any known format, or those of an archive for a game.

    Raises:
        TrineError: the file cannot be read, or the folder is no archive.
    """
    if path.is_dir():
        return Archive(path).records(GameFilter(game=game, rules=rules))
    return read_unambiguous(path)


def table(*files: Path) -> str:
    names = ", ".join(map(quoted_path, files))
    return f"read_parquet([{names}], hive_partitioning = false)"


def _fetch_rows(rows: Any) -> Iterator[tuple[Any, ...]]:
    while some := rows.fetchmany(1000):
        yield from some


def _record(found: GameInArchive, turns: Sequence[tuple[Any, ...]]) -> Record:
    closing = {"Result": found.result, "Reason": found.reason}
    return written_record(
        found.tags,
        {name: value for name, value in closing.items() if value is not None},
        [turn for _, turn, _, _ in turns],
        [words for _, _, words, _ in turns],
        [said.split("\n") if said else [] for _, _, _, said in turns],
    )
