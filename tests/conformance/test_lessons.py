"""The examples of the rule books and the lessons are true, in every room."""

from collections.abc import Iterator
from itertools import islice

import pytest

from trine.core.contract.attempt import Attempt, AttemptState, verdict_on
from trine.core.contract.lesson import Reached
from trine.core.contract.room import Room
from trine.core.errors import IllegalError, TrineError
from trine.games import BUNDLED_GAMES, ROOMS, open_room

RULE_SETS = [f"{name}/{rules}" for name in ROOMS for rules in open_room(name).rule_sets]
TRIED = 400
"""Of so many legal turns at least one must miss the goal of a lesson."""
LEAST = 10
"""The lessons that each rule set of the house must have."""


def opened(rule_set: str) -> tuple[Room, str]:
    name, _, rules = rule_set.partition("/")
    return open_room(name), rules


def begun(rule_set: str, name: str) -> Attempt:
    room, rules = opened(rule_set)
    return Attempt(room, rules, next(one for one in room.lessons(rules) if one.name == name))


def attempts(rule_set: str) -> Iterator[Attempt]:
    room, rules = opened(rule_set)
    for lesson in room.lessons(rules):
        yield Attempt(room, rules, lesson)


each_rule_set = pytest.mark.parametrize("rule_set", RULE_SETS)


@each_rule_set
def test_what_an_example_says_is_what_the_referee_says(rule_set: str) -> None:
    room, rules = opened(rule_set)
    for clause in room.rulebook(rules):
        for tried in clause.example.tries if clause.example else ():
            assert clause.example
            verdict = verdict_on(room, rules, clause.example.position, tried.line)
            assert verdict.legal is not bool(tried.refused), (tried.line, verdict.text)
            if tried.refused:
                assert str(verdict.text) == tried.refused
                assert tried.outcome is None
            assert verdict.after.outcome == tried.outcome, tried.line
            assert bool(verdict.text) is bool(tried.refused or tried.outcome)


@each_rule_set
def test_only_the_last_action_of_a_refused_line_is_illegal(rule_set: str) -> None:
    room, rules = opened(rule_set)
    for clause in room.rulebook(rules):
        for tried in clause.example.tries if clause.example else ():
            *before, last = tried.line.split()
            if tried.refused and before:
                position = clause.example.position if clause.example else ""
                assert verdict_on(room, rules, position, " ".join(before)).legal, last


@pytest.mark.parametrize(
    "rule_set", [one for one in RULE_SETS if one.split("/")[0] in BUNDLED_GAMES]
)
def test_rule_books_show_most_of_what_they_say(rule_set: str) -> None:
    room, rules = opened(rule_set)
    clauses = room.rulebook(rules)
    shown = [clause for clause in clauses if clause.example]
    assert len(shown) >= len(clauses) / 2
    tries = [one for clause in shown if clause.example for one in clause.example.tries]
    assert any(one.refused for one in tries)
    assert any(one.outcome for one in tries)


@each_rule_set
def test_no_example_belongs_to_another_rule_set(rule_set: str) -> None:
    room, rules = opened(rule_set)
    for clause in room.rulebook(rules):
        if clause.example:
            position = room.rules.parse_position(clause.example.position, rules)
            assert position.rules.name == rules


@each_rule_set
def test_each_rule_set_has_enough_lessons(rule_set: str) -> None:
    room, rules = opened(rule_set)
    names = [lesson.name for lesson in room.lessons(rules)]
    assert len(set(names)) == len(names) >= (LEAST if room.name in BUNDLED_GAMES else 1)
    assert all(name.replace("-", "").isalnum() and name == name.lower() for name in names)


@each_rule_set
def test_a_lesson_begins_with_the_learner_to_move(rule_set: str) -> None:
    for attempt in attempts(rule_set):
        play, lesson = attempt.play, attempt.lesson
        assert play.position.rules.name == rule_set.partition("/")[2], lesson.name
        assert play.outcome is None and not play.position.turn_open, lesson.name
        assert not lesson.goal(Reached(play.start, play.start, (), None)), lesson.name


