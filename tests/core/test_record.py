import io
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playing import SHORT, records_in
from trine.core.contract.record import (
    OPEN,
    Record,
    WrittenTurn,
    format_comment,
    format_record,
    format_tag,
    parse_tag,
    parse_written_turn,
    read_records,
)
from trine.core.errors import MalformedError
from trine.core.text.sentence import Word

NAMES = st.from_regex("[A-Za-z][A-Za-z0-9_-]{0,30}", fullmatch=True).filter(lambda n: n != "Game")
WORDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n{}"), min_size=1
)
ODD = st.text() | st.sampled_from(
    ['"', "\\", '\\"', "a\\", "] [x", "{}", "#", "\ufeff", "a\nb", "\t"]
)
TURNS = st.builds(
    WrittenTurn,
    st.integers(0, 999_999),
    st.sampled_from("gswbax"),
    st.lists(st.builds(Word, WORDS), max_size=5),
    st.lists(ODD, max_size=3),
)
RECORDS = st.builds(
    Record,
    st.dictionaries(NAMES, ODD, max_size=6).map(lambda tags: {"Game": "arimaa", **tags}),
    st.lists(TURNS, max_size=5),
)


def plain(record: Record, *, written: bool = False) -> object:
    """A record without its places; ``written``: as white space and braces come out on paper."""

    def value(words: str) -> str:
        return " ".join(words.split()) if written else words

    def comment(words: str) -> str:
        return value(words).replace("{", "(").replace("}", ")") if written else words

    turns = [
        (turn.tag, [word.text for word in turn.words], [comment(note) for note in turn.comments])
        for turn in record.turns
    ]
    return {tag: value(words) for tag, words in record.tags.items()}, turns


@given(RECORDS)
def test_a_record_round_trips_through_its_text(record: Record) -> None:
    (read,) = records_in(format_record(record))
    assert plain(read) == plain(record, written=True)
    assert format_record(read) == format_record(record)


@given(st.lists(RECORDS, min_size=1, max_size=3))
def test_many_records_in_one_file_stay_apart(records: list[Record]) -> None:
    read = records_in("\n".join(format_record(record) for record in records))
    assert [plain(record) for record in read] == [plain(r, written=True) for r in records]


@given(RECORDS)
def test_a_record_round_trips_with_dos_line_breaks(record: Record) -> None:
    (read,) = records_in(format_record(record).replace("\n", "\r\n"))
    assert plain(read) == plain(record, written=True)
    assert all(turn.closed for turn in read.turns)


@given(st.text(st.sampled_from('[]Game"\\ x12gs{}#\r\n\t\0é')))
def test_any_text_is_read_or_refused_at_a_line(words: str) -> None:
    for record in records_in(words):
        if record.error:
            assert record.error.place.file == "game.txt"
            assert record.line <= record.error.place.line <= words.count("\n") + 1
        else:
            (again,) = records_in(format_record(record))
            assert plain(again) == plain(record, written=True)


@given(NAMES, ODD)
def test_a_tag_is_one_line(name: str, value: str) -> None:
    line = format_tag(name, value)
    assert line.splitlines() == [line]
    assert parse_tag(line) == (name, " ".join(value.split()))


@given(ODD)
def test_a_comment_is_one_line_and_one_comment(words: str) -> None:
    comment = format_comment(words)
    assert comment.splitlines() == [comment]
    assert comment.count("{") == comment.count("}") == 1
    assert len(parse_written_turn(f"2g {comment} x").comments) == 1


def test_closing_tags_come_last_and_the_others_first() -> None:
    record = Record({"Result": "Gold", "Game": "arimaa", "Reason": "goal", "Gold": "Anna"})
    record.turns = [WrittenTurn(2, "g", [Word("Ra7n")])]
    assert format_record(record) == (
        '[Game "arimaa"]\n[Gold "Anna"]\n\n2g Ra7n\n[Result "Gold"]\n[Reason "goal"]\n'
    )


def test_a_line_of_comments_belongs_to_the_turn_before_it_or_to_the_first() -> None:
    lines = ['[Game "arimaa"]\n', "{before} {all}\n", "1g Ra1 {x}\n", " {after}\n", "1s ra8\n"]
    lines += ['[Game "arimaa"]\n', "1g Ra1\n"]
    records = read_records(lines)
    assert [[turn.comments for turn in record.turns] for record in records] == [
        [["before", "all", "x", "after"], []],
        [[]],
    ]


