"""All formats: what is written is read again, what others write is read, and nothing is taken for
something else without a word."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

import trine
from shared_data import SHARED, shared_file
from trine.core.contract.notation import Format
from trine.core.contract.record import Record
from trine.core.errors import FileError, TrineError
from trine.core.play import Play
from trine.games import ROOMS, open_room
from trine.play.record import formats
from trine.play.record.replay import record_of, replay

CASES = sorted((Path(__file__).parent / "cases").glob("*-*.txt"))
DOCS = Path(__file__).parents[3] / "docs" / "guides"
FORMATS = pytest.mark.parametrize(
    "form", formats.known_formats().values(), ids=lambda form: form.name
)
WRITTEN = pytest.mark.parametrize(
    "form", formats.writable_formats().values(), ids=lambda form: form.name
)


def random_game(game: str, seed: int) -> Record:
    rng, play = Random(seed), trine.new_play(game)
    while not play.outcome and len(play.turns) < 4 + seed % 20:
        play.act_unchecked(rng.choice(play.legal_actions()))
    return record_of(play)


def written(form: Format, record: Record) -> list[str]:
    form.check(record)
    return "".join(form.write([record])).splitlines(keepends=True)


def turns_of(play: Play) -> list[object]:
    return [turn.actions for turn in play.turns]


# --- what is written is read ---------------------------------------------------------------------


@WRITTEN
def test_what_a_format_writes_it_reads_again(form: Format) -> None:
    for seed in range(12):
        game = random_game(form.game or Random(seed).choice(ROOMS), seed)
        try:
            lines = written(form, game)
        except FileError:
            continue  # it has no word for a thing of this game
        (read,) = form.read(lines, "")
        assert turns_of(replay(read)) == turns_of(replay(game))


@WRITTEN
def test_no_text_of_a_format_is_taken_for_another_game_without_a_word(form: Format) -> None:
    for seed in range(6):
        game = random_game(form.game or Random(seed).choice(ROOMS), seed)
        try:
            lines = written(form, game)
        except FileError:
            continue
        read = next(formats.detect_format(lines)[1])
        if turns_of(replay(read)) != turns_of(replay(game)):
            assert form.name in str(read.remarks[0])
            assert form.name in read.readings[1:]


# --- several readings ----------------------------------------------------------------------------

NO_WALL = "e2 e8 e3 e7\n"
OPEN = "e2 e8 e3 e7 e3h\n"
"""Legal in two dialects, each time another game."""
ONE_ONLY = "e2 e8 e3 e7 e4 e6 e5 e5h e7\n"
"""Legal with walls named from above, where the jump is free."""


@pytest.mark.parametrize(
    ("games", "form", "readings"),
    [
        ([NO_WALL], "bga", ()),
        ([NO_WALL, OPEN], "bga", ("bga", "oqf")),
        ([NO_WALL, ONE_ONLY], "oqf", ()),
        ([OPEN, NO_WALL, ONE_ONLY], "oqf", ()),
        ([OPEN, "e2 e8 e9\n"], "bga", ("bga", "oqf")),
        ([NO_WALL] * formats.MAX_COMPARED_GAMES + [ONE_ONLY], "bga", ()),
    ],
    ids=["no wall", "second open", "second tells", "third tells", "second at fault", "too late"],
)
def test_the_games_behind_the_first_help_to_tell_a_format(
    games: list[str], form: str, readings: tuple[str, ...]
) -> None:
    found, records = formats.detect_format(games)
    assert (found.name, next(records).readings) == (form, readings)


def test_what_has_several_readings_is_not_learnt_from(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text(OPEN, encoding="utf-8")
    with pytest.raises(TrineError, match="another legal game as oqf"):
        list(formats.read_unambiguous(path))
    path.write_text(OPEN + ONE_ONLY, encoding="utf-8")
    assert len(list(formats.read_unambiguous(path))) == 2


# --- what others write ---------------------------------------------------------------------------


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_others_write_is_read_in_the_format_that_the_name_of_the_file_says(path: Path) -> None:
    form, records = formats.read_file(path)
    assert form.name == path.stem.partition("-")[0]
    (record,) = records
    assert replay(record).turns or "Start" in record.tags


def test_there_are_cases_of_others() -> None:
    assert len(CASES) >= 18


def last_position(words: str) -> str:
    _, records = formats.detect_format(words.splitlines(keepends=True))
    (record,) = records
    play = replay(record)
    return f"{play.turn_tag} {play.room.rules.format_position(play.position)}"


def position(words: str) -> str:
    for name in ROOMS:
        room = open_room(name)
        try:
            return str(room.rules.format_position(room.rules.parse_position(words, "")))
        except TrineError:
            continue
    raise AssertionError(words)


def setup(words: str) -> str:
    armies = (
        "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Ch2\n"
        "1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 hb7 dc7 md7 ee7 df7 hg7 ch7\n"
    )
    return last_position(armies + words)


STANDARD_ENDS = "5s quoridor 9 2 e4,e6 e3h,f6h 9,9 1"
SHOWN: dict[str, tuple[Callable[[str], str], str, str]] = {
    "18": (last_position, r"(1w.*)", "3g 3g 8/8/8/8/3r4/8/3R4/C7"),
    "20": (position, r"(2g \S+)", "2g 5r2/2c2r2/3E2rr/8/rrr5/RM6/7D/3R3R"),
    "22": (last_position, r"(3w.*?)(?=expected)", "3s 3s r7/3E4/8/8/4e3/8/8/R7"),
    "23": (position, r"(P = 1.*)(?=expected)", "2g 8/8/8/8/R2r4/8/8/8"),
    "26": (setup, r"(2w.*)(?=expected)", "2s 2s rrrrrrrr/chdmedhc/8/8/3E4/8/CHD1MDHC/RRRRRRRR"),
    "27": (
        last_position,
        r"(Ra1.*)(?=expected)",
        "2s 2s rrrrrrrr/chdmedhc/8/3E4/8/8/CHD1MDHC/RRRRRRRR",
    ),
    "30": (last_position, r"(e2.*?)\n", "8s quoridor 9 2 e4,e6 - 10,10 1 free"),
    "46": (position, r"(D4\S+ \S+)", "quoridor 9 2 e4,e6 a2v,d4h,f4h 9,8 2"),
    "48": (last_position, r"(\[Event.*)(?=expected)", STANDARD_ENDS),
    "51": (last_position, r"(1\. .*?)\n", "5n quoridor 9 2 e7,e6 e4h 10,9 2"),
    "52": (last_position, r"(N .*?)\n", "4s quoridor 9 2 e3,e7 d3h,e6v 9,9 1"),
    "53": (last_position, r"(\(;.*?)\n", "2n quoridor 9 2 e2,e8 e3h 9,10 2"),
    "54": (last_position, r"(\{.*?)\n", STANDARD_ENDS),
    "55": (position, r"(quoridor .*?)\n", "quoridor 9 3 e1,a5,e9 - 7,7,6 1"),
    "70": (position, "", "2g rrr1rrrr/hdcemcdh/3r4/8/4E3/8/HDCM1CDH/RRRRRRRR"),
    "72a": (last_position, "", "9g 9g rrr2rrr/rdhcchdr/8/3e4/4E3/8/RDHCCHDR/RRR2RRR"),
    "72b": (last_position, "", "9g 9g rrr2rrr/rdhcchdr/8/3e4/4E3/8/RDHCCHDR/RRR2RRR"),
    "72c": (last_position, "", "10g 10g rrr2rrr/1dhcchd1/8/r2e3r/2E5/2HC4/RD2CHDR/RRR2RRR"),
    "75": (last_position, "", "2s 2s rrrrrrrr/chdmedhc/8/8/8/3E4/CHD1MDHC/RRRRRRRR"),
    "87": (position, "", "quoridor 9 2 e2,e8 d7v 9,10 2"),
    "89": (last_position, "", "2n quoridor 9 2 e2,e8 e2h 9,10 2"),
    "96": (
        position,
        "",
        "official Ttttt/TYyyyT/TYZzzYT/TYZTtZYT/tyzt*TZYT/tyzTtzyt/tyZZzyt/tYYYyt/TTTTt "
        "white first",
    ),
    "98": (
        last_position,
        "",
        "2w official ttttT/TyyyYT/TYzzZYT/TY.ZTZYT/TtZT*tzyt/.yztTzyt/t2yzZZyt/.yYYYt/tTTTT "
        "white 1",
    ),
}
"""By the number of a case: how it is read, the part of its text that is given, if it is not the
whole, and what it must be."""
ELSEWHERE = {"02", "28", "45", "49", "60", "63", "66"}
"""Cases with a test of their own, or left: boards that are not square, and lists of stacks without a
statement of their axes."""


def given(number: str, part: str) -> str:
    text = shared_file(SHARED / "cases" / f"{number}.txt").read_text(encoding="utf-8")
    if not part:
        return text
    body = text[text.index("input") :]
    found = re.search(part, body, re.DOTALL)
    assert found
    words = found.group(1)
    end = words.find("\nexpected")
    return words[:end] if end >= 0 else words


@pytest.mark.parametrize("number", SHOWN)
def test_a_case_of_others_is_read_as_its_source_says(number: str) -> None:
    read, part, expected = SHOWN[number]
    assert read(given(number, part).strip("\n") + "\n") == expected


def test_every_case_is_told_of() -> None:
    folder = shared_file(SHARED / "cases")
    assert {path.stem for path in folder.glob("*.txt")} == {*SHOWN} | ELSEWHERE


def test_the_same_words_in_another_dress_are_one_game() -> None:
    for words in given("49", "input: (.*?)\n").split("|")[:2]:
        assert last_position(words.strip() + "\n").partition(" ")[0] in ("5s", "3s")
    assert (
        last_position("\n".join(["e2", "e8", "e3", "e7", "e4", "e6", "e3h", "f6h"]))
        == STANDARD_ENDS
    )


@pytest.mark.parametrize(
    "words",
    [
        "1\te2\te8\n2\te3\te7\n3\te4\te6\n4\te3h\tf6h\n",
        "1 e2 e8 2 e3 e7 3 e4 e6 4 e3h f6h",
        "1. e2 e8; 2. e3 e7; 3. e4 e6; 4. e3h f6h",
        "1.\u00a0e2\u00a0e8\u00a02.\u00a0e3\u00a0e7\u00a03.\u00a0e4\u00a0e6 4. e3h f6h",
        "1. e2 e8<br>2. e3 … e7<br>3. e4 e6<br>4. e3h f6h",
        "1. e2 e8 (1... d9 2. e3 (2. d2)) 2. e3 e7 3. e4 e6 4. e3h f6h",
        "GAME e2 e8 e3 e7 e4 e6 e3h f6h\n",
        "position startpos moves e2 e8 e3 e7 e4 e6 e3h f6h",
        "White: e2\nBlack: e8\nWhite: e3\nBlack: e7\nP1: e4\nP2: e6\nWhite: e3 h\nBlack: f6-h\n",
        "- e2\n- e8\n- e3\n- e7\n- e4\n- e6\n- e3h\n- f6h\n",
        "['e2', 'e8', 'e3', 'e7', 'e4', 'e6', 'e3h', 'f6h']",
        '{"game": {"id": 3, "moves": "e2 e8 e3 e7 e4 e6 e3h f6h"}}',
        '{"moves": [{"move": "e2"}, {"move": "e8"}, {"move": "e3"}, ["e7", "e4", "e6", "e3h", "f6h"]]}',
    ],
)
def test_a_list_is_read_as_it_is_pasted(words: str) -> None:
    assert last_position(words) == STANDARD_ENDS


@pytest.mark.parametrize(
    ("words", "winner"),
    [
        ("e2 e8 e3 e7\nRESULT W\n", "South"),
        ("1. e2 e8 2. e3 e7 White resigns", "North"),
        ("1. e2 e8 2. e3 e7 black wins", "North"),
    ],
)
def test_a_result_in_words_is_read(words: str, winner: str) -> None:
    (record,) = formats.detect_format(words.splitlines(keepends=True))[1]
    assert record.tags["Result"] == winner


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Ef5 Rd1 ec8", "2g 2e5/8/8/5E2/8/8/8/3R4"),
        ("Gold: Db1 Ra2 Ca5; Silver: da1 ra3; silver to move", "2s 8/8/8/C7/8/r7/R7/dD6"),
        ("5s Ef5, Rd1, ec8", "5s 2e5/8/8/5E2/8/8/8/3R4"),
        ("setposition s [r" + 62 * " " + "R]", "2s r7/8/8/8/8/8/8/7R"),
        ("8 r . . . . . . . 8\n" + 7 * "7 . . . . . . . R\n", "2g r7/7R/7R/7R/7R/7R/7R/7R"),
        ("|r . . . . . . .|\n" + 7 * "|. . . . . . . R|\n", "2g r7/7R/7R/7R/7R/7R/7R/7R"),
    ],
)
def test_a_position_of_arimaa_is_read_as_it_is_posted(words: str, expected: str) -> None:
    assert position(words) == expected


def test_a_list_of_pieces_of_one_side_is_a_setup_and_no_position() -> None:
    for words in ("Ra1 Rb1 Rc1", "Ef5 ef5", "1g Ra1 Rb1"):
        with pytest.raises(TrineError):
            open_room("arimaa").rules.parse_position(words, "")


@pytest.mark.parametrize("tags", [("1g:", "1s:"), ("1w.", "1b.")])
def test_tags_of_turns_can_have_a_sign_behind_them(tags: tuple[str, str]) -> None:
    armies = (
        " ".join(f"{kind}{square}" for kind, square in zip(side, squares, strict=True))
        for side, squares in (
            (("R" * 8 + "CCDDHHME"), _squares("12")),
            (("r" * 8 + "ccddhhme"), _squares("87")),
        )
    )
    lines = [f"{tag} {army}\n" for tag, army in zip(tags, armies, strict=True)]
    (record,) = formats.detect_format(lines)[1]
    assert len(replay(record).turns) == 2


def test_a_line_of_steps_is_named_by_its_ends() -> None:
    ends = "2s 2s rrrrrrrr/chdmedhc/8/3E4/4M3/8/CHD2DHC/RRRRRRRR"
    assert setup("2w Ed2d5 Me2e3\n") == ends.replace("8/3E4/4M3/8", "8/3E4/8/4M3")
    for words in ("2w Ed2e4\n", "2w Ed2d7\n"):
        with pytest.raises(TrineError):
            setup(words)


def _squares(ranks: str) -> list[str]:
    return [f"{file}{rank}" for rank in ranks for file in "abcdefgh"]


def test_a_list_without_marks_of_removal_is_legal_with_a_remark() -> None:
    (record,) = formats.detect_format(["2g 8/8/3h4/3E4/7r/8/8/R7\n", "2g hd6w Ed5n\n"])[1]
    play = replay(record)
    assert play.room.rules.format_position(play.position) == "2s 8/8/3E4/8/7r/8/8/R7"
    assert "not in strict notation" in str(record.remarks[0])
    assert [word.text for word in record.turns[0].words] == ["hd6w", "hc6x", "Ed5n"]


def test_a_position_within_a_turn_begins_a_play() -> None:
    open_turn = (
        "official T../....../......./......../....*..../......../......./....../..... white 2"
    )
    board = "TYZ../....../...T3.../......../....*..../......../......./....../tyz.."
    play = trine.new_play("tzaar", position=open_turn.replace(open_turn.split()[1], board))
    assert play.position.turn_open


def test_codes_of_quoridorfansite_are_positions_and_words_are_no_codes() -> None:
    assert position("j7EUwGwOwCQ") == "quoridor 9 2 e4,e6 d3h,e6h 9,9 1"
    assert position("j8MAHIXNwBw") == "quoridor 9 2 e4,e8 c7h,e4v 10,8 1"
    for word in ("j7EUwGwOwC", "j7EUwGwOwCR", "quoridor", "immobilization", "nothing"):
        with pytest.raises(TrineError):
            open_room("corridor").rules.parse_position(word, "")


@pytest.mark.parametrize(
    ("word", "form", "walls"), [("j8lvi856yqj", "oqf", "d4h,f5v"), ("QGBAST7A", "pbem", "d3h,e6v")]
)
def test_a_game_packed_into_one_word_is_read(word: str, form: str, walls: str) -> None:
    assert formats.detect_format([word])[0].name == form
    assert last_position(word) == f"4s quoridor 9 2 e3,e7 {walls} 9,9 1"
    for other in (word[:-1], word[1:], word[::-1], "quoridor", "immobilization"):
        with pytest.raises(TrineError):
            formats.detect_format([other])


def test_a_code_of_quoridorfansite_has_one_direction_for_a_jump() -> None:
    """The code and the list in the tests of a program that writes both."""
    code, turns = (
        "QrDMjUj0qyrWZvIAk2kYgGZk4sqvQECgKp8MEkBmZg",
        "e2,e2v,f2h,e8,h2h,e7,d6h,f7,f6h,e7,d2,d7,c7v,d8,d3,d3h,c3,b3h,a2h,d9,b3,c9,a3,c8,c5v,c2v,"
        "h6h,c7,a4,c6,a5,a5h,b5,b6h,a7v,b1v,c5,c4,c6,b4,b6,a4,a6",
    )
    assert last_position(code) == last_position(turns)


def test_a_random_start_of_boardspace_is_read_with_the_board_added() -> None:
    board = trine.new_play("tzaar", setup="random", seed=3)
    words = board.room.rules.format_position(board.position)
    head = "(; GM[Tzaar] SU[tzaar-random 12345]"
    with pytest.raises(TrineError, match="add the board as START"):
        replay(next(formats.named_format("boardspace").read([f"{head};)\n"], "")))
    (record,) = formats.named_format("boardspace").read([f"{head} START[{words}];)\n"], "")
    assert replay(record).position == board.position


# --- the table -----------------------------------------------------------------------------------


def test_the_documentation_has_the_table_of_the_formats() -> None:
    rows = [("format", "game", "who writes it", "example", "walls and ranks"), ("---",) * 5]
    for form in formats.known_formats().values():
        if form is not formats.OURS:
            example = f"`{form.example}`".replace("\t", " ⇥ ")
            begins = str(form.begins or form.title)
            rows.append((f"`{form.name}`", form.game, form.whose, example, begins))
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    assert table in (DOCS / "records.md").read_text(encoding="utf-8")


@FORMATS
def test_a_format_is_told_of_with_an_example_that_is_in_it(form: Format) -> None:
    if form is formats.OURS or "…" in form.example:
        return
    assert form.whose
    assert form.recognises(form.example) or form.of_positions
