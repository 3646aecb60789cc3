"""People type in their own words and letters."""

from pathlib import Path

import pytest

from playing import run_trine
from trine.core.text.language import LANGUAGES, open_language
from trine.games import ROOMS, open_room
from trine.terminal.spoken import WORDS, read_line, said
from trine.terminal.vocabulary import COMMANDS, END


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_word_has_its_own_in_each_language(code: str) -> None:
    language = open_language(code)
    own = [typed for word in WORDS for typed in language.say(word).split()]
    assert len(set(own)) == len(own)
    for word in WORDS:
        assert read_line(word.template, language) == word.template
        for typed in language.say(word).split():
            assert read_line(typed, language) == read_line(typed.upper(), language) == word.template


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_words_of_the_games_stay_what_they_are(code: str) -> None:
    """A word of a language must not take the place of an answer to a question before a game."""
    language = open_language(code)
    answers = [
        value
        for room in map(open_room, ROOMS)
        for rules in room.rule_sets
        for option in room.options
        for value, _ in option.choices(rules) or ()
    ]
    named = [name for room in map(open_room, ROOMS) for name in (room.name, *room.rule_sets)]
    assert {"placement", "random", "quoridor"} <= {*answers, *named}
    for word in (*answers, *named):
        assert read_line(word, language) == word


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_help_shows_can_be_typed(code: str) -> None:
    language = open_language(code)
    for command in (END, *COMMANDS):
        read = read_line(said(command.usage, language), language)
        assert read.split()[0] == command.usage.split()[0]


def test_letters_that_look_alike_are_places_and_names_of_files_stay() -> None:
    russian = open_language("ru")
    assert read_line("е9", russian) == "e9"
    assert read_line("\uff45\uff19", russian) == "e9"  # full width
    assert read_line("сохранить как е9 2", russian) == "save as е9 2"
    assert read_line("сохранить е9", russian) == "save е9"


def test_a_game_is_played_in_hungarian(tmp_path: Path) -> None:
    setting = "felállítás véletlen\nvége\n"
    lines = f"{setting}{setting}miért a2x\nfelad\n"
    done = run_trine(tmp_path, "play", "--document", "hu-arimaa", "--log", "game.txt", lines=lines)
    assert "erre gondoltál" not in done.stdout + done.stderr
    assert "[Result" in (tmp_path / "game.txt").read_text(encoding="utf-8")


def test_a_cyrillic_letter_in_a_place_is_read_and_told(tmp_path: Path) -> None:
    lines = "@е1\n@е9\nе2\n"  # all three letters are Cyrillic
    done = run_trine(
        tmp_path, "play", "--document", "ru-corridor", "--log", "game.txt", lines=lines
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "прочитано как e2" in done.stdout
    assert "1s @e1" in (tmp_path / "game.txt").read_text(encoding="utf-8")
