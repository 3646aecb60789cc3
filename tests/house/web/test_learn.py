"""Lessons and rule books over HTTP: the house keeps nothing of a trial, and judges all of it."""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from house.web.clients import Client, Page
from house.web.served import Served, a_server
from house.web.test_people import register
from trine.core.contract.attempt import Attempt
from trine.core.contract.lesson import Lesson
from trine.core.errors import IllegalError
from trine.core.text.language import LANGUAGES
from trine.games import BUNDLED_GAMES, open_room
from trine.house.lessons.trial import MAX_ACTIONS, read_trial
from trine.house.web.messages import FRAME

RULE_SETS: Final = [(game, rules) for game in BUNDLED_GAMES for rules in open_room(game).rule_sets]
each_rule_set = pytest.mark.parametrize(
    ("game", "rules"),
    [
        (game, rules)
        if rules == open_room(game).default_rules
        else pytest.param(game, rules, marks=pytest.mark.nightly)
        for game, rules in RULE_SETS
    ],
)
"""At every commit one of each game: the lessons themselves are tried without a house."""


def tried(client: Client, path: str, trial: object, **headers: str) -> Page:
    body = trial if isinstance(trial, bytes) else json.dumps(trial).encode()
    return client.send(f"{path}/try", body, **headers)


def told(client: Client, path: str, **trial: Any) -> dict[str, Any]:
    page = tried(client, path, trial)
    assert page.status == 200, page.text
    answer: dict[str, Any] = json.loads(page.body)
    return answer


def ids(attempt: Attempt, line: str) -> list[str]:
    """A line of a lesson as ids of actions; the attempt goes on with them."""
    before = attempt.play.copy()
    attempt.enter(line)
    return [str(action) for action in before.interpret(line).actions]


def begun(game: str, rules: str, lesson: Lesson) -> Attempt:
    return Attempt(open_room(game), rules, lesson)


@each_rule_set
def test_the_solution_of_each_lesson_solves_it_and_wrong_turns_do_not(
    served: Served, game: str, rules: str
) -> None:
    one, missed, refused = Client(served.address), 0, 0
    for lesson in open_room(game).lessons(rules):
        path, attempt, done = f"/learn/{game}/{rules}/{lesson.name}", begun(game, rules, lesson), []
        for number, line in enumerate(lesson.solution):
            done += ids(attempt, line)
            draft = told(one, path, a=done, submit=False)
            assert (draft["state"], draft["closed"], draft["choices"]) == ("open", True, [])
            answer = told(one, path, a=done)
            last = number == len(lesson.solution) - 1
            assert answer["state"] == ("solved" if last else "open"), lesson.name
            assert bool(answer["choices"]) is not last
            assert (answer["first"] is not None) is not last
        assert str(lesson.success) in answer["told"]
        assert tried(one, path, {"a": [*done, done[0]]}).status == 400
        for line in lesson.wrong:
            wrong = begun(game, rules, lesson)
            try:
                answer = told(one, path, a=ids(wrong, line))
            except IllegalError:
                refused += 1
            else:
                assert answer["state"] == wrong.state.value != "solved"
                missed += answer["state"] == "missed"
    assert missed and refused


def test_a_lesson_that_was_done_is_known_in_each_browser_and_to_nobody_else(served: Served) -> None:
    room, rules = open_room("corridor"), "quoridor"
    lesson = room.lessons(rules)[0]
    path, attempt = f"/learn/corridor/{rules}/{lesson.name}", begun("corridor", rules, lesson)
    one = register(served, "Pupil")
    done: list[str] = []
    for line in lesson.solution:
        assert f'data-known="{lesson.name}"' not in one.get("/learn").text, "not yet"
        done += ids(attempt, line)
        told(one, path, a=done)
    for page in ("/learn", "/learn/corridor", "/games"):
        assert f'data-known="{lesson.name}"' in one.get(page).text, page
    assert f"1 of {len(room.lessons(rules))} lessons done" in one.get("/games").text
    assert "data-known" in (shown := Client(served.address).get("/learn").text)
    assert f'data-known="{lesson.name}"' not in shown


def test_the_ladder_leads_to_a_game_with_the_level(served: Served, one: Client) -> None:
    page = one.get("/learn/tzaar/ladder").text
    assert page.count('name="with" value="bot:') == 10 and "beaten" not in page
    assert page.count('class="next"') == 1
    begun = one.post("/new", game="tzaar", rules="official", **{"with": "bot:1"})
    assert begun.status == 303
    page = one.get(begun.headers["location"]).text
    climb = page.split('id="climb" hidden>')[1].split("</form>")[0]
    assert 'name="with" value="bot:2"' in climb and 'name="rules" value="official"' in climb
    other = Client(served.address).get(begun.headers["location"]).text
    climb = other.split('id="climb" hidden>')[1].split("</form>")[0]
    assert not climb.strip(), "who looks on is to climb"
    assert one.get("/learn/chess/ladder").status == 400, "as for its lessons"


