"""Does the search find the win of a single turn, where one is there, within a tenth of a second?

    .venv/bin/python benchmarks/tactics.py FILE...

Files are records in any known format. Of each game that the board ended, the position before the
last turn is searched; also positions one turn earlier in which the full enumeration of turns shows
a win that was missed. What the enumeration shows decides, not what was played.
"""

from __future__ import annotations

import sys
import time
from collections import Counter

from trine.core.doors import Action
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.record.formats import read_file
from trine.record.replay import replay_as_far_as_legal
from trine.search.alphabeta import AlphaBeta
from trine.search.effort import Effort

SECONDS = 0.1
LAST_TURNS = 6
"""So many positions at the end of each game are looked at."""


def wins(play: Play, actions: tuple[Action, ...]) -> bool:
    """Whether a turn wins on the spot."""
    ahead, mover = play.copy(), play.mover
    for action in actions:
        if ahead.outcome or ahead.mover != mover:
            break
        ahead.act(action)
    if not ahead.outcome and ahead.mover == mover and play.room.end is not None:
        ahead.act(play.room.end)
    return ahead.outcome is not None and ahead.outcome.winner == mover


def can_win(play: Play) -> bool:
    """Whether any turn wins on the spot, by the full enumeration."""
    for after in play.room.turn_results(play.position, play.history):
        outcome = after.outcome()
        if outcome and outcome.winner == play.mover:
            return True
    return False


def main() -> None:
    """Print how many of how many were found, for each game."""
    searches: dict[str, AlphaBeta] = {}
    there, found, slowest = Counter[str](), Counter[str](), 0.0
    for path in sys.argv[1:]:
        try:
            records = list(read_file(path)[1])
        except TrineError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        for record in records:
            try:
                play = replay_as_far_as_legal(record)[0]
            except TrineError:
                continue
            game = play.room.name
            if len(play.position.seats) != 2:
                continue
            search = searches.setdefault(game, AlphaBeta(game))
            for _ in range(min(LAST_TURNS, len(play.turns))):
                play.take_back()
                if play.position.in_setup or not can_win(play):
                    continue
                there[game] += 1
                began = time.perf_counter()
                best = search.search(play, Effort(enough=SECONDS, most=SECONDS))[0]
                slowest = max(slowest, time.perf_counter() - began)
                found[game] += wins(play, best.line)
    for game, count in there.items():
        print(f"{game}: {found[game]} of {count} wins of a single turn found")
    print(f"the slowest took {slowest:.3f} s")


if __name__ == "__main__":
    main()
