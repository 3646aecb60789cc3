"""Pages used with the keyboard alone."""

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import DESK, a_page
from house.web.gestures import LONE, place, stands
from house.web.served import Served
from house.web.test_page import LIVE, begin

SPOT = "(document.querySelector('trine-board').shadowRoot.activeElement?.dataset.spot ?? '')"
STOP = f"""() => {SPOT} || document.activeElement.id || document.activeElement.className
|| document.activeElement.closest("[id]")?.id || ''"""
"""What has the focus: a spot of the board, or else what says most about the element."""


def walk(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def stops(page: Page, last: str) -> list[str]:
    """What Tab leads to, up to a certain stop."""
    seen = list[str]()
    while not seen or seen[-1] != last:
        assert len(seen) < 40, seen
        page.keyboard.press("Tab")
        seen.append(page.evaluate(STOP))
    return seen


def begin_at_the_board(page: Page, served: Served) -> None:
    begin(page, served, game="arimaa", position=LONE, side="0", **{"with": "bot:1"})
    place(page, "d4")
    page.evaluate("document.querySelector('trine-board').focus()")


def walk_to(page: Page, spot: str) -> None:
    while page.evaluate(SPOT) != spot:
        page.keyboard.press("PageDown")


def test_the_first_stop_of_a_page_leads_to_its_board(served: Served, browser: Browser) -> None:
    with a_page(browser, DESK) as page:
        page.goto(f"{served.address}learn/corridor/quoridor/step")
        task = page.inner_text("#told")
        place(page, "e1")
        page.keyboard.press("Tab")
        expect(page.locator(".skip")).to_be_in_viewport()
        page.clock.install()
        page.keyboard.press("Enter")
        assert stops(page, "e1") == ["lesson", "e1"]
        expect(page.locator("#told")).to_contain_text("W leads to the walls.")
        page.clock.run_for(8000)
        expect(page.locator("#told")).to_have_text(task)


@pytest.mark.parametrize(
    ("lesson", "first", "keys"),
    [
        ("arimaa/official/steps", "d2", "Enter PageDown Enter End"),
        ("arimaa/official/push", "d5", "Enter ArrowUp Enter End"),
        ("tzaar/official/lines", "a1", "Enter PageDown Enter End"),
    ],
)
def test_a_lesson_is_solved_by_keys_from_the_piece_that_its_task_names(
    served: Served, browser: Browser, lesson: str, first: str, keys: str
) -> None:
    with a_page(browser, DESK) as page:
        page.goto(f"{served.address}learn/{lesson}")
        place(page, first)
        walk(page, "Tab", "Enter")
        assert stops(page, first) == ["lesson", first]
        for key in keys.split():
            if key == "PageDown" and first == "d2":
                walk_to(page, "e5")
                continue
            if key == "End":
                expect(page.locator("#submit")).to_be_enabled()
            page.keyboard.press(key)
        expect(page.locator("#next")).to_be_focused()


def test_a_turn_of_several_actions_is_played_undone_and_ended_by_keys(
    served: Served, browser: Browser
) -> None:
    with a_page(browser, DESK) as page:
        begin_at_the_board(page, served)
        walk_to(page, "d4")
        walk(page, "Enter", "ArrowRight", "Enter")
        stands(page, "e4", "E")
        page.keyboard.press("Backspace")
        stands(page, "d4", "E")
        walk(page, "ArrowLeft", "Enter", "ArrowRight", "Enter")
        stands(page, "e4", "E")
        page.keyboard.press("End")
        expect(page.locator("#turns li")).to_have_count(2)
        page.wait_for_function(LIVE)
        assert page.evaluate(SPOT) == "e4"


def test_the_list_of_turns_is_one_stop_and_the_focus_comes_back_to_the_board(
    served: Served, browser: Browser
) -> None:
    with a_page(browser, DESK) as page:
        begin_at_the_board(page, served)
        for spot in ("a1", "a2"):
            walk_to(page, spot)
            page.keyboard.press("Enter")
        expect(page.locator("#submit")).to_be_enabled()
        stops(page, "submit")
        page.keyboard.press("Enter")
        expect(page.locator("#turns li")).to_have_count(2)
        page.wait_for_function(f"() => {SPOT}")
        assert stops(page, "open") == ["turns", "first", "previous", "open"]
