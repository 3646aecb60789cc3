"""The offers of players to each other: draws, pauses, takebacks, lines of the game."""

from pathlib import Path

import pytest

from play.session.games import begun_game, told
from playing import HandClock, Script, agreed, plain_screen, replayed, shown
from trine.cli.terminal.dialogue import Dialogue
from trine.core.contract.position import Reason
from trine.core.errors import IllegalError, TrineError
from trine.play.session import commands
from trine.play.session.file_journal import FileJournal, resume_from_file
from trine.play.session.game import Game
from trine.play.session.state import MemoryJournal


def test_an_offer_that_stands_is_shown_when_the_game_is_gone_on_with(
    path: Path, now: HandClock
) -> None:
    game = begun_game("corridor/quoridor", path, now)
    game.do(commands.Ask(1, "draw"))
    game.journal.close()
    again, _ = resume_from_file(path, now)
    dialogue = Dialogue(again, plain_screen())
    dialogue.run(Script("accept"))
    assert "North offers a draw" in shown(dialogue.screen)
    assert again.play.outcome
    assert again.play.outcome.reason is Reason.AGREEMENT
    assert replayed(path).outcome == again.play.outcome


def test_all_must_agree_to_a_pause_and_no_time_passes_in_it(path: Path, now: HandClock) -> None:
    game = begun_game("corridor/quoridor", path, now)
    now.wait(3)
    game.do(commands.Ask(0, "pause"))
    game.do(commands.Accept(1))
    now.wait(500)
    assert (game.elapsed, game.state.deadline) == (3, None)
    with pytest.raises(IllegalError, match="paused"):
        game.enter("e2")
    game.close()
    again, _ = resume_from_file(path, now)
    assert again.state.by_consent
    again.do(commands.Resume())
    now.wait(1)
    assert again.elapsed == 4
    again.close()


def test_who_asks_for_what_was_asked_for_accepts(tmp_path: Path) -> None:
    game = begun_game("corridor/quoridor", tmp_path / "game.txt", HandClock())
    game.do(commands.Ask(0, "draw"))
    game.do(commands.Ask(1, "draw"))
    assert game.play.outcome
    assert game.play.outcome.reason is Reason.AGREEMENT
    game.close()


def test_a_seat_takes_back_only_what_is_its_own(tmp_path: Path) -> None:
    game = Game.begin(agreed("tzaar", setup="placement"), MemoryJournal(), HandClock())
    game.enter("Za1")
    with pytest.raises(IllegalError, match="agree"):
        game.do(commands.TakeBack(seat=1))
    game.do(commands.TakeBack(seat=0))
    assert game.play.turns == []
    arimaa = Game.begin(agreed("arimaa"), MemoryJournal(), HandClock())
    arimaa.enter("Ra1")
    with pytest.raises(IllegalError, match="another player"):
        arimaa.do(commands.Undo(seat=1))
    arimaa.do(commands.Undo(seat=0))
    assert arimaa.play.open_actions == ()


def test_only_what_games_need_consent_for_can_be_asked_for() -> None:
    game = Game.begin(agreed("tzaar", setup="placement"), MemoryJournal(), HandClock())
    for what in ("Za1", "", "random", "fill and more"):
        with pytest.raises(TrineError):
            game.do(commands.Ask(0, what))
    game.do(commands.Ask(0, " Fill  7 "))
    assert [offer.what for offer in game.state.offers] == ["fill 7"]
    game.do(commands.Accept(1))
    assert not game.play.position.in_setup


def test_who_was_declined_a_draw_waits_some_turns_and_the_other_does_not(
    path: Path, now: HandClock
) -> None:
    game = begun_game("corridor/quoridor", path, now)
    game.do(commands.Ask(0, "draw"))
    game.do(commands.Decline(1))
    with pytest.raises(IllegalError, match="again after 10 turns"):
        game.do(commands.Ask(0, "draw"))
    game.do(commands.Ask(1, "draw"))
    game.do(commands.Decline(0))
    for line in ("e2", "e8", "e3", "e7", "e4", "e6", "d4", "d6", "d3"):
        game.enter(line)
    game.close()
    game, _ = resume_from_file(path, now)
    with pytest.raises(IllegalError, match=r"again after 1 turn$"):
        game.do(commands.Ask(0, "draw"))
    game.enter("d7")
    game.do(commands.Ask(0, "draw"))
    assert [offer.seat for offer in game.state.offers] == [0]
    game.close()


