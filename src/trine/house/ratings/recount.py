"""Recomputing ratings: from the journals of all games, or since the first annulled game."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import merge

from sqlalchemy import Connection

from trine.house.games.storage.events import read_events
from trine.house.games.storage.records import entries_of
from trine.house.games.storage.tables import Stage, all_games, read_game, read_seats
from trine.house.people.tables import younger_than
from trine.house.ratings import ratings, tables
from trine.house.ratings.ratings import Result
from trine.house.ratings.tables import RatingRow, all_ratings, annulled
from trine.house.store.postgres import advisory_lock
from trine.house.store.store import Store
from trine.play.session.changes import rebuild

Change = Callable[[Connection], list[str]]
"""A function that annuls or reinstates games; it returns the changed ones."""
Log = Callable[[Connection, Sequence[str]], None]
"""A function that logs which games were annulled or reinstated."""


def recompute_ratings(store: Store) -> list[RatingRow]:
    """Return all ratings, recomputed from the journals of the games, in the order of their ends."""
    rows: list[RatingRow] = []
    latest: dict[tuple[str, str], RatingRow] = {}
    days: Counter[tuple[frozenset[str], tuple[float, float]]] = Counter()
    cheap: defaultdict[tuple[str, tuple[float, float]], dict[str, float]] = defaultdict(dict)
    for result in _in_order(store):
        day = ratings.day_of(result.at)
        met = (frozenset(result.people), day)
        days[met] += 1
        if days[met] > ratings.MAX_RATED_A_DAY:
            continue
        before = {person: latest.get((person, result.discipline)) for person in result.people}
        won = cheap[result.discipline, day]
        young = store.read(younger_than, result.people, result.at - ratings.YOUNG_ACCOUNT)
        for row in ratings.new_rows(result, before, ratings.share_of(days[met] - 1), won, young):
            latest[row.person, row.discipline] = row
            won[row.person] = won.get(row.person, 0.0) + (row.early or 0.0)
            rows.append(row)
    return rows


def _in_order(store: Store) -> Iterator[Result]:
    """Yield the results that count, in the order of rating; unrated ones by the time of the end."""
    known = dict.fromkeys(row.game for row in store.read(all_ratings))
    others = [
        game.id
        for game in all_games(store)
        if game.id not in known and game.stage is Stage.OVER and game.terms.get("rated")
    ]
    out = store.read(annulled, others)
    missing = (store.read(result_of_journal, name) for name in others if name not in out)
    rated = (store.read(result_of_journal, name) for name in known)
    return _merge(rated, missing)


def _merge(rated: Iterable[Result | None], others: Iterable[Result | None]) -> Iterator[Result]:
    """Yield rated results in their order, with others merged in by the time of their end."""
    merged_in = sorted((one for one in others if one), key=lambda one: (one.at, one.game))
    return merge((one for one in rated if one), merged_in, key=lambda one: one.at)


def result_of_journal(connection: Connection, game_id: str) -> Result | None:
    """Return the result of a game, replayed from its journal; None if the game is not rated."""
    row = read_game(connection, game_id)
    entries = entries_of(read_events(connection, game_id))
    if not row or not entries:
        return None
    agreement, seats = row.agreement, read_seats(connection, game_id)
    if not ratings.rated_players(agreement, seats) or not (outcome := rebuild(entries).outcome):
        return None
    return ratings.result_of(game_id, agreement, seats, outcome, entries)


def annul(
    store: Store, games: Collection[str], actor: str | None, now: float, log: Log | None = None
) -> list[str]:
    """Annul rated games, and recompute all later ratings; return the games that counted before.

    ``log`` is called with the annulled games in the same transaction.

    Limits: the later games are replayed, which takes minutes for thousands of them. The house keeps
    running meanwhile; only the last step, the transaction that stores the ratings, blocks it.
    """
    return _change(store, games, partial(tables.annul, games=games, actor=actor, now=now), log)


def reinstate(store: Store, games: Collection[str], log: Log | None = None) -> list[str]:
    """Reinstate games; return those that were annulled; ``log`` as for `annul`."""
    return _change(store, games, partial(tables.reinstate, games=games), log)


def _change(
    store: Store, games: Collection[str], change: Change, log: Log | None = None
) -> list[str]:
    known = {game: store.read(result_of_journal, game) for game in games}
    changed = [one for one in known.values() if one]
    since, _ = ratings.day_of(min((one.at for one in changed), default=store.now()))
    later = [row.game for _, row in store.read(tables.ratings_since, since)]
    for game in (*later, *store.read(_others_of, changed)):
        if game not in known:
            known[game] = store.read(result_of_journal, game)
    return store.write(_recount, change, known, log).result()


def _others_of(connection: Connection, results: Collection[Result]) -> set[str]:
    """Return the finished games of the same people that have not been rated.

    If a daily limit was reached, annulling one game lets another of these count.
    """
    people = {frozenset(one.people) for one in results}
    return {game for pair in people for game in tables.games_without(connection, pair)}


def _recount(
    connection: Connection, change: Change, known: Mapping[str, Result | None], log: Log | None
) -> list[str]:
    """Change which games count, then recompute later ratings; ``known`` results are reused."""

    def results_of(games: Iterable[str]) -> list[Result]:
        found = (
            known[game] if game in known else result_of_journal(connection, game) for game in games
        )
        return [one for one in found if one]

    advisory_lock(connection, "ratings")
    games = change(connection)
    if games and log:
        log(connection, games)
    changed = results_of(games)
    if not changed:
        return games
    at = min(one.at for one in changed)
    taken = tables.take_ratings_since(connection, games, at)
    others = (_others_of(connection, changed) | {*games}) - {*taken}
    out = annulled(connection, [*taken, *others])
    unrated = [one for one in results_of(others - out) if one.at >= at]
    for one in _merge(results_of(game for game in taken if game not in out), unrated):
        ratings.count_result(connection, one)
    return games
