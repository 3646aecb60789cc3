"""A game by correspondence in a real browser: found in the lobby, and answered before it is asked."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from playwright.sync_api import Browser, Page, expect

from house.web.browsing import DESK, PHONE, a_page, check, fits
from house.web.served import Served

OWN_HOUSE: dict[str, int] = {}


@contextmanager
def two_people(browser: Browser) -> Iterator[tuple[Page, Page]]:
    with ExitStack() as stack:
        anna = stack.enter_context(a_page(browser, DESK))
        bela = stack.enter_context(a_page(browser, PHONE))
        yield anna, bela


def turns(page: Page, count: int) -> None:
    page.wait_for_function(f"() => document.querySelectorAll('#turns li').length === {count}")


def can_pick(page: Page, spot: str) -> None:
    page.wait_for_function("(id) => document.querySelector('trine-board').next?.has(id)", arg=spot)


def pick(page: Page, *spots: str) -> None:
    for spot in spots:
        can_pick(page, spot)
        page.evaluate("(id) => document.querySelector('trine-board').pick(id)", spot)


def play(page: Page, spot: str) -> None:
    """Play a turn of one action, which waits for Submit by correspondence."""
    can_pick(page, spot)  # until then the turn of the other one may be missing
    before = page.locator("#turns li").count()
    pick(page, spot)
    if page.is_checked("#ask"):
        page.click("#submit:enabled")
    # A conditional turn may follow before anybody can look.
    page.wait_for_function(
        "(count) => document.querySelectorAll('#turns li').length > count", arg=before
    )


def test_a_conditional_turn_is_made_on_the_board_and_played(
    served: Served, browser: Browser
) -> None:
    with two_people(browser) as (anna, bela):
        anna.goto(f"{served.address}lobby?game=corridor")
        assert anna.locator("select[name=vacation]").is_hidden()
        anna.fill("#open input[name=name]", "Anna")
        anna.select_option("select[name=clock]", "3d")
        anna.select_option("select[name=vacation]", "14")
        anna.select_option("select[name=side]", "0")
        check(anna)
        anna.click("#open button.main")
        anna.wait_for_selector(".seek.mine")
        bela.goto(f"{served.address}lobby")
        assert "3 days a turn, 14 days of vacation" in (bela.text_content(".seek") or "")
        fits(bela)
        bela.click(".seek button")
        for page in (anna, bela):
            page.wait_for_url("**/game/*")
        play(anna, "e2")
        turns(bela, 1)
        expect(bela.locator(".below time")).to_contain_text("3 days")
        expect(bela.locator(".below time")).to_have_attribute("data-spare", "+ 14 days")
        fits(bela)
        anna.click("#plan")
        pick(anna, "e8")
        anna.wait_for_function("() => document.querySelector('#told').textContent.includes('then')")
        fits(anna)
        pick(anna, "e3")
        anna.click("#plan-keep:enabled")
        anna.wait_for_selector("#conditions:not([hidden])")
        anna.click("#conditions summary")
        check(anna)
        assert bela.locator("#conditions").is_hidden()
        bela.goto(served.address)
        own = bela.locator(".own .row.turn")
        assert "Anna" in (own.text_content() or "")
        check(bela)
        own.click()
        bela.wait_for_url("**/game/*")
        turns(bela, 1)
        play(bela, "e8")
        for page in (anna, bela):
            turns(page, 3)
        anna.wait_for_selector("#conditions", state="hidden")
        expect(anna.locator("#turns time")).to_have_count(3)  # turns have their dates
        play(bela, "e7")
        bela.click("#plan")
        pick(bela, "e4")
        bela.wait_for_selector("#planning")
        fits(bela)
        pick(bela, "e6")
        bela.click("#plan-keep:enabled")
        bela.wait_for_selector("#conditions:not([hidden])")
        fits(bela)
        play(anna, "e4")
        for page in (anna, bela):
            turns(page, 6)
        expect(anna.locator("#onward")).to_be_hidden()
        expect(bela.locator("#onward")).to_be_visible()
        bela.click("#onward a")  # it waits for no other game of his
        bela.wait_for_url(served.address)
