"""The puzzles of a house: the next one, the daily one, and ratings by attempts, with their tables.

An answer to an attempt tells whether the turn solves the puzzle, and if not, its refutation.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from typing import Final

import sqlalchemy as sa

from trine.core.contract.attempt import AttemptState
from trine.core.contract.record import format_record
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.engine.puzzles import exercise
from trine.engine.puzzles.puzzle import Puzzle, shipped
from trine.games import ROOMS, open_room
from trine.house.analysis.analysis_worker import AnalysisBots
from trine.house.background import Report
from trine.house.games.live.drafts import read_draft
from trine.house.games.storage.tables import games_of
from trine.house.lessons import trial
from trine.house.people.tables import Person
from trine.house.people.takeout import Takeout
from trine.house.ratings.glicko import Rating, rated
from trine.house.store.postgres import advisory_lock
from trine.house.store.schema import METADATA, first_of
from trine.house.store.store import Store
from trine.play.record.replay import record_of

FIRST_DEVIATION: Final = 150.0  # the deviation of a puzzle's rating before the first attempt. Guess
REPLY_TIME: Final = 0.5
"""Units: seconds; the computer's thinking time for a turn without a stored reply. Guess."""
REPLY_TIMEOUT: Final = 5.0  # seconds; how long a page waits for the computer's reply. Guess
CANDIDATES: Final = 8
"""The number of puzzles, rated nearest to the person, that the next one is drawn from. Guess."""
STRENGTHS: Final[Mapping[str, tuple[int, int]]] = {
    "easy": (0, 1199),
    "medium": (1200, 1599),
    "hard": (1600, 9999),
}
"""The minimum and the maximum rating of the puzzles of each difficulty."""


@dataclass(frozen=True)
class PuzzleStream:
    """The puzzles of a game that match a visitor's filters."""

    game: str
    rules: str = ""
    theme: str = ""
    strength: str = ""

    @property
    def puzzles(self) -> Sequence[Puzzle]:
        """The puzzles, in a pseudo-random order that is the same for all visitors."""
        least, most = STRENGTHS.get(self.strength, (0, 9999))
        return [
            one
            for one in _shuffle(self.game)
            if (not self.rules or one.rules == self.rules)
            and (not self.theme or self.theme in one.themes)
            and least <= one.rating <= most
        ]


@dataclass(frozen=True)
class Puzzles:
    """The puzzles of a house."""

    store: Store
    bots: AnalysisBots
    report: Report

    def daily(self, game_name: str, language: str) -> Puzzle | None:
        """Return the puzzle of the day, in the rule set of the rules document of a language."""
        room = open_room(game_name)
        known = PuzzleStream(game_name, room.document(language).rules).puzzles
        known = known or PuzzleStream(game_name, room.default_rules).puzzles
        if not known:
            return None
        day = datetime.fromtimestamp(self.store.now(), UTC).toordinal()
        return known[day % len(known)]

    async def usual(
        self, stream: PuzzleStream, person: Person | None, language: str
    ) -> PuzzleStream:
        """Return a series filtered by one rule set: the last one that the person played.

        For a person who has not played, it is the rule set of the game's rules document. If no
        puzzle would be left, the series is returned as it is.
        """
        games = await self.store.fetch(games_of, person.id) if person else []
        played = (game.rules for game in games if game.room == stream.game)
        rules = next(played, open_room(stream.game).document(language).rules)
        usual = replace(stream, rules=rules)
        return usual if usual.puzzles else stream

    async def next(self, stream: PuzzleStream, person: Person | None, after: str) -> Puzzle | None:
        """Return the next puzzle of a series.

        For an account, a puzzle that the person has not tried, rated near the person; otherwise the
        one that follows ``after`` in the order of the series.
        """
        known = stream.puzzles
        if not known:
            return None
        if person and person.has_account:
            tried = await self.store.fetch(tried_by, person.id, stream.game)
            if left := [one for one in known if one.name not in tried and one.name != after]:
                own = await self.store.fetch(latest_rating, person.id, stream.game)
                present = await self.store.fetch(ratings_of)
                rating = (own or Rating()).rating
                nearest = sorted(
                    left, key=lambda one: abs(present.get(one.name, one.rating) - rating)
                )[:CANDIDATES]
                return min(nearest, key=lambda one: _lot(one.name + after))
        names = [one.name for one in known]
        place = names.index(after) + 1 if after in names else 0
        return known[place % len(known)]

    async def rating(self, puzzle: Puzzle) -> int:
        found = await self.store.fetch(rating_of, puzzle.name)
        return round(found.rating) if found else puzzle.rating

    async def note(self, person: Person, puzzle: Puzzle, solved: bool) -> Tried | None:
        now, rate = self.store.now(), partial(_rate, puzzle, solved)
        return await self.store.commit(
            note_try, person.id, puzzle.game, puzzle.name, solved, now, rate
        )

    async def standings(self, person: Person | None) -> Mapping[str, PuzzleStanding]:
        if not person or not person.has_account:
            return {}
        return await self.store.fetch(standings, person.id)

    async def answer(
        self, learner: int, play: Play
    ) -> tuple[exercise.Answer, Sequence[str]] | None:
        """Return the computer's answer to a turn; None if it fails, or has not started yet."""
        if self.bots.progress(play.room.name):
            self.bots.want(play.room.name)
            return None
        record = format_record(record_of(play))
        try:
            thinking = self.bots.think(record, (), REPLY_TIME, 1)
            thought = await asyncio.wait_for(thinking, REPLY_TIMEOUT)
        except TimeoutError:
            return None  # the queue was too long
        except Exception as error:
            self.report("the computer failed to think", error)
            return None
        if not thought.chances or not thought.found.lines:
            return None
        turn = thought.found.lines[0].turns[0]
        return exercise.Answer(thought.chances[learner], f"{turn.tag} {turn.words}"), turn.ids


