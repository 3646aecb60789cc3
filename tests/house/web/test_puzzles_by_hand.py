"""A puzzle by finger on a phone, in a real browser."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import LANGUAGES_BY_WIDTH, PHONE, a_page, check, fits
from house.web.clients import Client
from house.web.served import Served
from house.web.test_lessons_by_hand import live, tap
from house.web.test_puzzles import PUZZLE, place, reviewed
from trine.engine.puzzles.puzzle import shipped


def test_a_phone_solves_a_puzzle_by_touch_after_a_wrong_turn(served: Served, phone: Page) -> None:
    room, (wrong, reply, *_), right = PUZZLE.room, PUZZLE.tries[0], PUZZLE.line[0]
    phone.goto(f"{served.address}puzzles")
    check(phone)
    phone.goto(f"{served.address}{place()[1:]}")
    live(phone)
    fits(phone)
    told = phone.locator("#told")
    for turn, kind in ((wrong, "told wrong"), (right, "told solved")):
        for spot in room.view.picks(turn.before, turn.actions[0]):
            tap(phone, spot)
        if phone.evaluate("document.querySelector('trine-board').ghost"):
            tap(phone, room.view.picks(turn.before, turn.actions[0])[-1])
        expect(told).to_have_class(kind)
        if turn is wrong:
            expect(told).to_contain_text(PUZZLE.written(reply))
            hint = told.text_content()
            phone.tap("#hint")
            expect(told).not_to_have_text(hint or "")
            phone.tap("#reset")
            live(phone)
    expect(phone.locator("#next")).to_be_visible()
    check(phone)
    phone.goto(f"{served.address}{place()[1:]}")
    live(phone)
    while phone.locator("#hint").is_visible():
        before = told.text_content()
        phone.tap("#hint")
        expect(told).not_to_have_text(before or "")
    expect(told).to_contain_text(PUZZLE.written(right))
    phone.tap("#next")
    phone.wait_for_url(lambda url: "/puzzles/corridor/" in url and PUZZLE.name not in url)


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_the_head_of_a_puzzle_fits_a_small_phone(
    served: Served, browser: Browser, language: str
) -> None:
    puzzle = max(shipped("arimaa"), key=lambda one: len(one.rules))
    with a_page(browser, (360, 640), language) as page:
        page.goto(f"{served.address}{place(puzzle)[1:]}")
        live(page)
        for part in (".head h1", ".head .where", "#told"):
            box = page.locator(part).bounding_box()
            assert box and box["x"] >= 0, part
            assert page.eval_on_selector(part, "one => one.scrollHeight <= one.clientHeight"), part


def test_a_stranger_on_a_phone_solves_a_sent_moment_and_plays_on_from_there(
    served: Served, one: Client, browser: Browser
) -> None:
    with ThreadPoolExecutor() as pool:  # the browser's loop runs in this thread
        path = pool.submit(reviewed, one).result()
    moment = one.post(f"{path}/send").headers["location"]
    with a_page(browser, PHONE, "ru") as page:
        page.goto(f"{served.address}{moment[1:]}")
        live(page)
        fits(page)
        check(page)
        expect(page.locator("#after")).to_be_hidden()
        (better,) = re.findall(r"With (\S+) it was", one.get(moment).text)
        tap(page, better)
        if page.evaluate("document.querySelector('trine-board').ghost"):
            tap(page, better)
        expect(page.locator("#told")).to_have_class("told solved")
        expect(page.locator("#after")).to_contain_text(better)
        check(page)
        page.tap("#next")
        page.wait_for_url(lambda url: "/new?" in url)
        expect(page.locator("input[name=position]")).to_have_value(re.compile("^quoridor"))
