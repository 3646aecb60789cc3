"""The pages: written by the house, and readable without script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from trine.core.errors import TrineError
from trine.core.language import LANGUAGES, open_language
from trine.core.scene import Scene
from trine.core.text import Text, verbatim
from trine.core.wording import describe
from trine.draw.svg import draw_svg
from trine.games import ROOMS, open_room
from trine.house.chat import PRESETS
from trine.house.export import record_text
from trine.house.long_times import clock_told, time_told
from trine.house.moderation import WHYS
from trine.house.snapshot import Snapshot
from trine.session.entries import Entry
from trine.store.game_rows import Stage
from trine.web import words
from trine.web.analysis_words import ANALYSIS
from trine.web.assets import Assets
from trine.web.chat_words import CHAT
from trine.web.modules import modules_needed
from trine.web.stills import shape
from trine.web.views import Audience, called, scene_at, scene_of, turns_data
from trine.web.visitors import NO_TASTE, Taste


class _Environment(Environment):
    """The environment of the pages; a sentence may be called `copy`, as a method of dicts is."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


class Pages:
    """Writes the pages."""

    def __init__(self, assets: Assets) -> None:
        folder = Path(str(files("trine.web"))) / "pages"
        self._environment = _Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters["colon"] = _colon
        self._environment.globals |= {
            "asset": assets.url,
            "languages": LANGUAGES,
            "rooms": [open_room(name) for name in ROOMS],
            "Stage": Stage,
            "levels": list(enumerate(words.LEVELS, 1)),
            "lines": words.GAMES,
            "clock_told": clock_told,
            "time_told": time_told,
            "looks": words.LOOKS,
            "boards": words.BOARDS,
        }
        self._modules = [name for name in modules_needed("game.js") if name != "game.js"]

    def write(
        self, name: str, code: str, taste: Taste = NO_TASTE, *, path: str = "", **about: Any
    ) -> str:
        """Write a page in a language; its path says which part of the house it belongs to."""
        language = open_language(code)

        def say(sentence: Text | TrineError | str) -> str:
            return language.say(sentence)

        sentences = {**ANALYSIS, **words.PAGE}
        page = {name: language.say(told) for name, told in sentences.items()}
        return self._environment.get_template(name).render(
            say=say,
            page=page,
            language=code,
            called=lambda snapshot: called(snapshot, language),
            qr=_qr,
            taste=taste,
            path=path,
            places=[(place, page[told]) for place, told in words.PLACES.items()],
            **about,
        )

    # --- a game -----------------------------------------------------------------------------------

    def game(
        self, snapshot: Snapshot, own: frozenset[int], code: str, pieces: str = ""
    ) -> dict[str, Any]:
        """Return the contents of the page of a game."""
        language, seat = open_language(code), min(own, default=0)
        scene = self.now(snapshot, Audience(own, seat, code, pieces=pieces))
        state = snapshot.state
        result = ""
        if snapshot.aborted:
            result = language.say(words.ABORTED)
        elif state and state.outcome:
            names = [verbatim(name) for name in called(snapshot, language)]
            result = language.say(describe(names, state.outcome))
        script = {name: language.say(words.PAGE[name]) for name in words.SCRIPT}
        return {
            "snapshot": snapshot,
            "own": sorted(own),
            "board": scene.board,
            "pieces": {"": words.DRAWINGS, **seen_piece_sets(snapshot.room.name)},
            "modules": self._modules,
            "size": shape(scene.board)["size"],
            "alt": language.say(scene.alt),
            "result": result,
            "turns": turns_data(snapshot),
            "script_words": json.dumps(script, ensure_ascii=False),
            "chat": words.said(CHAT, code),
            "chat_words": json.dumps(words.said(CHAT, code), ensure_ascii=False),
            "chat_whys": json.dumps(words.said(WHYS, code), ensure_ascii=False),
            "presets": PRESETS,
        }

    def now(self, snapshot: Snapshot, audience: Audience) -> Scene:
        """The scene as the game stands."""
        if snapshot.state:
            return scene_of(snapshot, snapshot.state, audience)
        return self.scene(snapshot, 0, audience.seat, audience.pieces)

    def scene(self, snapshot: Snapshot, turns: int, seat: int, pieces: str = "") -> Scene:
        """The scene after a number of turns."""
        if snapshot.state:
            return scene_at(snapshot, snapshot.state, turns, seat, pieces)
        start = snapshot.agreement.terms().start
        scene: Scene = snapshot.room.scene(start, seat=seat, pieces=pieces)
        return scene

    def picture(self, snapshot: Snapshot, turns: int, seat: int, code: str) -> str:
        """A picture of a position."""
        return draw_svg(self.scene(snapshot, turns, seat), language=open_language(code))

    def record(self, snapshot: Snapshot, entries: Sequence[Entry]) -> str:
        """The record of a game, as text; empty before it has begun."""
        if not snapshot.state:
            return ""
        return record_text(entries, snapshot.state.play.start.seats)


@cache
def seen_piece_sets(game: str) -> dict[str, Text]:
    """The piece sets of a game that look otherwise on a page than its drawings."""
    room = open_room(game)
    start = room.start(room.default_rules, room.settle(room.default_rules, {}))
    drawn = room.scene(start)
    return {
        name: told
        for name, told in room.piece_sets.items()
        if room.scene(start, pieces=name) != drawn
    }


def _qr(link: str) -> Markup:
    """A link as a QR code, to be taken by the camera of a phone."""
    code = segno.make(link, error="m")
    return Markup(code.svg_data_uri(scale=4, border=2))


@pass_context
def _colon(context: Context, topic: str) -> str:
    return words.colon(topic, context["language"])
