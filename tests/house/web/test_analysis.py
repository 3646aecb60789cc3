"""The analysis board: its socket over a real net, and its page in a real browser."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.exceptions import ConnectionClosed

from house.houses import PASSWORD, a_house, members
from house.test_ratings import a_rated_game
from house.web.browsing import DESK, PHONE, a_page, check, fits
from house.web.clients import Client, OpenPage
from house.web.served import Served, a_server
from trine.core.contract.record import read_records
from trine.play.record.variations import tree_of

GAME = """\
[Game "corridor"]
[Rules "quoridor"]
[South "Anna"]
[North "Béla"]

1s e2
1n e8
2s e3 {or 2s d3h, 2n e7 [too quiet]}
2n e7
"""


def begun(client: Client, **form: str) -> str:
    """Where an analysis is that begins with a form."""
    page = client.post("/analysis", **form)
    assert page.status == 303, page.text
    return page.headers["location"]


@dataclass
class Talk(OpenPage):
    """An open page of an analysis: the last message of each kind."""

    last: dict[str, dict[str, Any]] = field(default_factory=dict)

    def take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            super().take(message)
        else:
            self.last[message["t"]] = message

    async def say(self, kind: str, **more: Any) -> None:
        await self.send({"t": kind, **more})

    @property
    def at(self) -> dict[str, Any]:
        return self.last["at"]

    @property
    def rows(self) -> list[list[Any]]:
        rows: list[list[Any]] = self.last["tree"]["nodes"]
        return rows


@asynccontextmanager
async def talking(client: Client, place: str, at: str = "0") -> AsyncIterator[Talk]:
    async with client.connect(f"{place}/socket?at={at}") as socket:
        talk = Talk(socket)
        await talk.until(lambda: "tree" in talk.last and "at" in talk.last)
        yield talk


async def test_a_tree_is_walked_played_on_and_kept(ada: Client, eve: Client) -> None:
    place = begun(ada, **{"from": "text", "text": GAME})
    async with talking(ada, place) as talk, talking(eve, place, "1") as other:
        turns = [" ".join(row[2:4]) for row in talk.rows]
        assert turns == ["1s e2", "1n e8", "2s e3", "2n e7", "2s d3h", "2n e7"]
        assert talk.rows[-1][4:] == ["too quiet", 0]
        assert talk.last["tree"]["own"] and not other.last["tree"]["own"]
        assert talk.at["node"] == 0 and other.at["place"] == "1"
        last = talk.rows[3][0]
        await talk.say("go", node=last)
        await talk.until(lambda: talk.at["node"] == last)
        pick = talk.at["choices"][0]["id"]
        assert (await talk.ask("act", node=last, a=[pick]))["t"] == "ok"
        await talk.until(lambda: talk.at["node"] not in (0, last))
        assert max(talk.sizes[-3:]) < 4000
        new = talk.at["node"]
        assert (await talk.ask("note", node=new, words="what now?"))["t"] == "ok"
        assert (await talk.ask("act", node=0, a=[], line="d1 d9"))["t"] == "ok"
        await talk.until(lambda: talk.at["place"] == "0.1.1")
        # Others see it, and change nothing.
        await other.until(lambda: len(other.rows) == 9)
        for kind, more in (
            ("act", {"node": 0, "a": ["d1"]}),
            ("note", {"node": new, "words": "mine"}),
            ("change", {"node": new, "what": "remove"}),
            ("edit", {"what": "use"}),
        ):
            answer = await other.ask(kind, **more)
            assert answer["t"] == "no" and answer["why"], kind
        assert (await talk.ask("act", node=0, a=["e5"]))["t"] == "no"
        assert (await talk.ask("why", picks=["e5"]))["why"]
        branch = next(row for row in talk.rows if row[3] == "d1")
        assert (await talk.ask("change", node=branch[0], what="promote"))["t"] == "ok"
        await talk.until(lambda: talk.rows[0][3] == "d1" and talk.last["tree"]["saved"])
        assert [row[5] for row in talk.rows if row[2] == "1s"] == [1, 0]
        assert (await talk.ask("change", node=branch[0], what="remove"))["t"] == "ok"
        await talk.until(lambda: talk.last["tree"]["saved"] and talk.at["node"] == 0)
    async with talking(ada, place, "0.1.2") as again:
        assert again.rows[0][2:4] == ["1s", "e2"]
    told = ada.get(f"{place}/record").text
    (record,) = read_records(told.splitlines(keepends=True))
    assert tree_of(record).variations and '[South "Anna"]' in told and "what now?" in told
    # Who knows the address reads it, without script too, and may take a copy.
    shown = eve.get(place).text
    assert "Anna" in shown and "built-in" not in shown
    copied = eve.post(f"{place}/copy").headers["location"]
    assert copied != place
    assert eve.post(f"{place}/delete").status == 404
    assert ada.post(f"{place}/delete").status == 303
    assert ada.get(place).status == 404 and eve.get(copied).status == 200


async def test_a_position_is_set_up_from_the_box_and_judged(ada: Client) -> None:
    place = begun(ada, game="arimaa", rules="official")
    async with talking(ada, place) as talk:
        assert (await talk.ask("edit", what="begin"))["t"] == "ok"
        await talk.until(lambda: "edit" in talk.last)
        assert len(talk.last["edit"]["parts"]) == 12
        for part, to in (("E", "c3"), ("R", "a1"), ("r", "h8")):
            assert (await talk.ask("put", part=part, to=to))["t"] == "ok"
        await talk.until(lambda: "trap" in talk.last["edit"]["refusal"])
        assert (await talk.ask("edit", what="use"))["t"] == "no"
        assert (await talk.ask("put", origin="c3", to="d4"))["t"] == "ok"
        assert (await talk.ask("put", part="R", to="zz"))["t"] == "no"
        assert (await talk.ask("set", name="mover", value="1"))["t"] == "ok"
        await talk.until(lambda: talk.last["edit"]["standing"] == ["a1", "d4", "h8"])
        assert talk.last["edit"]["refusal"] == ""
        there = (await talk.ask("edit", what="use"))["go"]
    async with talking(ada, there) as talk:
        assert talk.at["turn"] == "2s" and talk.at["choices"]


def test_an_analysis_begins_at_a_game_of_the_house(ada: Client) -> None:
    game, _ = ada.new_game(**{"game": "corridor", "with": "screen", "name": "Ada"})
    assert 'action="/analysis"' in ada.get(f"/game/{game}").text
    place = begun(ada, of=game, turn="0")
    assert place.endswith("#0")
    assert "Béla" not in ada.get(place.split("#")[0]).text
    assert ada.post("/analysis", of="nosuchgame").status == 404


def test_a_board_that_the_engine_does_not_know_is_played_on_and_says_so(served: Served) -> None:
    ada, why = Client(served.address), "boards up to 11 squares wide; this one has 12"
    large = GAME.partition("1s")[0].replace("[South", '[Size "12"]\n[South') + "1s f2\n"
    place = begun(ada, **{"from": "text", "text": large})
    assert why in ada.get(place).text
    form = {"game": "corridor", "Size": "12", "with": "bot:3", "name": "Ada"}
    refused = ada.post("/new", **form)
    assert refused.status == 400 and why in refused.text


def test_what_cannot_be_read_is_said_and_several_games_are_offered(
    ada: Client, eve: Client
) -> None:
    wrong = ada.post("/analysis", **{"from": "text", "text": "1. e4 e5 <em>"})
    assert wrong.status == 400 and "neither a game nor a position" in wrong.text
    assert "<em>" not in wrong.text
    spoilt = ada.post("/analysis", **{"from": "text", "text": "9g\n8| r      r |\n7| |\nend\n"})
    assert spoilt.status == 400 and "rank 8 does not show eight squares" in spoilt.text
    two = ada.post("/analysis", **{"from": "text", "text": GAME + GAME})
    assert two.status == 400 and 'name="which"' in two.text
    assert begun(ada, **{"from": "text", "text": GAME + GAME, "which": "2"})
    long = ada.post("/analysis", **{"from": "text", "text": "e2 " * 90_000})
    assert long.status == 400 and "longer than" in long.text
    assert ada.post("/analysis", **{"from": "text", "text": "x" * 900_000}).status == 413
    assert ada.post("/analysis", game="corridor", Size="99").status == 400
    evil = eve.ask("POST", "/analysis", {"game": "tzaar"}, Origin="http://evil")
    assert evil.status == 403


def test_a_text_that_is_several_legal_games_is_asked_about(served: Served) -> None:
    ada, words = Client(served.address), "e2 e8 e3 e7 e4 e6 e5h f7h"
    asked = ada.post("/analysis", **{"from": "text", "text": words})
    assert asked.status == 400
    assert re.findall('<option value="(.*?)">read as', asked.text) == ["bga", "oqf"]
    place = begun(ada, **{"from": "text", "text": words, "format": "oqf"})
    told = "read as oqf: a wall is named by the square north-west of its middle"
    assert told in ada.get(place).text
    assert "read as" not in ada.get(place.replace("oqf", "nothing")).text


async def test_garbage_changes_nothing_and_too_much_is_cut_off(ada: Client) -> None:
    place = begun(ada, game="corridor")
    async with talking(ada, place) as talk:
        nowhere = ('{"t":"go","node":-1}', '{"t":"go","node":77}')
        for words in ("", "[]", *nowhere, '{"t":"think","on":1}'):
            talk.last.pop("no", None)
            await talk.send(words)
            await talk.until(lambda: "no" in talk.last)
        assert talk.rows == []
        with pytest.raises(ConnectionClosed):
            for _ in range(200):
                await talk.say("go", node=0)
            while True:
                await talk.read()


async def test_the_computer_thinks_for_one_page_of_a_person_at_a_time(ada: Client) -> None:
    place = begun(ada, **{"from": "text", "text": GAME})

    def state(talk: Talk) -> str:
        return str(talk.last.get("thought", {}).get("state"))

    async with talking(ada, place) as one, talking(ada, place) as other:
        await one.say("think", on=True)
        await one.until(lambda: state(one) == "thinking")
        await other.say("go", node=1)  # which takes nothing from anybody
        await other.until(lambda: other.at["node"] == 1)
        await other.say("think", on=True)
        await one.until(lambda: state(one) == "away")
        await other.until(lambda: state(other) == "thinking")


async def test_no_computer_thinks_about_a_running_rated_game_for_its_players(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path) as house:
        await a_rated_game(house, await members(house, "Anna", "Bela"))
    with a_server(tmp_path) as served:
        anna = Client(served.address)
        assert anna.post("/account/login", name="Anna", password=PASSWORD).status == 303
        async with talking(anna, begun(anna, game="corridor")) as talk:
            await talk.say("think", on=True)
            await talk.until(lambda: talk.last.get("thought", {}).get("state") == "unfair")


# --- in a browser --------------------------------------------------------------------------------


def point(page: Page, spot: str) -> tuple[float, float]:
    """Where a spot is on the page, once it is there and nothing moves any more."""
    x, y = page.wait_for_function(
        """id => {
            const board = document.getElementById("board");
            const spot = board.shown?.spots.get(id);
            if (!spot) return false;
            const box = board.shown.svg.getBoundingClientRect();
            const {left, top, across, down} = board.shown.view;
            const place = [box.left + (spot.at[0] - left) * box.width / across,
                           box.top + (spot.at[1] - top) * box.height / down];
            const same = String(place) === board.dataset.place;
            board.dataset.place = String(place);
            return same && place;
        }""",
        arg=spot,
    ).json_value()
    return x, y


def click(page: Page, spot: str) -> None:
    page.mouse.click(*point(page, spot))


def until(page: Page, true: str) -> None:
    """Wait until something is so; a function, since the page allows no script but its own."""
    page.wait_for_function(f"() => {true}")


def test_a_board_is_there_at_once_and_stored_at_its_first_turn(served: Served, page: Page) -> None:
    page.goto(f"{served.address}analysis?game=corridor&Size=5")
    new_id = page.get_attribute("#analysis", "data-study")
    assert Client(served.address).get(f"/analysis/{new_id}").status == 404
    until(page, "document.getElementById('board').live")
    check(page)
    click(page, "c2")
    expect(page.locator("#tree button")).to_have_count(1)
    expect(page).to_have_url(re.compile(f"/analysis/{new_id}#1$"))
    page.reload()
    expect(page.locator("#tree button")).to_have_count(1)
    expect(page.locator("#saved")).to_have_text("Saved.")

    page.goto(f"{served.address}analysis?game=arimaa")
    expect(page.locator("#arrangements button").first).to_be_visible()
    page.click("#setup")
    expect(page.locator("#parts button").first).to_be_visible()
    fits(page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_button_moves_when_turns_are_played_and_looked_at(
    served: Served, browser: Browser, size: tuple[int, int]
) -> None:
    places = """() => {
        const shown = document.querySelectorAll(".walk > *, .buttons > *, #line, #actions > *");
        return [...shown].map((one) => [one.id, one.getBoundingClientRect().top + scrollY]);
    }"""
    with a_page(browser, size, touch=False) as page:
        page.goto(f"{served.address}analysis?game=corridor&Size=5")
        until(page, "document.getElementById('board').live")
        before = page.evaluate(places)
        for count, spot in enumerate(("c2", "c4"), 1):
            click(page, spot)
            expect(page.locator("#tree button")).to_have_count(count)
            assert page.evaluate(places) == before, spot
        page.click("#previous")
        click(page, "b5")
        expect(page.locator("#promote")).to_be_visible()
        assert page.evaluate(places) == before, "a variation"
        page.click("#insight")
        expect(page.locator("#findings li").first).to_be_visible()
        assert size != DESK or page.evaluate(places) == before, "insight"


async def test_what_a_stand_in_played_is_told_once_and_in_the_reader_s_language(
    served: Served,
) -> None:
    one, note = Client(served.address), "{played by the strategy pathfinder: a first game}"
    record = GAME.replace("1n e8", f"1n e8 {note}").replace("2n e7\n", f"2n e7 {note}\n", 1)
    place = begun(one, **{"from": "text", "text": record + "3s e4\n3n e6 " + note + "\n"})
    page = one.get(place, Accept_Language="hu").text
    assert "played by" not in page and page.count("stratégiát követte") == 1
    async with talking(one, place) as talk:
        assert len(talk.rows) == 8 and not any("played by" in row[4] for row in talk.rows)


def test_a_new_analysis_is_of_one_owner_however_often_its_form_is_sent(served: Served) -> None:
    ada, form = Client(served.address), {"game": "tzaar", "id": "0123456789ab"}
    assert begun(ada, **form) == begun(ada, **form) == "/analysis/0123456789ab"
    assert Client(served.address).post("/analysis", **form).status == 404
    assert ada.post("/analysis", game="tzaar", id="../..").status == 400


def test_a_walk_through_the_analysis_board(served: Served, page: Page) -> None:
    """A record pasted, walked, played on and reviewed; a position set up, on a phone too."""
    page.goto(f"{served.address}analysis")
    page.click(".paste > summary")
    page.fill("#text", GAME)
    page.click(".handed button")
    tree = page.locator("#tree button")
    expect(tree).to_have_count(6)

    # Walked by a click, by keys, by the wheel.
    tree.nth(0).click()
    expect(page.locator("#tree [aria-current]")).to_contain_text("1s e2")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tree [aria-current]")).to_contain_text("1n e8")
    page.mouse.move(*point(page, "e5"))
    page.mouse.wheel(0, 120)
    expect(page.locator("#tree [aria-current]")).to_contain_text("2s e3")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#tree [aria-current]")).to_contain_text("2s d3h")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#tree [aria-current]")).to_contain_text("1n e8")

    # Something else is played, remarked, and is there when the page is loaded again.
    click(page, "d2")
    expect(tree).to_have_count(7)
    expect(page.locator("#tree [aria-current]")).to_contain_text("2s d2")
    page.fill("#note", "to the side")
    expect(page.locator("#tree i", has_text="to the side")).to_be_visible()
    expect(page.locator("#saved")).to_have_text("Saved.")
    page.reload()
    expect(page.locator("#tree [aria-current]")).to_contain_text("2s d2")
    expect(page.locator("#note")).to_have_value("to the side")
    page.click("#promote")
    expect(page.locator("#promote")).to_be_hidden()
    click(page, "a9")
    expect(page.locator(".bubble")).to_contain_text("a9")

    # The computer thinks; what it says is played by a click.
    page.click("#think")
    expect(page.locator("#best li")).to_have_count(1)
    page.select_option("#lines", "2")
    expect(page.locator("#best li")).to_have_count(2)
    expect(page.locator("#best li span").first).to_contain_text("%")
    expect(page.locator("#bar")).to_have_attribute("aria-label", re.compile("South .* North"))
    check(page)
    count = tree.count()
    page.locator("#best li").first.locator("button").nth(1).click()
    expect(tree).to_have_count(count + 2)
    page.click("#think")

    # The review, and the way from its curve to the board.
    page.click("#review")
    expect(page.locator("#curve .curve")).to_be_visible()
    page.locator('#curve [data-turn="2"] rect').first.click()
    expect(page.locator("#tree [aria-current]")).to_contain_text("1n e8")
    fits(page)
    page.locator("#tree .branch button").first.click()
    page.click("#promote")
    expect(page.locator("#curve .curve")).to_have_count(0)
    page.click("#first")

    # A position from the box: tapped, carried on, carried off.
    page.click("#setup")
    parts = page.locator("#parts button")
    expect(parts).to_have_count(4)
    page.click("#empty")
    wall = "document.getElementById('board').scene.walls.some(({ id }) => id === 'e3h')"
    until(page, f"!{wall}")
    parts.last.click()
    click(page, "e3h")
    until(page, wall)
    box = parts.nth(1).bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(*point(page, "e4"), steps=4)
    page.mouse.up()
    expect(page.locator('#board [data-key="pawn-s"]')).to_have_attribute("data-cell", "e4")
    parts.first.click()
    page.mouse.move(*point(page, "e4"))
    page.mouse.down()
    page.mouse.move(*point(page, "c4"), steps=4)
    page.mouse.up()
    expect(page.locator('#board [data-key="pawn-s"]')).to_have_attribute("data-cell", "c4")
    assert page.evaluate(wall)
    check(page)
    page.mouse.move(*point(page, "c4"))
    page.mouse.down()
    page.mouse.move(2, 400, steps=4)
    page.mouse.up()
    expect(page.locator("#told")).to_contain_text("start squares")
    expect(page.locator("#use")).to_be_disabled()
    parts.nth(1).click()
    click(page, "d4")
    before = page.url.split("#")[0]
    page.click("#use")
    expect(page).not_to_have_url(re.compile(re.escape(before)))
    expect(page.locator("#told")).to_contain_text("South to move")
    place = page.url.split("#")[0]

    # All of it stands on a phone without a bar to scroll sideways.
    width, height = PHONE
    page.set_viewport_size({"width": width, "height": height})
    page.goto(place)
    expect(page.locator("#told")).to_contain_text("to move")
    fits(page)
