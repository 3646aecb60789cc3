import gettext
import io
import re
import string
from collections.abc import Iterator

import polib
import pytest

from trine.core.errors import IllegalError, TrineError
from trine.core.text.language import CATALOGUES, LANGUAGES, Language, language_of, open_language
from trine.core.text.sentence import Text, ctext, join, ntext, number, text, verbatim

OTHERS = [code for code in LANGUAGES if code != "en"]


def made_up() -> Language:
    """A language with a plural for two, in which cats are not what they are."""
    catalogue = polib.POFile()
    catalogue.metadata = {
        "Content-Type": "text/plain; charset=utf-8",
        "Plural-Forms": "nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);",
    }
    catalogue.append(polib.POEntry(msgid="the {piece} of {side}", msgstr="{side}: {piece}"))
    catalogue.append(polib.POEntry(msgid="cat", msgctxt="piece", msgstr="Katze"))
    catalogue.append(polib.POEntry(msgid="cat", msgstr="Raupenfahrzeug"))
    steps = polib.POEntry(msgid="{count} step", msgid_plural="{count} steps")
    steps.msgstr_plural = {0: "{count} eins", 1: "{count} zwei", 2: "{count} viele"}
    catalogue.append(steps)
    return Language("xx", gettext.GNUTranslations(io.BytesIO(catalogue.to_binary())))


def test_nested_texts_are_translated_with_their_contexts() -> None:
    sentence = text("the {piece} of {side}", piece=ctext("piece", "cat"), side=verbatim("cat"))
    assert made_up().say(sentence) == "cat: Katze"
    assert made_up().say(text("cat")) == "Raupenfahrzeug"


def test_plurals_follow_the_language() -> None:
    said = [made_up().say(ntext("{count} step", "{count} steps", count)) for count in (1, 2, 5)]
    assert said == ["1 eins", "2 zwei", "5 viele"]


def test_what_has_no_translation_is_said_in_english() -> None:
    assert made_up().say(join([text("dog"), text("cat")])) == "dog, Raupenfahrzeug"
    assert made_up().say("as it is {here}") == "as it is {here}"


def test_an_error_is_said_with_its_place() -> None:
    error = IllegalError(text("cat")).at("game.txt", 3, 4)
    assert made_up().say(error) == "game.txt:3:4: Raupenfahrzeug"
    assert str(error) == "game.txt:3:4: cat"


def test_a_language_that_is_not_spoken_is_an_error() -> None:
    with pytest.raises(TrineError, match="'xx'"):
        open_language("xx")


@pytest.mark.parametrize("code", OTHERS)
def test_pieces_have_names_of_their_own_in_every_language(code: str) -> None:
    assert open_language(code).say(ctext("piece", "rabbit")) != "rabbit"


def blanks(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("code", OTHERS)
def test_no_translation_has_a_blank_that_its_template_does_not_fill(code: str) -> None:
    catalogue = polib.pofile(str(CATALOGUES / f"{code}.po"))
    assert len(catalogue) > 100
    for entry in catalogue:
        for said in (entry.msgstr, *entry.msgstr_plural.values()):
            if said and "{" in entry.msgid:
                assert blanks(said) <= blanks(entry.msgid) | blanks(entry.msgid_plural), said


def sentences(code: str) -> Iterator[str]:
    for entry in polib.pofile(str(CATALOGUES / f"{code}.po")):
        yield from filter(None, (entry.msgstr, *entry.msgstr_plural.values()))


def test_french_has_a_no_break_space_before_high_signs_in_every_line() -> None:
    high = re.compile(r"(.?)([:;?!»])(?=[\s.,)]|$)")
    found = [(said, before) for said in sentences("fr") for before, _ in high.findall(said)]
    assert len(found) > 500
    # Behind a bracket the sign itself is spoken of: (; begins a file.
    assert [said for said, before in found if before not in "\N{NO-BREAK SPACE}("] == []
    assert [said for said in sentences("fr") if re.search(r"«(?!\N{NO-BREAK SPACE})", said)] == []


def test_french_has_one_kind_of_apostrophe() -> None:
    assert [said for said in sentences("fr") if "\N{RIGHT SINGLE QUOTATION MARK}" in said] == []


def test_no_line_of_russian_begins_with_a_dash() -> None:
    dashes = [said for said in sentences("ru") if "—" in said]
    assert len(dashes) > 100
    assert [said for said in dashes if re.search(r"[^\N{NO-BREAK SPACE}]—", said)] == []


WORDS = {
    "draw": {"fr": r"\bnulles?\b", "hu": "döntetlen", "ru": "нич(ь|е)"},
    "square": {"fr": r"\bcases?\b", "hu": "mező", "ru": r"\bпол(е|я|ю|ей|ях|ями?)\b"},
    "wall": {"fr": "barrière", "hu": r"\bfal", "ru": "преград|стен"},
    "pawn": {"fr": r"\bpions?\b", "hu": "bábu", "ru": "фиш[ке]"},
    "stack": {"fr": r"\bpiles?\b|empil", "hu": "torn?y|torony", "ru": "столбик"},
    "rabbit": {"fr": "lapin", "hu": "ny[uú]l", "ru": "кролик"},
    "frozen": {"fr": "gel[ée]", "hu": "bén(ult|ít)", "ru": "замор[оа][жз]"},
}
"""The words of the games in each language: one word for one thing, however it is bent."""


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("word", WORDS)
def test_a_word_of_the_games_is_said_alike_everywhere(word: str, code: str) -> None:
    named = re.compile(rf"(?<![-:{{])\b{word}s?\b")
    catalogue = polib.pofile(str(CATALOGUES / f"{code}.po"))
    holding = [entry for entry in catalogue if named.search(entry.msgid)]
    assert len(holding) > 4
    others = [
        said
        for entry in holding
        for said in filter(None, (entry.msgstr, *entry.msgstr_plural.values()))
        if not re.search(WORDS[word][code], said, re.IGNORECASE)
    ]
    assert others == []


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("save as takes the name of a file", "save as"),
        ("only a draw can be offered: offer draw", "offer draw"),
        ("the game is paused and no time passes; type continue to go on", "continue"),
    ],
)
def test_a_sentence_names_a_word_as_it_is_typed_in_the_language(
    sentence: str, words: str, code: str
) -> None:
    catalogue = polib.pofile(str(CATALOGUES / f"{code}.po"))
    (said,) = (entry.msgstr for entry in catalogue if entry.msgid == sentence)
    for word in words.split():
        typed = catalogue.find(word, msgctxt="typed")
        assert typed
        assert set(typed.msgstr.split()) & set(re.findall(r"\w+", said))


