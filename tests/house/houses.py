"""A house for tests: its own clock, a store in a file, and bots that think in this process."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from argon2 import PasswordHasher

from databases import place_in
from trine.core.compiled.ahead import CompileProgress
from trine.core.contract.record import read_records
from trine.core.contract.score import Score
from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.engine.players.review import PositionValue, ReviewedTurn
from trine.engine.players.review_words import TurnVerdict, headline
from trine.house.analysis.analysis_worker import AnalysisBots, GradedTurn, ReviewPart
from trine.house.app import House, home_name
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.bots import NOT_BEGUN
from trine.house.games.live.commands import CommandMeta
from trine.house.games.live.game_actor import GameActor
from trine.house.games.storage.tables import SeatKind, SeatRow
from trine.house.games.view.snapshot import Snapshot
from trine.house.people.passwords import Passwords
from trine.house.people.tables import Person
from trine.house.refusals import ShuttingDownError
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from trine.play.record.replay import replay_as_far_as_legal
from trine.play.session.changes import rebuild
from trine.play.session.state import Entry
from waiting import PATIENCE

PASSWORD = "four quiet rabbits"


class Time:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


class OpenHouse(Protocol):
    async def __call__(self, after: float = 0, **more: Any) -> House: ...


class FirstActions(AnalysisBots):
    """Bots that play the first legal actions, at once, and without another process."""

    def warm(self) -> None:
        """Nothing to make ready."""

    async def choose(
        self,
        game: str,
        bot: str,
        entries: Sequence[Entry],
        elapsed: float,
        wanted: Callable[[], bool],
    ) -> tuple[str, ...] | None:
        return first_turn(rebuild(entries).play) if wanted() else None

    async def review_part(
        self, record: str, done: int, after: PositionValue | None, seconds: float
    ) -> ReviewPart:
        """Review one turn, which was a blunder if it is South's third."""
        await asyncio.sleep(0.02)
        (read,) = read_records(record.splitlines(keepends=True))
        play, _ = replay_as_far_as_legal(read)
        if not play.turns:
            raise IllegalError(text("there is no turn to review: none was played after the setup"))
        index = len(play.turns) - 1 - done
        before = PositionValue((0.6, 0.4), Score(0), ())
        after, better = before, None
        if index == 4:
            after, better = PositionValue((0.2, 0.8), Score(0), ()), before
        turn = ReviewedTurn(index, play.turns[index], before, after, better)
        told = text("the sentence of the referee & others")
        verdict = TurnVerdict(headline(play, turn), told, [told], told, []) if better else None
        while len(play.turns) > index:
            play.take_back()
        play.outcome = None
        ids = first_turn(play) if better else ()
        judged = GradedTurn(index, before, after, better, ids, verdict)
        return ReviewPart((judged,), done + 1, done + 1 + index, play.turn_tag)


class Cold(FirstActions):
    """Bots that cannot think before they are let, and tell how far they are."""

    def __init__(self, step: CompileProgress = NOT_BEGUN) -> None:
        super().__init__()
        self.made_ready = asyncio.Event()
        self.step = step

    def progress(self, game: str) -> CompileProgress | None:
        return None if self.made_ready.is_set() else self.step

    async def ready(self, game: str) -> None:
        await self.made_ready.wait()

    def go_on(self, step: CompileProgress) -> None:
        self.step = step
        self.on_progress("corridor")


def quick_passwords() -> Passwords:
    return Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


class Eye:
    """Somebody who looks at a game, and remembers what could be seen."""

    def __init__(self) -> None:
        self.seen: list[Snapshot] = []
        self.was_dropped = False
        self.behind = 0.0
        """Units: seconds; how long a message of this page has waited."""

    def changed(self, snapshot: Snapshot) -> None:
        self.seen.append(snapshot)

    def waited(self) -> float:
        return self.behind

    def reconnect(self) -> None:
        self.was_dropped = True


class Heard:
    def __init__(self) -> None:
        self.words: list[str] = []
        self.errors: list[BaseException | None] = []
        self.about: list[dict[str, Any]] = []

    def __call__(self, words: str, error: BaseException | None = None, **about: Any) -> None:
        self.words.append(words)
        self.errors.append(error)
        self.about.append(about)


def first_turn(play: Any) -> tuple[str, ...]:
    """A whole legal turn of the first actions."""
    mover, ids, ahead = play.mover, list[str](), play.copy()
    while not ahead.outcome and ahead.mover == mover and (not ids or ahead.position.turn_open):
        action = ahead.legal_actions()[0]
        ids.append(str(action))
        ahead.act(action)
    return tuple(ids)


@asynccontextmanager
async def a_house(
    place: Path | str, time: Time | None = None, **options: Any
) -> AsyncIterator[House]:
    """A house in a folder, or in the database at a place."""
    with Store.open(place_in(place) if isinstance(place, Path) else place, SCHEMA) as store:
        usual = {"bots": FirstActions(), "now": time, "passwords": quick_passwords()}
        house = await House.open(store, **{**usual, "home": home_name()} | options)
        try:
            yield house
        finally:
            await house.close()


async def guests(house: House, *names: str) -> list[Person]:
    return [(await house.accounts.welcome(name))[0] for name in names]


async def members(house: House, *names: str) -> list[Person]:
    """Register people, each with `PASSWORD`."""
    return [(await house.accounts.register(None, name, PASSWORD))[0] for name in names]


async def seated(house: House, agreed: Agreement, *people: Person) -> GameActor:
    """A game of people who have their seats from the beginning."""
    seats = [SeatRow(SeatKind.PERSON, one.name, one.id) for one in people]
    return await house.games.actor(await house.games.create_with(agreed, seats))


async def two_at_a_board(
    house: House, game: str = "corridor", **agreed: Any
) -> tuple[GameActor, Person, Person]:
    """A game between two guests, the second by a link."""
    one, two = await guests(house, "Anna", "Béla")
    name, links = await house.games.create(Agreement.make(game, **agreed), [ME, LINK], one)
    await house.games.join(links[1], two)
    return await house.games.actor(name), one, two


def asked(person: Person, call: str = "", seen: int | None = None) -> CommandMeta:
    return CommandMeta(person.id, call, seen)


async def exported(house: House, person: Person) -> bytes:
    return b"".join([piece async for piece in house.accounts.export(person)])


async def do_due(house: House, after: float) -> None:
    time = house.now.wall
    assert isinstance(time, Time)
    time.now += after
    await house.task_scheduler.tick()


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.002)


async def settled(*hosts: GameActor) -> None:
    """Wait until games have done all that was asked of them before."""

    async def nothing() -> None: ...

    for host in hosts:
        with suppress(ShuttingDownError):  # it has left memory: that was the last
            await host.queue.write(nothing)
