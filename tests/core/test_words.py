from hypothesis import given
from hypothesis import strategies as st

from trine.core.text.sentence import Word, split_words


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
