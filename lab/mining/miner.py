"""Mining: positions of games in which one turn is far better than all others, as puzzles.

Verifying looks at them again more deeply: whether another turn is as good as the solution.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final
from zlib import crc32

import numpy as np

from mining import ideas
from trine.core.contract import Room
from trine.core.contract.position import Action, Position
from trine.core.contract.record import format_record
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.engine.players.assessment import turns_of
from trine.engine.players.bot import Bot
from trine.engine.players.bot_games import BotGame
from trine.engine.players.chances import chance, shares
from trine.engine.puzzles.judgement import (
    AS_GOOD,
    AT_ONCE,
    JUDGED,
    Idea,
    JudgedTurn,
    Judgement,
    stake_of,
    wins_at_once,
)
from trine.engine.puzzles.puzzle import Puzzle, make_puzzle, name_of, read_puzzles
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.nets import NO_NET, SearchNet
from trine.engine.selfplay.random_starts import begin
from trine.games import open_kernel

GAP: Final = 0.2
"""Units: chance; what the best of the other turns loses at least. This and the numbers below are
guesses, made so that people would agree with them."""
SECOND_GAP: Final = 0.15
"""The same for a second opinion, which judges otherwise."""
MOST_OTHERS: Final = 0.6
"""Units: chance; with a greater one, the best of the other turns is good enough."""
LEAST_BEST: Final = 0.35
"""Units: chance; with a smaller one, the best turn saves nothing."""
MOST_SOLUTIONS: Final = 6
"""With more turns that are as good, there is nothing to find."""
MOST_OF_STEPS: Final = 24
"""The same where a turn has several actions, of which often not all matter."""
WIDEST: Final = 0.25
"""An idea that a greater share of all turns has is none. Guess."""


class Turns:
    """All different turns from a position of Arimaa, which divide by what they achieve.

    Where a turn has several actions, often only some of them matter, and dozens of turns are as
    good as the best one. So what stands out is not a turn but an idea: a best turn achieves
    something, and all turns that do not achieve it are far worse.
    """

    def __init__(self, play: Play) -> None:
        """Find the turns of a play at the beginning of one."""
        self._kernel = open_kernel(play.room.name)
        self._before = self._kernel.row_of(play.position)
        self._after = ideas.every_turn(self._before)
        self._keys = np.array([self._kernel.key(row) for row in self._after], np.uint64)

    def idea(self, theme: str, after: Position) -> Idea | None:
        """Return the idea of a theme that a turn has; None if it has none, or too many share it."""
        own = self._kernel.row_of(after)[None, :]
        least = ideas.achieved(self._before, own, theme)[0]
        if not least.any():
            return None
        shared = (ideas.achieved(self._before, self._after, theme) >= least).all(axis=1)
        if shared.mean() > WIDEST:
            return None
        return Idea(theme, float(shared.mean()), frozenset(self._keys[shared].tolist()))

    def ideas(self, after: Position) -> list[Idea]:
        """Return the ideas that a turn has, the one that the fewest turns share first."""
        found = (self.idea(theme, after) for theme in ideas.ACHIEVEMENTS)
        return sorted((idea for idea in found if idea), key=lambda idea: idea.share)


def has_ideas(game: str) -> bool:
    return game == "arimaa"


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
        """Return the judgement of a position, or None; only the ``known`` idea counts, if given."""
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
        """Return the judgement by the idea that stands out and that fewest turns share."""
        best = self.best(play)
        if wins_at_once(best):
            return Judgement(play.position, (best,), None)
        if best.chance < LEAST_BEST:
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
        """Return the best turn that does not lead to positions of some keys."""
        self._search.forget()
        search = partial(self._search.search, handicap=self._handicap, seed=self._seed)
        self._search.excluded = tuple(avoiding)
        info = search(play, Limits(nodes=FOR_IDEAS * self._nodes))[0]
        self._search.excluded = ()
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
    """Return the ``most`` best turns of a play by a search of ``nodes`` for each, best first."""
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


def agree(first: Judgement, second: Judgement) -> bool:
    """Whether two opinions find the same turns to solve a position, or the same idea."""
    if first.at_once:
        return second.at_once
    if first.idea:
        return second.idea == first.idea
    known = {turn.after for turn in first.solutions}
    return known == {turn.after for turn in second.solutions}


def most_solutions(room: Room) -> int:
    return MOST_SOLUTIONS if room.rules.turns_of_one else MOST_OF_STEPS


def judgement(
    before: Position, turns: Sequence[JudgedTurn], most: int, gap: float = GAP
) -> Judgement | None:
    """Return the judgement from compared turns, the best first; None if nothing stands out."""
    if len(turns) < 2:
        return None
    best = turns[0].chance
    solutions = [turn for turn in turns if turn.chance >= best - AS_GOOD]
    others = turns[len(solutions) :]
    if len(solutions) > most or not others or best < LEAST_BEST:
        return None
    other = others[0]
    if best - other.chance < gap or other.chance > MOST_OTHERS:
        return None
    return Judgement(before, tuple(solutions), other)


def judgement_of_idea(
    before: Position, best: JudgedTurn, other: JudgedTurn, idea: Idea, gap: float = GAP
) -> Judgement | None:
    """Return the judgement from the best turn and the best without its idea, or None."""
    if best.chance < LEAST_BEST or best.chance - other.chance < gap or other.chance > MOST_OTHERS:
        return None
    return Judgement(before, (best,), other, idea)


def themes_of(room: Room, judgement: Judgement) -> list[str]:
    if judgement.idea:
        return [stake_of(judgement), judgement.idea.theme]
    before, actions = judgement.before, judgement.best.actions
    used = [name for name, theme in room.book.themes.items() if theme.used(before, actions)]
    return [stake_of(judgement), *used]


EFFORTS: Final = (1, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)
"""Units: nodes."""
LOWEST: Final = 800
"""The rating of a puzzle that the least effort but the first finds. This and the step are guesses;
the ratings move as people solve."""
STEP: Final = 200


def effort_needed(search: AlphaBeta, play: Play, solves: Callable[[Position], bool]) -> int:
    """Return the place in `EFFORTS` from which on a search finds a turn that solves a puzzle."""
    needed = len(EFFORTS)
    for place in reversed(range(len(EFFORTS))):
        search.forget()
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
    """Return the rating that a puzzle begins with; one with more actions to find is harder.

    >>> first_rating(1), first_rating(8), first_rating(0, actions=4)
    (800, 2200, 1200)
    """
    return max(LOWEST + STEP * max(0, effort - 1), LOWEST + STEP * max(0, actions - 2))


GLANCE: Final = 2_000
"""Units: nodes; the effort for each of the many positions of a game."""
PER_GAME: Final = 2
"""The most puzzles from one game: its positions are alike. Guess."""
DECIDED: Final = (0.0, 1.0)
"""The chances that are proven."""
FEWEST_AT_ONCE: Final = 2
"""Units: actions; a win at once with fewer is no puzzle."""
LEVELS: Final = (3, 6)
"""The levels that play games to be mined: they err, and yet mean something. Guess."""
LONGEST: Final = 200
"""Units: turns of a game that is played to be mined."""
LOOKED_AT: Final = 12
"""The most positions of a game at which judges look. Guess."""
LOST: Final = 0.15
"""Units: chance; a turn that changes it so much was an error, or punishes one. Guess."""


class Miner:
    """A search for puzzles in games of one room."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._glance = AlphaBeta(room.name, hash_mb=8)
        self._first = Judge(room.name, JUDGED)

    def mine(self, play: Play, source: str) -> Iterator[Puzzle]:
        """Yield the puzzles of a game of two players, `PER_GAME` at most."""
        found, rng = 0, Random(crc32(source.encode()))
        critical = self._critical(play)
        rng.shuffle(critical)
        for start in critical[:LOOKED_AT]:
            if found == PER_GAME:
                return
            if puzzle := self.judged(start, source):
                found += 1
                yield puzzle

    def _critical(self, play: Play) -> list[Position]:
        """Return the positions of a game around the turns that, at a glance, changed much."""
        starts = [turn.before for turn in play.turns if not turn.before.in_setup]
        chances = [self._first_player(start) for start in starts]
        changed = [_has_changed(before, after) for before, after in pairwise(chances)]
        return [
            start
            for place, start in enumerate(starts)
            if any(changed[max(0, place - 1) : place + 1])
        ]

    def _first_player(self, position: Position) -> float:
        play = Play(self.room, position)
        if play.outcome:
            return 0.5
        info = self._glance.search(play, Limits(nodes=GLANCE))[0]
        return shares(self.room, position, info.score)[0]

    def judged(self, position: Position, source: str) -> Puzzle | None:
        words = self.room.rules.format_position(position)
        position = self.room.rules.parse_position(
            words, position.rules.name
        )  # numbers as in the text
        play = Play(self.room, position)
        if play.outcome or not self._may_stand_out(play):
            return None
        first = self._first.judge(play)
        if first is None:
            return None
        name = name_of(self.room.name, position.rules.name, words)
        second = second_opinion(self.room.name, JUDGED, crc32(name.encode())).judge(
            play, SECOND_GAP, first.idea
        )
        if second is None or not agree(first, second):
            return None
        effort = effort_needed(self._glance, play, partial(is_solution, self.room.name, first))
        themes = themes_of(self.room, first)
        actions = len(first.best.actions) - (first.best.actions[-1] == self.room.rules.end)
        plain = effort == 0 and not set(themes) & set(self.room.book.themes)
        if actions < FEWEST_AT_ONCE if first.at_once else plain:
            return None
        return make_puzzle(play, first, first_rating(effort, actions), themes, source)

    def _may_stand_out(self, play: Play) -> bool:
        """Whether it is worth the effort of judges: most positions are quiet."""
        if has_ideas(self.room.name):
            return True
        best = compare(self._glance, play, GLANCE, 1)
        if best and wins_at_once(best[0]):
            return True
        most = most_solutions(self.room)
        turns = compare(self._glance, play, GLANCE, most + 2)
        chances = [turn.chance for turn in turns]
        return any(one - other >= GAP / 2 for one, other in pairwise(chances))


