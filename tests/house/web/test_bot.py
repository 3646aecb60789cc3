"""`trine bot`: programs of others play at a house, also when it breaks down, or they do."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.protocol.fakes import FAKE_ENGINE
from house.web.clients import Client
from house.web.served import Served, start
from house.web.test_api import Program, a_bot
from house.web.test_people import register
from playing import TRINE, environment, run_trine, wait_for_line
from trine.core.contract.record import read_records
from trine.play.record.replay import replay
from waiting import PATIENCE, wait_until

SIMPLE = f"{sys.executable} -m pyrimaa.simple_engine"
DYING = f"{sys.executable} {Path(__file__).with_name('dying_engine.py')}"
AEI = f"{FAKE_ENGINE} aei"
SHORT = "10s/10s/100/10s/6s"
"""A game is scored after six seconds of thinking."""


OWN_HOUSE = {"address_credits": 20_000}


@contextmanager
def a_program(
    folder: Path, served: Served, name: str, *words: str
) -> Iterator[tuple[subprocess.Popen[str], Program]]:
    """`trine bot` in the name of a new account, once it is at the house."""
    _, program = a_bot(served, name)
    file = folder / f"{name}.token"
    file.write_text(f"{program.token}\n")
    given = [*TRINE, "bot", "--server", served.address, "--token-file", str(file), *words]
    process = subprocess.Popen(
        given,
        env=environment(folder / ".home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        wait_for_line(process, f"connected as {name}")
        yield process, program
    finally:
        if process.poll() is None:  # so that no program of its own is left behind
            interrupt(process)
            interrupt(process)
            process.wait(PATIENCE)
        assert process.stdout
        process.stdout.close()


def ended(process: subprocess.Popen[str], patience: float = PATIENCE) -> str:
    """What it still says until it ends by itself."""
    told, _ = process.communicate(timeout=patience)
    assert "Traceback" not in told
    return told


def interrupt(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)


def game_of(process: subprocess.Popen[str]) -> str:
    """The game of which it tells next."""
    assert process.stdout
    return next(line.split()[1].rstrip(":") for line in process.stdout if " against " in line)


def record(served: Served, game: str) -> str:
    return Client(served.address).get(f"/game/{game}/record?download").text


def test_the_simple_engine_of_pyrimaa_plays_rated_games(served: Served, tmp_path: Path) -> None:
    simple = ("--engine", SIMPLE, "--only", "rated", "--games", "3")
    with a_program(tmp_path, served, "Simple", *simple) as (host, _):
        # An account is found under its name however it is written, and its games are known by ids.
        match = ("--challenge", "sím.ple", "--clock", SHORT, "--rated", "--rounds", "2")
        with a_program(tmp_path, served, "Chance", "--engine", AEI, *match) as (guest, _):
            told = ended(guest)
        assert guest.returncode == 0, told
        names = [line.split()[1] for line in told.splitlines() if "is over" in line]
        assert len(names) == 2, told
        for number, name in enumerate(names):
            (read,) = read_records(record(served, name).splitlines(keepends=True))
            play = replay(read)
            assert play.outcome and len(play.turns) > 4
            assert read.tags[("Gold", "Silver")[number]] == "Chance (bot)", "sides are swapped"
        page = Client(served.address).get("/player/Simple").text
        assert page.count('<td><a href="/game/') == 2 and "badge" in page
        interrupt(host)
        assert host.wait(PATIENCE) == 0, "Ctrl-C, and nothing to finish"


def test_two_programs_join_a_tournament_and_play_it(served: Served, tmp_path: Path) -> None:
    owner = register(served, "Arbiter")
    given = {"game": "arimaa", "rules": "official", "format": "swiss", "rounds": "1"}
    page = owner.ask("POST", "/tournaments", {**given, "name": "Programs", "own-clock": SHORT})
    assert page.status == 303, page.text
    path = page.headers["location"]
    joins = ("--engine", AEI, "--tournament", f"{served.address.rstrip('/')}{path}")
    with (
        a_program(tmp_path, served, "Swiss One", *joins) as (one, program),
        a_program(tmp_path, served, "Swiss Two", *joins) as (two, _),
    ):
        for process, name in ((one, "Swiss One"), (two, "Swiss Two")):
            wait_for_line(process, f"{name} has joined Programs")
        assert owner.post(f"{path}/begin").status == 303
        game = game_of(one)
        wait_for_line(one, f"{game} is over")
        asked = f"/api/tournaments/{path.rpartition('/')[2]}"
        wait_until(lambda: program.ask("GET", asked)[1]["stage"] == "over")
        told = program.ask("GET", asked)[1]
        assert [paired["game"] for paired in told["pairings"]] == [game]
        assert sorted(told["pairings"][0]["points"]) in ([0, 1], [0.5, 0.5])


@pytest.mark.nightly
def test_games_outlive_the_house_and_are_given_up_as_told(
    served: Served, folder: Path, tmp_path: Path
) -> None:
    clock = ("--clock", "30+20")
    with (
        a_program(tmp_path, served, "Stays", "--engine", AEI) as (host, _),
        a_program(tmp_path, served, "Goes", "--engine", SIMPLE, "--challenge", "Stays", *clock) as (
            guest,
            goes,
        ),
    ):
        name = game_of(guest)
        turns = turns_after(goes, name, 4)
        served.kill()
        wait_for_line(guest, "cannot be reached")
        served.process = start(folder, served.port, 20_000).process
        turns_after(goes, name, turns + 4)
        interrupt(guest)
        wait_for_line(guest, "finishing 1 games first")
        interrupt(guest)
        assert guest.wait(PATIENCE) == 130
        wait_for_line(host, "is over")
        assert goes.ask("GET", f"/api/games/{name}")[1]["winner"] is not None
        interrupt(host)
        assert host.wait(PATIENCE) == 0
    assert "resigns" in record(served, name)


def turns_after(program: Program, game: str, least: int) -> int:
    count = 0

    def are_played() -> bool:
        nonlocal count
        status, told = program.ask("GET", f"/api/games/{game}")
        count = len(told["turns"]) if status == 200 else 0
        return count >= least

    wait_until(are_played, 0.25)
    return count


def test_a_program_that_dies_gives_its_game_up_and_no_other(served: Served, tmp_path: Path) -> None:
    _, eve = a_bot(served, "Eve Bot")
    with a_program(tmp_path, served, "Dying", "--engine", DYING, "--from", "Eve Bot") as (host, _):
        _, other = a_bot(served, "Other Bot")
        wish = {"to": "Dying", "game": "arimaa", "side": 0, "clock": "30+20"}
        with other.events() as events:
            assert other.ask("POST", "/api/challenges", wish)[0] == 200
            events.until("challenge-gone")
        with eve.events() as events:
            assert eve.ask("POST", "/api/challenges", {**wish, "clock": ""})[0] == 200
            events.until("challenge-gone")
            assert eve.ask("POST", "/api/challenges", {**wish, "game": "tzaar"})[0] == 200
            events.until("challenge-gone")
            assert eve.ask("POST", "/api/challenges", wish)[0] == 200
            game = events.until("game")
            lines = ("Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Db2 Hc2 Md2 Ee2 Hf2 Dg2 Ch2", "Ee2n")
            for number, line in enumerate(lines):
                turn = {"t": "turn", "id": f"d.{number}", "at": game["seq"], "line": line}
                assert eve.ask("POST", f"/api/games/{game['id']}", turn)[0] == 200
                while not number and len(game["turns"]) < 2:
                    game = events.until("game")
            over = events.until("game", stage="over")
        assert over["winner"] == 0 and len(over["turns"]) == 3
        wait_for_line(host, "code 3")
        interrupt(host)
        assert host.wait(PATIENCE) == 0


def test_what_is_wrong_is_said_at_once(served: Served, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("trine_" + "x" * 43)
    two = tmp_path / "two"
    two.write_text("trine_a\ntrine_b\n")
    engine = ("--engine", AEI)

    at = ("--server", served.address, "--token-file", file)
    for words, status, sentence in (
        ((*at, *engine), 1, "no longer good"),
        (at, 2, "either --engine or --level"),
        ((*at, "--engine", "false"), 2, "ended with code 1"),
        ((*at, *engine, "--accept", "chess"), 2, "chess"),
        (("--server", "http://example.org", "--token-file", file, *engine), 2, "unencrypted"),
        (("--server", served.address, "--token-file", tmp_path / "no", *engine), 2, "No such"),
        (("--server", served.address, "--token-file", two, *engine), 2, "expected one line"),
        (("--server", "http://localhost:9", "--token-file", file, *engine), 1, "reached"),
    ):
        done = run_trine(tmp_path, "bot", *words, status=status)
        assert sentence in done.stdout + done.stderr, done
