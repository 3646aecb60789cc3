"""Records of other programs: lists of actions in several dialects, and tables of them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_data import SHARED, shared_file
from trine.core.contract.record import Record, WrittenTurn
from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.text.sentence import Word
from trine.games.corridor.board import SEATS_OF
from trine.games.corridor.formats import FORMATS
from trine.games.corridor.position import Position
from trine.games.corridor.rules import RULE_SETS, Wall
from trine.play.record import formats
from trine.play.record.replay import replay

TWO = "e2 e8 e3 e7 e4 e6 e3h f6h"
FOUR = "e2 b5 e8 h5 e3h c5 d6v h6"
SHORT = "e2 d2v c2h e2h f2 e8 g2 g2h f1v e7 h2 h4h"


def read(form: str, *lines: str) -> list[Record]:
    return list(FORMATS[form].read([f"{line}\n" for line in lines], "games.txt"))


def write(form: str, *records: Record) -> str:
    for record in records:
        FORMATS[form].check(record)
    return "".join(FORMATS[form].write(records))


def words(record: Record) -> str:
    return " ".join(word.text for turn in record.turns for word in turn.words)


def tags_of_turns(record: Record) -> list[str]:
    return [turn.tag for turn in record.turns]


def detect_format(line: str) -> str | None:
    try:
        return formats.detect_format([f"{line}\n"])[0].name
    except TrineError:
        return None


def record_of(text: str, players: int = 2, **tags: str) -> Record:
    letters = [seat.letter for seat in SEATS_OF[players]]
    turns = [
        WrittenTurn(index // players + 1, letters[index % players], [Word(word)])
        for index, word in enumerate(text.split())
    ]
    many = {"Players": str(players)} if players > 2 else {}
    return Record({"Game": "corridor", "Rules": "quoridor", **many, **tags}, turns)


def random_words(seed: int, players: int, length: int = 60) -> str:
    dice = random.Random(seed)
    position = Position.first(RULE_SETS["quoridor"], 9, players)
    played: list[str] = []
    while len(played) < length and (actions := position.legal_actions()):
        walls = [action for action in actions if isinstance(action, Wall)]
        action = dice.choice(walls if walls and dice.random() < 0.3 else actions)
        played.append(str(action))
        position = position.play_unchecked(action)
    return " ".join(played)


@pytest.mark.parametrize(
    "lines",
    [
        (TWO,),
        ("1. e2 e8 2. e3 e7 3. e4 e6 4. e3h f6h",),
        ("1. e2 e8", "2. e3 e7", "3. e4 e6", "4. e3h f6h"),
        ("1.e2 e8 2.e3\te7", "3. e4 e6 4. e3h", "f6h"),
        ("# a remark", "1.  e2   e8", "# another", "2. e3 e7 3. e4 e6 4. e3h f6h"),
    ],
)
def test_the_same_game_numbered_or_bare_on_one_line_or_on_many(lines: tuple[str, ...]) -> None:
    (record,) = read("quoridor", *lines)
    assert record.error is None
    assert words(record) == TWO
    assert tags_of_turns(record) == ["1s", "1n", "2s", "2n", "3s", "3n", "4s", "4n"]
    assert record.tags == {"Game": "corridor", "Rules": "quoridor"}


def test_four_play_where_the_numbers_or_the_moves_say_so() -> None:
    numbered = "1. e2 b5 e8 h5 2. e3h c5 d6v h6"
    for line in (FOUR, numbered, "1. e2 b5 e8 h5"):
        (record,) = read("quoridor", line)
        assert record.error is None
        assert record.tags["Players"] == "4"
        assert tags_of_turns(record)[:5] == ["1s", "1w", "1n", "1e", "2s"][: len(record.turns)]


def test_a_bare_list_is_one_line_and_a_numbered_one_ends_where_the_next_begins() -> None:
    assert [words(record) for record in read("bga", "e2 e8", "e2 e8 e3")] == ["e2 e8", "e2 e8 e3"]
    several = read("quoridor", "1. e2 e8", "2. e3", "1. d1 e8", "", "f1 d9", "1. e2 1. e2 e8")
    assert [words(record) for record in several] == ["e2 e8 e3", "d1 e8", "f1 d9", "e2", "e2 e8"]
    assert [record.line for record in several] == [1, 3, 5, 6, 6]


@pytest.mark.parametrize(
    ("form", "line", "column", "message"),
    [
        ("bga", "e2 e8 zz e7", 7, "'zz' is no action"),
        ("bga", "e2 e8 e3.", 7, "'e3.'"),
        ("bga", "e2 e8 1. e3", 7, "expected no number"),
        ("quoridor", "1. e2 e8 3. e3 e7", 10, "expected 2."),
        ("quoridor", "1. e2 e8 2. e3 3. e4 e7", 10, "round 2. has 1 actions, but 2 play"),
        ("quoridor", "1. e2 e8 2. e3 e7 e4", 10, "round 2. has 3 actions"),
        ("barricade", "e2 e8 e3h", 7, "he2 vc4"),
        ("openspiel", "e8 e2 e9h", 7, "no wall can stand"),
        ("openspiel", "e8 e2 -", 7, "'-' is no action"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(
    form: str, line: str, column: int, message: str
) -> None:
    (record,) = read(form, line)
    assert isinstance(record.error, MalformedError)
    assert message in str(record.error)
    assert str(record.error.place) == f"games.txt:1:{column}"


def test_a_torn_list_spoils_no_other() -> None:
    records = read("bga", "e2 e8", "e2 x", "e2 e8 e3")
    assert [record.error is None for record in records] == [True, False, True]


def test_barricade_puts_the_direction_first() -> None:
    (record,) = read("barricade", "e2 e8 he2 vc4")
    assert words(record) == "e2 e8 e2h c4v"
    assert write("barricade", record) == "e2 e8 he2 vc4\n"


def test_openspiel_counts_ranks_from_the_north() -> None:
    """South starts on e9; its a4h lies below row 4, our a5h between ranks 5 and 6."""
    (record,) = read("openspiel", "e8 e2 a4h a4v e7 e3 h8h a1v")
    assert words(record) == "e2 e8 a5h a5v e3 e7 h1h a8v"
    assert write("openspiel", record) == "e8 e2 a4h a4v e7 e3 h8h a1v\n"


@given(
    st.integers(0, 10**6),
    st.sampled_from([2, 4]),
    st.sampled_from(sorted(name for name, form in FORMATS.items() if not form.of_positions)),
)
def test_every_format_gives_back_what_it_was_given(seed: int, players: int, form: str) -> None:
    game = random_words(seed, players)
    records = [record_of(game, players), record_of("e2", 2)]
    if form == "openspiel" and "-" in game.split():
        return
    text = write(form, *records)
    back = list(FORMATS[form].read(text.splitlines(keepends=True), ""))
    assert [words(record) for record in back] == [game, "e2"]
    assert back[0].tags.get("Players", "2") == str(players)
    assert [record.error for record in back] == [None, None]
    assert write(form, *back) == text


@pytest.mark.parametrize(
    ("line", "form"),
    [
        (TWO, "bga"),
        (FOUR, "bga"),
        ("e2 e8 zz", "bga"),
        ("d2v e8", "bga"),
        ("1. e2 e8", "quoridor"),
        ("1. e2 b5 e8 h5", "quoridor"),
        ("1.e2 e8 2. e3 zz", "quoridor"),
        ("e2 e8 he2", "barricade"),
        ("1. e2 vc4", "barricade"),
        ("e8 e2", "openspiel"),
        ("d2v e2 e8", "openspiel"),
        ("a game\t1\te2 e8", "quoridor-table"),
        ("e2\t?\te2 e8\n", "quoridor-table"),
        ("", None),
        ("1. ", None),
        ("d3xf5 a1+a2", "tzaar-list"),
        ("Hello there", None),
        ("9" * 10_000, None),
    ],
)
def test_formats_are_told_apart_by_a_first_line(line: str, form: str | None) -> None:
    assert detect_format(line) == form


def test_the_standard_notation_numbers_rounds() -> None:
    assert write("quoridor", record_of(FOUR, 4), record_of("e2 e8 e3")) == (
        "1. e2 b5 e8 h5\n2. e3h c5 d6v h6\n\n1. e2 e8\n2. e3\n"
    )


def test_what_was_taken_back_is_not_written() -> None:
    record = record_of("e2 e8")
    record.turns[0].words = [Word("d1"), Word("undo"), Word("e2")]
    record.turns += [
        WrittenTurn(2, "s", [Word("takeback")]),
        WrittenTurn(1, "n", [Word("d9")]),
        WrittenTurn(2, "s", [Word("resigns")]),
    ]
    assert write("bga", record) == "e2 d9\n"


@pytest.mark.parametrize(
    "record",
    [
        record_of("e2", Rules="corridor"),
        record_of("e2", Players="many"),
        record_of("e2", Start="quoridor 9 2 e2,e8 - 10,10 1"),
        record_of("e2 resigns e8 h5", 4),
        record_of("e2 b5 e8 lost", 4),
    ],
)
@pytest.mark.parametrize("form", sorted(FORMATS))
def test_what_a_format_cannot_hold_is_refused(form: str, record: Record) -> None:
    with pytest.raises(FileError):
        FORMATS[form].check(record)


def test_openspiel_has_no_word_for_a_pass_that_can_be_relied_on() -> None:
    with pytest.raises(FileError, match="a pass"):
        FORMATS["openspiel"].check(record_of("e2 - e3"))
    FORMATS["bga"].check(record_of("e2 - e3"))


def test_a_row_is_a_name_a_result_and_a_list() -> None:
    record, other = read("quoridor-table", "# games", f"first\t1\t{SHORT}", "\t?\te2 e8")
    assert words(record) == SHORT
    assert record.tags["Name"] == "first"
    assert (record.tags["Result"], record.tags["Reason"]) == ("South", "resignation")
    assert record.turns[1].words[0].column == 12
    assert "Result" not in other.tags
    assert "Name" not in other.tags
    assert write("quoridor-table", record, other) == f"first\t1\t{SHORT}\n2\t?\te2 e8\n"


def test_a_goal_on_the_board_needs_no_resignation() -> None:
    home = "e2 d9 e3 d8 e4 d7 e5 d6 e6 d5 e7 d4 e8 d3 e9"
    (record,) = read("quoridor-table", f"x\t1\t{home}")
    assert (record.tags["Result"], record.tags["Reason"]) == ("South", "goal")
    (bare,) = read("bga", home)
    assert write("quoridor-table", bare) == f"1\t1\t{home}\n"


def test_draws_in_a_table() -> None:
    shuffle = "e2 e8 e1 e9 e2 e8 e1 e9"
    (drawn,) = read("quoridor-table", f"x\t0\t{shuffle}")
    assert (drawn.tags["Result"], drawn.tags["Reason"]) == ("draw", "repetition")
    (agreed,) = read("quoridor-table", "x\t0\te2 e8")
    assert (agreed.tags["Result"], agreed.tags["Reason"]) == ("draw", "agreement")
    (bare,) = read("bga", shuffle)
    assert write("quoridor-table", bare) == f"1\t0\t{shuffle}\n"
    assert write("quoridor-table", agreed) == "x\t0\te2 e8\n"


@pytest.mark.parametrize(
    ("row", "column"),
    [("x\t1", 1), ("x\t9\te2", 1), ("x\t1\te2\te8", 1), ("x\t1\te2 zz", 8), ("x\t3\te2 e8", 0)],
)
def test_rows_that_are_none_are_named(row: str, column: int) -> None:
    records = read("quoridor-table", row, "y\t?\te2")
    assert isinstance(records[0].error, TrineError)
    assert (records[0].error.place.line, records[0].error.place.column) == (1, column)
    assert records[1].error is None


def test_the_games_of_others_are_legal_and_come_out_as_they_went_in() -> None:
    path = shared_file(SHARED / "data" / "corridor" / "quoridor-games.txt")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    rows = [line for line in lines if not line.startswith("#")]
    records = list(FORMATS["quoridor-table"].read(lines, path.name))
    assert len(records) == len(rows) > 1
    for record, row in zip(records, rows, strict=True):
        play = replay(record)
        result = row.split("\t")[1]
        assert (play.outcome is None) == (result == "?")
        if play.outcome:
            assert str((play.outcome.winner or 0) + 1) == result
    assert write("quoridor-table", *records) == "".join(rows)
