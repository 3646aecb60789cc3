"""Judging a position by searches that compare turns; it brings Numba along."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Final

import numpy as np

from trine.core.contract.position import Action, Position
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.engine.players.assessment import turns_of
from trine.engine.players.chances import chance
from trine.engine.puzzles.judgement import (
    AS_GOOD,
    GAP,
    LEAST_BEST,
    Idea,
    JudgedTurn,
    Judgement,
    judgement,
    judgement_of_idea,
    most_solutions,
    wins_at_once,
)
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.nets import NO_NET, SearchNet
from trine.games import open_ideas, open_kernel

WIDEST: Final = 0.25
"""An idea that a greater share of all turns has is none. Guess."""


class Turns:
    """All different turns from a position, which divide by what they achieve.

    Where a turn has several actions, often only some of them matter, and dozens of turns are as
    good as the best one. So what stands out is not a turn but an idea: a best turn achieves
    something, and all turns that do not achieve it are far worse.
    """

    def __init__(self, play: Play) -> None:
        """Find the turns of a play at the beginning of one, in a game that has ideas."""
        ideas = open_ideas(play.room.name)
        assert ideas
        self._ideas, self._kernel = ideas, open_kernel(play.room.name)
        self._before = self._kernel.row_of(play.position)
        self._after = ideas.every_turn(self._before)
        self._keys = np.array([self._kernel.key(row) for row in self._after], np.uint64)

    def idea(self, theme: str, after: Position) -> Idea | None:
        """Return the idea of a theme that a turn has; None if it has none, or too many share it."""
        own = self._kernel.row_of(after)[None, :]
        least = self._ideas.achieved(self._before, own, theme)[0]
        if not least.any():
            return None
        shared = (self._ideas.achieved(self._before, self._after, theme) >= least).all(axis=1)
        if shared.mean() > WIDEST:
            return None
        return Idea(theme, float(shared.mean()), frozenset(self._keys[shared].tolist()))

    def ideas(self, after: Position) -> list[Idea]:
        """Return the ideas that a turn has, the one that the fewest turns share first."""
        found = (self.idea(theme, after) for theme in self._ideas.names)
        return sorted((idea for idea in found if idea), key=lambda idea: idea.share)


def has_ideas(game: str) -> bool:
    return open_ideas(game) is not None


def shares_idea(game: str, idea: Idea, after: Position) -> bool:
    """Whether a turn shares an idea, by the position after it."""
    return open_kernel(game).key_of(after) in idea.keys


OVERLOOKED: Final = 1
"""Units: 1/1024; the share of actions that a second opinion overlooks, others for each seed. A
search leaves nothing to chance, so this is what a seed can change in it."""
FOR_IDEAS: Final = 5
"""The factor of the effort where two ideas are compared, and not two dozen turns. Guess."""


class Judge:
    """A search that compares turns, always from a fresh table."""

    def __init__(
        self,
        game: str,
        nodes: int,
        *,
        hash_mb: float = 16,
        net: SearchNet | None = None,
        handicap: int = 0,
        seed: int = 0,
    ) -> None:
        """Open a judge; ``nodes`` is the effort for each turn that is compared."""
        self._search = AlphaBeta(game, hash_mb=hash_mb, net=net)
        self._nodes, self._handicap, self._seed = nodes, handicap, seed

    def judge(self, play: Play, gap: float = GAP, known: Idea | None = None) -> Judgement | None:
        """Return the judgement of a position; None if nothing stands out.

        Args: where turns are compared by ideas, no other idea than ``known`` counts, if given.
        """
        if has_ideas(play.room.name):
            return self._judge_ideas(play, gap, known)
        first = self.turns(play, 1)
        if not first or first[0].chance < LEAST_BEST - AS_GOOD:
            return None
        if wins_at_once(first[0]):
            return Judgement(play.position, (first[0],), None)
        most = most_solutions(play.room)
        return judgement(play.position, self.turns(play, most + 2), most, gap)

    def _judge_ideas(self, play: Play, gap: float, known: Idea | None) -> Judgement | None:
        """Return the judgement by ideas: of those that stand out, the one that fewest turns share.

        It says most: all turns that do not share it are far worse.
        """
        best = self.best(play)
        if wins_at_once(best):
            return Judgement(play.position, (best,), None)
        if best.chance < LEAST_BEST:
            return None
        if known:
            ideas = [known] if shares_idea(play.room.name, known, best.after) else []
        else:
            ideas = Turns(play).ideas(best.after)
        for idea in ideas:
            other = self.best(play, idea.keys)
            found = judgement_of_idea(play.position, best, other, idea, gap)
            if found and not shares_idea(play.room.name, idea, other.after):
                return found
        return None

    def best(self, play: Play, avoiding: Collection[int] = ()) -> JudgedTurn:
        """Return the best turn that does not lead to positions of some keys."""
        self._search.forget()
        search = partial(self._search.search, handicap=self._handicap, seed=self._seed)
        info = search(play, Limits(nodes=FOR_IDEAS * self._nodes), avoiding=tuple(avoiding))[0]
        line, ahead = list(info.pv), play.after(info.pv)
        while not ahead.outcome and len(ahead.turns) == len(play.turns):
            rest = search(ahead, Limits(nodes=self._nodes))[0].pv
            line += rest
            ahead = ahead.after(rest)
        own = chance(play.room, play.position, info.score)
        return _judged(play, [actions for _, actions in turns_of(play.position, line)], own)

    def turns(self, play: Play, most: int) -> list[JudgedTurn]:
        self._search.forget()
        return compare(self._search, play, self._nodes, most, self._handicap, self._seed)


def compare(
    search: AlphaBeta, play: Play, nodes: int, most: int, handicap: int = 0, seed: int = 0
) -> list[JudgedTurn]:
    """Return the best turns of a play by a search, the best first.

    Args: ``nodes`` is the effort for each of ``most`` turns.
    """
    limits = Limits(nodes=nodes * most)
    found = search.search(play, limits, lines=most, handicap=handicap, seed=seed)
    if found:  # a proven line breaks off where its end is known
        found[0] = search.to_the_end(play, found[0])
    return [
        _judged(
            play,
            [actions for _, actions in turns_of(play.position, info.pv)],
            chance(play.room, play.position, info.score),
        )
        for info in found
    ]


def second_opinion(game: str, nodes: int, seed: int) -> Judge:
    """Return a judge that has no net, another table, and a seed."""
    return Judge(game, nodes, hash_mb=8, net=NO_NET, handicap=OVERLOOKED, seed=seed)


def _judged(play: Play, line: Sequence[tuple[Action, ...]], own: float) -> JudgedTurn:
    return JudgedTurn(line[0], play.after(line[0]).position, own, tuple(line))
