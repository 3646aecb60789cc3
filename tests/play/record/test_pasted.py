"""Boards, lists and JSON as people paste them, with blemishes; each kind, not only one example."""

import json
import re
from collections.abc import Iterator

import pytest

from trine.core.contract.record import Record, WrittenTurn
from trine.core.errors import FileError, TrineError
from trine.core.play import Play
from trine.core.text.sentence import Word
from trine.games import open_room
from trine.games.tzaar.board import POINT_NAMES
from trine.games.tzaar.starts import FIXED_START
from trine.play.record.formats import detect_format, named_format
from trine.play.record.replay import replay


def played(words: str) -> Play:
    (record,) = detect_format(words.splitlines(keepends=True))[1]
    return replay(record)


def after(words: str) -> str:
    play = played(words)
    return f"{play.turn_tag} {play.room.rules.format_position(play.position)}"


def parsed(game: str, words: str) -> str:
    rules = open_room(game).rules
    return str(rules.format_position(rules.parse_position(words, "")))


FRAMED = """9g
 +-----------------+
8| r r r     r r r |
7|                 |
6|     x     x     |
5|       e         |
4|         E       |
3|     x     x     |
2|                 |
1| R R R     R R R |
 +-----------------+
   a b c d e f g h
"""
BOARD = "9g rrr2rrr/8/8/3e4/4E3/8/8/RRR2RRR"
COMPACT = """P = 1, S = 0, T = 9g
 +--------+
8|rrr..rrr|
7|........|
6|..*..*..|
5|...e....|
4|....E...|
3|..*..*..|
2|........|
1|RRR..RRR|
 +--------+
  abcdefgh
"""
SQUARES = "".join(re.findall(r"\|(.*)\|", COMPACT))


@pytest.mark.parametrize(
    ("words", "tag"),
    [
        (COMPACT, "9g"),
        (COMPACT.replace("P = 1", "P = 0").replace("9g", "9s"), "9s"),
        (f"P = 1, S = 0\n{SQUARES}\n", "2g"),
        (f'"{SQUARES.replace("*", ".")}"\n', "2g"),
        (FRAMED.replace("9g", "1g"), "2g"),
        (FRAMED.replace("9g", "1w"), "2g"),
        # with a blemish
        (FRAMED, "9g"),
        (FRAMED.replace("e f g", "d f g"), "9g"),
        (FRAMED.replace("a b c d", "a c c b"), "9g"),
        (FRAMED + "Anna against Bob\n\n(round 3, a blitz)\n", "9g"),
        (FRAMED.replace("   a b c d e f g h\n", ""), "9g"),
    ],
)
def test_a_board_is_read_as_it_is_pasted(words: str, tag: str) -> None:
    assert after(words) == f"{tag} {tag} {BOARD.split()[1]}"


@pytest.mark.parametrize("mark", ["\\n", "%13", "%0d", "%0A"])
def test_turns_are_separated_as_in_messages_of_the_server(mark: str) -> None:
    turns = [
        "1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Cb2 Dc2 Dd2 He2 Hf2 Mg2 Eh2",
        "1b ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 cb7 dc7 dd7 he7 hf7 mg7 eh7",
        "2w Eh2n",
        "2b ",
    ]
    assert after(mark.join(turns) + "\n").startswith("2s ")


@pytest.mark.parametrize(
    "turns",
    [
        "Ee4w Ed4w\nra8s rh8s\n",
        "9g Ee4w Ed4w\n9s ra8s rh8s\n",
        "\nEe4w, Ed4w\n\nAnna thinks\nra8s rh8s\n",
        "Ee4w Ed4w\n9s ra8s rh8s\n",
    ],
)
def test_turns_below_a_board_need_no_numbers(turns: str) -> None:
    assert after(FRAMED + turns) == "10g 10g 1rr2rr1/r6r/8/3e4/2E5/8/8/RRR2RRR"


def test_a_line_that_is_neither_turn_nor_remark_is_named() -> None:
    (record,) = detect_format([*FRAMED.splitlines(keepends=True), "a title\n"])[1]
    assert "line 13 is no turn" in str(record.remarks[0])


