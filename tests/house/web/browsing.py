"""A real browser for tests: chromium where there is one, and pages that reach nothing but our files."""

import os
import shutil
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
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
    expect,
    sync_playwright,
)

from playing import HOUSE

STATIC = HOUSE / "src" / "trine" / "house" / "web" / "static"
PAGES = Path(__file__).parent
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
    program = next(filter(None, map(shutil.which, programs)), None)
    if program is None:
        pytest.skip("chromium is absent; scripts/browser installs it")
    arguments = ["--renderer-process-limit=1"]  # a new process for each page costs a third more
    if os.geteuid() == 0:
        arguments += ["--no-sandbox"]
    browser = kind.launch(executable_path=program, args=arguments)
    try:
        yield browser
    finally:
        browser.close()


class Window:
    """A page in a browser of somebody; errors that it has said."""

    def __init__(self, browser: Browser, language: str, touch: bool, options: Any) -> None:
        context = browser.new_context(
            has_touch=touch,
            is_mobile=touch,
            locale=language,
            **{"service_workers": "block", **options},
        )
        context.set_default_timeout(PATIENCE)
        self.page = context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self._told = context.new_cdp_session(self.page)

    def forget(self) -> None:
        """Make it that of somebody else: no cookies, nothing kept, the mouse in a corner."""
        home = urlsplit(self.page.url)
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        self.page.context.clear_cookies()
        self._told.send(
            "Storage.clearDataForOrigin",
            {"origin": f"{home.scheme}://{home.netloc}", "storageTypes": "all"},
        )
        self.wrong.clear()


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

    Without `touch`, a narrow screen is that of a phone. There is no service worker, which would
    read most files of a house again, but where `service_workers` is "allow".
    """
    touch = size[0] < 600 if touch is None else touch
    free = _free[browser, language, touch, repr(options)]
    window = free.pop() if free else Window(browser, language, touch, options)
    page, found = window.page, list[str]()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if still else "no-preference",
    )
    try:
        yield page
        found = list(window.wrong)
    except BaseException as error:
        with suppress(Error):
            shown = page.inner_text("body", timeout=5_000)
            error.add_note(f"{page.url} has said {window.wrong} and shows:\n{shown[:2_000]}")
        page.context.close()
        raise
    window.forget()
    free.append(window)
    assert not found, found


def follow(page: Page, link: str) -> None:
    """Click what leads to another page, and be there: the old one may be looked at until then."""
    with page.expect_navigation():
        page.click(link)


def start_against(page: Page, whom: str) -> None:
    page.locator(f"label:has([name=with][value='{whom}'])").click()
    page.click(".go button")


class _Files(SimpleHTTPRequestHandler):
    """Our static files under /static/, and ours for tests under /page/; a browser keeps them."""

    protocol_version = "HTTP/1.1"
    extensions_map = KINDS

    def translate_path(self, path: str) -> str:
        root, _, name = path.split("?")[0].removeprefix("/").partition("/")
        return str({"static": STATIC, "page": PAGES}.get(root, Path(os.devnull)) / name)

    def end_headers(self) -> None:
        self.send_header("content-security-policy", POLICY)
        self.send_header("cache-control", "max-age=3600")
        super().end_headers()

    def log_message(self, *words: object) -> None:
        """Say nothing."""


@cache
def _files_served() -> str:
    """The address of a server of files, which ends with this process."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


@contextmanager
def opened(
    browser: Browser, address: str, size: tuple[int, int] = DESK, **options: Any
) -> Iterator[Page]:
    """A page that needs no house; the test fails if it says an error, or asks for what is not there."""
    wrong: list[str] = []

    def hear(said: ConsoleMessage) -> None:
        if said.type == "error":
            wrong.append(said.text)

    with a_page(browser, size, **{"touch": False, **options}) as page:
        page.on("console", hear)
        page.goto(_files_served() + address)
        yield page
        page.remove_listener("console", hear)
    assert not wrong, wrong


def fits(page: Page) -> None:
    size = page.viewport_size
    assert size and page.evaluate("document.documentElement.scrollWidth") <= size["width"], page.url


def check(page: Page) -> None:
    """A page fits, and axe, where `scripts/browser` has brought it, finds nothing wrong."""
    fits(page)
    if AXE.exists():
        assert not axe_finds(page), page.url


def axe_finds(page: Page, *rules: str) -> list[tuple[str, list[str]]]:
    """The faults of a page for those who cannot see it well; by these rules alone, or by all."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    asked: dict[str, Any] = {"resultTypes": ["violations"], "selectors": False, "preload": False}
    if rules:
        asked["runOnly"] = list(rules)
    found: list[dict[str, Any]] = page.evaluate(
        "asked => axe.run(asked).then(({violations}) => violations)", asked
    )
    return [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found]
