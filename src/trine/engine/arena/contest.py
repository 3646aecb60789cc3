"""One game between players, from its opening to its outcome, and its record.

Games are not adjudicated: a game ends by the rules, or because a player resigns, exceeds its time,
or forfeits by an illegal answer or none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from trine.core.clock import Limits, TimeControl
from trine.core.contract.position import Outcome, Reason
from trine.core.contract.record import Record, WrittenTurn
from trine.core.play import Play
from trine.core.text.sentence import Text
from trine.core.work.stop import Stop
from trine.engine.players.bot_games import BotGame, compiled_bots
from trine.engine.players.player import Decision, ForfeitError, Info, Player, as_forfeit, check_turn
from trine.play.record.agreed_terms import Terms
from trine.play.record.replay import record_of
from trine.play.record.time_notes import format_used
from trine.play.session import commands
from trine.play.session.game import Game, Now
from trine.play.session.state import MemoryJournal

MARGIN: Final = 0.2
"""Units: seconds; the tolerance of time limits, since a busy machine answers late. Guess."""


@dataclass(frozen=True)
class Seated:
    """A player at the board."""

    name: str
    player: Player | ForfeitError
    """A `ForfeitError` if the player could not be opened: it forfeits its first turn."""
    limits: Limits


@dataclass(frozen=True)
class Forfeited:
    """A turn that a player forfeited."""

    seat: int
    name: str
    turn: str  # the tag of the turn, as in ``2g``
    message: Text
    transcript: str


@dataclass
class Finished:
    """A game that is over."""

    play: Play
    opening: int  # number of turns in the opening
    notes: dict[int, list[str]] = field(default_factory=dict)
    """Comments by the index of the turn; comments after the last turn are about the end."""
    forfeits: list[Forfeited] = field(default_factory=list)
    lost_on_time: list[int] = field(default_factory=list)  # the seats that lost on time

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
    max_turns: int = 0,
    now: Now | None = None,
    stop: Stop | None = None,
) -> Finished:
    """Play a game from the end of its opening to its end.

    After ``max_turns`` the game is scored if its rules have a score, drawn if they have draws, and
    goes on otherwise; 0: no limit.
    """
    assert len(seated) == len(play.position.seats)
    if not control and (finished := _play_compiled(play, seated, max_turns)):
        return finished
    names = tuple(one.name for one in seated)
    terms = Terms(play.room, play.start, play.room.rules.start_tags(play.start), names, control)
    game = Game.begin(terms, MemoryJournal(), now, opening=play, grace=margin)
    return _Contest(game, seated, max_turns, stop or Stop()).finish()


def _play_compiled(play: Play, seated: Sequence[Seated], max_turns: int) -> Finished | None:
    """Play a game of two bots in compiled code, if possible: the same game as turn by turn."""
    players = [one.player for one in seated if not isinstance(one.player, ForfeitError)]
    limits = [one.limits for one in seated]
    bots = compiled_bots(players, limits) if len(players) == len(seated) else []
    if not bots or any(bot.solved(play) for bot in bots):
        return None
    done = Finished(play, len(play.turns))
    game = BotGame(play, bots, limits)
    can_be_cut = max_turns and (play.room.rules.score_winner or play.position.rules.draws)
    game.play_on(max(max_turns, len(play.turns) + 1) if can_be_cut else None)
    if not play.outcome and (outcome := outcome_of_long_game(play)):
        play.conclude(outcome)
    done.notes |= {turn: [_info_note(info)] for turn, info in game.infos.items()}
    return done


def _info_note(info: Info) -> str:
    return f"score {info.score.points:+d}, depth {info.depth}, nodes {info.nodes}"


def outcome_of_long_game(play: Play) -> Outcome | None:
    """Return the outcome of a game that is cut short, if its rules have scores or draws."""
    if score := play.room.rules.score_winner:
        positions = [play.start, *(turn.after for turn in play.turns)]
        return Outcome(score(positions), Reason.SCORE)
    return Outcome(None, Reason.AGREEMENT) if play.position.rules.draws else None


class _Contest:
    """A running game of a match, with limits for each player, a length limit, and notes."""

    def __init__(
        self, game: Game[MemoryJournal], seated: Sequence[Seated], max_turns: int, stop: Stop
    ) -> None:
        self.game = game
        self.seated = seated
        self.max_turns, self.stop = max_turns, stop
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
        """Lose on time, or halt the game if the game's own time ran out first."""
        if lost:
            self.done.lost_on_time.append(seat)
            self._note([f"lost on time after {used:.2f} s"])
        else:
            self._note([f"the time of the game was over after {common:.2f} s"])
        self.game.do(commands.Flag(overstepped=lost), self.game.state.began + used)

    def _ask(self, player: Player, limits: Limits, allowed: float) -> Decision:
        """Ask for a turn; a player that thinks too long is stopped, and loses only this game."""
        game = self.game
        with self.stop.after(allowed + game.grace) as stop:
            return player.choose(game.play, replace(limits, clock=game.clock), None, stop)

    def _words(self, seat: int, decision: Decision, used: float | None) -> list[str]:
        """Return comments on a turn; times only if limited, since other games are repeatable."""
        words = []
        if used is not None:
            clock = self.game.clock
            words.append(format_used(used, clock.reserve(seat) if clock else None))
        if info := decision.info:
            words.append(_info_note(info))
        return words

    def _note(self, words: list[str], index: int | None = None) -> None:
        """Comment on the turn with an index, by default the next turn."""
        if words:
            index = len(self.game.play.turns) if index is None else index
            self.done.notes.setdefault(index, []).extend(words)

    def _forfeit(self, seat: int, error: ForfeitError) -> None:
        name, turn = self.seated[seat].name, self.game.play.turn_tag
        self.done.forfeits.append(Forfeited(seat, name, turn, error.message, error.transcript))
        self._note([f"forfeit: {error.message}"])
        self.game.do(commands.Forfeit(seat, str(error.message)))

    def _check_length(self) -> None:
        play = self.game.play
        if self.game.over or not 0 < self.max_turns <= len(play.turns):
            return
        if outcome := outcome_of_long_game(play):
            self.game.do(commands.End(outcome))
