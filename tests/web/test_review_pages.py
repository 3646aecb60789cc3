"""The page of a review in a house: it waits, comes by itself, and can be read without script."""

from __future__ import annotations

import asyncio
import json
import re
import time

import pytest
from playwright.sync_api import Browser, expect

from web.browsing import PHONE, a_page
from web.clients import Client
from web.served import Served
from web.test_lessons_by_hand import check
from web.test_review import Checked

TURNS = ("e2", "e8", "e3", "e7", "d3", "e6", "d4")


@pytest.fixture(scope="module")
def games(served: Served) -> list[str]:
    """Two games at one screen that were given up after some turns."""
    return [asyncio.run(played(Client(served.address))) for _ in range(2)]


async def played(client: Client) -> str:
    game, _ = client.new_game(game="corridor", **{"with": "screen"})
    async with client.play(game) as table:
        for number, turn in enumerate(TURNS, 1):
            assert (await table.turn(turn))["t"] == "ok"
            await table.until(lambda number=number: len(table.turns) == number)
        await table.ask("do", what="resign")
    return game


def test_a_review_is_made_while_its_page_waits_and_then_read_without_script(
    served: Served, games: list[str]
) -> None:
    one, game = Client(served.address), games[0]
    path = f"/game/{game}/review"
    assert one.get(f"{path}/scenes.json").status == 404
    waiting = one.get(path)
    assert waiting.status == 200 and '<noscript><meta http-equiv="refresh"' in waiting.text
    seen = []
    for _ in range(300):
        told = json.loads(one.get(f"{path}/progress").body)
        if told["over"]:
            break
        seen.append(told.get("done", 0))
        time.sleep(0.01)
    assert seen == sorted(seen)
    page = Client(served.address).get(path, Accept_Language="en")
    read = Checked(page.text.replace("<!doctype html>", ""))
    assert "South wins (resignation)" in read.words
    assert "3s d3: a blunder, South 60 % → 20 %" in read.words
    assert read.words.count("the sentence of the referee & others") == 3
    inside = [link[1:] for link in read.links if link.startswith("#")]
    assert len(inside) > len(TURNS) and set(inside) <= set(read.ids)
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page.text)
    pictures = [
        source for source in read.sources if source.endswith("language=en") and ".svg" in source
    ]
    assert len(pictures) == 2
    drawn = [one.get(picture).body for picture in pictures]
    assert all(one.startswith(b"<svg") for one in drawn) and drawn[0] != drawn[1]
    assert one.get(f"{path}/99/played.svg").status == one.get(f"{path}/5/worse.svg").status == 404
    scenes = json.loads(one.get(f"{path}/scenes.json?language=hu").body)
    assert [turn["played"] for turn in scenes["turns"][1:]] == list(TURNS)
    assert f'id="review" href="{path}"' in one.get(f"/game/{game}").text


def test_what_cannot_be_reviewed_is_said_in_a_sentence(served: Served) -> None:
    one = Client(served.address)
    waiting, _ = one.new_game(game="corridor", **{"with": "friend"})
    page = one.get(f"/game/{waiting}/review")
    assert page.status == 400 and "a game can be reviewed when it is over" in page.text
    empty, _ = one.new_game(game="corridor", **{"with": "screen"})
    for _ in range(100):
        page = one.get(f"/game/{empty}/review")
        if page.status != 200:
            break
        time.sleep(0.02)
    assert page.status == 400 and "there is no turn to review" in page.text
    assert one.get("/game/nothing/review").status == 404


def test_a_review_comes_by_itself_and_the_curve_leads_to_the_board(
    served: Served, games: list[str], browser: Browser
) -> None:
    with a_page(browser, PHONE) as page:
        page.goto(f"{served.address}game/{games[1]}/review")
        check(page)
        replay = page.locator("trine-replay")
        replay.locator("trine-board svg").first.wait_for()
        assert page.evaluate("document.querySelector('trine-replay').turn") == 5
        page.locator('.curve [data-turn="2"]').click()
        assert page.evaluate("document.querySelector('trine-replay').turn") == 2
        expect(page.locator("#turn-2")).to_have_attribute("aria-current", "step")
        check(page)
