"""People find each other: whom one follows, who is online and plays, the lobby of one game."""

import asyncio
import io
import json
import secrets
import zipfile

from house.web.clients import Client, heard
from house.web.served import Served
from house.web.test_people import register

OWN_HOUSE = {"address_credits": 20_000}


def shown(client: Client, name: str) -> str:
    """What the page of people shows of somebody; empty for nothing."""
    page = client.get("/people").text
    rows = [row.split("</li>")[0] for row in page.split('<li class="seek">')[1:]]
    return next((row for row in rows if f">{name}</a>" in row), "")


def test_one_follows_from_a_page_or_by_name_and_is_led_to_challenge(served: Served) -> None:
    anna, bela = register(served, "Anna"), register(served, "Béla")
    assert 'name="on" value="yes">Follow<' in anna.get("/player/B%C3%A9la").text
    page = anna.post("/follow", name="Béla", on="yes")
    assert page.status == 303 and page.headers["location"] == "/player/B%C3%A9la"
    assert 'name="on" value="no">Unfollow<' in anna.get("/player/B%C3%A9la").text
    assert ">online<" not in shown(anna, "Béla"), "he has opened no page yet"
    bela.get("/")
    row = shown(anna, "Béla")
    assert ">online<" in row and 'href="/challenge/B%C3%A9la"' in row
    assert "Anna" not in bela.get("/people").text.split("<main ")[1], "he is told of it"
    assert "Unfollow" not in bela.get("/player/Anna").text
    register(served, "Cili")
    assert anna.post("/follow", name=" cili ", on="yes", back="people").headers["location"] == (
        "/people"
    )
    assert shown(anna, "Cili")
    assert anna.post("/follow", name="Cili", on="no", back="people").status == 303
    assert not shown(anna, "Cili")
    assert "no account is called Nobody" in anna.post("/follow", name="Nobody", on="yes").text
    data = anna.get("/account/export")
    told = json.loads(zipfile.ZipFile(io.BytesIO(data.body)).read("about-you.json"))
    assert told["following"] == ["Béla"]


def test_following_needs_an_account_and_a_page_of_the_house(served: Served) -> None:
    stranger = Client(served.address)
    assert "To follow people you need an account." in stranger.get("/people").text
    assert stranger.post("/follow", name="Anna", on="yes").status == 403
    dora = register(served, "Dora")
    forged = dora.ask("POST", "/follow", {"name": "Dora"}, Origin="https://evil.example")
    assert forged.status == 403
    refused = dora.post("/follow", name="Dora", on="yes")
    assert refused.status == 400 and "you cannot follow yourself" in refused.text


def test_a_listed_game_can_be_watched_and_no_other(served: Served) -> None:
    eve, fay, guy = (register(served, name) for name in ("Eve", "Fay", "Guy"))
    guy.post("/follow", name="Eve", on="yes")
    _, links = fay.new_game(game="corridor", clock="5+5", **{"with": "link"})
    eve.join(links[0], "Eve")
    assert "/game/" not in shown(guy, "Eve"), "it was not listed"
    seek = {"seek": "abcdefghijkl", "game": "tzaar", "clock": "5+5", "rules": "official"}
    assert eve.post("/lobby", **seek).status == 303
    there = fay.ask("POST", "/lobby/abcdefghijkl/take", {}).headers["location"]
    row = shown(guy, "Eve")
    assert f'href="{there}">Watch<' in row and "plays TZAAR" in row
    assert fay.post("/block", name="Guy", on="yes").status == 303
    guy.post("/follow", name="Fay", on="yes")
    assert ">online<" not in shown(guy, "Fay"), "whom she has blocked sees when she is here"
    assert "Watch" not in shown(guy, "Fay")


def test_programs_are_listed_for_everybody(served: Served) -> None:
    bot = register(served, "Robot")
    assert bot.post("/account/programs/bot").status == 303
    row = shown(Client(served.address), "Robot")
    assert ">bot<" in row and "Unfollow" not in row and "/challenge/" not in row


async def test_the_lobby_shows_one_game_to_who_wants_only_that(served: Served) -> None:
    anna, eve = register(served, "Anna Filter"), Client(served.address)
    tzaar = {"seek": secrets.token_hex(6), "game": "tzaar", "clock": "5+5", "rated": "on"}
    other = {"seek": secrets.token_hex(6), "game": "corridor", "clock": "5+5"}
    seen = [f"seek-{one['seek']}" for one in (tzaar, other)]
    async with (
        anna.connect("/lobby/socket?show="),
        eve.connect("/lobby/socket?show=corridor") as narrow,
        eve.connect("/lobby/socket?show=chess") as wide,
    ):
        for seek in ({**tzaar, "within": "200"}, other):
            page = await asyncio.to_thread(anna.ask, "POST", "/lobby", seek)
            assert page.status == 303
        assert seen[0] not in (await heard(narrow, "lobby", seen[1]))["html"]
        both = (await heard(wide, "lobby", seen[1]))["html"]
        assert seen[0] in both and "ratings 1300–1700" in both
        page = await asyncio.to_thread(eve.get, "/lobby?show=tzaar")
        assert seen[0] in page.text and seen[1] not in page.text
        assert 'href="/lobby?game=tzaar&amp;show=tzaar#show" aria-current="page"' in page.text
