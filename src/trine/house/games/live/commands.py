"""The commands in a game: each is a pure function that returns a change.

A command gets the game, its sender and the circumstances; it returns the change, or raises an
error.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Concatenate, Final, ParamSpec

from trine.core.contract.checked import CheckedLine
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError
from trine.core.text.sentence import Text, text
from trine.engine.protocol.turn_words import read_turn
from trine.house.games.live import drafts
from trine.house.games.live.change_hooks import spent_without
from trine.house.games.live.live_game import Change, LiveGame
from trine.house.games.storage.events import ABORT, REMATCH, Event
from trine.house.games.storage.tables import Downtime, SeatKind, SeatRow, Stage
from trine.house.games.view import messages
from trine.house.games.view.snapshot import MISSING, NOT_COME
from trine.house.refusals import HouseError
from trine.play.session import commands as session
from trine.play.session.game import Game
from trine.play.session.prepare import TURN, Prepared
from trine.play.session.seats import turns_to_take_back
from trine.play.session.state import DRAW, TAKEBACK, Entry, Kind, MemoryJournal, State

HINT: Final = "asks for a hint"
"""The remark in the record when a player asks for a hint against other people."""


class OutdatedError(HouseError):
    """The request was made before the game continued."""

    default_text = text("the game has continued meanwhile")


class NotYoursError(HouseError):
    """The request needs a seat that the person does not hold."""

    default_text = text("only players can do that, each at their own seat")


@dataclass(frozen=True)
class CommandMeta:
    """The sender of a command, and the last event that the sender had seen."""

    person: str | None
    command_id: str = ""  # id of the command; a repeated command has the same id
    seen_seq: int | None = None  # number of the last event that the sender had seen
    received_at: float | None = None


@dataclass(frozen=True)
class CommandContext:
    """The circumstances of a command besides the game: the time, and who is present."""

    at: float  # the time of the command, not before the last entry. Units: seconds since 1970
    claimable: frozenset[int] = frozenset()
    """The seats whose players left or ran out of days, so that others may claim a win or a draw."""
    lags: Sequence[float] = ()  # the lag compensation of each seat for a turn. Units: seconds
    absent: frozenset[int] = frozenset()
    """The seats of people who have had no page of the game open since the last turn."""


Given = ParamSpec("Given")
Command = Callable[Concatenate[LiveGame, CommandMeta, CommandContext, Given], Change]
HouseCommand = Callable[[LiveGame, CommandContext], Change | None]
"""A command of the house itself; it returns None if there is nothing to do."""
UNDO_WINDOW: Final = 5.0
"""Units: seconds; how long a turn that no opponent has seen can be taken back without consent."""
MIN_TURN_TIME: Final = 0.1  # seconds; the least time that a prepared turn takes


def seat_for(game: LiveGame, asked: CommandMeta, seat: int | None = None) -> int:
    """Return a person's seat, by default the one to move; raises `NotYoursError`."""
    own = game.seats_of(asked.person)
    if seat is None and game.state and game.state.play.mover in own:
        seat = game.state.play.mover
    if seat is None and own:
        seat = min(own)
    if seat is None or seat not in own:
        raise NotYoursError
    return seat


def check_seen(game: LiveGame, asked: CommandMeta) -> None:
    """Refuse a command (`OutdatedError`) if the play has gone on since its sender last saw it."""
    if asked.seen_seq is not None and asked.seen_seq < game.turn_seq:
        raise OutdatedError


def begin(game: LiveGame, context: CommandContext) -> Change | None:
    if game.state or game.over or any(seat.kind is SeatKind.FREE for seat in game.seats):
        return None
    terms = game.agreement.terms()
    names = {
        chair.tag: _recorded_name(game, number, seat)
        for number, (chair, seat) in enumerate(zip(terms.start.seats, game.seats, strict=True))
        if seat.name
    }
    journal = MemoryJournal()
    begun = Game.begin(game.agreement.terms(names), journal, lambda: context.at)
    return game.changed_by(Prepared(begun.state, context.at, entries=journal.entries))


