"""The pages of the house in a browser: what fits, what travels, what is there without a connection."""

import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import LANGUAGES_BY_WIDTH, a_page, axe_finds, fits, needs_axe
from house.web.served import Served, a_server
from trine.core.play import Play, next_step
from trine.core.text.language import LANGUAGES, open_language
from trine.core.text.sentence import text
from trine.games import ROOMS, open_room

LONGEST = "ru"
PHONE, DESK = (360, 640), (1280, 720)
LIVE = "() => document.querySelector('trine-board')?.live"
WHOLE = """() => {
  const { scrollHeight, clientHeight } = document.querySelector("#told");
  return scrollHeight <= clientHeight + 2;
}"""
"""Whether the line of the referee has room for what it says."""
IN_VIEW = """() => [...document.querySelectorAll(
    '#buttons button, #walk, #told, .seat, #place, trine-board')].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.height && (box.bottom > innerHeight + 1 || box.top < 0 || box.right > innerWidth + 1);
}).map((one) => one.id || one.className)"""


def made(page: Page, served: Served, **form: str) -> str:
    home = served.address.rstrip("/")
    answer = page.request.post(
        f"{home}/new", form={"with": "screen", **form}, headers={"Origin": home}, max_redirects=0
    )
    path: str = answer.headers["location"]
    return path


def begin(page: Page, served: Served, **form: str) -> str:
    path = made(page, served, **form)
    page.goto(served.address.rstrip("/") + path)
    return path


USUAL = [(room, open_room(room).default_rules, "") for room in ROOMS]
USUAL += [("corridor", "great-wall", "3"), ("corridor", "quoridor", "4")]
OTHERS = [(room, rules, "") for room in ROOMS for rules in open_room(room).rule_sets]


@pytest.mark.parametrize(
    ("size", "games"),
    [
        pytest.param(PHONE, USUAL, id="phone"),
        pytest.param(DESK, USUAL[::2], id="desk"),
        pytest.param(PHONE, OTHERS, marks=pytest.mark.nightly, id="every rule set"),
    ],
)
def test_all_that_playing_needs_is_in_view(
    served: Served, browser: Browser, size: tuple[int, int], games: list[tuple[str, str, str]]
) -> None:
    with a_page(browser, size, LONGEST) as page:
        for game, rules, players in games:
            begin(page, served, game=game, rules=rules, clock="5+5", Players=players)
            page.wait_for_function(LIVE)
            assert page.evaluate(IN_VIEW) == [], (game, rules)
            assert page.evaluate(WHOLE), (game, rules, page.text_content("#told"))
            fits(page)


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_no_page_is_wider_than_a_phone(served: Served, browser: Browser, language: str) -> None:
    with a_page(browser, PHONE, java_script_enabled=False) as page:
        home = served.address.rstrip("/")
        game = begin(page, served, game="tzaar").split("?")[0]
        paths = ["/", game, f"{game}/record", "/offline", "/nothing"]
        paths += [f"/new?game={room}&clock=5%2B5" for room in ROOMS]
        page.goto(f"{home}/language/{language}")
        for path in paths:
            page.goto(home + path)
            assert page.get_attribute("html", "lang") == language
            fits(page)
        page.goto(f"{home}/statistics")
        wide = page.locator(".scroll").evaluate_all(
            "all => all.map((one) => one.scrollWidth > one.clientWidth)"
        )
        assert wide and not any(wide)


@needs_axe
def test_axe_finds_nothing_wrong(served: Served, page: Page) -> None:
    home = served.address.rstrip("/")
    game = begin(page, served, game="arimaa", **{"with": "friend"})
    link = page.input_value("#invite input").removeprefix(home)
    other = made(page, served, game="corridor", clock="5+5").split("?")[0]
    coloured = ["/new?game=corridor&clock=5%2B5", link, other]
    for path in [*coloured, game, f"{other}/record", "/offline", "/nothing"]:
        page.goto(home + path)
        assert not axe_finds(page), path
        if path in coloured:
            page.emulate_media(color_scheme="dark")
            assert not axe_finds(page, "color-contrast"), path
            page.emulate_media(color_scheme="light")


