"""The advice that lessons quote stands in the documents, and decides in their positions."""

from __future__ import annotations

import re

import pytest

from playing import HOUSE
from shared_data import SHARED
from trine.core.contract.attempt import Attempt, AttemptState
from trine.core.contract.lesson import Lesson, Match, Quote
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.text.language import LANGUAGES, open_language
from trine.core.work.limits import Limits
from trine.engine.search.alphabeta import AlphaBeta
from trine.games import OWN, open_room

SOURCES = SHARED / "sources"
NODES = 20_000
BY_THE_REFEREE = (
    "trap",
    "guard",
    "top",
    "across",
    "with-a-friend",
    "mass",
    "in-line",
    "among",
    "push-out",
)
"""Lessons in which the engine sees a race that they are not about, or would rather do something else;
the referee alone says whether their goal is reached."""
WON = 30_000
"""Units: points; more than any search gives."""


def quoted() -> list[tuple[str, str, Lesson]]:
    """The lessons that quote a document, each in one of its rule sets."""
    found = {}
    for name in OWN:
        room = open_room(name)
        for rules in room.rule_sets:
            for lesson in room.lessons(rules):
                if lesson.quotes:
                    found[name, lesson.name] = (name, rules, lesson)
    return list(found.values())


QUOTED = quoted()
QUOTES = [(name, quote) for name, _, lesson in QUOTED for quote in lesson.quotes]
MATCHED = [
    (name, rules, lesson)
    for name in OWN
    for rules in open_room(name).rule_sets
    for lesson in open_room(name).lessons(rules)
    if lesson.matches
]
each_lesson = pytest.mark.parametrize(
    ("name", "rules", "lesson"), QUOTED, ids=[f"{name}-{one.name}" for name, _, one in QUOTED]
)


MATCHES = [(lesson.name, match) for _, _, lesson in MATCHED for match in lesson.matches]
EXPERIMENT = HOUSE / "docs" / "experiments" / "2026-11-advice.md"


@pytest.mark.parametrize(("name", "match"), MATCHES, ids=[f"{n}-{one.rules}" for n, one in MATCHES])
def test_a_worth_stands_in_the_experiment(name: str, match: Match) -> None:
    told = EXPERIMENT.read_text(encoding="utf-8").replace(" %", "")
    figures = re.escape(f"{match.points:.1f}") + r" ?± ?" + re.escape(f"{match.error:.1f}")
    assert re.search(figures, told), match
    assert f"{match.games} games" in told or f"| {match.games} |" in told


def test_no_worth_of_the_experiment_is_left_out_where_a_lesson_has_one() -> None:
    told = EXPERIMENT.read_text(encoding="utf-8").replace(" %", "")
    written = {tuple(map(float, found)) for found in re.findall(r"(\d+\.\d) ± (\d+\.\d)", told)}
    shown = {(match.points, match.error) for _, match in MATCHES}
    # Those of quoridor and great-wall, which have no lesson on it.
    assert written - shown == {(51.0, 6.3), (40.0, 3.3), (41.0, 3.2)}


def test_every_game_has_advice() -> None:
    assert {name for name, _, _ in QUOTED} == set(OWN)
    assert {quote.language for _, quote in QUOTES} == {"ru", "hu", "fr"}
    assert len(QUOTES) >= 20


@pytest.mark.parametrize(("name", "quote"), QUOTES, ids=[one.words[:30] for _, one in QUOTES])
def test_a_quote_stands_in_a_document(name: str, quote: Quote) -> None:
    if not SOURCES.exists():
        pytest.skip(f"{SOURCES} is absent; it is data of others and not part of the project")
    documents = [path.read_text(encoding="utf-8") for path in SOURCES.glob("*.txt")]
    assert len(documents) == 5
    known = [re.sub(r"\s+", " ", words.replace("*", "")) for words in documents]
    assert sum(quote.words in words for words in known) == 1


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_quote_is_told_to_readers_of_every_language(code: str) -> None:
    for _, quote in QUOTES:
        own, *told = [open_language(code).say(words) for words in quote.said_in(code)]
        assert quote.words in own
        assert len(told) == (quote.language != code)
        assert all(words.strip() for words in told)


def points(name: str, play: Play, learner: int) -> int:
    """The points of the learner after a turn, by a result or a search."""
    if play.outcome:
        return 0 if play.outcome.winner is None else WON if play.outcome.winner == learner else -WON
    found = AlphaBeta(name, hash_mb=4).search(play, Limits(nodes=NODES))[0].score.points
    return found if play.mover == learner else -found


@each_lesson
def test_the_engine_prefers_what_the_advice_says(name: str, rules: str, lesson: Lesson) -> None:
    if lesson.name in BY_THE_REFEREE:
        assert lesson.turns <= 2
        return
    attempt = Attempt(open_room(name), rules, lesson)
    learner = attempt.play.mover
    attempt.enter(lesson.solution[0])
    followed = points(name, attempt.play, learner)
    for line in lesson.wrong:
        other = Attempt(open_room(name), rules, lesson)
        try:
            other.enter(line)
        except IllegalError:
            continue
        if not other.play.open_actions and other.state is not AttemptState.SOLVED:
            assert points(name, other.play, learner) < followed, line
