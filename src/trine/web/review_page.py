"""A review as one page that needs no other file: the curve, the board, the turns that lost most.

It is read without script, too: then the pictures of the turns stand for the board.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from trine.core.doors import Room
from trine.core.language import Language
from trine.core.position import Action, Position
from trine.core.record import Record
from trine.core.scene import Scene
from trine.core.text import Text, ctext, text
from trine.core.wording import changed_cells
from trine.draw.scenes import play_as_scenes
from trine.draw.svg import draw_svg
from trine.engine.review import Grade, Review, ReviewedTurn
from trine.engine.review_words import (
    Verdict,
    accuracy_text,
    missing_text,
    outcome_text,
    share_text,
    turn_text,
    verdict,
)
from trine.web.modules import STATIC, inline_modules
from trine.web.review_curve import curve_svg, legend_items

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' data:; "
    "base-uri 'none'; form-action 'none'"
)
"""Nothing is fetched from anywhere, whatever a record says."""
STYLES: Final = ("review-alone.css", "curve.css", "review.css")
TOLD_TAGS: Final = ("Event", "Site", "Date", "Round")
"""Tags of records that stand below the names."""


def review_page(review: Review, record: Record, language: Language, worst: int) -> str:
    """A review as a page in one language; of the turns that lost most so many are told.

    Guarantee: the page reaches for nothing outside itself, and shows what the record says as text.
    """
    return _Alone(review, record, language).page(worst)


class ReviewParts(ABC):
    """The parts of a page that tells a review, each written as it stands in a page."""

    def __init__(self, review: Review, called: Sequence[str], language: Language) -> None:
        """Begin a page; ``called`` are the names of the players, empty where there is none."""
        self.review, self.called, self.language = review, called, language
        self.play, self.room = review.play, review.play.room
        self.seats = review.play.position.seats

    def parts(self, worst: int) -> list[str]:
        """All parts below the names, from the result on."""
        body = [f"<p>{self.say(self.result())}</p>"]
        if missing := missing_text(self.review):
            body.append(f'<p class="warn">{self.say(missing)}</p>')
        if told := self.review.worst(worst):
            shown = told[0].index + 1
        else:
            shown = len(self.play.turns)
        if self.review.turns:
            body += [self.curve(), self.board(shown), self.players()]
            body += [self.worst(told), self.all_turns()]
        return body

    def say(self, sentence: Text | str) -> str:
        """A sentence as it stands in a page."""
        return escape(_printable(self.language.say(sentence)))

    def result(self) -> Text:
        """The end of the play, in words."""
        return outcome_text(self.review)

    # --- the curve and the board -----------------------------------------------------------------

    def curve(self) -> str:
        """The curve, and what its colours and marks mean."""
        items = " ".join(
            f"<span>{mark}{self.say(words)}</span>" for mark, words in legend_items(self.review)
        )
        return (
            f"<figure>\n{curve_svg(self.review, self.language.say)}\n"
            f'<figcaption class="legend">{items}</figcaption>\n</figure>'
        )

    @abstractmethod
    def board(self, shown: int) -> str:
        """The board, which shows any turn; without script there is none."""

    # --- the tables ------------------------------------------------------------------------------

    def players(self) -> str:
        """Return a table of each player's accuracy, and of the number of turns that lost much."""
        columns = (ctext("review", "player"), ctext("review", "accuracy"))
        heads = [*map(self.say, columns), *(self.say(grade.plural) for grade in Grade)]
        rows = []
        for player, (seat, name) in enumerate(zip(self.seats, self.called, strict=True)):
            called = self.say(seat.name) + (f" ({self.say(name)})" if name else "")
            counts = [str(self.review.count(player, grade)) for grade in Grade]
            accuracy = self.say(accuracy_text(self.review, player))
            rows.append(_row([called, accuracy, *counts]))
        wide = f'<div class="wide" role="region" tabindex="0" aria-label="{heads[1]}">'
        return f"{wide}<table>\n{_head(heads)}\n" + "\n".join(rows) + "\n</table></div>"

    def all_turns(self) -> str:
        """All reviewed turns, each a link to the board."""
        seats = self.seats if len(self.seats) > 2 else self.seats[:1]
        title = self.say(text("All turns"))
        columns = (ctext("review", "turn"), ctext("review", "played"))
        heads = [*map(self.say, columns), *(self.say(seat.name) for seat in seats)]
        rows = []
        for turn in self.review.turns:
            chances = [self.say(share_text(one)) for one in turn.after.chances[: len(seats)]]
            grade = f"<strong>{self.say(turn.grade.text)}</strong>" if turn.grade else ""
            if turn.grade and turn.better:
                grade = f'<a href="#worst-{turn.index + 1}">{grade}</a>'
            rows.append(self.turn_row(turn, grade, chances))
        return (
            f'<h2>{title}</h2>\n<div class="wide"><table class="all">\n{_head(heads)}\n'
            + "\n".join(rows)
            + "\n</table></div>"
        )

    def turn_row(self, turn: ReviewedTurn, grade: str, chances: Sequence[str]) -> str:
        """A turn in the list."""
        number, _, played = turn_text(self.play, turn).partition(" ")
        link = (
            f'<a href="#turn-{turn.index + 1}" data-turn="{turn.index + 1}">{self.say(number)}</a>'
        )
        words = f'<td class="words">{self.say(played)} {grade}</td>'
        cells = "".join(f"<td>{chance}</td>" for chance in chances)
        return f'<tr id="turn-{turn.index + 1}"><td>{link}</td>{words}{cells}</tr>'

    # --- the turns that lost most ----------------------------------------------------------------

    def worst(self, told: Sequence[ReviewedTurn]) -> str:
        """The turns that lost most, with pictures and reasons."""
        title = self.say(text("What lost most"))
        if not told:
            nothing = self.say(text("No turn lost so much that it would be a slip."))
            return f"<h2>{title}</h2>\n<p>{nothing}</p>"
        return f"<h2>{title}</h2>\n" + "\n".join(map(self.article, told))

    def article(self, turn: ReviewedTurn) -> str:
        """A turn that lost much: what it was, what was better, and why."""
        assert turn.better is not None
        said, number = self.verdict(turn), turn.index + 1
        pictures = (
            self.picture(turn, turn.turn.actions, "played", text("as played")),
            self.picture(turn, self.best(turn), "better", text("the better turn")),
        )
        return (
            f'<article id="worst-{number}">\n<h3><a href="#turn-{number}" data-turn="{number}">'
            f"{self.say(said.headline)}</a></h3>\n"
            + "\n".join(self.reasons(said.better, said.because))
            + "\n"
            + "\n".join(self.reasons(said.answer, said.harm))
            + f'\n<div class="pair">\n{"".join(pictures)}</div>\n</article>'
        )

    def reasons(self, line: Text, reasons: Sequence[Text]) -> Iterator[str]:
        """A line, and why it is good."""
        yield f"<p>{self.say(line)}</p>"
        if reasons:
            items = "".join(f"<li>{self.say(reason)}</li>" for reason in reasons)
            yield f"<ul>{items}</ul>"

    def verdict(self, turn: ReviewedTurn) -> Verdict:
        """The judgement of a turn, in words."""
        return verdict(self.play, turn)

    def best(self, turn: ReviewedTurn) -> Sequence[Action]:
        """The actions of the better turn."""
        assert turn.better is not None
        return _first_turn(turn.turn.before, turn.better.line)

    def picture(
        self, turn: ReviewedTurn, actions: Sequence[Action], which: str, caption: Text
    ) -> str:
        """The board after a turn, with what it changed."""
        drawn = self.drawn(turn, actions, which)
        return f"<figure>\n{drawn}<figcaption>{self.say(caption)}</figcaption>\n</figure>\n"

    @abstractmethod
    def drawn(self, turn: ReviewedTurn, actions: Sequence[Action], which: str) -> str:
        """The picture itself."""


