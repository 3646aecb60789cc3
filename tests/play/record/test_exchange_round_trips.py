"""Games written for other programs are read again as they were, one at a time."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.record.archives import (
    ARCHIVE,
    COLUMNS,
    GAME,
    MOVELIST,
    SETUPS,
    archived,
    lines,
    plain,
    table,
    whole_play,
    written,
)
from playing import (
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
from trine.core.contract.record import Record, format_record
from trine.core.errors import FileError
from trine.play.record.formats import OURS
from trine.play.record.replay import record_of, replay


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
