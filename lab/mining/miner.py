"""Mining puzzles: positions of games where one turn is far better than all others.

Verifying searches them again, more deeply, for second solutions.
"""

import os
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Final
from zlib import crc32

from mining.judges import (
    MIN_GAP,
    SECOND_MIN_GAP,
    SECOND_OVERLOOK_RATE,
    Judge,
    Turns,
    agree,
    compare,
    effort_needed,
    first_rating,
    has_ideas,
    judgement_of_idea,
    most_solutions,
    second_opinion,
    shares_idea,
    themes_of,
)
from trine.core.clock import Limits
from trine.core.contract.position import Position
from trine.core.contract.record import format_record
from trine.core.contract.room import Room
from trine.core.play import Play
from trine.engine.players.bot import Bot
from trine.engine.players.bot_games import BotGame
from trine.engine.players.chances import shares
from trine.engine.puzzles.puzzle import (
    IMMEDIATE_WIN,
    JUDGE_NODES,
    SOLUTION_MARGIN,
    JudgedTurn,
    Judgement,
    Puzzle,
    make_puzzle,
    name_of,
    read_puzzles,
    wins_at_once,
)
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.nets import NO_NET
from trine.engine.selfplay.selfplay_plan import begin

GLANCE_NODES: Final = 2_000
"""Units: nodes; the effort for each position of a game in the first pass."""
MAX_PER_GAME: Final = 2
"""The maximum of puzzles from one game, because its positions are alike. Guess."""
DECIDED: Final = (0.0, 1.0)
"""The chances of proven positions."""
MIN_WIN_ACTIONS: Final = 2
"""Units: actions; an immediate win with fewer is no puzzle."""
LEVELS: Final = (3, 6)
"""The levels of bot games for mining: weak enough for mistakes, strong enough for plans. Guess."""
MAX_TURNS: Final = 200
"""Units: turns; the limit of bot games for mining."""
LOOKED_AT: Final = 12
"""The maximum of positions of a game that judges search. Guess."""
ERROR_CHANCE: Final = 0.15
"""Units: chance; a turn that changes it by more was a mistake, or punishes one. Guess."""


class Miner:
    """Searches games for puzzles."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._glance = AlphaBeta(room.name, hash_mb=8)
        self._first = Judge(room.name, JUDGE_NODES)

    def mine(self, play: Play, source: str) -> Iterator[Puzzle]:
        """Yield the puzzles of a two-player game, at most `MAX_PER_GAME`."""
        found, rng = 0, Random(crc32(source.encode()))
        critical = self._critical(play)
        rng.shuffle(critical)
        for start in critical[:LOOKED_AT]:
            if found == MAX_PER_GAME:
                return
            if puzzle := self.judged(start, source):
                found += 1
                yield puzzle

    def _critical(self, play: Play) -> list[Position]:
        """Return the positions of a game around turns that change the chances much, by quick
        searches.
        """
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
        info = self._glance.search(play, Limits(nodes=GLANCE_NODES))[0]
        return shares(self.room, position, info.score)[0]

    def judged(self, position: Position, source: str) -> Puzzle | None:
        words = self.room.rules.format_position(position)
        position = self.room.rules.parse_position(
            words, position.rules.name
        )  # numbered as in the text
        play = Play(self.room, position)
        if play.outcome or not self._may_stand_out(play):
            return None
        first = self._first.judge(play)
        if first is None:
            return None
        name = name_of(self.room.name, position.rules.name, words)
        second = second_opinion(self.room.name, JUDGE_NODES, crc32(name.encode())).judge(
            play, SECOND_MIN_GAP, first.idea
        )
        if second is None or not agree(first, second):
            return None
        effort = effort_needed(self._glance, play, partial(is_solution, self.room.name, first))
        themes = themes_of(self.room, first)
        actions = len(first.best.actions) - (first.best.actions[-1] == self.room.rules.end)
        plain = effort == 0 and not set(themes) & set(self.room.handbook.themes)
        if actions < MIN_WIN_ACTIONS if first.at_once else plain:
            return None
        return make_puzzle(play, first, first_rating(effort, actions), themes, source)

    def _may_stand_out(self, play: Play) -> bool:
        """Return whether judging is worth the effort: most positions are quiet."""
        if has_ideas(self.room.name):
            return True
        best = compare(self._glance, play, GLANCE_NODES, 1)
        if best and wins_at_once(best[0]):
            return True
        most = most_solutions(self.room)
        turns = compare(self._glance, play, GLANCE_NODES, most + 2)
        chances = [turn.chance for turn in turns]
        return any(one - other >= MIN_GAP / 2 for one, other in pairwise(chances))


def is_solution(game: str, judgement: Judgement, after: Position) -> bool:
    """Return whether a turn, given by the position after it, solves a judged position."""
    if judgement.idea:
        return shares_idea(game, judgement.idea, after)
    return any(turn.after == after for turn in judgement.solutions)


def _has_changed(before: float, after: float) -> bool:
    """Return whether a turn has changed a chance by much, or decided the game."""
    return abs(before - after) >= ERROR_CHANCE or (before not in DECIDED and after in DECIDED)


def leveled_game(room: Room, rules: str, number: int) -> Play:
    rng = Random(f"{room.name}/{rules} {number}")
    play = begin(room, rules, {}, rng)
    bots = [
        Bot(room.name, rng.randint(*LEVELS), hash_mb=2, seed=rng.getrandbits(31)) for _ in range(2)
    ]
    BotGame(play, bots, (Limits(), Limits())).play_on(MAX_TURNS)
    return play


DEPTH_FACTOR: Final = 10
"""The factor of a judge's nodes for verification."""
HASH_MB: Final = 64
"""Units: MiB."""
SEED: Final = 1
"""Selects the overlooked actions."""


