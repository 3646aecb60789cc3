"""A game at another house: its play and its clock, from what that house sends."""

from __future__ import annotations

from typing import Final

from trine.core.clock import MINUTE, Clock, parse_time_control
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.core.work.limits import Limits
from trine.engine.protocol import api
from trine.engine.protocol.turn_words import read_turn
from trine.games import open_room
from trine.play.record.terms import Terms

NET: Final = 0.3
"""Units: seconds; the part of a turn's time that is left for the network. Guess."""


class Board:
    """A game of two players, as far as the house has sent it."""

    def __init__(self, game: api.Game) -> None:
        """Start with a game that the house has sent.

        Raises:
            TrineError: our rules do not know it.
        """
        options = dict(game.start)
        position = options.pop("Start", "")
        room = open_room(game.game)
        self._control = parse_time_control(game.clock) if game.clock else None
        self._terms = Terms.agree(room, game.rules, options, position, clock=self._control)
        self._told: list[str] = []
        self.play = Play(room, self._terms.start)

    @property
    def name(self) -> str:
        """The name of the game with its rule set."""
        return f"{self._terms.room.name}/{self._terms.rules}"

    def follow(self, game: api.Game) -> None:
        """Update the play to the game as it stands; turns may have been taken back.

        Raises:
            TrineError: our rules do not agree with what was played.
        """
        words = [turn.words for turn in game.turns]
        same = 0
        while same < min(len(words), len(self._told)) and words[same] == self._told[same]:
            same += 1
        while len(self.play.turns) > same:
            self.play.take_back()
        del self._told[same:]
        for line in words[same:]:
            try:
                self.play.act_unchecked(*read_turn(self.play, line))
            except TrineError as error:
                raise TrineError(
                    text("the house has played {line}: {problem}", line=line, problem=error.message)
                ) from None
            self._told.append(line)

    def limits(self, game: api.Game, think: float, spent: float) -> Limits:
        """Return the limits for thinking about the open turn.

        Args: ``think``, in seconds, is for games without a clock, or with
        days for a turn; ``spent`` are the seconds since
        the house has told of the turn.
        """
        if not self._control or self._control.by_days:
            return Limits(hard=think)
        control, own = self._control, self.play.mover
        minute = MINUTE if self.play.room.sets_up_whole(self.play.position) else 0
        reserves, used, turns = [], [0.0, 0.0], [0, 0]
        for seat, left in enumerate(game.left):
            whole = (left or 0.0) + (game.elapsed if seat == own else 0.0)
            move = max(control.move, minute) if seat == own else control.move
            reserves.append(max(0.0, whole - move))
        for turn, told in zip(self.play.turns, game.turns, strict=True):
            used[turn.player] += told.used or 0.0
            turns[turn.player] += 1
        clock = Clock(control, tuple(reserves), tuple(used), tuple(turns))
        return Limits(clock=clock, used=game.elapsed + spent + NET)
