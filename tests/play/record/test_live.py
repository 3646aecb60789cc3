import errno
import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.record.logs import BLITZ, turns_of
from playing import (
    HANDICAP,
    NEAR_GOAL,
    Hand,
    HandClock,
    live,
    play_at_random,
    replayed,
    resumed,
    standing,
    terms,
)
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import FileError, IllegalError, LockedError, TrineError
from trine.play.session.file_journal import begin_in_file, resume_from_file


def test_the_tags_tell_what_was_agreed_on(path: Path) -> None:
    agreed = terms("diagonal", clock="5+3", start="", handicap="gold:camel", draws=False)
    with live(path, agreed):
        tags = path.read_text().splitlines()
    assert tags[0] == '[Game "arimaa"]'
    names = {"Rules": "diagonal", "Gold": "Anna", "Silver": "Bert", "Clock": "0:03/5"}
    names |= {"Handicap": "gold:camel", "Takebacks": "yes", "Draws": "no"}
    assert {f'[{name} "{value}"]' for name, value in names.items()} < set(tags)
    assert tags[-1] == ""


def test_resumed_terms_are_those_agreed_on(path: Path) -> None:
    for number, agreed in enumerate(
        [
            terms("ejection", clock=BLITZ, takebacks=False, draws=False),
            terms("classic", start="", handicap=HANDICAP),
        ]
    ):
        file = path.with_name(f"{number}.txt")
        with live(file, agreed):
            pass
        with resumed(file) as (game, _):
            assert game.terms == agreed


def test_every_action_is_written_in_official_notation(path: Path, now: HandClock) -> None:
    with live(path, terms(clock=BLITZ), now) as game:
        now.wait(2.5)
        game.enter("Ce2w Cd2w")
        assert turns_of(path) == "2g Ce2w Cd2w "
        game.enter("Cc2n")
        assert turns_of(path) == "2g Ce2w Cd2w Cc2n Cc3x "
        game.undo()
        now.wait(4)
        game.enter("end")
        assert turns_of(path) == "2g Ce2w Cd2w Cc2n Cc3x undo {0:06.5, 1:09 left}\n"
        game.enter("ra7s end")
        game.take_back()
        game.enter("rh7s")
        game.take_back()
        game.remark("good {luck}\n")
        game.resign()
    assert turns_of(path).splitlines()[1:] == [
        "2s ra7s {0:00, 1:15 left}",
        "3g {0:00} takeback",
        "2s rh7s undo {0:00} takeback",
        "2g {good (luck)} resigns",
        '[Result "Silver"]',
        '[Reason "resignation"]',
    ]


def test_the_end_of_a_play_is_written_as_tags(path: Path) -> None:
    with live(path, terms(start=NEAR_GOAL)) as game:
        game.enter("a7n end")
        assert game.play.outcome == Outcome(0, Reason.GOAL)
    assert turns_of(path) == '2g Ra7n {0:00}\n[Result "Gold"]\n[Reason "goal"]\n'


def test_a_play_that_is_won_before_it_begins_is_over_in_the_file_too(path: Path) -> None:
    with live(path, terms(start="2g R7/8/8/8/4e3/8/8/4E3")):
        pass
    assert turns_of(path) == '[Result "Gold"]\n[Reason "goal"]\n'
    assert replayed(path).outcome == Outcome(0, Reason.GOAL)


@given(seed=st.integers(0, 10**6), doings=st.integers(0, 120), clock=st.sampled_from(["", BLITZ]))
def test_the_file_replays_to_the_play_at_any_time(
    tmp_path_factory: pytest.TempPathFactory, seed: int, doings: int, clock: str
) -> None:
    path, now = tmp_path_factory.mktemp("live") / "game.txt", HandClock()
    with live(path, terms(clock=clock), now) as game:
        play_at_random(game, now, random.Random(seed), doings)
        assert standing(replayed(path)) == standing(game.play)


