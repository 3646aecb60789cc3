"""Mining: positions of games in which one turn is far better than all others, as puzzles.

Verifying looks at them again more deeply: whether another turn is as good as the solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from random import Random
from typing import Final
from zlib import crc32

from trine.core.contract import Room
from trine.core.contract.position import Position
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.engine.players.bot import Bot
from trine.engine.players.bot_games import BotGame
from trine.engine.players.chances import shares
from trine.engine.puzzles.judgement import (
    AS_GOOD,
    GAP,
    SECOND_GAP,
    JudgedTurn,
    Judgement,
    judgement_of_idea,
    most_solutions,
    wins_at_once,
)
from trine.engine.puzzles.judging import (
    OVERLOOKED,
    Judge,
    Turns,
    compare,
    has_ideas,
    second_opinion,
    shares_idea,
)
from trine.engine.puzzles.puzzle import Puzzle, make_puzzle, name_of
from trine.engine.puzzles.themes import AT_ONCE, themes_of
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.nets import NO_NET
from trine.engine.selfplay.random_starts import begin

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
JUDGED: Final = 10 * GLANCE
"""Units: nodes for each turn that is compared; the effort of each of the two judges."""
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
        if second is None or not first.agrees(second):
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
