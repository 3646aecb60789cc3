"""Short ways for programs: an engine, an analysis, a hint, a picture.

Each is one call in place of several to the layers below. All except the picture need the compiled
code of a game; compiling it, once on a machine, takes long, and ``trine warm`` does it ahead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msgspec import structs

from trine.core.clock import Limits
from trine.core.contract.position import Action, Position
from trine.core.contract.room import Room
from trine.core.errors import IllegalError
from trine.core.play import Play, describe, names, written_actions
from trine.core.text.language import Language
from trine.core.text.sentence import Text
from trine.engine.players.player import FULL, Player, PlayerResources
from trine.games import ROOMS, open_room, room_of_position

if TYPE_CHECKING:
    from trine.engine.analysis import Analysis


def bot(game: str, level: int | str = FULL, *, seed: int = 0, hash_mb: int = 64) -> Player:
    """Return a computer player of a game: of a level from 1 to 10, or following a strategist.

    Its ``choose(play, Limits(hard=1))`` gives a decision, whose ``actions`` are the turn.

    Raises:
        MalformedError: there is no such game, level or strategist.

    >>> player = bot("arimaa", "trapper")
    >>> player.name
    'bot:trapper'
    """
    from trine.engine.protocol.players import open_player

    return open_player(f"bot:{level}", game, PlayerResources(hash_mb, seed=seed))


def analyze(
    play: Play,
    seconds: float | None = 1.0,
    *,
    lines: int = 1,
    depth: int | None = None,
    nodes: int | None = None,
    hash_mb: int = 64,
) -> Analysis:
    """Return the best lines of a play, the best first: score, depth, principal variation.

    There are no lines if no search is needed, as in Arimaa's setup: ``opening`` is a way to begin.

    Limits: ``seconds`` are for all lines together; None lets ``depth`` or ``nodes`` end the search.

    Raises:
        IllegalError: the play is over, or nothing would end the search.
    """
    from trine.engine import analysis
    from trine.engine.players.bot import Bot

    engine = Bot(play.room.name, hash_mb=hash_mb)
    try:
        return analysis.analyze(engine, play, Limits(depth, nodes, hard=seconds), lines)
    finally:
        engine.close()


@dataclass(frozen=True)
class Hint:
    """A turn that the engine would play, and the reasons."""

    turn: str
    """The turn in notation; empty if the advice is to end the open turn."""
    actions: tuple[Action, ...]
    sentences: tuple[Text, ...]
    """The hint in sentences, as at a terminal: the turn, the reasons, the expected continuation."""

    def __str__(self) -> str:
        return "\n".join(map(str, self.sentences))


def hint(play: Play, seconds: float = 1.0, *, hash_mb: int = 64) -> Hint:
    """Return the turn of the engine at full strength, with reasons; raises `IllegalError`."""
    from trine.engine.players.bot import Bot
    from trine.engine.players.explanation import advice

    play.check_goes_on()
    engine = Bot(play.room.name, hash_mb=hash_mb)
    try:
        decision = engine.choose(play, Limits(hard=seconds))
        if decision.info:
            decision = replace(decision, info=engine.extend_proof(play, decision.info))
    finally:
        engine.close()
    turn = written_actions(play.room, play.position, decision.actions)
    return Hint(turn, decision.actions, tuple(advice(play, decision, engine)))


def turn_between(before: Play | Position | str, after: Play | Position | str) -> list[str]:
    """Return every legal turn that leads from one position to another, as records write it.

    The shortest turns are first. An open turn is left out of a play, a text is a position in any
    known form, and repetition forbids nothing. Of the orders of a setup, one is returned.

    Raises:
        TrineError: a text is not a position, or both positions are not of one game.

    >>> turn_between("quoridor 5 2 c1,c5 - 5,5 1", "quoridor 5 2 c2,c5 - 5,5 2")
    ['c2']
    """
    room, start = _room_and_position(before)
    other, target = _room_and_position(after)
    if room is not other or start.rules is not target.rules:
        raise IllegalError("the positions are not of one game and rule set")
    turns = () if start.outcome() else room.turns_between(start, target)
    return [written_actions(room, start, turn) for turn in sorted(turns, key=len)]


def _room_and_position(given: Play | Position | str) -> tuple[Room, Position]:
    if isinstance(given, Play):
        return given.room, given.turn_start
    if isinstance(given, str):
        room = room_of_position(given)
        return room, room.rules.parse_position(given, "")
    return _room_of(given), given


def svg(
    shown: Play | Position,
    *,
    seat: int = 0,
    insight: bool = False,
    pieces: str = "",
    width: int = 480,
    language: Language | None = None,
) -> str:
    """Return a play or a position as a standalone SVG picture; a play's last turn is marked.

    The result of a play is below the picture.

    Args: ``seat`` is the player, in turn order, at the bottom; ``insight`` adds the marks of the
        position's insight, with a legend; ``pieces`` is a piece set of the game, drawings if it is
        empty.

    >>> from trine.core.contract.position import Reason
    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> svg(play).startswith("<svg"), svg(play) == svg(play, seat=1)
    (True, False)
    >>> play.leave(Reason.RESIGNATION)
    >>> "North wins (resignation)</text>" in svg(play, pieces="letters")
    True
    """
    from trine.play.draw.svg import draw_svg

    if isinstance(shown, Play):
        room, position, last = shown.room, shown.position, shown.last_cells
    else:
        room, position, last = _room_of(shown), shown, frozenset()
    marks = room.view.insight(position).marks() if insight else {}
    scene = room.view.scene(position, seat=seat, last=last, marks=marks, pieces=pieces)
    if isinstance(shown, Play) and shown.outcome:
        scene = structs.replace(scene, status=describe(names(position.seats), shown.outcome))
    return draw_svg(scene, width=width, language=language, legend=insight)


def _room_of(position: Position) -> Room:
    """Return the room of a position, found by the type of its rule set."""
    kind, rooms = type(position.rules), map(open_room, ROOMS)
    return next(room for room in rooms if kind in map(type, room.rule_sets.values()))