def _recorded_name(game: LiveGame, number: int, seat: SeatRow) -> str:
    """Return a player's name for the record, marked if the player is a program."""
    rated = game.standings.get(number)
    return f"{seat.name} (bot)" if rated and rated.bot else seat.name


def go_to_rematch(game: LiveGame, context: CommandContext, other: str) -> Change:
    after = replace(game, seq=game.seq + 1, next_game=other)
    return Change(after, [Event(kind=REMATCH, actor=None, at=context.at, data={"game": other})])


def turn(
    game: LiveGame, asked: CommandMeta, context: CommandContext, ids: Sequence[str], words: str = ""
) -> Change:
    """Play a whole turn, given as ids of actions or in notation."""
    state, seat = _own_turn(game, asked)
    given = list(map(str, read_turn(state.play, words))) if words else ids
    line = drafts.whole_turn(state.play, given)
    return game.prepare(session.Act(line, seat), context.at - context.lags[seat])


def draft(
    game: LiveGame, asked: CommandMeta, ids: Sequence[str], line: str = ""
) -> tuple[int, CheckedLine]:
    """Check a draft of action ids, then of typed actions; return its seat and the actions."""
    state, seat = _own_turn(game, asked)
    return seat, drafts.read_draft(state.play, ids, line)


def _own_turn(game: LiveGame, asked: CommandMeta) -> tuple[State, int]:
    """Return the state of a game, and a person's seat, which must be to move."""
    state = game.running()
    state.play.check_goes_on()
    check_seen(game, asked)
    seat = seat_for(game, asked)
    if seat != state.play.mover:
        raise IllegalError("another player is to move")
    return state, seat


def condition(
    game: LiveGame,
    asked: CommandMeta,
    context: CommandContext,
    line: drafts.Line,
    *,
    drop: bool = False,
) -> Change:
    """Add a line of conditional turns, or remove its last turn; an empty line removes all."""
    state = game.running()
    state.play.check_goes_on()
    check_seen(game, asked)
    seat = seat_for(game, asked)
    if len(game.seats_of(asked.person)) > 1:
        raise IllegalError("if you play several sides, you cannot enter conditional turns")
    before = game.conditions.get(seat) or drafts.Conditions(len(state.play.turns))
    if drop:
        after = before.without(line) if line else drafts.Conditions(before.turns)
    else:
        after = before.with_line(state.play, seat, line)
        if not game.agreement.by_days:
            drafts.check_short(after)
    others = {other: one for other, one in game.conditions.items() if other != seat}
    conditions = {**others, seat: after} if after else others
    return Change(replace(game, conditions=conditions), owner=seat)


def has_prepared(game: LiveGame) -> bool:
    """Return whether the player to move has prepared an answer that can be played now."""
    state = game.state
    runs = game.runs and state is not None and state.paused is None
    return bool(runs and state and drafts.prepared_answer(game.conditions, state))


def prepared_turn(game: LiveGame, context: CommandContext) -> Change | None:
    if not has_prepared(game):
        return None
    state = game.running()
    seat, ids = state.play.mover, drafts.prepared_answer(game.conditions, state)
    at = max(context.at, round(state.began + MIN_TURN_TIME, 3))
    return game.prepare(session.Act(drafts.whole_turn(state.play, ids), seat), at)


def bot_turn(game: LiveGame, context: CommandContext, ids: Sequence[str]) -> Change:
    play = game.running().play
    return game.prepare(session.Act(drafts.read_draft(play, ids), play.mover), context.at)


def remark(game: LiveGame, context: CommandContext, words: str) -> Change:
    """Add a remark to the record, about the next turn."""
    return game.prepare(session.Remark(words, game.running().play.mover), context.at)