@each_rule_set
def test_the_solution_of_a_lesson_solves_it_in_as_many_turns(rule_set: str) -> None:
    for attempt in attempts(rule_set):
        lesson = attempt.lesson
        assert len(lesson.solution) == lesson.turns, lesson.name
        for index, line in enumerate(lesson.solution):
            assert attempt.state is AttemptState.OPEN, lesson.name
            assert attempt.turns_left == lesson.turns - index
            attempt.enter(line)
        assert attempt.state is AttemptState.SOLVED, lesson.name


@each_rule_set
def test_a_solution_can_be_given_action_by_action(rule_set: str) -> None:
    for attempt in attempts(rule_set):
        lesson = attempt.lesson
        assert lesson.hints, lesson.name
        for line in lesson.solution:
            for action in attempt.play.interpret(line).actions:
                assert attempt.state is AttemptState.OPEN, lesson.name
                attempt.act(action)
        assert attempt.state is AttemptState.SOLVED, lesson.name


@each_rule_set
def test_wrong_tries_are_not_accepted(rule_set: str) -> None:
    for attempt in attempts(rule_set):
        assert attempt.lesson.wrong
        before = attempt.play.position
        for line in attempt.lesson.wrong:
            attempt.restart()
            try:
                attempt.enter(line)
            except IllegalError as error:
                assert str(error)
                assert attempt.state is AttemptState.OPEN
                assert attempt.play.position == before
            else:
                assert attempt.state is not AttemptState.SOLVED, (attempt.lesson.name, line)
                assert attempt.play.turns, f"{line} is no whole turn"


@each_rule_set
def test_not_every_turn_reaches_the_goal_at_once(rule_set: str) -> None:
    for attempt in attempts(rule_set):
        room, start = attempt.room, attempt.play.position
        for turn in islice(room.rules.legal_turns(start, attempt.play.history), TRIED):
            attempt.restart()
            for action in turn if room.rules.end is None else (*turn, room.rules.end):
                attempt.act(action)
            if attempt.state is not AttemptState.SOLVED:
                break
        else:
            pytest.fail(f"every turn that was tried reaches the goal of {attempt.lesson.name}")


def state_of(attempt: Attempt) -> AttemptState:
    return attempt.state


def test_an_attempt_that_missed_can_be_begun_anew() -> None:
    attempt = begun("arimaa/official", "push")
    attempt.enter("d4w end")
    assert state_of(attempt) is AttemptState.MISSED
    with pytest.raises(IllegalError, match="begin anew"):
        attempt.enter("c4e")
    attempt.undo()
    assert state_of(attempt) is AttemptState.OPEN
    attempt.enter("d5n")
    attempt.undo()
    assert not attempt.play.open_actions
    with pytest.raises(IllegalError, match="no action to take back"):
        attempt.undo()
    attempt.enter("d5n d4n end")
    assert state_of(attempt) is AttemptState.SOLVED


def test_the_other_side_answers_as_it_was_written() -> None:
    attempt = begun("corridor/quoridor", "race")
    attempt.enter("c8")
    assert [str(action) for turn in attempt.answered for action in turn.actions] == ["f3"]
    assert attempt.play.mover == 0
    attempt.enter("c9")
    assert attempt.state is AttemptState.SOLVED
    assert attempt.answered == []


def test_an_answer_that_is_not_possible_any_more_ends_the_attempt() -> None:
    attempt = begun("corridor/quoridor", "race")
    attempt.enter("f3h")
    assert attempt.state is AttemptState.MISSED


def test_nobody_plays_for_the_other_side() -> None:
    attempt = begun("corridor/quoridor", "race")
    with pytest.raises(IllegalError, match="one turn at a time"):
        attempt.enter("c8 f3")
    assert attempt.play.turns == []


def test_hints_come_one_after_the_other() -> None:
    attempt = begun("tzaar/open", "stack")
    given = [str(attempt.hint()) for _ in range(3)]
    assert given == [str(attempt.lesson.hints[0]), *attempt.lesson.solution * 2]
    attempt.restart()
    assert attempt.hints_given == 2


def test_what_cannot_be_read_changes_nothing() -> None:
    attempt = begun("tzaar/open", "stack")
    with pytest.raises(TrineError):
        attempt.enter("nonsense")
    assert attempt.state is AttemptState.OPEN
