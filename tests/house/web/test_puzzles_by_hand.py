"""A puzzle by finger on a phone, in a real browser."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from house.web.browsing import PHONE, a_page
from house.web.served import Served
from house.web.test_lessons_by_hand import check, live, tap
from house.web.test_puzzles import PUZZLE, place
from trine.house.puzzles.puzzles import known_puzzles

PLAY = """(id) => document.querySelector("trine-board")
    .dispatchEvent(new CustomEvent("action", { detail: { id } }))"""
"""What a board says when an action was pointed at; a finger has been tried above."""


def test_a_phone_solves_a_puzzle_by_touch_after_a_wrong_turn(
    served: Served, browser: Browser
) -> None:
    room, (wrong, reply, *_), right = PUZZLE.room, PUZZLE.tries[0], PUZZLE.line[0]
    with a_page(browser, PHONE) as page:
        page.goto(f"{served.address}puzzles")
        check(page)
        page.goto(f"{served.address}{place()[1:]}")
        live(page)
        check(page)
        told = page.locator("#told")
        for turn, kind in ((wrong, "told wrong"), (right, "told solved")):
            for spot in room.view.picks(turn.before, turn.actions[0]):
                tap(page, spot)
            if page.locator("#submit").is_disabled():  # the first tap shows a wall
                tap(page, room.view.picks(turn.before, turn.actions[0])[-1])
            expect(page.locator("#submit")).to_be_enabled()
            page.tap("#submit")
            expect(told).to_have_class(kind)
            if turn is wrong:
                expect(told).to_contain_text(PUZZLE.written(reply))
                page.tap("#hint")
                expect(page.locator("#hints li").first).to_be_visible()
                page.tap("#reset")
                live(page)
        expect(page.locator("#next")).to_be_visible()
        check(page)
        page.goto(f"{served.address}{place()[1:]}")
        live(page)
        page.tap("#solution")
        expect(told).to_contain_text(PUZZLE.written(right))
        page.tap("#next")
        page.wait_for_url(lambda url: "/puzzles/corridor/" in url and PUZZLE.name not in url)


def test_fifty_puzzles_are_kept_and_solved_without_a_connection(
    served: Served, browser: Browser
) -> None:
    with a_page(browser, PHONE) as page:
        page.goto(f"{served.address}puzzles")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        expect(page.locator("#kept")).to_be_hidden()
        page.tap("#keep")
        expect(page.locator("#how")).to_have_text("Fifty puzzles are kept in this browser.")
        check(page)
        page.context.set_offline(True)
        page.tap("#kept")
        page.wait_for_url("**/puzzles/*/*")
        live(page)
        places = page.evaluate("() => JSON.parse(localStorage.getItem('puzzles kept'))")
        assert len(places) == 50
        place = next(one for one in places if "/corridor/" in one)
        page.goto(served.address + place[1:])
        live(page)
        puzzle = known_puzzles()[place.split("/")[-1]]
        told, known = page.locator("#told"), {turn.after for turn in puzzle.solutions}
        start = puzzle.start
        wrong = next(one for one in start.legal_actions() if start.play_unchecked(one) not in known)
        page.evaluate(PLAY, str(wrong))
        expect(told).to_have_class("told wrong")
        page.tap("#reset")
        expect(page.locator("#reset")).to_be_disabled()
        page.evaluate(PLAY, str(puzzle.line[0].actions[0]))
        page.tap("#submit")
        expect(told).to_have_class("told solved")
        page.tap("#next")
        page.wait_for_url(lambda url: "/puzzles/" in url and not url.endswith(place))
        live(page)
        page.goto(f"{served.address}puzzles")
        expect(page.locator("#kept")).to_be_visible()
        page.context.set_offline(False)
