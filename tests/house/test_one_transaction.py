"""Writes that belong together are one transaction: a refusal leaves nothing, and a retry is safe.

Each test refuses one commit of an action, for each commit that it makes, and repeats the action.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from house.houses import Time, asked, guests, members, two_at_a_board
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.games.live.actor_requests import rematch
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.commands import resign, turn
from trine.house.games.storage.tables import INVITATION, SeatKind, Stage, games_of
from trine.house.people.idempotency import FIELD, Finish, FormOutcome
from trine.house.people.sanctions import MUTE
from trine.house.people.tables import Person, read_person, set_role
from trine.house.store.secrets import new_token
from trine.house.store.store_errors import BusyError
from trine.house.tournaments.tournaments import Announcement
from trine.play.tournament.tournament import Plan, TournamentFormat

MOST_COMMITS = 8


class Refusing:
    """A store that refuses one commit, counted from a moment on."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
        self._commit, self._number = house.store.commit, 0
        self.refuses = 0
        monkeypatch.setattr(house.store, "commit", self.commit)

    async def commit(self, statement: Any, *given: Any, **named: Any) -> Any:
        if self.refuses:
            self._number += 1
            if self._number == self.refuses:
                raise BusyError(1)
        return await self._commit(statement, *given, **named)

    async def tries(self, number: int, action: Callable[[], Awaitable[object]]) -> bool:
        """Do something whose commit of a number is refused; return whether that ended it."""
        self._number, self.refuses = 0, number
        try:
            await action()
        except TrineError:
            return True
        finally:
            self.refuses = 0
        return False


async def refusing_store(house: House, monkeypatch: pytest.MonkeyPatch) -> Refusing:
    """Have the store refuse commits of a test, and no others: the periodic work is ended."""
    await house.background.close()
    return Refusing(house, monkeypatch)


async def test_a_rematch_that_was_refused_is_one_game_after_a_retry(
    house: House, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = await refusing_store(house, monkeypatch)
    for number in range(1, MOST_COMMITS):
        host, one, two = await two_at_a_board(house)
        await host.do(turn, asked(one), ["e2"])
        await host.do(resign, asked(two))
        time.now += 1
        await rematch(host, asked(one))
        if await refusing.tries(number, lambda host=host, two=two: rematch(host, asked(two))):  # type: ignore[misc]
            assert len(house.store.read(games_of, one.id)) == 1, number
            await rematch(host, asked(two))
        games = [row.id for row in house.store.read(games_of, one.id)]
        assert games == [host.game.next_game, host.id], number


async def test_a_game_with_a_link_is_made_with_its_link(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def links(connection: Connection) -> int:
        return connection.execute(select(func.count()).select_from(INVITATION)).scalar_one()

    refusing = await refusing_store(house, monkeypatch)
    for number in range(1, MOST_COMMITS):
        anna, _ = await house.accounts.welcome("Anna")
        before = house.store.read(links)

        async def make(anna: Person = anna) -> None:
            await house.games.create(Agreement.make("corridor"), [ME, LINK], anna)

        refused = await refusing.tries(number, make)
        made = len(house.store.read(games_of, anna.id))
        assert made == house.store.read(links) - before == (0 if refused else 1), number


async def test_a_seat_is_taken_with_the_beginning_of_the_game(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = await refusing_store(house, monkeypatch)
    for number in range(1, MOST_COMMITS):
        anna, bela = await guests(house, "Anna", "Béla")
        game, links = await house.games.create(Agreement.make("corridor"), [ME, LINK], anna)

        async def join(link: str = links[1], bela: Person = bela) -> None:
            await house.games.join(link, bela)

        if await refusing.tries(number, join):
            snapshot = (await house.games.actor(game)).snapshot
            assert snapshot.seats[1].kind is SeatKind.FREE and not snapshot.state
            assert not house.store.read(games_of, bela.id)
            await join()
        (row,) = house.store.read(games_of, bela.id)
        assert row.stage is Stage.PLAYING, number


async def test_a_form_is_done_with_its_outcome(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing = await refusing_store(house, monkeypatch)
    for number in range(1, MOST_COMMITS):
        (anna,) = await members(house, f"Anna {number}")
        form = {FIELD: new_token()}

        async def work(finish: Finish, anna: Person = anna) -> FormOutcome:
            agreement = Agreement.make("corridor")
            game, _ = await house.games.create(
                agreement, [ME, ME], anna, lambda game, _: finish(FormOutcome(f"/game/{game}"))
            )
            return FormOutcome(f"/game/{game}")

        async def send(form: dict[str, str] = form, anna: Person = anna) -> FormOutcome:
            return await house.idempotency_keys.once(form, anna, work)

        await refusing.tries(number, send)
        led = await send()
        assert [f"/game/{row.id}" for row in house.store.read(games_of, anna.id)] == [led.path]


async def test_what_an_administrator_does_is_in_the_log_or_not_done(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each action is refused at each of its commits: the log has what was done, and no more."""
    (mary,) = await members(house, "Mary")
    await house.store.commit(set_role, mary.id, "admin")
    refusing = await refusing_store(house, monkeypatch)
    for number in range(1, 4):
        (pest,) = await members(house, f"Pest {number}")
        moderation, old = house.moderation, pest.name
        agreement = Agreement.make("corridor", clock="5+5")
        wanted = Announcement(old, Plan(TournamentFormat.ARENA), agreement)
        cup = await house.tournaments.create(pest, wanted)

        async def name(person_id: str = pest.id) -> str:
            person = house.store.read(read_person, person_id)
            return person.name if person else ""

        async def cup_name(cup: str = cup) -> str:
            return (await house.tournaments.read(cup)).row.name

        async def muted(person_id: str = pest.id) -> str:
            await house.sanctions.refresh()
            return str(house.sanctions.is_muted(person_id))

        actions: list[tuple[Callable[[], Awaitable[str]], Callable[[], Awaitable[Any]]]] = [
            (muted, partial(moderation.sanction, mary, pest.id, MUTE, "day", "")),
            (name, partial(moderation.rename, mary, pest.id, f"Dove {number}")),
            (cup_name, partial(moderation.cancel_tournament, mary, cup)),
        ]
        for state, action in actions:
            before, logged = await state(), len(await moderation.log())
            await refusing.tries(number, action)
            changed = await state() != before
            assert len(await moderation.log()) == logged + changed, (number, state)
