"""The report of a review: readable without script, and every link leads somewhere."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest
from markupsafe import Markup

from trine.core.clock import Limits
from trine.core.play import Play
from trine.core.text.language import open_language
from trine.engine.players.bot import Bot
from trine.engine.players.review import Review, ReviewedTurn, review
from trine.engine.players.review_words import outcome_text, verdict
from trine.games import new_play
from trine.house.analysis import review_report as analysis_report
from trine.house.analysis.review_report import Costly, curve_svg, report
from trine.house.web.pages import sentences_of, templates

VOID: Final = {"meta", "br", "link", "img", "input", "hr"}
NASTY: Final = '</script><img src=x onerror="alert(1)"> &'
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
    play = new_play(game, **options)  # type: ignore[arg-type]
    bot = Bot(game.split("/")[0], 1, hash_mb=4)
    while len(play.turns) < turns and not play.outcome:
        for action in bot.choose(play, Limits(nodes=20)).actions:
            play.act(action)
    return play


def written_report(
    found: Review, worst: int = 5, code: str = "en", called: tuple[str, ...] = ("",) * 4
) -> str:
    language = open_language(code)

    def costly(turn: ReviewedTurn) -> Costly:
        picture = Markup("<svg></svg>")
        return Costly(turn.index + 1, verdict(found.play, turn), picture, picture)

    seats = len(found.play.position.seats)
    told = report(found, language.say, outcome_text(found), called[:seats], worst, costly)
    pages = templates([Path(analysis_report.__file__).parent / "pages"])
    return pages.get_template("review_report.html").render(
        say=language.say, **sentences_of(language), **told
    )


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
    return written_report(found, called=(NASTY, "Béla"))


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
def test_the_report_is_well_formed_and_whole(
    game: str, turns: int, options: dict[str, object], language: str
) -> None:
    found = reviewed(played(game, turns, **options))
    written = written_report(found, 3, language)
    read = Checked(written)
    assert len(read.ids) == len(set(read.ids))
    assert not read.sources
    assert read.links
    for link in read.links:
        assert link.startswith("#"), link
        assert link[1:] in read.ids, link
    assert len(re.findall(r'<tr id="turn-', written)) == len(found.turns)


def test_what_a_record_says_is_text(page: str) -> None:
    read = Checked(page)
    assert "<img" not in page
    assert '</script><img src=x onerror="alert(1)"> &' in read.words


def test_the_report_tells_of_the_worst_turns(found: Review, page: str) -> None:
    words = " ".join(Checked(page).words.split())
    (worst,) = found.worst(1)
    assert worst.index == 4
    assert "3s b2: a blunder, South 100 % → 0 %" in words
    assert re.search("better: 3s .*; South (surely )?wins", words), words[:2000]
    assert "now: 3n a1; North wins with this turn" in words
    assert "North wins (goal)" in words
    assert page.count("<article") == len(found.worst(5))


def test_a_game_without_faults_says_so() -> None:
    play = new_play("corridor", "quoridor 5 2 c4,a4 - 0,0 1")
    play.enter("c5")
    written = written_report(reviewed(play))
    assert "No turn lost enough to count as a slip." in written
    assert "<article" not in written


def test_what_was_not_reviewed_is_said(found: Review) -> None:
    part = Review(found.play, found.turns[3:], 3)
    written = written_report(part)
    assert "stopped: reviewed only from 2n on" in written
    Checked(written_report(Review(found.play, (), 6)))


def test_the_curve_is_xml_and_has_a_slice_for_each_turn(found: Review) -> None:
    tree = ElementTree.fromstring(curve_svg(found, str))
    slices = tree.findall("a")
    assert [one.get("data-turn") for one in slices] == [str(n) for n in range(1, 7)]
    places = [float(one.get("data-x", "")) for one in slices]
    assert places == sorted(places)
    marks = [path for path in tree.findall("path") if path.get("class") == "mark"]
    assert len(marks) == sum(turn.grade is not None for turn in found.turns)
