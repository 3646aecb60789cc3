"""Matches: the same games however they are played, none lost and none twice, also after a kill."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.arena.matches import BrokenOpenings, play_through, records_by_number, small_match
from playing import environment
from trine.cli.commands.match import read_entrants
from trine.core.contract.position import Reason
from trine.core.errors import FileError, LockedError, MalformedError, TrineError
from trine.engine.arena.elo import Sprt, Tally, Verdict
from trine.engine.arena.match import Match, Played
from trine.engine.arena.run import Ledger, Started
from trine.engine.arena.schedule import everyone_against_everyone, schedule
from trine.engine.players.player import transcripts_path
from trine.play.record.formats import read_file
from trine.play.record.replay import replay
from waiting import PATIENCE, wait_until, wait_until_gone

KILLED = """\
import sys, time
from pathlib import Path
from engine.arena.matches import BrokenOpenings, play_through, small_match
if __name__ == "__main__":
    play_through(small_match("random", sys.argv[3]), 1000, Path(sys.argv[1]),
                 processes=int(sys.argv[2]))
"""
"""It plays more games than are over before anything happens to it, however late that is."""


# --- the same games ------------------------------------------------------------------------------


def test_a_match_is_the_same_every_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        play_through(small_match("random", "random"), 6, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    play_through(small_match("random", "random"), 2, tmp_path / "one")
    play_through(small_match("random", "random", seed=2), 2, tmp_path / "two")
    one, two = (records_by_number(tmp_path / name) for name in ("one", "two"))
    assert one.keys() == two.keys()
    assert all(one[number] != two[number] for number in one)


def test_a_match_does_not_depend_on_how_many_games_are_played_at_once(tmp_path: Path) -> None:
    match = small_match("random", "first", game="corridor", openings="start", size="5")
    for processes in (0, 2):
        play_through(match, 8, tmp_path / str(processes), processes=processes)
    alone = records_by_number(tmp_path / "0")
    assert list(alone) == list(range(1, 9))
    assert records_by_number(tmp_path / "2") == alone


def test_every_game_in_the_file_is_a_record_that_can_be_replayed(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    play_through(small_match("random", "crash:3"), 4, path)
    form, records = read_file(path)
    assert form.name == "trine"
    games = list(records)
    assert len(games) == 4
    for number, record in enumerate(games, start=1):
        assert replay(record).outcome
        assert record.tags["Round"] == str(number)
        assert record.tags["TimeControl"] == "100 nodes"
    # Both games of a pair begin alike.
    for first, second in (games[:2], games[2:]):
        assert first.tags["Start"] == second.tags["Start"]
        assert (first.tags["White"], second.tags["White"]) == ("A", "B")
    assert games[0].tags["Start"] != games[2].tags["Start"]


# --- breaking off and going on -------------------------------------------------------------------


def test_a_match_that_was_broken_off_goes_on_where_it_was(tmp_path: Path) -> None:
    match = small_match("random", "random")
    play_through(match, 6, tmp_path / "whole")
    for most in (1, 2, None):
        standings, events = play_through(match, 6, tmp_path / "pieces", at_most=most)
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()
    assert [event.fixture.number for event in events if isinstance(event, Played)] == [4, 5, 6]
    assert not standings.missing()
    assert play_through(match, 6, tmp_path / "pieces")[1] == []


def test_a_match_can_be_made_longer(tmp_path: Path) -> None:
    match = small_match("random", "random", "first")
    play_through(match, 2, tmp_path / "games")
    play_through(match, 4, tmp_path / "games")
    play_through(match, 4, tmp_path / "at once")
    assert (tmp_path / "games").read_bytes() == (tmp_path / "at once").read_bytes()


@pytest.mark.parametrize("processes", [pytest.param(1, marks=pytest.mark.nightly), 2])
def test_a_killed_match_loses_no_game_and_repeats_none(tmp_path: Path, processes: int) -> None:
    match, path = small_match("random", "slow:0.004"), tmp_path / "killed"
    for more in (3, 4):
        running = _play_apart(path, processes, "slow:0.004")
        children = _wait_for_games(path, more, running)
        running.kill()
        running.communicate()
        wait_until_gone(children)
    kept = records_by_number(path)
    assert len(kept) >= 7
    games = max(kept) // 2 * 2 + 6
    play_through(match, games, path)
    play_through(match, games, tmp_path / "whole")
    whole = records_by_number(tmp_path / "whole")
    assert records_by_number(path) == whole
    assert path.read_text().count("[Round ") == games
    if processes == 1:
        assert path.read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_killed_match_leaves_no_programs_behind(tmp_path: Path) -> None:
    running = _play_apart(tmp_path / "killed", 1, "program:0.1")
    children = _wait_for_games(tmp_path / "killed", 1, running)
    programs: list[int] = []

    def begun() -> bool:
        programs.extend(one for child in children for one in _children(child))
        return bool(programs)

    wait_until(begun)
    running.kill()
    running.communicate()
    wait_until_gone([*children, *programs])


def _play_apart(path: Path, processes: int, kind: str) -> subprocess.Popen[bytes]:
    script = path.with_suffix(".py")
    script.write_text(KILLED)
    env = environment(path.parent / "home")
    env["PYTHONPATH"] += os.pathsep + str(Path(__file__).resolve().parents[2])
    return subprocess.Popen(
        [sys.executable, str(script), str(path), str(processes), kind],
        env=env,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def _children(process: int) -> list[int]:
    return list(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))


def _wait_for_games(path: Path, more: int, running: subprocess.Popen[bytes]) -> list[int]:
    """Wait until a file has so many more games; the processes of those who play."""

    def games() -> int:
        return path.read_bytes().count(b"\n[Reason ") if path.exists() else 0

    before = games()

    def there() -> bool:
        assert running.poll() is None, f"it ended before {more} games"
        return games() >= before + more

    wait_until(there)
    return _children(running.pid)


@pytest.mark.parametrize("cut", [1, 2, 30, 200, 2000])
def test_a_torn_end_is_set_aside_and_its_game_played_again(tmp_path: Path, cut: int) -> None:
    match, path = small_match("random", "random"), tmp_path / "games"
    play_through(match, 4, path)
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    play_through(match, 4, path)
    assert path.read_bytes() == whole


def test_a_torn_head_begins_anew(tmp_path: Path) -> None:
    match, path = small_match("random", "random"), tmp_path / "games"
    play_through(match, 2, path)
    whole = path.read_bytes()
    for cut in (3, 40):
        path.write_bytes(whole[:cut])
        play_through(match, 2, path)
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    "other",
    [
        small_match("random", "first"),
        small_match("random", "random", seed=2),
        small_match("random", "random", openings="random:2"),
        small_match("random", "random", seconds=1),
        small_match("random", "random", game="tzaar/open"),
        small_match("random", "random", setup="fixed"),
    ],
)
def test_the_file_of_another_match_is_not_touched(tmp_path: Path, other: Match) -> None:
    path = tmp_path / "games"
    play_through(small_match("random", "random"), 2, path)
    before = path.read_bytes()
    with pytest.raises(FileError, match="holds a match with other"):
        play_through(other, 2, path)
    assert path.read_bytes() == before


def test_the_file_of_a_match_with_further_terms_is_not_touched(tmp_path: Path) -> None:
    match, path = small_match("random", "random"), tmp_path / "games"
    play_through(match, 2, path)
    head, rest = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text(f'{head[:-1]}, "challenge": [["camel"]]}}\n{rest}', encoding="utf-8")
    with pytest.raises(FileError, match="other challenge"):
        play_through(match, 2, path)


def test_the_same_players_in_another_order_are_another_match(tmp_path: Path) -> None:
    match, path = small_match("random", "random"), tmp_path / "games"
    play_through(match, 2, path)
    with pytest.raises(FileError, match="other players"):
        play_through(replace(match, entrants=match.entrants[::-1]), 2, path)


def test_a_file_that_is_no_match_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Anna,\n")
    with pytest.raises(FileError, match="not the file of a match"):
        play_through(small_match("random", "random"), 2, path)
    assert path.read_text() == "Dear Anna,\n"


def test_one_match_at_a_time_is_written_to_a_file(tmp_path: Path) -> None:
    match = small_match("random", "random")
    ledger = Ledger.open(tmp_path / "games", match.terms())
    with pytest.raises(LockedError):
        Ledger.open(tmp_path / "games", match.terms())
    ledger.close()


# --- players who do wrong ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "processes"), [("crash", 0), ("illegal:1", 0), ("silent:2", 2), ("absent", 0)]
)
def test_a_player_who_does_wrong_loses_and_the_match_goes_on(
    tmp_path: Path, kind: str, processes: int
) -> None:
    path = tmp_path / "games"
    standings, _ = play_through(small_match("random", kind), 4, path, processes=processes)
    assert standings.tally(0).wins == 4
    assert standings.lost_by(1, Reason.FORFEIT) == 4
    transcripts = transcripts_path(path).read_text()
    assert transcripts.count("=== game ") == 4
    if kind == "silent:2":
        assert ">> go" in transcripts


def test_players_are_stopped_when_a_match_is_broken_off() -> None:
    began = time.monotonic()
    match = small_match("random", "slow:600", seconds=1_200)
    running = play_through(match, 4, processes=2, at_most=0)
    assert isinstance(running[1][0], Started)
    assert time.monotonic() - began < PATIENCE


def test_a_process_that_dies_ends_the_match_with_a_word(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with pytest.raises(TrineError, match="has died"):
        play_through(small_match("random", "die:3"), 4, path, processes=2)
    play_through(small_match("random", "random"), 2, tmp_path / "other")


@pytest.mark.parametrize("processes", [0, 2])
def test_a_fault_of_our_own_names_its_game_and_keeps_the_others(
    tmp_path: Path, processes: int
) -> None:
    path, match = tmp_path / "games", small_match("random", "first")
    wrong = replace(match, openings=BrokenOpenings(match.openings.game, match.openings.rules))
    # Both games of the third opening fail; with two at once, either can be the first.
    first = "[56]" if processes else "5"
    failed = f"^game {first} failed: LookupError: page torn out"
    with pytest.raises(TrineError, match=f"{failed}; more is in"):
        play_through(wrong, 6, path, processes=processes)
    # With two at once, one of the first four may still be played.
    assert len(records_by_number(path).keys() & {1, 2, 3, 4}) >= 4 - processes // 2
    kept = transcripts_path(path).read_text()
    assert re.match(f"=== game {first}: LookupError: page torn out\n", kept)
    assert "Traceback" in kept and "matches.py" in kept
    standings, _ = play_through(match, 6, path)
    assert not standings.missing()
    with pytest.raises(TrineError, match=r"^game 5 failed: LookupError: page torn out$"):
        play_through(wrong, 6)


class BrokenTest(Sprt):
    def verdict(self, tally: Tally) -> Verdict | None:
        if tally.games == 4:
            raise ZeroDivisionError("by accident")
        return None


def test_a_test_that_fails_names_the_game_and_keeps_it(tmp_path: Path) -> None:
    match = small_match("random", "first")
    with pytest.raises(TrineError, match=r"^game 4 failed: ZeroDivisionError"):
        play_through(match, 6, tmp_path / "games", test=BrokenTest(0, 5))
    assert records_by_number(tmp_path / "games").keys() == {1, 2, 3, 4}


def test_an_unknown_player_ends_the_match() -> None:
    for processes in (0, 1):
        with pytest.raises(MalformedError, match="nobody of that name"):
            play_through(small_match("random", "unknown"), 2, processes=processes)


def test_ctrl_c_reaches_only_who_leads_the_match(tmp_path: Path) -> None:
    running = _play_apart(tmp_path / "games", 2, "slow:0.004")
    children = _wait_for_games(tmp_path / "games", 3, running)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    _, said = running.communicate(timeout=PATIENCE)
    assert said.count(b"Traceback") == said.count(b"KeyboardInterrupt") == 1  # the script's own
    wait_until_gone(children)


# --- who meets whom ------------------------------------------------------------------------------


def test_in_a_round_robin_everyone_meets_everyone_with_both_colours() -> None:
    games = schedule(everyone_against_everyone(4, 2), 4)
    met = [game.lineup for game in games]
    assert len(met) == 4 * 3 * 2
    assert all(met.count((one, two)) == 2 for one in range(4) for two in range(4) if one != two)


def test_of_three_everybody_sits_everywhere_once_for_each_opening() -> None:
    games = schedule(everyone_against_everyone(3, 3), 6)
    for opening in (0, 1):
        lineups = [game.lineup for game in games if game.opening == opening]
        for seat in range(3):
            assert sorted(lineup[seat] for lineup in lineups) == [0, 1, 2]


def test_a_number_of_games_that_does_not_come_out_even_is_refused() -> None:
    for games in (0, 1, 3):
        with pytest.raises(MalformedError):
            schedule([(0, 1)], games)
    with pytest.raises(MalformedError):
        everyone_against_everyone(2, 3)


def test_names_must_differ_and_clocks_must_not() -> None:
    match = small_match("random", "random")
    one, _ = match.entrants
    with pytest.raises(MalformedError, match="two players are called"):
        Match((one, one), match.openings)
    with pytest.raises(MalformedError, match="the same clock"):
        read_entrants(["A=bot:1", "B=bot:2"], ["1s/10s", "2s/10s"], [], [])


# --- the test ------------------------------------------------------------------------------------


def test_the_test_ends_the_match_with_the_same_pair_however_it_is_played(tmp_path: Path) -> None:
    match = small_match("random", "crash:1")
    verdicts = set()
    for processes in (0, 2):
        standings, _ = play_through(
            match, 400, tmp_path / str(processes), processes=processes, test=Sprt(0, 100)
        )
        verdicts.add((standings.verdict, standings.last_group, standings.tally(0)))
    ((verdict, last, tally),) = verdicts
    assert verdict == "H1"
    assert last is not None
    assert tally.games == 2 * (last + 1) < 400
    again, events = play_through(match, 400, tmp_path / "0", test=Sprt(0, 100))
    assert again.verdict == "H1"
    assert events == []
