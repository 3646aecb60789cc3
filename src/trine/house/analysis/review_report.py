"""The report of a review: its curve, and the values for ``review_report.html``."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from markupsafe import Markup

from trine.core.contract.position import Action, position_after
from trine.core.contract.room import Room
from trine.core.play import changed_cells
from trine.core.scene.scene import Say, Scene
from trine.core.text.sentence import Text, ctext, text
from trine.engine.players import review_words
from trine.engine.players.review import Grade, Review, ReviewedTurn
from trine.engine.players.review_words import TurnVerdict
from trine.play.draw.board_theme import WOOD, Paint

MAX_COSTLY: Final = 5  # number of costly turns in a report of a house
WIDTH: Final = 720.0
HEIGHT: Final = 200.0
LEFT_MARGIN: Final = 56.0  # Units of the view box; the space for the chances beside the curve
BOTTOM_MARGIN: Final = 22.0  # Units of the view box; the space for the turns below the curve
UNIT: Final = '<tspan class="unit"> %</tspan>'
"""The unit of a label, in an element that the style sheet can hide."""
LABELS: Final = 8
DASHES: Final = ("", "9 4", "2 4", "12 4 2 4")
"""The dashes that distinguish the lines of several players, beside their colours."""
FORMS: Final = {
    Grade.SLIP: "M-5 0A5 5 0 1 1 5 0A5 5 0 1 1 -5 0Z",
    Grade.MISTAKE: "M0 -6L6 0L0 6L-6 0Z",
    Grade.BLUNDER: "M-6 -5L6 -5L0 6Z",
}
"""The shapes that mark a turn on the curve: a disc, a diamond, a triangle."""


def curve_svg(review: Review, say: Say) -> str:
    """Return the curve of a review with at least one turn, as well-formed SVG.

    Of two players, the first has the area below the curve and the second the area above it; of
    more, each has a line. The slice of each turn is a link to ``#turn-N``: N is the place of the
    turn among all turns, from 1. ``data-turn`` is N, and ``data-x`` the x coordinate of the turn.
    """
    return _Curve(review, say).svg()


def legend_items(review: Review) -> list[tuple[str, Text]]:
    """Return the colours and marks of a curve, each as a picture with its meaning."""
    curve = _Curve(review, str)
    items = []
    for player, (seat, paint) in enumerate(zip(curve.seats, curve.paints, strict=True)):
        if len(curve.seats) > 2:
            drawn = stroked('d="M0 6L28 6"', paint, player)
        else:
            drawn = f'<rect width="28" height="12" fill="{paint.body}" stroke="{paint.ink}"/>'
        items.append((_sample(drawn), seat.name))
    for grade, form in FORMS.items():
        drawn = f'<path d="{form}" transform="translate(14 6)" fill="currentColor"/>'
        items.append((_sample(drawn), grade.text))
    return items


def stroked(path: str, paint: Paint, player: int) -> str:
    dash = f' stroke-dasharray="{DASHES[player]}"' if DASHES[player] else ""
    return (
        f'<path {path} stroke="{paint.ink}" stroke-width="5"{dash}/>'
        f'<path {path} stroke="{paint.body}" stroke-width="3"{dash}/>'
    )


def _sample(drawn: str) -> str:
    return f'<svg viewBox="0 0 28 12" aria-hidden="true">{drawn}</svg>'


class _Curve:
    """Draws the curve of win chances of a review, as SVG."""

    def __init__(self, review: Review, say: Say) -> None:
        self.review, self.say = review, say
        self.points = review.curve
        self.seats = review.play.position.seats
        scene = review.play.room.view.scene(review.play.start)
        self.paints: list[Paint] = [WOOD.paint(player.role) for player in scene.board.players]

    def svg(self) -> str:
        parts = [*self.ground(), *self.frame(), *self.marks(), *self.slices()]
        label = escape(self.say(text("the chances from turn to turn")))
        return (
            f'<svg class="curve" viewBox="0 0 {_n(LEFT_MARGIN + WIDTH + 8)} '
            f'{_n(HEIGHT + BOTTOM_MARGIN + 8)}" role="group" aria-label="{label}">\n'
            + "\n".join(parts)
            + "\n</svg>"
        )

    def x(self, place: float) -> float:
        return LEFT_MARGIN + WIDTH * place / max(1, len(self.points) - 1)

    def y(self, chance: float) -> float:
        return 8 + HEIGHT * (1 - chance)

    def ground(self) -> Iterator[str]:
        sheet = f'x="{_n(LEFT_MARGIN)}" y="8" width="{_n(WIDTH)}" height="{_n(HEIGHT)}"'
        if len(self.seats) > 2:
            yield f'<rect {sheet} fill="{WOOD.paint("trap").body}"/>'
            for player in range(len(self.seats)):
                yield stroked(f'class="edge" d="{self.path(player)}"', self.paints[player], player)
            return
        first, second = self.paints[:2]
        bottom, right = _n(self.y(0)), _n(self.x(len(self.points) - 1))
        yield f'<rect {sheet} fill="{second.body}"/>'
        area = f"{self.path(0)}L{right} {bottom}L{_n(LEFT_MARGIN)} {bottom}Z"
        yield f'<path d="{area}" fill="{first.body}"/>'
        yield f'<path d="{self.path(0)}" class="edge" stroke="{first.ink}" stroke-width="2"/>'

    def path(self, player: int) -> str:
        places = enumerate(chances[player] for chances in self.points)
        return "M" + "L".join(f"{_n(self.x(at))} {_n(self.y(chance))}" for at, chance in places)

    def frame(self) -> Iterator[str]:
        """Draw the line of even chances, and the labels beside and below."""
        for chance in (0.0, 0.5, 1.0):
            at = f'x="{_n(LEFT_MARGIN - 6)}" y="{_n(self.y(chance) + 5)}"'
            yield f'<text {at} text-anchor="end">{review_words.share(chance)}{UNIT}</text>'
        y, right = _n(self.y(0.5)), _n(LEFT_MARGIN + WIDTH)
        yield f'<path class="even" d="M{_n(LEFT_MARGIN)} {y}L{right} {y}"/>'
        turns = self.review.turns
        step = max(1, -(-len(turns) // LABELS))
        for place in range(0, len(turns), step):
            tag = escape(self.review.play.room.tag(turns[place].turn.before))
            yield (
                f'<text x="{_n(self.x(place + 1))}" y="{_n(HEIGHT + BOTTOM_MARGIN + 4)}" '
                f'text-anchor="middle">{tag}</text>'
            )
        yield f'<path class="now" d="M0 8L0 {_n(8 + HEIGHT)}" hidden="hidden"/>'

    def marks(self) -> Iterator[str]:
        for place, turn in enumerate(self.review.turns, 1):
            if not turn.grade:
                continue
            player = turn.player if len(self.seats) > 2 else 0
            x, y = self.x(place), self.y(turn.after.chances[player])
            paint = self.paints[turn.player]
            yield (
                f'<path class="mark" d="{FORMS[turn.grade]}" transform="translate({_n(x)} {_n(y)})"'
                f' fill="{paint.body}" stroke="{paint.ink}"/>'
            )

    def slices(self) -> Iterator[str]:
        """Draw the links on the curve, each from half a turn before to half a turn after."""
        wide = WIDTH / max(1, len(self.points) - 1)
        for place, turn in enumerate(self.review.turns, 1):
            title = escape(self.say(review_words.headline(self.review.play, turn)))
            left = max(LEFT_MARGIN, self.x(place) - wide / 2)
            right = min(LEFT_MARGIN + WIDTH, self.x(place) + wide / 2)
            # The keyboard reaches only marked turns here; the list has links to all turns.
            skipped = "" if turn.grade else ' tabindex="-1"'
            yield (
                f'<a href="#turn-{turn.index + 1}" data-turn="{turn.index + 1}" '
                f'data-x="{_n(self.x(place))}" aria-label="{title}"{skipped}><title>{title}</title>'
                f'<rect class="slice" x="{_n(left)}" y="8" width="{_n(right - left)}" '
                f'height="{_n(HEIGHT)}"/></a>'
            )


def _n(value: float) -> str:
    """Return a coordinate with at most one decimal.

    >>> _n(3.0), _n(2.345)
    ('3', '2.3')
    """
    return f"{value:.1f}".removesuffix(".0")


@dataclass(frozen=True)
class Costly:
    """A turn that lost much, with the boards after this turn and after the better one."""

    number: int  # the place of the turn among all turns, from 1
    verdict: TurnVerdict
    played: Markup
    better: Markup
    ids: Sequence[str] = ()  # the actions of the better turn, if it can be played on the page


PLAYER, ACCURACY = ctext("review", "player"), ctext("review", "accuracy")
TURN, PLAYED = ctext("review", "turn"), ctext("review", "played")
MARKS: Final = {Grade.SLIP: "?!", Grade.MISTAKE: "?", Grade.BLUNDER: "??"}
"""The marks of turns in a list, as in chess annotation."""


def report(
    review: Review,
    say: Say,
    result: Text,
    called: Sequence[str],
    worst: int,
    costly: Callable[[ReviewedTurn], Costly],
) -> dict[str, Any]:
    """Return the values of a review for the template.

    ``called`` are the names of the players, empty for unknown ones; ``worst`` is the number of
    costly turns shown, each as ``costly`` returns it.
    """
    seats = review.play.position.seats
    worst_turns = [costly(turn) for turn in review.worst(worst)]
    shown = seats if len(seats) > 2 else seats[:1]
    linked = {one.number for one in worst_turns}
    return {
        "result": result,
        "missing": review_words.missing_text(review),
        "curve": Markup(curve_svg(review, say)) if review.turns else "",
        "legend": [(Markup(mark), words) for mark, words in legend_items(review)],
        "player_heads": [PLAYER, ACCURACY, *(grade.plural for grade in Grade)],
        "players": [
            (
                seat.name,
                name,
                review_words.accuracy_text(review, player),
                [review.count(player, grade) for grade in Grade],
            )
            for player, (seat, name) in enumerate(zip(seats, called, strict=True))
        ],
        "worst": worst_turns,
        "turn_heads": [TURN, PLAYED, *(seat.name for seat in shown)],
        "seats": [say(seat.name) for seat in seats],
        "begun": [review_words.share(one) for one in review.curve[0]] if review.turns else [],
        "turns": [_turn(review, turn, len(shown), linked) for turn in review.turns],
    }


def _turn(review: Review, turn: ReviewedTurn, shown: int, linked: set[int]) -> dict[str, Any]:
    tag, _, played = review_words.turn_text(review.play, turn).partition(" ")
    return {
        "number": turn.index + 1,
        "tag": tag,
        "played": played,
        "grade": turn.grade,
        "player": turn.player,
        "lost": review_words.share(turn.loss),
        "mark": MARKS[turn.grade] if turn.grade else "",
        "shares": [review_words.share(one) for one in turn.after.chances],
        "told": turn.index + 1 in linked,
        "chances": [review_words.share_text(one) for one in turn.after.chances[:shown]],
    }


def scene_after(room: Room, turn: ReviewedTurn, actions: Sequence[Action]) -> Scene:
    before = turn.turn.before
    return room.view.scene(
        position_after(before, actions), last=changed_cells(room, before, actions)
    )
