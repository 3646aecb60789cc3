"""The review of a game of a house: the analysis board with its report, also without script."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import PHONE, a_page, check
from house.web.clients import Client
from house.web.served import Served
from house.web.test_analysis import talking
from house.web.test_correspondence_by_hand import play
from house.web.test_game_page import two_players
from house.web.test_people import register
from house.web.test_people_by_hand import resign
from house.web.test_review import Checked
from waiting import wait_until

TURNS = ("e2", "e8", "e3", "e7", "d3", "e6", "d4")
LAST = ("e5", "d6", "f6")
"""The last turn of each game: a review that is known is not made again."""


@pytest.fixture(scope="module")
def games(served: Served) -> list[str]:
    """Three games at one screen that were given up after some turns."""
    return [asyncio.run(played(Client(served.address), [*TURNS, last])) for last in LAST]


async def played(client: Client, turns: list[str], **form: str) -> str:
    game, _ = client.new_game(**{"game": "corridor", "with": "screen", **form})
    async with client.play(game) as table:
        for number, turn in enumerate(turns, 1):
            assert (await table.turn(turn))["t"] == "ok"
            await table.until(lambda number=number: len(table.turns) == number)
        await table.ask("do", what="resign")
    return game


def test_a_review_is_made_while_its_page_waits_and_then_read_without_script(
    served: Served, games: list[str]
) -> None:
    one, game = Client(served.address), games[0]
    path = f"/game/{game}/review"
    refresh = '<noscript><meta http-equiv="refresh"'
    page = one.get(path)
    assert page.status == 200 and refresh in page.text
    wait_until(lambda: refresh not in Client(served.address).get(path).text)
    page = Client(served.address).get(path, Accept_Language="en")
    read = Checked(page.text.replace("<!doctype html>", ""))
    assert "North wins (resignation)" in read.words
    assert "Юг – Север" in Client(served.address).get(path, Accept_Language="ru").text
    assert "3s d3: a blunder, South 60 % → 20 %" in read.words
    assert read.words.count("the sentence of the referee & others") == 3
    inside = [link[1:] for link in read.links if link.startswith("#") and link[1:]]
    assert len(inside) > len(TURNS) and set(inside) <= set(read.ids)
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page.text)
    pictures = [source for source in read.sources if "picture.svg?at=" in source]
    assert len(pictures) == 2
    drawn = [one.get(picture).body for picture in pictures]
    assert all(one.startswith(b"<svg") for one in drawn) and drawn[0] != drawn[1]
    assert one.get(f"/analysis/game-{game}/picture.svg?at=4&a=a9").status == 400
    assert "data-better" not in page.text  # it belongs to nobody who could play here
    assert f'id="to-review" href="{path}"' in one.get(f"/game/{game}").text


def test_a_copy_of_a_review_is_reviewed_already_and_can_be_played_on(
    served: Served, games: list[str]
) -> None:
    one, place = Client(served.address), f"/analysis/game-{games[2]}"
    seen = asyncio.run(reviewed(one, place))
    assert seen == sorted(seen) and seen[-1] == len(TURNS) + 1
    assert one.post(f"{place}/delete").status == 404
    copied = one.post(f"{place}/copy").headers["location"]
    assert "data-better" in one.get(copied).text
    assert "data-better" not in Client(served.address).get(copied).text


async def reviewed(client: Client, place: str) -> list[int]:
    """The number of turns done, as the socket of an analysis says until its review is there."""
    said = []
    async with talking(client, place) as talk:
        assert (await talk.ask("act", node=0, a=["d1"]))["t"] == "no"
        assert (await talk.ask("review"))["t"] == "ok"
        while "reviewed" not in talk.last:
            talk.last.pop("reviewing", None)
            await talk.read()
            if told := talk.last.get("reviewing"):
                said.append(told.get("done", 0))
        assert "3s d3: a blunder" in talk.last["reviewed"]["html"]
    return said


def test_what_cannot_be_reviewed_is_said_in_a_sentence(one: Client) -> None:
    waiting, _ = one.new_game(game="corridor", **{"with": "friend"})
    for place in (f"/game/{waiting}/review", f"/analysis/game-{waiting}"):
        page = one.get(place)
        assert page.status == 400 and "a game can be reviewed when it is over" in page.text
    empty, _ = one.new_game(game="corridor", **{"with": "screen"})
    page = one.get(f"/game/{empty}/review")
    assert page.status == 400 and "there is no turn to review" in page.text
    resigned = asyncio.run(played(one, []))
    page = one.get(f"/game/{resigned}/moments")
    assert page.status == 400 and "there is no turn to review" in page.text
    assert one.get("/game/nothing/review").status == 404


def test_a_review_comes_by_itself_and_the_curve_leads_to_the_board(
    served: Served, games: list[str], phone: Page
) -> None:
    path = f"{served.address}game/{games[1]}/review"
    phone.goto(path)
    now = phone.locator("#tree [aria-current]")
    expect(phone.locator("#curve .curve")).to_be_visible()
    expect(now).to_have_text("3s d3 ??")
    expect(phone.locator("#bar")).to_have_attribute("aria-label", re.compile("South 20 %"))
    phone.locator('.curve [data-turn="2"]').click()
    expect(now).to_have_text("1n e8")
    expect(phone.locator("#turn-2")).to_have_attribute("aria-current", "step")
    check(phone)
    # It is there at once now, at what lost most, or at the turn of a link of former times.
    phone.goto("about:blank")
    phone.goto(path)
    expect(now).to_have_text("3s d3 ??")
    expect(phone.locator("#turn-5")).to_have_attribute("aria-current", "step")
    phone.goto("about:blank")
    phone.goto(f"{path}#turn-2")
    expect(now).to_have_text("1n e8")
    # A copy begins at the same turn; what was better is played there by a click.
    phone.click("#copying button")
    phone.wait_for_url(re.compile("/analysis/[A-Za-z0-9]+#2"))
    expect(now).to_have_text("1n e8")
    phone.locator("[data-better]").click()
    expect(phone.locator("#tree button")).to_have_count(len(TURNS) + 2)
    expect(phone.locator("#curve .curve")).to_be_visible()


async def played_by_two(one: Client, other: Client) -> str:
    game, (link,) = one.new_game(game="corridor", side="0", **{"with": "friend"})
    other.join(link, "North")
    async with one.play(game) as south, other.play(game) as north:
        tables = south, north
        for number, turn in enumerate([*TURNS, "a8h"]):
            assert (await tables[number % 2].turn(turn))["t"] == "ok"
            for table in tables:
                await table.until(lambda table=table, number=number: len(table.turns) > number)
        await north.ask("do", what="resign")
    return game


def test_a_review_begins_at_the_first_own_turn_that_lost_much(
    served: Served, browser: Browser
) -> None:
    one, other = Client(served.address), Client(served.address)
    with ThreadPoolExecutor() as pool:  # the browser's loop runs in this thread
        game = pool.submit(asyncio.run, played_by_two(one, other)).result()
    assert "Try my mistakes" in other.get(f"/game/{game}").text
    assert "Try my mistakes" not in Client(served.address).get(f"/game/{game}").text
    name, _, value = one.cookie.partition("=")
    path = f"/game/{game}/review"
    with a_page(browser, PHONE) as page:
        page.context.add_cookies([{"name": name, "value": value, "url": served.address}])
        page.goto(f"{served.address}{path[1:]}")
        expect(page.locator("#tree [aria-current]")).to_contain_text("3s d3")
        expect(page.locator("#turn-5")).to_have_attribute("data-player", "0")
        expect(page.locator("#turn-5")).to_have_attribute("data-lost", "40")
        expect(page.locator("#to-moments")).to_have_text("Try my mistakes")
        page.context.clear_cookies()
        name, _, value = other.cookie.partition("=")
        page.context.add_cookies([{"name": name, "value": value, "url": served.address}])
        page.reload()
        expect(page.locator("#tree [aria-current]")).to_contain_text("3s d3")
        expect(page.locator("#to-moments")).to_be_hidden()  # North has made no mistake
    assert 'data-mine="0"' in one.get(path).text and 'data-mine="1"' in other.get(path).text
    assert "data-mine" not in Client(served.address).get(path).text


def test_what_lost_most_is_told_on_the_page_of_results_to_its_player_alone(served: Served) -> None:
    one = register(served, "Loser")
    game, page = asyncio.run(played(one, [*TURNS, "e7"])), "/player/Loser/results"
    assert "Costliest turns" not in one.get(page).text

    def told() -> str:
        one.get(f"/game/{game}/review")
        return one.get(page).text

    wait_until(lambda: "Costliest turns" in told())
    assert f'<a href="/game/{game}/review#4">3s</a></td><td>40 %' in told()
    assert "d3 <br>better: " in told()
    assert "Costliest turns" not in Client(served.address).get(page).text


def test_a_review_is_offered_only_to_players_with_turns_that_it_can_judge(
    served: Served, browser: Browser
) -> None:
    def offered(page: Page) -> list[str]:
        expect(page.locator("#after")).to_be_visible()
        return [name for name in AFTER if page.locator(f"#{name}").is_visible()]

    with two_players(served, browser, game="corridor") as (anna, ivan):
        play(anna, "e2")
        resign(ivan)
        for _ in range(2):
            assert (offered(anna), offered(ivan)) == (list(AFTER), ["to-review"])
            anna.reload()
            ivan.reload()


AFTER = ("to-review", "to-moments", "to-send")


def test_no_review_is_offered_of_a_setup_or_of_a_board_that_is_not_searched(one: Client) -> None:
    for form, turn in (
        ({"game": "tzaar", "rules": "open", "Setup": "placement"}, "Za1"),
        ({"game": "corridor", "rules": "quoridor", "Size": "13"}, "g2"),
    ):
        game = asyncio.run(played(one, [turn], **form))
        assert one.get(f"/game/{game}/moments").status == 400
        shown = one.get(f"/game/{game}").text
        for name in AFTER:
            assert re.search(f'id="{name}"[^>]* hidden>', shown), (name, form)
