from pathlib import Path

import pytest

from playing import ARIMAA, DUEL, Script, plain_screen, shown
from terminals import end, spawn
from trine.cli.terminal.questions import GameWishes, ask_terms
from trine.core.clock import parse_time_control
from trine.core.errors import TrineError
from trine.games import open_room
from trine.play.record.agreed_terms import Terms


def asked(
    *answers: str, language: str = "en", wishes: GameWishes | None = None
) -> tuple[Terms, str, list[str]]:
    """The terms that answers give, what was said, and the questions."""
    screen, script = plain_screen(language), Script(*answers)
    agreed = ask_terms(screen, script, wishes or GameWishes())
    return agreed, shown(screen), script.prompts


def ready(prompts: list[str]) -> list[str]:
    """The answers that stand ready in brackets."""
    return [prompt.partition("[")[2].removesuffix("]: ") for prompt in prompts]


def test_enter_takes_what_stands_in_brackets() -> None:
    agreed, said, prompts = asked(*[""] * 4)
    assert (agreed.room.name, agreed.rules) == ("arimaa", "official")
    assert agreed.names == ("Gold", "bot:2")
    assert (agreed.clock, agreed.takebacks, agreed.draws) == (None, True, True)
    assert "Enter" in said
    assert ready(prompts) == ["arimaa", "official", "2", "yes"]


def test_the_second_question_tells_in_what_rule_sets_differ() -> None:
    _, told, _ = asked("arimaa", "", "people", "")
    assert "ejection: like official, but rabbits can be pushed off the board" in told
    assert "document" not in told.partition("trapper")[0]
    assert "trapper: the Russian document: hold the traps" in told


def test_answers_are_taken_as_they_are() -> None:
    names = ("Anna the Cat", "Bért")
    agreed, _, _ = asked("arimaa", "diagonal", "people", "no", "gold:M", *names, "5+3", "YES")
    assert (agreed.rules, agreed.names) == ("diagonal", names)
    assert agreed.start_tags == {"Handicap": "gold:camel"}
    assert agreed.clock == parse_time_control("5+3")
    assert agreed.takebacks


def test_an_answer_that_cannot_be_read_is_asked_for_again() -> None:
    answers = ("go", "", "chess", "", "11", "bot:nobody", "2", "no", "gold:cow", "", "x", "s", "")
    agreed, said, prompts = asked(*answers, "fast", "None", "perhaps", "y")
    assert (agreed.rules, agreed.clock, agreed.takebacks) == ("official", None, True)
    for wrong in ("go", "chess", "11", "nobody", "gold:cow", "x", "fast", "perhaps"):
        assert f"'{wrong}'" in said
    assert len(prompts) == 17
    assert agreed.names == ("bot:2", "Silver")


def test_a_name_in_place_of_a_level_is_told_how_to_play_people() -> None:
    agreed, said, _ = asked("arimaa", "", "Anna", "people", "no", "", "Anna", "", "", "")
    assert "no level 'anna'; the levels are 1 to 10; people is for people" in said
    assert agreed.names == ("Anna", "Silver")


def test_questions_end_with_their_input() -> None:
    with pytest.raises(EOFError):
        asked("arimaa", "classic", "Anna")


def test_questions_are_asked_in_the_language_of_the_screen() -> None:
    _, said, prompts = asked("", "classic", "", "no", *[""] * 6, language="fr")
    _, english, english_prompts = asked("", "classic", "", "no", *[""] * 6)
    assert said != english
    assert all(french != other for french, other in zip(prompts, english_prompts, strict=True))


def test_what_was_given_is_not_asked_for() -> None:
    clock = parse_time_control("5+3")
    given = GameWishes(ARIMAA, "classic", names={"Gold": "Anna"}, clock=clock, takebacks=True)
    agreed, _, prompts = asked("people", "", "", "Bert", wishes=given)
    assert len(prompts) == 4
    names = {"Gold": "Anna", "Silver": "Bert"}
    assert agreed == Terms.agree(ARIMAA, "classic", names=names, clock=clock, takebacks=True)


