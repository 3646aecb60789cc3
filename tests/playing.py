"""Helpers for tests of plays, records and dialogues: a clock set by hand, plays, a terminal.

Everything random is seeded, so that failures can be reproduced.
"""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from unittest import mock

from rich.console import Console

from capturing import captured
from forking import forks
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.screen import Screen
from trine.core.clock import Clock, parse_time_control
from trine.core.contract.position import Action
from trine.core.contract.record import Record, read_records
from trine.core.play import Play
from trine.core.text.language import open_language
from trine.games import open_room, parse_game
from trine.play.record.agreed_terms import Terms
from trine.play.record.formats import read_file
from trine.play.record.log import Damage, Log
from trine.play.record.replay import replay
from trine.play.session import commands, file_journal
from trine.play.session.changes import apply_entry
from trine.play.session.game import Game, Now
from trine.play.session.state import Entry, Kind

HOUSE = Path(__file__).resolve().parent.parent
ARIMAA = open_room("arimaa")

HANDICAP = "gold:m,h,h,d,d,c,c,r,r,r,r,r,r silver:m,h,h,d,d,c,c,r,r,r,r,r,r"
"""Leaves an elephant and two rabbits for each side, so that a setup is short."""
DUEL = "2g 8/r1c4r/8/2e1h3/3E4/8/R3C1HR/8"
"""A few pieces of each side, close to each other and to the traps."""
NEAR_GOAL = "2g 8/R7/8/8/4e3/8/7r/4E3"
"""A position that Ra7n wins."""
SHORT = f"""\
[Game "arimaa"]
[Rules "official"]
[Gold "Anna"]
[Silver "Bert"]
[Handicap "{HANDICAP}"]

1g Ra1 Rh1 Ee2 {{0:10}}
1s ra8 rh8 ee7 {{0:11}}
2g Ee2n Ee3n {{0:12}}
2s ee7s {{0:13}}
"""
"""A record of an unfinished play: turn 3g is next."""

Standing = tuple[object, ...]
"""The state of a play that must survive a restart; equal values mean equal plays."""


