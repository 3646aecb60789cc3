"""Strategists as players, and stand-ins for bots: they need no compiled code.

A stand-in plays while the code of a bot is still being compiled. It follows a strategy taught by
the game's source, and errs as often as its level demands.
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from trine.core.clock import Limits
from trine.core.contract.handbook import Strategist
from trine.core.contract.position import Action, position_after
from trine.core.contract.room import Room
from trine.core.errors import MalformedError
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, quoted, text, typed
from trine.core.work.stop import Stop
from trine.engine.players.player import Decision, OnInfo
from trine.games import start_position

STAND_IN_NOTE: Final = "played by the strategy"


class StrategistPlayer:
    """A strategist of a game as a player; it ignores limits.

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
    """Return a strategist by name; raises `MalformedError` if the game has none of that name."""
    if name not in room.handbook.strategists:
        raise MalformedError(
            "{game} has no strategist {given}; it has {known}",
            game=typed(room.title),
            given=quoted(name),
            known=", ".join(room.handbook.strategists),
        )
    return room.handbook.strategists[name]


ERROR_RATES: Final = {1: 0.5, 2: 0.3, 3: 0.15, 4: 0.0}
"""The share of random turns by level. Higher levels have no stand-in: a strategy without search
would be much weaker. Guess."""


FLAWLESS_TURNS: Final = 2  # turns of each side, the setup included; until then no turn is random
MAX_LINE_TURNS: Final = 3  # number of turns of an expected line, the advised one included


def strategy_of(room: Room) -> str:
    """Return the name of a game's strategy for stand-ins; empty if there is none.

    >>> from trine.games import open_room
    >>> strategy_of(open_room("tzaar"))
    'counter'
    """
    return next(iter(room.handbook.strategists), "")


class StandIn(StrategistPlayer):
    """A player that stands in for a bot of a level.

    >>> from trine.games import new_play, open_room
    >>> play = new_play("corridor")
    >>> [str(action) for action in StandIn(open_room("corridor"), 4).choose(play, Limits()).actions]
    ['e2']
    """

    def __init__(self, room: Room, level: int, seed: int = 0) -> None:
        super().__init__(room, strategy_of(room), seed)
        self.name = f"bot:{level}"
        self._error_rate = ERROR_RATES[level]

    @staticmethod
    def exists_for(room: Room, level: int) -> bool:
        return level in ERROR_RATES and bool(room.handbook.strategists)

    def choose(
        self, play: Play, limits: Limits, on_info: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        errs = self._rng.random() < self._error_rate
        if errs and not _begins(play):
            return Decision(_random_turn(play, self._rng))
        return super().choose(play, limits)


def _begins(play: Play) -> bool:
    """Return whether the turn to play is a setup, or one of the first turns of a usual game.

    A random turn at that time would look like a broken game.
    """
    if play.room.sets_up_whole(play.position):
        return True
    usual = start_position(play.room, play.start.rules.name)
    return len(play.turns) < FLAWLESS_TURNS * len(usual.seats) and play.start == usual


def _random_turn(play: Play, rng: Random) -> tuple[Action, ...]:
    ahead, actions = play.copy(), list[Action]()
    while not ahead.outcome and ahead.mover == play.mover:
        actions.append(rng.choice(ahead.legal_actions()))
        ahead.act_unchecked(actions[-1])
    return tuple(actions)


def stand_in_note(room: Room, why: str) -> str:
    """Return the note that a record has at a turn of a stand-in."""
    return f"{STAND_IN_NOTE} {strategy_of(room)}: {why}"


def quick_advice(play: Play) -> tuple[Decision, list[Text]]:
    """Return a hint that needs no compiled code, and its sentences."""
    room, position = play.room, play.position
    name = strategy_of(room)
    actions = room.handbook.strategists[name](position, play.history, Random(0))
    turn = written_actions(room, position, actions)
    sentences = [
        text("hint: {turn}, by the strategy {name} alone", turn=turn, name=typed(name))
        if turn
        else text("hint: Enter ends the turn")
    ]
    if position_after(position, actions).outcome() is None:
        sentences += [effect.text for effect in room.view.effects(position, actions)]
    later = text("the computer is getting ready; ask again later for a hint of full strength")
    return Decision(actions), [*sentences, later]


def quick_line(play: Play, actions: Sequence[Action]) -> list[Sequence[Action]]:
    """Return a turn and the turns of all players that the strategy would play after it.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> line = quick_line(play, quick_advice(play)[0].actions)
    >>> [" ".join(map(str, turn)) for turn in line]
    ['e2', 'e8', 'e3']
    """
    strategist = play.room.handbook.strategists[strategy_of(play.room)]
    ahead, turns, rng = play.copy(), [actions], Random(0)
    while True:
        ahead.act_unchecked(*turns[-1])
        if ahead.outcome or len(turns) == MAX_LINE_TURNS:
            return turns
        turns.append(strategist(ahead.position, ahead.history, rng))