LETTERS = "rrr rrrrhdcemcdh   r                E           HDCM CDHRRRRRRRR"


@pytest.mark.parametrize(
    "words",
    [
        f'g "{LETTERS}"',
        f'setposition g "{LETTERS}"',
        f'w "{LETTERS}"',
        f'2g  "{LETTERS.replace(" ", ".")}"',
        f"g [{LETTERS}]",
    ],
)
def test_64_letters_stand_in_brackets_or_in_quotes(words: str) -> None:
    assert parsed("arimaa", words) == "2g rrr1rrrr/hdcemcdh/3r4/8/4E3/8/HDCM1CDH/RRRRRRRR"


@pytest.mark.parametrize(
    ("game", "words"),
    [
        *(("arimaa", words) for words in (f'g "{LETTERS[1:]}"', f'g "{LETTERS}', f"g {LETTERS}")),
        # words with the letters of codes of quoridorfansite
        *(("corridor", word) for word in ("ground", "gambler", "hexagon", "hostility")),
        *(("corridor", word) for word in ("grandfather", "hsMBzAHMB", "hsMBzAHMBAA")),
    ],
)
def test_other_letters_are_no_position(game: str, words: str) -> None:
    with pytest.raises(TrineError):
        parsed(game, words)


BOTH = "2w official ttttT/TyyyYT/TYzzZYT/TY.ZTZYT/TtZT*tzyt/.yztTzyt/t2yzZZyt/.yYYYt/tTTTT white 1"


@pytest.mark.parametrize(
    ("words", "end"),
    [
        ("1w d3xd4\n1b f1xe2 h1+g1\n", BOTH),
        ("1w: d3xd4\n1b: f1xe2, h1+g1\n", BOTH),
        ("1w. d3-d4\n\n1b. f1-e2 h1-g1\n", BOTH),
        ("1w d3xd4 1b f1xe2 h1+g1\n", BOTH),
        ("d3xd4\nf1xe2 h1+g1\n", BOTH),
        ("d3xd4 f1xe2 h1+g1\n", BOTH),
        ("D3xD4 {the only one}\nF1xE2 H1+G1 # closed\n", BOTH),
        ("1. d3xd4\n2. f1xe2 h1+g1\n", BOTH),
        ("1. d3xd4 f1xe2 h1+g1\n", BOTH),
        ("Zc3\nta1\nTa2\n", "2b official tT..."),
        ("1w Zc3\n1b Ta1\n2w Ta2\n", "2b official tT..."),
        ("Zc3 Ta1 Ta2\n", "2b official tT..."),
    ],
)
def test_a_list_of_tzaar_needs_no_tags(words: str, end: str) -> None:
    assert detect_format(words.splitlines(keepends=True))[0].name == "tzaar-list"
    assert after(words).startswith(end)


def test_two_lists_of_tzaar_are_two_games() -> None:
    for words in ("1w d3xd4\n1w d3xd4\n1b f1xe2 -\n", "d3xd4\n\nd3xd4\nf1xe2 -\n"):
        records = list(detect_format(words.splitlines(keepends=True))[1])
        assert [len(replay(record).turns) for record in records] == [1, 2]


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("1w Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Hb2 Dc2 Ed2 Me2 Df2 Hg2 Ch2\n", "movelist"),
        ("1g Ee2 Ra1\n", "movelist"),
        ("1. e1-e2 e9-e8 2. e2-e3 e8-e7\n", "quoridor"),
        ("e1xf1\ne9xd9\n", "bga"),
    ],
)
def test_lists_of_others_are_not_taken_for_tzaar(words: str, form: str) -> None:
    assert detect_format(words.splitlines(keepends=True))[0].name == form


def test_a_list_that_is_legal_in_two_games_has_both_readings() -> None:
    (record,) = detect_format(["e1xf1\n"])[1]
    assert record.readings == ("bga", "tzaar-list")


