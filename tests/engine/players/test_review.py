"""Reviews of whole games: blunders that are known are found, and nothing else is called one."""

import re
from collections.abc import Callable

import pytest

from trine.core.clock import Limits
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.core.work.stop import Stop
from trine.engine.players.bot import Bot
from trine.engine.players.review import Grade, Review, ReviewProgress, review
from trine.engine.players.review_words import missing_text, share, sparkline, verdict
from trine.games import new_play

QUICK = Limits(nodes=2_000)
LEVEL_ONE = Limits(nodes=200)
EXTINCTION = "open ...../.Y..../...Z2T../....y.../....*..../.....z../......./.y..../t3.... white 1"
"""White can take Black's only Tzaar, on f6, with the second action, if it goes about it."""


def squares(**pieces: str) -> str:
    names = (f"{file}{rank}" for rank in "87654321" for file in "abcdefgh")
    return f"g [{''.join(pieces.get(name, ' ') for name in names)}]"


GOAL = squares(a7="R", h5="E", f2="r", h8="r", b1="R")
"""Gold's rabbit on a7 and Silver's on f2 are a step from their goals."""


def played(game: str, position: str, *turns: str) -> Play:
    play = new_play(game, position)
    for turn in turns:
        play.enter(turn)
    return play


def reviewed(play: Play, limits: Limits = QUICK) -> Review:
    return review(Bot(play.room.name, hash_mb=4), play, limits)


@pytest.mark.parametrize(
    ("play", "better"),
    [
        pytest.param(
            lambda: played("corridor", "quoridor 3 2 b2,a2 - 0,0 1", "c2", "a1"),
            lambda word: word == "b3",
            id="corridor: walks past the goal",
        ),
        pytest.param(
            lambda: played("arimaa", GOAL, "Eh5w end", "rf2s"),
            lambda word: word == "Ra7n",
            id="arimaa: leaves the rabbit where it is",
        ),
        pytest.param(
            lambda: played("tzaar", EXTINCTION, "c5xd5 -", "f6xd5"),
            lambda word: word.endswith("xd5"),
            id="tzaar: has done with one action",
        ),
    ],
)
def test_a_win_that_is_thrown_away_is_found(
    play: Callable[[], Play], better: Callable[[str], bool]
) -> None:
    game = play()
    found = reviewed(game)
    first = found.turns[0]
    assert first.before.chances[first.player] == 1
    assert first.grade is Grade.BLUNDER
    assert first.better is not None
    assert better(game.room.rules.format_action(first.turn.before, first.better.line[0]))
    assert first in found.worst(1)
    told = verdict(game, first)
    assert "wins with this turn" in str(told.better)
    assert re.search("a blunder, [A-Z][a-z]+ 100 % → ", str(told.headline))


def test_a_piece_that_is_given_away_is_found_and_told_what_it_costs() -> None:
    """The camel walks to b6, between a trap and Silver's elephant, where Gold's elephant can
    help it only with the next turn."""
    rabbits = {f"{file}8": "r" for file in "abcdefgh"} | {f"{file}1": "R" for file in "abcdefgh"}
    start = squares(b5="M", b7="e", d4="E", **rabbits)
    lost = played("arimaa", start, "Mb5n end", "eb7e ec7e end")
    kept = played("arimaa", start, "Mb5s end", "eb7e ec7e end")
    first, other = (reviewed(play, Limits(nodes=20_000)).turns[0] for play in (lost, kept))
    assert first.grade
    assert first.loss > other.loss
    harm = " ".join(map(str, verdict(lost, first).harm))
    assert "captures Gold's camel on b6" in harm, harm


def test_the_curve_ends_with_the_result() -> None:
    play = played("corridor", "quoridor 3 2 b2,a2 - 0,0 1", "c2", "a1")
    found = reviewed(play)
    assert play.outcome == Outcome(1, Reason.GOAL)
    assert found.curve[-1] == (0.0, 1.0)
    assert found.turns[-1].loss == 0
    assert "North wins with this turn" in str(verdict(play, found.turns[0]).answer)


def test_a_turn_that_ends_the_play_itself_is_answered_by_the_result() -> None:
    play = played("tzaar", EXTINCTION, "c4xd5 c5+d5")
    (turn,) = reviewed(play).turns
    assert (turn.grade, turn.after.chances) == (Grade.BLUNDER, (0.0, 1.0))
    assert str(verdict(play, turn).answer) == "Black wins (extinction)"


def test_what_people_decided_leaves_the_chances_as_they_were() -> None:
    play = played("corridor/quoridor", "", "e2", "e8")
    play.leave(Reason.RESIGNATION)
    found = reviewed(play)
    assert len(found.turns) == 2
    assert 0.3 < found.curve[-1][0] < 0.7


def test_the_curve_is_one_piece_and_no_turn_gains() -> None:
    """Where one turn ends the next begins, and the value of a position is that of the best turn."""
    play = new_play("corridor/quoridor")
    bot = Bot("corridor", 4, hash_mb=4)
    while not play.outcome and len(play.turns) < 16:
        play.follow(play.check(bot.choose(play, LEVEL_ONE).actions))
    found = reviewed(play)
    assert [turn.index for turn in found.turns] == list(range(16))
    for one, next_one in zip(found.turns, found.turns[1:], strict=False):
        assert one.after.chances == next_one.before.chances
    for turn in found.turns:
        assert sum(turn.before.chances) == pytest.approx(1)
        gained = turn.after.chances[turn.player] - turn.before.chances[turn.player]
        assert gained <= 1e-9
        assert (turn.loss > 0) <= (turn.better is not None)


