"""One game: how it ends, what its record says, and what becomes of players who do wrong."""

from __future__ import annotations

import io

import pytest

from engine.arena.players import Fake, open_fake
from playing import DUEL, HandClock
from trine.core.clock import Limits, parse_time_control
from trine.core.contract.position import Outcome, Reason
from trine.core.contract.record import format_record, read_records
from trine.core.errors import MalformedError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.core.work.stop import Stop
from trine.engine.arena.contest import Finished, Seated, play_game
from trine.engine.arena.match import format_budget, parse_budget
from trine.engine.players.player import Decision, ForfeitError, OnInfo, PlayerResources
from trine.games import new_play
from trine.play.record.replay import replay

FREE = Limits(nodes=1)


def play_out(play: Play, *kinds: str, limits: Limits = FREE, longest: int = 0) -> Finished:
    seated = [
        Seated(f"{kind} {seat}", open_fake(kind, "", PlayerResources(seed=seat)), limits)
        for seat, kind in enumerate(kinds)
    ]
    return play_game(play, seated, max_turns=longest)


def written(finished: Finished) -> str:
    return format_record(finished.record({"Event": "test"}))


def reread(finished: Finished) -> Play:
    (record,) = read_records(io.StringIO(written(finished)))
    return replay(record)


@pytest.mark.parametrize("game", ["tzaar", "corridor", "corridor/corridor", "tzaar/open"])
def test_a_game_between_honest_players_ends_by_the_rules(game: str) -> None:
    play = new_play(game, size=5) if game.startswith("corridor") else new_play(game)
    finished = play_out(play, "random", "random")
    assert finished.play.outcome
    assert finished.play.outcome.reason not in (Reason.FORFEIT, Reason.TIME)
    again = reread(finished)
    assert again.outcome == finished.play.outcome
    assert [turn.actions for turn in again.turns] == [turn.actions for turn in finished.play.turns]
    assert "score " in written(finished)
    assert finished.play.outcome and sum(finished.play.outcome.points(2)) == 1


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("crash:2", "it failed: ZeroDivisionError: by accident"),
        ("silent:2", "no answer"),
        ("illegal:2", "illegal: "),
        ("short:2", "its turn is not complete"),
        ("long:2", "it answers with more than its turn"),
        ("garbage:2", ""),
        ("absent", "no such program"),
    ],
)
def test_who_does_wrong_forfeits(kind: str, message: str) -> None:
    bad: Fake | ForfeitError
    try:
        bad = open_fake(kind, "", PlayerResources())  # type: ignore[assignment]
    except ForfeitError as error:
        bad = error
    good = open_fake("random", "", PlayerResources(seed=1))
    seated = [Seated("good", good, FREE), Seated("bad", bad, FREE)]
    finished = play_game(new_play("tzaar"), seated)
    assert finished.play.outcome == Outcome(0, Reason.FORFEIT)
    (forfeit,) = finished.forfeits
    assert (forfeit.seat, forfeit.name) == (1, "bad")
    assert str(forfeit.message).startswith(message)
    played = [turn for turn in finished.play.turns if turn.player == 1]
    assert len(played) == (0 if kind == "absent" else 2)
    assert not finished.play.open_actions
    assert reread(finished).outcome == finished.play.outcome
    assert f"{{forfeit: {forfeit.message}}}" in written(finished)


def test_what_a_program_said_before_it_forfeited_is_kept() -> None:
    assert play_out(new_play("tzaar"), "silent", "first").forfeits[0].transcript == ">> go\n<< \n"
    crashed = play_out(new_play("tzaar"), "crash", "first").forfeits[0]
    assert "ZeroDivisionError" in crashed.transcript


def test_who_resigns_loses() -> None:
    finished = play_out(new_play("tzaar"), "first", "resign:1")
    assert finished.play.outcome == Outcome(0, Reason.RESIGNATION)
    assert reread(finished).outcome == finished.play.outcome


def test_a_game_of_three_goes_on_without_who_forfeits() -> None:
    play = new_play("corridor/great-wall", players=3, size=5)
    finished = play_out(play, "random", "crash:1", "random")
    assert [forfeit.seat for forfeit in finished.forfeits] == [1]
    assert finished.play.outcome
    assert finished.play.outcome.winner != 1
    assert len([turn for turn in finished.play.turns if turn.player == 1]) == 2
    assert reread(finished).outcome == finished.play.outcome


