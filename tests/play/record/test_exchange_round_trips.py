"""Games written for other programs are read again as they were, one at a time."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.record.archives import (
    ARCHIVE,
    GAME,
    MOVELIST,
    SETUPS,
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
from trine.core.contract.record import Record
from trine.core.errors import FileError
from trine.play.record.formats import OURS
from trine.play.record.replay import record_of, replay


@given(seed=st.integers(0, 10**6), doings=st.integers(34, 120))
def test_a_live_game_round_trips_through_a_move_list(
    tmp_path_factory: pytest.TempPathFactory, seed: int, doings: int
) -> None:
    path, now = tmp_path_factory.mktemp("live") / "game.txt", HandClock()
    with live(path, terms(start="", clock="5/5"), now) as game:
        play_at_random(game, now, random.Random(seed), doings)
        while game.play.open_actions and not game.play.outcome:
            game.undo()
        game.close()
    (record,) = records_in(path.read_text())
    (read,) = MOVELIST.read(lines(written(MOVELIST, record)), "moves.txt")
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
    (read,) = MOVELIST.read(lines(written(MOVELIST, record)), "moves.txt")
    assert replay(read).turn_tag == "2s"


def test_many_move_lists_in_one_file_stay_apart() -> None:
    records = [record_of(whole_play(seed, 60)) for seed in range(3)]
    read = list(MOVELIST.read(lines("".join(MOVELIST.write(records))), "moves.txt"))
    assert [plain(record) for record in read] == [plain(record) for record in records]


def test_a_start_that_is_no_setup_cannot_be_written() -> None:
    record = record_of(random_play(1, 5))
    with pytest.raises(FileError, match="begins with full setups"):
        written(MOVELIST, record)


def test_a_handicap_is_refused_but_not_lost() -> None:
    (record,) = records_in(SHORT)
    with pytest.raises(FileError, match="begins with full setups"):
        written(MOVELIST, record)


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


def test_our_records_become_move_lists_one_at_a_time() -> None:
    taken = 0

    def records() -> Iterator[Record]:
        nonlocal taken
        for _ in range(10_000):
            taken += 1
            yield next(MOVELIST.read(SETUPS, ""))

    pieces = MOVELIST.write(records())
    while not next(pieces).startswith("1g"):
        pass
    assert taken == 1
