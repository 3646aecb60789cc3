"""Records of other programs: move lists, and the archive of the Arimaa server."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.record.archives import ARCHIVE, GAME, MOVELIST, SETUPS, archived, lines, table, whole_play
from playing import records_in
from trine.core.contract.position import Outcome, Reason
from trine.core.contract.record import format_record
from trine.core.errors import MalformedError, TrineError
from trine.play.record.formats import OURS
from trine.play.record.replay import record_of, replay


def test_a_game_of_the_archive_has_tags_turns_and_times() -> None:
    (record,) = archived(GAME)
    assert record.tags == {
        "Game": "arimaa",
        "Rules": "official",
        "Gold": "Anna",
        "Silver": 'Bert "the Bot"',
        "Event": "A casual game",
        "Site": "Over the Net",
        "Clock": "2/2/100/10/8",
        "Date": "2026-02-01",
        "Result": "Gold",
        "Reason": "resignation",
        "termination": "r",
        **{
            name: GAME[name]
            for name in set(GAME) - {"wusername", "busername", "event", "site", "timecontrol"}
            if name not in ("result", "plycount", "movelist", "events")
        },
    }
    assert [turn.tag for turn in record.turns] == ["1w", "1b", "2w", "2b"]
    comments = [" ".join(turn.comments) for turn in record.turns]
    assert comments == ["0:03, 2:00 left", "1:40, 1:10 left", "0:00, 2:01 left", ""]
    play = replay(record)
    assert (play.turn_tag, play.outcome) == ("2s", Outcome(0, Reason.RESIGNATION))


@pytest.mark.parametrize(
    ("start", "rules", "day"),
    [
        ("1769946008", "official", "2026-02-01"),
        ("1214870399", "classic", "2008-06-30"),
        ("1214870400", "official", "2008-07-01"),
    ],
)
def test_the_day_of_a_game_decides_its_rules(start: str, rules: str, day: str) -> None:
    (record,) = archived({**GAME, "startts": start})
    assert (record.tags["Rules"], record.tags["Date"]) == (rules, day)


@pytest.mark.parametrize("start", ["", "NULL", "soon", "-5", "9" * 40, "١٢٣"])
def test_a_day_that_cannot_be_read_is_left_out(start: str) -> None:
    (record,) = archived({**GAME, "startts": start})
    assert "Date" not in record.tags
    assert "Rules" not in record.tags


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("g", Reason.GOAL),
        ("e", Reason.ELIMINATION),
        ("m", Reason.IMMOBILIZATION),
        ("p", Reason.REPETITION),
        ("r", Reason.RESIGNATION),
        ("t", Reason.TIME),
        ("s", Reason.SCORE),
        ("f", Reason.FORFEIT),
        ("i", Reason.FORFEIT),
        ("a", Reason.FORFEIT),
    ],
)
def test_codes_of_termination_are_reasons(code: str, reason: Reason) -> None:
    (record,) = archived({**GAME, "termination": code, "result": "b"})
    assert (record.tags["Result"], record.tags["Reason"]) == ("Silver", str(reason))


def test_a_game_without_a_known_result_states_none() -> None:
    for change in ({"result": "u"}, {"termination": ""}, {"termination": "b"}):
        (record,) = archived({**GAME, **change})
        assert "Result" not in record.tags


def test_a_move_list_may_end_with_the_tag_of_the_next_turn() -> None:
    for end in ("", r"\n2b", r"\n2b ", r"\n2b\n"):
        movelist = r"\n".join([*SETUPS, "2w Ee2n"]) + end
        (record,) = archived({**GAME, "movelist": movelist})
        assert [turn.tag for turn in record.turns] == ["1w", "1b", "2w"]
        assert replay(record).turn_tag == "2s"


@pytest.mark.parametrize("line_break", ["\n", "\r\n", r"\n", "\n\n", "\\n\n"])
def test_a_move_list_is_read_with_real_and_literal_line_breaks(line_break: str) -> None:
    words = line_break.join([*SETUPS, "2w Ee2n", "2b"])
    (record,) = MOVELIST.read(lines(words), "moves.txt")
    assert [turn.tag for turn in record.turns] == ["1w", "1b", "2w"]
    assert replay(record).turn_tag == "2s"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("\tmovelist", "\tmoves"), "games.txt:1: .*no column movelist"),
        (("\tresult\ttermination", "\tend\thow"), "games.txt:1: .*result, termination"),
    ],
)
def test_a_table_without_its_columns_is_refused(change: tuple[str, str], problem: str) -> None:
    with pytest.raises(MalformedError, match=problem):
        list(ARCHIVE.read(lines(table(GAME).replace(*change)), "games.txt"))


@pytest.mark.parametrize(("cells", "count"), [("Anna", 28), ("Anna\t\t", 30)])
def test_a_row_that_is_torn_spoils_its_own_game_only(cells: str, count: int) -> None:
    words = table(GAME, GAME).replace("Anna\t", cells, 1)
    first, second = ARCHIVE.read(lines(words), "games.txt")
    assert re.match(rf"games.txt:2: .*{count}.*29", str(first.error))
    assert second.error is None


def test_columns_stand_in_any_order_and_may_be_few() -> None:
    words = table({"movelist": SETUPS[0], "termination": "t", "result": "b"})
    few = "movelist\ttermination\tresult\n" + SETUPS[0] + "\tt\tb\n"
    for table_words in (words, few):
        (record,) = ARCHIVE.read(lines(table_words), "games.txt")
        assert (record.tags["Result"], len(record.turns)) == ("Silver", 1)


def test_an_empty_line_in_a_table_is_passed_over() -> None:
    words = table(GAME)
    assert len(list(ARCHIVE.read(lines(words + "\n"), "games.txt"))) == 1
    assert len(list(ARCHIVE.read(lines("\n" + words), "games.txt"))) == 1


def test_a_column_that_is_called_like_a_tag_of_the_house_decides_nothing() -> None:
    head, row, _ = table(GAME).split("\n")
    words = f"{head}\tStart\tRules\tGame\n{row}\tnowhere\tmine\tchess\n"
    (record,) = ARCHIVE.read(lines(words), "games.txt")
    assert replay(record).turn_tag == "2s"


def test_what_comes_out_of_any_table_can_be_read_again() -> None:
    head, row, _ = table(GAME).split("\n")
    words = f"{head}\tof two words\t\t2nd\n{row}\ta\tb\tc\n"
    (record,) = ARCHIVE.read(lines(words), "games.txt")
    (again,) = records_in(format_record(record))
    assert again.tags["Gold"] == "Anna"


def wrong_word(record_text: str, column: int) -> str:
    return record_text[column - 1 :].split(" ")[0].split("\\n")[0].split("\t")[0].strip()


@given(st.integers(0, 10**6), st.integers(33, 120))
def test_an_error_points_at_the_very_word_in_every_format(seed: int, doings: int) -> None:
    rng = random.Random(seed)
    record = record_of(whole_play(seed, doings), {"Gold": "Ännä\u00a0", "Event": "é 😀"})
    turn = rng.choice(record.turns)
    # A wrong removal mark is told of at the step that it must follow.
    index = rng.choice([i for i, word in enumerate(turn.words) if word.text[-1] != "x"])
    turn.words[index] = turn.words[index]._replace(text="Zz9q")
    record.tags.pop("Result", None)
    for form in (OURS, MOVELIST):
        written = "".join(form.write([record]))
        for words in (written, written.replace("\n", r"\n")) if form is MOVELIST else (written,):
            (read,) = form.read(lines(words), "game.txt")
            with pytest.raises(TrineError) as caught:
                replay(read)
            place = caught.value.place
            assert place.file == "game.txt"
            line = words.split("\n")[place.line - 1]
            assert wrong_word(line, place.column) == "Zz9q", (form.name, str(place))


def test_a_line_of_a_move_list_that_is_no_turn_is_named() -> None:
    words = "id\tresult\ttermination\tmovelist\n7\tw\tr\t" + SETUPS[0] + r"\nhello" + "\n"
    (record,) = ARCHIVE.read(lines(words), "games.txt")
    assert re.match(rf"games\.txt:2:{7 + len(SETUPS[0]) + 2}: .*'hello'", str(record.error))
