"""Whole games in a real browser: two pages against each other, a reload, a lost connection."""

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from operator import itemgetter
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect
from playwright.sync_api import TimeoutError as NotYetError

from house.web.browsing import PHONE, a_page, fits, start_against
from house.web.served import Served

READY = """([turns, before]) => {
    if (document.querySelectorAll("#turns li").length > turns) return "played";
    const ways = document.querySelector("trine-board").choices.map((one) => one.picks);
    if (ways.length) return JSON.stringify(ways) !== before && JSON.stringify(ways);
    return before !== "ended" && !document.querySelector("#submit").disabled && "ended";
}"""
"""The choices now, other than before; false while the house has not answered yet."""
LOST = "() => document.querySelector('#told').textContent.includes('lost')"
OVER = "() => document.querySelector('#told').textContent.includes('You have ')"


def play_a_turn(page: Page, choose: Callable[[list[Any]], Any] = itemgetter(0)) -> None:
    """Point at what can be chosen, until the turn is played.

    Each time the answer of the house is waited for: who points again before it has come may play
    the next turn, too.
    """
    page.wait_for_function("() => document.querySelector('trine-board')?.live")
    turns, before = page.locator("#turns li").count(), ""
    for _ in range(40):
        before = page.wait_for_function(READY, arg=[turns, before]).json_value()
        if before == "played":
            return
        if before == "ended":
            # The house may still be answering, and send the turn itself.
            page.evaluate("() => document.querySelector('#submit').click()")
            before = ""
            continue
        for pick in choose(json.loads(before)):
            page.evaluate("(id) => document.querySelector('trine-board').pick(id)", pick)
    raise AssertionError("the turn could not be played")


def test_players_and_a_side_are_chosen_on_a_picture_and_nothing_else_is_lost(
    served: Served, phone: Page
) -> None:
    phone.goto(f"{served.address}new?game=corridor&rules=corridor")
    phone.tap("label:has([name=with][value='bot:1'])")
    phone.tap("label:has([name=Players][value='4'])")
    west = phone.locator(".around .left:has-text('West')")
    west.tap()  # which becomes a click a little later
    phone.wait_for_function("() => document.activeElement.value === '1'")
    assert phone.locator(".around .card").count() == 5
    assert phone.is_checked("[name=with][value='bot:1']")
    phone.tap("summary:has-text('Rule set')")
    phone.tap(".rulesets a:has-text('great-wall')")
    expect(phone.locator(".rulesets [aria-current]")).to_contain_text("great-wall")
    assert phone.is_checked("[name=with][value='bot:1']") and phone.is_checked(
        "[name=side][value='1']"
    )
    phone.tap("label:has([name=Players][value='4'])")
    west.tap()
    phone.tap(".go button")
    phone.wait_for_url("**/game/*")
    assert phone.get_attribute("#game", "data-own") == "1"


def test_what_is_chosen_while_the_choices_come_again_holds_too(served: Served, page: Page) -> None:
    page.goto(f"{served.address}new?game=corridor&rules=corridor")
    page.click("summary:has-text('Rule set')")
    waiting: list[Route] = []
    asked = re.compile(r"/new\?")
    page.route(asked, lambda route: waiting.append(route), times=1)
    with page.expect_request(asked):
        page.click(".rulesets a:has-text('great-wall')")
    page.click("label:has([name=with][value='screen'])")
    page.click("label:has([name=Players][value='4'])")
    page.click("#choices summary")
    page.uncheck("[name=listed]")
    waiting[0].continue_()
    expect(page.locator(".rulesets [aria-current]")).to_contain_text("great-wall")
    expect(page.locator(".around .card")).to_have_count(5)
    assert page.is_checked("[name=with][value=screen]")
    assert not page.is_checked("[name=listed]")


def test_two_browsers_play_a_game_and_one_loses_its_connection(
    served: Served, browser: Browser
) -> None:
    with ExitStack() as stack:
        anna = stack.enter_context(a_page(browser))
        # What is routed stays so: this window is that of no other test.
        bela = stack.enter_context(a_page(browser, base_url=served.address))
        lines: list[WebSocketRoute] = []
        away = [False]

        def route(socket: WebSocketRoute) -> None:
            lines.append(socket)
            socket.close() if away[0] else socket.connect_to_server()

        bela.route_web_socket("**/socket*", route)
        anna.goto(f"{served.address}new?game=corridor")
        anna.click("#choices summary")
        anna.fill("input[name=name]", "Anna")
        anna.click("summary")
        anna.click("label:has([name=side][value='0'])")
        start_against(anna, "friend")
        link = anna.input_value("#invite input")
        expect(anna.locator("#first")).to_be_hidden()  # nothing was played through which to walk
        bela.goto(link)
        bela.fill("input[name=name]", "Béla")
        bela.click("button.main")
        for number in range(3):
            if number == 1:
                away[0] = True  # else it may be back before anybody can look
                lines[-1].close(code=3000)
                bela.wait_for_function(LOST)
                away[0] = False
            play_a_turn(anna)
            expect(anna.locator("#first")).to_be_visible()
            bela.wait_for_function(
                f"() => document.querySelectorAll('#turns li').length == {2 * number + 1}"
            )
            play_a_turn(bela)
            if number == 1:
                anna.reload()
            anna.wait_for_function(
                f"() => document.querySelectorAll('#turns li').length == {2 * number + 2}"
            )
        assert len(lines) > 1, "the connection was not lost"
        bela.dblclick("#resign")
        for page in (anna, bela):
            page.wait_for_function(OVER)
        game = urlsplit(anna.url).path
        anna.click("#rematch")
        bela.click("#rematch")
        for page in (anna, bela):  # both go on by themselves
            page.wait_for_url(lambda url: urlsplit(url).path != game)


