"""The views of a game, as data for the page: each made once for all who see the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from trine.core.checked import CheckedLine
from trine.core.choices import choices
from trine.core.doors import Room
from trine.core.keys import carry_keys
from trine.core.language import Language, open_language
from trine.core.scene import Scene
from trine.core.seat import Seat
from trine.core.text import verbatim
from trine.core.wording import changed_cells, describe
from trine.house.anchors import anchor_of
from trine.house.conditions import Conditions
from trine.house.own_games import Running
from trine.house.ratings import shown
from trine.house.snapshot import Snapshot, TurnTime, Written
from trine.session.state import State
from trine.web import words
from trine.web.messages import write_message
from trine.web.packing import pack_choices, pack_scene

LAST: Final = 6
"""The number of turns of history in each message; a page that misses more asks for all."""


@dataclass(frozen=True)
class Audience:
    """All who see the same."""

    own: frozenset[int]
    """The seats of whoever looks."""
    seat: int
    """From whose side the board is seen."""
    language: str
    insight: bool = False
    pieces: str = ""
    """The piece set; empty for drawings."""


def encoded(snapshot: Snapshot, audience: Audience, *, whole: bool) -> str | bytes:
    """The message that shows a game, as it is sent.

    Args: ``whole``, whether all turns go with it.
    """
    key = ("encoded", audience, whole)
    if key not in snapshot.made:
        snapshot.made[key] = write_message(game_data(snapshot, audience, whole=whole))
    made: str | bytes = snapshot.made[key]
    return made


def game_data(snapshot: Snapshot, audience: Audience, *, whole: bool) -> dict[str, Any]:
    """A game as an audience sees it."""
    language = open_language(audience.language)
    data: dict[str, Any] = {
        **_seen_by_all(snapshot, language),
        "own": sorted(audience.own),
        "side": audience.seat,
        "places": _places(snapshot, audience.seat),
        "turns": [],
        "from": 0,
        "choices": [],
        "draft": [],
    }
    if state := snapshot.state:
        data |= _running(snapshot, state, audience, language, whole=whole)
    else:
        start = snapshot.agreement.terms().start
        scene = snapshot.room.scene(start, seat=audience.seat, pieces=audience.pieces)
        data["view"] = pack_scene(scene, language.say)
    return data


def _seen_by_all(snapshot: Snapshot, language: Language) -> dict[str, Any]:
    """Return what is the same for all who read one language; it is made once."""
    key = ("all", language.code)
    if made := snapshot.made.get(key):
        return dict(made)
    data: dict[str, Any] = {
        "t": "game",
        "seq": snapshot.seq,
        "stage": str(snapshot.stage),
        "seats": _seats(snapshot, language),
        "casual": snapshot.agreement.casual,
        "tournament": bool(snapshot.agreement.tournament),
        "over": snapshot.over,
        "aborted": snapshot.aborted,
        "next": snapshot.next_game,
        "rematch": sorted(snapshot.wants_rematch),
    }
    if snapshot.aborted:
        data["result"] = language.say(words.ABORTED)
    if state := snapshot.state:
        data |= _running_for_all(snapshot, state, language)
    snapshot.made[key] = data
    return dict(data)


def _running_for_all(snapshot: Snapshot, state: State, language: Language) -> dict[str, Any]:
    play, room = state.play, snapshot.room
    data: dict[str, Any] = {
        "turn": play.turn_tag,
        "mover": play.mover,
        "one": room.turns_of_one,
        "clock": _clock(snapshot, state),
        "paused": state.paused is not None,
        "agreed_pause": state.by_consent,
        "waking": snapshot.waking,
        "warming": snapshot.warming,
        "offers": [
            {"what": offer.what, "seat": offer.seat, "waiting": list(offer.waiting)}
            for offer in state.offers
        ],
        "takebacks": state.terms.takebacks,
        "draws": state.terms.draws,
        "status": [language.say(told) for told in room.status(play.position)],
        "setup": _setup_words(room, language) if play.position.in_setup else [],
        "whole": room.whole_setups,
    }
    if state.outcome:
        players = [verbatim(name) for name in called(snapshot, language)]
        data["result"] = language.say(describe(players, state.outcome))
        data["winner"] = state.outcome.winner
    return data


def _running(
    snapshot: Snapshot, state: State, audience: Audience, language: Language, *, whole: bool
) -> dict[str, Any]:
    play, room = state.play, snapshot.room
    line = snapshot.drafts.get(play.mover) if play.mover in audience.own else None
    begin = 0 if whole else max(0, len(play.turns) - LAST)
    data: dict[str, Any] = {
        "draft": [str(action) for action in line] if line else [],
        "closed": bool(line and line.steps and line.steps[-1].closes),
        "view": pack_scene(scene_of(snapshot, state, audience, line), language.say),
        "turns": turns_data(snapshot, begin),
        "from": begin,
    }
    if line:
        data["status"] = [language.say(told) for told in room.status(line.end)]
    may_choose = play.mover in audience.own and not snapshot.over and not data["closed"]
    if may_choose and not (state.paused is not None and state.by_consent):
        position = line.end if line else play.position
        actions = position.legal_actions(play.history)
        data["choices"] = pack_choices(choices(room, position, actions), language.say)
    if audience.own & snapshot.conditions.keys():
        data["conditions"] = _conditions(snapshot.conditions, audience.own)
    if audience.insight:
        insight = room.insight(line.end if line else play.position)
        data["insight"] = [language.say(told) for told in insight.sentences()]
    return data


def _conditions(conditions: Mapping[int, Conditions], own: frozenset[int]) -> list[Any]:
    """The lines of one's own conditional turns."""
    return [
        [{"a": list(one.ids), "tag": one.tag, "words": one.words, "mine": one.mine} for one in line]
        for seat in sorted(own)
        if seat in conditions
        for line in conditions[seat].lines()
    ]


