"""The search: what it finds, for whom, page by page, and after a house was brought up to date."""

from typing import Any

import pytest
from sqlalchemy import select

from house.houses import PASSWORD, Time, asked, first_turn, members, seated
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.commands import abort, resign, turn
from trine.house.people.tables import Person
from trine.house.search import search
from trine.house.search import tables as search_rows
from trine.house.search.tables import GAME_SEARCH


async def a_game(house: House, people: list[Person], game: str = "tzaar", **agreed: Any) -> str:
    return (await seated(house, Agreement.make(game, **agreed), *people)).id


async def found(house: House, viewer: Person | None = None, **given: str) -> list[str]:
    games: list[str] = []
    while True:
        page, after = await house.search.games(given, viewer)
        games += [one.game for one in page]
        if not after:
            return games
        given = {**given, "after": after}


@pytest.mark.usefixtures("place")
async def test_people_are_found_by_the_beginning_of_their_names(house: House) -> None:
    await members(house, "Béla", "Bella", "belzebub2", "Anna", "Борис", "Zoé")
    await house.accounts.welcome("Belgrade")
    people, after = await house.search.people("BEL")
    assert ([one.name for one in people], after) == (["Béla", "Bella", "belzebub2"], "")
    assert [one.name for one in (await house.search.people("бор"))[0]] == ["Борис"]
    assert [one.name for one in (await house.search.people("zoë"))[0]] == ["Zoé"]
    for nothing in ("", " ", ".", "x%", "_"):
        assert await house.search.people(nothing) == ([], "")


async def test_names_come_page_by_page(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "PAGE", 2)
    await members(house, "Ann", "Anna", "Annabel", "Anneliese", "Hanna")
    names, after = [], ""
    for _ in range(3):
        people, after = await house.search.people("ann", after)
        names.append([one.name for one in people])
        if not after:
            break
    assert names == [["Ann", "Anna"], ["Annabel", "Anneliese"]]


@pytest.mark.usefixtures("place")
async def test_games_are_found_by_what_they_are(house: House, time: Time) -> None:
    anna, bela, cili, dora = await members(house, "Anna", "Bela", "Cili", "Dora")
    rated = await a_game(house, [anna, bela], clock="5+3", rated=True)
    host = await house.games.actor(rated)
    assert host.game
    await host.do(turn, asked(anna), first_turn(host.game.play))
    await host.do(resign, asked(anna))
    time.now += 10
    casual = await a_game(house, [bela, cili], "corridor", listed=True)
    time.now += 10
    many = await a_game(
        house, [anna, bela, cili, dora], "corridor", options={"Players": "4"}, listed=True
    )
    time.now += 86_400
    slow = await a_game(house, [cili, anna], "tzaar", clock="3d/7d/0", rated=True)
    every = [slow, many, casual, rated]
    assert await found(house) == every
    assert await found(house, game="corridor") == [many, casual]
    assert await found(house, game="corridor", rules="quoridor") == [many, casual]
    assert await found(house, game="corridor", rules="corridor") == []
    assert await found(house, player="anna") == [slow, many, rated]
    assert await found(house, against="anna") == [slow, many, rated]
    assert await found(house, player="ANNA", against="béla") == [many, rated]
    assert await found(house, player="Anna", game="tzaar", kind="rated") == [slow, rated]
    assert await found(house, kind="casual") == [many, casual]
    assert await found(house, pace="days") == [slow]
    assert await found(house, pace="live", players="2") == [casual, rated]
    assert await found(house, players="4") == [many]
    assert await found(house, result="running") == [slow, many, casual]
    assert await found(house, result="over") == [rated]
    assert await found(house, result="lost") == [rated]  # by the side that began
    assert await found(house, player="Bela", result="won") == [rated]
    assert await found(house, player="Bela", result="lost") == []
    assert await found(house, since="2027-01-16") == [slow]
    assert await found(house, until="2027-01-15") == [many, casual, rated]
    (one,), _ = await house.search.games({"result": "over"}, None)
    assert (list(one.scores), one.over) == ([0.0, 1.0], True)
    for wrong in ({"player": "Nobody"}, {"game": "chess"}, {"since": "yesterday"}):
        with pytest.raises(TrineError):
            await found(house, None, **wrong)


async def test_private_games_are_found_by_their_players_alone(house: House) -> None:
    anna, bela, cili = await members(house, "Anna", "Bela", "Cili")
    private = await a_game(house, [anna, bela])
    for viewer in (None, cili):
        assert await found(house, viewer) == []
        assert await found(house, viewer, player="Anna") == []
        assert await found(house, viewer, player="Anna", against="Bela") == []
        assert await found(house, viewer, mine="1") == []
    for viewer in (anna, bela):
        assert await found(house, viewer) == []
        assert await found(house, viewer, player="Anna") == [private]
        assert await found(house, viewer, player="Bela", against="Anna") == [private]
        assert await found(house, viewer, mine="1") == [private]


async def test_a_guest_finds_the_own_games_with_an_account_too(house: House) -> None:
    guest, token = await house.accounts.welcome("Somebody")
    game, _ = await house.games.create(Agreement.make("corridor"), [ME, ME], guest)
    assert await found(house, guest, mine="1") == [game]
    (anna,) = await members(house, "Anna")
    await house.accounts.log_in("Anna", PASSWORD, token)
    assert await found(house, anna, mine="1") == [game]


@pytest.mark.usefixtures("place")
async def test_what_has_not_begun_or_was_broken_off_is_not_found(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bela = await members(house, "Anna", "Bela")
    waiting = Agreement.make("corridor", listed=True)
    await house.games.create(waiting, [ME, LINK], anna)
    gone = await a_game(house, [anna, bela], "corridor", listed=True)
    assert await found(house) == [gone]
    with monkeypatch.context() as patched:  # between two looks at the database
        patched.setattr(search_rows, "scores_of", lambda connection, games: {})
        assert await found(house) == []
    await (await house.games.actor(gone)).do(abort, asked(anna))
    assert await found(house, anna) == await found(house, anna, mine="1") == []


async def test_games_come_page_by_page_however_rare_they_are(
    house: House, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages overlap nowhere, though games begin at the same moment, and few are looked at."""
    monkeypatch.setattr(search, "PAGE", 3)
    anna, bela = await members(house, "Anna", "Bela")
    games = []
    for number in range(10):
        kind = {"clock": "5+3"} if number % 5 else {"clock": "3d/7d/0"}
        games.append(await a_game(house, [anna, bela], "corridor", listed=True, **kind))
        time.now += number % 2
    rows = house.store.read(
        lambda reading: reading.execute(
            select(GAME_SEARCH.c.game)
            .where(GAME_SEARCH.c.seat == 0)
            .order_by(GAME_SEARCH.c.at.desc(), GAME_SEARCH.c.game.desc())
        ).scalars().all()
    )  # fmt: skip
    assert await found(house) == await found(house, player="Bela") == rows
    monkeypatch.setattr(search_rows, "LOOKED", 4)
    slow = await found(house, pace="days")
    assert slow == [game for game in rows if game in (games[0], games[5])]
