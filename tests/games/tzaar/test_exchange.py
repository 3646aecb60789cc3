"""Records of other programs: Little Golem, Boardspace, the PBeM server."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared_data import SHARED, shared_file
from trine.core.doors import Format
from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.outcome import Outcome, Reason
from trine.core.play import Play
from trine.core.record import Record, format_record, read_records
from trine.games import new_play
from trine.games.tzaar.exchange import FORMATS
from trine.games.tzaar.littlegolem import GOLEM_POINTS
from trine.games.tzaar.sgf import read_trees
from trine.record.formats import known_formats
from trine.record.replay import record_of, replay

GOLEM, BOARDSPACE, PBM = FORMATS["littlegolem"], FORMATS["boardspace"], FORMATS["pbmserv"]
FIXED_POS = "cCCCCcbBBBccbaAAbccbacCabcCBACcabcCBAcCABCCBaaABCCbbbBCccccC"
"""The fixed start as Little Golem writes boards."""
SHORT = (
    rf"(;FF[TZAAR]VA[RANDOM]EV[a \] b \\]PB[Bert]PW[Anna]POS[{FIXED_POS}]SO[here];"
    "W[kokp];B[kqkp-pass];W[lolm-lmln])"
)
"""Two turns and a half of White: a5xa4; a3xa4 pass; b5 goes to b7, which there is not."""


def read(form: Format, text: str) -> list[Record]:
    return list(form.read(text.splitlines(keepends=True), "game.txt"))


def written(form: Format, *records: Record) -> str:
    return "".join(form.write(records))


def words(record: Record) -> list[str]:
    return [" ".join([turn.tag, *(word.text for word in turn.words)]) for turn in record.turns]


def error_of(form: Format, text: str) -> TrineError:
    """The error of a text that holds one game with an error."""
    (record,) = read(form, text)
    assert record.error is not None
    return record.error


def random_play(options: dict[str, str], seed: int, most: int = 200) -> Play:
    """A play by chance, as long as whole turns fit in."""
    chance = random.Random(seed)
    play = new_play("tzaar/official", **options)
    while not play.outcome and (play.open_actions or len(play.turns) < most):
        play.act(chance.choice(play.legal_actions()))
    return play


# --- Little Golem --------------------------------------------------------------------------------


def test_a_real_game_is_read_replayed_and_written_byte_for_byte() -> None:
    file = shared_file(SHARED / "data" / "tzaar" / "game2552914.txt")
    text = file.read_bytes().decode()
    (record,) = GOLEM.read(text.splitlines(keepends=True), file.name)
    assert record.error is None
    assert {tag: record.tags[tag] for tag in ("White", "Black", "Event", "Site", "VA")} == {
        "White": "Michael Reitz",
        "Black": "ivyed_seer ?",
        "Event": "tzaar.ch.43.1.1",
        "Site": "https://www.littlegolem.net",
        "VA": "RANDOM",
    }
    assert "Result" not in record.tags
    play = replay(record)
    assert len(play.start.legal_actions()) == 74
    assert len(play.turns) == 27
    assert len(play.turns[0].actions) == 1
    assert play.outcome == Outcome(0, Reason.NO_CAPTURE)
    assert written(GOLEM, record) == text
    # ours, and back
    (ours,) = read_records(format_record(record).splitlines(keepends=True))
    assert written(GOLEM, ours) == text


def test_points_of_little_golem_are_axial() -> None:
    from trine.games.tzaar.board import POINT_NAMES

    names = {letters: POINT_NAMES[point] for letters, point in GOLEM_POINTS.items()}
    assert names["qm"] == "g5"
    assert [names[letters] for letters in ("ko", "ks", "ok", "on", "op", "os")] == [
        *("a5", "a1", "e9", "e6", "e4", "e1")
    ]
    assert "oo" not in names
    assert len(names) == len(set(names.values())) == 60


def test_a_game_of_little_golem_becomes_a_record() -> None:
    (record,) = read(GOLEM, SHORT.replace(";W[lolm-lmln]", ""))
    assert record.error is None
    assert record.tags == {
        "Game": "tzaar",
        "Rules": "official",
        "VA": "RANDOM",
        "Event": "a ] b \\",
        "Black": "Bert",
        "White": "Anna",
        "Site": "here",
        "Start": "official ttttT/TyyyYT/TYzzZYT/TYZtTZYT/TYZT*tzyt/tyztTzyt/tyzZZyt/tyYYYt/tTTTT "
        "white first",
    }
    assert words(record) == ["1w a5xa4", "1b a3xa4 -"]
    assert replay(record).turn_tag == "2w"


def test_what_is_wrong_in_a_game_is_pointed_at() -> None:
    (record,) = read(GOLEM, SHORT)
    assert str(record.error) == (
        f"game.txt:1:{SHORT.index('lolm') + 1}: 'lolm' is no action; expected two points of two "
        "letters k to s each, or pass"
    )
    assert words(record) == ["1w a5xa4", "1b a3xa4 -"]
    illegal = SHORT.replace("kqkp", "kqko").replace(";W[lolm-lmln]", "")
    (record,) = read(GOLEM, illegal)
    with pytest.raises(TrineError) as refused:
        replay(record)
    assert refused.value.place.column == illegal.index("kqko") + 1


def test_the_end_is_judged_by_the_referee_and_a_resignation_kept() -> None:
    resigned = SHORT.replace("lolm-lmln", "resign")
    (record,) = read(GOLEM, resigned)
    assert replay(record).outcome == Outcome(1, Reason.RESIGNATION)
    assert written(GOLEM, record) == resigned
    stated = record_of(replay(record))
    assert stated.tags["Reason"] == "resignation"
    assert written(GOLEM, stated).endswith("B[kqkp-pass];W[resign])")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;FF[TZAAR])", "game.txt:1: this game has no POS"),
        ("(;POS[x])", "game.txt:1: this game has no FF"),
        ("(;FF[HEX]POS[x])", "game.txt:1:6: the game is 'HEX'; expected TZAAR"),
        ("(;FF[TZAAR]\nPOS[abc])", "game.txt:2:5: 'abc' is no board; expected 60 letters"),
        (SHORT.replace("W[kokp]", "W[kokp]B[x]"), "each node is a turn, W[…] or B[…]; this has W"),
        (SHORT.replace("W[kokp]", "C[x]"), "each node is a turn, W[…] or B[…]; this has C"),
        (SHORT.replace("kokp", "kok"), "'kok' is no action"),
        (SHORT.replace("kokp", "oopp"), "'oopp' is no action"),
        (SHORT.replace("kqkp-pass", "kqkp-"), "'' is no action"),
    ],
)
def test_what_is_no_game_of_little_golem_is_refused(text: str, message: str) -> None:
    assert message in str(error_of(GOLEM, text))


def test_a_board_that_cannot_be_is_refused_at_its_line() -> None:
    (record,) = read(GOLEM, SHORT.replace("cCCCC", "aCCCC").replace("POS", "\nPOS"))
    with pytest.raises(TrineError, match="White shows 7 of Tzaar") as refused:
        replay(record)
    assert refused.value.place.line == 2


def test_many_games_are_read_and_torn_ones_spoil_themselves_only() -> None:
    good = SHORT.replace(";W[lolm-lmln]", "")
    torn = good[: good.index("-pass")]
    records = read(GOLEM, "\n".join([good, torn, good + good, "nonsense", good, torn]))
    assert [record.error is None for record in records] == [
        *(True, False, True, True, False, True, False)
    ]
    assert [record.line for record in records] == [1, 2, 3, 3, 4, 5, 6]
    assert written(GOLEM, records[0], records[2]) == f"{good}\n{good}"
    assert "the game that begins in line 2 is not closed" in str(records[1].error)


# --- SGF -----------------------------------------------------------------------------------------


def test_values_may_hold_brackets_and_line_breaks() -> None:
    text = "(;\nC [a\\]b\\\nc\\\\]\n  D[x\ny];E[])"
    (tree,) = read_trees(text.splitlines(keepends=True))
    assert tree.error is None
    assert [{name: value.text for name, value in node.items()} for node in tree.nodes] == [
        {"C": "a]bc\\", "D": "x\ny"},
        {"E": ""},
    ]
    assert tree.nodes[0]["D"][1:] == (4, 5)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("x", "1:1"),
        ("()", "1:2"),
        ("(A[b])", "1:2"),
        ("(;[b])", "1:3"),
        ("(;A[b][c])", "1:7"),
        ("(;A[b]A[c])", "1:8"),
        ("(;A;B[c])", "1:4"),
        ("(;A B[c])", "1:5"),
        ("(;a[b])", "1:3"),
        ("(;A[b](;B[c]))", "1:7"),
        ("(;A[b]]", "1:7"),
        ("(;A[b]\n;C[d\\]", "2"),
        ("(;A[b]\n;C[d\\", "2"),
    ],
)
def test_what_is_no_tree_is_pointed_at(text: str, place: str) -> None:
    trees = list(read_trees(text.splitlines(keepends=True)))
    assert trees[0].error is not None
    assert str(trees[0].error.place) == place


@given(st.text(alphabet="(;)[]\\\n ABWFPOSk", max_size=60))
def test_nonsense_is_refused_or_read_but_never_breaks_a_reader(text: str) -> None:
    for form in FORMATS.values():
        for record in read(form, text):
            with pytest.raises(TrineError):
                replay(record)


@given(st.text(max_size=40))
def test_every_text_survives_as_a_value(text: str) -> None:
    from trine.games.tzaar.sgf import format_property

    lines = f"(;{format_property('A', text)})".replace("\r", " ").split("\n")
    (tree,) = read_trees([line + "\n" for line in lines])
    assert tree.nodes[0]["A"].text == text.replace("\r", " ")


# --- Boardspace ----------------------------------------------------------------------------------

MOUSE = """\
(;
GM[Tzaar]VV[1]
DT[today]
SU[Tzaar-standard 12345]
P0[id "Anna"]
P1[id "Bert"]
; P0[0 Start P0]
; P0[1 Pickb A 5 3]
; P0[2 Dropcap A 4]
; P0[3 Pickb A 4]
; P0[4 Dropcap A 5]
; P0[5 Pickb B 1 3]
; P0[6 Dropcap A 1]
; P0[7 done]
; P0[time 0:00:12 ]
; P1[8 Pickb A 2 3]
; P1[9 Dropb A 2]
; P1[10 Capture A 2 A 1]
; P1[11 Pickb B 2 4]
; P1[12 Dropb B 3]
; P1[13 Pass]
; P1[14 Done]
)
"""
PLACED = """\
(;GM[Tzaar]SU[tzaar-custom 0]P0[id "Anna"]P1[id "Bert"]
; P0[0 Start P0]
; P0[1 OnBoard wr 0 E 8]
; P0[2 Done]
; P1[3 Pick br 2]
; P1[4 Dropb A 1]
; P1[5 Pickb A 1]
; P1[6 Dropb E 6]
; P1[7 Done]
; P0[8 OnBoard wr 1 A 1])
"""


def test_what_was_done_with_the_mouse_becomes_actions() -> None:
    (record,) = read(BOARDSPACE, MOUSE.replace("; P1[13 Pass]\n", ""))
    assert record.error is None
    assert {tag: record.tags[tag] for tag in ("White", "Black", "DT")} == {
        "White": "Anna",
        "Black": "Bert",
        "DT": "today",
    }
    # The first capture was taken back before it was confirmed; a stack put back where it was is none.
    assert words(record) == ["1w b1xa1", "1b a2xa1 b2+b3"]
    assert replay(record).turn_tag == "2w"


def test_a_pass_and_a_changed_mind() -> None:
    no_stacking = MOUSE.replace("; P1[11 Pickb B 2 4]\n; P1[12 Dropb B 3]\n", "")
    (record,) = read(BOARDSPACE, no_stacking)
    assert words(record) == ["1w b1xa1", "1b a2xa1 -"]
    twice = no_stacking.replace("13 Pass]", "13 Pass]\n; P1[13 Pass]\n; P1[13 Move B 2 B 3]")
    (record,) = read(BOARDSPACE, twice)
    assert words(record) == ["1w b1xa1", "1b a2xa1 b2+b3"]


def test_placements_of_boardspace() -> None:
    (record,) = read(BOARDSPACE, PLACED)
    assert record.error is None
    assert record.tags["Setup"] == "placement"
    assert words(record) == ["1w Te8", "1b Ze6", "2w Ya1"]
    assert replay(record).turn_tag == "2b"


def test_a_turn_that_is_not_confirmed_stays_open() -> None:
    (record,) = read(BOARDSPACE, MOUSE[: MOUSE.index("; P1[11")] + ")")
    assert words(record)[-1] == "1b a2xa1"
    assert not record.turns[-1].closed
    assert replay(record).position.turn_open


def test_a_resignation_at_boardspace() -> None:
    done = MOUSE.replace("; P1[13 Pass]\n", "")[:-2]
    (record,) = read(BOARDSPACE, done + "; P0[15 Resign]\n; P0[16 Done]\n)")
    assert record.error is None
    assert words(record)[-1] == "2w resign"
    assert replay(record).outcome == Outcome(1, Reason.RESIGNATION)
    assert written(BOARDSPACE, record).endswith("; P0[6 Resign]\n; P0[7 Done]\n)\n")
    (record,) = read(BOARDSPACE, done + "; P0[15 Resign]\n; P0[16 Resign]\n)")
    assert words(record) == ["1w b1xa1", "1b a2xa1 b2+b3"]
    (record,) = read(BOARDSPACE, done + "; P0[15 Capture E 6 D 6]\n; P0[16 Resign]\n)")
    assert words(record)[-1] == "2w resign"


def test_a_third_action_is_left_to_the_referee() -> None:
    (record,) = read(BOARDSPACE, MOUSE)
    assert words(record)[-1] == "1b a2xa1 b2+b3 -"
    with pytest.raises(TrineError, match="the turn is over") as refused:
        replay(record)
    assert str(refused.value.place) == "game.txt:18"  # where the turn begins to count


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Tzaar]", "Hive]", "game.txt:2:4: the game is 'Hive'; expected Tzaar"),
        ("GM[Tzaar]", "", "this game has no GM"),
        ("SU[Tzaar-standard 12345]", "", "this game has no SU"),
        ("Tzaar-standard", "tzaar-random", "does not say how its board was filled"),
        ("Tzaar-standard", "zertz", "'zertz 12345' is no setup; expected tzaar-standard, tz"),
        ("Pickb B 1 3", "Pickb E 5 3", "game.txt:12:8: e5 is the missing centre of the board"),
        ("Pickb B 1 3", "Pickb J 1 3", "'J 1' is no point"),
        ("Pickb B 1 3", "Undo it", "'Undo it' is none of the words of Boardspace"),
        ("Capture A 2 A 1", "Capture A 2", "'Capture A 2' is none of the words"),
        ("Pickb B 1 3", "OnBoard xx 0 A 1", "'xx 0' is no piece"),
        ("Pickb B 1 3", "OnBoard wr 3 A 1", "'wr 3' is no piece"),
        ("; P0[5 Pickb B 1 3]\n", "", "nothing is in hand to be dropped"),
        ("Start P0", "Start P1", "'Start P1' is none of the words"),
    ],
)
def test_what_is_no_game_of_boardspace_is_refused(old: str, new: str, message: str) -> None:
    assert old in MOUSE
    assert message in str(error_of(BOARDSPACE, MOUSE.replace(old, new)))


def test_stacks_put_back_do_not_count_but_illegal_actions_do() -> None:
    (record,) = read(BOARDSPACE, MOUSE.replace("Dropcap A 1", "Dropb I 1"))
    with pytest.raises(TrineError, match="no line leads from b1 to i1"):
        replay(record)


SAID = [
    *("Start P0", "Done", "Pass", "Resign", "Pick wr 0", "Pick br 2", "Drop wr 0", "Pickb A 5"),
    *("Pickb B 1 3", "Dropcap A 4", "Dropb A 1", "Dropb A 5", "Capture A 5 A 4", "Move B 1 A 1"),
    *("Capture A 3 A 4", "OnBoard wr 0 E 8", "OnBoard br 2 A 5", "time 0:10", "Capture B 1 B 1"),
]


@given(st.lists(st.tuples(st.integers(0, 1), st.sampled_from(SAID)), max_size=12), st.booleans())
def test_whatever_the_mouse_did_is_read_or_refused(
    said: list[tuple[int, str]], empty: bool
) -> None:
    setup = "tzaar-custom" if empty else "tzaar-standard"
    nodes = [f"; P{player}[{number} {words}]\n" for number, (player, words) in enumerate(said)]
    (record,) = read(BOARDSPACE, f"(;GM[Tzaar]SU[{setup} 1]\n{''.join(nodes)})")
    try:
        play = replay(record)
    except TrineError as refused:
        assert str(refused)
    else:
        assert len(play.turns) <= len(said)


# --- the PBeM server -----------------------------------------------------------------------------

PBM_GAME = """\
tzaar
White: Anna
Black: Bert

