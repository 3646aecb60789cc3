"""Strategists as players, and stand-ins for bots: they need nothing that is compiled.

A stand-in plays while the code of a bot is still being compiled. It follows the strategy that the
game's source teaches, and errs as often as its level asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from trine.core.contract import Room, Strategist
from trine.core.contract.position import Action, position_after
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.core.text.typed import typed
from trine.core.text.wording import written_actions
from trine.core.text.words import quoted
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, OnInfo
from trine.games import start_position


class StrategistPlayer:
    """A strategist of a room as a player; limits mean nothing to it.

    >>> from trine.games import open_room
    >>> StrategistPlayer(open_room("corridor"), "pathfinder").name
    'bot:pathfinder'
    """

    def __init__(self, room: Room, name: str, seed: int = 0) -> None:
        self.name = f"bot:{name}"
        self._strategist = strategist(room, name)
        self._seed = seed
        self._rng = Random(seed)

    def begin(self, play: Play) -> None:
        self._rng = Random(self._seed)

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        return Decision(self._strategist(play.position, play.history, self._rng))

    def close(self) -> None:
        """Do nothing: a strategist holds no resources."""


def strategist(room: Room, name: str) -> Strategist:
    """Return the strategist of a name. Raises `MalformedError`: the game has none of that name."""
    if name not in room.book.strategists:
        raise MalformedError(
            "{game} has no strategist {given}; it has {known}",
            game=typed(room.title),
            given=quoted(name),
            known=", ".join(room.book.strategists),
        )
    return room.book.strategists[name]


MISTAKES: Final = {1: 0.5, 2: 0.3, 3: 0.15, 4: 0.0}
"""By level, the share of turns that are chosen at random. Higher levels have no stand-in: a
strategy alone would be far below them. Guess."""


OPENING: Final = 2
"""The turns of each side without mistakes, a setup included."""
TURNS_AHEAD: Final = 3
"""The number of turns that are expected at once, the advised one included."""


def strategy_of(room: Room) -> str:
    """Return the name of the strategy by which a stand-in plays a game; empty if it has none.

    >>> from trine.games import open_room
    >>> strategy_of(open_room("tzaar"))
    'counter'
    """
    return next(iter(room.book.strategists), "")


class StandIn(StrategistPlayer):
    """A player in the place of a bot of a level.

    >>> from trine.games import new_play, open_room
    >>> play = new_play("corridor")
    >>> [str(action) for action in StandIn(open_room("corridor"), 4).choose(play, Limits()).actions]
    ['e2']
    """

    def __init__(self, room: Room, level: int, seed: int = 0) -> None:
        super().__init__(room, strategy_of(room), seed)
        self.name = f"bot:{level}"
        self._mistakes = MISTAKES[level]

    @staticmethod
    def exists_for(room: Room, level: int) -> bool:
        return level in MISTAKES and bool(room.book.strategists)

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        errs = self._rng.random() < self._mistakes
        if errs and not _begins(play):
            return Decision(_random_turn(play, self._rng))
        return super().choose(play, limits)


def _begins(play: Play) -> bool:
    """Whether sides set up, or make their first turns in a game that begins as usual.

    Whoever sees a level play nonsense at once takes the game for broken.
    """
    if play.room.sets_up_whole(play.position):
        return True
    usual = start_position(play.room, play.start.rules.name)
    return len(play.turns) < OPENING * len(usual.seats) and play.start == usual


def _random_turn(play: Play, rng: Random) -> tuple[Action, ...]:
    ahead, actions = play.copy(), list[Action]()
    while not ahead.outcome and ahead.mover == play.mover:
        actions.append(rng.choice(ahead.legal_actions()))
        ahead.act_unchecked(actions[-1])
    return tuple(actions)


def advice_at_once(play: Play) -> tuple[Decision, list[Text]]:
    """Return a hint for which nothing needs to be compiled, and its sentences."""
    room, position = play.room, play.position
    name = strategy_of(room)
    actions = room.book.strategists[name](position, play.history, Random(0))
    turn = written_actions(room, position, actions)
    told = [
        text("hint: {turn}, by the strategy {name} alone", turn=turn, name=typed(name))
        if turn
        else text("hint: Enter ends the turn")
    ]
    if position_after(position, actions).outcome() is None:
        told += [effect.text for effect in room.view.effects(position, actions)]
    told.append(text("the computer is getting ready; ask again later for a hint of full strength"))
    return Decision(actions), told


def expected_at_once(play: Play, actions: Sequence[Action]) -> list[Sequence[Action]]:
    """Return a turn and those that the strategy would play behind it, by all players.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> line = expected_at_once(play, advice_at_once(play)[0].actions)
    >>> [" ".join(map(str, turn)) for turn in line]
    ['e2', 'e8', 'e3']
    """
    strategist = play.room.book.strategists[strategy_of(play.room)]
    ahead, turns, rng = play.copy(), [actions], Random(0)
    while True:
        ahead.act_unchecked(*turns[-1])
        if ahead.outcome or len(turns) == TURNS_AHEAD:
            return turns
        turns.append(strategist(ahead.position, ahead.history, rng))
