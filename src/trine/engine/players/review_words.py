"""A review in words: what a turn lost, what was better and why, what can follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trine.core.contract.position import Position
from trine.core.play import Play
from trine.core.text.sentence import Text, text, verbatim
from trine.core.text.wording import describe, names, written_actions
from trine.engine.players.assessment import line_text, percent, score_text
from trine.engine.players.review import PositionValue, Review, ReviewedTurn
from trine.play.record.replay import LEAVING

LEVELS: Final = "▁▂▃▄▅▆▇█"
PLAIN_LEVELS: Final = "0123456789"
"""Where there are no blocks: tenths."""
TURNS_TOLD: Final = 3
"""The number of turns of a line that are told."""


@dataclass(frozen=True)
class TurnVerdict:
    """The judgement, in words, of a turn that lost something."""

    headline: Text
    """The turn, what it is called, and from which chance to which it took its player."""
    better: Text
    """The better turn, how it goes on, and what it is worth."""
    because: Sequence[Text]
    """Why it is better; empty where no reason is known."""
    answer: Text
    """The turns that can follow instead, and their worth."""
    harm: Sequence[Text]
    """The effects of the answer."""


def verdict(play: Play, reviewed: ReviewedTurn) -> TurnVerdict:
    """Return the judgement, in words, of a turn for which a better one is known."""
    before, after, better = reviewed.turn.before, reviewed.turn.after, reviewed.better
    assert better is not None
    harm = _reasons(play, after, reviewed.after) if after.mover != reviewed.player else []
    return TurnVerdict(
        headline(play, reviewed),
        text("better: {line}; {worth}", **_line(play, before, better, reviewed.player)),
        _reasons(play, before, better),
        text("now: {line}; {worth}", **_line(play, after, reviewed.after, reviewed.player))
        if reviewed.after.line
        else describe(names(after.seats), play.outcome),
        harm,
    )


def headline(play: Play, reviewed: ReviewedTurn) -> Text:
    """A turn, what it is called if it lost much, and what became of its player's chance."""
    turn, change = turn_text(play, reviewed), change_text(reviewed)
    if grade := reviewed.grade:
        return text("{turn}: {grade}, {change}", turn=turn, grade=grade.text, change=change)
    return text("{turn}: {change}", turn=turn, change=change)


def turn_text(play: Play, reviewed: ReviewedTurn) -> str:
    turn = reviewed.turn
    written = written_actions(play.room, turn.before, turn.actions)
    if turn.left:
        written = LEAVING[turn.left]
    return f"{play.room.tag(turn.before)} {written}".rstrip()


def change_text(reviewed: ReviewedTurn) -> Text:
    before, after = (worth.chances[reviewed.player] for worth in (reviewed.before, reviewed.after))
    return text(
        "{player} {before} % → {after} %",
        player=reviewed.turn.before.seats[reviewed.player].name,
        before=share(before),
        after=share(after),
    )


def share(chance: float) -> int:
    """A chance in per cent; only what is proven is told as 0 or 100.

    >>> share(1.0), share(0.999), share(0.42)
    (100, 99, 42)
    """
    return round(100 * chance) if chance in (0, 1) else percent(chance)


def share_text(chance: float) -> Text:
    return text("{percent} %", percent=share(chance))


def accuracy_text(review: Review, player: int) -> Text:
    accuracy = review.accuracy(player)
    if accuracy is None:
        return verbatim("–")
    return text("{percent} %", percent=round(100 * accuracy))


def sparkline(chances: Sequence[float], width: int, levels: str = LEVELS) -> str:
    """A curve of chances as one line of letters, of at most a given length.

    >>> sparkline([0, 0.5, 1], 10), sparkline([0, 0, 1, 1], 2), sparkline([0, 1], 5, PLAIN_LEVELS)
    ('▁▅█', '▁█', '09')
    """
    places = min(width, len(chances))
    marks = []
    for place in range(places):
        part = chances[place * len(chances) // places : (place + 1) * len(chances) // places]
        level = sum(part) / len(part) * len(levels)
        marks.append(levels[min(len(levels) - 1, int(level))])
    return "".join(marks)


def outcome_text(review: Review) -> Text:
    return describe(names(review.play.position.seats), review.play.outcome)


def missing_text(review: Review) -> Text | None:
    if not review.missing:
        return None
    if not review.turns:
        return text("stopped before any turn was reviewed")
    first = review.play.room.tag(review.turns[0].turn.before)
    return text("stopped: reviewed only from {turn} on", turn=first)


def _line(play: Play, position: Position, worth: PositionValue, player: int) -> dict[str, object]:
    if len(position.seats) > 2:  # each has a chance of its own
        chance = share(worth.chances[player])
        told = text("{player}: {percent} %", player=position.seats[player].name, percent=chance)
    else:
        told = score_text(play.room, position, worth.score, worth.line)
    return {"line": line_text(play.room, position, worth.line, TURNS_TOLD), "worth": told}


def _reasons(play: Play, position: Position, worth: PositionValue) -> list[Text]:
    from trine.engine.players.explanation import reasons
    from trine.games import open_heuristics, open_kernel

    kernel, heuristics = open_kernel(play.room.name), open_heuristics(play.room.name)
    return reasons(play.room, kernel, heuristics, position, worth.info)
