"""A rated game against a level in a real browser, a note on it, and the search that finds it."""

from playwright.sync_api import Browser, expect

from house.web.browsing import PHONE, a_page, check, fits, follow, start_against
from house.web.served import Served
from house.web.test_house_pages import play_a_turn
from house.web.test_people_by_hand import register
from trine.house.ratings.ratings import anchors_of

OWN_HOUSE: dict[str, int] = {}


def test_a_rated_game_against_a_level_is_played_noted_and_found(
    served: Served, browser: Browser
) -> None:
    with a_page(browser, PHONE) as page:
        register(page, served, "Anna")
        page.goto(f"{served.address}new?game=corridor&clock=5%2B5&side=0&rated=on")
        fits(page)
        start_against(page, "bot:1")
        page.wait_for_url("**/game/*")
        stands = round(anchors_of("corridor", "quoridor")[1].rating)
        expect(page.locator(".seat", has_text=str(stands))).to_be_visible()
        play_a_turn(page)
        expect(page.locator("#turns [data-turn]")).to_have_count(2)  # the computer has answered
        expect(page.locator("#to-notes")).to_be_hidden()
        page.click("#open")
        page.dblclick("#resign")
        expect(page.locator("#after")).to_be_visible()
        page.click("#open")
        page.click("#to-notes")
        expect(page.locator("#notes textarea")).to_be_visible()
        page.click("#previous")
        page.select_option("#note-turn", "1")
        page.click("#first")
        expect(page.locator("#turns [aria-current]")).to_have_count(0)
        expect(page.locator("#note-turn")).to_have_value("1")  # what is chosen stays
        page.fill("#notes textarea", "I should not have begun so.")
        page.click("#notes .leave button")
        page.wait_for_url("**turn=1#note-*")
        note = page.locator("#notes li")
        expect(note).to_have_class("meant")
        page.click("#last")
        expect(note).not_to_have_class("meant")
        expect(page.locator("#note-turn")).to_have_value("")
        note.locator("a[data-turn]").click()
        expect(note).to_have_class("meant")
        expect(page.locator("#note-turn")).to_have_value("1")
        note.locator("summary").click()
        check(page)
        note.locator("button").click()
        page.wait_for_url("**#notes")
        expect(note).to_have_count(0)
        page.goto(f"{served.address}lobby")
        follow(page, "main a[href='/search']")
        page.fill("input[type=search]", "an")
        follow(page, "form[role=search] button")
        follow(page, ".found a")
        expect(page.locator("td a[href^='/player']")).to_have_count(0)  # a level has no page
        check(page)
        page.goto(f"{served.address}search/games?player=Anna&result=lost")
        fits(page)
        page.click(".found a")
        expect(page.locator("#after")).to_be_visible()
