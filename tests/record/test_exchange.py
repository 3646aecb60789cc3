"""Records of other programs: move lists, and the archive of the Arimaa server."""

import io
import random
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playing import (
    ARIMAA,
    SHORT,
    HandClock,
    live,
    play_at_random,
    random_play,
    records_in,
    replayed,
    standing,
    terms,
)
from trine.core.doors import Format
from trine.core.errors import FileError, MalformedError, TrineError
from trine.core.outcome import Outcome, Reason
from trine.core.play import Play
from trine.core.record import Record, format_record
from trine.record.formats import OURS
from trine.record.replay import record_of, replay

ARCHIVE, MOVELIST = ARIMAA.formats["archive"], ARIMAA.formats["movelist"]
HEADLINE = (
    "id wplayerid bplayerid wusername busername wtitle btitle wcountry bcountry wrating brating "
    "wratingk bratingk wtype btype event site timecontrol postal startts endts result termination "
    "plycount mode rated corrupt movelist events"
)
COLUMNS = HEADLINE.split()
SETUPS = (
    "1w Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2",
    "1b ra7 hb7 cc7 md7 ee7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8",
)
EVENTS = (
    "1769946008 [Sun Feb  1 11:40:08 2026] move 1w received from w [Ed2]",
    "1769946011 after 1w, move used:3 wresv:120 bresv:90 game:3",
    "1769946021 after 1b, move used:100 wresv:120 bresv:70 game:103",
    "1769946022 after 2w, move used:0 wresv:121 bresv:70 game:103",
)
GAME = {
    "id": "700001",
    "wusername": "Anna",
    "busername": 'Bert "the Bot"',
    "wrating": "1500",
    "wtype": "h",
    "btype": "b",
    "event": "A casual game",
    "site": "Over the Net",
    "timecontrol": "2/2/100/10/8",
    "postal": "0",
    "startts": "1769946008",
    "endts": "1769946100",
    "result": "w",
    "termination": "r",
    "plycount": "9",
    "mode": "IGS",
    "rated": "1",
    "corrupt": "0",
    "movelist": r"\n".join([*SETUPS, "2w Ee2n", "2b resigns"]),
    "events": r"\n".join(EVENTS),
}


def table(*games: dict[str, str]) -> str:
    """An archive as the server writes it."""
    rows = ["\t".join(game.get(column, "") for column in COLUMNS) for game in games]
    return "\n".join(["\t".join(COLUMNS), *rows, ""])


def lines(words: str) -> io.StringIO:
    """The lines of a file."""
    return io.StringIO(words, newline="\n")


def archived(*games: dict[str, str]) -> list[Record]:
    return list(ARCHIVE.read(lines(table(*games)), "games.txt"))


def plain(record: Record) -> object:
    """The turns of a record, for comparing."""
    letters = {"w": "g", "b": "s"}
    return [
        (turn.number, letters.get(turn.letter, turn.letter), [word.text for word in turn.words])
        for turn in record.turns
    ]


def written(form: Format, record: Record) -> str:
    """A record in a format, if it can hold it."""
    form.check(record)
    return "".join(form.write([record]))


def whole_play(seed: int, doings: int) -> Play:
    """A random play from the setups, with no open turn."""
    play = random_play(seed, doings, start="")
    while play.open_actions:
        play.undo()
    return play


# --- reading -------------------------------------------------------------------------------------


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
    assert [turn.comments for turn in record.turns] == [
        ["0:03, 2:00 left"],
        ["1:40, 1:10 left"],
        ["0:00, 2:01 left"],
        [],
    ]
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
def test_codes_of_termination_are_reasons_and_back(code: str, reason: Reason) -> None:
    (record,) = archived({**GAME, "termination": code, "result": "b"})
    assert (record.tags["Result"], record.tags["Reason"]) == ("Silver", str(reason))
    row = dict(zip(COLUMNS, list(ARCHIVE.write([record]))[1].split("\t"), strict=True))
    assert (row["result"], row["termination"]) == ("b", code)


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


