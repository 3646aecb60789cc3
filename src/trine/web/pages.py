"""The pages: written by the house, and readable without script."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from trine.core.errors import MalformedError, TrineError
from trine.core.language import LANGUAGES, Language, open_language
from trine.core.scene import Scene
from trine.core.text import Text, text
from trine.core.wording import describe
from trine.draw.svg import draw_svg
from trine.games import ROOMS, open_room
from trine.house.agreement import LINK, ME, Agreement
from trine.house.export import record_text
from trine.house.snapshot import Snapshot
from trine.session.entries import Entry
from trine.store.game_rows import Stage
from trine.web import words
from trine.web.assets import Assets
from trine.web.views import Audience, called, scene_at, scene_of, turns_data

CLOCKS: Final = ("1+5", "3+2", "5+5", "10+10", "15+15", "30+20")
MATCH: Final = "0:30/5/100/5"
"""A clock of the match rules of Arimaa."""


class Pages:
    """Writes the pages."""

    def __init__(self, assets: Assets) -> None:
        folder = Path(str(files("trine.web"))) / "pages"
        self._environment = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.globals |= {
            "asset": assets.url,
            "languages": LANGUAGES,
            "rooms": [open_room(name) for name in ROOMS],
            "Stage": Stage,
            "levels": list(enumerate(words.LEVELS, 1)),
        }

    def language(self, code: str) -> Language:
        """A language that the house speaks."""
        return open_language(code)

    def write(self, name: str, code: str, **about: Any) -> str:
        """Write a page in a language."""
        language = open_language(code)

        def say(sentence: Text | TrineError | str) -> str:
            return language.say(sentence)

        sentences = {**words.ANALYSIS, **words.PAGE}
        page = {name: language.say(told) for name, told in sentences.items()}
        return self._environment.get_template(name).render(
            say=say,
            page=page,
            language=code,
            called=lambda snapshot: called(snapshot, language),
            qr=_qr,
            **about,
        )

    # --- a new game -------------------------------------------------------------------------------

    def offers(self, chosen: Mapping[str, str]) -> dict[str, Any]:
        """Return the choices for a new game."""
        room = open_room(chosen.get("game", ROOMS[0]))
        return {
            "room": room,
            "chosen": chosen,
            "clocks": [MATCH, *CLOCKS] if room.name == "arimaa" else CLOCKS,
            "options": {option.tag: option for option in room.options},
        }

    def read_offer(self, given: Mapping[str, str]) -> tuple[Agreement, list[str]]:
        """Return the choices made for a new game: the agreement, and the wish for each seat.

        Raises:
            TrineError: it does not fit together.
        """
        room = open_room(given.get("game", ""))
        options = {
            option.tag: value
            for option in room.options
            if (value := given.get(option.tag, "").strip())
        }
        agreement = Agreement.make(
            room.name,
            given.get("rules", ""),
            options,
            given.get("position", "").strip(),
            clock=given.get("own-clock", "").strip() or given.get("clock", ""),
            listed="listed" in given,
        )
        return agreement, self._wishes(agreement, given.get("with", ""), given.get("side", ""))

    def _wishes(self, agreement: Agreement, against: str, side: str) -> list[str]:
        count = agreement.seats
        if against == "screen":
            return [ME] * count
        other = LINK if against == "friend" else against
        if not other:
            raise MalformedError(text("choose against whom you want to play"))
        if side.isdecimal() and int(side) < count:
            own = int(side)
        else:
            own = SystemRandom().randrange(count)
        return [ME if seat == own else other for seat in range(count)]

    # --- a game -----------------------------------------------------------------------------------

    def game(self, snapshot: Snapshot, own: frozenset[int], code: str) -> dict[str, Any]:
        """Return the contents of the page of a game."""
        language, seat = open_language(code), min(own, default=0)
        scene = self._now(snapshot, own, seat, code)
        state = snapshot.state
        told = dict(words.PAGE)
        result = ""
        if snapshot.aborted:
            result = language.say(words.ABORTED)
        elif state and state.outcome:
            names = [words.verbatim_name(name) for name in called(snapshot, language)]
            result = language.say(describe(names, state.outcome))
        script = {name: language.say(sentence) for name, sentence in told.items()}
        return {
            "snapshot": snapshot,
            "own": sorted(own),
            "board": scene.board,
            "ratio": max(70, min(140, 5 * int(20 * scene.board.size[0] / scene.board.size[1]))),
            "size": "x".join(f"{length:g}" for length in scene.board.size),
            "alt": language.say(scene.alt),
            "result": result,
            "turns": turns_data(snapshot),
            "script_words": json.dumps(script, ensure_ascii=False),
        }

    def _now(self, snapshot: Snapshot, own: frozenset[int], seat: int, code: str) -> Scene:
        if snapshot.state:
            return scene_of(snapshot, snapshot.state, Audience(own, seat, code))
        return self.scene(snapshot, 0, seat)

    def scene(self, snapshot: Snapshot, turns: int, seat: int) -> Scene:
        """The scene after a number of turns."""
        if snapshot.state:
            return scene_at(snapshot, snapshot.state, turns, seat)
        scene: Scene = snapshot.room.scene(snapshot.agreement.terms().start, seat=seat)
        return scene

    def picture(self, snapshot: Snapshot, turns: int, seat: int, code: str) -> str:
        """A picture of a position."""
        return draw_svg(self.scene(snapshot, turns, seat), language=open_language(code))

    def record(self, snapshot: Snapshot, entries: Sequence[Entry]) -> str:
        """The record of a game, as text; empty before it has begun."""
        if not snapshot.state:
            return ""
        return record_text(entries, snapshot.state.play.start.seats)


def _qr(link: str) -> Markup:
    """A link as a QR code, to be taken by the camera of a phone."""
    code = segno.make(link, error="m")
    return Markup(code.svg_data_uri(scale=4, border=2))
