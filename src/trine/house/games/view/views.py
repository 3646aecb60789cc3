"""The views of a game, as messages for its page; each is made once per group of viewers."""

from collections.abc import Collection, Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Any, Final, cast

from msgspec import Struct, structs

from trine.core.contract.checked import CheckedLine
from trine.core.contract.choices import choices
from trine.core.contract.position import NO_HISTORY, Seat
from trine.core.contract.room import Room
from trine.core.play import ended, next_step
from trine.core.scene.composing import Movement
from trine.core.scene.scene import View
from trine.core.text.language import open_language
from trine.core.text.sentence import NOTHING, Text, text
from trine.house.games.live import live_game
from trine.house.games.live.commands import hinted_seats
from trine.house.games.live.drafts import Conditions
from trine.house.games.live.live_game import PlayedTurns, is_named_guest, of_program, rating_text
from trine.house.games.storage.own_games import ListedGame
from trine.house.games.view import messages, scenes
from trine.house.games.view.game_choices import rating_of_level
from trine.house.games.view.messages import Changes, Game, Runs
from trine.house.games.view.snapshot import ABORTED, Snapshot
from trine.house.web.messages import write_message
from trine.play.session.state import Entry, Kind, State

TURN_COMPLETE: Final = text("Your turn is complete: submit it, or undo.")
NO_VIEW: Final = View(NOTHING, NOTHING, board="")


def encode_game(
    snapshot: Snapshot, group: scenes.ViewerGroup, before: Snapshot | None = None
) -> str | bytes:
    """Return the encoded message that shows a game, as changes if viewers have ``before``."""
    key = ("encoded", group, before and before.version)
    if key not in snapshot.made:
        say = open_language(group.language).say
        message = _changes(before, snapshot, group) if before else whole_message(snapshot, group)
        snapshot.made[key] = write_message(message, say)
    made: str | bytes = snapshot.made[key]
    return made


def whole_message(snapshot: Snapshot, group: scenes.ViewerGroup) -> messages.Game:
    return structs.replace(game_message(snapshot, group), turns=turn_messages(snapshot))


def _changes(before: Snapshot, snapshot: Snapshot, group: scenes.ViewerGroup) -> messages.Changes:
    message = changes(game_message(before, group), game_message(snapshot, group))
    message.begin = same_turns(before.played_turns, snapshot.played_turns)
    message.turns = turn_messages(snapshot, message.begin)
    return message


def game_message(snapshot: Snapshot, group: scenes.ViewerGroup) -> messages.Game:
    """Return the message for a group of viewers, without the turns; it is cached."""
    if group not in snapshot.made:
        snapshot.made[group] = _game_message(snapshot, group)
    return cast("messages.Game", snapshot.made[group])


def _game_message(snapshot: Snapshot, group: scenes.ViewerGroup) -> messages.Game:
    message = structs.replace(
        _seen_by_all(snapshot),
        own=sorted(group.own),
        side=group.seat,
        places=places_of(snapshot.room, seats_of_board(snapshot), group.seat),
    )
    if state := snapshot.state:
        _show_play(message, snapshot, state, group)
    else:
        message.view = scenes.scene_now(snapshot, group).view
    return message


def result_of(snapshot: Snapshot, own: Collection[int] = ()) -> Text:
    """Return how a game has ended, for a player at the seats ``own``; nothing before its end."""
    if snapshot.aborted:
        return ABORTED
    if not (state := snapshot.state) or not state.outcome:
        return NOTHING
    room, position, outcome = snapshot.room, state.play.position, state.outcome
    last = state.play.turns[-1].player if state.play.turns else None
    players, own = display_names(snapshot), seats_against_others(snapshot, own)
    return ended(room, position, players, outcome, own, last)


def _seen_by_all(snapshot: Snapshot) -> messages.Game:
    """Return the part of the message that is equal for all viewers; it is cached."""
    if made := snapshot.made.get("all"):
        return cast("messages.Game", made)
    message = messages.Game(
        seq=snapshot.seq,
        stage=str(snapshot.stage),
        seats=seat_messages(snapshot),
        casual=snapshot.agreement.casual,
        tournament=bool(snapshot.agreement.tournament),
        over=snapshot.over,
        aborted=snapshot.aborted,
        next=snapshot.next_game,
        rematch=sorted(snapshot.wants_rematch),
        result=result_of(snapshot),
        own=[],
        side=0,
        places=[],
        view=NO_VIEW,
    )
    if state := snapshot.state:
        _tell_state(message, snapshot, state)
    snapshot.made["all"] = message
    return message