# --- places --------------------------------------------------------------------------------------


def wrong_word(record_text: str, column: int) -> str:
    """The word in a line at a column."""
    return record_text[column - 1 :].split(" ")[0].split("\\n")[0].split("\t")[0].strip()


@given(st.integers(0, 10**6), st.integers(33, 120))
def test_an_error_points_at_the_very_word_in_every_format(seed: int, doings: int) -> None:
    chance = random.Random(seed)
    record = record_of(whole_play(seed, doings), {"Gold": "Ännä\u00a0", "Event": "é 😀"})
    turn = chance.choice(record.turns)
    # A wrong removal mark is told of at the step that it must follow.
    index = chance.choice([i for i, word in enumerate(turn.words) if word.text[-1] != "x"])
    turn.words[index] = turn.words[index]._replace(text="Zz9q")
    record.tags.pop("Result", None)
    for form in (OURS, ARCHIVE, MOVELIST):
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


# --- round trips ---------------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(0, 300))
def test_a_play_round_trips_through_the_archive(seed: int, doings: int) -> None:
    play = whole_play(seed, doings)
    record = record_of(play, {"Gold": "Anna", "Silver": "Bert", "Clock": "2/2/100/10/8"})
    (read,) = ARCHIVE.read(lines("".join(ARCHIVE.write([record]))), "games.txt")
    assert plain(read) == plain(record)
    assert standing(replay(read)) == standing(play)
    kept = {tag: value for tag, value in record.tags.items() if tag != "Rules"}
    assert kept.items() <= read.tags.items()
    assert list(ARCHIVE.write([read])) == list(ARCHIVE.write([record]))


@given(st.integers(0, 10**6), st.integers(0, 300))
def test_a_play_round_trips_through_a_move_list(seed: int, doings: int) -> None:
    play = whole_play(seed, doings)
    written = "".join(MOVELIST.write([record_of(play)]))
    for words in (written, written.replace("\n", r"\n")):
        (read,) = MOVELIST.read(lines(words), "moves.txt")
        assert standing(replay(read)) == standing(play)
        assert "".join(MOVELIST.write([read])) == written


def test_a_game_of_the_archive_round_trips_through_our_records() -> None:
    old = {**GAME, "startts": "1033000000", "result": "b", "termination": "t", "events": "NULL"}
    for game in (GAME, old):
        (record,) = archived(game)
        (ours,) = records_in(format_record(record))
        written = "".join(ARCHIVE.write([ours])).split("\n")[1].split("\t")
        row = dict(zip(COLUMNS, written, strict=True))
        for column in set(COLUMNS) - {"plycount", "events", "movelist"}:
            assert row[column] == game.get(column, ""), column
        # As in the real archive, the tag of the next turn closes the list, behind a resignation too.
        assert row["movelist"] == game["movelist"] + r"\n3w"


@given(seed=st.integers(0, 10**6), doings=st.integers(34, 120))
def test_a_live_game_round_trips_through_both_formats(
    tmp_path_factory: pytest.TempPathFactory, seed: int, doings: int
) -> None:
    path, now = tmp_path_factory.mktemp("live") / "game.txt", HandClock()
    with live(path, terms(start="", clock="5/5"), now) as game:
        play_at_random(game, now, random.Random(seed), doings)
        while game.play.open_actions and not game.play.outcome:
            game.undo()
        game.close()
    (record,) = records_in(path.read_text())
    for form in (ARCHIVE, MOVELIST):
        (read,) = form.read(lines("".join(form.write([record]))), "moves.txt")
        assert standing(replay(read)) == standing(replayed(path))