@pytest.mark.parametrize(
    ("rules", "rounds"), [("corridor", 2), pytest.param("corridor-8", 2, marks=pytest.mark.nightly)]
)
def test_four_play_each_at_their_side_of_the_board(
    served: Served, page: Page, rules: str, rounds: int
) -> None:
    """In ``corridor`` the first round chooses where the pawns start."""
    begin(page, served, game="corridor", rules=rules, Size="5", Players="4")
    sides = [("South", "below"), ("West", "left"), ("North", "above"), ("East", "right")]
    for number, (name, place) in enumerate(sides * rounds):
        page.wait_for_selector(f"#{place} .seat.moves")
        assert page.text_content(f"#{place} b") == name
        play_first(page)
        page.wait_for_function(f"() => document.querySelectorAll('#turns li').length > {number}")
    for gone in range(3):
        page.dblclick("#resign")
        page.wait_for_function(
            "(gone) => document.querySelectorAll('.seat.gone').length > gone"
            " || document.querySelector('#told').textContent.includes('wins')",
            arg=gone,
        )
    page.wait_for_function("() => document.querySelector('#told').textContent.includes('wins')")
    page.wait_for_selector("#rematch")


def test_a_game_is_played_by_the_keyboard_alone(served: Served, page: Page) -> None:
    here = "document.querySelector('trine-board').shadowRoot.activeElement?.dataset.spot"
    begin(page, served, game="corridor", Size="3")
    for number, goal in enumerate(["a1", "c3", "a2", "c2", "a3"]):
        page.wait_for_function(LIVE)
        for _ in range(40):
            if page.evaluate(here):
                break
            page.keyboard.press("Tab")
        for _ in range(40):
            if page.evaluate(here) == goal:
                break
            page.keyboard.press("PageDown")
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => document.querySelectorAll('#turns li').length > {number}")
    page.wait_for_function(
        "() => document.querySelector('#told').textContent.includes('South wins')"
    )


@pytest.mark.nightly
def test_a_page_and_a_turn_are_light(served: Served, phone: Page) -> None:
    """All that travels: the page, its files, the board, and what comes by the socket."""
    for game in ROOMS:
        path = made(phone, served, game=game)
        sizes, frames = travelling(phone)
        phone.goto(served.address.rstrip("/") + path)
        phone.wait_for_function(LIVE)
        phone.wait_for_load_state("networkidle")
        assert 20_000 < sum(sizes) + sum(frames) < 90_000, (game, sum(sizes), sum(frames))
        frames.clear()
        if game == "arimaa":
            phone.click("#arrangements button >> nth=0")
            phone.click("#submit:enabled")
        else:
            play_first(phone)  # a complete turn is sent at once
        phone.wait_for_function("() => document.querySelectorAll('#turns li').length > 0")
        # At one screen what can be chosen next comes too.
        # A board of TZAAR is drawn by lot, and some boards pack worse by 100 bytes.
        assert 0 < max(frames) < 2_150, (game, frames)


