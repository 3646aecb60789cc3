"""Lessons by finger and by keyboard, and a clause tried, in a real browser."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import LANGUAGES_BY_WIDTH, PHONE, a_page, check, fits, start_against
from house.web.served import Served
from trine.games import open_room


def live(page: Page) -> None:
    page.wait_for_function("() => document.querySelector('trine-board')?.live")


def tap(page: Page, spot: str) -> None:
    """Tap with a finger where a spot is seen."""
    x, y = page.evaluate(
        """(id) => {
            const {shown} = document.querySelector("trine-board");
            const [x, y] = shown.spots.get(id).at;
            const {left, top, across, down} = shown.view;
            const box = shown.svg.getBoundingClientRect();
            const scale = Math.min(box.width / across, box.height / down);
            return [
                box.left + (box.width - across * scale) / 2 + (x - left) * scale,
                box.top + (box.height - down * scale) / 2 + (y - top) * scale,
            ];
        }""",
        spot,
    )
    page.touchscreen.tap(x, y)


def press(page: Page, spot: str) -> None:
    """Go to a spot with the keyboard alone, and pick it."""
    at = "document.querySelector('trine-board').shadowRoot.activeElement?.dataset.spot"
    for _ in range(300):
        here = page.evaluate(at)
        if here == spot:
            page.keyboard.press("Enter")
            return
        page.keyboard.press("PageDown" if here else "Tab")
    raise AssertionError(f"the keyboard does not reach {spot}")


def test_a_phone_takes_a_lesson_by_touch_and_goes_on(served: Served, phone: Page) -> None:
    phone.goto(f"{served.address}learn")
    check(phone)
    phone.tap("li[data-game=corridor] a[data-go]")
    live(phone)
    fits(phone)
    told = phone.locator("#told")
    task = told.text_content()
    tap(phone, "e5")
    expect(phone.locator(".bubble")).to_contain_text("e5")
    tap(phone, "d1")
    expect(phone.locator("#reset")).to_have_text("Try again")  # that has missed
    phone.tap("#reset")
    expect(phone.locator("#reset")).to_be_disabled()
    expect(told).to_have_text(task or "")
    live(phone)
    tap(phone, "e2")
    expect(phone.locator("#next")).to_be_visible()
    check(phone)
    phone.go_back()
    expect(phone.locator("li[data-game=corridor] a[data-go]")).to_have_text("Continue")
    expect(phone.locator("li[data-game=corridor] small").last).to_contain_text("1 of 15")
    phone.goto(f"{served.address}learn/corridor")
    expect(phone.locator("li.next")).to_have_attribute("data-lesson", "goal")
    expect(phone.locator("li.done")).to_have_attribute("data-lesson", "step")
    check(phone)


def test_the_keyboard_alone_takes_a_lesson_of_two_turns(served: Served, browser: Browser) -> None:
    with a_page(browser, dark=True) as page:
        page.goto(f"{served.address}learn/corridor/quoridor/race")
        live(page)
        told = page.locator("#told")
        for spot in ("c8", "c9"):
            live(page)
            press(page, spot)
            if spot == "c8":
                expect(told).to_contain_text("North plays f3")
        expect(told).to_have_class("told solved")
        expect(page.locator("#next")).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url("**/jump")


LESSONS = [
    pytest.param(game, lesson.name, marks=pytest.mark.nightly, id=f"{game}-{lesson.name}")
    for game in ("arimaa", "tzaar")
    for lesson in open_room(game).lessons("official")
]


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_every_lesson_is_solved_by_keys_as_its_solution_shows(
    served: Served, browser: Browser, game: str, lesson: str
) -> None:
    with a_page(browser) as page:
        page.goto(f"{served.address}learn/{game}/official/{lesson}")
        live(page)
        way = json.loads(page.get_attribute("#lesson", "data-arrows") or "[]")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")  # to the content
        for path in way:
            live(page)
            at = "id => document.querySelector('trine-board').shown.pieces.on(id)?.cell"
            if page.evaluate(at, path[0]) is None:
                continue  # the other half of a push is played with the first one
            chosen = page.evaluate("document.querySelector('trine-board').draft")
            before = page.evaluate("document.querySelector('trine-board').scene.alt")
            for spot in path[chosen == path[: len(chosen)] and len(chosen) :]:
                press(page, spot)
            page.wait_for_function(
                "alt => document.querySelector('trine-board').scene.alt !== alt", arg=before
            )
        if page.locator("#submit").is_visible():
            expect(page.locator("#submit")).to_be_enabled()
            page.keyboard.press("End")
        expect(page.locator("#told")).to_have_class(re.compile("solved|^told ?$"))


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_a_phone_shows_the_whole_head_of_a_lesson(
    served: Served, browser: Browser, language: str
) -> None:
    # No script touches the head, and boards take most of the time.
    with a_page(browser, (360, 640), language, java_script_enabled=False) as page:
        for rules in ("arimaa/official", "tzaar/official", "corridor/quoridor"):
            page.goto(f"{served.address}learn/{rules}")
            for link in page.locator(".lessons a").evaluate_all(
                "all => all.map(({ href }) => href)"
            ):
                page.goto(link)
                cut = page.locator(".head, .head > *").evaluate_all(
                    """all => all.filter((one) => one.scrollWidth > one.clientWidth
                    || one.getBoundingClientRect().height > 49).map((one) => one.innerText)"""
                )
                assert not cut, (link, cut)


def test_what_a_task_names_is_marked_and_one_way_is_shown_by_arrows(
    served: Served, phone: Page
) -> None:
    phone.goto(f"{served.address}learn/arimaa/official/steps")
    live(phone)
    scene = phone.evaluate("() => document.querySelector('trine-board').scene")
    marked = [mark["cell"] for mark in scene["marks"] if mark["role"] == "named"]
    assert marked == ["d2", "e5"]
    assert not [piece for piece in scene["pieces"] if piece["role"] == "captured"]
    for _ in range(3):
        phone.tap("#hint")
        expect(phone.locator("#told")).to_be_in_viewport()
    phone.wait_for_function("() => document.querySelector('trine-board').arrows.length === 4")
    tap(phone, "d2")
    tap(phone, "d3")
    phone.wait_for_function("() => document.querySelector('trine-board').arrows.length === 0")


def test_a_clause_is_tried_and_the_referee_says_what_is_wrong(served: Served, page: Page) -> None:
    page.goto(f"{served.address}rules/arimaa/official")
    clause = page.locator("#clause-4")
    clause.locator("summary").click()
    live(page)
    told = clause.locator(".told")
    page.evaluate(
        "(() => { const b = document.querySelector('trine-board'); b.pick('d4'); b.pick('d3') })()"
    )
    expect(told).to_contain_text("a rabbit does not step backward")
    page.evaluate(
        "(() => { const b = document.querySelector('trine-board'); b.pick('d4'); b.pick('d5') })()"
    )
    expect(told).to_have_text("Rd4n is legal")
    clause.locator("button[data-line]").nth(1).click()
    expect(told).to_have_text("d4s is not legal: a rabbit does not step backward")
    clause.get_by_role("button", name="Reset").click()
    expect(told).to_contain_text("the referee says")
    check(page)


@pytest.mark.parametrize(
    ("language", "book"),
    [("en", "corridor/great-wall"), ("fr", "arimaa/ejection"), ("ru", "arimaa/ejection")],
)
def test_the_longest_rule_books_are_four_screens_of_a_phone(
    served: Served, browser: Browser, language: str, book: str
) -> None:
    with a_page(browser, PHONE, language) as page:
        page.goto(f"{served.address}rules/{book}")
        assert page.evaluate("document.documentElement.scrollHeight") <= 4 * 740
        check(page)


def test_a_won_game_ticks_its_level_and_leads_to_the_next(served: Served, phone: Page) -> None:
    phone.goto(f"{served.address}learn/corridor/ladder")
    check(phone)
    expect(phone.locator(".ladder .next button")).to_have_attribute("value", "bot:1")
    phone.goto(f"{served.address}new?game=corridor&side=0&position=quoridor 9 2 e8,a4 - 0,0 1")
    start_against(phone, "bot:2")
    phone.wait_for_url("**/game/*")
    live(phone)
    expect(phone.locator("#climb")).to_be_hidden()
    tap(phone, "e9")
    expect(phone.locator("#after")).to_be_visible()
    expect(phone.locator("#climb button")).to_have_text("To level 3")
    fits(phone)
    before = phone.url
    phone.tap("#climb button")
    phone.wait_for_function("(before) => location.href !== before", arg=before)
    live(phone)
    expect(phone.locator(".seats").filter(has_text="level 3").first).to_be_visible()
    phone.goto(f"{served.address}learn/corridor/ladder")
    expect(phone.locator(".ladder .mark")).to_have_count(1)
    expect(phone.locator(".ladder .next button")).to_have_attribute("value", "bot:3")
    phone.goto(f"{served.address}games")
    expect(phone.locator("[data-game=corridor]")).to_contain_text("✓ Level 2")
    check(phone)
    phone.goto(f"{served.address}people")
    check(phone)