def record_hint(game: LiveGame, asked: CommandMeta, context: CommandContext) -> Change:
    """Record for the opponents that the player to move asks for a hint, once per turn."""
    state, seat = _own_turn(game, asked)
    people = {game.seats[number].person for number in game.people}
    if people == {asked.person} or seat in hinted_seats(game.entries, {state.play.turn_tag}):
        return Change(game)
    return game.prepare(session.Remark(HINT, seat), context.at)


def hinted_seats(entries: Sequence[Entry], turns: Collection[str]) -> Sequence[int]:
    """Return the seats that asked for a hint in the latest turns, whose tags are ``turns``."""
    latest = takewhile(lambda entry: entry.data.get(TURN) in turns, reversed(entries))
    hints = (one for one in latest if one.kind is Kind.REMARK and one.data["words"] == HINT)
    return tuple(sorted({one.seat for one in hints if one.seat is not None}))


def offer(game: LiveGame, asked: CommandMeta, context: CommandContext, what: str) -> Change:
    """Offer the other players a draw, a takeback, a pause, or a setup that needs their consent.

    The sender's other seats, and bots, answer at once. A takeback goes back to the sender's last
    turn; it needs no consent for `UNDO_WINDOW` seconds if no opponent has seen the turn.
    """
    state = game.running()
    play = state.play
    check_seen(game, asked)
    seat, turns, own = seat_for(game, asked), 1, game.seats_of(asked.person)
    if what == TAKEBACK:
        turns = turns_to_take_back(play, own)
        if not turns:
            raise HouseError("you have played no turn that could be taken back")
    alone = {row.person for row in game.seats} == {asked.person}
    opponents = frozenset(game.people) - own
    unseen = turns == 1 and opponents <= context.absent and context.at <= state.began + UNDO_WINDOW
    if what == TAKEBACK and (alone or unseen):
        return game.prepare(session.TakeBack(turns, agreed=True), context.at)
    if alone and what == DRAW:
        return game.prepare(session.AgreeDraw(), context.at)
    change = game.prepare(session.Ask(seat, what, turns), context.at)
    for other in range(len(game.seats)):
        if answer := _answer_at_once(change.after, other, own, context):
            change = change.then(answer)
    return change


def _answer_at_once(
    game: LiveGame, seat: int, own: frozenset[int], context: CommandContext
) -> Change | None:
    """Return the immediate answer to an offer by a bot, or by another seat of the sender."""
    bot = game.seats[seat].kind is SeatKind.BOT
    if not (game.runs and game.state and (bot or seat in own)):
        return None
    # A counteroffer answers only the sender's own offers: it is no consent to other players'
    # offers.
    waiting = (one for one in game.state.offers if seat in one.waiting and one.seat in own)
    if not (found := next(waiting, None)):
        return None
    declines = bot and found.what == DRAW
    command = session.Decline(seat, found.what) if declines else session.Accept(seat, found.what)
    return game.prepare(command, context.at)


def answer(
    game: LiveGame, asked: CommandMeta, context: CommandContext, what: str, *, agrees: bool
) -> Change:
    """Accept or decline an offer, or withdraw the sender's own."""
    state, seats = game.running(), sorted(game.seats_of(asked.person))
    found = (one for own in (False, True) for one in seats if state.offer_to(one, what, own=own))
    seat = seat_for(game, asked, next(found, None))
    return game.prepare(
        session.Accept(seat, what) if agrees else session.Decline(seat, what), context.at
    )


def resume(game: LiveGame, asked: CommandMeta, context: CommandContext) -> Change:
    """End a pause that the players agreed on."""
    return game.prepare(session.Resume(), context.at)


def resign(game: LiveGame, asked: CommandMeta, context: CommandContext) -> Change:
    return game.prepare(session.Resign(seat_for(game, asked)), context.at)


