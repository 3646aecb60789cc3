"""The explorer on the analysis board, by touch: what was played, how it did, and the games."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from engine.archive.archives import add, random_records
from house.web.browsing import LANGUAGES_BY_WIDTH, PHONE, a_page, check, fits
from house.web.clients import Client
from house.web.served import Served, a_server
from house.web.test_lessons_by_hand import live
from trine.core.contract.record import Record, read_records

pytest.importorskip("duckdb", reason="DuckDB is not installed; scripts/extras installs it")

GAME = """[Game "corridor"]
[Rules "quoridor"]
[South "Anna"]
[North "Béla"]
[SouthRating "1700"]
[Date "2024-05-06"]

1s {}
1n e8
[Result "South"]
[Reason "resignation"]
"""

PLACES = """() => Object.fromEntries(["#explore", "#think", ".walk", "#told", "#flip"].map((one) => {
  const { top, bottom } = document.querySelector(one).getBoundingClientRect();
  return [one, [Math.round(top), Math.round(bottom)]];
}))"""
"""Where the top and the bottom of what is pointed at are on a page."""


def record(first: str, file: str) -> Record:
    (read,) = read_records(GAME.format(first).splitlines(keepends=True), file)
    return read


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house whose archive has two games of Corridor, one played in the house, one of Arimaa."""
    folder = tmp_path_factory.mktemp("house")
    archive: Path = folder / "archive"
    with a_server(folder) as served:  # as long as it has no archive, it adds to none
        game = asyncio.run(played(Client(served.address)))
    archive.mkdir()
    add(archive, [record("e2", f"/game/{game}"), record("d1", "club.trine")])
    add(archive, random_records("arimaa/official", 1, most=4))
    with a_server(folder, address_credits=1_000_000) as served:
        yield served


async def played(client: Client) -> str:
    given = {"with": "screen", "name": "Zoé"}
    game, _ = client.new_game(game="corridor", rules="quoridor", **given)
    async with client.play(game) as table:
        assert (await table.turn("e2"))["t"] == "ok"
    return game


def begin(page: Page, served: Served, game: str, rules: str) -> None:
    page.goto(f"{served.address}analysis")
    page.evaluate(
        """async (form) => {
            const answer = await fetch("/analysis", {method: "POST", body: new URLSearchParams(form)});
            location.assign(answer.url);
        }""",
        {"game": game, "rules": rules},
    )
    page.wait_for_url("**/analysis/*")
    live(page)


def answered(page: Page, words: str) -> None:
    """Wait for an answer of the archive; the first one waits for a process that loads libraries."""
    expect(page.locator("#explored")).to_have_text(words)


def test_a_phone_plays_what_others_played_and_opens_their_game(
    explored: Served, phone: Page
) -> None:
    begin(phone, explored, "corridor", "quoridor")
    expect(phone.locator("#played")).to_be_hidden()
    assert phone.evaluate(PLACES)["#explore"][1] < PHONE[1]
    phone.tap("#explore")
    answered(phone, "Played from here 2 times")
    expect(phone.locator("#played")).to_be_in_viewport(ratio=1)
    check(phone)
    rows = phone.locator("#played tbody tr")
    expect(rows.nth(0)).to_have_text("d11100 %1700")
    expect(rows.nth(1)).to_have_text("Anna (1700) – Béla, 2024")
    phone.tap("#played button >> text=e2")
    expect(phone.locator("#tree [aria-current]")).to_have_text("1s e2")
    answered(phone, "Played from here 1 time")
    phone.tap("#previous")
    answered(phone, "Played from here 2 times")
    phone.reload()  # it stays switched on
    answered(phone, "Played from here 2 times")
    phone.tap("#explore")
    expect(phone.locator("#played")).to_be_hidden()
    phone.tap("#explore")
    phone.tap("#played a")  # of the house's own game, under the names that it has there
    phone.wait_for_url("**/game/*")


def test_at_a_desk_the_games_take_the_place_of_the_turns(
    explored: Served, browser: Browser
) -> None:
    with a_page(browser, (1440, 900)) as page:
        begin(page, explored, "corridor", "quoridor")
        before = page.evaluate(PLACES)
        page.click("#explore")
        answered(page, "Played from here 2 times")
        expect(page.locator("#played tbody tr").nth(0)).to_be_visible()
        assert page.evaluate(PLACES) == before


@pytest.mark.parametrize("language", LANGUAGES_BY_WIDTH)
def test_setups_are_pictures(explored: Served, browser: Browser, language: str) -> None:
    with a_page(browser, PHONE, language) as page:
        begin(page, explored, "arimaa", "official")
        page.tap("#explore")
        picture = page.locator("#played img")
        picture.wait_for()
        picture.scroll_into_view_if_needed()
        page.wait_for_function("() => document.querySelector('#played img').naturalWidth > 0")
        fits(page)
        page.tap("#played button")
        expect(page.locator("#tree button")).to_have_count(1)


def test_a_house_without_an_archive_shows_nothing_of_it(explored: Served, served: Served) -> None:
    for house, count in ((explored, 1), (served, 0)):
        one = Client(house.address)
        place = one.post("/analysis", game="corridor", rules="quoridor").headers["location"]
        assert one.get(place).text.count('id="explore"') == count
