"""A rated game against a level in a real browser, a note on it, and the search that finds it."""

from playwright.sync_api import Page, expect

from house.web.browsing import check, fits, follow, start_against
from house.web.served import Served
from house.web.test_house_pages import play_a_turn
from house.web.test_people_by_hand import register
from trine.house.ratings.ratings import anchors_of

OWN_HOUSE: dict[str, int] = {}


def test_a_rated_game_against_a_level_is_played_noted_and_found(
    served: Served, phone: Page
) -> None:
    register(phone, served, "Anna")
    phone.goto(f"{served.address}new?game=corridor&clock=5%2B5&side=0&rated=on")
    fits(phone)
    start_against(phone, "bot:1")
    phone.wait_for_url("**/game/*")
    stands = round(anchors_of("corridor", "quoridor")[1].rating)
    expect(phone.locator(".seat", has_text=str(stands))).to_be_visible()
    play_a_turn(phone)
    expect(phone.locator("#turns [data-turn]")).to_have_count(2)  # the computer has answered
    expect(phone.locator("#to-notes")).to_be_hidden()
    phone.click("#open")
    phone.dblclick("#resign")
    expect(phone.locator("#after")).to_be_visible()
    phone.click("#open")
    phone.click("#to-notes")
    expect(phone.locator("#notes textarea")).to_be_visible()
    phone.click("#previous")
    phone.select_option("#note-turn", "1")
    phone.click("#first")
    expect(phone.locator("#turns [aria-current]")).to_have_count(0)
    expect(phone.locator("#now")).to_have_text("First position")
    expect(phone.locator("#note-turn")).to_have_value("1")  # what is chosen stays
    phone.fill("#notes textarea", "I should not have begun so.")
    phone.click("#notes .leave button")
    phone.wait_for_url("**turn=1#note-*")
    note = phone.locator("#notes li")
    expect(note).to_have_class("meant")
    phone.click("#last")
    expect(note).not_to_have_class("meant")
    expect(phone.locator("#note-turn")).to_have_value("")
    note.locator("a[data-turn]").click()
    expect(note).to_have_class("meant")
    expect(phone.locator("#note-turn")).to_have_value("1")
    note.locator("summary").click()
    check(phone)
    note.locator("button").click()
    phone.wait_for_url("**#notes")
    expect(note).to_have_count(0)
    phone.goto(f"{served.address}lobby")
    follow(phone, "main a[href='/search']")
    phone.fill("input[type=search]", "an")
    follow(phone, "form[role=search] button")
    follow(phone, ".found a")
    expect(phone.locator("td a[href^='/player']")).to_have_count(0)  # a level has no page
    check(phone)
    phone.goto(f"{served.address}search/games?player=Anna&result=lost")
    fits(phone)
    phone.click(".found a")
    expect(phone.locator("#after")).to_be_visible()
