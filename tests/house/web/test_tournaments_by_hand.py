"""A tournament in real browsers: at a desk in English, and on a phone in Russian."""

from contextlib import ExitStack

from playwright.sync_api import Browser, Page

from house.web.browsing import PHONE, a_page, check, fits, follow
from house.web.served import Served
from house.web.test_house_pages import play_a_turn
from house.web.test_people_by_hand import register, resign

OWN_HOUSE: dict[str, int] = {}


def cells(page: Page) -> list[list[str]]:
    rows = page.locator(".standings tbody tr").all()
    return [[cell.inner_text().strip() for cell in row.locator("td").all()[:3]] for row in rows]


def test_a_swiss_round_is_created_joined_played_and_counted(
    served: Served, browser: Browser
) -> None:
    with ExitStack() as stack:
        anna = stack.enter_context(a_page(browser))
        ivan = stack.enter_context(a_page(browser, PHONE))
        register(anna, served, "Anna")
        ivan.goto(f"{served.address}language/ru?back=/account")
        register(ivan, served, "Иван")
        ivan.goto(f"{served.address}tournaments")
        fits(ivan)  # there is none
        anna.goto(f"{served.address}lobby")
        for link in ("a[href='/tournaments']", "a[href='/tournaments/new']"):
            follow(anna, link)
        follow(anna, "a[href*='game=corridor']")
        check(anna)
        anna.fill("input[name=name]", "Spring Open")
        anna.fill("input[name=rounds]", "1")
        anna.click("form[action='/tournaments'] button.main")
        anna.wait_for_url("**/tournament/*")
        anna.click("form[action$='/join'] button")
        anna.wait_for_selector("form[action$='/leave']")
        ivan.goto(f"{served.address}tournaments")
        ivan.click("a.tour")
        ivan.wait_for_url("**/tournament/*")
        follow(ivan, "form[action$='/join'] button")  # the page before may show the newcomer, too
        ivan.wait_for_selector("tr.me")
        fits(ivan)
        anna.wait_for_function("() => document.querySelectorAll('.standings tbody tr').length == 2")
        assert [name for _, name, *_ in cells(ivan)] == ["Anna", "Иван"]
        assert ivan.locator("form[action$='/begin']").count() == 0
        check(anna)
        anna.click("form[action$='/begin'] button")
        for page in (anna, ivan):  # nobody has looked for the game
            page.wait_for_url("**/game/*")
        assert "Spring Open" in anna.locator(".event").inner_text()
        play_a_turn(anna)
        ivan.wait_for_function("() => document.querySelectorAll('#turns li').length == 1")
        play_a_turn(ivan)
        fits(ivan)
        resign(ivan)
        anna.wait_for_selector("#after a.main")
        assert anna.locator("#rematch").is_hidden()
        follow(anna, "#after a.main")
        anna.wait_for_selector(".told.result")
        ivan.goto(anna.url)
        for page in (anna, ivan):
            page.wait_for_selector(".told.result")
            assert cells(page) == [["1", "Anna", "1"], ["2", "Иван", "0"]]
            assert page.locator(".pairing").inner_text().split("\n")[-1] == "1 – 0"
            fits(page)
        with browser.new_context(java_script_enabled=False) as context:
            plain = context.new_page()
            plain.goto(anna.url)
            assert cells(plain) == [["1", "Anna", "1"], ["2", "Иван", "0"]]
