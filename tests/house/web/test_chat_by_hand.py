"""Chat in a real browser: said at a desk and by a tap on a phone, reported, and muted."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from databases import url_in
from house.web.browsing import PHONE, a_page, check, fits, follow
from house.web.served import Served
from house.web.test_people_by_hand import register
from trine.cli.commands.house import admin

OWN_HOUSE: dict[str, int] = {}


def open_chat(page: Page) -> None:
    if page.locator("#open").is_visible() and not page.locator("#more").is_visible():
        page.click("#open")
    page.wait_for_selector("#chat:not([hidden])")
    if page.locator("#chat[open]").count() == 0:
        page.click("#chat > summary")


def test_two_talk_one_is_reported_and_muted(served: Served, folder: Path, browser: Browser) -> None:
    with (
        a_page(browser) as anna,
        a_page(browser, PHONE) as eve,
        a_page(browser, PHONE, dark=True) as mary,
    ):
        register(anna, served, "Anna")
        register(eve, served, "Eve")
        register(mary, served, "Mary")
        assert admin.callback
        url = url_in(folder)
        admin.callback(data=None if url else folder, database=url, name="Mary", revoke=False)
        eve.goto(f"{served.address}challenge/Anna?game=corridor")
        check(eve)
        eve.click("form button.main")
        anna.click(".challenge button.main")  # the lobby tells of it, and leads both to the game
        for page in (anna, eve):
            page.wait_for_url("**/game/*")
        # What was said before a page has its chat is no news to it.
        eve.wait_for_selector("#speak:not([hidden])", state="attached")
        open_chat(anna)
        anna.fill("#speak input", "good luck <img src=x>")
        anna.press("#speak input", "Enter")
        expect(anna.locator("#speak input")).to_have_value("")
        eve.wait_for_selector("#open.news")
        open_chat(eve)
        expect(eve.locator("#said li", has_text="good luck <img src=x>")).to_have_count(1)
        assert eve.locator("#said img").count() == 0
        expect(eve.locator("#open.news")).to_have_count(0)
        fits(eve)
        eve.click("[data-preset=thanks]")
        anna.wait_for_selector("#said .words >> text=Thank you!")
        eve.fill("#speak input", "you fool")
        eve.click("#speak button")
        pest = anna.locator("#said li", has_text="you fool")
        pest.locator(".mind").click()
        check(anna)
        pest.locator("select").select_option("abuse")
        pest.locator("[data-what=report]").click()
        anna.wait_for_selector("#heard >> text=administrators")
        mary.goto(f"{served.address}moderation")
        check(mary)
        assert mary.locator(".meant").text_content() == "Eve you fool"
        follow(mary, "button[value=delete]")
        anna.wait_for_function(
            "() => !document.querySelector('#said').textContent.includes('fool')"
        )
        mary.select_option("select[name=term]", "week")
        mary.click("button[value=mute]")
        mary.wait_for_selector(".held li")
        eve.click("[data-preset=hello]")
        eve.wait_for_selector("#heard >> text=reaches others")
        eve.fill("#speak input", "but why?")
        eve.click("#speak button")
        for place in ("#heard", "#speak input"):
            expect(eve.locator(place)).to_be_in_viewport(ratio=1)
        expect(eve.locator("#speak input")).to_have_value("but why?")  # it can be said later
        anna.click("#mute")
        expect(anna.locator("#said")).to_be_hidden()
        expect(anna.locator("#silence")).to_contain_text("hidden")
        anna.click("#mute")
        anna.locator("#said li", has_text="Thank you!").locator(".mind").click()
        anna.click("[data-what=block]")
        anna.wait_for_function("() => document.querySelectorAll('#said li').length == 1")
        follow(mary, "button[value=done]")
        mary.wait_for_selector("table")
        fits(mary)