1. a5-a4
1... a3-a4 pass
2. e5-d5 b1-a1
"""


def test_column_e_is_numbered_without_a_gap() -> None:
    # e5 there is our e6: a black Tott in the fixed start, so White cannot move it.
    (record,) = read(PBM, PBM_GAME)
    assert record.error is None
    assert words(record) == ["1w a5xa4", "1b a3xa4 -", "2w e6+d5 b1xa1"]
    with pytest.raises(TrineError, match="the black Tott on e6 is the other side's"):
        replay(record)
    legal = PBM_GAME.replace("2. e5-d5 b1-a1", "2. d5-e5 resign").replace(" resign", " d6-e6")
    (record,) = read(PBM, legal)
    assert words(record)[-1] == "2w d5xe6 d6xe7"
    assert replay(record).turn_tag == "2b"
    assert written(PBM, record) == legal.replace("\n\n", "\n")


def test_boards_have_letters_with_heights() -> None:
    play = random_play({"setup": "random", "seed": "6"}, 1)
    text = written(PBM, record_of(play))
    head, column, *_ = text.splitlines()
    assert head == "tzaar -random"
    assert column.split()[0] == "a"
    assert all(stack[0] in "TAZtaz" and stack[1:] == "1" for stack in column.split()[1:])
    (record,) = read(PBM, text)
    assert replay(record).position == play.position


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tzaar", "tzaar -manual", "game.txt:1:1: 'tzaar -manual' begins no game"),
        ("tzaar", "1. a5-a4", "game.txt:1:1: '1. a5-a4' begins no game"),
        ("White: Anna", "a t1 t1 t1 t1 T1", "is neither a name, nor a column of the board"),
        ("tzaar", "tzaar -random", "game.txt:3: the board has 1 columns; expected 9"),
        ("tzaar", "tzaar -random\nb t1", "game.txt:2:1: column b; expected a"),
        ("1. a5-a4", "1. a5xa4", "game.txt:5:4: 'a5xa4' is no action; expected a range"),
        ("b1-a1", "e9-a1", "game.txt:7:10: 'e9-a1' is no action"),
        ("1... ", "1..", "'1..a3-a4 pass' is no turn"),
    ],
)
def test_what_is_no_game_of_the_server_is_refused(old: str, new: str, message: str) -> None:
    assert old in PBM_GAME
    assert message in str(error_of(PBM, PBM_GAME.replace(old, new, 1)))


def test_games_follow_one_another() -> None:
    assert [words(record)[0] for record in read(PBM, PBM_GAME * 3)] == ["1w a5xa4"] * 3


# --- all -----------------------------------------------------------------------------------------

HOLDS: dict[str, list[dict[str, str]]] = {
    "littlegolem": [{}, {"setup": "random", "seed": "12"}],
    "boardspace": [{}, {"setup": "placement"}],
    "pbmserv": [{}, {"setup": "random", "seed": "12"}],
}


@pytest.mark.parametrize("name", FORMATS)
def test_plays_round_trip(name: str) -> None:
    form = FORMATS[name]
    for options in HOLDS[name]:
        plays = [random_play(options, seed, most=20 * seed + 3) for seed in range(6)]
        records = [record_of(play, {"White": "Anna", "Black": "B. ]\\ [C]"}) for play in plays]
        for record in records:
            form.check(record)
        text = written(form, *records)
        again = read(form, text)
        assert [words(record) for record in again] == [words(record) for record in records]
        for play, record in zip(plays, again, strict=True):
            assert record.error is None
            assert (record.tags["White"], record.tags["Black"]) == ("Anna", "B. ]\\ [C]")
            replayed = replay(record)
            assert replayed.position == play.position
            assert replayed.outcome == play.outcome
        assert written(form, *again) == text


@pytest.mark.parametrize("name", FORMATS)
def test_what_was_taken_back_is_not_written(name: str) -> None:
    (record,) = read_records(
        [
            '[Game "tzaar"]\n',
            '[Rules "official"]\n',
            "1w a5xa4\n",
            "1w takeback\n",
            "1w b1xa1 undo a5xa4\n",
            "1b a3xa4 a4xa2 undo -\n",
            "2w b1xa1 ...\n",
        ]
    )
    FORMATS[name].check(record)
    (again,) = read(FORMATS[name], written(FORMATS[name], record))
    assert words(again) == ["1w a5xa4", "1b a3xa4 -"]


START = "open TT2t../.Y..../.Z...../......../....*..../......../......./.t..../.zy.Y white 1"


@pytest.mark.parametrize(
    ("name", "tags", "turns"),
    [
        ("littlegolem", {"Setup": "placement"}, ""),
        ("littlegolem", {"Rules": "open"}, ""),
        ("littlegolem", {"Rules": "open", "Start": START}, ""),
        ("boardspace", {"Rules": "open"}, ""),
        ("boardspace", {"Setup": "random", "Seed": "3"}, ""),
        ("pbmserv", {"Rules": "open"}, ""),
        ("pbmserv", {"Setup": "placement"}, ""),
        ("pbmserv", {"Rules": "wtt"}, ""),
        ("littlegolem", {"Start": "nonsense"}, ""),
        ("boardspace", {"Setup": "nonsense"}, ""),
        ("littlegolem", {}, "1w Za1\n"),
        ("pbmserv", {}, "1w Za1\n"),
        ("boardspace", {}, "1w a5-a4\n"),
        ("boardspace", {}, "1g a5xa4\n"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(name: str, tags: dict[str, str], turns: str) -> None:
    head = Record({"Game": "tzaar", **tags})
    lines = [*format_record(head).splitlines(keepends=True), turns]
    (record,) = read_records(lines, "game.txt")
    with pytest.raises(FileError) as refused:
        FORMATS[name].check(record)
    assert refused.value.place.line


@pytest.mark.parametrize(
    ("name", "text"), [("littlegolem", SHORT), ("boardspace", MOUSE), ("pbmserv", PBM_GAME)]
)
def test_files_are_told_by_their_first_line(name: str, text: str) -> None:
    first = text.splitlines(keepends=True)[0]
    telling = [form.name for form in known_formats().values() if form.recognises(first)]
    assert telling == [name]
    assert FORMATS[name].game == "tzaar"


READERS: list[Callable[[], list[Record]]] = [
    lambda: read(GOLEM, ""),
    lambda: read(BOARDSPACE, "\n \n"),
    lambda: read(PBM, "\n"),
]


@pytest.mark.parametrize("reader", READERS)
def test_an_empty_file_holds_no_game(reader: Callable[[], list[Record]]) -> None:
    assert reader() == []


def test_errors_of_trees_name_their_file() -> None:
    for form in (GOLEM, BOARDSPACE):
        error = error_of(form, "(;A[b](")
        assert isinstance(error, MalformedError)
        assert str(error.place) == "game.txt:1:7"
