"""The jobs of the worker processes: they think, and keep no state except caches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from trine.core.clock import Limits
from trine.core.contract.insight import without_notation
from trine.core.play import Play, written_actions
from trine.core.text.sentence import Text, text
from trine.engine.players.player import thinking_modules
from trine.games import ROOMS, open_room
from trine.house.games.live.drafts import play_draft
from trine.play.session.changes import apply_entry, rebuild
from trine.play.session.seats import BOT
from trine.play.session.state import Entry, State

if TYPE_CHECKING:
    from trine.engine.players.bot import Bot
    from trine.engine.players.player import Decision, Player

THINK: Final = 1.0  # seconds; the thinking time for a turn without a clock, and for a hint
CACHE_SIZE: Final = 64  # number of cached games; of a cached game only new turns are replayed
SMALL_TABLE_LEVEL: Final = 6  # the highest level with only a small hash table
_states: OrderedDict[str, tuple[int, State]] = OrderedDict()


@dataclass(frozen=True)
class ComputedHint:
    """The turn that the computer would play, with the reasons."""

    turn: str
    ids: tuple[str, ...]
    reasons: tuple[Text, ...]
    line: tuple[tuple[str, ...], ...] = ()
    """The expected turns, this one first, as action ids; none in a setup."""


def choose(game_name: str, bot: str, entries: Sequence[Entry], elapsed: float) -> tuple[str, ...]:
    state = _state(game_name, entries)
    limits = Limits(hard=THINK)
    if state.clock:
        limits = Limits(hard=None, clock=state.clock, used=elapsed)
    decision = _player(state.play, bot).choose(state.play.copy(), limits)
    return tuple(str(action) for action in decision.actions)


def hint(game_name: str, entries: Sequence[Entry], draft: Sequence[str]) -> ComputedHint:
    from trine.engine.players.assessment import TURNS_SHOWN, turns_of
    from trine.engine.players.explanation import advice

    play = _state(game_name, entries).play.copy()
    play_draft(play, draft)
    bot = _bot(play.room.name, 10)
    decision = bot.choose(play.copy(), Limits(hard=THINK))
    expected = turns_of(play.position, decision.info.pv if decision.info else ())[:TURNS_SHOWN]
    reasons = advice(play, decision, bot, expects=False)
    return _hint(play, decision, reasons, [made for _, made in expected])


def stand_in(game_name: str, bot: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the rest of a bot's turn, chosen by a stand-in while the bot's code compiles."""
    from trine.engine.players.stand_in import StandIn

    play = _state(game_name, entries).play
    player = StandIn(play.room, int(bot.removeprefix(BOT)), seed=len(entries))
    return tuple(str(action) for action in player.choose(play.copy(), Limits()).actions)


def hint_at_once(game_name: str, entries: Sequence[Entry], draft: Sequence[str]) -> ComputedHint:
    """Return a hint from code that needs no compiling."""
    from trine.engine.players.stand_in import quick_advice, quick_line

    play = _state(game_name, entries).play.copy()
    play_draft(play, draft)
    decision, reasons = quick_advice(play)
    expected = [] if play.position.in_setup else quick_line(play, decision.actions)
    return _hint(play, decision, reasons, expected)


def _hint(
    play: Play, decision: Decision, reasons: Sequence[Text], expected: Sequence[Sequence[Any]]
) -> ComputedHint:
    """Return a hint without notation, for a page that shows the turn by arrows."""
    turn = written_actions(play.room, play.position, decision.actions)
    if not turn:
        first = text("End the turn now.")
    elif score := reasons[0].values.get("score"):
        first = text("The board shows a good turn: {score}.", score=score)
    else:
        first = text("The board shows a sound turn.")
    ids = tuple(str(action) for action in decision.actions)
    line = () if play.position.in_setup else tuple(tuple(map(str, made)) for made in expected)
    return ComputedHint(turn, ids, (first, *without_notation(reasons[1:])), line)


def stand_by() -> None:
    """Load the code of stand-ins, so that the first one answers quickly."""
    from trine.engine.players.stand_in import strategy_of

    for game in ROOMS:
        strategy_of(open_room(game))


def is_compiled(game_name: str) -> bool:
    """Return whether the code for a game is compiled, or cannot be cached."""
    from trine.core.compiled import jit  # imports Numba

    return not jit.can_cache() or all(map(jit.is_compiled, thinking_modules(game_name)))


def warm(game_name: str) -> None:
    """Load the code for a game; code that could not be compiled ahead is compiled here."""
    bot = _bot(game_name, 1)
    room = open_room(game_name)
    bot.begin(
        Play(room, room.rules.start(room.default_rules, room.rules.settle(room.default_rules, {})))
    )


def _state(game_name: str, entries: Sequence[Entry]) -> State:
    count, state = _states.pop(game_name, (0, None))
    if state is None or count > len(entries):
        state = rebuild(entries)
    else:
        for entry in entries[count:]:
            state = apply_entry(state, entry)
    _states[game_name] = (len(entries), state)
    while len(_states) > CACHE_SIZE:
        _states.popitem(last=False)
    return state


def _player(play: Play, bot: str) -> Player:
    name = bot.removeprefix(BOT)
    if name in play.room.handbook.strategists:
        from trine.engine.players.stand_in import StrategistPlayer

        player = StrategistPlayer(play.room, name)
        player.begin(play)
        return player
    return _bot(play.room.name, int(name))


@cache
def _bot(game_name: str, level: int) -> Bot:
    from trine.engine.players.bot import Bot  # imports Numba

    return Bot(game_name, level, hash_mb=4 if level <= SMALL_TABLE_LEVEL else 16)
