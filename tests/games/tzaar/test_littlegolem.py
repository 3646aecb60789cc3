"""Games of Little Golem."""

import pytest

from games.tzaar.foreign_games import GOLEM, SHORT, error_of, read, words
from shared_data import SHARED, shared_file
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import TrineError
from trine.games.tzaar.formats.littlegolem import GOLEM_POINTS
from trine.play.record.replay import record_of, replay


def test_a_real_game_is_read_and_replayed() -> None:
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
    stated = record_of(replay(record))
    assert stated.tags["Reason"] == "resignation"


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
    assert "the game that begins in line 2 is not closed" in str(records[1].error)
