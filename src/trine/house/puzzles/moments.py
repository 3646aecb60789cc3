"""The moments of a game: the positions in which most was lost, as puzzles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from trine.core.contract.choices import named_actions
from trine.core.contract.position import Action, Position
from trine.core.play import Play
from trine.engine.players.assessment import turns_of
from trine.engine.players.review import ReviewedTurn, Worth
from trine.engine.puzzles.judgement import JudgedTurn, Judgement
from trine.engine.puzzles.puzzle import Puzzle, make_puzzle
from trine.engine.puzzles.themes import stake_of
from trine.house.analysis.reviews import GameReview

MOST: Final = 3
"""The number of moments."""


def moments_of(found: GameReview, seat: int | None) -> list[Puzzle]:
    """Return the moments of a player, or of all, the one that lost most first."""
    turns = [
        turn
        for turn in found.review.worst(len(found.review.turns))
        if turn.index in found.better and seat in (None, turn.player)
    ]
    return [puzzle for turn in turns if (puzzle := _moment(found, turn))][:MOST]


def _moment(found: GameReview, turn: ReviewedTurn) -> Puzzle | None:
    room, before = found.review.play.room, turn.turn.before
    start = room.parse_position(room.format_position(before), before.rules.name)
    play = Play(room, start)
    assert turn.better
    ids = found.better[turn.index]
    line = turn.better.line if len(turn.better.line) >= len(ids) else ids
    better = _judged(play, _actions(start, line), turn.before)
    played = _judged(play, turn.turn.actions, turn.after)
    if better is None or played is None or better.after == played.after:
        return None
    judgement = Judgement(start, (better,), played)
    return make_puzzle(play, judgement, 0, [stake_of(judgement)], found.record.tags.get("Date", ""))


def _actions(start: Position, ids: Iterable[Action]) -> list[Action]:
    return [action for _, action in named_actions(start, map(str, ids))]


def _judged(play: Play, actions: Sequence[Action], worth: Worth) -> JudgedTurn | None:
    """Return the turn that begins a line, with its worth; None if the line breaks off within it."""
    ahead = play.copy()
    for action in actions:
        if ahead.turns:
            break
        ahead.act_unchecked(action)
    if not ahead.turns:
        return None
    own = worth.chances[play.mover]
    line = tuple(turn for _, turn in turns_of(play.position, actions))
    return JudgedTurn(line[0], ahead.position, own, line)
