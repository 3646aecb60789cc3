"""A real browser for tests: chromium where there is one, and pages that reach nothing but our files."""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserType,
    ConsoleMessage,
    Error,
    Page,
    Route,
    expect,
    sync_playwright,
)

from playing import HOUSE

STATIC = HOUSE / "src" / "trine" / "house" / "web" / "static"
PAGES = Path(__file__).parent
HOST = "http://trine.test"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
KINDS |= {".json": "application/json", ".svg": "image/svg+xml"}
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
"""The content security policy of the house: no script and no style in the page itself."""
PATIENCE = 180_000
"""Units: milliseconds; a wait for what is sure to come costs no more where it may be long."""
PHONE = (360, 740)
DESK = (1280, 800)
LANGUAGES_BY_WIDTH = (
    "ru",
    *(pytest.param(code, marks=pytest.mark.nightly) for code in ("hu", "en", "fr")),
)
"""For what fits: the one with the longest words at every commit, the others by night."""

AXE = HOUSE / ".venv" / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
needs_axe = pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is absent; scripts/browser brings it"
)


WHOLE = ("chromium", "chromium-browser")
LIGHT = ("chromium-headless-shell", *WHOLE)
"""The first one has no windows, menus and news of the system, and takes two thirds of the time."""


@contextmanager
def chromium(programs: Sequence[str] = LIGHT) -> Iterator[Browser]:
    """A browser without a window; the test is skipped where there is none."""
    expect.set_options(PATIENCE)
    with sync_playwright() as playwright, launched(playwright.chromium, programs) as browser:
        yield browser


@contextmanager
def launched(kind: BrowserType, programs: Sequence[str]) -> Iterator[Browser]:
    """The first of some browsers that is there; the test is skipped where there is none."""
    program = next(filter(None, map(shutil.which, programs)), None)
    if program is None:
        pytest.skip("chromium is absent; scripts/browser installs it")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    browser = kind.launch(executable_path=program, args=arguments)
    try:
        yield browser
    finally:
        browser.close()


@dataclass
class Window:
    """A page in a browser of somebody; errors that it has said."""

    page: Page
    wrong: list[str] = field(default_factory=list)

    def hear(self, error: Error) -> None:
        self.wrong.append(str(error))


_free: dict[tuple[Any, ...], list[Window]] = defaultdict(list)
"""Windows that no test uses now, by what they were made for: a new one costs a second of CPU."""


@contextmanager
def a_page(
    browser: Browser,
    size: tuple[int, int] = DESK,
    language: str = "en",
    *,
    dark: bool = False,
    touch: bool | None = None,
    still: bool = True,
    **options: Any,
) -> Iterator[Page]:
    """The page of somebody whom no house knows; the test fails if it says an error.

    Without `touch`, a narrow screen is that of a phone.
    """
    touch = size[0] < 600 if touch is None else touch
    kind = (browser, size, language, dark, touch, still, repr(options))
    window = _free[kind].pop() if _free[kind] else None
    if not window:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=touch,
            is_mobile=touch,
            locale=language,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            **options,
        )
        context.set_default_timeout(PATIENCE)
        window = Window(context.new_page())
        window.page.on("pageerror", window.hear)
    page, found = window.page, list[str]()
    try:
        yield page
        found = list(window.wrong)
    except BaseException as error:
        with suppress(Error):
            shown = page.inner_text("body", timeout=5_000)
            error.add_note(f"{page.url} has said {window.wrong} and shows:\n{shown[:2_000]}")
        page.context.close()
        raise
    _forget(page, size)
    window.wrong.clear()
    _free[kind].append(window)
    assert not found, found


def _forget(page: Page, size: tuple[int, int]) -> None:
    """Make a page that of somebody else: no cookies, nothing kept, the mouse in a corner."""
    home = urlsplit(page.url)
    page.goto("about:blank")
    page.mouse.move(0, 0)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.context.clear_cookies()
    told = page.context.new_cdp_session(page)
    told.send(
        "Storage.clearDataForOrigin",
        {"origin": f"{home.scheme}://{home.netloc}", "storageTypes": "all"},
    )
    told.detach()


def follow(page: Page, link: str) -> None:
    """Click what leads to another page, and be there: the old one may be looked at until then."""
    with page.expect_navigation():
        page.click(link)


def start_against(page: Page, whom: str) -> None:
    """Choose an opponent on the page of a new game, and begin."""
    page.locator(f"label:has([name=with][value='{whom}'])").click()
    page.click(".go button")


@contextmanager
def opened(
    browser: Browser, address: str, size: tuple[int, int] = DESK, **options: Any
) -> Iterator[Page]:
    """A page of a house that has our static files under /static/ and ours for tests under /page/.

    The test fails if the page says an error, or asks for what is not there.
    """
    wrong: list[str] = []

    def serve(route: Route) -> None:
        place = route.request.url.removeprefix(HOST).split("?")[0]
        root, _, name = place.removeprefix("/").partition("/")
        homes = {"static": STATIC, "page": PAGES}
        path = homes[root] / name if root in homes else None
        if path is None or not path.is_file():
            wrong.append(f"asked for {route.request.url}")
            route.fulfill(status=404)
            return
        route.fulfill(
            body=path.read_bytes(),
            headers={"content-type": KINDS[path.suffix], "content-security-policy": POLICY},
        )

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error":
            wrong.append(said.text)

    with a_page(browser, size, **{"touch": False, **options}) as page:
        page.route("**/*", serve)
        page.on("console", hear)
        page.goto(HOST + address)
        yield page
        page.unroute("**/*")
        page.remove_listener("console", hear)
    assert not wrong, wrong


def axe_finds(page: Page, *rules: str) -> list[tuple[str, list[str]]]:
    """The faults of a page for those who cannot see it well; by these rules alone, or by all."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    asked: dict[str, Any] = {"resultTypes": ["violations"], "selectors": False}
    if rules:
        asked["runOnly"] = list(rules)
    found: list[dict[str, Any]] = page.evaluate(
        "asked => axe.run(asked).then(({violations}) => violations)", asked
    )
    return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
