"""A real browser for tests: chromium where there is one, and pages that reach nothing but our files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from playing import HOUSE

STATIC = HOUSE / "src" / "trine" / "web" / "static"
PAGES = Path(__file__).parent
HOST = "http://trine.test"
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
KINDS |= {".json": "application/json", ".svg": "image/svg+xml"}
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'"
"""The content security policy of the house: no script and no style in the page itself."""
PHONE = (360, 740)
DESK = (1280, 800)

AXE = HOUSE / ".venv" / ".npm" / "node_modules" / "axe-core" / "axe.min.js"
needs_axe = pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is absent; scripts/browser brings it"
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window; the test is skipped where there is none."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("chromium is absent; scripts/browser installs it")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@contextmanager
def opened(
    browser: Browser,
    address: str,
    size: tuple[int, int] = DESK,
    *,
    dark: bool = False,
    touch: bool = False,
    still: bool = True,
    folder: Path = PAGES,
) -> Iterator[Page]:
    """A page of a house that has our static files under /static/ and a folder under /page/.

    The test fails if the page says an error, or asks for what is not there.
    """
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=touch,
        is_mobile=touch,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce" if still else "no-preference",
    )
    wrong: list[str] = []

    def serve(route: Route) -> None:
        place = route.request.url.removeprefix(HOST).split("?")[0]
        root, _, name = place.removeprefix("/").partition("/")
        homes = {"static": STATIC, "page": folder}
        path = homes[root] / name if root in homes else None
        if path is None or not path.is_file():
            wrong.append(f"asked for {route.request.url}")
            route.fulfill(status=404)
            return
        route.fulfill(
            body=path.read_bytes(),
            headers={"content-type": KINDS[path.suffix], "content-security-policy": POLICY},
        )

    page = context.new_page()
    page.route("**/*", serve)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    page.set_default_timeout(10_000)
    page.goto(HOST + address)
    yield page
    context.close()
    assert not wrong, wrong
