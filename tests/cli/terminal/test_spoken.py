"""People type in their own words and letters."""

import re
from pathlib import Path

import polib
import pytest

from playing import run_trine
from trine.cli.terminal.vocabulary import COMMANDS, END, every_word, read_line, usage_in
from trine.core.text.language import CATALOGUES, LANGUAGES, open_language
from trine.games import ROOMS, open_room


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_word_has_its_own_in_each_language(code: str) -> None:
    language = open_language(code)
    own = [typed for word in every_word() for typed in language.spellings(word)]
    assert len(set(own)) == len(own) >= 50
    for word in every_word():
        assert read_line(word.template, language) == word.template
        for typed in language.spellings(word):
            assert read_line(typed, language) == read_line(typed.upper(), language) == word.template


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_words_of_the_games_stay_what_they_are(code: str) -> None:
    """A word of a language must not take the place of an answer to a question before a game."""
    language = open_language(code)
    answers = [
        value
        for room in map(open_room, ROOMS)
        for rules in room.rule_sets
        for option in room.rules.options
        for value, _ in option.choices(rules) or ()
    ]
    named = [name for room in map(open_room, ROOMS) for name in (room.name, *room.rule_sets)]
    assert {"placement", "random", "quoridor"} <= {*answers, *named}
    for word in (*answers, *named):
        assert read_line(word, language) == word


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_a_sentence_names_a_word_as_it_is_typed(code: str) -> None:
    words = r"(?<![-\w/{])(help|hint|undo|resign|takeback|people|why|try|decline)(?![\w}/-])"
    for entry in polib.pofile(str(CATALOGUES / f"{code}.po")):
        assert not re.search(words, entry.msgstr), entry.msgstr


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_help_shows_can_be_typed(code: str) -> None:
    language = open_language(code)
    for command in (END, *COMMANDS):
        read = read_line(usage_in(command.usage, language), language)
        assert read.split()[0] == command.usage.split()[0]


def test_letters_that_look_alike_are_places_and_names_of_files_stay() -> None:
    russian = open_language("ru")
    assert read_line("е9", russian) == "e9"
    assert read_line("\uff45\uff19", russian) == "e9"  # full width
    assert read_line("сохранить как е9 2", russian) == "save as е9 2"
    assert read_line("сохранить е9", russian) == "save е9"


def test_phrases_of_a_language_are_read() -> None:
    french, russian = open_language("fr"), open_language("ru")
    assert read_line("proposer la nulle", french) == "offer draw"
    assert read_line("предложить ничью", russian) == "offer draw"
    assert read_line("золотые:верблюд,кошка", russian) == "gold:camel,cat"


def test_what_was_typed_is_what_is_quoted(tmp_path: Path) -> None:
    lines = "почему слон\nquit\n"
    told = run_trine(tmp_path, "play", "--document", "ru-arimaa", lines=lines)
    assert "'слон'" in told.stdout + told.stderr
    assert "elephant" not in told.stdout + told.stderr


def test_a_rabbit_on_its_goal_is_told_that_enter_wins(tmp_path: Path) -> None:
    lines = "a7n a6n\nb7n\n\n"
    start = ("arimaa/diagonal", "--position", "diagram")
    told = run_trine(tmp_path, "play", "--lang", "hu", *start, lines=lines).stdout
    assert "és nyersz" in told
    assert "Arany nyert" in told


def test_a_turn_that_loses_is_not_said_to_win(tmp_path: Path) -> None:
    start = ("arimaa/ejection", "--position", "2g r6r/8/8/8/8/3D4/2cr4/R6R")
    told = run_trine(
        tmp_path, "play", "--lang", "en", *start, lines="d2s d3s a1e h1w\nquit\n"
    ).stdout
    assert "Enter ends the turn; undo takes back" in told


def test_a_piece_is_placed_by_its_name(tmp_path: Path) -> None:
    lines = "цаар c3\nкролик c4\nquit\n"
    told = run_trine(tmp_path, "play", "--document", "ru-tzaar", "--log", "game.txt", lines=lines)
    assert "'кролик'" in told.stdout + told.stderr
    assert "Zc3" in (tmp_path / "game.txt").read_text(encoding="utf-8")


def test_a_line_is_played_up_to_the_end_of_the_game(tmp_path: Path) -> None:
    start = ("--position", "corridor 5 2 c4,a4 - 5,5 1")
    told = run_trine(tmp_path, "play", "corridor", *start, "--log", "game.txt", lines="c5 a3\n")
    assert "the game is over; not played: a3" in told.stdout
    assert "South wins" in told.stdout


def test_the_games_can_be_asked_for_in_russian(tmp_path: Path) -> None:
    lines = "цаар\nоткрытый\nсчётчик\nнет\nвыставление\nчёрные\n\nбез\nда\nвыход\n"
    done = run_trine(tmp_path, "--lang", "ru", "play", "--log", "game.txt", lines=lines)
    assert (done.returncode, done.stderr) == (0, "")
    record = (tmp_path / "game.txt").read_text(encoding="utf-8")
    for tag in ('[Rules "open"]', '[White "bot:counter"]', '[Setup "placement"]'):
        assert tag in record
    assert "открытый:" in done.stdout
    assert "выставление" in done.stdout


def test_a_misspelt_word_is_answered_with_the_one_that_was_meant(tmp_path: Path) -> None:
    lines = "follyosó\nfolyosó\nnagyfal\nnagy-fal\nútkeresö\nútkereső\n"
    done = run_trine(tmp_path, "--lang", "hu", "play", lines=lines)
    for word in ("folyosó", "nagy-fal", "útkereső"):
        assert f"erre gondoltál: {word}?" in done.stdout + done.stderr
    played = run_trine(
        *(tmp_path, "--lang", "hu", "play", "arimaa", "--log", "game.txt"),
        lines="felállítás nyulak-hatul\nfelállítás nyulak-hátul\n",
    )
    assert "erre gondoltál: felállítás nyulak-hátul?" in played.stdout + played.stderr


def test_a_name_is_no_word_of_a_conversation(tmp_path: Path) -> None:
    lines = "folyosó\nfolyosó\nemberek\nnem\n\n\n\nTeve\nVége\n"
    run_trine(tmp_path, "--lang", "hu", "play", "--log", "game.txt", lines=lines + "nincs\nigen\n")
    record = (tmp_path / "game.txt").read_text(encoding="utf-8")
    assert '[South "Teve"]' in record
    assert '[North "Vége"]' in record


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


def test_an_answer_where_nothing_was_asked_is_told_as_it_was_typed(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "play", "--document", "hu-arimaa", lines="igen\n")
    assert "'igen'" in done.stdout + done.stderr
    assert "'yes'" not in done.stdout + done.stderr


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_what_stands_for_something_to_be_typed_is_in_the_language(code: str) -> None:
    assert "FILE" not in usage_in("save as FILE", open_language(code))
    assert "WORD" not in usage_in("help [WORD]", open_language(code))


def test_hungarian_offers_a_draw_in_the_accusative_and_asks_for_its_turns() -> None:
    hungarian = open_language("hu")
    assert read_line("ajánl döntetlent", hungarian) == "offer draw"
    assert read_line("körök", hungarian) == read_line("fordulók", hungarian) == "turns"
