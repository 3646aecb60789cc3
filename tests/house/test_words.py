"""The words of people: what a muted person writes reaches nobody."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest

from house.houses import PASSWORD, asked, until
from house.test_moderation import GAME, registered
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.games.live.agreement import LINK, ME
from trine.house.games.live.commands import resign, turn
from trine.house.games.storage.events import read_events
from trine.house.moderation.moderation import Moderation
from trine.house.people.passkeys import Passkeys
from trine.house.people.sanctions import MUTE, SanctionRow
from trine.house.people.tables import Person, set_role
from trine.house.tournaments.tournament_steps import NAMELESS
from trine.house.tournaments.tournaments import Announcement
from trine.play.tournament.tournament import Plan, TournamentFormat


def announcement(name: str) -> Announcement:
    return Announcement(name, Plan(TournamentFormat.ROUND_ROBIN), GAME, listed=True, most=4)


async def mute(house: House, person: Person) -> None:
    row = SanctionRow(f"mute {person.id}", person.id, MUTE, 0.0, 9e9, "")
    await house.sanctions.impose(row)


async def test_nobody_who_is_muted_publishes_words(house: House) -> None:
    anna, _ = await registered(house, "Anna")
    guest, _ = await house.accounts.welcome("Guest G")
    keys = Passkeys(house.store, house.accounts)
    acts: Mapping[str, Callable[[], Awaitable[Any]]] = {
        "rename": lambda: house.accounts.rename(anna, "Anna2"),
        "rename a guest": lambda: house.accounts.rename(guest, "Guest H"),
        "register": lambda: house.accounts.register(guest, "Greta", PASSWORD),
        "register by passkey": lambda: keys._about_new(guest, "Greta"),
        "tournament": lambda: house.tournaments.create(anna, announcement("Rude words")),
    }
    for person in (anna, guest):
        await mute(house, person)
    for act in acts.values():
        with pytest.raises(TrineError, match="reaches others"):
            await act()
    for person in (anna, guest):
        await house.sanctions.lift(f"mute {person.id}")
    for name, act in acts.items():
        if name != "register by passkey":  # the name is taken by then
            await act()


async def test_administrators_act_without_a_report_and_all_is_noted(house: House) -> None:
    anna, _ = await registered(house, "Anna")
    mary, _ = await registered(house, "Mary")
    await house.store.commit(set_role, mary.id, "admin")
    moderation: Moderation = house.moderation
    await mute(house, anna)
    game, links = await house.games.create(GAME, [ME, LINK], anna)
    await house.games.join(links[1], mary)
    over = await house.games.actor(game)
    await over.do(turn, asked(anna), ["e2"])
    await over.do(resign, asked(anna))
    await moderation.rename(mary, anna.id, "Anonym")
    await until(lambda: over.snapshot.seats[0].name == "Anonym")
    assert "Anna" not in "".join(map(str, house.store.read(read_events, over.id)))
    assert (await moderation.account("Anna")).name == "Anonym"
    with pytest.raises(TrineError, match="cannot be sanctioned"):
        await moderation.rename(mary, mary.id, "Maria")
    await house.sanctions.lift(f"mute {anna.id}")
    name = await house.tournaments.create(anna, announcement("Rude words"))
    await moderation.cancel_tournament(mary, f"https://example.org/tournament/{name}/")
    state = await house.tournaments.read(name)
    assert (state.row.stage, state.row.name) == ("cancelled", NAMELESS)
    with pytest.raises(TrineError, match="has already lost its name"):
        await moderation.cancel_tournament(mary, name)
    told = [(row.what, person, row.detail) for row, _, person in await moderation.log()]
    assert sorted(told) == [
        ("renamed", "Anonym", "Anna"),
        ("tournament cancelled", "Anonym", "Rude words"),
    ]
