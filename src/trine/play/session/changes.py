"""Applying entries: functions from the state before an entry to the state after it.

These functions run while a game is played, when it is rebuilt from its journal, and when it is read
from a record. They check only that actions are legal, unless that is known;
`trine.play.session.prepare` checks whether a command is allowed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from trine.core.clock import Clock
from trine.core.contract.checked import CheckedLine, Checker
from trine.core.contract.position import Outcome, Reason
from trine.core.contract.record import Record
from trine.core.errors import MalformedError
from trine.core.text.sentence import Word, split_words
from trine.play.record.agreed_terms import Terms
from trine.play.record.replay import opening
from trine.play.session.state import DRAW, Entry, Kind, Offer, State


def rebuild(entries: Iterable[Entry]) -> State:
    """Return the state after all entries of a journal; raises `TrineError`."""
    journal = iter(entries)
    if (first := next(journal, None)) is None:
        raise MalformedError("the journal is empty")
    state = first_state(first)
    for entry in journal:
        state = apply_entry(state, entry)
    return state


def first_state(entry: Entry) -> State:
    """Return the state after the first entry of a journal; raises `TrineError`."""
    if entry.kind is not Kind.BEGIN:
        raise MalformedError("a journal begins with {kind}", kind=str(Kind.BEGIN))
    tags = entry.data["tags"]
    room, start = opening(Record(dict(tags)))
    return State.first(Terms.from_tags(room, start, tags), entry.at)


def apply_entry(state: State, entry: Entry, line: CheckedLine | None = None) -> State:
    """Return the state after an entry; raises `TrineError`.

    ``line`` is the line of an ``ACT`` entry, if the referee has already checked it.
    """
    data = entry.data
    match entry.kind:
        case Kind.BEGIN:
            raise MalformedError("a journal begins only once")
        case Kind.ACT:
            changed = _act(state, entry, line or read_line(state, data))
        case Kind.UNDO:
            play = state.play.copy()
            for _ in range(data["count"]):
                play.undo()
            changed = replace(state, play=play)
        case Kind.TAKEBACK:
            changed = _take_back(state, entry)
        case Kind.OFFER | Kind.ACCEPT | Kind.DECLINE | Kind.WITHDRAW:
            changed = replace(
                state, offers=_offers(state, entry), declined_draws=_declined_draws(state, entry)
            )
        case Kind.LEAVE:
            changed = _leave(state, entry)
        case Kind.DRAWN:
            changed = _conclude(state, Outcome(None, Reason.AGREEMENT))
        case Kind.END:
            changed = _conclude(state, Outcome(data["winner"], Reason(data["reason"])))
        case Kind.PAUSE:
            consent = data.get("consent", False) or state.by_consent
            paused = entry.at if state.paused is None else state.paused
            offers = _open_offers(state) if consent else state.offers
            changed = replace(state, paused=paused, by_consent=consent, offers=offers)
        case Kind.RESUME:
            began = round(entry.at - data["spent"], 3)
            changed = replace(state, began=began, paused=None, by_consent=False)
        case Kind.REMARK:
            changed = state
    return changed if changed.at == entry.at else replace(changed, at=entry.at)


def read_line(state: State, data: Mapping[str, Any]) -> CheckedLine:
    """Parse the actions in the data of an entry and check them; raises `TrineError`."""
    room = state.play.room
    checker = Checker(state.play.position, state.play.history)
    words: list[Word] = split_words(data["words"])
    while words:
        action, used = room.rules.read_action(checker.position, words, state.play.history)
        checker.play_unchecked(action)
        words = words[used:]
    if data.get("closes") and not checker.closed:
        if room.rules.end is None:
            raise MalformedError("the turn is not complete; another action must follow")
        checker.play(room.rules.end)
    return checker.line()


def _act(state: State, entry: Entry, line: CheckedLine) -> State:
    play = state.play.copy()
    player = play.mover
    setup = state.in_setup
    play.follow(line)
    offers = _open_offers(state)
    if len(play.turns) == len(state.play.turns):
        return replace(state, play=play, offers=offers, at=entry.at)
    clock, spent, at = *_spent(state, entry, setup=setup), entry.at
    offers = tuple(offer for offer in offers if offer.outlasts_turn_of(player))
    # One `replace` for speed: most entries are actions.
    paused = None if state.paused is None else at
    return replace(
        state, play=play, clock=clock, spent=spent, offers=offers, began=at, paused=paused, at=at
    )


def _spent(
    state: State, entry: Entry, *, setup: bool = False
) -> tuple[Clock | None, tuple[tuple[Clock, float], ...]]:
    """Return the clock after the open turn, and `State.spent` with that turn added."""
    if (clock := state.clock) is None:
        return None, ()
    if "used" not in entry.data:
        return clock, (*state.spent, (clock, 0.0))
    used = state.elapsed(entry.at)
    after_turn = clock.after_turn(state.play.mover, used, setup=setup)
    return after_turn, (*state.spent, (clock, used))


def _take_back(state: State, entry: Entry) -> State:
    play, thinker = state.play.copy(), state.play.mover
    undone = [play.take_back() for _ in entry.data["tags"]][::-1]
    player, began, clock, spent = play.mover, entry.at, state.clock, state.spent
    if clock:
        # The reopened turn has taken all the time that its player has used since its beginning.
        open_turn = state.elapsed(entry.at)
        kept_times, undone_times = spent[: -len(undone)], spent[-len(undone) :]
        thought = [
            used
            for turn, (_, used) in zip(undone, undone_times, strict=True)
            if turn.player == player
        ]
        if thinker == player:
            thought.append(open_turn)
        else:
            clock = clock.after_turn(thinker, open_turn, setup=state.in_setup)
        before, *later = (*(clock_before for clock_before, _ in undone_times), clock)
        clock, spent = before.taken_back(later, player), kept_times
        began = round(entry.at - sum(thought), 3)
    paused = None if state.paused is None else entry.at
    return replace(
        state, play=play, clock=clock, spent=spent, offers=(), began=began, paused=paused
    )


def _leave(state: State, entry: Entry) -> State:
    play, seat, reason = state.play.copy(), entry.seat, Reason(entry.data["reason"])
    assert seat is not None
    others = [player for player in play.position.playing if player != seat]
    if len(others) == 1:
        play.conclude(Outcome(others[0], reason))
        return replace(state, play=play, offers=())
    # If several players play on, records have only two reasons: resignation, loss on time.
    reason = reason if reason is Reason.RESIGNATION else Reason.TIME
    if seat != play.mover:
        leaving = (*(pair for pair in state.leaving if pair[0] != seat), (seat, reason))
        return replace(state, leaving=leaving, offers=())
    play.leave(reason)
    clock, spent = _spent(state, entry)
    return replace(
        state,
        play=play,
        clock=clock,
        spent=spent,
        offers=(),
        leaving=tuple(pair for pair in state.leaving if pair[0] != seat),
        began=entry.at,
        paused=None if state.paused is None else entry.at,
    )


def _conclude(state: State, outcome: Outcome) -> State:
    play = state.play.copy()
    play.conclude(outcome)
    return replace(state, play=play, offers=())


def _offers(state: State, entry: Entry) -> tuple[Offer, ...]:
    what, seat = entry.data["what"], entry.seat
    others = tuple(offer for offer in state.offers if offer.what != what)
    if entry.kind in (Kind.DECLINE, Kind.WITHDRAW):
        return others
    assert seat is not None
    if entry.kind is Kind.OFFER:
        return (*others, Offer.to_all(what, seat, state.staying, entry.data.get("turns", 1)))
    return tuple(offer.accepted_by(seat) if offer.what == what else offer for offer in state.offers)


def _declined_draws(state: State, entry: Entry) -> tuple[tuple[int, int], ...]:
    if entry.kind not in (Kind.DECLINE, Kind.WITHDRAW) or entry.data["what"] != DRAW:
        return state.declined_draws
    seats = [offer.seat for offer in state.offers if offer.what == DRAW]
    others = [one for one in state.declined_draws if one[0] not in seats]
    return (*others, *((seat, len(state.play.turns)) for seat in seats))


def _open_offers(state: State) -> tuple[Offer, ...]:
    return tuple(offer for offer in state.offers if offer.waiting)
