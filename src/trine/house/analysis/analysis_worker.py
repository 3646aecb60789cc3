"""Analyses by a house's worker processes, in parts, so that no live game waits for long.

A part resumes where the last one ended, because a search's findings stay in its hash table. A
worker that did not run the last part starts over, with the result of that part.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from trine.core.clock import Limits
from trine.core.contract.choices import named_actions
from trine.core.contract.insight import without_notation
from trine.core.contract.position import Action, Position
from trine.core.contract.record import read_records
from trine.core.contract.room import Room
from trine.core.play import Play, written_actions
from trine.core.text.sentence import NOTHING
from trine.engine.players.assessment import TURNS_SHOWN, turns_of, value_text
from trine.engine.players.review import PositionValue, Reviewer
from trine.engine.players.review_words import TurnVerdict, share, verdict
from trine.engine.search.info import Info
from trine.house.analysis.messages import Chance, Findings, LineOfThought, TurnOfLine
from trine.house.games.live.bots import Bots, Priority
from trine.house.games.live.drafts import play_draft
from trine.house.games.view.scenes import arrows
from trine.play.record.replay import replay_as_far_as_legal

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot

CACHE_SIZE: Final = 16
HASH_SIZE: Final = 32  # MiB; the hash table of a bot
SEARCH_LIMITS: Final = Limits(hard=0.3)
"""The limit of a search in a review. Guess: less than the half second of the command line, because
requests share the workers."""
_plays: OrderedDict[str, Play] = OrderedDict()
_reviews: OrderedDict[str, Reviewer] = OrderedDict()
_bots: dict[tuple[str, bool], Bot] = {}


@dataclass(frozen=True)
class Thought:
    """The findings about a position."""

    found: Findings
    chances: tuple[float, ...] = ()  # the chances of each player to win; empty without a search
    seconds: float = 0.0
    """The duration of the search, including its last, unfinished depth."""


@dataclass(frozen=True)
class GradedTurn:
    """A reviewed turn; its lines hold ids of actions."""

    index: int
    before: PositionValue
    after: PositionValue
    better: PositionValue | None
    better_turn: tuple[str, ...] = ()  # the ids of the better turn's actions
    verdict: TurnVerdict | None = None
    themes: tuple[str, ...] = ()  # for a graded turn, the names of the themes of the better turn


@dataclass(frozen=True)
class ReviewPart:
    """Reviewed turns, from the last one backwards."""

    judged: tuple[GradedTurn, ...]
    done: int
    total: int
    turn: str  # the tag of the next turn to review, such as ``12g``


def think(record: str, draft: Sequence[str], seconds: float, lines: int) -> Thought:
    """Think about the position at the end of a record, after a draft of its open turn."""
    from trine.engine.analysis import analyze
    from trine.engine.players.explanation import reasons
    from trine.games import open_heuristics, open_kernel

    play = _play(record).copy()
    play.outcome = play.position.outcome(play.history)
    play_draft(play, draft)
    room, position = play.room, play.position
    begun = time.monotonic()
    found = analyze(_bot_for(play), play, Limits(hard=seconds), lines)
    spent = time.monotonic() - begun
    if found.opening:
        line = LineOfThought(NOTHING, [_turn(room, position, found.opening)])
        return Thought(Findings([line], _paths(room, position, line), 0, (), ()))
    kernel, heuristics = open_kernel(room.name), open_heuristics(room.name)
    best, chances = [_line(play, info) for info in found.found], found.chances()
    findings = Findings(
        best,
        _paths(room, position, best[0]),
        found.found[0].depth,
        without_notation(reasons(room, kernel, heuristics, position, found.found[0])),
        [
            Chance(seat.name, share(chance))
            for seat, chance in zip(position.seats, chances, strict=True)
        ],
    )
    return Thought(findings, chances, spent)


def _paths(room: Room, position: Position, best: LineOfThought) -> list[Sequence[str]]:
    """Return the picks of the first turn of the best line; none in a setup, which is long."""
    if position.in_setup or not best.turns:
        return []
    return arrows(room, named_actions(position, best.turns[0].ids))


def review_part(record: str, done: int, after: PositionValue | None, seconds: float) -> ReviewPart:
    """Review turns of a record for some seconds, at least one turn.

    ``done`` is the number of last turns already reviewed; ``after`` is the value of the position
    before them.
    """
    end = time.monotonic() + seconds
    reviewer = _reviewer(record, done, after)
    judged: list[GradedTurn] = []
    while reviewer.done < reviewer.total and (not judged or time.monotonic() < end):
        found = reviewer.review_next()
        better, themes = tuple[str, ...](), tuple[str, ...]()
        if found.better:
            before, actions = turns_of(found.turn.before, found.better.line)[0]
            better = _ids(actions)
            if found.grade:
                known = reviewer.play.room.handbook.themes
                themes = tuple(name for name in known if known[name].used(before, actions))
        judged.append(
            GradedTurn(
                found.index,
                _plain(found.before),
                _plain(found.after),
                _plain(found.better) if found.better else None,
                better,
                verdict(reviewer.play, found) if found.grade and found.better else None,
                themes,
            )
        )
    progress = reviewer.progress
    return ReviewPart(tuple(judged), progress.done, progress.total, progress.turn)


def _reviewer(record: str, done: int, after: PositionValue | None) -> Reviewer:
    reviewer = _reviews.pop(record, None)
    if reviewer is None or reviewer.done != done:
        play = _play(record)
        reviewer = Reviewer(_bot_for(play), play, SEARCH_LIMITS)
        if after:
            before = reviewer.play.turns[-done].before
            line = tuple(action for _, action in named_actions(before, map(str, after.line)))
            reviewer.resume(done, replace(after, line=line))
    _reviews[record] = reviewer
    _evict(_reviews)
    return reviewer


def _line(play: Play, info: Info) -> LineOfThought:
    room, position = play.room, play.position
    turns = turns_of(position, info.pv)[:TURNS_SHOWN]
    return LineOfThought(
        value_text(room, position, info), [_turn(room, start, actions) for start, actions in turns]
    )


def _turn(room: Room, position: Position, actions: Sequence[Action]) -> TurnOfLine:
    words = written_actions(room, position, actions)
    return TurnOfLine(room.tag(position), words, _ids(actions))


def _play(record: str) -> Play:
    """Return the play of a record, without a result that people decided."""
    play = _plays.pop(record, None)
    if play is None:
        (read,) = read_records(record.splitlines(keepends=True))
        play, _ = replay_as_far_as_legal(read)
    _plays[record] = play
    _evict(_plays)
    return play


def _plain(worth: PositionValue) -> PositionValue:
    """Return a value with ids in place of actions, so that it can be sent to another process."""
    return replace(worth, line=_ids(worth.line))


def _ids(actions: Sequence[Action]) -> tuple[str, ...]:
    return tuple(map(str, actions))


def _evict(cache: OrderedDict[str, Any]) -> None:
    while len(cache) > CACHE_SIZE:
        cache.popitem(last=False)


def _bot_for(play: Play) -> Bot:
    """Return the bot for a game and a number of players; a bot has one kind of search at a time."""
    from trine.engine.players.bot import Bot  # imports Numba

    key = play.room.name, len(play.position.seats) > 2
    if key not in _bots:
        _bots[key] = Bot(play.room.name, hash_mb=HASH_SIZE)
    return _bots[key]


class AnalysisBots(Bots):
    """The workers of a house and their queue, with analyses and reviews."""

    async def think(
        self, record: str, draft: Sequence[str], seconds: float, lines: int, who: str = ""
    ) -> Thought:
        """Think about the end of a record for some seconds, for the network address ``who``."""
        await self.ready(_game_of(record))
        call = partial(think, record, draft, seconds, lines)
        answer: Thought = await self._submit(Priority.ANALYSIS, call, key=who)
        return answer

    async def review_part(
        self, record: str, done: int, after: PositionValue | None, seconds: float
    ) -> ReviewPart:
        """Review turns of a record for some seconds, before the ``done`` last ones."""
        await self.ready(_game_of(record))
        call = partial(review_part, record, done, after, seconds)
        answer: ReviewPart = await self._submit(Priority.REVIEW, call)
        return answer


def _game_of(record: str) -> str:
    return record.partition('[Game "')[2].partition('"')[0]
