"""The folder of lessons, puzzles and replays, opened from the disk by a finger and by a mouse."""

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from house.web.browsing import DESK, PHONE, a_page
from house.web.test_lessons_by_hand import live
from playing import HOUSE, run_trine
from trine.core.text.language import LANGUAGES
from trine.engine.puzzles.puzzle import shipped
from trine.games import open_room
from trine.house.static_site.branches import AnswerScript, lesson_answers
from trine.house.static_site.static_pages import ReplayedGame, write_site
from trine.play.record.formats import read_file
from trine.play.record.replay import replay

MOST = 30_000_000
"""Units: bytes; the largest folder."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    _, records = read_file(HOUSE / "docs" / "images" / "corridor.txt")
    assert all(puzzle.line for puzzle in shipped("corridor")), "as if they had been played before"
    write_site(folder, [ReplayedGame("corridor", replay(one)) for one in records])
    return folder


@contextmanager
def opened(browser: Browser, size: tuple[int, int]) -> Iterator[Page]:
    """A page that asks for nothing but files, and says no error."""
    with a_page(browser, size) as page:
        strange: list[str] = []
        page.on("request", lambda one: strange.append(one.url))
        page.on("console", lambda said: strange.append(f"said: {said.text}"))
        yield page
        asked = [one for one in strange if not one.startswith(("file:", "data:", "about:"))]
        assert not asked


def fits(page: Page) -> None:
    """Nothing is wider than the screen; axe-core would ask for style sheets, which files forbid."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def puzzle_of(site: Path) -> tuple[str, list[str]]:
    """A puzzle of Corridor in the folder, and the picks of its solution."""
    there = {file.stem for file in (site / "puzzles" / "corridor").iterdir()}
    puzzle = next(one for one in shipped("corridor") if one.name in there)
    turn = puzzle.line[0]
    picks = puzzle.room.view.picks(turn.before, turn.actions[0])
    return f"puzzles/corridor/{puzzle.name}.html", [*picks]


@pytest.mark.nightly
@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_folder_teaches_sets_puzzles_and_replays(
    site: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with opened(browser, size) as page:
        page.goto((site / "index.html").as_uri())
        fits(page)
        page.goto((site / "learn/corridor/quoridor/step.html").as_uri())
        live(page)
        fits(page)
        page.evaluate("document.querySelector('trine-board').pick('e5')")
        expect(page.locator("#told")).to_contain_text("e5")
        page.evaluate("document.querySelector('trine-board').pick('e2')")
        expect(page.locator("#told")).to_have_class("told solved")
        page.click("#next")
        page.wait_for_url("**/goal.html")
        page.goto((site / "learn/corridor/quoridor.html").as_uri())
        expect(page.locator("li.done")).to_have_attribute("data-lesson", "step")
        fits(page)

        path, picks = puzzle_of(site)
        page.goto((site / path).as_uri())
        live(page)
        for pick in picks:
            page.evaluate("(id) => document.querySelector('trine-board').pick(id)", pick)
        expect(page.locator("#told")).to_have_class("told solved")

        page.goto((site / "replays/1.html").as_uri())
        expect(page.locator("#turns button")).not_to_have_count(0)
        page.click("#first")
        page.click("#next")
        expect(page.locator("#turns [aria-current]")).to_have_attribute("data-turn", "1")
        expect(page.locator("trine-board [data-key=pawn-s]")).to_have_attribute("data-cell", "e2")
        fits(page)


@pytest.mark.nightly
def test_a_clause_is_tried_in_each_language(site: Path, browser: Browser) -> None:
    with opened(browser, PHONE) as page:
        for code in LANGUAGES:
            page.goto(
                (site / ("" if code == "en" else code) / "rules/tzaar/official.html").as_uri()
            )
            fits(page)
            clause = page.locator(".clause[data-place]").first
            clause.locator("summary").click()
            clause.locator("button[data-line]").first.click()
            expect(clause.locator("trine-board")).to_be_visible()
            expect(clause.locator(".told")).not_to_have_text("")


@pytest.mark.nightly
def test_every_link_of_a_folder_leads_to_a_file_and_it_is_light(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    for file in pages:
        words = file.read_text(encoding="utf-8")
        for link in re.findall(r'\b(?:href|src)="([^"#]+)', words):
            known = (file.parent / link).exists()
            assert known, (file, link)
    rule_sets = sum(len(open_room(name).rule_sets) for name in ("arimaa", "tzaar", "corridor"))
    assert len([*site.glob("hu/rules/*/*.html")]) == rule_sets == 10
    assert sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) < MOST


def test_a_lesson_knows_its_ways_and_names_what_is_forbidden() -> None:
    room = open_room("arimaa")
    lesson = next(one for one in room.lessons("official") if one.name == "rabbits")
    tree = asyncio.run(lesson_answers(room, "official", lesson))
    nodes = tree["nodes"]
    at = 0
    for action in ("Rd4e", "Re4n", "Re5n", "Re6w", "end"):
        at = nodes[at]["next"][action]
    assert nodes[at]["state"].state == "solved"
    assert "Rd4s" not in nodes[0]["next"]
    assert str(nodes[0]["why"]["d4 d3"]) == "a rabbit does not step backward"


def test_a_sentence_is_written_once_in_each_language() -> None:
    room, writer = open_room("tzaar"), AnswerScript()
    lesson = room.lessons("official")[0]
    for place in ("/a", "/b"):
        writer.add(place, {"told": [lesson.title, lesson.title]})
    answers, _parts, words = json.loads(f"[{writer.script()[5:-3]}]")
    assert answers == dict.fromkeys(("/a", "/b"), '{"told":["~0","~0"]}')
    assert {code: len(said) for code, said in words.items()} == dict.fromkeys(LANGUAGES, 1)


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    done = run_trine(tmp_path, "site", ".", status=2)
    assert "is not empty" in done.stderr
