"""Accounts and the lobby over HTTP: forms, cookies, and what somebody with bad intentions tries."""

import asyncio
import io
import re
import time
import zipfile
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from databases import place_in
from house.houses import PASSWORD
from house.test_second_factor import code_of
from house.web.clients import Client, Page, heard
from house.web.served import Served, a_server
from trine.house.people.quotas import MAX_AT_ONCE, QuotaKind
from trine.house.people.tables import account_named, renew_token, set_role
from trine.house.store.store import Store
from trine.house.tables import SCHEMA
from waiting import PATIENCE

OWN_HOUSE = {"address_credits": 20_000}
"""One house for all: names, seats, and what an address may try are different in each test."""
SOURCES = (f"127.0.0.{n}" for n in count(2))


def register(served: Served, name: str) -> Client:
    """Somebody with an account, from a network address of their own."""
    client = Client(served.address, source=next(SOURCES))
    page = client.post("/account/register", name=name, password=PASSWORD)
    assert page.status == 303, page.text
    return client


def name_on(client: Client) -> str:
    """The name by which the house greets a browser; empty for strangers."""
    page = client.get("/account").text
    return page.split("<h1>")[1].split("</h1>")[0] if "/account/logout" in page else ""


def test_a_visit_has_the_cookie_of_a_guest_kept_for_longer_once_a_day(
    guest: Client, folder: Path
) -> None:
    guest.new_game(**{"game": "corridor", "with": "screen"})
    token = guest.cookie.partition("=")[2]
    assert "set-cookie" not in guest.get("/lobby").headers
    with Store.open(place_in(folder), SCHEMA) as store:
        store.write(renew_token, token, store.now() + 100 * 86_400).result(PATIENCE)
    first, second = guest.get("/lobby"), guest.get("/lobby")
    assert f"={token}; HttpOnly; Max-Age=" in first.headers["set-cookie"]
    assert "set-cookie" not in second.headers


def test_open_seats_are_counted_by_network_address(tmp_path: Path) -> None:
    most = MAX_AT_ONCE[QuotaKind.SEAT]
    assert most.address
    with a_server(tmp_path) as served:
        guest, refused = Client(served.address), []
        for number in range(most.address + 1):
            if not number % most.guest:
                guest = Client(served.address)
            page = guest.post("/lobby", seek=f"{number:012}", game="corridor", clock="2d")
            if page.status != 303:
                refused.append((number, page.status))
                assert "network address" in page.text
        assert refused == [(most.address, 400)]
        page = guest.post("/lobby", seek="live00000000", game="corridor", clock="5+5")
        assert page.status == 303, "seats by days take the room of live ones"


# --- accounts ------------------------------------------------------------------------------------


def test_a_form_that_was_opened_as_a_guest_renames_no_account(served: Served) -> None:
    host = register(served, "Hedda Host")
    _, (link,) = host.new_game(game="corridor", **{"with": "link"})
    timed = {"name": "Late Open", "game": "corridor", "format": "swiss", "clock": "5+5"}
    tournament = host.post("/tournaments", **timed).headers["location"]
    guest = Client(served.address)
    guest.new_game(game="corridor", **{"with": "screen"})
    assert guest.post("/account/register", name="Greta Grown", password=PASSWORD).status == 303
    seek = {"seek": "g" * 12, "game": "corridor", "clock": "7d/7d/0", "name": "Gust"}
    for path, form in (
        ("/name", {"name": "Gust"}),
        ("/new", {"game": "corridor", "with": "screen", "name": "Gust"}),
        ("/lobby", seek),
        (link, {"name": "Gust"}),
        (f"{tournament}/join", {"name": "Gust"}),
    ):
        page = guest.ask("POST", path, form)
        assert page.status == 303, (path, page.text)
        assert name_on(guest) == "Greta Grown", path
    assert guest.post(f"/lobby/{seek['seek']}/withdraw").status == 303


