from dataclasses import replace

import pytest

from playing import ARIMAA, DUEL, Script, plain_screen, shown
from trine.core.clock import parse_time_control
from trine.record.live import Terms
from trine.terminal.questions import ask_terms

DEFAULTS = Terms(ARIMAA, "official", ("Gold", "Silver"))
"""What nobody has said anything about."""


def asked(
    *answers: str, language: str = "en", given: Terms | None = None
) -> tuple[Terms, str, list[str]]:
    """The terms that answers give, what was said, and the questions."""
    screen, script = plain_screen(language), Script(*answers)
    given = given or DEFAULTS
    agreed = ask_terms(screen, script, given, rules_given=given.rules != DEFAULTS.rules)
    return agreed, shown(screen), script.prompts


def test_enter_takes_what_stands_in_brackets() -> None:
    agreed, said, prompts = asked(*[""] * 5)
    assert (agreed.room.name, agreed.rules, agreed.names) == (
        "arimaa",
        "official",
        ("Gold", "Silver"),
    )
    assert (agreed.clock, agreed.takebacks, agreed.draws) == (None, False, True)
    assert "Enter" in said
    assert [prompt.partition("[")[2] for prompt in prompts] == [
        "official]: ",
        "Gold]: ",
        "Silver]: ",
        "none]: ",
        "no]: ",
    ]


def test_answers_are_taken_as_they_are() -> None:
    agreed, _, _ = asked("diagonal", "Anna the Cat", "Bért", "5+3", "YES")
    assert (agreed.rules, agreed.names) == ("diagonal", ("Anna the Cat", "Bért"))
    assert agreed.clock == parse_time_control("5+3")
    assert agreed.takebacks


def test_an_answer_that_cannot_be_read_is_asked_for_again() -> None:
    agreed, said, prompts = asked("chess", "", "", "", "fast", "None", "perhaps", "y")
    assert (agreed.rules, agreed.clock, agreed.takebacks) == ("official", None, True)
    for complaint in ("'chess'", "'fast'", "'perhaps'"):
        assert complaint in said
    assert len(prompts) == 8


def test_questions_end_with_their_input() -> None:
    with pytest.raises(EOFError):
        asked("classic", "Anna")


def test_questions_are_asked_in_the_language_of_the_screen() -> None:
    _, said, prompts = asked(*[""] * 5, language="fr")
    _, english, english_prompts = asked(*[""] * 5)
    assert said != english
    assert all(french != other for french, other in zip(prompts, english_prompts, strict=True))


def test_what_was_given_is_not_asked_for() -> None:
    clock = parse_time_control("5+3")
    given = Terms(ARIMAA, "classic", ("Anna", "Silver"), clock, draws=False, takebacks=True)
    agreed, _, prompts = asked("Bert", given=given)
    assert len(prompts) == 1
    assert agreed == replace(given, names=("Anna", "Bert"))


def test_a_given_position_keeps_its_rules() -> None:
    agreed, _, prompts = asked(*[""] * 4, given=replace(DEFAULTS, start=DUEL))
    assert (agreed.start, agreed.rules, len(prompts)) == (DUEL, "official", 4)