@pytest.mark.parametrize(
    ("language", "typed"), [("ru", "золотые:верблюд"), ("fr", "or:chameau"), ("en", "gold:camel")]
)
def test_a_handicap_is_asked_for_in_each_language(language: str, typed: str) -> None:
    answers = ("arimaa", "official", "", "no", typed, *[""] * 4)
    agreed, _, prompts = asked(*answers, language=language)
    assert agreed.start_tags == {"Handicap": "gold:camel"}
    assert typed in prompts[4]


def test_a_given_position_keeps_its_rules() -> None:
    agreed, _, prompts = asked("", "no", *[""] * 4, wishes=GameWishes(ARIMAA, position=DUEL))
    assert (agreed.rules, len(prompts)) == ("official", 6)
    assert agreed.start == ARIMAA.rules.parse_position(DUEL, "")


def test_a_game_asks_for_its_own_options() -> None:
    agreed, _, prompts = asked("corridor", "great-wall", "people", "no", "3", "5", *[""] * 6)
    assert ready(prompts)[2:9] == ["2", "yes", "2", "9", "usual", "South", "West"]
    options = {"Players": "3", "Size": "5"}
    assert agreed.start == open_room("corridor").rules.start("great-wall", options)


def test_only_what_there_is_to_choose_is_asked_for() -> None:
    _, _, prompts = asked("corridor", "corridor", "people", "no", *[""] * 7)
    assert ready(prompts)[2:8] == ["2", "yes", "2", "9", "usual", "South"]


def test_an_option_that_the_rules_refuse_is_asked_for_again() -> None:
    agreed, said, _ = asked("corridor", "quoridor", "", "no", "5", "4", *[""] * 6)
    assert "5" in said
    assert len(agreed.names) == 4


def test_chance_decides_before_the_game_and_stands_in_its_tags() -> None:
    agreed, _, _ = asked("tzaar", "", "", "")
    again = Terms.agree(agreed.room, agreed.rules, agreed.start_tags)
    assert agreed.start_tags["Setup"] == "random"
    assert again.start == agreed.start


def test_a_clock_that_the_game_cannot_be_played_with_is_asked_for_again() -> None:
    agreed, said, _ = asked("tzaar", "", "", "no", "fixed", "", "", "1/5/100/5/2", "5+3", "")
    assert "TZAAR" in said
    assert agreed.clock == parse_time_control("5+3")


def test_who_does_not_sit_at_the_board_has_no_name() -> None:
    with pytest.raises(TrineError, match="west"):
        asked("corridor", "quoridor", wishes=GameWishes(names={"West": "Anna"}))


def test_the_side_against_the_computer_is_chosen() -> None:
    agreed, _, _ = asked("arimaa", "", "7", "no", "", "silver", "Anna", "", "")
    assert agreed.names == ("bot:7", "Anna")
    agreed, _, _ = asked("corridor", "", "bot:1", "no", "4", "", "", "north", "Anna", "", "")
    assert agreed.names == ("bot:1", "bot:1", "Anna", "bot:1")


def test_a_program_can_be_played_against() -> None:
    agreed, _, _ = asked("arimaa", "", "engine:./Mine --fast", "")
    assert agreed.names == ("Gold", "engine:./Mine --fast")


@pytest.mark.parametrize(
    ("names", "answers", "ready_answers", "agreed_names"),
    [
        ({"Gold": "bot:3"}, [], ["yes", "none", "Silver", "none", "yes"], ("bot:3", "Silver")),
        ({"Silver": "Anna"}, ["2"], ["2", "yes", "none", "none", "yes"], ("bot:2", "Anna")),
    ],
    ids=["a computer player", "a person"],
)
def test_who_is_named_is_not_asked_for(
    names: dict[str, str],
    answers: list[str],
    ready_answers: list[str],
    agreed_names: tuple[str, ...],
) -> None:
    given = GameWishes(ARIMAA, "official", names=names)
    agreed, _, prompts = asked(*answers, "no", *[""] * 4, wishes=given)
    assert agreed.names == agreed_names
    assert ready(prompts) == ready_answers


@pytest.mark.parametrize("leaving", ["\x04", "quit\r"])
def test_leaving_at_the_first_question_is_no_error(leaving: str, tmp_path: Path) -> None:
    asked = spawn(tmp_path, "play")
    asked.expect(r"\[arimaa\]")
    asked.send(leaving)
    words, code = end(asked)
    assert code == 0
    assert "could begin" not in words