class HandClock:
    def __init__(self, now: float = 1_800_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


def terms(
    rules: str = "official",
    *,
    clock: str = "",
    start: str = DUEL,
    handicap: str = "",
    takebacks: bool = True,
    draws: bool = True,
) -> Terms:
    return Terms.agree(
        ARIMAA,
        rules,
        {"Handicap": handicap} if handicap else {},
        start,
        names={"Gold": "Anna", "Silver": "Bert"},
        clock=parse_time_control(clock) if clock else None,
        takebacks=takebacks,
        draws=draws,
    )


def standing(play: Play, clock: Clock | None = None) -> Standing:
    """Return the position, the turns with their repetitions, the open turn, the outcome, the clock."""
    return (
        play.position,
        play.turn_tag,
        tuple((turn.number, turn.player, turn.actions, turn.after) for turn in play.turns),
        play.open_actions,
        play.outcome,
        tuple(play.history.times(turn.after.key) for turn in play.turns),
        clock,
    )


def records_in(words: str) -> list[Record]:
    return list(read_records(io.StringIO(words, newline="\n"), "game.txt"))


def replayed(path: Path) -> Play:
    _, records = read_file(path)
    (record,) = records
    return replay(record)


class Hand(Game[file_journal.FileJournal]):
    """A game in a file, with a method for each thing that people at one board do."""

    @classmethod
    def of(cls, game: Game[file_journal.FileJournal], now: Now | None = None) -> Hand:
        """Return a game with these methods, on the state and file of another game."""
        return cls(game.state, game.journal, now or HandClock())

    def act(self, action: Action) -> None:
        self.do(commands.Act(self.play.check([action])))

    def undo(self) -> None:
        self.do(commands.Undo())

    def take_back(self, turns: int = 1) -> None:
        self.do(commands.TakeBack(turns, agreed=True))

    def resign(self) -> None:
        self.do(commands.Resign(self.play.mover))

    def agree_draw(self) -> None:
        self.do(commands.AgreeDraw())

    def forfeit(self, why: str) -> None:
        self.do(commands.Forfeit(self.play.mover, why))

    def remark(self, words: str) -> None:
        self.do(commands.Remark(words))

    @property
    def log(self) -> Log:
        return self.journal.log


@contextmanager
def live(path: Path, agreed: Terms, now: HandClock | None = None) -> Iterator[Hand]:
    """Begin a game in a file, and close its log at the end."""
    game = Hand.of(file_journal.begin_in_file(agreed, path, now := now or HandClock()), now)
    try:
        yield game
    finally:
        game.log.close()


@contextmanager
def resumed(path: Path, now: HandClock | None = None) -> Iterator[tuple[Hand, Damage | None]]:
    """Resume a game from a file, and close its log at the end."""
    now = now or HandClock()
    game, damage = file_journal.resume_from_file(path, now)
    try:
        yield Hand.of(game, now), damage
    finally:
        game.journal.close()


@contextmanager
def swift_disk() -> Iterator[None]:
    """Turn `os.fsync` off; other tests check that logs are synced."""
    with mock.patch.object(os, "fsync"):
        yield


@swift_disk()
def play_at_random(game: Hand, now: HandClock, rng: random.Random, doings: int) -> None:
    """Act, undo, take back, remark, and rarely end the game, at random, up to ``doings`` times."""
    for _ in range(doings):
        now.wait(rng.choice((0.0, 0.04, 0.1, 1.75, 9.96)))
        if game.check_time() or game.play.outcome:
            return
        dice = rng.random()
        if dice < 0.08 and game.play.open_actions:
            game.undo()
        elif dice < 0.13 and game.play.turns and game.terms.takebacks:
            game.take_back()
        elif dice < 0.18:
            game.remark(rng.choice(("declined", "Gold offers a draw", "{0:10}", "a; b", "")))
        elif dice < 0.185:
            game.resign()
        elif dice < 0.19 and game.terms.draws:
            game.agree_draw()
        else:
            actions = game.play.legal_actions()
            game.act(actions[-1] if rng.random() < 0.2 else rng.choice(actions))


@contextmanager
def watched(game: Hand) -> Iterator[dict[int, Standing]]:
    """Record the state of the play at each length of the log that ends in a whole entry.

    The state is read before an append, because the play has then counted all earlier entries.
    """
    known: dict[int, Standing] = {}
    append = game.journal.append

    def noting(entries: Sequence[Entry]) -> None:
        state, length, line_open = game.state, path.stat().st_size, game.log.line_open
        for entry in entries:
            for part in in_parts(entry):
                known[length] = standing(state.play, state.clock)
                state = apply_entry(state, part)
                line = file_journal.format_entry(
                    part, state.play.position.seats, line_open=line_open
                )
                if "result" in part.data:  # if torn off, it follows from earlier entries
                    before = line.partition("[Result ")[0]
                    known[length + len(before.encode())] = standing(state.play, state.clock)
                length += len(line.encode())
                line_open = not line.endswith("\n")
        append(entries)

    path = game.journal.path
    with mock.patch.object(game.journal, "append", noting):
        yield known
        known[path.stat().st_size] = standing(game.play, game.clock)


def in_parts(entry: Entry) -> list[Entry]:
    """Split an entry into the smallest parts that a torn file can end with."""
    if entry.kind is Kind.UNDO:
        return [replace(entry, data={**entry.data, "count": 1})] * int(entry.data["count"])
    return [entry]


def random_play(seed: int, doings: int, rules: str = "official", start: str = DUEL) -> Play:
    rng = random.Random(seed)
    play = Play(ARIMAA, terms(rules, start=start).start)
    for _ in range(doings):
        actions = play.legal_actions()
        if not actions:
            break
        play.act_unchecked(rng.choice(actions))
    return play


# --- conversations -------------------------------------------------------------------------------


def agreed(game: str, position: str = "", **settled: object) -> Terms:
    """Return terms of any game; ``settled`` are its options, the clock and takebacks."""
    room, rules = parse_game(game)
    tags = {option.tag for option in room.rules.options}
    options = {name.capitalize(): str(value) for name, value in settled.items()}
    return Terms.agree(
        room,
        rules,
        {tag: value for tag, value in options.items() if tag in tags},
        position,
        clock=parse_time_control(options["Clock"]) if "Clock" in options else None,
        takebacks="Takebacks" in options,
    )


class Script:
    """A reader with scripted lines; callables among them are called in between."""

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        self._lines = iter(lines)
        self.prompts: list[str] = []
        self.left: list[float] = []

    def read(self, prompt: str, left: float = float("inf")) -> str:
        self.prompts.append(prompt)
        self.left.append(left)
        for line in self._lines:
            if isinstance(line, str):
                return line
            line()
        raise EOFError


def plain_screen(language: str = "en") -> Screen:
    return Screen(open_language(language), Console(file=io.StringIO(), width=100))


def shown(screen: Screen) -> str:
    assert isinstance(screen.console.file, io.StringIO)
    return screen.console.file.getvalue()


def converse(game: Hand, *lines: str | Callable[[], object], language: str = "en") -> Dialogue:
    dialogue = Dialogue(game, plain_screen(language))
    dialogue.run(Script(*lines))
    return dialogue


# --- the command line ----------------------------------------------------------------------------


def environment(home: Path, **variables: str) -> dict[str, str]:
    """Return an environment in English, with its own home folder."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LC_", "LANG", "PYTHON", "COLUMNS", "NO_COLOR", "FORCE_COLOR"))
    }
    home.mkdir(exist_ok=True)
    return {
        **kept,
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": str(HOUSE / "src"),
        "PYTHONIOENCODING": "utf-8",
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "XDG_DATA_HOME": str(home),
        # Compiled code is shared by all tests, as by all games of a user.
        "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache")),
        "PROMPT_TOOLKIT_NO_CPR": "1",
        "TERM": "xterm",
        **variables,
    }


TRINE = (sys.executable, "-m", "trine")
PATIENCE = 300.0
"""Units: seconds; the timeout of a command, on a fully loaded machine."""
READ_AT_THE_START = {"XDG_CACHE_HOME"}
"""Variables that libraries read on import, so that only a new process obeys them."""


def run_in(
    folder: Path, *command: str | Path, lines: str | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder, in English and with its own home folder."""
    return captured(
        *command, cwd=folder, env=environment(folder / ".home", **variables), lines=lines
    )


def start_trine(folder: Path, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*TRINE, *arguments],
        cwd=folder,
        env=environment(folder / ".home"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def type_line(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def wait_for_line(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdout
    for line in process.stdout:
        if words in line:
            return
    raise AssertionError(f"never said: {words}")


def run_trine(
    folder: Path,
    *arguments: str | bytes | Path,
    lines: str | bytes = "",
    status: int | None = 0,
    **variables: str,
) -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder; assert the exit status (None: any) and no traceback."""
    surroundings = environment(folder / ".home", **variables)
    given = lines.encode() if isinstance(lines, str) else lines
    if variables.keys() & READ_AT_THE_START:
        done = subprocess.run(
            [*TRINE, *arguments],
            cwd=folder,
            env=surroundings,
            input=given,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        ended, *said = done.returncode, done.stdout, done.stderr
    else:
        ended, *said = forks().run(arguments, folder, surroundings, given, timeout=PATIENCE)
    out, error = (stream.decode("utf-8", "replace") for stream in said)
    assert "Traceback" not in out + error, error
    assert status in (ended, None), (ended, out, error)
    return subprocess.CompletedProcess([*TRINE, *arguments], ended, out, error)