class Verifier:
    """A judge with other settings for puzzles of one game: a large table, more nodes, no net."""

    def __init__(self, game: str, *, nets: bool = False) -> None:
        """Open a verifier; with ``nets`` it uses the net of the rule set, and overlooks actions."""
        if nets:
            self._judge = Judge(
                game,
                DEPTH_FACTOR * JUDGE_NODES,
                hash_mb=HASH_MB,
                overlook_rate=SECOND_OVERLOOK_RATE,
                seed=SEED,
            )
        else:
            self._judge = Judge(game, DEPTH_FACTOR * JUDGE_NODES, hash_mb=HASH_MB, net=NO_NET)

    def second_solution(self, puzzle: Puzzle) -> JudgedTurn | None:
        """Return a turn as good as the solution that is no solution; None if there is none."""
        if IMMEDIATE_WIN in puzzle.themes:
            return None
        if puzzle.idea:
            return self._other_idea(puzzle)
        known = {turn.after for turn in puzzle.solutions}
        turns = self._judge.turns(Play(puzzle.room, puzzle.start), len(known) + 2)
        best = max((turn.chance for turn in turns if turn.after in known), default=0.0)
        others = (turn for turn in turns if turn.after not in known)
        return next((turn for turn in others if turn.chance >= best - SOLUTION_MARGIN), None)

    def _other_idea(self, puzzle: Puzzle) -> JudgedTurn | None:
        """Return a turn without the idea that is nearly as good, or better; None if none is."""
        play = Play(puzzle.room, puzzle.start)
        idea = Turns(play).idea(puzzle.idea, puzzle.line[0].after)
        best = self._judge.best(play)
        if idea is None or not shares_idea(puzzle.game, idea, best.after):
            return best
        other = self._judge.best(play, idea.keys)
        return None if judgement_of_idea(puzzle.start, best, other, idea, SECOND_MIN_GAP) else other


def append_puzzle(path: Path, puzzle: Puzzle) -> None:
    with path.open("a", encoding="utf-8", newline="\n") as stream:
        stream.write(format_record(puzzle.record) + "\n")
        stream.flush()
        os.fsync(stream.fileno())


class MinedFile:
    """A file that puzzles are added to; mining can be interrupted and resumed.

    Guarantee: a game is marked as done once its puzzles are on disk; no puzzle is in the file
        twice.
    """

    def __init__(self, path: Path) -> None:
        """Open a file, new or existing; raises `TrineError`."""
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