def claim(
    game: LiveGame, asked: CommandMeta, context: CommandContext, *, draw: bool = False
) -> Change:
    """Claim a win or a draw, because another player has left or has run out of days."""
    state, own = game.running(), seat_for(game, asked)
    gone = [seat for seat in sorted(context.claimable) if seat != own and seat in state.staying]
    if not gone:
        raise IllegalError("no player has been away for long enough")
    if draw:
        state.terms.check_draws()
        if len(state.staying) > 2:
            raise IllegalError("you can claim a draw only when two players are left")
        return game.prepare(session.End(Outcome(None, Reason.AGREEMENT)), context.at)
    if not game.agreement.claimed_time:
        return game.prepare(session.Forfeit(gone[0], "has left"), context.at)
    return (
        game.prepare(session.Flag(), context.at)
        if state.play.turns
        else abort_unstarted(game, context, gone)
    )


def abort(game: LiveGame, asked: CommandMeta, context: CommandContext) -> Change:
    """Abort the game before its first turn, without a result."""
    seat_for(game, asked)
    if game.aborted:
        return Change(game)
    if game.state and game.state.play.turns:
        raise IllegalError("a turn has been played; you can only resign")
    if game.state:
        game.state.play.check_goes_on()  # a player who has resigned cannot abort instead
    if game.agreement.tournament:
        raise IllegalError("a tournament game cannot be aborted; you can only resign")
    return abort_unstarted(game, context)


def abort_unstarted(
    game: LiveGame, context: CommandContext, missing: Collection[int] = ()
) -> Change:
    """Abort the game before its first turn; in a tournament, the missing players lose."""
    data = {MISSING: sorted(missing)} if game.agreement.tournament else {}
    after = replace(game, seq=game.seq + 1, stage=Stage.OVER, aborted=True, conditions={})
    return Change(after, [Event(kind=ABORT, actor=None, at=context.at, data=data)])


def lose_on_time(
    game: LiveGame, context: CommandContext, missing: Collection[int] = ()
) -> Change | None:
    """Lose on time, unless the opponents must claim; ``missing`` seats have never come."""
    state = game.state
    if not state or not game.runs or game.agreement.claimed_time:
        return None
    grace = context.lags[state.play.mover]
    if not state.time_is_up(context.at, grace):
        return None
    if not state.play.turns:
        return abort_unstarted(game, context, {*missing, state.play.mover})
    return game.prepare(session.Flag(), context.at, grace)


def lose_by_no_show(game: LiveGame, context: CommandContext, missing: Collection[int]) -> Change:
    """End the game as lost by players who have not come in time."""
    if not game.running().play.turns:
        return abort_unstarted(game, context, missing)
    return game.prepare(session.Forfeit(min(missing), NOT_COME), context.at)


def pause_for_downtime(
    game: LiveGame, context: CommandContext, last_heartbeat: float | None
) -> Change | None:
    """Pause the clock from the last heartbeat on; None if it is already paused."""
    state = game.running()
    if state.paused is not None:
        return None
    return game.prepare(session.Pause(), min(max(last_heartbeat or 0.0, state.at), context.at))


def resume_clock(game: LiveGame, context: CommandContext) -> Change | None:
    """Resume the clock, if it is paused and the players did not agree on the pause."""
    state = game.running()
    if state.paused is None or state.by_consent or state.outcome:
        return None
    return game.prepare(session.Resume(), context.at)


def refund(game: LiveGame, context: CommandContext, downtimes: Sequence[Downtime]) -> Change | None:
    """Refund the downtime within the open turn; None if there was none."""
    spent = spent_without(game.running(), downtimes, context.at)
    return None if spent is None else game.prepare(session.Resume(spent), context.at)


def why(game: LiveGame, person_id: str | None, message: messages.Why) -> Text:
    """Return why the picks of a message are illegal after its draft."""
    state = game.state
    if not state:
        return text("the game has not begun; not all seats are taken")
    own = game.seats_of(person_id)
    play = drafts.play_ahead(state.play, message.path) if own else state.play
    draft = message.a if message.path or play.mover in own else []
    if state.outcome:
        state.play.check_goes_on()
    return drafts.why_not(play, draft, message.picks)
