"""The opening explorer: the turns played from a position, with counts, results and games.

Games with a symmetric image of the position count too, mapped to the query; turns that lead to the
same position are one, however they are written. A game counts once, by its turn at the first
occurrence of the position.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from trine.core.contract.position import Action, History, Position, Symmetry
from trine.core.contract.room import Room
from trine.core.play import written_actions
from trine.core.text.sentence import split_words
from trine.engine.archive.explored import Explored, ExploredTurn, GameRef, Opening
from trine.engine.archive.parts import ArchivePart
from trine.engine.archive.position_keys import position_key
from trine.engine.archive.queries import Archive, table
from trine.play.record.replay import LEAVING

DEFAULT_TURNS: Final = 12
TOP_GAMES: Final = 3  # number of games listed for a turn: games of the highest rated players
LEAVING_WORDS: Final = frozenset(LEAVING.values())
"""The words in place of a turn if a player leaves a game of three or four."""


def explore(
    archive: Archive, room: Room, position: Position, most: int = DEFAULT_TURNS
) -> Explored:
    """Return the commonest turns, at most ``most``, from a position at the beginning of a turn."""
    parts = [part for part in archive.folder.parts() if part.game == room.name]
    if not parts:
        return Explored(0, 0, ())
    key, image = position_key(room, position)
    files = table(*map(archive.folder.turns, parts))
    # A game is packed into one number, ordered by the rating of the turn's player: a struct would
    # be ordered alike, but takes four times as long.
    rows = archive.database.execute(
        f"""
        with firsts as (
            from (select *, file_index from {files}) where key = ?
            qualify row_number() over (partition by file_index, game order by number) = 1
        ), played as (
            select count(*) as games,
                count(*) filter (score = 1) as wins,
                count(*) filter (score = 0.5),
                count(*) filter (score = 0),
                avg(rating),
                min(text) as words,
                arg_min(image, text),
                max(
                    (coalesce(rating, 0)::ubigint << 48)
                        | (file_index::ubigint << 32) | game::ubigint,
                    {TOP_GAMES}
                )
            from firsts group by after
        )
        select *, sum(games) over () as every, count(*) over () as different
        from played order by games desc, wins desc, words limit ?""",
        [key, most],
    ).fetchall()
    seen = TurnMapper(room, position, image)
    met = _game_refs(archive, parts, [packed for row in rows for packed in row[7]])
    played = []
    for games, wins, draws, losses, rating, words, how, top_games, _, _ in rows:
        actions, notation = seen.turn(words, how)
        known = tuple(met[packed] for packed in top_games)
        played.append(ExploredTurn(actions, notation, games, wins, draws, losses, rating, known))
    every, different = rows[0][8:] if rows else (0, 0)
    return Explored(int(every), different, tuple(played))


def openings(archive: Archive, player: str, most: int) -> list[Opening]:
    """Return the most frequent first turns of a player, by name."""
    found: list[Opening] = []
    for game, parts in groupby(archive.folder.parts(), lambda part: part.game):
        each = " union all ".join(
            "select rules, seats, seat, after, text, score "
            f"from {table(archive.folder.turns(part))} join ("
            "select game, rules, len(players) as seats, list_position(players, $1) - 1 as seat "
            f"from {table(archive.folder.games(part))} where list_contains(players, $1)"
            ") using (game) where number = seat and score is not null"
            for part in parts
        )
        rows = archive.database.execute(
            f"""select rules, seats, seat, min(text), count(*), count(*) filter (score = 1),
                count(*) filter (score = 0.5)
            from ({each}) group by rules, seats, seat, after""",
            [player],
        )
        found += [Opening(game, *row) for row in rows.fetchall()]
    found.sort(key=lambda one: (-one.games, one.game, one.rules, one.seat, one.words))
    return found[:most]


def _game_refs(
    archive: Archive, parts: Sequence[ArchivePart], wanted: Sequence[int]
) -> dict[int, GameRef]:
    """Return games by packed numbers: the game in bits 0 to 31, the part in bits 32 to 47."""
    places: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for packed in wanted:
        places[packed >> 32 & 0xFFFF][packed & 0xFFFFFFFF] = packed
    found = {}
    for part, games in places.items():
        numbers = ", ".join(map(str, games))
        rows = archive.database.execute(
            "select game, players, ratings, date, result, reason, file "
            f"from {table(archive.folder.games(parts[part]))} where game in ({numbers})"
        ).fetchall()
        for game, players, ratings, date, result, reason, source in rows:
            facts = date or "", result or "", reason or "", source or ""
            found[games[game]] = GameRef(tuple(players), tuple(ratings), *facts)
    return found


class TurnMapper:
    """Maps turns from symmetric positions to the position of the query."""

    def __init__(self, room: Room, position: Position, image: str) -> None:
        self._room, self._position = room, position
        to_common = self._symmetry_of_name(room.rules.symmetries(position), image)
        self._common = to_common.position(position)
        self._back = self._inverse(to_common, position)

    def turn(self, words: str, image: str) -> tuple[tuple[Action, ...], str]:
        """Map a stored turn to the position of the query, by the symmetry named ``image``."""
        if words in LEAVING_WORDS:
            return (), words
        to_common = self._symmetry_of_name(self._room.rules.symmetries(self._common), image)
        there = next(
            one.position(self._common)
            for one in self._room.rules.symmetries(self._common)
            if to_common.position(one.position(self._common)) == self._common
        )
        actions = tuple(
            self._back.action(to_common.action(action)) for action in self._read(there, words)
        )
        return actions, written_actions(self._room, self._position, actions)

    def _read(self, position: Position, words: str) -> Iterator[Action]:
        """Yield the actions of a turn, with its end if the game has one."""
        left, mover = split_words(words), position.mover
        while left:
            action, used = self._room.rules.read_action(position, left, History())
            yield action
            position, left = position.play_unchecked(action), left[used:]
        if self._room.rules.end is not None and position.turn_open and position.mover == mover:
            yield self._room.rules.end

    def _inverse(self, symmetry: Symmetry, position: Position) -> Symmetry:
        there = symmetry.position(position)
        return next(
            one for one in self._room.rules.symmetries(there) if one.position(there) == position
        )

    @staticmethod
    def _symmetry_of_name(symmetries: Sequence[Symmetry], name: str) -> Symmetry:
        return next(one for one in symmetries if one.name == name)