def test_a_record_without_turns_keeps_its_comments() -> None:
    lines = ['[Game "arimaa"]\n', "{agreed at the club} {not yet begun}\n"]
    (record,) = read_records(lines)
    (again,) = read_records(format_record(record).splitlines(keepends=True))
    assert again.comments == record.comments == ["agreed at the club", "not yet begun"]


def test_words_of_a_turn_know_their_columns_behind_comments_too() -> None:
    turn = parse_written_turn("  12g Ra2n {a b} Rb2n\t{c} undo", "game.txt", 7)
    assert (turn.number, turn.letter, turn.line, turn.closed) == (12, "g", 7, True)
    assert turn.words == [Word("Ra2n", 7), Word("Rb2n", 18), Word("undo", 27)]
    assert turn.comments == ["a b", "c"]


def test_a_last_line_without_its_line_break_is_a_turn_still_open() -> None:
    (record,) = records_in('[Game "arimaa"]\n\n2g Ra2n \n2s ra7s ')
    assert [turn.closed for turn in record.turns] == [True, False]


def test_a_turn_still_open_stays_open_when_it_is_written_again() -> None:
    (record,) = records_in('[Game "arimaa"]\n\n2g Ra2n {hm} ')
    written = format_record(record)
    assert written.endswith(f"\n2g Ra2n {{hm}} {OPEN}\n")
    (again,) = records_in(written)
    assert not again.turns[0].closed
    assert plain(again) == plain(record)
    assert format_record(again) == written


def test_lines_are_counted_with_empty_ones_and_notes() -> None:
    (record,) = records_in('# a note\n\n[Game "arimaa"]\n \t\n# 2g Ra2n\n2g Ra2n\n')
    assert record.tag_lines == {"Game": 3}
    assert [turn.line for turn in record.turns] == [6]


def test_where_each_record_of_a_file_begins_is_known() -> None:
    first, second = records_in(SHORT + SHORT)
    assert (first.line, second.line) == (1, 1 + SHORT.count("\n"))
    assert (first.file, second.file) == ("game.txt", "game.txt")


def test_a_file_without_records_has_none() -> None:
    assert records_in("# nothing\n\n\r\n") == []


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ("hello", "game.txt:3:1"),
        ("2", "game.txt:3:1"),
        ("2gs Ra2n", "game.txt:3:1"),
        ("12345678g Ra2n", "game.txt:3:1"),
        ("[Gold]", "game.txt:3:1"),
        ('[Gold "Anna]', "game.txt:3:1"),
        ('[Gold "Anna"] x', "game.txt:3:1"),
        ('[1 "Anna"]', "game.txt:3:1"),
        ("2g Ra2n {open", "game.txt:3:9"),
        ("2g Ra2n close} Rb2n", "game.txt:3:9"),
        ("2g {a{b}} Ra2n", "game.txt:3:4"),
        ('[Game "arimaa"]\n[Gold "A"]\n[Gold "B"]', "game.txt:5"),
    ],
)
def test_a_line_that_is_nothing_is_named(line: str, place: str) -> None:
    record = records_in(f'[Game "arimaa"]\n\n{line}\n')[-1]
    assert isinstance(record.error, MalformedError)
    assert str(record.error.place) == place


def test_a_line_that_is_nothing_spoils_its_own_record_only() -> None:
    first, second, third = records_in(SHORT + "hello\n3g Ee4n\n" + SHORT + "[Gold]\n" + SHORT)
    assert first.error
    assert first.error.place.line == 1 + SHORT.count("\n")
    assert second.error
    assert third.error is None
    assert len(first.turns) == len(third.turns) == 4


def test_a_long_line_is_shortened_where_it_is_named() -> None:
    for line in ("x" * 10_000, "[" + "x" * 10_000):
        (record,) = records_in(line)
        assert record.error
        assert len(str(record.error)) < 200


def test_records_are_read_one_at_a_time() -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for _ in range(10_000):
            for line in io.StringIO(SHORT):
                taken += 1
                yield line

    records = read_records(lines())
    for number in range(1, 4):
        next(records)
        assert taken == number * SHORT.count("\n") + 1