OTHER_WORDS = {
    "fr": r"\b[Mm]urs?\b|demi-tour\b",
    "hu": r"szócikk|dokumentum|gyógymód|\ba [a-h] vonal",
    "ru": r"столкн|перетаск|[Зз]олото (выигр|ходит|може)|[Сс]еребро (выигр|ходит|може)|\bкон(я|ю)\b",
}
"""Words of each language for which the documents have others."""


@pytest.mark.parametrize("code", OTHERS)
def test_no_other_word_stands_for_one_of_the_documents(code: str) -> None:
    assert [said for said in sentences(code) if re.search(OTHER_WORDS[code], said)] == []


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": ""}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "POSIX", "LANGUAGE": "fr"}, "en"),
        ({"LANG": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "hu"}, "hu"),
        ({"LANG": "ru.KOI8-R"}, "ru"),
        ({"LANG": "FR_fr@euro"}, "fr"),
        ({"LANG": "xx_XX"}, "en"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "ru_RU"}, "ru"),
        ({"LANG": "fr_FR", "LC_MESSAGES": "ru_RU", "LC_ALL": "hu_HU"}, "hu"),
        ({"LANG": "fr_FR", "LC_ALL": "C"}, "en"),
        ({"LANG": "fr_FR", "LANGUAGE": "xx:hu:ru"}, "hu"),
        ({"LANG": "fr_FR", "LANGUAGE": "en:hu"}, "en"),
        ({"LANG": "\0\ufffd"}, "en"),
    ],
)
def test_the_environment_chooses_as_gettext_reads_it(
    environment: dict[str, str], code: str
) -> None:
    assert language_of(environment) == code


def test_texts_do_not_change_when_they_are_said() -> None:
    sentence = Text("{count} step", {"count": 2}, plural="{count} steps")
    made_up().say(sentence)
    assert str(sentence) == "2 steps"


@pytest.mark.parametrize("code", OTHERS)
def test_decimals_are_marked_as_the_language_does_it(code: str) -> None:
    assert open_language(code).say(number(1234.56, 1)) == "1\u202f234,6"
    assert open_language(code).say(number("0.25")) == "0,25"
    assert open_language("en").say(number(1234.56, 1)) == "1,234.6"


@pytest.mark.parametrize("code", OTHERS)
def test_thousands_are_parted_as_the_language_does_it(code: str) -> None:
    counts = {"positions": number(1_234_567), "games": number(999)}
    said = open_language(code).say(text("{positions} positions of {games} games", **counts))
    assert "1\u202f234\u202f567" in said
    assert "999" in said
    assert open_language("en").say(number(1_234_567)) == "1,234,567"
    played = "{count} game has been played already", "{count} games have been played already"
    many = ntext(*played, 21_001)
    assert "21\u202f001" in open_language(code).say(many)
