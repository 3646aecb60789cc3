"""One game between players, from its opening to its outcome, and its record.

Nothing is adjudicated: a game ends by the rules, or because a player resigns, oversteps its time or
forfeits by answering what is no legal turn, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from trine.core.clock import TimeControl
from trine.core.contract.outcome import Outcome, Reason
from trine.core.contract.record import Record, WrittenTurn
from trine.core.play import Play
from trine.core.work.limits import Limits
from trine.core.work.stop import Stop
from trine.engine.players.bot_games import BotGame, bots_at_once
from trine.engine.players.forfeits import as_forfeit, check_turn
from trine.engine.players.player import Decision, ForfeitError, Info, Player
from trine.play.record.agreed_terms import Terms
from trine.play.record.replay import record_of
from trine.play.record.time_notes import format_used
from trine.play.session import commands
from trine.play.session.entries import MemoryJournal
from trine.play.session.game import Game, Now

MARGIN: Final = 0.2
"""Units: seconds; how much longer than allowed a turn may seem to take, since a busy machine
answers late. Guess."""


@dataclass(frozen=True)
class Seated:
    """A player at the board."""

    name: str
    player: Player | ForfeitError
    """Or why there is none, so that the first turn is forfeited."""
    limits: Limits
    """For each turn."""


@dataclass(frozen=True)
class Forfeited:
    """A turn that a player could not make."""

    seat: int
    name: str
    turn: str
    """The tag of the turn, as in ``2g``."""
    message: str
    transcript: str


@dataclass
class Finished:
    """A game that is over."""

    play: Play
    opening: int
    """The number of turns in the opening."""
    notes: dict[int, list[str]] = field(default_factory=dict)
    """Comments by the number of the turn, counted from 0; behind the last turn, on the end."""
    forfeits: list[Forfeited] = field(default_factory=list)
    lost_on_time: list[int] = field(default_factory=list)
    """The seats of those who overstepped their time."""

    def record(self, tags: dict[str, str]) -> Record:
        record = record_of(self.play, tags)
        for index, turn in enumerate(record.turns):
            turn.comments += self.notes.get(index, ())
        if on_the_end := self.notes.get(len(record.turns), []):
            position = self.play.position
            letter = position.seats[position.mover].letter
            record.turns.append(WrittenTurn(position.number, letter, comments=on_the_end))
        return record


def play_game(
    play: Play,
    seated: Sequence[Seated],
    *,
    control: TimeControl | None = None,
    margin: float = MARGIN,
    longest: int = 0,
    now: Now | None = None,
    stop: Stop | None = None,
) -> Finished:
    """Play a game to its end, from a play in which the opening has been played.

    Args: after ``longest`` turns a game is scored where it has a score, drawn where the rules have
    draws, and played on where they have neither; 0 stands for never.
    """
    assert len(seated) == len(play.position.seats)
    if not control and (at_once := _play_at_once(play, seated, longest)):
        return at_once
    names = tuple(one.name for one in seated)
    terms = Terms(play.room, play.start, play.room.rules.start_tags(play.start), names, control)
    game = Game.begin(terms, MemoryJournal(), now, opening=play, grace=margin)
    return _Contest(game, seated, longest, stop or Stop()).finish()


def _play_at_once(play: Play, seated: Sequence[Seated], longest: int) -> Finished | None:
    """Play a game of bots in compiled code, if they can: the same game as turn by turn."""
    players = [one.player for one in seated if not isinstance(one.player, ForfeitError)]
    limits = [one.limits for one in seated]
    bots = bots_at_once(players, limits) if len(players) == len(seated) else []
    if not bots or any(bot.solved(play) for bot in bots):
        return None
    done = Finished(play, len(play.turns))
    game = BotGame(play, bots, limits)
    can_be_cut = longest and (play.room.rules.score_winner or play.position.rules.draws)
    game.play_on(max(longest, len(play.turns) + 1) if can_be_cut else None)
    if not play.outcome and (outcome := outcome_of_long_game(play)):
        play.conclude(outcome)
    done.notes |= {turn: [_told(info)] for turn, info in game.infos.items()}
    return done


def _told(info: Info) -> str:
    return f"score {info.score.points:+d}, depth {info.depth}, nodes {info.nodes}"


def outcome_of_long_game(play: Play) -> Outcome | None:
    """Return the outcome of a game that is cut short, if its rules know scores or draws."""
    if score := play.room.rules.score_winner:
        positions = [play.start, *(turn.after for turn in play.turns)]
        return Outcome(score(positions), Reason.SCORE)
    return Outcome(None, Reason.AGREEMENT) if play.position.rules.draws else None


class _Contest:
    """A running game, and what is a match's own: limits for each player, its length, notes."""

    def __init__(
        self, game: Game[MemoryJournal], seated: Sequence[Seated], longest: int, stop: Stop
    ) -> None:
        self.game = game
        self.seated = seated
        self.longest, self.stop = longest, stop
        self.done = Finished(game.play, len(game.play.turns))
        self.broken: dict[int, ForfeitError] = {}

    def finish(self) -> Finished:
        for seat, one in enumerate(self.seated):
            try:
                if isinstance(one.player, ForfeitError):
                    raise one.player
                one.player.begin(self.game.play)
            except Exception as error:
                self.broken[seat] = as_forfeit(error)
        while not self.game.over:
            self._turn()
            self._check_length()
        self.done.play = self.game.play
        return self.done

    def _turn(self) -> None:
        game, seat = self.game, self.game.play.mover
        one, clock = self.seated[seat], game.clock
        own, common = one.limits.hard or float("inf"), float("inf")
        if clock:
            own = min(own, clock.left(seat, setup=game.state.in_setup))
            common = clock.game_left()
        game.do(commands.Resume(spent=0.0))
        try:
            if seat in self.broken:
                raise self.broken[seat]
            assert not isinstance(one.player, ForfeitError)
            decision = self._ask(one.player, one.limits, min(own, common))
            answered = game.now()
            line = None if decision.resigns else check_turn(game.play, decision)
        except Exception as error:
            self._forfeit(seat, as_forfeit(error))
            return
        used, seconds = game.state.elapsed(answered), one.limits.hard
        late = seconds is not None and round(used - seconds - game.grace, 3) > 0
        if (late and own < common) or game.state.time_is_up(answered, game.grace):
            self._time_is_up(seat, used, common, lost=own < common)
        elif line is None:
            game.do(commands.Resign(seat), answered)
        else:
            index = len(game.play.turns)
            game.do(commands.Act(line, seat), answered)
            self._note(
                self._words(seat, decision, used if clock or one.limits.hard else None), index
            )

    def _time_is_up(self, seat: int, used: float, common: float, *, lost: bool) -> None:
        """Let a player lose by time; or the game is halted, and nobody oversteps."""
        if lost:
            self.done.lost_on_time.append(seat)
            self._note([f"lost on time after {used:.2f} s"])
        else:
            self._note([f"the time of the game was over after {common:.2f} s"])
        self.game.do(commands.Flag(overstepped=lost), self.game.state.began + used)

    def _ask(self, player: Player, limits: Limits, allowed: float) -> Decision:
        """Ask for a turn; a player that thinks too long is stopped, and loses only the game."""
        game = self.game
        with self.stop.after(allowed + game.grace) as stop:
            return player.choose(game.play, replace(limits, clock=game.clock), None, stop)

    def _words(self, seat: int, decision: Decision, used: float | None) -> list[str]:
        """Comments on a turn; times only where they matter, so that other games can be repeated."""
        words = []
        if used is not None:
            clock = self.game.clock
            words.append(format_used(used, clock.reserve(seat) if clock else None))
        if info := decision.info:
            words.append(_told(info))
        return words

    def _note(self, words: list[str], index: int | None = None) -> None:
        """Comment on a turn, by its index; without one on the turn that is to be played."""
        if words:
            index = len(self.game.play.turns) if index is None else index
            self.done.notes.setdefault(index, []).extend(words)

    def _forfeit(self, seat: int, error: ForfeitError) -> None:
        name, turn = self.seated[seat].name, self.game.play.turn_tag
        self.done.forfeits.append(Forfeited(seat, name, turn, str(error.message), error.transcript))
        self._note([f"forfeit: {error.message}"])
        self.game.do(commands.Forfeit(seat, str(error.message)))

    def _check_length(self) -> None:
        play = self.game.play
        if self.game.over or not 0 < self.longest <= len(play.turns):
            return
        if outcome := outcome_of_long_game(play):
            self.game.do(commands.End(outcome))