def test_undone_actions_go_with_their_removals() -> None:
    # The cat dies on c3 as soon as nobody stands beside it.
    words = [
        *(setup.replace("1w", "1g").replace("1b", "1s") for setup in SETUPS),
        "2g Md2n Cc2n undo Cc2n {x} Md3n Cc3x undo",
        "2s ee7s undo md7s",
    ]
    (record,) = records_in("\n".join(['[Game "arimaa"]', "", *words, ""]))
    play = replay(record)
    there = written(MOVELIST, record)
    assert "\n2g Md2n Cc2n\n2s md7s\n" in there
    (read,) = MOVELIST.read(lines(there), "moves.txt")
    assert standing(replay(read)) == standing(play)


@pytest.mark.parametrize("end", ["2s ee7s ", "2s ee7s ...\n", "2s ee7s {x} ...\n"])
def test_a_turn_still_open_is_not_written_as_if_it_had_been_ended(end: str) -> None:
    words = "\n".join(['[Game "arimaa"]', "", *SETUPS, "2g Ee2n", end])
    (record,) = records_in(words.replace("1w", "1g").replace("1b", "1s"))
    assert replay(record).turn_tag == "2s"
    for form in (ARCHIVE, MOVELIST):
        try:
            there = written(form, record)
        except FileError:
            continue
        (read,) = form.read(lines(there), "moves.txt")
        assert replay(read).turn_tag == "2s"


def test_many_move_lists_in_one_file_stay_apart() -> None:
    records = [record_of(whole_play(seed, 60)) for seed in range(3)]
    read = list(MOVELIST.read(lines("".join(MOVELIST.write(records))), "moves.txt"))
    assert [plain(record) for record in read] == [plain(record) for record in records]


def test_a_start_that_is_no_setup_cannot_be_written() -> None:
    record = record_of(random_play(1, 5))
    for form in (ARCHIVE, MOVELIST):
        with pytest.raises(FileError, match="begins with full setups"):
            written(form, record)


def test_a_handicap_is_kept_or_refused_but_not_lost() -> None:
    (record,) = records_in(SHORT)
    for form in (ARCHIVE, MOVELIST):
        try:
            there = written(form, record)
        except FileError:
            continue
        (read,) = form.read(lines(there), "moves.txt")
        assert standing(replay(read)) == standing(replay(record))


@pytest.mark.parametrize(
    "tags",
    [
        {"Result": "Gold", "Reason": "magic"},
        {"Result": "Gold", "Reason": "resignation", "termination": "zz"},
        {"Result": "nobody"},
        {"Gold": "a\tb\rc", "movelist": "x", "id": "\x0b"},
        {"Reason": ""},
    ],
)
def test_odd_tags_do_not_tear_the_table(tags: dict[str, str]) -> None:
    record = Record({"Game": "arimaa", **tags})
    head, row = ARCHIVE.write([record])
    assert head.count("\t") == row.count("\t") == len(COLUMNS) - 1
    assert row.count("\n") == 1
    assert len(list(ARCHIVE.read(lines(head + row), "games.txt"))) == 1


# --- streaming -----------------------------------------------------------------------------------


def test_a_month_is_converted_line_by_line() -> None:
    taken = 0
    head, row, _ = table(GAME).split("\n")

    def month() -> Iterator[str]:
        nonlocal taken
        taken += 1
        yield head + "\n"
        for _ in range(10_000):
            taken += 1
            yield row + "\n"

    written = OURS.write(ARCHIVE.read(month(), "games.txt"))
    for number in range(1, 6):
        assert next(written).lstrip().startswith('[Game "arimaa"]')
        assert taken == number + 1
    assert sum(1 for _ in written) == 10_000 - 5
    taken = 0
    back = ARCHIVE.write(ARCHIVE.read(month(), "games.txt"))
    next(back)
    assert taken == 0
    next(back)
    assert taken == 2


def test_our_records_become_an_archive_one_at_a_time() -> None:
    taken = 0

    def records() -> Iterator[Record]:
        nonlocal taken
        for _ in range(10_000):
            taken += 1
            yield next(MOVELIST.read(SETUPS, ""))

    for form in (ARCHIVE, MOVELIST):
        taken = 0
        pieces = form.write(records())
        while not next(pieces).startswith(("1\t", "1g")):
            pass
        assert taken == 1