def test_a_page_of_one_account_changes_no_other(served: Served) -> None:
    def forms(client: Client) -> list[tuple[str, dict[str, str]]]:
        found = []
        for page in ("/account", "/account/programs"):
            html = client.get(page).text
            for action, rest in re.findall(
                r'<form method="post"(?: action="([^"]+)")?[^>]*>(.*?)</form>', html, re.DOTALL
            ):
                fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', rest))
                if action != "/account":  # a script sends these, for who is logged in
                    found.append((action or page, fields))
        return found

    first = register(served, "Frida First")
    also = Client(served.address)
    assert also.post("/account/login", name="Frida First", password=PASSWORD).status == 303
    asked = forms(first)
    assert len(asked) >= 9 and all("by" in fields for _, fields in asked), asked
    second = register(served, "Selma Second")
    for path, fields in asked:
        wishes = {"name": "Frida Renamed", "read": "on", "session": "others", "password": PASSWORD}
        page = second.ask("POST", path, {**wishes, **fields})
        assert page.status == 400 and "as someone else" in page.text, path
    assert name_on(second) == "Selma Second" and forms(second) and name_on(first) == "Frida First"


def test_an_account_from_a_guest_to_its_end(served: Served, anna: Client) -> None:
    game, _ = anna.new_game(game="corridor", **{"with": "screen"})
    guest = anna.cookie
    page = anna.post("/account/register", name="Anna Adler", password=PASSWORD)
    assert (page.status, page.headers["location"]) == (303, "/lobby")
    flags = page.headers["set-cookie"].lower()
    assert "httponly" in flags and "samesite=lax" in flags
    assert anna.cookie != guest and name_on(anna) == "Anna Adler"
    assert name_on(Client(served.address, guest)) == "", "the cookie of the guest is still good"
    assert 'data-own="0,1"' in anna.get(f"/game/{game}").text, "the guest's game is lost"
    elsewhere = Client(served.address)
    assert elsewhere.post("/account/login", name="anna adler", password=PASSWORD).status == 303
    assert name_on(elsewhere) == "Anna Adler"
    assert anna.post("/account/name", name="Anna B").status == 303
    assert name_on(elsewhere) == "Anna B"
    with zipfile.ZipFile(io.BytesIO(anna.get("/account/export").body)) as files:
        assert f"games/{game}.trine" in files.namelist()
    page = anna.post("/account/password", now=PASSWORD, password="eight loud camels")
    assert page.status == 303 and name_on(anna) == "Anna B" and name_on(elsewhere) == ""
    gone = anna.cookie
    assert anna.post("/account/logout").status == 303
    assert name_on(Client(served.address, gone)) == "", "the cookie is good after logging out"
    assert Client(served.address, gone).get("/account/export").status == 403
    assert anna.post("/account/login", name="Anna B", password="eight loud camels").status == 303
    assert anna.post("/account/delete", password="something else").status == 400
    assert anna.get("/player/Anna%20B").status == 200
    assert anna.post("/account/delete", password="eight loud camels").status == 303
    assert anna.get("/player/Anna%20B").status == 404
    assert Client(served.address).get(f"/game/{game}").status == 200