START = "official Ttttt/TYyyyT/TYZzzYT/TYZTtZYT/tyzt*TZYT/tyzTtzyt/tyZZzyt/tYYYyt/TTTTt white first"
GRID = """w1 w1 w1 w1 b1 n  n  n  n
b1 w2 w2 w2 b2 b1 n  n  n
b1 b2 w3 w3 b3 b2 b1 n  n
b1 b2 b3 w1 b1 b3 b2 b1 n
b1 b2 b3 b1 n  w1 w3 w2 w1
n  w1 w2 w3 w1 b1 w3 w2 w1
n  n  w1 w2 w3 b3 b3 w2 w1
n  n  n  w1 w2 b2 b2 b2 w1
n  n  n  n  w1 b1 b1 b1 b1
"""
ROWS = GRID.splitlines()


@pytest.mark.parametrize(
    "words",
    [
        GRID,
        GRID.upper(),
        GRID.replace("n", "*"),
        GRID.replace(ROWS[4], ROWS[4].replace("n", "e")),
        "\n".join(", ".join(row.split()) for row in ROWS),
        "\n".join(f"{row} {number}" for number, row in enumerate(ROWS)) + "\n0 1 2 3 4 5 6 7 8\n",
        "   A   B   C   D   E   F   G   H   I\n"
        + "\n".join(f"{number}  {row}" for number, row in enumerate(ROWS, start=1)),
        "\n".join(f"{9 - at} {row}" for at, row in enumerate(reversed(ROWS))),
        "# white to move\n" + GRID,
        json.dumps([row.split() for row in ROWS]),
        json.dumps({"board": [row.split() for row in ROWS]}),
    ],
)
def test_a_grid_of_tzaar_is_a_position(words: str) -> None:
    assert parsed("tzaar", words) == START
    assert after(words) == f"1w {START}"


@pytest.mark.parametrize("stack", ["3w1", "w13"])
@pytest.mark.parametrize(
    ("turn", "ends"),
    [
        ("black 1", "official black 1"),
        ("open Black 2", "open black 2"),
        ("white to move", "official white 1"),
    ],
)
def test_a_grid_has_heights_and_a_side_to_move(stack: str, turn: str, ends: str) -> None:
    words = GRID.replace("w1 w1 w1", f"{stack} e  f", 1)
    rules, end = ends.split(" ", 1)
    board = START.split()[1].replace("Ttttt/TY", "T3tttt/.Y", 1).replace("/TYZ", "/.YZ", 1)
    for given in (f"{turn}\n{words}", f"{words}\n{turn}\n"):
        assert parsed("tzaar", given) == f"{rules} {board} {end}"
    with pytest.raises(TrineError, match="who is to move"):
        parsed("tzaar", words)


BOARDS = {"arimaa": FRAMED, "tzaar": GRID}


@pytest.mark.parametrize(
    ("game", "given", "spoilt", "line", "problem"),
    [
        ("arimaa", "7|   ", "8|   ", 4, "does not belong to the board"),
        ("arimaa", "e         |", "e         . . |", 6, "rank 5 does not show"),
        ("arimaa", "4|     ", "4:     ", 7, "does not belong to the board"),
        ("arimaa", "6|     x     x     |", "a quiet position", 5, "'a quiet position' does not"),
        ("arimaa", "a b c d e f g h", "h g f e d c b a", 12, "h .* board where the file a is"),
        ("tzaar", ROWS[2], ROWS[2].replace("b1 n", "n  n"), 3, "column 7 .* has a point"),
        ("tzaar", ROWS[1], ROWS[1].replace("b1 n", "b1 b1"), 2, "column 7 .* has no point"),
        ("tzaar", ROWS[4], ROWS[4].replace("n", "w1"), 5, "column 5 .* has no point"),
        ("tzaar", ROWS[5], "the sixth row", 6, "'the sixth row' is no row"),
        ("tzaar", ROWS[8], "", 8, "8 rows"),
    ],
)
def test_the_line_that_spoils_a_board_is_named(
    game: str, given: str, spoilt: str, line: int, problem: str
) -> None:
    words = BOARDS[game].replace(given, spoilt)
    assert words != BOARDS[game]
    with pytest.raises(TrineError, match=problem) as error:
        played(words)
    assert error.value.place.line == line


@pytest.mark.parametrize(
    ("words", "tag"),
    [(GRID + "\nd1xe1\n", "1b "), ("quoridor 9 2 e2,e8 - 10,10 1\ne3\ne7\n", "2s ")],
)
def test_a_position_is_followed_by_turns_without_numbers(words: str, tag: str) -> None:
    assert after(words).startswith(tag)


