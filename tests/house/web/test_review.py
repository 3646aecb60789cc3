"""The page of a review: whole in itself, readable without script, the curve one click from the board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import axe_finds, needs_axe
from trine.core.contract.record import Record
from trine.core.play import Play
from trine.core.text.language import open_language
from trine.core.work.limits import Limits
from trine.engine.players.bot import Bot
from trine.engine.players.review import Review, review
from trine.games import new_play
from trine.house.analysis.analysis_report import curve_svg, review_page

VOID: Final = {"meta", "br", "link", "img", "input", "hr"}
NASTY: Final = '</script><img src=x onerror="alert(1)"> & \x1b[2J'
QUICK: Final = Limits(nodes=1_000)


class Checked(HTMLParser):
    """Reads a page, and fails where elements do not close as they opened."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.words = ""
        self.feed(page)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert len(found) == len(attrs), f"twice the same: {attrs}"
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self.links += [value or "" for name, value in attrs if name in {"href", "action"}]
        self.sources += [value or "" for name, value in attrs if name in {"src", "srcset", "data"}]
        assert not [name for name in found if name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"script", "style"}:
            self.words += data


def played(game: str, turns: int, **options: object) -> Play:
    """A game of beginners, who give occasion for a review."""
    play = new_play(game, **options)  # type: ignore[arg-type]
    bot = Bot(game.split("/")[0], 1, hash_mb=4)
    while len(play.turns) < turns and not play.outcome:
        for action in bot.choose(play, Limits(nodes=20)).actions:
            play.act(action)
    return play


def reviewed(play: Play) -> Review:
    return review(Bot(play.room.name, hash_mb=4), play, QUICK)


@pytest.fixture(scope="module")
def found() -> Review:
    """A game of Corridor that one blunder decides: South walks past the goal."""
    play = new_play("corridor", "quoridor 5 2 c4,a4 - 1,1 1")
    for turn in ("b4", "a3", "b3", "a2", "b2", "a1"):
        play.enter(turn)
    return reviewed(play)


@pytest.fixture(scope="module")
def page(found: Review) -> str:
    return review_page(found, Record({"South": NASTY, "North": "Béla"}), open_language("en"), 5)


@pytest.mark.parametrize(
    ("game", "turns", "options"),
    [
        ("arimaa", 8, {}),
        ("tzaar", 8, {}),
        ("corridor", 8, {}),
        ("corridor/quoridor", 6, {"players": 4}),
    ],
)
@pytest.mark.parametrize("language", ["en", "hu"])
def test_the_page_is_well_formed_and_whole(
    game: str, turns: int, options: dict[str, object], language: str
) -> None:
    found = reviewed(played(game, turns, **options))
    written = review_page(found, Record(), open_language(language), 3)
    read = Checked(written)
    assert len(read.ids) == len(set(read.ids))
    assert not read.sources
    assert read.links
    for link in read.links:
        assert link.startswith("#"), link
        assert link[1:] in read.ids, link
    assert len(re.findall(r'<tr id="turn-', written)) == len(found.turns)
    assert f'<html lang="{language}">' in written
    assert not re.findall(r"url\((?!#)|@import", written)


def test_what_a_record_says_is_text(page: str) -> None:
    read = Checked(page)
    assert "<img" not in page
    assert "\x1b" not in page
    assert '</script><img src=x onerror="alert(1)"> &' in read.words


def test_the_page_tells_of_the_worst_turns(found: Review, page: str) -> None:
    words = " ".join(Checked(page).words.split())
    (worst,) = found.worst(1)
    assert worst.index == 4
    assert "3s b2: a blunder, South 100 % → 0 %" in words
    assert re.search("better: 3s .*; South (surely )?wins", words), words[:2000]
    assert "now: 3n a1; North wins with this turn" in words
    assert "North wins (goal)" in words
    assert page.count("<article") == len(found.worst(5))
    assert page.count('role="img"') == 2 * len(found.worst(5))


def test_a_game_without_faults_says_so() -> None:
    play = new_play("corridor", "quoridor 5 2 c4,a4 - 0,0 1")
    play.enter("c5")
    written = review_page(reviewed(play), Record(), open_language("en"), 5)
    assert "No turn lost so much that it would be a slip." in written
    assert "<article" not in written


def test_what_was_not_reviewed_is_said(found: Review) -> None:
    part = Review(found.play, found.turns[3:], 3)
    written = review_page(part, Record(), open_language("en"), 5)
    assert "stopped: reviewed only from 2n on" in written
    Checked(review_page(Review(found.play, (), 6), Record(), open_language("en"), 5))


