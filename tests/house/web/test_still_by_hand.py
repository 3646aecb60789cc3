"""A whole game of two people, in which nothing moves by itself."""

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web import test_house_pages
from house.web.browsing import DESK, LANGUAGES_BY_WIDTH, PHONE, a_page
from house.web.served import Served
from house.web.test_chat_by_hand import open_chat
from house.web.test_page import begin

WATCH = """
if (!window.moved) {
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const opened = ({ node }) => (node instanceof Element ? node : node?.parentElement)?.closest("#more");
      const game = document.getElementById("game");
      if (game ? entry.sources.every(opened) : entry.hadRecentInput) continue;
      const places = entry.sources.map(({ node, previousRect: before, currentRect: now }) =>
        [node?.id || node?.className || node?.nodeName, before.y, before.height, now.y, now.height].join(" "));
      moved.push([entry.value, ...places]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}
"""
"""A page that was somebody else's before may be told it twice. The menu grows with what is opened and
said in it, however late the house answers; everything else of a game counts, also right after a tap."""
PLACES = """parts => [...document.querySelectorAll(parts)].map((one) => {
  const { top, height } = one.getBoundingClientRect();
  return [one.id || one.className, Math.round(top), Math.round(height)];
})"""
MOST = 0.02
"""The sum of all shifts, as browsers reckon them; outside of games without those after an input."""


def watched(page: Page) -> Page:
    page.add_init_script(WATCH)
    return page


PLAYED = """number => {
  if (document.querySelectorAll("#turns li").length === number) return true;
  const board = document.querySelector("trine-board");
  if (board.live) board.choices[0].picks.forEach((id) => board.pick(id));
  // With a mouse a complete turn is played by itself, and the button goes out again at any moment.
  else document.getElementById("submit").click();
  return false;
}"""
"""Whether the turn of a number is played; if not, the first that can be pointed at. Looking and
pointing are one step: in between, the turn of the other one might come."""


def play_a_turn(number: int, *pages: Page) -> None:
    """Whoever is to move plays, as the turn of a number, the first that can be pointed at."""
    live = "document.querySelector('trine-board').live"
    for _ in range(3600):
        if mover := next((page for page in pages if page.evaluate(live)), None):
            break
        pages[0].wait_for_timeout(50)
    assert mover, "nobody can play"
    for _ in range(3600):
        if mover.evaluate(PLAYED, number):
            return
        mover.wait_for_timeout(50)
    raise AssertionError("the turn was not played")


def check(page: Page, when: str) -> None:
    moved = page.evaluate("moved")
    assert sum(value for value, *_ in moved) < MOST, "\n".join(map(str, [when, *moved]))


@pytest.mark.parametrize("size", [PHONE, (390, 844), (360, 640), (768, 1024), DESK], ids=str)
@pytest.mark.parametrize(("players", "other"), [("2", "screen"), ("4", "screen"), ("2", "bot:1")])
def test_the_board_stays_where_it_is_when_a_game_ends(
    served: Served, browser: Browser, size: tuple[int, int], players: str, other: str
) -> None:
    home = served.address.rstrip("/")
    with a_page(browser, size, "ru") as page:
        given: dict[str, str | float | bool] = {"game": "corridor", "with": other}
        given |= {"Players": players, "side": "0"}
        answer = page.request.post(
            f"{home}/new", form=given, headers={"Origin": home}, max_redirects=0
        )
        page.goto(home + answer.headers["location"])
        page.wait_for_function("() => document.querySelector('trine-board')?.live")
        parts = "#board, .above, .below, #told, #walk"
        if other == "screen":
            play_a_turn(1, page)
        else:  # the computer may have replied already
            test_house_pages.play_a_turn(page)
        before = page.evaluate(PLACES, parts)
        while not page.is_visible("#after"):
            page.locator("#resign").evaluate("one => one.click()")
        page.evaluate("document.getElementById('climb').hidden = false")  # as after a win
        assert page.evaluate(PLACES, parts) == before
        assert page.is_visible("#to-send button")


