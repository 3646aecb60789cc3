"""The puzzle moments of a house's games: turns that lost much, found by reviews on request.

Players can send a moment to others by a link.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Annotated, Final

from sqlalchemy import Connection, Index, Text, delete, select, update

from trine.core.contract.choices import named_actions
from trine.core.contract.position import Action, Position
from trine.core.contract.record import format_record, read_records
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.engine.players.assessment import turns_of
from trine.engine.players.review import (
    PositionValue,
    ReviewedTurn,
    ReviewProgress,
    count_reviewable,
)
from trine.engine.puzzles.puzzle import (
    JudgedTurn,
    Judgement,
    Puzzle,
    make_puzzle,
    puzzle_of,
    stake_of,
)
from trine.house.analysis.reviews import OF_A_SEAT, REVIEW_COST, GameReview, Reviews, record_of_game
from trine.house.analysis.study import StudyRegistry
from trine.house.games.live.games import Games
from trine.house.people.quotas import QuotaKind, Quotas
from trine.house.people.tables import Person
from trine.house.people.takeout import ALL, Takeout
from trine.house.refusals import HouseError, NotFoundError
from trine.house.store.schema import Key, add_row, all_of, count_of, first_of, table_of
from trine.house.store.secrets import new_id
from trine.house.store.store import Store
from trine.house.store.store_errors import TooManyError


def times_of(found: GameReview, seat: int | None) -> list[Puzzle]:
    """Return the moments of a player, or of all players, the costliest first."""
    moments = (_moment(found, turn) for turn in found.mistakes(seat))
    return [puzzle for puzzle in moments if puzzle][:OF_A_SEAT]


def _moment(found: GameReview, turn: ReviewedTurn) -> Puzzle | None:
    room, before = found.review.play.room, turn.turn.before
    start = room.rules.parse_position(room.rules.format_position(before), before.rules.name)
    play = Play(room, start)
    assert turn.better
    ids = found.judged[turn.index].better_turn
    line = turn.better.line if len(turn.better.line) >= len(ids) else ids
    better = _judge(play, _actions(start, line), turn.before)
    played = _judge(play, turn.turn.actions, turn.after)
    if better is None or played is None or better.after == played.after:
        return None
    judgement = Judgement(start, (better,), played)
    themes = [stake_of(judgement), *found.judged[turn.index].themes]
    return make_puzzle(play, judgement, 0, themes, "")


def _actions(start: Position, ids: Iterable[Action]) -> list[Action]:
    return [action for _, action in named_actions(start, map(str, ids))]


def _judge(play: Play, actions: Sequence[Action], worth: PositionValue) -> JudgedTurn | None:
    """Return the first turn of a line, with its value; None if the line ends within that turn."""
    ahead = play.copy()
    for action in actions:
        if ahead.turns:
            break
        ahead.act_unchecked(action)
    if not ahead.turns:
        return None
    own = worth.chances[play.mover]
    line = tuple(turn for _, turn in turns_of(play.position, actions))
    return JudgedTurn(line[0], ahead.position, own, line)


@dataclass(frozen=True)
class Found:
    """The moments of a game; none while the game is being reviewed."""

    puzzles: Sequence[Puzzle]
    ready: bool
    progress: ReviewProgress | None = None


@dataclass(frozen=True)
class Moments:
    """The moments of the games of a house."""

    games: Games
    studies: StudyRegistry
    reviews: Reviews

    async def seats_of(self, game_id: str, person: Person | None) -> frozenset[int]:
        snapshot = (await self.games.actor(game_id)).snapshot
        return snapshot.seats_of(person.id if person else None)

    async def of(
        self, game_id: str, person: Person | None, charge: Callable[[float], None]
    ) -> Found:
        """Return the moments of a person's seat in a game, or of all seats for other viewers.

        ``charge`` is called with the cost of a review, if one has to be begun.

        Raises:
            HouseError: the game is not over.
            IllegalError: the game cannot be reviewed.
        """
        actor = await self.games.actor(game_id)
        snapshot = actor.snapshot
        if not (snapshot.state and snapshot.over):
            raise HouseError("a game can be reviewed when it is over")
        study = await self.studies.of_game(game_id, record_of_game(actor))
        record = study.main_record  # the review page uses this key too: both share one review
        if known := self.reviews.known(record):
            own = snapshot.seats_of(person.id if person else None)
            seat = min(own) if len(own) == 1 else None
            key = f"moments {seat}"
            if key not in snapshot.made:
                snapshot.made[key] = times_of(known, seat)
            return Found(snapshot.made[key], ready=True)
        if not self.reviews.runs(record):
            snapshot.room.check_search(snapshot.state.play.start)
            count_reviewable(snapshot.state.play.turns)
            charge(REVIEW_COST)
        return Found((), ready=False, progress=self.reviews.ask(record, game_id))


REMEMBERED: Final = 10_000
"""The number of first attempts that a process remembers, to count each visitor once. Guess."""


@dataclass(frozen=True, slots=True)
class SentMoment:
    """A moment of a game, as a puzzle; every visitor with its id may solve it."""

    id: Key[str]
    game: Annotated[str, "game.id"]
    owner: Annotated[str, "person.id"]  # the player who sent it
    puzzle: str  # name of the puzzle
    record: Annotated[str, Text()]
    created_at: float
    tried: int = 0  # number of visitors who have tried it
    solved: int = 0  # number of visitors who solved it without a hint


SENT_MOMENT: Final = table_of(
    "sent_moment", SentMoment, Index(None, "game"), Index(None, "owner", "created_at")
)
c = SENT_MOMENT.c


class NoMomentError(NotFoundError):
    """No moment has this id."""

    default_text = text("this moment is no longer here")


def keep_moment(connection: Connection, moment: SentMoment, most: int) -> str:
    """Store a moment; return its id, or the id of the same moment if it was sent before."""
    mine = c.owner == moment.owner
    same = select(c.id).where(mine, c.game == moment.game, c.puzzle == moment.puzzle)
    known: str | None = connection.execute(same).scalars().first()
    if known:
        return known
    if count_of(connection, mine) >= most:
        raise TooManyError(text("you have sent {count} moments already; delete some", count=most))
    add_row(connection, SENT_MOMENT, moment)
    return moment.id


def read_moment(connection: Connection, moment: str) -> SentMoment | None:
    return first_of(connection, SentMoment, select(SENT_MOMENT).where(c.id == moment))


def moments_of(connection: Connection, owner: str, limit: int = 20) -> list[SentMoment]:
    mine = select(SENT_MOMENT).where(c.owner == owner)
    return all_of(connection, SentMoment, mine.order_by(c.created_at.desc()).limit(limit))


def count_attempt(connection: Connection, moment: str, tried: int, solved: int) -> None:
    more = {"tried": c.tried + tried, "solved": c.solved + solved}
    connection.execute(update(SENT_MOMENT).where(c.id == moment).values(more))


def drop_moment(connection: Connection, moment: str, owner: str) -> None:
    connection.execute(delete(SENT_MOMENT).where(c.id == moment, c.owner == owner))


def transfer(connection: Connection, guest: str, account: str) -> None:
    connection.execute(update(SENT_MOMENT).where(c.owner == guest).values(owner=account))


def export_person(connection: Connection, person_id: str, takeout: Takeout) -> None:
    found = moments_of(connection, person_id, ALL)
    takeout.about["moments"] = [
        {name: value for name, value in asdict(one).items() if name != "owner"} for one in found
    ]


@lru_cache(maxsize=256)
def puzzle_in(record: str) -> Puzzle:
    return puzzle_of(next(iter(read_records(record.splitlines(keepends=True)))))


@dataclass(frozen=True)
class SentMoments:
    """The sent moments of a house."""

    store: Store
    quotas: Quotas
    moments: Moments
    _solved: OrderedDict[tuple[str, str], bool] = field(default_factory=OrderedDict)
    """Whether a visitor solved a moment, by the moment and the visitor."""

    async def send(
        self, game_id: str, number: int, person: Person | None, charge: Callable[[float], None]
    ) -> str | None:
        """Return the id of a player's moment at its link; None if the review has not found it.

        Raises:
            HouseError: the person did not play, or a quota is exhausted.
        """
        if not person or not await self.moments.seats_of(game_id, person):
            raise HouseError("only players can send a moment of their game")
        found = await self.moments.of(game_id, person, charge)
        if not 1 <= number <= len(found.puzzles):
            return None
        self.quotas.spend(QuotaKind.MOMENT, person)
        puzzle = found.puzzles[number - 1]
        moment = SentMoment(
            id=new_id(),
            game=game_id,
            owner=person.id,
            puzzle=puzzle.name,
            record=format_record(puzzle.record),
            created_at=self.store.now(),
        )
        most = self.quotas.most(QuotaKind.MOMENT, person)
        return await self.store.commit(keep_moment, moment, most)

    async def one(self, moment_id: str) -> SentMoment:
        if not (moment := await self.store.fetch(read_moment, moment_id)):
            raise NoMomentError
        return moment

    async def note(self, moment: str, visitor: str, *, solved: bool) -> None:
        """Count a visitor's first attempt, and its first success."""
        key = moment, visitor
        before = self._solved.get(key)
        if before or (before is not None and not solved):
            return
        self._solved[key] = solved
        while len(self._solved) > REMEMBERED:
            self._solved.popitem(last=False)
        await self.store.commit(count_attempt, moment, int(before is None), int(solved))
