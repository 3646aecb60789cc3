"""Preparing commands: checking a command, and computing its entries and the state after them.

Nothing is changed or written here. The caller appends the entries to the journal, and adopts the
new state only after they are stored.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from trine.core.contract.checked import CheckedLine, why_over
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError, MalformedError
from trine.core.text.sentence import ntext, quoted
from trine.play.record.agreed_terms import Terms
from trine.play.record.replay import can_be_stated, closing_tags
from trine.play.session import commands
from trine.play.session.changes import apply_entry
from trine.play.session.commands import Accept, Command, Decline
from trine.play.session.state import DRAW, PAUSE, TAKEBACK, Entry, Kind, Offer, State

TURN: Final = "turn"
DRAW_WAIT: Final = 10
"""The number of turns, of all players, after a declined or withdrawn draw until the next offer."""


@dataclass
class Prepared:
    """The result of a command: entries to write, and the state after them."""

    state: State
    at: float
    grace: float = 0.0
    entries: list[Entry] = field(default_factory=list)
    before: State = field(init=False)

    def __post_init__(self) -> None:
        self.before = self.state

    def write(
        self, kind: Kind, seat: int | None, line: CheckedLine | None = None, **data: Any
    ) -> None:
        entry_data: dict[str, Any] = {TURN: self.state.play.turn_tag, **data}
        entry, goes_on = Entry(kind, seat, self.at, entry_data), not self.state.outcome
        self.state = apply_entry(self.state, entry, line)
        if kind is Kind.ACT and "used" in data and self.state.clock:
            assert seat is not None
            entry_data["left"] = round(self.state.clock.reserve(seat), 3)
        if goes_on and self.state.outcome:
            entry_data["result"] = closing_tags(self.state.play.position.seats, self.state.outcome)
        self.entries.append(entry)


def beginning(terms: Terms, at: float, tags: dict[str, str]) -> Prepared:
    """Return the beginning of a game, with the ``tags`` of its record."""
    state = State.first(terms, at)
    data: dict[str, Any] = {"tags": tags}
    if state.outcome:
        data["result"] = closing_tags(state.play.position.seats, state.outcome)
    return Prepared(state, at, entries=[Entry(Kind.BEGIN, None, at, data)])


def prepare(state: State, command: Command, at: float, grace: float = 0.0) -> Prepared:
    """Return the result of a command, at most ``grace`` seconds late; raises `IllegalError`."""
    prepared = Prepared(state, max(at, state.at), grace)
    if not isinstance(command, commands.Remark):
        state.play.check_goes_on()
    match command:
        case commands.Act():
            _act(prepared, command)
        case commands.Undo():
            _undo(prepared, command)
        case commands.TakeBack():
            _take_back(prepared, command)
        case commands.Ask():
            _ask(prepared, command)
        case Accept():
            _agree(prepared, command.seat, _offer_to(state, command))
        case Decline():
            own = not state.offer_to(command.seat, command.what)
            kind = Kind.WITHDRAW if own else Kind.DECLINE
            prepared.write(kind, command.seat, what=_offer_to(state, command, own=own).what)
        case commands.AgreeDraw():
            state.terms.check_draws()
            prepared.write(Kind.DRAWN, None)
        case commands.Resign():
            _resign(prepared, command)
        case commands.Forfeit():
            _forfeit(prepared, command)
        case commands.Flag():
            _flag(prepared, command)
        case commands.Pause():
            check_runs(state)
            prepared.write(Kind.PAUSE, None, spent=state.elapsed(prepared.at))
        case commands.Resume():
            _resume(prepared, command)
        case commands.Remark():
            prepared.write(Kind.REMARK, command.seat, words=command.words)
        case commands.End():
            _end(prepared, command)
    settle(prepared)
    return prepared


def settle(prepared: Prepared) -> None:
    """Add entries that follow without a command, such as an accepted draw."""
    while not prepared.state.outcome:
        state, entry_count = prepared.state, len(prepared.entries)
        if state.clock and state.clock.game_over():
            _score(prepared)
        elif not _settle_leaving(prepared):
            for offer in state.offers:
                if not offer.waiting:
                    _fulfil(prepared, offer)
                    break
        if len(prepared.entries) == entry_count:
            return


def _settle_leaving(prepared: Prepared) -> bool:
    """Carry out a resignation out of turn that is due; return whether there was one."""
    state = prepared.state
    if not state.leaving:
        return False
    if len(state.staying) == 1:
        _conclude(prepared, Outcome(state.staying[0], Reason.FORFEIT))
        return True
    if reason := dict(state.leaving).get(state.play.mover):
        prepared.write(Kind.LEAVE, state.play.mover, reason=str(reason), in_turn=True)
        return True
    return False


def _act(prepared: Prepared, command: commands.Act) -> None:
    state, line = prepared.state, command.line
    check_runs(state)
    if state.time_is_up(prepared.at, prepared.grace) and not state.terms.claimed_time:
        raise IllegalError("the time is up")
    if line.start != state.play.position:
        raise IllegalError("the game has continued meanwhile")
    _check_turn_of(command.seat, *(step.before.mover for step in line.steps))
    play_line(prepared, line)


def play_line(prepared: Prepared, line: CheckedLine, *, timed: bool = True) -> None:
    """Add the entries of a checked line, one for each turn; an untimed line costs no time."""
    for part in line.turns():
        state, room = prepared.state, prepared.state.play.room
        if ended := why_over(state.outcome):  # the clock ended the game after an earlier turn
            raise IllegalError(ended)
        words = (room.rules.format_action(step.before, step.action) for step in part.steps)
        data: dict[str, Any] = {
            "words": " ".join(filter(None, words)),
            "closes": part.steps[-1].closes,
        }
        if data["closes"] and timed:
            data["used"] = state.elapsed(prepared.at)
        prepared.write(Kind.ACT, part.start.mover, part, **data)
        if state.clock and data["closes"]:
            settle(prepared)


def check_runs(state: State) -> None:
    """Raise `IllegalError` while play is paused."""
    if state.paused is not None:
        raise IllegalError("the game is paused")


def _undo(prepared: Prepared, command: commands.Undo) -> None:
    play = prepared.state.play
    check_runs(prepared.state)
    _check_turn_of(command.seat, play.mover)
    if command.count > len(play.open_actions) or command.count < 1:
        raise IllegalError("this turn has no action to take back")
    prepared.write(Kind.UNDO, play.mover, count=command.count)


def _check_turn_of(seat: int | None, *players: int) -> None:
    if seat is not None and any(player != seat for player in players):
        raise IllegalError("another player is to move")


def _undo_all(prepared: Prepared) -> None:
    play = prepared.state.play
    if play.open_actions:
        prepared.write(Kind.UNDO, play.mover, count=len(play.open_actions))


def _take_back(prepared: Prepared, command: commands.TakeBack) -> None:
    state = prepared.state
    _check_turns(state, command.turns)
    if not state.placed(command.turns):
        state.terms.check_takebacks()
        if not command.agreed:
            raise _needs_consent(state)
    elif command.seat is not None and any(
        turn.player != command.seat for turn in state.play.turns[-command.turns :]
    ):
        raise _needs_consent(state)
    _check_time_to_take_back(prepared, command.turns)
    _take_turns_back(prepared, command.turns)


def _needs_consent(state: State) -> IllegalError:
    others = len(state.play.position.seats) - 1
    return IllegalError(
        ntext("the other player must agree to that", "the other players must agree to that", others)
    )


def _check_turns(state: State, turns: int) -> None:
    if not 1 <= turns <= len(state.play.turns):
        raise IllegalError("there is no turn to take back")


def _check_time_to_take_back(prepared: Prepared, turns: int) -> None:
    """Raise an error if the turn that would be reopened has used up its time."""
    tried = Prepared(prepared.state, prepared.at)
    _take_turns_back(tried, turns)
    if tried.state.time_is_up(tried.at) and not tried.state.terms.claimed_time:
        raise IllegalError(
            "no time would be left for that turn: the time spent on it is not given back"
        )


def _take_turns_back(prepared: Prepared, turns: int) -> None:
    play = prepared.state.play
    _undo_all(prepared)
    tags = [play.room.tag(turn.before) for turn in reversed(play.turns[-turns:])]
    used = prepared.state.elapsed(prepared.at)
    prepared.write(Kind.TAKEBACK, None, tags=[play.turn_tag, *tags[:-1]], used=used)


def _ask(prepared: Prepared, command: commands.Ask) -> None:
    state, seat = prepared.state, command.seat
    what = " ".join(command.what.lower().split())
    _check_plays(state, seat)
    if (offer := state.offer_to(seat, what)) and offer.turns == command.turns:
        _agree(prepared, seat, offer)
        return
    if what == DRAW:
        state.terms.check_draws()
        _check_not_declined(state, seat)
    elif what == TAKEBACK:
        state.terms.check_takebacks()
        _check_turns(state, command.turns)
        _check_time_to_take_back(prepared, command.turns)
        prepared.write(Kind.OFFER, seat, what=what, turns=command.turns)
        return
    elif what == PAUSE:
        check_runs(state)
    elif what.partition(" ")[0] in state.play.room.rules.words_by_consent:
        state.play.interpret(what)  # raises an error if it is illegal
    else:
        raise MalformedError("{given} cannot be asked for", given=quoted(what))
    prepared.write(Kind.OFFER, seat, what=what)


def _check_not_declined(state: State, seat: int) -> None:
    declined = dict(state.declined_draws).get(seat)
    wait = 0 if declined is None else declined + DRAW_WAIT - len(state.play.turns)
    if wait > 0:
        raise IllegalError(
            ntext(
                "you have already offered a draw; you can offer again after {count} turn",
                "you have already offered a draw; you can offer again after {count} turns",
                wait,
            )
        )


def _agree(prepared: Prepared, seat: int, offer: Offer) -> None:
    if offer.what == TAKEBACK:
        _check_time_to_take_back(prepared, offer.turns)
    prepared.write(Kind.ACCEPT, seat, what=offer.what)


def _offer_to(state: State, command: Accept | Decline, *, own: bool = False) -> Offer:
    if offer := state.offer_to(command.seat, command.what, own=own):
        return offer
    raise IllegalError("nothing was asked for")


def _fulfil(prepared: Prepared, offer: Offer) -> None:
    if offer.what == DRAW:
        prepared.write(Kind.DRAWN, None)
    elif offer.what == TAKEBACK:
        _take_turns_back(prepared, offer.turns)
    elif offer.what == PAUSE:
        spent = prepared.state.elapsed(prepared.at)
        prepared.write(Kind.PAUSE, None, spent=spent, consent=True)
    else:
        play_line(prepared, prepared.state.play.interpret(offer.what))


def _check_plays(state: State, seat: int) -> None:
    if seat not in state.staying:
        raise IllegalError("a player who has left the game has no part in it")


def _leave(prepared: Prepared, seat: int, reason: Reason, **data: Any) -> None:
    state = prepared.state
    _check_plays(state, seat)
    plays_on = len(state.play.position.playing) > 2
    data["in_turn"] = seat == state.play.mover
    if plays_on and data["in_turn"]:
        data["used"] = used = state.elapsed(prepared.at)
        if state.clock:
            data["left"] = round(state.clock.after_turn(seat, used).reserve(seat), 3)
    prepared.write(Kind.LEAVE, seat, reason=str(reason), **data)


def _resign(prepared: Prepared, command: commands.Resign) -> None:
    _check_plays(prepared.state, command.seat)
    if command.seat != prepared.state.play.mover:
        _clear_turn_of_two(prepared)
    _leave(prepared, command.seat, Reason.RESIGNATION)


def _forfeit(prepared: Prepared, command: commands.Forfeit) -> None:
    _check_plays(prepared.state, command.seat)
    if command.seat == prepared.state.play.mover:
        _undo_all(prepared)
    else:
        _clear_turn_of_two(prepared)
    _leave(prepared, command.seat, Reason.FORFEIT, words=command.why)


def _clear_turn_of_two(prepared: Prepared) -> None:
    """Undo the open turn of the opponent if only two are playing."""
    if len(prepared.state.play.position.playing) == 2:
        _undo_all(prepared)


def _flag(prepared: Prepared, command: commands.Flag) -> None:
    state = prepared.state
    mover, used = state.play.mover, state.elapsed(prepared.at)
    if not (command.overstepped or state.time_is_up(prepared.at, prepared.grace)):
        raise IllegalError("the time is not up yet")
    clock = state.clock
    if command.overstepped or (clock and clock.overstepped(mover, used, setup=state.in_setup)):
        _leave(prepared, mover, Reason.TIME)
    else:
        _score(prepared)


def _score(prepared: Prepared) -> None:
    play = prepared.state.play
    winner_of = play.room.rules.score_winner
    positions = [play.start, *(turn.after for turn in play.turns)]
    _conclude(prepared, Outcome(winner_of(positions) if winner_of else None, Reason.SCORE))


def _conclude(prepared: Prepared, outcome: Outcome) -> None:
    _undo_all(prepared)
    prepared.write(Kind.END, None, winner=outcome.winner, reason=str(outcome.reason))


def _end(prepared: Prepared, command: commands.End) -> None:
    play, outcome = prepared.state.play, command.outcome
    if outcome.winner is None:
        play.room.check_draws(play.position.rules)
    if not can_be_stated(play, outcome):
        raise IllegalError("only the board decides that: {reason}", reason=outcome.reason.text)
    _conclude(prepared, command.outcome)


def _resume(prepared: Prepared, command: commands.Resume) -> None:
    state = prepared.state
    if state.paused is None and command.spent is None:
        raise IllegalError("the game is not paused")
    # Records have tenths of a second; only the start of a pause has milliseconds.
    spent = state.elapsed(prepared.at) if command.spent is None else round(command.spent, 1)
    prepared.write(Kind.RESUME, None, spent=spent)
