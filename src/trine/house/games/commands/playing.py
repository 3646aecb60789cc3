"""Playing: a turn, its draft, turns prepared ahead, and the turns of bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from trine.core.contract.checked import CheckedLine
from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.engine.protocol.turn_words import read_turn
from trine.house.games.asked import Asked, Moment
from trine.house.games.commands.seat import check_seen, seat_for
from trine.house.games.conditions import Conditions, Line, check_short, prepared_answer, whole_turn
from trine.house.games.drafts import read_draft
from trine.house.games.live_game import Change, LiveGame
from trine.play.session.commands import Act, Remark
from trine.play.session.state import State

COST: Final = 0.1
"""Units: seconds; the least time that a prepared turn takes."""


def turn(
    game: LiveGame, asked: Asked, moment: Moment, ids: Sequence[str], words: str = ""
) -> Change:
    """Play a whole turn, given as ids of actions or in notation."""
    state, seat = _own_turn(game, asked)
    given = list(map(str, read_turn(state.play, words))) if words else ids
    line = whole_turn(state.play, given)
    return game.prepare(Act(line, seat), moment.at - moment.lags[seat])


def draft(
    game: LiveGame, asked: Asked, ids: Sequence[str], line: str = ""
) -> tuple[int, CheckedLine]:
    """Judge a draft: actions by their ids, then typed ones; the seat whose it is, and the draft."""
    state, seat = _own_turn(game, asked)
    return seat, read_draft(state.play, ids, line)


def _own_turn(game: LiveGame, asked: Asked) -> tuple[State, int]:
    """The state of the game, and the seat of a person who is to move.

    Raises:
        TrineError: another is to move, or the play has gone on since.
    """
    state = game.running()
    state.play.check_goes_on()
    check_seen(game, asked)
    seat = seat_for(game, asked)
    if seat != state.play.mover:
        raise IllegalError(text("another player is to move"))
    return state, seat


def condition(
    game: LiveGame, asked: Asked, moment: Moment, line: Line, *, drop: bool = False
) -> Change:
    """Add a line of conditional turns, or remove its end; an empty one removes them all."""
    state = game.running()
    state.play.check_goes_on()
    check_seen(game, asked)
    seat = seat_for(game, asked)
    if len(game.seats_of(asked.person)) > 1:
        raise IllegalError(text("whoever plays several sides needs no conditions"))
    before = game.conditions.get(seat) or Conditions(len(state.play.turns))
    if drop:
        after = before.without(line) if line else Conditions(before.turns)
    else:
        after = before.with_line(state.play, seat, line)
        if not game.agreement.by_days:
            check_short(after)
    others = {other: one for other, one in game.conditions.items() if other != seat}
    conditions = {**others, seat: after} if after else others
    return Change(replace(game, conditions=conditions), owner=seat)


def has_prepared(game: LiveGame) -> bool:
    """Whether the player to move has prepared an answer that can be played now."""
    state = game.state
    runs = game.runs and state is not None and state.paused is None
    return bool(runs and state and prepared_answer(game.conditions, state))


def prepared_turn(game: LiveGame, moment: Moment) -> Change | None:
    """Play the answer that the player to move has prepared, if time runs."""
    if not has_prepared(game):
        return None
    state = game.running()
    seat, ids = state.play.mover, prepared_answer(game.conditions, state)
    at = max(moment.at, round(state.began + COST, 3))
    return game.prepare(Act(whole_turn(state.play, ids), seat), at)


def bot_turn(game: LiveGame, moment: Moment, ids: Sequence[str]) -> Change:
    """Play the turn that a bot has chosen."""
    play = game.running().play
    return game.prepare(Act(read_draft(play, ids), play.mover), moment.at)


def remark(game: LiveGame, moment: Moment, words: str) -> Change:
    """Say something in the record about the turn to come."""
    return game.prepare(Remark(words, game.running().play.mover), moment.at)