def travelling(page: Page) -> tuple[list[float], list[int]]:
    """All that comes from now on to a page that has nothing yet: files, and messages."""
    sizes: list[float] = []
    frames: list[int] = []

    def message(told: dict[str, Any]) -> None:
        about = told["response"]
        size = len(about["payloadData"])
        frames.append(size * 3 // 4 if about["opcode"] == 2 else size)

    watched = page.context.new_cdp_session(page)
    watched.send("Network.enable")
    watched.send("Network.clearBrowserCache")
    watched.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    watched.on("Network.webSocketFrameReceived", message)
    return sizes, frames


def play_first(page: Page) -> None:
    page.wait_for_function(
        """() => {
            const board = document.querySelector("trine-board");
            if (!board?.live || !board.choices.length) return false;
            board.choices[0].picks.forEach((id) => board.pick(id));
            return true;
        }"""
    )


def test_what_was_read_can_be_read_without_a_connection(served: Served, browser: Browser) -> None:
    home = served.address.rstrip("/")
    with a_page(browser, service_workers="allow") as page:
        game = begin(page, served, game="corridor", Size="3").split("?")[0]
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        page.wait_for_function(LIVE)
        play_first(page)
        page.wait_for_selector("#turns li")
        page.dblclick("#resign")
        page.wait_for_selector("#rematch")
        page.reload()
        page.goto(f"{home}/rules/corridor/quoridor")
        for read in (game, "/rules/corridor/quoridor"):  # a page is kept behind its being shown
            page.wait_for_function("read => caches.match(read).then(Boolean)", arg=read)
        page.context.set_offline(True)
        page.reload()
        assert "Quoridor" in page.inner_text("main") or "quoridor" in page.inner_text("main")
        page.goto(home + game)
        assert page.locator("#turns li").count() == 1
        assert "wins" in page.inner_text("#told")
        page.goto(f"{home}/new")
        assert page.inner_text("h1") == "There is no connection"
        page.wait_for_selector("#kept a")
        page.click(f"#kept a[href$='{game}']")
        page.wait_for_selector(".still #turns li")
        assert page.evaluate("document.querySelector('h1').offsetHeight") > 10
        page.context.set_offline(False)


def test_where_there_is_no_room_pages_are_read_all_the_same(
    served: Served, browser: Browser
) -> None:
    # Its worker stays as it is made here: this window is that of no other test.
    with a_page(browser, service_workers="allow", base_url=served.address) as page:
        page.goto(served.address)
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        (worker,) = page.context.service_workers
        worker.evaluate("() => { Cache.prototype.put = async () => { throw new Error('full'); }; }")
        page.goto(f"{served.address}rules/corridor/quoridor")
        expect(page.locator("h1")).to_have_text("Corridor: Rules")
        assert page.evaluate("fetch('/learn').then((answer) => answer.ok)")


def test_what_somebody_likes_is_remembered(served: Served, page: Page) -> None:
    begin(page, served, game="arimaa")
    page.wait_for_function(LIVE)
    page.select_option("[data-taste=look]", "dark")
    page.click("#open")
    page.click(".rest summary")
    page.select_option("[data-taste=board]", "paper")
    with page.expect_navigation():
        page.select_option("[data-taste=pieces]", "letters")
    page.wait_for_function(LIVE)
    assert page.get_attribute("html", "data-look") == "dark"
    assert page.get_attribute("trine-board", "theme") == "paper"
    pieces = page.evaluate("document.querySelector('trine-board').scene.pieces")
    assert any(piece["label"] and not piece["figure"] for piece in pieces)


def test_a_link_leads_to_a_turn(served: Served, page: Page) -> None:
    game = begin(page, served, game="corridor").split("?")[0]
    for number in range(2):
        play_first(page)
        page.wait_for_function(f"() => document.querySelectorAll('#turns li').length > {number}")
    page.goto(f"{served.address.rstrip('/')}{game}?turn=1")
    page.wait_for_function("() => document.querySelectorAll('#turns button[aria-current]').length")
    assert page.get_attribute("#turns button[aria-current]", "data-turn") == "1"
    page.mouse.move(400, 400)
    page.mouse.wheel(0, 100)
    page.wait_for_function(LIVE)


def test_who_waits_for_the_computer_to_make_itself_ready_sees_how_long(
    page: Page, tmp_path: Path
) -> None:
    left = "#told span"
    with a_server(tmp_path, address_credits=20000, cold=True) as cold:
        begin(page, cold, game="corridor", side="1", **{"with": "bot:5"})
        bar = page.locator("#told progress")
        expect(bar).to_have_attribute("max", "14")
        expect(bar).to_have_attribute("value", "3")
        expect(page.locator(left)).to_have_text(re.compile(r"about \d+ s left"))
        first = page.text_content(left)
        page.wait_for_function(
            f"first => document.querySelector('{left}').textContent !== first", arg=first
        )
        assert "Getting ready, once: computer, level 5" in (page.text_content("#told") or "")
        assert page.evaluate(IN_VIEW) == []
        page.click("#abort")
        expect(bar).to_have_count(0)


def lines_of_turns(code: str) -> set[str]:
    """Return what the line says at the turns of some random plays of each rule set."""
    rng, say, found = random.Random(1), open_language(code).say, set[str]()
    for room in map(open_room, ROOMS):
        documents = [(one.rules, one.options) for one in room.handbook.documents]
        for rules, options in [*((rules, {}) for rules in room.rule_sets), *documents]:
            play = Play(room, room.rules.start(rules, room.rules.settle(rules, options)))
            for _ in range(200):
                if play.outcome:
                    break
                play.act(rng.choice(play.legal_actions()))
                if play.turns and not (play.outcome or play.open_actions):
                    last = play.turns[-1]
                    told = next_step(room, last.before, last.actions, play.position)
                    name = play.position.seats[play.mover].name
                    moves = text("{name} to move. {coach}", name=name, coach=told)
                    found |= {f"{say(text('Your turn.'))} {say(told)}", say(moves)}
    return found


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_longest_line_of_a_turn_fits_a_phone(
    served: Served, browser: Browser, code: str
) -> None:
    with a_page(browser, PHONE, code) as page:
        begin(page, served, game="corridor")
        page.wait_for_function(LIVE)
        clipped = page.evaluate(
            """(lines) => {
                const told = document.getElementById("told");
                return lines.filter((line) => {
                    told.textContent = line;
                    return told.scrollHeight > told.clientHeight + 2;
                });
            }""",
            sorted(lines_of_turns(code), key=len)[-200:],
        )
        assert clipped == []
