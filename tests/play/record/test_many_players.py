"""Games of three and four: who leaves, what the log says, how it is resumed."""

import os
import random
from pathlib import Path

import pytest

from play.record.logs import undated
from playing import HandClock, agreed, live, play_at_random, replayed, resumed, standing, watched
from trine.core.contract.position import Outcome, Reason
from trine.core.contract.record import read_records
from trine.core.errors import IllegalError, TrineError
from trine.games import new_play
from trine.play.record.replay import replay
from trine.play.record.text_files import newest_unfinished

LEAVING = """\
[Game "corridor"]
[Rules "quoridor"]
[Players "4"]

1s e2
1w resigns
1n e8
1e lost
2s e3
2n e3h
3s resigns
"""


def test_whose_time_is_up_leaves_the_board_and_the_others_play_on(path: Path) -> None:
    now = HandClock()
    with live(path, agreed("corridor/great-wall", players=3, clock="0/1"), now) as game:
        game.enter("@e1")
        now.wait(61)
        assert game.check_time()
        assert (game.play.outcome, game.play.turn_tag) == (None, "1n")
        assert game.time_left == 60
        now.wait(61)
        assert game.check_time()
        assert game.play.outcome == Outcome(0, Reason.TIME)
    assert "1w lost {1:01, 0:00 left}\n1n lost\n" in undated(path.read_text())


def test_who_has_left_is_not_to_move() -> None:
    (record,) = read_records(LEAVING.replace("2s e3", "2s e3\n2w b5").splitlines(keepends=True))
    with pytest.raises(TrineError, match="this is turn 2n"):
        replay(record)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_many_goes_on_from_every_whole_write(path: Path, players: int, seed: int) -> None:
    now, rng = HandClock(), random.Random(seed)
    terms = agreed("corridor/great-wall", players=players, size=4, clock="1/2", takebacks=True)
    with live(path, terms, now) as game, watched(game) as known:
        play_at_random(game, now, rng, 40)
    content = path.read_bytes()
    for length, stood in list(known.items())[:: max(1, len(known) // 12)]:
        if content[:length].count(b"\n\n") == 0:
            continue
        path.write_bytes(content[:length])
        with resumed(path, now) as (again, damage):
            assert damage is None
            assert standing(again.play, again.clock) == stood


def test_leaving_is_undone_by_nothing_but_consent() -> None:
    play = new_play("corridor/quoridor", players=4)
    play.leave(Reason.RESIGNATION)
    with pytest.raises(IllegalError):
        play.undo()


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("tzaar/open", {"setup": "random", "seed": 3}),
        ("tzaar/official", {"setup": "placement"}),
        ("corridor/quoridor", {"players": 2, "size": 5}),
        ("corridor/great-wall", {"players": 3, "size": 4}),
    ],
)
def test_a_log_torn_anywhere_is_gone_on_with_by_whoever_is_to_move(
    path: Path, game: str, options: dict[str, object]
) -> None:
    now, rng = HandClock(), random.Random(9)
    with live(path, agreed(game, "", clock="5+3", takebacks=True, **options), now) as played:
        play_at_random(played, now, rng, 7)
    content = path.read_bytes()
    for length in range(content.index(b"\n\n") + 2, len(content)):
        path.write_bytes(content[:length])
        with resumed(path, now) as (again, _):
            if again.play.outcome:
                continue
            turns, tag = len(again.play.turns), again.play.turn_tag
            opened = bool(again.play.open_actions)
            again.act(again.play.legal_actions()[0])
            assert len(again.play.turns) > turns or again.play.turn_tag == tag
        lines = path.read_text().splitlines()
        assert lines[-1 if lines[-1] else -2].startswith(f"{tag} ") or "[Re" in lines[-1]
        stood = again.play.position
        assert replayed(path).position == stood, (length, opened)
        path.with_name("game.txt.damaged").unlink(missing_ok=True)


def test_a_line_holds_one_turn() -> None:
    merged = '[Game "corridor"]\n\n1s e2 e8\n'
    (record,) = read_records(merged.splitlines(keepends=True))
    with pytest.raises(TrineError, match="the turn is over"):
        replay(record)


@pytest.mark.parametrize(
    ("body", "result", "reason"),
    [
        ("1s e2\n", "West", "resignation"),
        ("1s e2\n1w resigns\n", "West", "forfeit"),
        ("1s e2\n1w resigns\n", "West", "time"),
        ("1s e2\n", "South", "score"),
    ],
)
def test_a_result_that_cannot_be_is_refused(body: str, result: str, reason: str) -> None:
    words = f'[Game "corridor"]\n[Players "4"]\n\n{body}[Result "{result}"]\n[Reason "{reason}"]\n'
    (record,) = read_records(words.splitlines(keepends=True))
    with pytest.raises(TrineError, match="the rules say"):
        replay(record)


def test_a_clock_for_the_whole_game_cannot_come_in_by_a_record(path: Path) -> None:
    path.write_text('[Game "tzaar"]\n[Clock "0/5/100/0/1t"]\n\n')
    with pytest.raises(TrineError, match="TZAAR has no score"), resumed(path):
        pass
    assert "Result" not in path.read_text()


def test_the_last_game_that_is_not_over_is_found(tmp_path: Path) -> None:
    with pytest.raises(TrineError, match="no unfinished game, neither in this folder nor"):
        newest_unfinished(tmp_path)
    for number, tail in enumerate(
        ("", "1s e2\n", '1s resigns\n[Result "North"]\n[Reason "resignation"]\n')
    ):
        log = tmp_path / f"{number}.txt"
        log.write_text(f'[Game "corridor"]\n\n{tail}')
        os.utime(log, (number, number))
    (tmp_path / "notes.txt").write_text("no game")
    assert newest_unfinished(tmp_path).name == "1.txt"
