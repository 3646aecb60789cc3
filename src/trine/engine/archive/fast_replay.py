"""Records replayed in compiled code, ten times as fast as by the referee, who judges all others.

A word of a record is an action with a number and a sign (`Kernel.sign`). What words mean is learned
from the referee, so no notation is known here. What is not known, or found wrong, is left to the
referee, who says what is wrong and where: starts of three or four players, turns that were taken
back, results that do not follow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.compiled.jit import fill_in
from trine.core.compiled.repetition import plies_needed, referee_of
from trine.core.contract.outcome import Outcome
from trine.core.contract.position import Action, Position
from trine.core.contract.record import STOPS, Record, WrittenTurn
from trine.core.contract.score import ONGOING
from trine.core.contract.seat import Seat
from trine.core.errors import TrineError
from trine.core.history import History
from trine.core.play import Play
from trine.core.text.words import Word
from trine.engine.archive.kernel import WRONG, no_sign, retrace
from trine.engine.archive.position_keys import Numbered, PositionKey, open_keys
from trine.games import open_kernel, open_room
from trine.play.record.replay import conclude, opening, read_last_word

PLAYERS: Final = 2
"""Of more, one can leave, and turns are not numbered so plainly."""
MOST_UNKNOWN: Final = 16
"""A game with more turns that have unknown words is left to the referee. Guess."""


class Spelled(NamedTuple):
    """An action as a record spells it."""

    number: int
    sign: int
    action: Action


@dataclass(frozen=True)
class Replayed:
    """A game that was replayed."""

    start: Position
    seats: tuple[Seat, ...]
    outcome: Outcome | None
    tags: tuple[str, ...]
    """The turns, as `2g`."""
    texts: tuple[str, ...]
    movers: tuple[int, ...]
    keys: list[PositionKey]


class FastReplay:
    """The replaying of the records of a game."""

    def __init__(self, game: str) -> None:
        self._room, self._kernel = open_room(game), open_kernel(game)
        self._keys = open_keys(game)
        kernel = self._kernel
        referee = referee_of(kernel)
        names = {"mover": kernel.mover, "sign": kernel.sign or no_sign}
        self._retrace = fill_in(retrace, kernel.generate, **names, **referee._asdict())
        self._words: dict[str, Spelled] = {}
        self._seconds: set[str] = set()
        """The second words of actions that take two."""
        self._starts: dict[tuple[str, ...], Position] = {}

    def learn(self, play: Play) -> None:
        for turn in play.turns:
            position = turn.before
            for action in turn.actions:
                self._learn(position, action, self._room.rules.format_action(position, action))
                position = position.play_unchecked(action)

    def _learn(self, position: Position, action: Action, words: str) -> None:
        if words in self._words:
            return
        kernel, sign = self._kernel, 0
        number = kernel.number_of(position, action)
        if kernel.sign:
            rows = np.zeros((2, kernel.words(position)), np.uint64)
            kernel.to_row(position, rows[0])
            kernel.play(rows, 0, number)
            sign = int(kernel.sign(rows[0], rows[1], number))
        self._words[words] = Spelled(number, sign, action)
        self._seconds.update(words.split()[1:])

    def replay(self, record: Record) -> Replayed | None:
        """Replay a record; None if it is for the referee."""
        try:
            start = self._start(record)
            if start is None or record.error:
                return None
            turns, stop = _without_stop(record.turns)
            tags = _tags(turns, start, stop)
            spelled, upto = list[Spelled](), list[int]()
            self._spell(turns, spelled, upto)
            for _ in range(MOST_UNKNOWN):
                if len(upto) == len(turns):
                    break
                self._learn_turn(start, spelled, np.array(upto, np.int64), turns[len(upto)])
                self._spell(turns, spelled, upto)
            else:
                return None
            ends = np.array(upto, np.int64)
            last, movers = self._played(start, spelled, ends)
            if stop:
                last.check_goes_on()
                read_last_word(last, stop.words[0].text, record, last=True)
            conclude(last, record)
        except (KeyError, TrineError):
            return None
        return Replayed(
            start,
            start.seats,
            last.outcome,
            tags,
            tuple(" ".join([word.text for word in turn.words]) for turn in turns),
            movers,
            self._position_keys(start, [(one.number, one.action) for one in spelled], ends),
        )

    def _learn_turn(
        self,
        start: Position,
        spelled: list[Spelled],
        ends: NDArray[np.int64],
        turn: WrittenTurn,
    ) -> None:
        """Learn the words of a turn behind others that are known.

        Raises:
            KeyError: the others are wrong, or the words are not as the room writes them.
            TrineError: the words are no legal actions.
        """
        position = self._played(start, spelled, ends)[0].position
        words: Sequence[Word] = turn.words
        while words:
            action, used = self._room.rules.read_action(position, words, History())
            told = " ".join(word.text for word in words[:used])
            if told != self._room.rules.format_action(position, action):
                raise KeyError(told)
            self._learn(position, action, told)
            position, words = position.play_unchecked(action), words[used:]

    def _start(self, record: Record) -> Position | None:
        """Return the start of a record, if its plays can be replayed here."""
        tags = record.tags
        facts = tuple(
            tags.get(name, "")
            for name in ("Rules", "Start", *(option.tag for option in self._room.rules.options))
        )
        start = self._starts.get(facts)
        if start is None:
            start = self._starts[facts] = opening(record)[1]
        if len(start.seats) != PLAYERS or (start.in_setup and not self._room.rules.whole_setups):
            return None
        return start

    def _spell(self, turns: Sequence[WrittenTurn], found: list[Spelled], ends: list[int]) -> None:
        """Add the actions of turns up to one with an unknown word, and how many end so far."""
        known, seconds = self._words.get, self._seconds
        end = [] if self._room.rules.end is None else [self._words[""]]
        for turn in turns[len(ends) :]:
            words = [word.text for word in turn.words]
            at, last = 0, len(words)
            while at < last:
                word = words[at]
                at += 1
                if at < last and words[at] in seconds:
                    word = f"{word} {words[at]}"
                    at += 1
                if (spelled := known(word)) is None:
                    del found[ends[-1] if ends else 0 :]
                    return
                found.append(spelled)
            found += end
            ends.append(len(found))

    def _played(
        self, start: Position, spelled: list[Spelled], ends: NDArray[np.int64]
    ) -> tuple[Play, tuple[int, ...]]:
        """Return a play of the last position alone; raises `KeyError` if the referee is needed."""
        kernel = self._kernel
        width, plies = kernel.words(start), plies_needed(kernel)
        rows = np.zeros((3, width), np.uint64)
        kernel.to_row(start, rows[0])
        movers = np.zeros(len(ends), np.int8)
        outcome = self._retrace(
            rows,
            np.array([one.number for one in spelled], np.int32),
            np.array([one.sign for one in spelled], np.int64),
            ends,
            np.zeros(len(spelled) + 2, np.uint64),
            np.zeros(2, np.int32),
            kernel.repetition.rule(start),
            np.zeros((plies, width), np.uint64),
            np.zeros((plies, kernel.most_actions), np.int32),
            np.zeros(kernel.most_actions, np.int32),
            movers,
        )
        last = Play(self._room, kernel.to_position(rows[0]))
        # A game can end by repetition too, of which a position alone knows nothing.
        if outcome == WRONG or (outcome == ONGOING) != (last.outcome is None):
            raise KeyError(outcome)
        return last, tuple(movers.tolist())

    def _position_keys(
        self, start: Position, actions: Numbered, ends: NDArray[np.int64]
    ) -> list[PositionKey]:
        """Return the key at the beginning of each turn, and that of the last position."""
        if not start.in_setup:
            return self._keys.followed(start, actions, ends)
        # A setup has other symmetries than what follows.
        setups = min(PLAYERS - start.mover, len(ends))
        done = int(ends[setups - 1]) if setups else 0
        found = self._keys.followed(start, actions[:done], ends[:setups])
        if setups < len(ends):
            found.pop()
            start = self._keys.played(start, actions[:done])
            found += self._keys.followed(start, actions[done:], ends[setups:] - done)
        return found


def _tags(
    turns: Sequence[WrittenTurn], start: Position, stop: WrittenTurn | None
) -> tuple[str, ...]:
    """Return the turns as `2g`; raises `KeyError` if one is not the one to be played."""
    number, mover, seats = start.number, start.mover, start.seats
    found = []
    for turn in (*turns, *([stop] if stop else ())):
        if turn.number != number or turn.letter not in seats[mover].letters or not turn.closed:
            raise KeyError(turn.tag)
        found.append(f"{number}{seats[mover].letter}")
        number, mover = number + mover, 1 - mover
    return tuple(found[: len(turns)])


def _without_stop(
    turns: Sequence[WrittenTurn],
) -> tuple[Sequence[WrittenTurn], WrittenTurn | None]:
    """Return turns without the last one if it only says that the game ends, and that one."""
    if turns and not turns[-1].words:
        turns = turns[:-1]  # the tag of the next turn, with which other programs end their lists
    if turns and len(turns[-1].words) == 1 and turns[-1].words[0].text in STOPS:
        return turns[:-1], turns[-1]
    return turns, None


@cache
def open_fast_replay(game: str) -> FastReplay:
    return FastReplay(game)