def _tell_state(message: messages.Game, snapshot: Snapshot, state: State) -> None:
    play, room = state.play, snapshot.room
    message.turn, message.mover = play.turn_tag, play.mover
    message.one, message.whole = room.rules.turns_of_one, room.rules.whole_setups
    message.clock = _clock(snapshot, state)
    message.paused, message.agreed_pause = state.paused is not None, state.by_consent
    message.waking = snapshot.waking
    if progress := snapshot.warming:
        message.warming = messages.Warming(progress.done, progress.modules, progress.left)
    message.offers = [
        messages.Offered(offer.what, offer.seat, list(offer.waiting)) for offer in state.offers
    ]
    message.declined = _declined_offer(snapshot.entries)
    last = [room.tag(turn.before) for turn in play.turns[-1:]]
    message.hinted = hinted_seats(snapshot.entries, {play.turn_tag, *last})
    message.story = _story(snapshot)
    message.takebacks, message.draws = state.terms.takebacks, state.terms.draws
    if play.position.in_setup:
        message.setup = [
            messages.SetupWord(word, description, word in room.rules.words_by_consent)
            for word, description in room.rules.setup_words.items()
        ]
    if state.outcome:
        message.winner = state.outcome.winner
        message.reviewable = sorted(reviewable_seats(state))


def reviewable_seats(state: State) -> frozenset[int]:
    """Return the seats with turns after the setup; none on boards that are not searched."""
    if state.play.room.rules.unsearched(state.play.position):
        return frozenset()
    turns = [turn for turn in state.play.turns if not (turn.left or turn.before.in_setup)]
    return frozenset(turn.player for turn in turns)


def _declined_offer(entries: Sequence[Entry]) -> messages.Offered | None:
    """Return the last offer, if it was declined and nothing has happened since."""
    if entries[-1].kind is not Kind.DECLINE or (seat := entries[-1].seat) is None:
        return None
    what = entries[-1].data["what"]
    offers = (one for one in reversed(entries) if one.kind is Kind.OFFER)
    asked = next(one for one in offers if one.data["what"] == what)
    return messages.Offered(what, asked.seat or 0, [seat])


def _story(snapshot: Snapshot) -> list[Sequence[Movement]]:
    """Return the movements of each action of the last turn, if several move pieces; no setups."""
    played = snapshot.played_turns
    if not played.turns or played.turns[-1].before.in_setup:
        return []
    movements = [moved for moved in played.moved[-1] if moved]
    return movements if len(movements) > 1 else []


def _show_play(
    message: messages.Game, snapshot: Snapshot, state: State, group: scenes.ViewerGroup
) -> None:
    play = state.play
    line = _own_draft(snapshot, state, group)
    position = line.end if line else play.position
    if line:
        message.draft = [str(action) for action in line]
        message.closed = bool(line.steps and line.steps[-1].closes)
    message.view = scenes.scene_now(snapshot, group, line).view
    if play.mover in group.own and not snapshot.over:
        _offer(message, state, line)
        if (first := scenes.first_game_of(snapshot)) and not line:
            message.coach = first.line(play.turns, play.mover) or message.coach
    if snapshot.over:
        message.result = result_of(snapshot, group.own)
    elif group.own and not group.own.intersection(state.staying):
        message.coach = text("You are out of the game.")
    if group.own & snapshot.conditions.keys():
        message.conditions = _conditions(snapshot.conditions, group.own)
    if group.insight:
        message.insight = scenes.insight_of(snapshot, position).sentences


async def add_insight(
    snapshot: Snapshot, group: scenes.ViewerGroup, insight: scenes.PageInsight
) -> bool:
    """Add the insight for a group of viewers to the snapshot; return whether it is there."""
    if not snapshot.state:
        return False
    line = _own_draft(snapshot, snapshot.state, group)
    position = line.end if line else snapshot.state.play.position
    if found := await insight.of(snapshot.room, position):
        snapshot.made["insight", position] = found
    return found is not None


