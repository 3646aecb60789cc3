"""The first page is a game: whoever looks leaves nothing behind, and a tap begins it."""

import json
import re
from html import unescape

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import LANGUAGES_BY_WIDTH, PHONE, a_page, axe_finds, fits, needs_axe
from house.web.clients import Client
from house.web.gestures import place
from house.web.served import Served
from house.web.test_page import IN_VIEW, WHOLE
from house.web.test_still_by_hand import MOST, watched
from trine.core.text.language import LANGUAGES, open_language
from trine.core.text.sentence import text
from trine.games import first_games

ONWARD = "#after:not([hidden]) .onward"
MOST_SENT = 72_000
"""Units: bytes; what the first page may weigh as it travels."""


def begin(one: Client, name: str) -> str:
    page = one.get(f"/first/{name}")
    game = re.search(r'name="game" value="(\w+)"', page.text)
    assert game
    answer = one.post(f"/first/{name}", game=game[1])
    assert (answer.status, answer.headers["location"]) == (303, f"/game/{game[1]}")
    return game[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_whoever_looks_leaves_nothing_behind(one: Client, language: str) -> None:
    for path in ("/", *(f"/first/{name}" for name in first_games())):
        page = one.get(path, Accept_Language=language)
        assert page.status == 200 and "set-cookie" not in page.headers
        game = re.search(r'data-game="(\w+)"', page.text)
        state = re.search(r'data-begins="([^"]*)"', page.text)
        assert game and state and one.get(f"/game/{game[1]}").status == 404
        assert json.loads(unescape(state[1]))["choices"]


def test_a_game_that_is_begun_is_one_however_often_its_form_is_sent(one: Client) -> None:
    game = begin(one, "five")
    assert one.post("/first/five", game=game).headers["location"] == f"/game/{game}"
    assert one.get(f"/game/{game}").status == 200
    assert one.post("/first/five", game="x").status == 400
    assert one.post("/first/chess", game=game).status == one.get("/first/chess").status == 404


async def test_the_computer_answers_and_whoever_has_played_sees_what_goes_on(one: Client) -> None:
    game = begin(one, "five")
    async with one.play(game) as table:
        assert table.game["coach"] == "Pick a green dot, and run to the top."
        assert (await table.turn("c2"))["t"] == "ok"
        await table.my_turn()
        assert table.game["coach"] != "Pick a green dot, and run to the top."
    home = one.get("/").text
    assert f'href="/game/{game}"' in home and "data-begins" not in home
    assert 'href="/puzzles/corridor/' in home


def walk(page: Page, name: str) -> None:
    """Go for the other side until the game is over."""
    for _ in range(60):
        page.wait_for_function(
            """() => document.querySelector("#after:not([hidden])")
              || document.querySelector("trine-board").choices?.length"""
        )
        if page.is_visible("#after"):
            return
        turn = page.text_content("#now")
        ways = page.evaluate("document.querySelector('trine-board').choices.map(({id}) => id)")
        cell = max((way for way in ways if len(way) == 2), key=lambda way: way[1])
        page.touchscreen.tap(*place(page, cell))
        expect(page.locator("#now")).not_to_have_text(turn or "")
    raise AssertionError("it does not end")


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_a_finger_plays_the_first_game_and_comes_to_the_next(
    served: Served, browser: Browser, language: str
) -> None:
    sent = dict[str, int]()
    with a_page(browser, PHONE, language) as page:
        watched(page)
        told = page.context.new_cdp_session(page)
        told.send("Network.enable")
        told.on(
            "Network.loadingFinished",
            lambda event: sent.update({event["requestId"]: event["encodedDataLength"]}),
        )
        page.goto(served.address)
        page.wait_for_function("() => document.querySelector('trine-board').live")
        page.wait_for_load_state("networkidle")
        assert sum(sent.values()) < MOST_SENT
        assert page.evaluate(IN_VIEW) == [] and page.evaluate(WHOLE)
        fits(page)
        walk(page, "five")
        assert re.search(r"/game/\w{12}$", page.url)
        assert sum(value for value, *_ in page.evaluate("moved")) < MOST
        page.click(ONWARD)
        page.wait_for_url("**/first/nine")
        told.detach()
        page.goto(served.address)
        say = open_language(language).say
        expect(page.locator(".own .row")).to_contain_text(f"{say(text('You'))} – ")
        expect(page.locator(".own .row")).to_contain_text(say(text("you won")))
        page.set_viewport_size({"width": 360, "height": 640})
        for button in ("main .onward", "#hint"):
            expect(page.locator(button)).to_be_in_viewport(ratio=1)
        board = page.locator("trine-board").bounding_box()
        assert board and min(board["width"], board["height"]) >= 360


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_the_task_of_each_first_game_fits_a_small_phone(
    served: Served, browser: Browser, language: str
) -> None:
    with a_page(browser, (360, 640), language) as page:
        for name in first_games():
            page.goto(f"{served.address}first/{name}")
            page.wait_for_function("() => document.querySelector('trine-board').live")
            task = page.locator("#told")
            assert task.evaluate("one => one.scrollHeight <= one.clientHeight"), task.inner_text()


@needs_axe
def test_axe_finds_nothing_wrong(served: Served, page: Page) -> None:
    page.goto(served.address)
    page.wait_for_function("() => document.querySelector('trine-board').live")
    assert not axe_finds(page)
    page.emulate_media(color_scheme="dark")
    assert not axe_finds(page, "color-contrast")


def test_reasons_cover_no_button_and_no_square_of_a_small_phone(
    served: Served, browser: Browser
) -> None:
    """Reasons can be read without scrolling, whether a game has buttons or only a way back."""
    with a_page(browser, (360, 640)) as page:
        page.goto(f"{served.address}first/nine")
        page.wait_for_function("() => document.querySelector('trine-board')?.live")
        for shown in ("", "document.getElementById('buttons').hidden = true"):
            hidden = page.evaluate(
                """(shown) => {
                    eval(shown);
                    const list = document.getElementById("findings");
                    list.innerHTML = "<li>steps to the goal then: 6 and 7</li>".repeat(5);
                    document.getElementById("game").classList.add("reads");
                    const { bottom } = list.children[2].getBoundingClientRect();
                    const sheet = list.getBoundingClientRect();
                    const board = document.getElementById("place").getBoundingClientRect();
                    const buttons = [...document.querySelectorAll(".buttons button, .walk button, #read")]
                        .filter((one) => one.checkVisibility({ visibilityProperty: true }));
                    const covered = buttons.filter((one) => {
                        const { x, y, width, height } = one.getBoundingClientRect();
                        return !one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
                    });
                    return [bottom > sheet.bottom, sheet.top < board.bottom - 2, ...covered.map(({ id }) => id)];
                }""",
                shown,
            )
            assert hidden == [False, False]
