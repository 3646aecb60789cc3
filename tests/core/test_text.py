from hypothesis import given
from hypothesis import strategies as st

from trine.core.text.sentence import (
    UNTRANSLATED,
    Text,
    Word,
    ctext,
    join,
    ntext,
    number,
    split_words,
    text,
    verbatim,
)


def shouting(sentence: Text) -> str:
    """A language in which everything but the blanks is said loudly."""
    return "".join(part if "{" in part else part.upper() for part in sentence.template.split("|"))


def test_nested_texts_are_said_in_the_same_language() -> None:
    inner = text("cat")
    assert text("|the |{piece}", piece=inner).render(shouting) == "THE CAT"
    assert str(text("the {piece}", piece=inner)) == "the cat"


@given(st.text())
def test_what_fills_a_blank_is_never_read_as_a_template(words: str) -> None:
    assert str(text("<{given}>", given=words)) == f"<{words}>"
    assert str(verbatim(words)) == words
    assert str(text("{outer}", outer=text("{given}", given=words))) == words


@given(st.lists(st.text(), max_size=12), st.sampled_from([", ", " ", "; "]))
def test_joined_texts_stand_in_their_order(parts: list[str], separator: str) -> None:
    joined = join([verbatim(part) for part in parts], separator)
    assert str(joined) == separator.join(parts)
    assert joined.context == UNTRANSLATED


def test_a_template_without_values_may_hold_braces() -> None:
    assert str(text("a brace { alone")) == "a brace { alone"


def test_english_has_one_plural() -> None:
    said = [str(ntext("{count} step", "{count} steps", count)) for count in (0, 1, 2, 5)]
    assert said == ["0 steps", "1 step", "2 steps", "5 steps"]


def test_a_context_is_not_said() -> None:
    assert str(ctext("piece", "cat")) == "cat"


def test_texts_are_values() -> None:
    assert text("{a}", a=1) == text("{a}", a=1) != text("{a}", a=2)
    assert len({text("cat"), text("cat"), ctext("piece", "cat")}) == 2


def test_numbers_have_as_many_decimals_as_asked_for() -> None:
    assert str(number(1234.5678, 2)) == "1,234.57"
    assert str(number(0.04, 1, signed=True)) == "+0.0"
    assert str(number(-7, signed=True)) == "-7"
    assert str(number("0.0457")) == "0.0457"


def test_numbers_are_parted_in_thousands_and_so_are_counts() -> None:
    told = [str(number(value)) for value in (0, 999, -1000, 1234567)]
    assert told == ["0", "999", "-1,000", "1,234,567"]
    assert str(ntext("{count} step", "{count} steps", 12_000)) == "12,000 steps"


@given(st.text(), st.integers(1, 50))
def test_each_word_stands_where_it_says(line: str, column: int) -> None:
    for word in split_words(line, column):
        start = word.column - column
        assert line[start : start + len(word.text)] == word.text
        assert word.text
        assert not {" ", "\t"} & set(word.text)


@given(st.text())
def test_nothing_but_spaces_and_tabs_gets_lost(line: str) -> None:
    joined = "".join(word.text for word in split_words(line))
    assert joined == line.replace(" ", "").replace("\t", "")


def test_only_spaces_and_tabs_part_words() -> None:
    assert [word.text for word in split_words("a\u00a0b\x0bc\td")] == ["a\u00a0b\x0bc", "d"]
    assert split_words(" \t ") == []


def test_a_word_reads_as_its_text() -> None:
    assert str(Word("Ra2n", 4)) == "Ra2n"