def _own_draft(snapshot: Snapshot, state: State, group: scenes.ViewerGroup) -> CheckedLine | None:
    """Return the draft of the player to move; None unless the viewers hold that seat."""
    mover = state.play.mover
    return snapshot.drafts.get(mover) if mover in group.own else None


def _offer(message: messages.Game, state: State, line: CheckedLine | None) -> None:
    """Add what the player to move can do next in the open turn."""
    if message.closed:
        message.coach = TURN_COMPLETE
    elif state.paused is None or not state.by_consent:
        room, history, end = state.play.room, state.play.history, state.play.room.rules.end
        position = line.end if line else state.play.position
        begun, made = (line.start, line.actions) if line else (position, ())
        if not line and state.play.turns:
            begun, made = state.play.turns[-1].before, state.play.turns[-1].actions
        message.coach = next_step(room, begun, made, position)
        if message.draft and end and position.why_not(end, NO_HISTORY) is None:
            # Only the game's history forbids the end of the turn, which the board does not show.
            message.coach = position.why_not(end, history) or message.coach
        message.choices = choices(room, position, position.legal_actions(history))
        message.handles = room.view.handles(position)


def _conditions(
    conditions: Mapping[int, Conditions], own: frozenset[int]
) -> list[list[messages.Prepared]]:
    """Return the conditional turns at the viewer's own seats, line by line."""
    return [
        [messages.Prepared(one.ids, one.tag, one.words, one.mine) for one in line]
        for seat in sorted(own)
        if seat in conditions
        for line in conditions[seat].lines()
    ]


def turn_messages(snapshot: Snapshot, begin: int = 0) -> list[messages.PlayedTurn]:
    """Return the turns from number ``begin``, with their notation and times."""
    turns = zip(
        snapshot.played_turns.written[begin:], snapshot.played_turns.times[begin:], strict=True
    )
    dated = snapshot.agreement.by_days
    return [
        messages.PlayedTurn(
            written.tag,
            written.words,
            round(time.at) if dated and time.at is not None else None,
            time.used,
            time.left,
        )
        for written, time in turns
    ]


def _clock(snapshot: Snapshot, state: State) -> messages.Clock | None:
    clock = state.clock
    if not clock:
        return None
    runs = state.paused is None and not snapshot.over
    return messages.Clock(
        left_at(state, snapshot.at),
        state.play.mover if runs else None,
        round(snapshot.at, 3),
        list(clock.reserves) if clock.control.by_days else None,
    )


def left_at(state: State, at: float) -> list[float | None]:
    """Return each player's remaining time, in seconds, None if unlimited; empty without a clock."""
    if not (clock := state.clock):
        return []
    left = [min(clock.left(seat), clock.game_left()) for seat in range(len(clock.reserves))]
    if not state.outcome:
        left[state.play.mover] = state.time_left(at)
    return [max(0.0, round(seconds, 3)) if seconds < 1e9 else None for seconds in left]


PLACES: Final = 4  # number of places around the board: below the board, and clockwise from there