FIXED = "official ttttT/TyyyYT/TYzzZYT/TYZtTZYT/TYZT*tzyt/tyztTzyt/tyzZZyt/tyYYYt/tTTTT white first"


def fixed_stacks() -> Iterator[tuple[int, int, str]]:
    """Yield the column, the row and the top piece of each stack of the fixed start."""
    for name, top in zip(POINT_NAMES, FIXED_START, strict=True):
        column = "abcdefghi".index(name[0])
        yield column, int(name[1]) - 1 + max(0, column - 4), top


def pieces(first: int) -> list[dict[str, object]]:
    """The fixed start as a list of pieces, with x and y counted from a number."""
    kinds = {"t": "TOTT", "y": "TZARRA", "z": "TZAAR"}
    return [
        {
            "color": "WHITE" if top.isupper() else "BLACK",
            "location": {"x": x + first, "y": y + first},
            "type": kinds[top.lower()],
            "height": 1,
        }
        for x, y, top in fixed_stacks()
    ]


@pytest.mark.parametrize("first", [0, 1])
def test_pieces_in_json_are_a_position(first: int) -> None:
    for words in (
        json.dumps({"player1": "A", "player2": "B", "figures": pieces(first)}),
        json.dumps(pieces(first), indent=2),
        str({"pieces": pieces(first)}),
    ):
        assert parsed("tzaar", words) == FIXED
        assert after(words) == f"1w {FIXED}"


def test_pieces_in_json_have_heights_and_a_side_to_move() -> None:
    few = pieces(1)[1:]
    few[0]["height"] = 2
    words = json.dumps({"turn": "black", "figures": few})
    expected = FIXED.replace(" tttt", " .t2tt").replace("white first", "black 1")
    assert parsed("tzaar", words) == expected
    with pytest.raises(TrineError, match="who is to move"):
        played(json.dumps({"figures": few}))
    few = [piece for piece in pieces(1) if piece["location"] == {"x": 4, "y": 4}]
    with pytest.raises(TrineError, match="from 0 or from 1"):
        played(json.dumps({"turn": "white", "figures": few}))


def test_a_board_in_numbers_is_a_position() -> None:
    kinds, heights = [[100] * 9 for _ in range(9)], [[0] * 9 for _ in range(9)]
    for column, row, top in fixed_stacks():
        kinds[row][4 + row - column] = "zyt TYZ".index(top) - 3
        heights[row][4 + row - column] = 1
    kinds[0][1] = kinds[0][2] = 0  # d1 and c1 are empty, and e1 is three high
    heights[0][0] = 3
    rows = [" ".join(map(str, row)) for row in (*kinds, *heights)]
    expected = FIXED.replace("/TYzzZYT/TYZtTZYT/T", "/.YzzZYT/.YZtTZYT/T3")
    expected = expected.replace("white first", "black 1")
    assert parsed("tzaar", "\n".join(["-1", *rows])) == expected
    assert after("\n".join(["-1", *rows]) + "\n") == f"1b {expected}"
    with pytest.raises(TrineError):
        played("\n".join(["-1", *rows]).replace("100", "5", 1).replace(" 3 ", " 4 "))


def test_lists_in_a_json_list_are_games_if_they_are_long() -> None:
    games = [["e2", "e8", "e3", "e7", "d3h"], ["e2", "e8", "d2", "d8", "e2"]]
    ends = [replay(one).turn_tag for one in detect_format([json.dumps(games)])[1]]
    assert ends == ["3n", "3n"]
    games = [{"moves": " ".join(game)} for game in games]  # type: ignore[misc]
    assert [replay(one).turn_tag for one in detect_format([json.dumps(games)])[1]] == ends
    assert after(json.dumps([["e2", "e8"], ["e3", "e7"]])).startswith("3s ")


@pytest.mark.parametrize("listed", ["{}", "({})", "({}),", "{},\n"])
@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_list_in_the_code_of_a_program_is_a_game(listed: str, quote: str) -> None:
    words = ", ".join(f"{quote}{word}{quote}" for word in ("e2", "e8", "e3", "e7"))
    assert after(listed.format(words)).startswith("3s ")