@pytest.mark.parametrize("other", ["screen", "bot:1"])
@pytest.mark.parametrize("game", ["arimaa", "tzaar"])
def test_the_room_of_a_setup_is_there_before_the_script(
    served: Served, browser: Browser, game: str, other: str
) -> None:
    with a_page(browser, (360, 640)) as page:
        page.route("**/games/game.js*", lambda route: route.abort())
        begin(page, served, game=game, side="0", **{"with": other})
        before = page.evaluate(PLACES, "#board, .above, .below")
        page.unroute("**/games/game.js*")
        page.reload()
        page.wait_for_function("() => document.querySelector('trine-board')?.live")
        assert page.evaluate(PLACES, "#board, .above, .below") == before


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_the_one_row_of_buttons_at_a_desk_shows_its_words_whole(
    served: Served, browser: Browser, language: str
) -> None:
    with a_page(browser, (920, 700), language) as page:
        begin(page, served, game="corridor")
        page.wait_for_function("() => document.querySelector('trine-board')?.live")
        cut = page.evaluate("""() => ["takeback", "draw", "hint", "resign"].map((id) => {
          const button = document.getElementById(id);
          button.hidden = button.disabled = false;
          return button;
        }).filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight
        ).map((one) => one.innerText)""")
        assert not cut


@pytest.mark.parametrize("size", [DESK, (1280, 1000)], ids=str)
def test_the_buttons_of_an_analysis_stay_where_they_are_when_the_computer_thinks(
    served: Served, browser: Browser, size: tuple[int, int]
) -> None:
    with a_page(browser, size, "ru") as page:
        page.goto(f"{served.address}analysis?game=tzaar")
        page.wait_for_function("() => document.querySelector('trine-board')?.live")
        before = page.evaluate(PLACES, "#board, #told, .walk, #undo, #typed, #actions")
        page.click("#think")
        expect(page.locator("#best li")).to_have_count(1)
        page.select_option("#lines", "3")
        expect(page.locator("#best li")).to_have_count(3)
        assert page.evaluate(PLACES, "#board, #told, .walk, #undo, #typed, #actions") == before


@pytest.mark.parametrize(
    ("game", "rules"),
    [("corridor", "quoridor"), pytest.param("tzaar", "official", marks=pytest.mark.nightly)],
)
def test_nothing_moves_in_a_whole_game(
    served: Served, browser: Browser, game: str, rules: str
) -> None:
    home = served.address.rstrip("/")
    with a_page(browser, PHONE) as anna, a_page(browser, DESK) as ivan:
        watched(anna), watched(ivan)
        given: dict[str, str | float | bool] = {"game": game, "rules": rules, "with": "friend"}
        given["clock"] = "15+15"
        answer = anna.request.post(
            f"{home}/new", form=given, headers={"Origin": home}, max_redirects=0
        )
        anna.goto(home + answer.headers["location"])
        link = anna.input_value("#invite input")
        ivan.goto(link)
        ivan.click("form button.main")
        anna_game = anna.url.split("/game/")[1].split("?")[0]
        for page in (anna, ivan):
            page.wait_for_url("**/game/*")
            page.wait_for_selector("#buttons:not([hidden])")
        for count in range(4):
            play_a_turn(count + 1, anna, ivan)
            for page in (anna, ivan):
                expect(page.locator("#turns li")).to_have_count(count + 1)
        check(anna, "after some turns, on a phone")
        check(ivan, "after some turns, at a desk")
        open_chat(anna)
        anna.click("[data-preset=luck]")
        ivan.wait_for_selector("#said .words >> text=Good luck", state="attached")
        check(anna, "with the chat open, on a phone")
        check(ivan, "after something was said, at a desk")
        anna.click("#takeback")
        ivan.click("#asked button >> nth=0")
        expect(ivan.locator("#turns li")).not_to_have_count(4)
        check(anna, "after a turn was taken back")
        check(ivan, "after a turn was given back")
        ivan.dblclick("#resign")  # the second time it is meant
        anna.wait_for_selector(".told.result")
        check(anna, "at the end, on a phone")
        check(ivan, "at the end, at a desk")
        anna.click("#rematch")
        ivan.click("#rematch")
        for page in (anna, ivan):
            page.wait_for_function(f"() => !location.pathname.includes('{anna_game}')")
            page.wait_for_selector("#buttons:not([hidden])")
            check(page, "when it begins again")
