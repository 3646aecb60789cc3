"""Verifying puzzles: whether, looked at more deeply, another turn is as good as the solution."""

from __future__ import annotations

from typing import Final

from trine.core.play import Play
from trine.engine.puzzles.ideas import Turns, shares_idea
from trine.engine.puzzles.judgement import AS_GOOD, SECOND_GAP, JudgedTurn, judgement_of_idea
from trine.engine.puzzles.judging import OVERLOOKED, Judge
from trine.engine.puzzles.mining import JUDGED
from trine.engine.puzzles.puzzle import Puzzle
from trine.engine.puzzles.themes import AT_ONCE
from trine.engine.search.nets import NO_NET

DEEPER: Final = 10
"""The factor by which the nodes of a judge are multiplied."""
HASH_MB: Final = 64
"""Units: MiB."""
SEED: Final = 1
"""Of the actions that are overlooked."""


class Verifier:
    """A judge of another setting for puzzles of one game: a large table, more nodes, no net."""

    def __init__(self, game: str, *, nets: bool = False) -> None:
        """Open it; with ``nets`` it has the net of the game's rule set, and overlooks actions.

        Most rule sets have no net, and without that it would only find again what it found.
        """
        if nets:
            self._judge = Judge(
                game, DEEPER * JUDGED, hash_mb=HASH_MB, handicap=OVERLOOKED, seed=SEED
            )
        else:
            self._judge = Judge(game, DEEPER * JUDGED, hash_mb=HASH_MB, net=NO_NET)

    def second_solution(self, puzzle: Puzzle) -> JudgedTurn | None:
        """Return a turn that is as good as the solution and no solution; None if there is none.

        Where the solution wins at once, the referee knows them all.
        """
        if AT_ONCE in puzzle.themes:
            return None
        if puzzle.idea:
            return self._other_idea(puzzle)
        known = {turn.after for turn in puzzle.solutions}
        turns = self._judge.turns(Play(puzzle.room, puzzle.start), len(known) + 2)
        best = max((turn.chance for turn in turns if turn.after in known), default=0.0)
        others = (turn for turn in turns if turn.after not in known)
        return next((turn for turn in others if turn.chance >= best - AS_GOOD), None)

    def _other_idea(self, puzzle: Puzzle) -> JudgedTurn | None:
        """Return a turn without the idea that is nearly as good, or better; None if none is."""
        play = Play(puzzle.room, puzzle.start)
        idea = Turns(play).idea(puzzle.idea, puzzle.line[0].after)
        best = self._judge.best(play)
        if idea is None or not shares_idea(puzzle.game, idea, best.after):
            return best
        other = self._judge.best(play, idea.keys)
        return None if judgement_of_idea(puzzle.start, best, other, idea, SECOND_GAP) else other