DEAD = """() => [...document.querySelectorAll('button, select')].filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.form
        && !one.popoverTargetElement).map((one) => one.id)"""
"""What can be pressed and is no part of a form, so that nothing comes of it without a script."""


def test_without_a_script_no_button_is_dead(served: Served, browser: Browser) -> None:
    with a_page(browser, PHONE, java_script_enabled=False) as page:
        for path in ("", "new?game=arimaa", "lobby", "learn/arimaa/official/steps", "analysis"):
            page.goto(served.address + path)
            assert page.evaluate(DEAD) == [], path
        page.goto(f"{served.address}new?game=corridor&with=screen")
        page.click(".go button")
        page.wait_for_url("**/game/*")
        assert page.evaluate(DEAD) == []
        assert page.locator("h1").is_visible()


KEPT = """count => Object.entries(sessionStorage).some(
    ([name, kept]) => name.startsWith("draft ") && JSON.parse(kept).actions.length === count)"""
"""Whether a draft of so many actions is kept over a reload."""


def test_a_draft_outlives_a_reload(served: Served, page: Page) -> None:
    page.goto(f"{served.address}new?game=arimaa")
    start_against(page, "screen")
    page.wait_for_function("() => document.querySelector('trine-board')?.live")
    page.click("#arrangements button >> nth=0")
    page.wait_for_function("() => !document.querySelector('#undo').disabled")
    page.wait_for_function(KEPT, arg=16)
    page.reload()
    page.wait_for_function("() => !document.querySelector('#undo').disabled")
    assert page.locator("#turns li").count() == 0
    page.click("#undo")
    page.wait_for_function(KEPT, arg=15)
    page.click("#reset")
    page.wait_for_function("() => document.querySelector('#undo').disabled")


@pytest.mark.parametrize(
    "game",
    ["arimaa", *(pytest.param(one, marks=pytest.mark.nightly) for one in ("tzaar", "corridor"))],
)
def test_a_phone_plays_the_computer_in_two_taps(served: Served, phone: Page, game: str) -> None:
    phone.goto(f"{served.address}new?game={game}")
    start_against(phone, "bot:1")
    phone.wait_for_function("() => document.querySelector('trine-board')?.live")
    turns = phone.locator("#turns li").count()
    play_a_turn(phone)
    phone.wait_for_function(f"() => document.querySelectorAll('#turns li').length >= {turns + 2}")
    fits(phone)


def run_until(page: Page, true: str) -> None:
    """Let the clock of a page run, as long as sockets take, until something holds."""
    for _ in range(1_800):
        page.clock.run_for(1_000)
        try:
            page.wait_for_function(true, timeout=100)
        except NotYetError:
            continue
        return
    raise AssertionError(f"never: {true}")


def test_a_page_that_hears_nothing_looks_for_the_house_anew(
    served: Served, browser: Browser
) -> None:
    """The house hangs, or its machine is gone: nobody closes the socket."""
    context = browser.new_context()  # its clock and its sockets are those of no other test
    try:
        page = context.new_page()
        silent, opened = [False], []

        def route(socket: WebSocketRoute) -> None:
            opened.append(socket)
            house = socket.connect_to_server()

            def pass_on(message: str | bytes) -> None:
                if not silent[0]:
                    socket.send(message)

            house.on_message(pass_on)

        page.route_web_socket("**/socket*", route)
        page.clock.install()
        page.goto(f"{served.address}new?game=corridor")
        start_against(page, "screen")
        page.wait_for_function("() => document.querySelector('trine-board')?.live")
        before = len(opened)
        silent[0] = True
        page.clock.run_for(6_000)
        # The time of the machine passes, too: there are nine seconds for these two lines.
        assert "lost" not in (page.text_content("#told") or "") and len(opened) == before
        page.clock.run_for(10_000)
        page.wait_for_function(LOST)
        silent[0] = False
        run_until(
            page, "() => document.querySelector('#told').textContent .startsWith('South to move.')"
        )
        assert len(opened) > before
        # A turn that nobody answers is waited for less long, and sent again.
        silent[0] = True
        page.wait_for_function("() => document.querySelector('trine-board').live")
        page.evaluate("() => document.querySelector('trine-board').pick('e2')")
        page.clock.run_for(6_000)
        page.wait_for_function(LOST)
        silent[0] = False
        run_until(page, "() => document.querySelectorAll('#turns li').length === 1")
        page.goto("about:blank")
    finally:
        context.close()