@each_rule_set
def test_each_lesson_can_be_read_and_leads_to_the_next(
    served: Served, game: str, rules: str
) -> None:
    one, lessons = Client(served.address), open_room(game).lessons(rules)
    listed = one.get(f"/learn/{game}/{rules}")
    assert len(re.findall("data-lesson=", listed.text)) == len(lessons) >= 10
    path = f"/learn/{game}/{rules}/{lessons[0].name}"
    for number, lesson in enumerate(lessons, 1):
        page = one.get(path)
        assert page.status == 200 and f"Lesson {number} of {len(lessons)}" in page.text
        assert all(line in page.text for line in lesson.solution)
        assert page.text.count("<details") == len(lesson.hints) + 1
        if number < len(lessons):
            path = re.findall(r'href="([^"]+)" rel="next"', page.text)[0]
    assert 'rel="next"' not in page.text
    picture = one.get(f"{path}/picture.svg?language=ru")
    assert picture.body.startswith(b"<svg") and "max-age" in picture.headers["cache-control"]


@each_rule_set
def test_what_a_rule_book_says_is_what_its_boards_say(
    served: Served, game: str, rules: str
) -> None:
    one, book = Client(served.address), open_room(game).rulebook(rules)
    page = one.get(f"/rules/{game}/{rules}").text
    assert page.count("<article") == len(book)
    for number, clause in enumerate(book, 1):
        path = f"/rules/{game}/{rules}/{number}"
        if not clause.example:
            assert one.get(f"{path}/picture.svg").status == 404
            continue
        for example in clause.example.tries:
            answer = told(one, path, line=example.line)
            assert answer["legal"] is not bool(example.refused)
            assert example.refused in answer["told"]
            assert answer["told"].replace("'", "&#39;") in page
            if answer["legal"] and not example.outcome:
                assert told(one, path, a=answer["a"])["view"] == answer["view"]


def test_every_page_is_there_in_every_language(one: Client) -> None:
    for language in LANGUAGES:
        for path in ("/learn", "/learn/tzaar", "/learn/tzaar/open/stack", "/rules/tzaar/open"):
            page = one.get(path, Accept_Language=language)
            assert page.status == 200 and f'<html lang="{language}">' in page.text
            assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page.text)


def test_why_not_is_asked_behind_what_was_tried(one: Client) -> None:
    why = told(one, "/learn/arimaa/official/rabbits", picks=["a1", "g7"])["why"]
    assert "g7 is too far away" in why
    why = told(one, "/rules/corridor/quoridor/3", a=[], picks=["e1"])["why"]
    assert "e1 is not beside e8" in why
    closed = tried(
        one, "/learn/corridor/quoridor/step", {"a": ["e2"], "submit": False, "picks": ["e3"]}
    )
    assert closed.status == 400 and "the turn is over" in json.loads(closed.body)["why"]


@pytest.mark.parametrize(
    "trial",
    [
        b"",
        b"\xff",
        b"[]",
        b'{"a":"e2"}',
        b'{"a":[],"more":1}',
        b'{"a":["' + b"e" * 99 + b'"]}',
        b'{"submit":2}',
        b"[" * 3000,
        b'{"x":' + b"[" * 3000,
        {"a": ["e2"] * (MAX_ACTIONS + 1)},
        {"a": ["a9"]},
        {"a": ["nonsense"]},
        {"a": ["e2", "e8"]},
        {"picks": ["e" * 17]},
    ],
)
def test_garbage_is_refused_in_a_sentence(served: Served, trial: object) -> None:
    one, path = Client(served.address), "/learn/corridor/quoridor/step"
    page = tried(one, path, trial)
    assert page.status == 400 and json.loads(page.body).keys() == {"why"}
    assert told(one, path, a=["e2"])["a"] == ["e2"]


def test_what_is_too_long_or_comes_from_elsewhere_is_not_read(served: Served) -> None:
    one, path = Client(served.address), "/learn/corridor/quoridor/step"
    assert tried(one, path, b" " * FRAME + b"{}").status == 413
    assert tried(one, path, {}, Origin="http://evil.example").status == 403
    assert tried(one, path, {}, Origin="").status == 403
    assert one.get(f"{path}/try").status == 405


@pytest.mark.parametrize(
    "path",
    [
        *("/learn/go", "/learn/arimaa/none", "/learn/arimaa/official/none", "/rules/arimaa/none"),
        *("/rules/arimaa/official/0/picture.svg", "/rules/arimaa/official/99/picture.svg"),
    ],
)
def test_what_there_is_not_is_said_plainly(served: Served, path: str) -> None:
    page = Client(served.address).get(path)
    assert page.status in (400, 404) and "<h1>" in page.text


def test_a_house_that_was_opened_anew_knows_all_boards_and_has_patience_with_few(
    tmp_path: Path,
) -> None:
    with a_server(tmp_path / "strict", address_credits=20) as served:
        one, path = Client(served.address), "/rules/tzaar/open/3"
        digest = told(one, path)["view"]["board"]
        board = one.get(f"/learn/tzaar/open/board/{digest}?language=hu")
        assert board.status == 200 and "immutable" in board.headers["cache-control"]
        assert one.get("/learn/tzaar/open/board/0123456789abcdef").status == 404
        found = [tried(one, path, {}).status for _ in range(8)]
        assert found[:3] == [200] * 3 and 429 in found


def test_a_trial_is_read_by_its_schema() -> None:
    trial = read_trial(b'{"a":["Ee2n"],"submit":false}')
    assert (trial.a, trial.submit, trial.picks, trial.line) == (["Ee2n"], False, [], "")
