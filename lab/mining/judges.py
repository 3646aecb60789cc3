"""Judges of positions: searches that compare turns and find whether a turn or idea stands out."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final

import numpy as np

from mining import ideas
from trine.core.clock import Limits
from trine.core.contract.position import Action, Position
from trine.core.contract.room import Room
from trine.core.play import Play
from trine.engine.players.assessment import turns_of
from trine.engine.players.chances import chance
from trine.engine.puzzles.puzzle import (
    SOLUTION_MARGIN,
    Idea,
    JudgedTurn,
    Judgement,
    stake_of,
    wins_at_once,
)
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.nets import NO_NET, SearchNet
from trine.games import open_kernel

MIN_GAP: Final = 0.2
"""Units: chance; the minimum loss of the best other turn. This and the numbers below are guesses,
chosen so that people would agree."""
SECOND_MIN_GAP: Final = 0.15
"""The minimum for the second opinion, whose search differs."""
MAX_OTHER_CHANCE: Final = 0.6
"""Units: chance; if the best other turn has more, it is good enough."""
MIN_BEST_CHANCE: Final = 0.35
"""Units: chance; if the best turn has less, it saves nothing."""
MAX_SOLUTIONS: Final = 6
"""If more turns are as good, there is nothing to find."""
MAX_STEP_SOLUTIONS: Final = 24
"""The same limit for games whose turns have several actions: often not all of them matter."""
MAX_IDEA_SHARE: Final = 0.25
"""An idea shared by more than this part of all turns is too common. Guess."""


class Turns:
    """All distinct turns from a position of Arimaa, grouped by what they achieve.

    If a turn has several actions, often only some of them matter, and dozens of turns are as good
    as the best one. So what has to stand out is an idea, not a turn: a best turn achieves
    something, and all turns that do not achieve it are far worse.
    """

    def __init__(self, play: Play) -> None:
        """Find the turns of a play at the beginning of a turn."""
        self._kernel = open_kernel(play.room.name)
        self._before = self._kernel.row_of(play.position)
        self._after = ideas.every_turn(self._before)
        self._keys = np.array([self._kernel.key(row) for row in self._after], np.uint64)

    def idea(self, theme: str, after: Position) -> Idea | None:
        """Return a turn's idea for a theme; None if it has none, or too many turns share it."""
        own = self._kernel.row_of(after)[None, :]
        least = ideas.achieved(self._before, own, theme)[0]
        if not least.any():
            return None
        shared = (ideas.achieved(self._before, self._after, theme) >= least).all(axis=1)
        if shared.mean() > MAX_IDEA_SHARE:
            return None
        return Idea(theme, float(shared.mean()), frozenset(self._keys[shared].tolist()))

    def ideas(self, after: Position) -> list[Idea]:
        """Return the ideas of a turn, the one that the fewest turns share first."""
        found = (self.idea(theme, after) for theme in ideas.ACHIEVEMENTS)
        return sorted((idea for idea in found if idea), key=lambda idea: idea.share)


def has_ideas(game: str) -> bool:
    return game == "arimaa"


def shares_idea(game: str, idea: Idea, after: Position) -> bool:
    """Return whether a turn, given by the position after it, shares an idea."""
    return open_kernel(game).key_of(after) in idea.keys


SECOND_OVERLOOK_RATE: Final = 1
"""Units: 1/1024; the share of actions that a second opinion overlooks, selected by its seed. A
search is deterministic, so this is how a seed can change it."""
IDEA_FACTOR: Final = 5
"""The factor of the effort for comparing two ideas, instead of two dozen turns. Guess."""


class Judge:
    """Compares turns by searches, always with an empty table."""

    def __init__(
        self,
        game: str,
        nodes: int,
        *,
        hash_mb: float = 16,
        net: SearchNet | None = None,
        overlook_rate: int = 0,
        seed: int = 0,
    ) -> None:
        """Open a judge; ``nodes`` is the effort for each compared turn."""
        self._search = AlphaBeta(game, hash_mb=hash_mb, net=net)
        self._nodes, self._overlook_rate, self._seed = nodes, overlook_rate, seed

    def judge(
        self, play: Play, gap: float = MIN_GAP, known: Idea | None = None
    ) -> Judgement | None:
        """Return the judgement of a position, or None; with ``known``, only by that idea."""
        if has_ideas(play.room.name):
            return self._judge_ideas(play, gap, known)
        first = self.turns(play, 1)
        if not first or first[0].chance < MIN_BEST_CHANCE - SOLUTION_MARGIN:
            return None
        if wins_at_once(first[0]):
            return Judgement(play.position, (first[0],), None)
        most = most_solutions(play.room)
        return judgement(play.position, self.turns(play, most + 2), most, gap)

    def _judge_ideas(self, play: Play, gap: float, known: Idea | None) -> Judgement | None:
        """Return the judgement by the idea that stands out and that the fewest turns share."""
        best = self.best(play)
        if wins_at_once(best):
            return Judgement(play.position, (best,), None)
        if best.chance < MIN_BEST_CHANCE:
            return None
        if known:
            found = [known] if shares_idea(play.room.name, known, best.after) else []
        else:
            found = Turns(play).ideas(best.after)
        for idea in found:
            other = self.best(play, idea.keys)
            judged = judgement_of_idea(play.position, best, other, idea, gap)
            if judged and not shares_idea(play.room.name, idea, other.after):
                return judged
        return None

    def best(self, play: Play, avoiding: Collection[int] = ()) -> JudgedTurn:
        """Return the best turn that does not lead to positions with some keys."""
        self._search.clear()
        search = partial(self._search.search, overlook_rate=self._overlook_rate, seed=self._seed)
        self._search.excluded = tuple(avoiding)
        info = search(play, Limits(nodes=IDEA_FACTOR * self._nodes))[0]
        self._search.excluded = ()
        line, ahead = list(info.pv), play.after(info.pv)
        while not ahead.outcome and len(ahead.turns) == len(play.turns):
            rest = search(ahead, Limits(nodes=self._nodes))[0].pv
            line += rest
            ahead = ahead.after(rest)
        own = chance(play.room, play.position, info.score)
        return _judged(play, [actions for _, actions in turns_of(play.position, line)], own)

    def turns(self, play: Play, most: int) -> list[JudgedTurn]:
        self._search.clear()
        return compare(self._search, play, self._nodes, most, self._overlook_rate, self._seed)


