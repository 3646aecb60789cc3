"""Offers of players to each other, and their answers."""

from __future__ import annotations

from trine.core.text.sentence import text
from trine.house.games.asked import Asked, Moment
from trine.house.games.commands.seat import check_seen, seat_for
from trine.house.games.live_game import Change, LiveGame
from trine.house.games.seat_rows import SeatKind
from trine.house.refusals import HouseError
from trine.play.session.commands import Accept, AgreeDraw, Ask, Decline, Resume, TakeBack
from trine.play.session.offers import DRAW, TAKEBACK
from trine.play.session.seats import turns_to_take_back


def offer(game: LiveGame, asked: Asked, moment: Moment, what: str) -> Change:
    """Ask the others for a draw, a takeback, a pause, or a line of the game.

    Other seats of the same person, and bots, answer at once. A takeback goes back to the last turn
    of the person who asks.
    """
    play = game.running().play
    check_seen(game, asked)
    seat, turns = seat_for(game, asked), 1
    if what == TAKEBACK:
        turns = turns_to_take_back(play, game.seats_of(asked.person))
        if not turns:
            raise HouseError(text("you have played no turn that could be taken back"))
    alone = {row.person for row in game.seats} == {asked.person}
    if alone and what == TAKEBACK:
        return game.prepare(TakeBack(turns, agreed=True), moment.at)
    if alone and what == DRAW:
        return game.prepare(AgreeDraw(), moment.at)
    change, own = game.prepare(Ask(seat, what, turns), moment.at), game.seats_of(asked.person)
    for other in range(len(game.seats)):
        if answer := _answer_at_once(change.after, other, own, moment):
            change = change.then(answer)
    return change


def _answer_at_once(
    game: LiveGame, seat: int, own: frozenset[int], moment: Moment
) -> Change | None:
    """The answer of a bot, or of another seat of a person, to what the person has asked for."""
    bot = game.seats[seat].kind is SeatKind.BOT
    if not (game.runs and game.state and (bot or seat in own)):
        return None
    # What others have asked for in the meantime is nothing that was agreed to by asking.
    waiting = (one for one in game.state.offers if seat in one.waiting and one.seat in own)
    if not (found := next(waiting, None)):
        return None
    declines = bot and found.what == DRAW
    command = Decline(seat, found.what) if declines else Accept(seat, found.what)
    return game.prepare(command, moment.at)


def answer(game: LiveGame, asked: Asked, moment: Moment, what: str, *, agrees: bool) -> Change:
    """Answer another player's offer."""
    state, own = game.running(), game.seats_of(asked.person)
    seat = next((one for one in sorted(own) if state.offer_to(one, what)), None)
    seat = seat_for(game, asked, seat)
    return game.prepare(Accept(seat, what) if agrees else Decline(seat, what), moment.at)


def resume(game: LiveGame, asked: Asked, moment: Moment) -> Change:
    """End a pause that the players asked for."""
    game.running()
    seat_for(game, asked)
    return game.prepare(Resume(), moment.at)
