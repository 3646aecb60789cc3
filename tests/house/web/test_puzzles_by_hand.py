"""A puzzle by finger on a phone, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from house.web.browsing import PHONE, a_page, check, fits
from house.web.served import Served
from house.web.test_lessons_by_hand import live, tap
from house.web.test_puzzles import PUZZLE, place


def test_a_phone_solves_a_puzzle_by_touch_after_a_wrong_turn(
    served: Served, browser: Browser
) -> None:
    room, (wrong, reply, *_), right = PUZZLE.room, PUZZLE.tries[0], PUZZLE.line[0]
    with a_page(browser, PHONE) as page:
        page.goto(f"{served.address}puzzles")
        check(page)
        page.goto(f"{served.address}{place()[1:]}")
        live(page)
        fits(page)
        told = page.locator("#told")
        for turn, kind in ((wrong, "told wrong"), (right, "told solved")):
            for spot in room.view.picks(turn.before, turn.actions[0]):
                tap(page, spot)
            if page.evaluate("document.querySelector('trine-board').ghost"):
                tap(page, room.view.picks(turn.before, turn.actions[0])[-1])
            expect(told).to_have_class(kind)
            if turn is wrong:
                expect(told).to_contain_text(PUZZLE.written(reply))
                hint = told.text_content()
                page.tap("#hint")
                expect(told).not_to_have_text(hint or "")
                page.tap("#reset")
                live(page)
        expect(page.locator("#next")).to_be_visible()
        check(page)
        page.goto(f"{served.address}{place()[1:]}")
        live(page)
        while page.locator("#hint").is_visible():
            before = told.text_content()
            page.tap("#hint")
            expect(told).not_to_have_text(before or "")
        expect(told).to_contain_text(PUZZLE.written(right))
        page.tap("#next")
        page.wait_for_url(lambda url: "/puzzles/corridor/" in url and PUZZLE.name not in url)
