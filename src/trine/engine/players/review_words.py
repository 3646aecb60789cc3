"""A review in words: what a turn lost, what was better and why, and what can follow."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trine.core.contract.position import Position
from trine.core.play import Play, describe, names
from trine.core.text.sentence import Text, text, verbatim
from trine.engine.players.assessment import line_text, percent, score_text
from trine.engine.players.review import PositionValue, Review, ReviewedTurn
from trine.play.record.replay import turn_notation

LEVELS: Final = "▁▂▃▄▅▆▇█"
PLAIN_LEVELS: Final = "0123456789"  # tenths, for terminals without block characters
MAX_LINE_TURNS: Final = 3


@dataclass(frozen=True)
class TurnVerdict:
    """The verdict on a turn that lost something, in words."""

    headline: Text  # the turn, its grade, and the chance before and after it
    better: Text  # the better turn with its line and its chance
    because: Sequence[Text]  # why the better turn is better; empty if no reason is known
    answer: Text  # the expected reply to the played turn, and the chance after it
    harm: Sequence[Text]  # the reasons for the reply


def verdict(play: Play, reviewed: ReviewedTurn) -> TurnVerdict:
    """Return the verdict on a turn; a better turn must be known."""
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
    """Return a turn with its grade, if any, and the chance before and after it."""
    turn, change = turn_text(play, reviewed), change_text(reviewed)
    if grade := reviewed.grade:
        return text("{turn}: {grade}, {change}", turn=turn, grade=grade.text, change=change)
    return text("{turn}: {change}", turn=turn, change=change)


def turn_text(play: Play, reviewed: ReviewedTurn) -> str:
    turn = reviewed.turn
    return f"{play.room.tag(turn.before)} {turn_notation(play.room, turn)}".rstrip()


def change_text(reviewed: ReviewedTurn) -> Text:
    before, after = (value.chances[reviewed.player] for value in (reviewed.before, reviewed.after))
    return text(
        "{player} {before} % → {after} %",
        player=reviewed.turn.before.seats[reviewed.player].name,
        before=share(before),
        after=share(after),
    )


def share(chance: float) -> int:
    """Return a chance in per cent; only proven results are 0 or 100.

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
    """Return a curve of chances as one line of at most ``width`` characters.

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


def _line(play: Play, position: Position, value: PositionValue, player: int) -> dict[str, object]:
    if len(position.seats) > 2:  # chances of several players do not follow from one score
        chance = share(value.chances[player])
        worth = text("{player}: {percent} %", player=position.seats[player].name, percent=chance)
    else:
        worth = score_text(play.room, position, value.score, value.line)
    return {"line": line_text(play.room, position, value.line, MAX_LINE_TURNS), "worth": worth}


def _reasons(play: Play, position: Position, value: PositionValue) -> list[Text]:
    from trine.engine.players.explanation import reasons
    from trine.games import open_heuristics, open_kernel

    kernel, heuristics = open_kernel(play.room.name), open_heuristics(play.room.name)
    return reasons(play.room, kernel, heuristics, position, value.info)