def places_of(room: Room, board: Sequence[Seat], side: int = 0) -> list[int]:
    """Return the place of each player of a board, as seen from the seat ``side``."""
    chairs = [room.seats.index(seat) for seat in board]
    count = len(room.seats)
    return [(chair - chairs[side]) % count * PLACES // count for chair in chairs]


def seats_of_board(snapshot: Snapshot) -> Sequence[Seat]:
    if snapshot.state:
        return snapshot.state.play.start.seats
    return snapshot.agreement.terms().start.seats


def seat_messages(snapshot: Snapshot) -> list[messages.Seat]:
    staying = snapshot.state.staying if snapshot.state else range(len(snapshot.seats))
    board = seats_of_board(snapshot)
    seats = []
    for number, (row, seat) in enumerate(zip(snapshot.seats, board, strict=True)):
        presence = snapshot.presence.get(number)
        standing = snapshot.standings.get(number)
        seats.append(
            messages.Seat(
                name=live_game.display_name(row, seat),
                side=seat.name,
                kind=str(row.kind),
                player=standing.name if standing else "",
                bot=bool(standing and standing.bot),
                guest=is_named_guest(row, known=standing is not None),
                rating=rating_of(snapshot, number),
                presence=str(presence) if presence else "",
                claim=number in snapshot.claimable,
                plays=number in staying,
            )
        )
    return seats


def rating_of(snapshot: Snapshot, number: int) -> str:
    agreement = snapshot.agreement
    if not agreement.rated:
        return ""
    if standing := snapshot.standings.get(number):
        return str(standing)
    rating = rating_of_level(agreement.game, agreement.rules, snapshot.seats[number])
    return "" if rating is None else rating_text(rating, provisional=False)


def seats_against_others(game: Snapshot | ListedGame, own: Collection[int]) -> Collection[int]:
    """Return a person's seats; none if the person plays at all seats of the game."""
    return own if len(own) < len(game.seats) else ()


def display_names(game: Snapshot | ListedGame) -> Sequence[Text]:
    board = game.board if isinstance(game, ListedGame) else seats_of_board(game)
    names = [live_game.display_name(row, seat) for row, seat in zip(game.seats, board, strict=True)]
    if isinstance(game, ListedGame):
        return names
    bots = {number for number, one in game.standings.items() if one.bot}
    return [of_program(str(name)) if number in bots else name for number, name in enumerate(names)]


LISTS: Final = ("pieces", "walls", "labels")
"""The lists in a view that mostly stay the same from turn to turn."""


def _names(cls: type[Struct], apart: Sequence[str]) -> tuple[str, ...]:
    """Return the encoded names of fields; empty for the fields in ``apart``."""
    return tuple("" if one.name in apart else one.encode_name for one in structs.fields(cls))


_OF_GAME: Final = _names(Game, ("view", "turns", "begin"))
_OF_VIEW: Final = _names(View, LISTS)


def changes(before: Game, after: Game) -> Changes:
    """Return the differences between two messages, except for their turns.

    >>> from trine.core.text.sentence import NOTHING
    >>> empty = View(NOTHING, NOTHING, board="b")
    >>> one, two = (Game(seq=n, stage="playing", seats=[], own=[], side=0, places=[], view=empty)
    ...             for n in (1, 2))
    >>> difference = changes(one, two)
    >>> difference.game, difference.view, difference.runs
    ({'seq': 2}, {}, {})
    """
    lists = ((name, getattr(before.view, name), getattr(after.view, name)) for name in LISTS)
    return Changes(
        game=_different(_OF_GAME, before, after),
        view=_different(_OF_VIEW, before.view, after.view),
        runs={name: runs(old, new) for name, old, new in lists if old != new},
    )


def _different(names: Sequence[str], before: Struct, after: Struct) -> dict[str, Any]:
    values = zip(names, structs.astuple(before), structs.astuple(after), strict=True)
    return {name: new for name, old, new in values if name and new is not old and new != old}


def runs(before: Sequence[Any], after: Sequence[Any]) -> Runs:
    """Return a list as runs of another list; equal items are recognised by identity.

    >>> runs("abcd", "abxd")
    [(0, 2), 'x', (3, 4)]
    """
    places = {id(one): place for place, one in enumerate(before)}
    parts: Runs = []
    begin = end = 0
    for one in after:
        place = places.get(id(one), -1)
        if place == end and end > begin:
            end += 1
            continue
        if end > begin:
            parts.append((begin, end))
        begin = end = place
        if place < 0:
            parts.append(one)
            begin = end = 0
        else:
            end += 1
    return [*parts, (begin, end)] if end > begin else parts


def same_turns(before: PlayedTurns, after: PlayedTurns) -> int:
    """Return how many leading turns, with their times, are the same before and after."""
    most = min(len(before.turns), len(after.turns))
    if before.turns[:most] == after.turns[:most] and before.times[:most] == after.times[:most]:
        return most
    was = zip(before.turns, before.times, strict=True)
    now = zip(after.turns, after.times, strict=True)
    return sum(takewhile(bool, map(eq, was, now)))