def is_solution(game: str, judgement: Judgement, after: Position) -> bool:
    """Whether a turn solves what was judged, by the position after it."""
    if judgement.idea:
        return shares_idea(game, judgement.idea, after)
    return any(turn.after == after for turn in judgement.solutions)


def _has_changed(before: float, after: float) -> bool:
    """Whether a turn has changed a chance by much, or decided the game."""
    return abs(before - after) >= LOST or (before not in DECIDED and after in DECIDED)


def leveled_game(room: Room, rules: str, number: int) -> Play:
    rng = Random(f"{room.name}/{rules} {number}")
    play = begin(room, rules, {}, rng)
    bots = [
        Bot(room.name, rng.randint(*LEVELS), hash_mb=2, seed=rng.getrandbits(31)) for _ in range(2)
    ]
    BotGame(play, bots, (Limits(), Limits())).play_on(LONGEST)
    return play


DEEPER: Final = 10
"""The factor by which the nodes of a judge are multiplied."""
HASH_MB: Final = 64
"""Units: MiB."""
SEED: Final = 1
"""Of the actions that are overlooked."""


class Verifier:
    """A judge of another setting for puzzles of one game: a large table, more nodes, no net."""

    def __init__(self, game: str, *, nets: bool = False) -> None:
        """Open it; with ``nets`` it has the net of the game's rule set, and overlooks actions."""
        if nets:
            self._judge = Judge(
                game, DEEPER * JUDGED, hash_mb=HASH_MB, handicap=OVERLOOKED, seed=SEED
            )
        else:
            self._judge = Judge(game, DEEPER * JUDGED, hash_mb=HASH_MB, net=NO_NET)

    def second_solution(self, puzzle: Puzzle) -> JudgedTurn | None:
        """Return a turn that is as good as the solution and no solution; None if there is none."""
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


def append_puzzle(path: Path, puzzle: Puzzle) -> None:
    with path.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(format_record(puzzle.record) + "\n")
        stream.flush()
        os.fsync(stream.fileno())


class MinedFile:
    """A file to which puzzles are added; mining goes on where it was broken off.

    Guarantee: a game is noted once its puzzles are on disk; a puzzle stands in the file once.
    """

    def __init__(self, path: Path) -> None:
        """Open a file, which need not be there yet; raises `TrineError`."""
        self.path, self._seen = path, path.with_name(f"{path.name}.seen")
        self._names = {one.name for one in read_puzzles(path)} if path.exists() else set()
        self._games = set(self._seen.read_text("utf-8").split()) if self._seen.exists() else set()

    def __len__(self) -> int:
        return len(self._names)

    def has_seen(self, game: str) -> bool:
        return game in self._games

    def add(self, puzzle: Puzzle) -> None:
        if puzzle.name not in self._names:
            append_puzzle(self.path, puzzle)
            self._names.add(puzzle.name)

    def note(self, game: str) -> None:
        with self._seen.open("a", encoding="utf-8") as stream:
            stream.write(f"{game}\n")
        self._games.add(game)