@pytest.mark.parametrize("game", ["arimaa", "corridor", "tzaar"])
def test_the_same_review_finds_the_same(game: str) -> None:
    play = new_play(game)
    bot = Bot(game, 3, hash_mb=4)
    while not play.outcome and len(play.turns) < 8:
        play.follow(play.check(bot.choose(play, LEVEL_ONE).actions))
    first, second = reviewed(play), reviewed(play)
    assert first.curve == second.curve
    assert [turn.better for turn in first.turns] == [turn.better for turn in second.turns]
    # Setups are passed over.
    assert len(first.turns) == (6 if game == "arimaa" else 8)


def test_the_better_turn_can_be_played() -> None:
    play = new_play("arimaa")
    bot = Bot("arimaa", 1, hash_mb=4)
    while len(play.turns) < 8:
        play.follow(play.check(bot.choose(play, LEVEL_ONE).actions))
    better = [turn for turn in reviewed(play).turns if turn.better]
    assert better
    for turn in better:
        ahead = Play(play.room, turn.turn.before)
        assert turn.better is not None
        ahead.follow(ahead.check(turn.better.line))
        assert ahead.turns[0].after != turn.turn.after


def test_what_was_lost_already_is_no_fault() -> None:
    """North cannot stop South, and is not blamed for it."""
    play = played("corridor", "quoridor 5 2 c4,a4 - 0,0 2", "a3", "c5")
    found = reviewed(play)
    assert found.turns[0].before.chances == (1.0, 0.0)
    assert found.turns[0].grade is None
    assert found.accuracy(1) is None
    assert found.accuracy(0) == 1


def test_accuracy_halves_with_each_tenth() -> None:
    play = played("corridor", "quoridor 3 2 b2,a2 - 0,0 1", "c2", "a1")
    found = reviewed(play)
    assert found.turns[0].loss == pytest.approx(1)
    assert found.accuracy(0) == pytest.approx(2**-10)
    assert (found.count(0, Grade.BLUNDER), found.count(1, Grade.BLUNDER)) == (1, 0)


@pytest.mark.parametrize("players", [3, 4])
def test_several_players_have_a_chance_each(players: int) -> None:
    play = new_play("corridor/great-wall", players=players)
    while play.position.in_setup or play.mover:
        play.act(play.legal_actions()[0])
    play.leave(Reason.RESIGNATION)
    play.act(play.legal_actions()[0])
    found = review(Bot("corridor", hash_mb=4), play, Limits(nodes=300))
    assert [turn.turn.left for turn in found.turns] == [Reason.RESIGNATION, None]
    assert {len(chances) for chances in found.curve} == {players}
    assert all(sum(chances) == pytest.approx(1, abs=1e-3) for chances in found.curve)
    assert found.curve[-1][0] == 0  # the first has left
    assert found.turns[0].loss == 0


def test_a_win_among_four_that_is_missed_is_a_blunder() -> None:
    play = new_play("corridor", "quoridor 9 4 e8,b5,a2,h5 - 0,0,0,0 1")
    play.enter("e7")
    found = review(Bot("corridor", hash_mb=4), play, Limits(nodes=500))
    (turn,) = found.turns
    assert turn.grade is Grade.BLUNDER
    assert "South: 100 %" in str(verdict(play, turn).better)


def test_a_stop_keeps_the_turns_that_are_reviewed() -> None:
    play = played("corridor/quoridor", "", "e2", "e8", "e3", "e7", "e4", "e6")
    stop = Stop()

    def told(progress: ReviewProgress) -> None:
        assert progress.total == 6
        if progress.done == 2:
            stop.set()

    found = review(Bot("corridor", hash_mb=4), play, QUICK, told, stop)
    assert [turn.index for turn in found.turns] == [4, 5]
    assert found.missing == 4
    assert str(missing_text(found)) == "stopped: reviewed only from 3s on"
    assert missing_text(reviewed(play)) is None


def test_a_stop_that_comes_first_leaves_nothing() -> None:
    stop = Stop()
    stop.set()
    found = review(Bot("corridor", hash_mb=4), played("corridor", "", "e2"), QUICK, stop=stop)
    assert (found.turns, found.curve, found.missing) == ((), [], 1)


def test_a_setup_alone_is_nothing_to_review() -> None:
    play = new_play("arimaa")
    with pytest.raises(IllegalError, match="no turn to review"):
        reviewed(play)
    play.enter("setup 99of9")
    with pytest.raises(IllegalError, match="no turn to review"):
        reviewed(play)


def test_a_play_is_left_as_it_was() -> None:
    play = played("arimaa", GOAL, "Eh5w end", "rf2e")
    assert play.open_actions
    before = (play.position, len(play.turns), play.open_actions)
    assert len(reviewed(play).turns) == 1
    assert (play.position, len(play.turns), play.open_actions) == before


@pytest.mark.parametrize(
    ("loss", "grade"),
    [(0.0, None), (0.099, None), (0.1, Grade.SLIP), (0.2, Grade.MISTAKE), (1, Grade.BLUNDER)],
)
def test_grades_have_the_thresholds_that_are_documented(loss: float, grade: Grade | None) -> None:
    assert Grade.of(loss) is grade


def test_a_curve_of_letters_keeps_its_ends() -> None:
    chances = [0.0] * 50 + [1.0] * 50
    assert sparkline(chances, 10) == "▁▁▁▁▁█████"
    assert sparkline(chances, 3)[0] + sparkline(chances, 3)[-1] == "▁█"
    assert share(0.9999) == 99