def test_the_curve_is_xml_and_has_a_slice_for_each_turn(found: Review) -> None:
    tree = ElementTree.fromstring(curve_svg(found, str))
    slices = tree.findall("a")
    assert [one.get("data-turn") for one in slices] == [str(n) for n in range(1, 7)]
    places = [float(one.get("data-x", "")) for one in slices]
    assert places == sorted(places)
    marks = [path for path in tree.findall("path") if path.get("class") == "mark"]
    assert len(marks) == sum(turn.grade is not None for turn in found.turns)


# --- in a browser --------------------------------------------------------------------------------


@contextmanager
def shown(
    browser: Browser,
    folder: Path,
    written: str,
    *,
    script: bool = True,
    width: int = 1280,
    dark: bool = False,
) -> Iterator[Page]:
    """The page as a file of its own; the test fails if it says an error or asks for anything."""
    place = folder / "review.html"
    place.write_text(written, encoding="utf-8")
    context = browser.new_context(
        java_script_enabled=script,
        offline=True,
        reduced_motion="reduce",
        color_scheme="dark" if dark else "light",
        viewport={"width": width, "height": 800},
    )
    wrong: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: wrong.append(str(error)))
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    opened.on(
        "request",
        lambda request: (
            None if request.url.startswith(("file:", "data:")) else wrong.append(request.url)
        ),
    )
    opened.goto(place.as_uri())
    yield opened
    context.close()
    assert not wrong, wrong


def turn_shown(page: Page) -> int:
    return int(page.evaluate("document.querySelector('trine-replay').turn"))


def test_a_click_on_the_curve_shows_the_board_there(
    browser: Browser, tmp_path: Path, page: str
) -> None:
    with shown(browser, tmp_path, page) as opened:
        opened.wait_for_selector("trine-replay trine-board svg")
        assert turn_shown(opened) == 5  # the blunder
        before = opened.locator(".now").get_attribute("transform")
        opened.locator('.curve [data-turn="4"]').click()
        assert turn_shown(opened) == 4
        assert opened.locator(".now").get_attribute("transform") != before
        expect(opened.locator("#turn-4")).to_have_attribute("aria-current", "step")
        opened.get_by_text("All turns").click()
        opened.locator('.all [data-turn="2"]').click()
        assert turn_shown(opened) == 2
        opened.locator("article summary").first.click()
        assert turn_shown(opened) == 5
        opened.locator("trine-replay").get_by_role("button", name="One turn on").click()
        expect(opened.locator("#turn-6")).to_have_attribute("aria-current", "step")


def holds(whole: Any, part: Any) -> bool:
    """Whether data are those of a file; the board has filled in what that leaves out."""
    if isinstance(part, dict):
        return all(name in whole and holds(whole[name], value) for name, value in part.items())
    if isinstance(part, list):
        return len(whole) == len(part) and all(map(holds, whole, part))
    return bool(whole == part)


def test_the_board_comes_from_the_game(browser: Browser, tmp_path: Path, page: str) -> None:
    with shown(browser, tmp_path, page) as opened:
        opened.wait_for_selector("trine-replay trine-board svg")
        shown_turns = opened.evaluate("document.querySelector('trine-replay').game.turns")
        assert [turn["played"] for turn in shown_turns[1:]] == ["b4", "a3", "b3", "a2", "b2", "a1"]
        inside = re.search(r'id="game">(.*)</script>', page)
        assert inside and holds(shown_turns, json.loads(inside[1])["turns"])


def test_without_script_the_curve_and_the_pictures_are_there(
    browser: Browser, tmp_path: Path, page: str
) -> None:
    with shown(browser, tmp_path, page, script=False) as opened:
        expect(opened.locator(".curve")).to_be_visible()
        expect(opened.locator("article svg").first).to_be_visible()
        expect(opened.locator("trine-replay")).to_be_hidden()
        expect(opened.locator(".now")).to_be_hidden()
        opened.locator('.curve [data-turn="4"]').click()
        assert opened.url.endswith("#turn-4")


@needs_axe
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_wrong(browser: Browser, tmp_path: Path, page: str, dark: bool) -> None:
    with shown(browser, tmp_path, page, width=360, dark=dark) as opened:
        opened.wait_for_selector("trine-replay trine-board svg")
        assert not axe_finds(opened, *(["color-contrast"] if dark else []))
