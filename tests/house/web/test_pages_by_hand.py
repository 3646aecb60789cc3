"""Every page that a visitor finds: nothing moves by itself, nothing is too wide, axe finds nothing."""

import pytest
from playwright.sync_api import Browser

from house.web.browsing import AXE, DESK, PHONE, a_page, axe_finds
from house.web.served import Served
from house.web.test_still_by_hand import MOST, watched
from trine.core.text.language import LANGUAGES

PAGES = (
    *("", "first/nine", "first/animals", "first/stacks", "new", "new?game=tzaar", "lobby"),
    *("learn", "learn/arimaa", "learn/arimaa/ladder", "learn/arimaa/official/steps"),
    *("rules", "rules/arimaa/ejection", "rules/corridor/great-wall", "diagram", "solved"),
    *("puzzles", "puzzles/arimaa/next", "puzzles/tzaar/next", "puzzles/corridor/next"),
    *("analysis", "games", "people", "tournaments", "leaders", "statistics", "computers"),
    *("search", "search/games", "account"),
)
WIDE = "document.documentElement.scrollWidth > innerWidth"


@pytest.mark.nightly
@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_stand_still_and_can_be_used_by_all(
    served: Served, browser: Browser, size: tuple[int, int], language: str
) -> None:
    dark = (size == PHONE) == (language in ("en", "hu"))
    with a_page(browser, size, language, dark=dark, bypass_csp=True) as page:
        watched(page)
        for path in PAGES:
            page.goto(served.address + path)
            page.wait_for_load_state("networkidle")
            assert sum(value for value, *_ in page.evaluate("moved")) < MOST, path
            assert not page.evaluate(WIDE), path
            assert not AXE.exists() or not axe_finds(page), path