def compare(
    search: AlphaBeta, play: Play, nodes: int, most: int, overlook_rate: int = 0, seed: int = 0
) -> list[JudgedTurn]:
    """Return the best ``most`` turns, in order, with ``nodes`` of search for each."""
    limits = Limits(nodes=nodes * most)
    found = search.search(play, limits, lines=most, overlook_rate=overlook_rate, seed=seed)
    if found:  # a proven line can end before the end of its turn
        found[0] = search.extend_proof(play, found[0])
    return [
        _judged(
            play,
            [actions for _, actions in turns_of(play.position, info.pv)],
            chance(play.room, play.position, info.score),
        )
        for info in found
    ]


def second_opinion(game: str, nodes: int, seed: int) -> Judge:
    """Return a judge without a net, with another table and a seed."""
    return Judge(game, nodes, hash_mb=8, net=NO_NET, overlook_rate=SECOND_OVERLOOK_RATE, seed=seed)


def _judged(play: Play, line: Sequence[tuple[Action, ...]], own: float) -> JudgedTurn:
    return JudgedTurn(line[0], play.after(line[0]).position, own, tuple(line))


def agree(first: Judgement, second: Judgement) -> bool:
    """Return whether two opinions agree on the solutions, or on the idea."""
    if first.at_once:
        return second.at_once
    if first.idea:
        return second.idea == first.idea
    known = {turn.after for turn in first.solutions}
    return known == {turn.after for turn in second.solutions}


def most_solutions(room: Room) -> int:
    return MAX_SOLUTIONS if room.rules.turns_of_one else MAX_STEP_SOLUTIONS


def judgement(
    before: Position, turns: Sequence[JudgedTurn], most: int, gap: float = MIN_GAP
) -> Judgement | None:
    """Return the judgement from compared turns, best first; None if nothing stands out."""
    if len(turns) < 2:
        return None
    best = turns[0].chance
    solutions = [turn for turn in turns if turn.chance >= best - SOLUTION_MARGIN]
    others = turns[len(solutions) :]
    if len(solutions) > most or not others or best < MIN_BEST_CHANCE:
        return None
    other = others[0]
    if best - other.chance < gap or other.chance > MAX_OTHER_CHANCE:
        return None
    return Judgement(before, tuple(solutions), other)


def judgement_of_idea(
    before: Position, best: JudgedTurn, other: JudgedTurn, idea: Idea, gap: float = MIN_GAP
) -> Judgement | None:
    """Return the judgement from the best turn and the best without its idea, or None."""
    if (
        best.chance < MIN_BEST_CHANCE
        or best.chance - other.chance < gap
        or other.chance > MAX_OTHER_CHANCE
    ):
        return None
    return Judgement(before, (best,), other, idea)


def themes_of(room: Room, judgement: Judgement) -> list[str]:
    if judgement.idea:
        return [stake_of(judgement), judgement.idea.theme]
    before, actions = judgement.before, judgement.best.actions
    used = [name for name, theme in room.handbook.themes.items() if theme.used(before, actions)]
    return [stake_of(judgement), *used]


EFFORTS: Final = (1, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
"""Units: nodes."""
MIN_RATING: Final = 800
"""The rating of a puzzle solved by the second effort. This and the step are guesses; ratings change
as people solve."""
RATING_STEP: Final = 200


def effort_needed(search: AlphaBeta, play: Play, solves: Callable[[Position], bool]) -> int:
    """Return the index in `EFFORTS` of the least effort that solves a puzzle."""
    needed = len(EFFORTS)
    for place in reversed(range(len(EFFORTS))):
        search.clear()
        ahead = play.copy()
        while len(ahead.turns) == len(play.turns):
            for action in search.search(ahead, Limits(nodes=EFFORTS[place]))[0].pv:
                ahead.act_unchecked(action)
                if len(ahead.turns) > len(play.turns):
                    break
        if not solves(ahead.turns[-1].after):
            break
        needed = place
    return needed


def first_rating(effort: int, actions: int = 1) -> int:
    """Return the initial rating of a puzzle; more actions to find make it harder.

    >>> first_rating(1), first_rating(8), first_rating(0, actions=4)
    (800, 2200, 1200)
    """
    return max(
        MIN_RATING + RATING_STEP * max(0, effort - 1),
        MIN_RATING + RATING_STEP * max(0, actions - 2),
    )