@cache
def known_puzzles() -> Mapping[str, Puzzle]:
    return {one.name: one for game in ROOMS for one in shipped(game)}


@cache
def _shuffle(game_name: str) -> Sequence[Puzzle]:
    return sorted(shipped(game_name), key=lambda one: _lot(one.name))


def _lot(words: str) -> bytes:
    return hashlib.sha256(words.encode()).digest()


def _rate(
    puzzle: Puzzle, solved: bool, own: Rating | None, other: Rating | None
) -> tuple[Rating, Rating]:
    own, other = own or Rating(), other or Rating(puzzle.rating, FIRST_DEVIATION)
    score = float(solved)
    return rated(own, [(other, score)], 0.0), rated(other, [(own, 1 - score)], 0.0)


Search = Callable[[Play], Awaitable[tuple[exercise.Answer, Sequence[str]] | None]]
"""Returns the computer's answer to a turn and the ids of its reply; None without a search."""


async def puzzle_state(
    puzzle: Puzzle, tried: trial.Trial, search: Search
) -> trial.LessonState | trial.Why | trial.Gestures:
    state = trial.lesson_state(puzzle.room, puzzle.rules, exercise.exercise(puzzle), tried)
    if isinstance(state, trial.LessonState) and state.state == AttemptState.MISSED.value:
        await _answer(puzzle, tried, state, search)
    return state


async def _answer(
    puzzle: Puzzle, tried: trial.Trial, state: trial.LessonState, search: Search
) -> None:
    """Mark a state as solved if the turn is as good as the solution; else store the reason."""
    play = Play(puzzle.room, puzzle.start)
    for given in tried.a:
        play.follow(read_draft(play, [given]))
    reply: Sequence[str] = ()
    why = exercise.known_reply(puzzle, play)
    if why:
        turns = exercise.refutation(puzzle, play.position)
        reply = [str(action) for action in turns[0].actions] if turns else ()
    elif found := await search(play):
        answer, reply = found
        if exercise.is_solved_by(puzzle, answer):
            state.state = AttemptState.SOLVED.value
            state.told = text("Done! {success}", success=text("Your turn is as good as ours."))
            return
        why = exercise.reply_text(puzzle, answer.reply, answer.chance)
    state.told = text("Not enough: {line}", line=why or exercise.ANOTHER)
    if reply:
        state.first = trial.scene_of(play).view
        for given in reply:
            play.follow(read_draft(play, [given]))
        state.view = trial.scene_of(play).view


def solution_of(puzzle: Puzzle) -> trial.Solution:
    play = Play(puzzle.room, puzzle.start)
    views = [trial.scene_of(play).view]
    for turn in puzzle.line:
        play.act_unchecked(*turn.actions)
        views.append(trial.scene_of(play).view)
    told = text("solution: {line}", line=exercise.written_line(puzzle, puzzle.line))
    return trial.Solution(views, told)