class Dawdler(Fake):
    def __init__(self, clock: HandClock, seconds: float) -> None:
        super().__init__("random", 7)
        self.clock, self.seconds = clock, seconds
        self.seen: list[Limits] = []

    def choose(
        self, play: Play, limits: Limits, told: OnInfo | None = None, stop: Stop | None = None
    ) -> Decision:
        self.seen.append(limits)
        self.clock.wait(self.seconds)
        return super().choose(play, limits, told, stop)


@pytest.mark.parametrize(("seconds", "in_time"), [(0.9, True), (1.1, True), (1.3, False)])
def test_time_is_overstepped_beyond_the_margin_only(seconds: float, in_time: bool) -> None:
    clock, limits = HandClock(), Limits(hard=1.0)
    seated = [
        Seated("quick", Dawdler(clock, 0), limits),
        Seated("slow", Dawdler(clock, seconds), limits),
    ]
    finished = play_game(new_play("tzaar"), seated, margin=0.2, now=clock)
    assert finished.play.outcome
    assert (finished.play.outcome == Outcome(0, Reason.TIME)) is not in_time
    assert finished.lost_on_time == ([] if in_time else [1])
    assert reread(finished).outcome == finished.play.outcome
    if in_time:
        assert f"{{0:0{seconds}}}" in written(finished)


def test_a_clock_runs_and_is_told() -> None:
    clock, timed = HandClock(), parse_time_control("1s/10s")
    slow, quick = Dawdler(clock, 3), Dawdler(clock, 0.4)
    seated = [Seated("slow", slow, Limits()), Seated("quick", quick, Limits())]
    finished = play_game(new_play("tzaar"), seated, control=timed, now=clock)
    assert finished.play.outcome == Outcome(1, Reason.TIME)
    reserves = [limits.clock.reserve(0) for limits in slow.seen if limits.clock]
    assert reserves == [10, 8, 6, 4, 2, 0]
    assert "{0:03, 0:08 left}" in written(finished)
    assert "{0:00.4, 0:11 left}" in written(finished)


@pytest.mark.parametrize(
    ("control", "seconds", "ended", "turns"),
    [
        ("0/1m/100/0/15s", 4.0, Reason.SCORE, 3),  # the fourth turn ends too late
        ("0/1m/100/0/15s", 3.03, Reason.SCORE, 5),  # within the margin
        ("0/1m/100/0/15s", 16.0, Reason.SCORE, 0),
        ("0/7s/100/0/15s", 4.0, Reason.TIME, 2),  # their own time is over before
        ("0/10s/100/0/20s", 10.0, Reason.SCORE, 2),  # both together
    ],
)
def test_when_the_time_of_a_game_is_over_it_is_scored(
    control: str, seconds: float, ended: Reason, turns: int
) -> None:
    clock, timed = HandClock(), parse_time_control(control)
    seated = [Seated(name, Dawdler(clock, seconds), Limits()) for name in "AB"]
    start = new_play("arimaa", position=DUEL)
    finished = play_game(start, seated, control=timed, margin=0.2, now=clock)
    assert finished.play.outcome
    assert finished.play.outcome.reason == ended
    assert bool(finished.lost_on_time) == (ended == Reason.TIME)
    assert len(finished.play.turns) == turns
    assert reread(finished).outcome == finished.play.outcome


def test_a_turn_that_goes_on_beyond_the_time_of_the_game_is_stopped() -> None:
    timed = parse_time_control("0/1m/100/0/1s")
    slow = Fake("slow:30", 0)
    seated = [Seated("slow", slow, Limits()), Seated("other", Fake("random", 1), Limits())]
    start = new_play("arimaa", position=DUEL)
    finished = play_game(start, seated, control=timed, margin=0.05)
    assert slow.stopped
    assert finished.play.outcome
    assert finished.play.outcome.reason == Reason.SCORE
    assert not finished.play.turns