def test_an_action_counts_only_when_it_is_on_disk(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    with live(path, terms()) as game:

        def fsync(handle: int) -> None:
            seen.append((turns_of(path), len(game.play.turns), len(game.play.open_actions)))

        monkeypatch.setattr(os, "fsync", fsync)
        game.enter("d4n")
        game.undo()
        game.enter("d4n end")
        game.take_back()
        game.resign()
    assert seen == [
        ("2g Ed4n ", 0, 0),
        ("2g Ed4n undo ", 0, 1),
        ("2g Ed4n undo Ed4n {0:00}\n", 0, 0),
        ("2g Ed4n undo Ed4n {0:00}\n2s {0:00} takeback\n", 1, 0),
        (
            "2g Ed4n undo Ed4n {0:00}\n2s {0:00} takeback\n2g resigns\n"
            '[Result "Silver"]\n[Reason "resignation"]\n',
            0,
            0,
        ),
    ]


DOINGS: list[Callable[[Hand], object]] = [
    lambda game: game.enter("rh7s"),
    lambda game: game.enter("end"),
    lambda game: game.undo(),
    lambda game: game.take_back(),
    lambda game: game.resign(),
    lambda game: game.agree_draw(),
    lambda game: game.remark("hello"),
]


@pytest.mark.parametrize("doing", DOINGS)
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EIO, errno.EDQUOT])
def test_what_cannot_be_written_does_not_count(
    doing: Callable[[Hand], object], error: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with live(path, terms(clock=BLITZ)) as game:
        game.enter("d4n end ra7s")
        before, content = standing(game.play, game.clock), path.read_bytes()

        def fsync(handle: int) -> None:
            raise OSError(error, os.strerror(error))

        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", fsync)
            with pytest.raises(FileError, match=str(os.strerror(error))):
                doing(game)
        assert standing(game.play, game.clock) == before
        assert path.read_bytes() == content
        doing(game)
        assert standing(replayed(path)) == standing(game.play)


def test_a_file_that_was_taken_away_is_noticed(path: Path) -> None:
    with live(path, terms()) as game:
        game.enter("d4n")
        before = standing(game.play)
        path.unlink()
        with pytest.raises(FileError, match=r"game\.txt"):
            game.enter("d5s")
        assert standing(game.play) == before


def test_an_illegal_action_is_not_written(path: Path) -> None:
    with live(path, terms()) as game:
        content = path.read_bytes()
        for line in ("a2s", "end", "d4n d4n", "hello", "💥", "undo"):
            with pytest.raises(TrineError):
                game.enter(line)
        with pytest.raises(IllegalError, match="no action to take back"):
            game.undo()
        with pytest.raises(IllegalError, match="no turn to take back"):
            game.take_back()
        assert path.read_bytes() == content


def test_a_game_does_not_begin_in_a_file_that_exists(path: Path) -> None:
    path.write_text("precious")
    with pytest.raises(FileError, match="exists"):
        begin_in_file(terms(), path)
    assert path.read_text() == "precious"


def test_a_game_with_impossible_terms_leaves_no_file(path: Path) -> None:
    for start, handicap in (("nonsense", ""), ("", "gold:queen")):
        with pytest.raises(TrineError):
            begin_in_file(terms(start=start, handicap=handicap), path)
        assert not path.exists()


def test_a_name_that_is_no_text_is_an_error_and_leaves_no_file(path: Path) -> None:
    agreed = replace(terms(), names=("\udcff", "Bert"))
    with pytest.raises(TrineError):
        begin_in_file(agreed, path)
    assert not path.exists()


def test_the_time_of_a_turn_counts_over_a_pause(path: Path, now: HandClock) -> None:
    with live(path, terms(clock=BLITZ), now) as game:
        now.wait(10)
        game.enter("d4n")
        game.close()
    assert turns_of(path) == "2g Ed4n {paused 0:10} "
    with resumed(path, now) as (game, _):
        now.wait(20)
        assert game.elapsed == 30
        game.enter("end")
        assert game.clock
        assert game.clock.reserves == (45, 60)
    assert turns_of(path) == "2g Ed4n {paused 0:10} {resumed 0:10} {0:30, 0:45 left}\n"
    with resumed(path, now) as (game, _):
        assert game.clock
        assert game.clock.reserves == (45, 60)
        assert game.elapsed == 0


def test_who_oversteps_after_a_pause_loses_by_time(path: Path, now: HandClock) -> None:
    with live(path, terms(clock=BLITZ), now) as game:
        now.wait(70)
        game.close()
    with resumed(path, now) as (game, _):
        now.wait(5.2)
        assert game.check_time()
        assert game.play.outcome == Outcome(1, Reason.TIME)
    with resumed(path, now) as (game, _):
        assert game.play.outcome == Outcome(1, Reason.TIME)


@pytest.mark.parametrize("words", ["0:59", "7", "1, 2, 3", "paused 7", "paused 0:59"])
def test_a_remark_is_never_taken_for_a_time(words: str, path: Path, now: HandClock) -> None:
    with live(path, terms(clock=BLITZ), now) as game:
        now.wait(5)
        game.remark(words)
        game.enter("d4n end")
        game.remark(words)
        game.take_back()
        game.remark(words)
        before = standing(game.play, game.clock)
    with resumed(path, now) as (game, _):
        assert standing(game.play, game.clock) == before
        assert game.elapsed == 5  # the turn is open again


def test_a_finished_game_is_resumed_as_it_is(path: Path) -> None:
    with live(path, terms()) as game:
        game.resign()
        game.close()
    content = path.read_bytes()
    with resumed(path) as (game, damage):
        assert damage is None
        assert game.play.outcome == Outcome(1, Reason.RESIGNATION)
        game.close()
    assert path.read_bytes() == content


def test_a_game_is_played_in_one_place_at_a_time(path: Path) -> None:
    with live(path, terms()) as game:
        game.enter("d4n")
        content = path.read_bytes()
        with pytest.raises(LockedError, match="being played"):
            resume_from_file(path)
        with pytest.raises(FileError, match="exists"):
            begin_in_file(terms(), path)
        assert path.read_bytes() == content
        game.enter("end")
    with resumed(path) as (game, _):
        assert game.play.turn_tag == "2s"
