"""Measures what an action costs in a running game, beyond the rules.

    .venv/bin/python benchmarks/session.py

An action is judged by the referee (one ``why_not``, one ``play_unchecked``), then prepared, written
and applied in a game with a journal in memory. Random plays have the given lengths; their last
actions are timed, and the rebuilding of the game from its entries. Prints medians of wall time.
docs/why/measuring.md has the figures of one machine.
"""

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from trine.core.clock import parse_time_control
from trine.core.contract.position import Action
from trine.core.play import Play
from trine.games import open_room
from trine.play.record.agreed_terms import Terms
from trine.play.session.changes import rebuild
from trine.play.session.commands import Act
from trine.play.session.game import Game
from trine.play.session.state import MemoryJournal

GAMES: tuple[tuple[str, dict[str, str]], ...] = (
    ("arimaa", {}),
    ("tzaar", {"Setup": "fixed"}),
    ("corridor", {"Size": "19"}),
)
LENGTHS = (20, 200)
"""Units: turns; TZAAR never lasts as long as the second. Actions that end a play are skipped."""
TIMED = 60
"""Units: actions at the end of each play."""
PLAYS = 5


@dataclass
class Times:
    """The times of actions. Units: seconds."""

    rules: list[float] = field(default_factory=list)
    checked: list[float] = field(default_factory=list)
    session: list[float] = field(default_factory=list)
    copying: list[float] = field(default_factory=list)
    rebuilding: list[float] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def by_the_rules(play: Play, action: Action) -> None:
    """Do only what the referee must do for an action."""
    assert play.position.why_not(action, play.history) is None
    play.position.play_unchecked(action)


def begun(name: str, options: dict[str, str]) -> tuple[Game[MemoryJournal], MemoryJournal]:
    journal, clock = MemoryJournal(), parse_time_control("60d/60d")
    terms = Terms.agree(open_room(name), "", options, clock=clock)
    return Game.begin(terms, journal), journal


def played(name: str, options: dict[str, str], turns: int, seed: int) -> Play:
    """Return a random play of a number of turns, or shorter if only ends are left."""
    rng = random.Random(seed)
    play = begun(name, options)[0].play.copy()
    while play.room.sets_up_whole(play.position):
        play.enter("setup 99of9")
        play.enter("end")
    while len(play.turns) < turns:
        actions = list(play.legal_actions())
        rng.shuffle(actions)
        lines = map(play.check, ([action] for action in actions))
        if not (line := next((line for line in lines if not line.steps[0].outcome), None)):
            break
        play.follow(line)
    return play


def measure(name: str, options: dict[str, str], turns: int) -> Times:
    times = Times()
    for seed in range(PLAYS):
        model = played(name, options, turns, seed)
        game, journal = begun(name, options)
        actions = [action for turn in model.turns for action in turn.actions]
        for action in actions[:-TIMED]:
            game.do(Act(game.play.check([action])))
        for action in actions[-TIMED:]:
            play = game.play
            times.rules.append(seconds(partial(by_the_rules, play, action)))
            times.checked.append(seconds(partial(play.check, [action])))
            line = play.check([action])
            times.copying.append(seconds(play.copy))
            times.session.append(seconds(partial(game.do, Act(line))))
        times.rebuilding.append(seconds(partial(rebuild, journal.entries)))
        times.turns.append(len(game.play.turns))
    return times


def main() -> None:
    for name, options in GAMES:
        for turns in LENGTHS:
            times = measure(name, options, turns)
            rules, checked, session, copying = (
                statistics.median(one) * 1e6
                for one in (times.rules, times.checked, times.session, times.copying)
            )
            print(
                f"{name}, {statistics.median(times.turns):.0f} turns: one why_not and one "
                f"play_unchecked {rules:.0f} µs, checked {checked:.0f} µs, prepared and applied "
                f"{session:.0f} µs ({session / rules:.1f}), of that copying {copying:.1f} µs; "
                f"rebuilt in {statistics.median(times.rebuilding) * 1e3:.1f} ms"
            )


if __name__ == "__main__":
    main()
