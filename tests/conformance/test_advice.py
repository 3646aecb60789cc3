"""The advice that lessons quote stands in the documents, and decides in their positions."""

from random import Random

import pytest

from trine.core.clock import Limits
from trine.core.contract.attempt import Attempt, AttemptState
from trine.core.contract.lesson import Lesson
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.text.language import LANGUAGES, open_language
from trine.engine.search.alphabeta import AlphaBeta
from trine.games import BUNDLED_GAMES, open_room

NODES = 60_000
BY_THE_REFEREE = (
    *("trap", "guard", "top", "across", "with-a-friend"),
    *("mass", "in-line", "among", "push-out"),
)
"""Lessons in which the engine sees a race that they are not about, or would rather do something else;
the referee alone says whether their goal is reached."""
WON = 30_000
"""Units: points; more than any search gives."""
OTHERWISE = {
    ("trapper", "with-a-friend"): "the document says how to go forward, and the task that one does",
    ("trapper", "screen"): "the task keeps the dog in its place; it pulls the rabbit away instead",
    ("counter", "in-line"): "the document has three plans of placing, and it weighs all of them",
    ("counter", "among"): "the document has three plans of placing, and it weighs all of them",
}
"""Lessons of their document in which strategists do something else, with the reason."""


def quoted() -> list[tuple[str, str, Lesson]]:
    """The lessons that quote a document, each in one of its rule sets."""
    found = {}
    for name in BUNDLED_GAMES:
        room = open_room(name)
        for rules in room.rule_sets:
            for lesson in room.lessons(rules):
                if lesson.quotes:
                    found[name, lesson.name] = (name, rules, lesson)
    return list(found.values())


QUOTED = quoted()
QUOTES = [(name, quote) for name, _, lesson in QUOTED for quote in lesson.quotes]
each_lesson = pytest.mark.parametrize(
    ("name", "rules", "lesson"), QUOTED, ids=[f"{name}-{one.name}" for name, _, one in QUOTED]
)


def test_every_game_has_advice() -> None:
    assert {name for name, _, _ in QUOTED} == set(BUNDLED_GAMES)
    assert {quote.language for _, quote in QUOTES} == {"ru", "hu", "fr"}
    assert len(QUOTES) >= 20


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


DOCUMENTED = [
    (name, rules, strategist, lesson)
    for name, sets in {
        "arimaa": ("ejection",),
        "tzaar": ("open",),
        "corridor": ("corridor", "corridor-8", "great-wall"),
    }.items()
    for rules in sets
    for strategist in open_room(name).handbook.strategists
    for lesson in open_room(name).lessons(rules)
    if any(quote.language == "ru" for quote in lesson.quotes)
]


@pytest.mark.parametrize(
    ("name", "rules", "strategist", "lesson"),
    DOCUMENTED,
    ids=[f"{one[1]}-{one[2]}-{one[3].name}" for one in DOCUMENTED],
)
def test_a_strategist_solves_the_lessons_of_its_document_or_wins(
    name: str, rules: str, strategist: str, lesson: Lesson
) -> None:
    room = open_room(name)
    attempt = Attempt(room, rules, lesson)
    play, learner = attempt.play, attempt.play.mover
    while attempt.state is AttemptState.OPEN:
        for action in room.handbook.strategists[strategist](play.position, play.history, Random(1)):
            attempt.act(action)
    won = play.outcome is not None and play.outcome.winner == learner
    solved = won or attempt.state is AttemptState.SOLVED
    assert solved != ((strategist, lesson.name) in OTHERWISE)
