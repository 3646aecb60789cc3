"""People in a real browser: an account, an open seat taken in another browser, a rated game."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from playwright.sync_api import Browser, Page, expect

from house.houses import PASSWORD
from house.web.browsing import PHONE, a_page, check, fits, follow
from house.web.served import Served
from house.web.test_house_pages import play_a_turn

OWN_HOUSE: dict[str, int] = {}


def register(page: Page, served: Served, name: str) -> None:
    page.goto(f"{served.address}account")
    form = page.locator("form[action='/account/register']")
    form.locator("input[name=name]").fill(name)
    form.locator("input[name=password]").fill(PASSWORD)
    form.locator("button").click()
    page.wait_for_url("**/lobby")


@contextmanager
def two_people(browser: Browser) -> Iterator[tuple[Page, Page]]:
    with ExitStack() as stack:
        anna = stack.enter_context(a_page(browser))
        ivan = stack.enter_context(a_page(browser, PHONE))
        yield anna, ivan


def test_two_register_meet_in_the_lobby_and_play_for_rating(
    served: Served, browser: Browser
) -> None:
    with two_people(browser) as (anna, ivan):
        ivan.goto(f"{served.address}language/ru?back=/account")
        fits(ivan)
        register(anna, served, "Anna")
        register(ivan, served, "Иван")
        assert ivan.locator("html").get_attribute("lang") == "ru"
        fits(ivan)  # nobody has opened a seat
        follow(anna, "a[href='/lobby?game=corridor#open']")
        anna.select_option("select[name=side]", "0")
        anna.click("#open button.main")
        anna.wait_for_selector(".seek.mine")
        assert anna.locator("#open [aria-current]").text_content() == "Corridor"
        ivan.wait_for_selector(".seek button")
        check(ivan)
        fits(anna)
        ivan.click(".seek button")
        for page in (anna, ivan):
            page.wait_for_url("**/game/*")
        # Fewer would count for nobody; given up so early it counts 40 points.
        for count in range(4):
            play_a_turn((anna, ivan)[count % 2])
            (ivan, anna)[count % 2].wait_for_function(
                f"() => document.querySelectorAll('#turns li').length == {count + 1}"
            )
        assert anna.locator("#insight").is_hidden() and anna.locator("#hint").is_hidden()
        link = anna.locator(".seat .name a", has_text="Иван")
        expect(anna.locator(".seat", has_text="Иван")).to_contain_text("1500?")
        resign(ivan)
        anna.wait_for_selector(".told.result")
        anna.wait_for_function("() => document.body.textContent.includes('1540?')")
        link.click()
        anna.wait_for_url("**/player/*")
        assert "1460?" in (anna.locator(".rating").text_content() or "")
        fits(anna)
        ivan.goto(f"{served.address}player/Anna")
        assert "1540?" in (ivan.locator(".rating").text_content() or "")
        check(ivan)
        played = "(() => { const all = document.querySelector('.played');"
        assert ivan.evaluate(
            f"{played} return all.rows.length === 2 && all.scrollWidth <= 336 }})()"
        )
        ivan.click("a[href$='/results']")
        ivan.wait_for_url("**/results")
        for row in ivan.locator("tbody tr").all():
            assert " ".join(row.inner_text().split()).endswith(" 1 1 – 0 – 0 100 %")
        check(ivan)
        ivan.goto(f"{served.address}statistics")
        check(ivan)
        ivan.goto(f"{served.address}account")
        check(ivan)


def resign(page: Page) -> None:
    page.click("[popovertarget=more]")
    page.dblclick("#resign")