TRY: Final = sa.Table(
    "puzzle_try",
    METADATA,
    sa.Column("person", sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("puzzle", sa.String, primary_key=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("solved", sa.Boolean, nullable=False),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
    sa.Index(None, "person", "game", "at"),
)
"""A person's first attempt at a puzzle, with the person's rating after it."""

PUZZLE_RATING: Final = sa.Table(
    "puzzle_rating",
    METADATA,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("tries", sa.Integer, nullable=False),
    sa.Column("rating", sa.Double, nullable=False),
    sa.Column("deviation", sa.Double, nullable=False),
    sa.Column("volatility", sa.Double, nullable=False),
)
"""The rating of a puzzle that has been tried."""

Rate = Callable[[Rating | None, Rating | None], tuple[Rating, Rating]]
"""Returns new ratings of a person and a puzzle from their ratings, None before the first."""


@dataclass(frozen=True)
class Tried:
    """The ratings of a person before and after an attempt."""

    before: Rating | None
    after: Rating


@dataclass(frozen=True)
class PuzzleStanding:
    """A person's results and rating in the puzzles of a game."""

    tried: int
    solved: int
    rating: Rating


def note_try(
    connection: sa.Connection,
    person_id: str,
    game_name: str,
    puzzle: str,
    solved: bool,
    now: float,
    rate: Rate,
) -> Tried | None:
    advisory_lock(connection, "puzzles")  # each rating starts from the one before: no two at a time
    known = sa.select(TRY.c.puzzle).where(TRY.c.person == person_id, TRY.c.puzzle == puzzle)
    if connection.execute(known).first():
        return None
    own, other = latest_rating(connection, person_id, game_name), rating_of(connection, puzzle)
    after, puzzle_after = rate(own, other)
    connection.execute(
        sa.insert(TRY).values(
            person=person_id, puzzle=puzzle, game=game_name, at=now, solved=solved, **asdict(after)
        )
    )
    if other is None:
        row = {"name": puzzle, "tries": 1, **asdict(puzzle_after)}
        connection.execute(sa.insert(PUZZLE_RATING).values(row))
    else:
        connection.execute(
            sa.update(PUZZLE_RATING)
            .where(PUZZLE_RATING.c.name == puzzle)
            .values(tries=PUZZLE_RATING.c.tries + 1, **asdict(puzzle_after))
        )
    return Tried(own, after)


def latest_rating(connection: sa.Connection, person_id: str, game_name: str) -> Rating | None:
    mine = sa.select(TRY.c.rating, TRY.c.deviation, TRY.c.volatility).where(
        TRY.c.person == person_id, TRY.c.game == game_name
    )
    return first_of(connection, Rating, mine.order_by(TRY.c.at.desc()).limit(1))


def rating_of(connection: sa.Connection, puzzle: str) -> Rating | None:
    c = PUZZLE_RATING.c
    here = sa.select(c.rating, c.deviation, c.volatility).where(c.name == puzzle)
    return first_of(connection, Rating, here)


def ratings_of(connection: sa.Connection) -> Mapping[str, float]:
    rows = connection.execute(sa.select(PUZZLE_RATING.c.name, PUZZLE_RATING.c.rating))
    return {row.name: row.rating for row in rows}


def tried_by(connection: sa.Connection, person_id: str, game_name: str) -> set[str]:
    found = sa.select(TRY.c.puzzle).where(TRY.c.person == person_id, TRY.c.game == game_name)
    return set(connection.execute(found).scalars())


def standings(connection: sa.Connection, person_id: str) -> Mapping[str, PuzzleStanding]:
    counted = connection.execute(
        sa.select(TRY.c.game, sa.func.count(), sa.func.count().filter(TRY.c.solved))
        .where(TRY.c.person == person_id)
        .group_by(TRY.c.game)
    ).all()
    found = {}
    for game, tried, solved in counted:
        rating = latest_rating(connection, person_id, game)
        assert rating is not None
        found[game] = PuzzleStanding(tried, solved, rating)
    return found


def export_person(connection: sa.Connection, person_id: str, takeout: Takeout) -> None:
    rows = connection.execute(sa.select(TRY).where(TRY.c.person == person_id).order_by(TRY.c.at))
    takeout.about["puzzles"] = [
        {"game": row.game, "puzzle": row.puzzle, "at": row.at, "solved": row.solved} for row in rows
    ]
