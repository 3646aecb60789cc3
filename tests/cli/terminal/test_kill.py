"""A program that is killed within a turn: the clock neither gives nor takes, and offers stand."""

import re
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playing import DUEL, replayed, start_trine, type_line, wait_for_line
from trine.core.contract.position import Reason
from trine.play.session.file_journal import resume_from_file
from waiting import wait_until

MARGIN = 0.4
"""Units: seconds; by which a sign of life may be late on a busy machine."""


@contextmanager
def playing(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program that is killed in the end, whatever it is doing."""
    with start_trine(folder, *arguments) as process:
        try:
            yield process
        finally:
            process.kill()


def say(process: subprocess.Popen[str], line: str, answer: str) -> None:
    type_line(process, line)
    wait_for_line(process, answer)


def wait_for_heartbeat(path: Path) -> None:
    """Wait until a game that waits for a person has noted the time, as it does each second."""
    began = time.time()
    wait_until(lambda: path.stat().st_mtime > began + 0.8)


def reserves(path: Path) -> tuple[float, ...]:
    copy = path.with_name("copy.txt")
    copy.write_bytes(path.read_bytes())
    game, damage = resume_from_file(copy)
    game.journal.close()
    copy.unlink()
    assert damage is None
    assert game.clock
    return game.clock.reserves


def test_a_kill_neither_refunds_nor_costs_more_than_the_second_since_the_last_sign_of_life(
    tmp_path: Path, path: Path
) -> None:
    arguments = ["play", "corridor", "--clock", "0/5", "--log", str(path)]
    thought, passed, times = 0.0, 0.0, 2
    for _ in range(times):
        started = time.monotonic()
        with playing(tmp_path, *arguments) as process:
            wait_for_line(process, "1s: South to move")
            began = time.monotonic()
            for _ in range(2):  # a kill may take back one
                wait_for_heartbeat(path)
            thought += time.monotonic() - began
        passed += time.monotonic() - started
        arguments = ["resume", str(path)]
        time.sleep(0.6)  # nobody is at work
    started = time.monotonic()
    with playing(tmp_path, *arguments) as process:
        wait_for_line(process, "1s: South to move")
        say(process, "e2", "1n: North to move")
    passed += time.monotonic() - started
    used, least = 300 - reserves(path)[0], thought - times * (1 + MARGIN)
    assert 0 < least <= used <= passed


def test_what_was_typed_before_a_kill_stands_and_the_clock_goes_on_from_there(
    tmp_path: Path, path: Path
) -> None:
    arguments = ["--position", DUEL, "--clock", "0/5", "--log", str(path)]
    began = time.monotonic()
    with playing(tmp_path, "play", "arimaa", *arguments) as process:
        wait_for_line(process, "2g: Gold to move")
        wait_for_heartbeat(path)  # Gold thinks
        say(process, "d4n d5n", "so far: Ed4n Ed5n")
        passed = time.monotonic() - began
    assert [str(action) for action in replayed(path).open_actions] == ["Ed4n", "Ed5n"]
    with playing(tmp_path, "resume", str(path)) as process:
        wait_for_line(process, "so far: Ed4n Ed5n")
        say(process, "undo", "so far: Ed4n")
    (spent,) = re.findall(r"\{resumed 0:(\d\d\.\d|\d\d),", path.read_text())
    assert 0.7 <= float(spent) <= passed + 0.1


def test_an_offer_of_a_draw_survives_a_kill_and_is_shown(tmp_path: Path, path: Path) -> None:
    with playing(tmp_path, "play", "arimaa", "--clock", "0/5", "--log", str(path)) as process:
        wait_for_line(process, "1g: Gold to move")
        say(process, "offer draw", "accept or decline")
    with playing(tmp_path, "resume", str(path)) as process:
        wait_for_line(process, "Gold offers a draw")
        wait_for_line(process, "accept or decline")
        say(process, "accept", "draw (agreement)")
    outcome = replayed(path).outcome
    assert outcome
    assert outcome.reason is Reason.AGREEMENT
