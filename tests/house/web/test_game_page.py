"""The page of a game: what it shows while somebody looks back, is asked something, or comes back."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from house.web.browsing import DESK, LANGUAGES_BY_WIDTH, PATIENCE, PHONE, a_page
from house.web.clients import Client
from house.web.served import Served
from house.web.test_correspondence_by_hand import play, turns
from house.web.test_page import LIVE, begin, play_first

SEAT = "seat => document.querySelector('trine-board').seat === seat"


@contextmanager
def two_players(served: Served, browser: Browser, **form: str) -> Iterator[tuple[Page, Page]]:
    """The one who begins, and the other, at a game against the clock."""
    with a_page(browser) as anna, a_page(browser) as ivan:
        begin(anna, served, **{"with": "friend", "side": "0", "clock": "15+15", **form})
        ivan.goto(anna.input_value("#invite input"))
        ivan.click("form button.main")
        ivan.wait_for_url("**/game/*")
        anna.wait_for_function(LIVE)
        yield anna, ivan


def test_who_has_looked_back_sees_the_next_turn_all_the_same(
    served: Served, browser: Browser
) -> None:
    with two_players(served, browser, game="corridor") as (anna, ivan):
        play(anna, "e2")
        play(ivan, "e8")
        play(anna, "e3")
        anna.click("#previous")
        expect(anna.locator("#turns [aria-current]")).to_have_attribute("data-turn", "2")
        anna.click("trine-board")
        assert anna.locator("#planning").is_hidden()  # nothing is prepared on an old board
        anna.click("#open")
        anna.click("#plan-live")
        expect(anna.locator("#turns [aria-current]")).to_have_attribute("data-turn", "3")
        anna.click("#plan-leave")
        turns(ivan, 3)
        play(ivan, "e7")
        anna.wait_for_function(LIVE)


def test_the_board_is_turned_while_somebody_looks_back(served: Served, page: Page) -> None:
    begin(page, served, game="corridor")
    play(page, "e2")
    play(page, "e8")
    page.click("#previous")
    expect(page.locator("#turns [aria-current]")).to_have_attribute("data-turn", "1")
    page.click("#open")
    page.click("#flip")
    page.wait_for_function(SEAT, arg=1)
    expect(page.locator("#turns [aria-current]")).to_have_attribute("data-turn", "1")
    assert not page.evaluate(LIVE)


def test_what_is_asked_hides_no_refusal_and_keeps_the_focus(
    served: Served, browser: Browser
) -> None:
    with two_players(served, browser, game="corridor") as (anna, ivan):
        play(anna, "e2")
        play(ivan, "e8")
        ivan.click("#draw")
        accept = anna.locator("#asked button").first
        expect(accept).to_be_visible()
        expect(anna.locator("#told")).to_be_hidden()
        anna.keyboard.press("t")
        anna.fill("#line", "z9")
        anna.press("#line", "Enter")
        expect(anna.locator("#told.wrong")).to_be_visible()
        accept.focus()
        anna.evaluate("document.querySelector('#flip').click()")
        anna.wait_for_function(SEAT, arg=1)
        expect(accept).to_be_focused()


def test_a_request_that_waits_can_be_withdrawn(served: Served, browser: Browser) -> None:
    with two_players(served, browser, game="corridor") as (anna, ivan):
        play(anna, "e2")
        play(ivan, "e8")
        for what in ("takeback", "draw", "pause"):
            ivan.evaluate("what => document.getElementById(what).click()", what)
            expect(anna.locator("#asked button")).to_have_count(2)
            expect(ivan.locator(f"#{what}")).to_be_disabled()
            ivan.click("#asked button:has-text('Withdraw')")
            for page in (anna, ivan):
                expect(page.locator("#asked")).to_be_empty()
            expect(anna.locator("#told")).to_contain_text("Your turn.")
            expect(ivan.locator(f"#{what}")).to_be_enabled()


@pytest.mark.parametrize("size", [(390, 844), (360, 640), DESK], ids=str)
@pytest.mark.parametrize("players", ["2", "4"])
def test_the_link_to_an_open_seat_is_in_view(
    served: Served, browser: Browser, size: tuple[int, int], players: str
) -> None:
    with a_page(browser, size) as page:
        begin(page, served, game="corridor", Players=players, **{"with": "friend", "side": "0"})
        page.wait_for_selector(".seat")
        for part in ("#invite input", "#invite img"):
            assert page.evaluate(COVERED, part) is False


async def play_first_choice(client: Client, game: str) -> None:
    async with client.play(game) as table:
        await table.my_turn()
        assert (await table.turn(table.game["choices"][0]["id"]))["t"] == "ok"


def test_a_player_who_has_left_a_game_of_several_watches_it(
    served: Served, browser: Browser, guest: Client
) -> None:
    seats = {"seat0": "me", "seat1": "bot:1", "seat2": "bot:1", "seat3": "link"}
    for size in (PHONE, DESK):
        with a_page(browser, size) as page, ThreadPoolExecutor() as pool:
            path = begin(page, served, game="corridor", Players="4", **{"with": "seats"}, **seats)
            game, _, token = path.removeprefix("/game/").partition("?invite=")
            guest.join(f"/join/{token}", "East")
            play(page, "e2")
            page.evaluate("document.querySelector('#resign').click()")
            page.evaluate("document.querySelector('#resign').click()")
            expect(page.locator("#told")).to_contain_text("You are out of the game.")
            # Computers alone would end the game before anybody can look.
            pool.submit(asyncio.run, play_first_choice(guest, game)).result()
            expect(page.locator("#turns")).to_contain_text("2s resigns")
            for name in ("buttons", "takeback", "draw", "resign", "hint"):
                assert page.locator(f"#{name}").get_attribute("hidden") is not None, name


COVERED = """(name) => {
  const part = document.querySelector(name);
  const { left, top, width, height } = part.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) !== part;
}"""
"""Whether the middle of a part is out of view, or below another part."""


@contextmanager
def a_window(browser: Browser) -> Iterator[Page]:
    """A page whose scripts and sockets are those of no other test; the test fails if it says an error."""
    wrong: list[str] = []
    context = browser.new_context(service_workers="block")
    context.set_default_timeout(PATIENCE)
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        yield page
    finally:
        context.close()
    assert not wrong, wrong


def test_an_open_turn_outlives_that_the_house_forgets_it(served: Served, browser: Browser) -> None:
    ways: list[WebSocketRoute] = []
    away = False

    def lead(way: WebSocketRoute) -> None:
        ways.append(way)
        if away:
            way.close()
        else:
            way.connect_to_server()

    with a_window(browser) as page:
        page.route_web_socket("**/socket**", lead)
        begin(page, served, game="arimaa")
        page.wait_for_function(LIVE)
        page.click("#arrangements button >> nth=0")
        reset = page.locator("#reset")
        expect(reset).to_be_enabled()
        away = True
        ways[-1].close()
        expect(page.locator("#told.wrong")).to_be_visible()
        other = page.context.new_page()
        other.goto(page.url)
        other.click("#reset:enabled")
        expect(other.locator("#reset")).to_be_disabled()
        other.close()
        away = False
        expect(page.locator("#told.wrong")).to_have_count(0)
        page.click("#submit:enabled")
        turns(page, 1)


def test_a_refusal_is_told_once_and_not_again_after_a_reconnect(
    served: Served, browser: Browser
) -> None:
    ways: list[WebSocketRoute] = []

    def lead(way: WebSocketRoute) -> None:
        ways.append(way)
        way.connect_to_server()

    with two_players(served, browser, game="corridor") as (anna, ivan):
        play(anna, "e2")
        play(ivan, "e8")
        with a_window(browser) as page:
            page.context.add_cookies(anna.context.cookies())  # type: ignore[arg-type]
            page.route_web_socket("**/socket**", lead)
            page.goto(anna.url)
            page.wait_for_function(LIVE)
            told = page.locator("#told")
            for what in ("draw", "takeback"):
                page.evaluate("what => document.getElementById(what).click()", what)
                ivan.click("#asked button >> nth=1")
                expect(told).to_have_text(re.compile(" declines$"))
                ways[-1].close()
                expect(told).to_contain_text("Your turn.")
                page.reload()
                expect(told).to_contain_text("Your turn.")


NOTHING_KEPT = """for (const name of ["localStorage", "sessionStorage"]) {
  const get = () => { throw new DOMException("", "SecurityError"); };
  Object.defineProperty(window, name, { get });
}"""


def test_a_browser_that_keeps_nothing_plays_and_analyses(served: Served, browser: Browser) -> None:
    with a_window(browser) as page:
        page.add_init_script(NOTHING_KEPT)
        begin(page, served, game="arimaa")
        page.wait_for_function(LIVE)
        page.click("#arrangements button >> nth=0")
        page.click("#submit:enabled")
        turns(page, 1)
        page.goto(f"{served.address}analysis?game=corridor")
        page.wait_for_function(LIVE)
        page.click("#think")
        expect(page.locator("#think")).to_have_attribute("aria-pressed", "true")


def test_a_page_keeps_the_place_of_setups_that_come_later(one: Client) -> None:
    for game, place in (
        ("arimaa", 'id="setup" class="line">'),
        ("corridor", 'class="line" hidden>'),
    ):
        begun, _ = one.new_game(game=game, **{"with": "screen"})
        assert place in one.get(f"/game/{begun}").text


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_the_side_of_a_desk_keeps_its_places_and_its_menu_covers_no_action(
    served: Served, browser: Browser, language: str
) -> None:
    tops = """() => ["told", "buttons", "actions", "hint"].map(
        (id) => document.getElementById(id).getBoundingClientRect().y)"""
    with a_page(browser, DESK, language) as page:
        begin(page, served, game="corridor", Size="3")
        page.wait_for_function(LIVE)
        before = page.evaluate(tops)
        play_first(page)
        expect(page.locator("#turns li")).to_have_count(1)
        assert page.evaluate(tops) == before
        page.click("#open")
        menu, told = (page.locator(name).bounding_box() for name in ("#more", "#told"))
        assert menu and told and menu["y"] + menu["height"] <= told["y"]
        page.click("#more .rest summary")
        rest = page.locator("#more .rest").bounding_box()
        assert rest and rest["width"] > 0.7 * menu["width"]
