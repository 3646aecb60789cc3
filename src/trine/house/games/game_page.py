"""The page of a game: the values for its template, and the setups to choose from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, Final

from jinja2 import pass_context
from jinja2.runtime import Context

from trine.core.contract import Room
from trine.core.contract.checked import CheckedLine
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.scene.scene import Piece, Scene
from trine.core.text.language import open_language
from trine.core.text.sentence import NOTHING, Text
from trine.games import first_game_after, first_games, open_room
from trine.house.games.drafts import read_draft
from trine.house.games.game_choices import LEVELS, clock_text, time_text
from trine.house.games.live_game import is_named_guest, of_guest
from trine.house.games.messages import Arrangement, TurnShown
from trine.house.games.own_games import Running
from trine.house.games.records import record_text
from trine.house.games.scenes import ViewerGroup, scene_after, scene_now
from trine.house.games.snapshot import Snapshot
from trine.house.games.tables import Stage
from trine.house.games.views import display_names, result_of, turn_messages
from trine.house.web.assets import modules_needed
from trine.house.web.boards import shape
from trine.play.draw.board_theme import NIGHT, BoardTheme
from trine.play.draw.svg import draw_svg
from trine.play.session.entries import Entry

MAX_ARRANGEMENTS: Final = 16
"""The maximum number of saved setups that are shown."""


@pass_context
def _display_names(context: Context, game: Snapshot | Running) -> Sequence[str]:
    """Return the names of players; guests are marked, unless the game is a `Running` one."""
    say, names = open_language(context["language"]).say, display_names(game)
    if isinstance(game, Running):
        return [say(name) for name in names]
    guests = {
        number
        for number, row in enumerate(game.seats)
        if is_named_guest(row, known=number in game.standings)
    }
    return [
        say(of_guest(say(name)) if number in guests else name) for number, name in enumerate(names)
    ]


KNOWN: Final[dict[str, Any]] = {
    "Stage": Stage,
    "display_names": _display_names,
    "clock_text": clock_text,
    "levels": list(enumerate(LEVELS, 1)),
    "time_text": time_text,
}
"""The names about games that templates can use."""


def page_of(snapshot: Snapshot, own: frozenset[int], code: str, pieces: str = "") -> dict[str, Any]:
    language, seat = open_language(code), min(own, default=0)
    scene = scene_now(snapshot, ViewerGroup(own, seat, code, pieces=pieces))
    name = snapshot.agreement.first
    return {
        "snapshot": snapshot,
        "own": sorted(own),
        "first": first_games()[name][1] if name else None,
        "onward": first_game_after(name) if name else None,
        "begins": "",
        "links": (),
        "turn": None,
        "picture": f"/game/{snapshot.game}/picture.svg?seat={scene.board.seat}",
        "boards": f"/game/{snapshot.game}/board/{{}}",
        "board": scene.board,
        "pieces": seen_piece_sets(snapshot.room.name),
        "modules": _modules(),
        "size": shape(scene.board)["size"],
        "alt": language.say(scene.alt),
        "result": language.say(result_of(snapshot, own)),
        "turns": turn_messages(snapshot),
    }


def turn_values(
    snapshot: Snapshot, turns: int, seat: int, pieces: str, actions: int
) -> tuple[Scene, TurnShown]:
    """Return the scene after a number of turns, and of actions of the next turn.

    With negative ``actions``, all actions but the last are played, for stepping back.
    """
    seen, state = 0, snapshot.state
    if state and turns < len(state.play.turns):
        turn = state.play.turns[turns]
        seen = len(snapshot.room.actions_to_see(turn.before, turn.actions))
    done = max(0, min(actions, seen - 1) if actions >= 0 else seen - 1)
    scene = scene_after(snapshot, turns, seat, pieces, done)
    return scene, TurnShown(scene.view, done, seen)


def picture_after(
    snapshot: Snapshot, turns: int, seat: int, code: str, night: BoardTheme | None = NIGHT
) -> str:
    """Return a picture of the position after a number of turns, in day and night colours."""
    scene = scene_after(snapshot, turns, seat)
    return draw_svg(scene, language=open_language(code), night=night)


def record_of(snapshot: Snapshot, entries: Sequence[Entry]) -> str:
    """Return the record of a game as text; empty before it has begun."""
    if not snapshot.state:
        return ""
    return record_text(entries, snapshot.state.play.start.seats)


@cache
def _modules() -> list[str]:
    return sorted(modules_needed("games/game.js") - {"games/game.js"})


@cache
def seen_piece_sets(game_name: str) -> dict[str, Text]:
    """Return the piece sets of a game that look different on pages from its drawings."""
    room = open_room(game_name)
    start = room.rules.start(room.default_rules, room.rules.settle(room.default_rules, {}))
    drawn = room.view.scene(start)
    return {
        name: label
        for name, label in room.view.piece_sets.items()
        if room.view.scene(start, pieces=name) != drawn
    }


def ready_words(room: Room) -> Iterator[tuple[str, Text]]:
    """Return the words that set pieces up, except those with a blank in capitals to fill in."""
    return (
        (word, description)
        for word, description in room.rules.setup_words.items()
        if word == word.lower()
    )


def arrangements(
    play: Play, seat: int, pieces: str = "", kept: Sequence[str] = ()
) -> list[Arrangement]:
    """Return the setups of the side to move; the random one differs each time.

    The player's saved setups, ``kept`` as notation, come first if they are legal here.

    >>> from trine.games import new_play
    >>> found = arrangements(new_play("arimaa"), 0)
    >>> found[0].a[:2], len(found[0].pieces), found[0].pieces[0].cell
    (['Ra1', 'Rb1'], 16, 'a1')
    >>> own = " ".join(found[1].a)
    >>> " ".join(arrangements(new_play("arimaa"), 0, kept=["Ra1 Ra1", own])[0].a) == own
    True
    """
    if not (play.room.rules.whole_setups and play.position.in_setup):
        return []
    lines: list[tuple[CheckedLine, Text]] = []
    for actions in kept[:MAX_ARRANGEMENTS]:
        with suppress(TrineError):
            lines.append((read_draft(play, actions.split()), NOTHING))
    lines += [
        (read_draft(play, (), word), description) for word, description in ready_words(play.room)
    ]
    return [_arrangement(play.room, seat, pieces, line, description) for line, description in lines]


def _arrangement(room: Room, seat: int, pieces: str, line: CheckedLine, label: Text) -> Arrangement:
    before, after = (
        room.view.scene(position, seat=seat, pieces=pieces) for position in (line.start, line.end)
    )
    taken = {one.cell for one in before.pieces}
    placed = [
        Piece(figure=one.figure, base=one.base, owner=one.owner, cell=one.cell, label=one.label)
        for one in after.pieces
        if one.cell not in taken
    ]
    return Arrangement(label, [str(action) for action in line], placed)