def test_who_thinks_too_long_is_stopped() -> None:
    limits = Limits(hard=0.05)
    slow = Fake("slow:30", 0)
    seated = [Seated("slow", slow, limits), Seated("other", Fake("random", 1), limits)]
    finished = play_game(new_play("tzaar"), seated, margin=0.05)
    assert slow.stopped
    assert finished.play.outcome == Outcome(1, Reason.TIME)


def test_a_stop_of_the_game_is_heard_by_whoever_thinks() -> None:
    stop, slow = Stop(), Fake("slow:30", 0)
    stop.set()
    seated = [Seated("slow", slow, Limits()), Seated("other", Fake("random", 1), Limits())]
    finished = play_game(new_play("tzaar"), seated, stop=stop)
    assert slow.stopped
    assert finished.play.outcome
    assert not finished.lost_on_time


def test_games_without_time_tell_no_times() -> None:
    finished = play_out(new_play("tzaar"), "random", "random")
    assert "{0:0" not in written(finished)


def test_too_long_a_game_is_scored_or_drawn_where_the_rules_allow_it() -> None:
    scored = play_out(new_play("arimaa", position=DUEL), "first", "first", longest=2)
    assert len(scored.play.turns) == 2
    assert scored.play.outcome
    assert scored.play.outcome.reason == Reason.SCORE
    assert reread(scored).outcome == scored.play.outcome
    drawn = play_out(new_play("corridor"), "first", "first", longest=3)
    assert drawn.play.outcome == Outcome(None, Reason.AGREEMENT)
    assert reread(drawn).outcome == drawn.play.outcome
    without_draws = play_out(new_play("tzaar"), "random", "random", longest=3)
    assert len(without_draws.play.turns) > 3


def test_budgets_are_read_and_said() -> None:
    assert parse_budget("0.25s/turn", 100) == (Limits(nodes=100, hard=0.25), None)
    assert format_budget(*parse_budget("2s/1m", depth=3)) == "0:02/1, depth 3"
    for words in ("0s", "0.0+0.0", "8.+0.08", ".5+1", "1.2.3+4", "8+0.0001", "soon", "-1s"):
        with pytest.raises(MalformedError):
            parse_budget(words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("10+0.1", "0.1s/10s"),
        ("8+0.08", "0.08s/8s"),
        ("60+0.6", "0.6s/1m"),
        ("0.5+0.005", "0.005s/0.5s"),
        ("10.5+0", "0/10.5s"),
        ("10.0+1", "0:01/0:10"),
        ("10+1", "0:01/10"),  # without a point, minutes
    ],
)
def test_with_a_point_both_numbers_of_a_clock_are_seconds(words: str, said: str) -> None:
    assert format_budget(*parse_budget(words)) == said
    assert parse_budget(said) == parse_budget(words)


def test_the_clock_of_a_game_counts_fractions_of_a_second() -> None:
    now, left = HandClock(), list[float]()

    class Steady(Fake):
        def choose(
            self, play: Play, limits: Limits, told: OnInfo | None = None, stop: Stop | None = None
        ) -> Decision:
            assert limits.clock
            left.append(limits.clock.left(play.mover))
            now.wait(0.03 if play.mover == 0 else 0.15)
            return super().choose(play, limits, told, stop)

    _, control = parse_budget("0.5+0.04")
    seated = [Seated(f"{seat}", Steady("first", seat), Limits()) for seat in (0, 1)]
    finished = play_game(new_play("corridor"), seated, control=control, now=now, margin=0.0)
    assert left[::2] == pytest.approx([0.54, 0.55, 0.56, 0.57, 0.58])
    assert left[1::2] == pytest.approx([0.54, 0.43, 0.32, 0.21, 0.10])
    assert finished.lost_on_time == [1]
    assert reread(finished).outcome == Outcome(0, Reason.TIME)


def test_a_broken_player_is_a_forfeit_of_the_first_turn_only() -> None:
    broken = ForfeitError(text("gone"), "transcript")
    seated = [Seated("broken", broken, FREE), Seated("good", Fake("random", 0), FREE)]
    finished = play_game(new_play("tzaar"), seated)
    assert finished.play.outcome == Outcome(1, Reason.FORFEIT)
    assert not finished.play.turns
    assert reread(finished).outcome == finished.play.outcome