def test_a_former_name_leads_on_and_a_deleted_one_is_retired(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:  # new accounts of an address are counted
        walter = register(served, "Walter")
        assert walter.post("/account/name", name="Waldo").status == 303
        page = Client(served.address).get("/player/walter")
        assert (page.status, page.headers["location"]) == (302, "/player/Waldo")
        assert "Waldo" in walter.get("/challenge/Walter").text
        other = Client(served.address)
        page = other.post("/account/register", name="W a l t e r", password=PASSWORD)
        assert page.status == 400 and "the former name of an account" in page.text
        assert other.post("/lobby", seek="n" * 12, game="corridor", name="Walter").status == 400
        assert walter.post("/account/delete", password=PASSWORD).status == 303
        for name in ("Walter", "waldo"):
            assert other.get(f"/player/{name}").status == 404
            page = other.post("/account/register", name=name, password=PASSWORD)
            assert page.status == 400 and "name of a deleted account" in page.text
        register(served, "Walter Two")


def test_a_second_factor_is_set_up_used_and_switched_off(tmp_path: Path) -> None:
    with a_server(tmp_path) as served:
        anna, other = register(served, "Anna"), Client(served.address)
        form = {"name": "Anna", "password": PASSWORD}
        assert other.get("/account/second").status == 403
        page = anna.get("/account/second").text
        secret = page.split('name="secret" value="')[1].split('"')[0]
        assert "data:image/svg" in page
        given = {"secret": secret, "password": PASSWORD}
        assert anna.post("/account/second", code="000000x", **given).status == 400
        assert anna.post("/account/second", code="1", secret="x", password=PASSWORD).status == 400
        assert other.ask("POST", "/account/login", form).status == 303, "it is on already"
        other.post("/account/logout")
        shown = anna.post("/account/second", code=code_of(secret, time.time()), **given)
        codes = re.findall(r"<code>([^<]+)</code>", shown.text)
        assert len(codes) == 10 and codes[0] not in anna.get("/account").text
        asked = other.ask("POST", "/account/login", form)
        assert asked.status == 200 and "trine=" not in asked.headers.get("set-cookie", "")
        wrong = other.post("/account/code", ticket=ticket_of(asked), code="000000x")
        assert wrong.status == 400 and name_on(other) == ""
        assert other.post("/account/code", ticket=ticket_of(wrong), code=codes[0]).status == 303
        assert name_on(other) == "Anna"
        assert other.post("/account/code", ticket=ticket_of(wrong), code=codes[1]).status == 400
        assert anna.post("/account/unsecond", password="wrong words").status == 400
        assert anna.post("/account/unsecond", password=PASSWORD).status == 303
        assert other.ask("POST", "/account/login", form).status == 303


def ticket_of(page: Page) -> str:
    return page.text.split('name="ticket" value="')[1].split('"')[0]


def test_a_planted_cookie_leads_nowhere(served: Served) -> None:
    """Session fixation: the token that an attacker knows is never one of somebody else."""
    attacker = Client(served.address)
    attacker.new_game(game="corridor", **{"with": "screen"})
    victim = Client(served.address, attacker.cookie)
    register(served, "Victim")
    assert victim.post("/account/login", name="Victim", password=PASSWORD).status == 303
    assert victim.cookie != attacker.cookie and name_on(victim) == "Victim"
    assert name_on(attacker) == ""
    made_up = Client(served.address, "trine=made-up")
    assert made_up.post("/account/login", name="Victim", password=PASSWORD).status == 303
    assert made_up.cookie != "trine=made-up"


def test_forms_from_elsewhere_are_refused(served: Served) -> None:
    anna = register(served, "Flora")
    for path, form in (
        ("/account/logout", {}),
        ("/account/password", {"now": PASSWORD, "password": "eight loud camels"}),
        ("/account/delete", {"password": PASSWORD}),
        ("/account/login", {"name": "Flora", "password": PASSWORD}),
        ("/lobby", {"seek": "a" * 12, "game": "corridor"}),
    ):
        for origin in ("https://evil.example", "null", ""):
            page = anna.ask("POST", path, dict(form), Origin=origin)
            assert page.status == 403, (path, origin)
    assert name_on(anna) == "Flora"


def test_nobody_changes_the_account_of_another(served: Served, stranger: Client) -> None:
    hanna, eve = register(served, "Hanna"), register(served, "Steve")
    for form in ("name", "password", "end", "delete"):
        assert stranger.post(f"/account/{form}", name="X", password=PASSWORD).status == 403
    mark = hanna.get("/account").text
    assert 'name="session"' not in mark
    second = Client(served.address)
    second.post("/account/login", name="Hanna", password=PASSWORD)
    marks = [part.split('"')[0] for part in hanna.get("/account").text.split('value="')[1:]]
    marks = [mark for mark in marks if len(mark) == 16]
    assert len(marks) == 1
    eve.post("/account/end", session=marks[0])
    eve.post("/account/end", session="others")
    assert name_on(second) == "Hanna", "Steve has ended it"
    hanna.post("/account/end", session=marks[0])
    assert name_on(second) == "" and name_on(hanna) == "Hanna"
    for name in ("hanna", "HANNA", "Hаnnа", "hånna"):
        assert eve.post("/account/name", name=name).status == 400
    assert name_on(eve) == "Steve"


def test_a_wrong_name_and_a_wrong_password_are_told_alike(served: Served) -> None:
    register(served, "Wanda")
    told = []
    for name in ("Wanda", "Nobody"):
        page = Client(served.address).post("/account/login", name=name, password="wrong words")
        assert page.status == 400 and "set-cookie" not in page.headers
        told.append(page.text.replace(name, ""))
    assert told[0] == told[1]


def test_passwords_cannot_be_tried_for_ever_and_an_owner_is_not_locked_out(served: Served) -> None:
    register(served, "Gustav")
    answers = [
        Client(served.address).post("/account/login", name=name, password="wrong words").status
        for name in ["Gustav", "GUSTAV", "gustаv", "g u s t a v"] * 4
    ]
    assert answers[:10] == [400] * 10 and set(answers[10:]) == {429}
    # The right password does not help a flood, but another account still can be logged into.
    assert (
        Client(served.address).post("/account/login", name="Gustav", password=PASSWORD).status
        == 429
    )
    other = register(served, "Conrad")
    other.post("/account/logout")
    assert other.post("/account/login", name="Conrad", password=PASSWORD).status == 303


def test_names_are_text_on_every_page(anna: Client) -> None:
    for name in ("<b>Anna</b>", "Anna\u202eanna", "a'\"onload=x", "Anna\u200b"):
        page = anna.post("/account/register", name=name, password=PASSWORD)
        assert page.status == 400 and "<b>Anna" not in page.text
    page = anna.post("/lobby", seek="e" * 12, game="corridor", clock="5+5", name="<i>Eve")
    assert page.status == 303
    assert "&lt;i&gt;Eve" in anna.get("/lobby").text and "<i>Eve" not in anna.get("/lobby").text


async def test_a_socket_ends_with_its_session(served: Served) -> None:
    anna = register(served, "Tilda")
    async with anna.connect("/lobby/socket?show=") as socket:
        await heard(socket, "lobby")
        before = Client(served.address, anna.cookie)
        await asyncio.to_thread(before.post, "/account/logout")
        with pytest.raises(ConnectionClosed):
            await heard(socket, "nothing")


def test_figures_are_for_administrators(served: Served, folder: Path) -> None:
    adam = register(served, "Adam")
    assert adam.get("/metrics").status == 404
    with Store.open(place_in(folder), SCHEMA) as store:
        account = store.read(account_named, "adam")
        assert account
        store.write(set_role, account.person, "admin").result()
    assert adam.get("/metrics").status == 200
    assert Client(served.address).get("/metrics").status == 404


# --- the lobby -----------------------------------------------------------------------------------


def test_who_lost_the_connection_is_led_to_the_game_afterwards(served: Served) -> None:
    anna, bela = Client(served.address), Client(served.address)
    assert anna.post("/lobby", seek="b" * 12, game="tzaar", clock="5+5").status == 303
    page = bela.post("/lobby/bbbbbbbbbbbb/take")
    assert page.status == 303 and page.headers["location"].startswith("/game/")
    again = anna.get("/lobby")
    assert (again.status, again.headers["location"]) == (303, page.headers["location"])
    assert anna.get("/lobby").status == 200


def test_the_name_that_a_guest_has_chosen_is_marked_in_the_lobby(served: Served) -> None:
    guest, other = Client(served.address), Client(served.address)
    assert guest.post("/name", name="Zoltan").status == 303
    for client, seek in ((guest, "g" * 12), (other, "h" * 12)):
        assert client.post("/lobby", seek=seek, game="corridor", clock="5+3").status == 303
    page = register(served, "Zoltan Second").get("/lobby").text
    named, nameless = (
        page.split(f'data-key="seek-{seek * 12}"')[1].split("</li>")[0] for seek in "gh"
    )
    assert 'Zoltan <span class="badge">guest</span>' in named
    assert "Guest " in nameless and "badge" not in nameless
    for client, seek in ((guest, "g" * 12), (other, "h" * 12)):
        assert client.post(f"/lobby/{seek}/withdraw").status == 303


def test_what_does_not_fit_is_refused_on_the_page(served: Served) -> None:
    guest, eve = Client(served.address), Client(served.address)
    seek = {"seek": "c" * 12, "game": "corridor", "clock": "5+5"}
    assert guest.ask("POST", "/lobby", {**seek, "rated": "on"}).status == 400
    assert guest.ask("POST", "/lobby", {**seek, "game": "chess"}).status in (400, 404)
    assert guest.ask("POST", "/lobby", {**seek, "clock": "many"}).status == 400
    assert guest.ask("POST", "/lobby", {**seek, "seek": "../../etc"}).status == 400
    assert guest.ask("POST", "/lobby", {**seek, "rules": "other"}).status == 400
    assert guest.ask("POST", "/lobby", seek).status == 303
    assert eve.ask("POST", "/lobby", seek).status == 400, "somebody else's seek"
    assert eve.post("/lobby/cccccccccccc/withdraw").status == 303
    assert "cccccccccccc" in eve.get("/lobby").text, "Eve has closed it"


async def test_the_socket_of_the_lobby_is_for_pages_of_the_house(served: Served) -> None:
    host = urlsplit(served.address).netloc
    with pytest.raises(InvalidStatus):
        async with connect(
            f"ws://{host}/lobby/socket",
            origin="https://evil.example",  # type: ignore[arg-type]
            proxy=None,
        ):
            pass
    async with Client(served.address).connect("/lobby/socket?show=") as socket:
        await heard(socket, "lobby")
        with pytest.raises(ConnectionClosed):
            for _ in range(100):
                await socket.send('{"t":"take"}')
            await heard(socket, "nothing")


async def test_a_rated_game_gives_no_hints_and_no_insight(served: Served) -> None:
    anna, bela = register(served, "Greta"), register(served, "Hugo")
    form = {"seek": "d" * 12, "game": "corridor", "clock": "5+3", "rated": "on", "side": "0"}
    anna.ask("POST", "/lobby", form)
    game = bela.post("/lobby/dddddddddddd/take").headers["location"].removeprefix("/game/")
    async with anna.play(game) as table:
        assert table.game["seats"][0]["player"] == "Greta"
        assert table.game["seats"][0]["rating"] == "1500?"
        assert not table.game["casual"] and not table.game["takebacks"]
        assert (await table.ask("hint"))["t"] == "no"
        await table.send({"t": "look", "insight": True})
        await table.my_turn()
        assert not table.game["insight"]
        assert (await asyncio.to_thread(anna.post, "/analysis", of=game)).status == 400
        for place in (f"/game/{game}/review", f"/analysis/game-{game}"):
            assert (await asyncio.to_thread(anna.get, place)).status == 400
        async with bela.play(game) as other:
            for player, action in ((table, "e2"), (other, "e8"), (table, "e3"), (other, "e7")):
                await player.my_turn()
                await player.turn(action)
        assert (await table.ask("do", what="resign"))["t"] == "ok"
        await table.until(lambda: table.game["over"])
        assert table.game["seats"][1]["rating"] == "1540?"  # it was given up early
    page = Client(served.address).get("/player/hugo").text
    assert "1540" in page and f"/game/{game}" in page and "polyline" in page
    assert "/player/Greta" in page


def test_an_evening_of_a_club_behind_one_address_registers(tmp_path: Path) -> None:
    with a_server(tmp_path, club=True) as served:
        for number in range(40):
            register(served, f"Member {'abcdefgh'[number // 5]}{'vwxyz'[number % 5]}")


def test_accounts_cannot_be_created_for_ever(served: Served) -> None:
    """The last test of the file: nobody can register after it."""
    statuses: list[int] = []
    for _ in range(25):  # what is refused does not count
        page = Client(served.address).post("/account/register", name="Farm", password="short")
        assert page.status == 400
    while 429 not in statuses:
        name = f"Farm {'abcdefghkmnopqrstuvwxyz'[len(statuses)]}x"
        form = {"name": name, "password": PASSWORD}
        page = Client(served.address).ask("POST", "/account/register", form)
        statuses.append(page.status)
        assert len(statuses) - statuses.count(429) <= 20
    assert statuses.count(429) == 1


def test_a_profile_leads_its_owner_to_games_and_others_to_a_challenge(served: Served) -> None:
    own = register(served, "Ottilia").get("/player/Ottilia").text
    assert 'class="main" href="/new"' in own and 'href="/games"' in own
    assert "/challenge/" not in own
    other = Client(served.address).get("/player/Ottilia").text
    assert 'class="main" href="/challenge/Ottilia"' in other
