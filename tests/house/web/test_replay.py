"""A game on a page of somebody else's: one script, one file, a plain file server."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, Page, expect

from playing import HOUSE, environment

RECORD = HOUSE / "docs" / "images" / "corridor.txt"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A plain file server with what the example page needs, where docs/why/board.md puts it."""
    folder = tmp_path_factory.mktemp("site")
    page, static = (
        folder / "docs" / "board",
        folder / "src" / "trine" / "house" / "web" / "static" / "board",
    )
    for path in (page, static):
        path.parent.mkdir(parents=True)
        path.symlink_to(HOUSE / path.relative_to(folder)) if path == static else path.mkdir()
    for name in ("example.html", "example.css"):
        (page / name).write_bytes((HOUSE / "docs" / "board" / name).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "trine", "show", RECORD, "--scenes", page / "game.json"],
        env=environment(folder / "home"),
        check=True,
    )
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/docs/board/example.html"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    opened = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.goto(site)
    opened.wait_for_selector("trine-replay trine-board svg")
    yield opened
    context.close()
    home = site.removesuffix("docs/board/example.html")
    assert not [url for url in asked if not url.startswith(home)]
    assert not wrong


def turn(page: Page) -> int:
    at: int = page.evaluate("document.querySelector('trine-replay').turn")
    return at


def pawn(page: Page) -> str:
    """The square of South's pawn."""
    cell = page.locator("trine-board [data-key=pawn-s]").get_attribute("data-cell")
    assert cell
    return cell


def test_buttons_keys_and_wheel_go_through_the_turns(page: Page) -> None:
    last = turn(page)
    assert last == 16
    page.get_by_role("button", name="First turn").click()
    assert (turn(page), pawn(page)) == (0, "e1")
    page.get_by_role("button", name="One turn on").click()
    assert (turn(page), pawn(page)) == (1, "e2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert (turn(page), pawn(page)) == (3, "e3")
    page.keyboard.press("ArrowLeft")
    assert (turn(page), pawn(page)) == (2, "e2")
    page.keyboard.press("End")
    assert turn(page) == last
    page.locator("trine-board").hover()
    page.mouse.wheel(0, -100)
    page.wait_for_function(
        "last => document.querySelector('trine-replay').turn === last - 1", arg=last
    )


def test_a_turn_is_chosen_from_the_list(page: Page) -> None:
    page.locator("trine-replay li button").nth(5).click()
    assert (turn(page), pawn(page)) == (5, "e4")
    chosen = page.locator("trine-replay li button[aria-current]")
    expect(chosen).to_have_text("3se4")


def test_all_turns_are_played(page: Page) -> None:
    last = turn(page)
    page.evaluate("last => { document.querySelector('trine-replay').turn = last - 2 }", last)
    page.get_by_role("button", name="Play all turns").click()
    page.wait_for_function("last => document.querySelector('trine-replay').turn === last", arg=last)
    expect(page.get_by_role("button", name="Play all turns")).to_be_visible()
