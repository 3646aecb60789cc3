"""A review as a single self-contained page: the board, the curve, and the most costly turns.

It is read without script, too: then the pictures of the turns stand for the board.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from markupsafe import Markup

from trine.core.contract.position import Action, Position
from trine.core.contract.record import Record
from trine.core.text.language import Language
from trine.core.text.sentence import text
from trine.core.text.typed import name_in
from trine.engine.players.review import Review, ReviewedTurn
from trine.engine.players.review_words import outcome_text, verdict
from trine.house.analysis.report import Costly, report, scene_after
from trine.house.web.assets import STATIC, inline_modules
from trine.house.web.pages import sentences_of, templates
from trine.play.draw.scenes import play_as_scenes
from trine.play.draw.svg import draw_svg

POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' data:; "
    "base-uri 'none'; form-action 'none'"
)
"""The content policy: nothing is fetched from anywhere, whatever a record says."""
STYLES: Final = ("analysis/review-alone.css", "analysis/report.css")
TOLD_TAGS: Final = ("Event", "Site", "Date", "Round")
"""The tags of a record that are shown below the names."""


def review_page(review: Review, record: Record, language: Language, worst: int) -> str:
    """Return a review as a page in a language, with a number of the most costly turns.

    Guarantee: the page reaches for nothing outside itself, and shows what the record says as text.
    """
    play, say = review.play, language.say
    room = play.room
    called = [_tag(record, seat.tag) for seat in play.position.seats]
    game, rules = (name_in(language, name) for name in (room.title, play.start.rules.name))
    occasion = [f"{game}, {rules}", *(_tag(record, tag) for tag in TOLD_TAGS)]

    def drawn(turn: ReviewedTurn, actions: Sequence[Action], which: str) -> Markup:
        scene = scene_after(room, turn, actions)
        prefix = f"p{turn.index + 1}{which}"
        return Markup(draw_svg(scene, language=language, prefix=prefix))

    def costly(turn: ReviewedTurn) -> Costly:
        assert turn.better
        better = _first_turn(turn.turn.before, turn.better.line)
        pictures = drawn(turn, turn.turn.actions, "p"), drawn(turn, better, "b")
        return Costly(turn.index + 1, verdict(play, turn), *pictures)

    across, down = room.view.scene(play.start).board.size
    page = templates([Path(__file__).parent / "pages"]).get_template("review_alone.html")
    written = page.render(
        say=say,
        **sentences_of(language),
        policy=POLICY,
        style=Markup(f":root {{ --ratio: {across / down:.3f}; }}\n{_styles()}"),
        title=" – ".join(called) if all(called) else say(text("A game of {game}", game=game)),
        occasion=" · ".join(one for one in occasion if set(one) - {"?", "."}),
        last=len(play.turns),
        game=_inside(play_as_scenes(play, say=say, tags={})),
        modules=Markup(inline_modules("analysis/review.js")),
        **report(review, say, outcome_text(review), called, worst, costly),
    )
    return f"{written}\n"


def _styles() -> str:
    return "".join((STATIC / name).read_text(encoding="utf-8") for name in STYLES)


def _tag(record: Record, name: str) -> str:
    """Return a tag without control characters, which a page cannot hold."""
    words = record.tags.get(name, "")
    return "".join(sign if sign.isprintable() else " " for sign in words).strip()


def _inside(data: object) -> Markup:
    """Return data inside an element of a script, where nothing may look like its end."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(written.replace("<", "\\u003c"))


def _first_turn(position: Position, line: Sequence[Action]) -> tuple[Action, ...]:
    from trine.engine.players.assessment import turns_of

    return turns_of(position, line)[0][1]