def test_an_offer_can_be_withdrawn_by_the_player_who_made_it(path: Path, now: HandClock) -> None:
    game = begun_game("corridor/quoridor", path, now)
    for line in ("e2", "e8"):
        game.enter(line)
    for what in ("takeback", "draw"):
        game.do(commands.Ask(0, what, 2 if what == "takeback" else 1))
        game.do(commands.Decline(0, what))
        with pytest.raises(IllegalError, match="nothing was asked for"):
            game.do(commands.Accept(1, what))
    game.do(commands.Ask(1, "pause"))
    game.do(commands.Ask(0, "takeback", 2))
    game.do(commands.Decline(0))  # the request that waits for an answer comes first
    assert [offer.what for offer in game.state.offers] == ["takeback"]
    game.close()
    assert "{South withdraws takeback}" in path.read_text()
    game, _ = resume_from_file(path, now)
    assert [offer.what for offer in game.state.offers] == ["takeback"]
    with pytest.raises(IllegalError, match="again after 10 turns"):
        game.do(commands.Ask(0, "draw"))
    game.close()


def test_asking_for_more_than_the_other_is_another_offer(tmp_path: Path) -> None:
    game = begun_game("corridor/quoridor", tmp_path / "game.txt", HandClock())
    for line in ("e2", "e8", "e3"):
        game.enter(line)
    game.do(commands.Ask(0, "takeback", 1))
    game.do(commands.Ask(1, "takeback", 2))
    assert len(game.play.turns) == 3
    assert [(offer.seat, offer.turns) for offer in game.state.offers] == [(1, 2)]
    game.do(commands.Ask(0, "takeback", 2))
    assert len(game.play.turns) == 1
    game.close()


def taken_back(game: Game[FileJournal], turns: int) -> None:
    mover = game.play.mover
    game.do(commands.Ask(mover, "takeback", turns))
    game.do(commands.Accept(1 - mover))


def test_a_turn_taken_back_goes_on_with_all_that_its_player_has_thought(
    path: Path, now: HandClock
) -> None:
    game = begun_game("corridor/quoridor", path, now)  # 20 seconds a turn, 2 minutes in reserve
    for line, seconds in (("e2", 5), ("e8", 50)):
        now.wait(seconds)
        game.enter(line)
    now.wait(7)
    assert game.clock
    assert game.clock.reserves == (135, 90)
    taken_back(game, 2)
    assert game.play.turns == []
    assert game.clock.reserves == (120, 90)  # nothing gained by turns that do not count
    assert game.elapsed == 12
    now.wait(3)
    game.enter("e2")
    assert game.clock.reserves == (125, 90)
    stood = told(game.state)
    game.close()
    assert "} takeback\n1n takeback\n" in path.read_text()
    again, _ = resume_from_file(path, now)
    assert told(again.state)[0] == stood[0]
    again.close()


def test_of_one_turn_taken_back_both_have_spent_what_they_thought(tmp_path: Path) -> None:
    now = HandClock()
    game = begun_game("corridor/quoridor", tmp_path / "game.txt", now)
    now.wait(5)
    game.enter("e2")
    now.wait(50)
    taken_back(game, 1)
    assert game.clock
    assert game.clock.reserves == (120, 90)
    assert game.clock.used == (0, 50)
    assert game.elapsed == 5
    game.close()


def test_no_turn_is_taken_back_for_which_no_time_is_left(tmp_path: Path, now: HandClock) -> None:
    game = begun_game("corridor/quoridor", tmp_path / "game.txt", now)
    now.wait(100)
    for line in ("e2", "e8"):
        game.enter(line)
    now.wait(41)
    for command in (commands.Ask(0, "takeback", 2), commands.TakeBack(2, agreed=True)):
        with pytest.raises(IllegalError, match="no time would be left"):
            game.do(command)
    assert not game.check_time()
    assert game.time_left == 40 - 41 + 20
    game.close()
