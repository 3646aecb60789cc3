"""Setups and placements on the page of a game: arrangements, trays, pieces in hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import DESK, PHONE, a_page
from house.web.gestures import carry, drag, place, stands, tap
from house.web.served import Served
from house.web.test_page import IN_VIEW, begin


@pytest.mark.parametrize("finger", [False, True])
def test_pieces_are_exchanged_in_the_setup(served: Served, browser: Browser, finger: bool) -> None:
    with a_page(browser, PHONE if finger else DESK) as page:
        begin(page, served, game="arimaa")
        page.click("#arrangements button >> nth=0")
        stands(page, "e2", "E")
        if finger:
            tap(page, "e2", "a1")
        else:
            drag(page, "e2", "a1")
        stands(page, "a1", "E")
        stands(page, "e2", "R")


def test_an_arrangement_is_chosen_from_pictures(served: Served, phone: Page) -> None:
    begin(phone, served, game="arimaa")
    by_chance = phone.locator("#arrangements button", has_text="random")
    picture = "one => one.querySelector('.still').shadowRoot.innerHTML"
    stood = set[str]()
    for _ in range(3):
        by_chance.scroll_into_view_if_needed()
        shown = by_chance.evaluate(picture)
        by_chance.tap()
        expect(phone.locator("#submit")).to_be_enabled()
        stood.add(shown)
        phone.wait_for_function(
            f"shown => ({picture})([...document.querySelectorAll('#arrangements button')]"
            ".at(-1)) !== shown",
            arg=shown,
        )
    assert len(stood) == 3
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.locator("#arrangements button").first.tap()
    stands(phone, "e2", "E")
    expect(phone.locator("#arrangements [aria-pressed=true]")).to_have_count(1)


def test_a_setup_of_ones_own_is_a_picture_in_the_next_game_and_in_an_analysis(
    served: Served, phone: Page
) -> None:
    begin(phone, served, game="arimaa")
    phone.tap("#arrangements button >> nth=1")
    phone.tap("#keep")
    phone.fill("#named", "Mine")
    phone.tap("#keep")
    own = phone.locator("#arrangements button:has(.still)", has_text="Mine")
    expect(own).to_have_count(1)
    phone.goto(f"{served.address}analysis")
    own.tap()
    stands(phone, "c2", "D")
    expect(own).to_have_attribute("aria-pressed", "true")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_all_arrangements_can_be_reached_on_a_low_desk(served: Served, browser: Browser) -> None:
    with a_page(browser, (1280, 640), "ru") as page:
        begin(page, served, game="arimaa")
        pictures = page.locator("#arrangements button")
        expect(pictures).to_have_count(5)
        expect(pictures.first).to_be_in_viewport(ratio=0.5)
        pictures.last.scroll_into_view_if_needed()
        expect(pictures.last).to_be_in_viewport(ratio=0.9)


def test_a_finger_chooses_a_piece_in_hand_or_carries_it_from_the_tray(
    served: Served, browser: Browser
) -> None:
    with a_page(browser, (360, 640)) as page:
        begin(page, served, game="arimaa")
        place(page, "d2")
        cells = page.locator("#below trine-tray [data-slot]")
        expect(cells).to_have_count(6)
        for cell in cells.all():
            box = cell.bounding_box()
            assert box and min(box["width"], box["height"]) >= 40
        page.tap("#below [data-slot=E]")
        tap(page, "d2")
        stands(page, "d2", "E")
        expect(cells).to_have_count(5)
        carry(page, "#below [data-slot=C]", "e2")
        assert page.evaluate(IN_VIEW) == []
        page.wait_for_function(
            "() => document.querySelector('trine-board').scene.pieces.some(({ cell }) => cell[1] === '2' && cell !== 'd2')"
        )


def test_a_piece_of_tzaar_is_placed_by_one_tap(served: Served, phone: Page) -> None:
    begin(phone, served, game="tzaar", rules="open", Setup="placement")
    for number, spot in enumerate(("a1", "b2", "i3"), 1):
        tap(phone, spot)
        expect(phone.locator("#turns li")).to_have_count(number)


def test_the_trays_of_a_placement_keep_their_height_and_say_what_is_in_hand(
    served: Served, browser: Browser
) -> None:
    with a_page(browser, PHONE) as page:
        begin(page, served, game="tzaar", rules="open", Setup="placement")
        at = place(page, "e4")
        for tray, kind, spot in (("#below", "T", "e4"), ("#above", "t", "f5")):
            chosen = page.locator(f"{tray} [data-slot={kind}][stroke]")
            expect(chosen).to_have_count(1)
            box = chosen.bounding_box()
            assert box and min(box["width"], box["height"]) >= 40
            assert place(page, "e4") == at
            tap(page, spot)
            expect(page.locator("#turns li")).to_have_count(1 if tray == "#below" else 2)
        page.goto(f"{served.address}learn/tzaar/official/mass")
        place(page, "T")
        box = page.locator("trine-tray [data-slot=T]").bounding_box()
        assert box and min(box["width"], box["height"]) >= 40