class _Alone(ReviewParts):
    """One page that needs no other file."""

    def __init__(self, review: Review, record: Record, language: Language) -> None:
        seats = review.play.position.seats
        super().__init__(
            review, [record.tags.get(seat.tag, "").strip() for seat in seats], language
        )
        self.record = record

    def page(self, worst: int) -> str:
        """The whole page."""
        title = self.title()
        body = [
            f"<h1>{title}</h1>",
            f'<p class="soft">{self.below_title()}</p>',
            *self.parts(worst),
        ]
        style = "".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)
        return (
            f'<!DOCTYPE html>\n<html lang="{self.language.code}">\n<head>\n'
            '<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n"
            f"<style>\n{style}</style>\n"
            "</head>\n<body>\n<main>\n" + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
        )

    def title(self) -> str:
        """The names of the players, or else the name of the game."""
        if all(self.called):
            return self.say(" – ".join(self.called))
        return self.say(text("A game of {game}", game=self.room.title))

    def below_title(self) -> str:
        """The game, and what the record says of the occasion."""
        tags = (self.record.tags.get(tag, "").strip() for tag in TOLD_TAGS)
        told = [f"{self.room.title}, {self.play.start.rules.name}", *tags]
        return " · ".join(self.say(one) for one in told if one and set(one) - {"?", "."})

    def board(self, shown: int) -> str:
        """The board, with its game and its modules inside the page."""
        data = play_as_scenes(self.play, say=self.language.say, tags={})
        # Inside a page nothing in it may look like the end of a script.
        written = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace(
            "<", "\\u003c"
        )
        return (
            f'<trine-replay turn="{shown}" hidden></trine-replay>\n'
            f'<script type="application/json" id="game">{written}</script>\n'
            f"{inline_modules('review.js')}"
        )

    def drawn(self, turn: ReviewedTurn, actions: Sequence[Action], which: str) -> str:
        """The picture inside the page."""
        scene = scene_after(self.room, turn, actions)
        prefix = f"p{turn.index + 1}{which[0]}"
        return draw_svg(scene, language=self.language, prefix=prefix)


def scene_after(room: Room, turn: ReviewedTurn, actions: Sequence[Action]) -> Scene:
    """The scene after actions in place of a turn, or after the turn itself."""
    before = after = turn.turn.before
    for action in actions:
        after = after.play_unchecked(action)
    scene: Scene = room.scene(after, last=changed_cells(room, before, actions))
    return scene


def _first_turn(position: Position, line: Sequence[Action]) -> tuple[Action, ...]:
    from trine.engine.assessment import turns_of

    return turns_of(position, line)[0][1]


def _head(cells: Sequence[str]) -> str:
    first, *rest = (f'<th scope="col">{cell}</th>' for cell in cells)
    return f"<thead><tr>{first}{''.join(rest)}</tr></thead>"


def _row(cells: Sequence[str]) -> str:
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _printable(words: str) -> str:
    """Words without control letters, which a page cannot hold."""
    return "".join(letter if letter.isprintable() else " " for letter in words)
