"""The answer to a turn that is not among the known solutions of a puzzle: why not, or as good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trine.core.play import Play
from trine.core.text.sentence import Text, text, verbatim
from trine.core.text.wording import describe, names, written_actions
from trine.core.work.limits import Limits
from trine.engine.players.assessment import percent, turns_of
from trine.engine.puzzles.exercise import refutation, written_line
from trine.engine.puzzles.judgement import AS_GOOD
from trine.engine.puzzles.puzzle import Puzzle
from trine.engine.puzzles.themes import AT_ONCE

ANOTHER: Final = text("another turn is better")
"""Why a turn is not enough, where nothing more is known."""
HASH_MB: Final = 8
"""Units: MiB."""


@dataclass(frozen=True)
class Answer:
    """The judgement of a turn that a person tried."""

    chance: float
    """Of the person to win after it."""
    reply: str
    """The turn that answers it, with its number; empty where the play is over."""


def is_solved_by(puzzle: Puzzle, answer: Answer) -> bool:
    """Whether a turn is as good as the solution: other solutions count if the search says so.

    Where an idea is asked for, that is each turn which comes nearer to it than to the best of the
    others: idle steps may cost a little.
    """
    if AT_ONCE in puzzle.themes:
        return False
    best, other = puzzle.chances
    return answer.chance >= (best + other) / 2 if puzzle.idea else answer.chance >= best - AS_GOOD


def known_reply(puzzle: Puzzle, play: Play) -> Text | None:
    """Return what the file knows of why the turn that was played is not enough."""
    if play.outcome:
        return describe(names(play.position.seats), play.outcome)
    turns = refutation(puzzle, play.position)
    if turns is None:
        return None
    if not turns:
        return ANOTHER
    return reply_text(puzzle, str(written_line(puzzle, turns)), puzzle.chances[1])


def reply_text(puzzle: Puzzle, reply: str, chance: float) -> Text:
    """Return why a turn is not enough: what answers it, and what chance is left."""
    player = puzzle.start.seats[puzzle.start.mover].name
    if not chance:
        return text("{reply}, and {player} is lost", reply=verbatim(reply), player=player)
    return text(
        "{reply}, and {player} has a chance of {after} %, not {best} %",
        reply=verbatim(reply),
        player=player,
        after=percent(chance),
        best=percent(puzzle.chances[0]),
    )


def searched(puzzle: Puzzle, play: Play) -> Answer:
    """Return the answer of a search to the turn with which a play ends; it brings Numba along."""
    from trine.engine.players.bot import Bot
    from trine.engine.players.chances import shares
    from trine.engine.puzzles.mining import JUDGED

    found = Bot(puzzle.game, hash_mb=HASH_MB).analyze(play, Limits(nodes=JUDGED))[0]
    before, actions = turns_of(play.position, found.pv)[0]
    reply = f"{play.room.tag(before)} {written_actions(play.room, before, actions)}"
    return Answer(shares(play.room, before, found.score)[puzzle.start.mover], reply)
