"""People type in their own words and letters."""

import re
import shlex
from pathlib import Path

import polib
import pytest

from playing import run_trine
from tables import cases, parts, typed_lines
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


@cases(
    "arguments | typed | code | said | unsaid | record",
    """
a word is quoted as it was typed | play --document ru-arimaa | почему слон; quit | 0 | 'слон' | elephant |
a rabbit on its goal wins by Enter | play --lang hu arimaa/diagonal --position diagram | a7n a6n; b7n; | 0 | és nyersz ; Arany nyert | |
a turn that loses is not said to win | play --lang en arimaa/ejection --position '2g r6r/8/8/8/8/3D4/2cr4/R6R' | d2s d3s a1e h1w; quit | 0 | Enter ends the turn; undo takes back | |
a piece is placed by its name | play --document ru-tzaar | цаар c3; кролик c4; quit | 1 | 'кролик' | | Zc3
a line is played up to the end of the game | play corridor --position 'corridor 5 2 c4,a4 - 5,5 1' | c5 a3 | 0 | the game is over; not played: a3 ; South wins | |
games are asked for in Russian | --lang ru play | цаар;открытый;счётчик;нет;выставление;чёрные;;без;да;выход | 0 | открытый: ; выставление | | [Rules "open"] ; [White "bot:counter"] ; [Setup "placement"]
misspelt answers | --lang hu play | follyosó;folyosó;nagyfal;nagy-fal;útkeresö;útkereső | 2 | erre gondoltál: folyosó? ; erre gondoltál: nagy-fal? ; erre gondoltál: útkereső? | |
a misspelt setup | --lang hu play arimaa | felállítás nyulak-hatul;felállítás nyulak-hátul | 1 | erre gondoltál: felállítás nyulak-hátul? | |
a known command is not proposed | --lang hu play tzaar --setup fixed | próba xyz | 1 | mit lehet beírni | erre gondoltál |
part of a command is completed | --lang hu play corridor | ajánl dontetlen | 1 | erre gondoltál: ajánl döntetlen? | |
a name is no word of a conversation | --lang hu play | folyosó;folyosó;emberek;nem;;;;Teve;Vége;nincs;igen | 0 | | | [South "Teve"] ; [North "Vége"]
a game is played in Hungarian | play --document hu-arimaa | felállítás véletlen;vége;felállítás véletlen;vége;miért a2x;felad | 0 | | erre gondoltál | [Result
Cyrillic letters in places are read and told | play --document ru-corridor | @е1;@е9;е2 | 0 | прочитано как e2 | | 1s @e1
an answer where nothing was asked | play --document hu-arimaa | igen | 1 | 'igen' | 'yes' |
""",
)
def test_people_type_in_their_own_words(
    arguments: str, typed: str, code: str, said: str, unsaid: str, record: str, path: Path
) -> None:
    arguments = f"{arguments} --log {path.name}"
    line, status = shlex.split(arguments), int(code)
    done = run_trine(path.parent, *line, lines=typed_lines(typed), status=status)
    answer = done.stdout + done.stderr
    assert code != "0" or done.stderr == ""
    assert [words for words in parts(said) if words not in answer] == []
    assert not unsaid or unsaid not in answer
    assert not record or all(words in path.read_text(encoding="utf-8") for words in parts(record))


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_what_stands_for_something_to_be_typed_is_in_the_language(code: str) -> None:
    assert "FILE" not in usage_in("save as FILE", open_language(code))
    assert "WORD" not in usage_in("help [WORD]", open_language(code))


def test_hungarian_offers_a_draw_in_the_accusative_and_asks_for_its_turns() -> None:
    hungarian = open_language("hu")
    assert read_line("ajánl döntetlent", hungarian) == "offer draw"
    assert read_line("körök", hungarian) == read_line("fordulók", hungarian) == "turns"