MOVES = [("pawn", 7, 4), ("pawn", 1, 4), ("wall", 6, 4)]
GAME = "2n quoridor 9 2 e2,e8 e2h 9,10 2"


@pytest.mark.parametrize(
    "words",
    [
        json.dumps({"moves": [{"type": t, "row": r, "col": c, "orientation": "horizontal"}
                              for t, r, c in MOVES]}),
        json.dumps([{"type": t, "to": {"y": r, "x": c}, "isHorizontal": True}
                    for t, r, c in MOVES]),
        json.dumps({"game": {"actions": [
            {"kind": t, "position": {"row": r + 1, "column": c + 1}, "direction": "H"}
            for t, r, c in MOVES]}}),
        str({"history": [{"r": r, "c": c, **({"vertical": False} if t == "wall" else {})}
                         for t, r, c in MOVES]}),
        "[246, 42, 229]",
        '{"moves": [246, 42, 229]}',
    ],
)  # fmt: skip
def test_moves_of_quoridor_are_objects_or_numbers(words: str) -> None:
    assert after(words) == GAME


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (COMPACT.replace("abcdefgh", "hgfedcba"), "h stands below the board"),
        (FRAMED + "Ee4w\nra8n\n", "^14:1: turn 9s: ra8n"),
        ("1w d3xd5\n1b f1xe2 h1+g1\n", "^1:4: turn 1w: .* d4 stands between"),
        (json.dumps([{"type": t, "row": r, "col": c, "orientation": "h"}
                     for t, r, c in (*MOVES[:2], MOVES[0])]), "2s"),
        ('[{"row": 8, "col": 5}]', "counted from 0 and from 1"),
        ('[{"type": "wall", "row": 7, "col": 4}]', "no list of moves"),
        ("[1, 2, 3]", "no list of moves"),
        ("[246, 9999]", "no list of moves"),
        ('[{"row": "7", "col": 4}]', "no list of moves"),
    ],
)  # fmt: skip
def test_what_means_nothing_or_breaks_a_rule_is_refused(words: str, problem: str) -> None:
    with pytest.raises(TrineError, match=problem):
        played(words)


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("aei", "2g rrr1rrrr/hdcemcdh/3r4/8/4E3/8/HDCM1CDH/RRRRRRRR"),
        ("aei", "2s r7/8/8/8/8/8/8/R7"),
        ("arimaa-board", BOARD),
        ("tzaar-grid", START),
        ("quoridor-code", "quoridor 9 2 e4,e6 d3h,e6h 9,9 1"),
        ("quoridor-code", "quoridor 9 2 e2,e8 d7v 9,10 2"),
        ("quoridor-code", "quoridor 9 2 a1,i9 - 10,10 2"),
    ],
)
def test_a_position_is_written_and_read_again(name: str, start: str) -> None:
    form = named_format(name)
    record = Record({"Game": form.game, "Start": start})
    form.check(record)
    (words,) = form.write([record])
    (read,) = form.read(words.splitlines(keepends=True), "")
    assert read.tags["Start"] == start
    assert after(words).split(" ", 1)[1] == start


@pytest.mark.parametrize(
    ("name", "start", "told"),
    [
        ("tzaar-grid", START.replace("white first", "black 1"), "only a full board"),
        ("quoridor-code", "quoridor 7 2 d2,d6 - 10,10 1", "9 by 9"),
        ("quoridor-code", "quoridor 9 2 e2,e8 - 9,9 1", "9 by 9"),
        ("quoridor-code", "quoridor 9 3 e1,a5,e9 - 7,7,6 1", "9 by 9"),
        ("aei", "", "no tag Start"),
    ],
)
def test_a_position_that_a_format_cannot_hold_is_refused(name: str, start: str, told: str) -> None:
    form = named_format(name)
    record = Record({"Game": form.game, **({"Start": start} if start else {})})
    with pytest.raises(FileError, match=told):
        form.check(record)
    record.turns.append(WrittenTurn(2, "g", [Word("Ee4n")], line=3))
    with pytest.raises(FileError, match="no turns"):
        form.check(record)