def _setup_words(room: Room, language: Language) -> list[dict[str, Any]]:
    return [
        {"word": word, "told": language.say(told), "consent": word in room.words_by_consent}
        for word, told in room.setup_words.items()
    ]


def scene_of(
    snapshot: Snapshot, state: State, audience: Audience, line: CheckedLine | None = None
) -> Scene:
    """The scene of a game, with the draft of whoever may see it."""
    play, room = state.play, snapshot.room
    keys, position = snapshot.keys[-1], play.position
    marks: Mapping[str, frozenset[str]] = {}
    last: frozenset[str] = frozenset()
    if line and line.steps:
        last = changed_cells(room, line.start, line.actions)
        for step in line.steps:
            keys = carry_keys(room, step.before, step.action, keys)
        position = line.end
    elif play.turns:
        last = changed_cells(room, play.turns[-1].before, play.turns[-1].actions)
    if audience.insight and not play.outcome:
        marks = room.insight(position).marks()
    scene: Scene = room.scene(
        position,
        seat=audience.seat,
        last=last,
        marks=marks,
        keys=keys,
        pieces=audience.pieces,
    )
    return scene


def scene_at(snapshot: Snapshot, state: State, turns: int, seat: int, pieces: str = "") -> Scene:
    """The scene after a number of turns."""
    play, room = state.play, snapshot.room
    last: frozenset[str] = frozenset()
    position = play.start
    if turns:
        turn = play.turns[turns - 1]
        position, last = turn.after, changed_cells(room, turn.before, turn.actions)
    keys = snapshot.keys[turns]
    scene: Scene = room.scene(position, seat=seat, last=last, keys=keys, pieces=pieces)
    return scene


def turns_data(snapshot: Snapshot, begin: int = 0) -> list[dict[str, Any]]:
    """The turns from one on, with their notation and times."""
    turns = zip(snapshot.written[begin:], snapshot.times[begin:], strict=True)
    dated = snapshot.agreement.by_days
    return [_turn(written, time, dated=dated) for written, time in turns]


def _turn(written: Written, time: TurnTime, *, dated: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"tag": written.tag, "words": written.words}
    if dated and time.at is not None:
        data["at"] = round(time.at)
    if time.used is not None:
        data["used"] = time.used
    if time.left is not None:
        data["left"] = time.left
    return data


def _clock(snapshot: Snapshot, state: State) -> dict[str, Any] | None:
    """Return each player's time in seconds at a moment; it runs down for the player to move."""
    clock = state.clock
    if not clock:
        return None
    left = [min(clock.left(seat), clock.game_left()) for seat in range(len(snapshot.seats))]
    runs = state.paused is None and not snapshot.over
    if not state.outcome:
        left[state.play.mover] = state.time_left(snapshot.at)
    data = {
        "left": [max(0.0, round(seconds, 3)) if seconds < 1e9 else None for seconds in left],
        "running": state.play.mover if runs else None,
        "at": round(snapshot.at, 3),
    }
    if clock.control.by_days:
        data["spare"] = list(clock.reserves)
    return data


PLACES: Final = 4
"""Where players sit: below the board, and on clockwise."""


def _places(snapshot: Snapshot, side: int) -> list[int]:
    """Where each player sits, as the board is seen from a side."""
    room, board = snapshot.room, seats_of_board(snapshot)
    chairs = [room.seats.index(seat) for seat in board]
    count = len(room.seats)
    return [(chair - chairs[side]) % count * PLACES // count for chair in chairs]


def seats_of_board(snapshot: Snapshot) -> Sequence[Seat]:
    """The seats of the game, as the rules have them."""
    if snapshot.state:
        return snapshot.state.play.start.seats
    return snapshot.agreement.terms().start.seats


def _seats(snapshot: Snapshot, language: Language) -> list[dict[str, Any]]:
    staying = snapshot.state.staying if snapshot.state else range(len(snapshot.seats))
    board = seats_of_board(snapshot)
    data = []
    for number, (row, seat) in enumerate(zip(snapshot.seats, board, strict=True)):
        presence = snapshot.presence.get(number)
        standing = snapshot.standings.get(number)
        data.append(
            {
                "name": language.say(words.called(row, seat)),
                "side": language.say(seat.name),
                "kind": str(row.kind),
                "player": standing.name if standing else "",
                "bot": bool(standing and standing.bot),
                "rating": rating_of(snapshot, number),
                "presence": str(presence) if presence else "",
                "claim": number in snapshot.claimable,
                "plays": number in staying,
            }
        )
    return data


def rating_of(snapshot: Snapshot, number: int) -> str:
    """The rating of a player, or that for which a level stands; empty where none counts."""
    agreement = snapshot.agreement
    if not agreement.rated:
        return ""
    if standing := snapshot.standings.get(number):
        return str(standing)
    anchor = anchor_of(agreement.game, agreement.rules, snapshot.seats[number])
    return shown(anchor.rating, provisional=False) if anchor else ""


def called(game: Snapshot | Running, language: Language) -> Sequence[str]:
    """Return the names of the players; those of programs say so."""
    if isinstance(game, Running):
        seats = zip(game.seats, game.board, strict=True)
        return [language.say(words.called(row, seat)) for row, seat in seats]
    return [
        language.say(words.of_program(seat["name"])) if seat["bot"] else seat["name"]
        for seat in _seats(game, language)
    ]
