"""Conversations as transcripts: what is typed, and what must be said or done."""

import os
import re
from pathlib import Path

import pytest

from cli.terminal.conversations import said, talking, transcript
from play.record.logs import undated
from playing import DUEL, NEAR_GOAL, converse, live, replayed, resumed, shown, standing, terms
from trine.cli.terminal.vocabulary import COMMANDS
from trine.core.contract.position import Outcome, Reason


def test_a_game_is_played_to_its_end(path: Path) -> None:
    words = transcript(path, "a7n", "end", "never read", agreed=terms(start=NEAR_GOAL))
    assert "2g: Gold (Anna) to move" in words
    assert "so far: Ra7n" in words
    assert "Gold (Anna) wins (goal)" in words
    assert words.count("     a  b  c") == 2 * 3  # a board before, after the step, after the end
    assert words.endswith(f"the record is in {path}\n")
    assert replayed(path).outcome == Outcome(0, Reason.GOAL)


def test_an_unfinished_game_says_how_to_go_on(path: Path) -> None:
    words = transcript(path, "d4n")
    assert words.endswith(f"to continue, run: trine resume {path}\n")
    with resumed(path) as (game, damage):
        assert damage is None
        assert len(game.play.open_actions) == 1
        assert "so far: Ed4n" in shown(converse(game, "quit").screen)


def test_steps_are_typed_in_many_ways(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        for line in ("ED4N", "d5-d6, a2n", "undo 3", "Ed4nn a2a3", "undo all", "d4n; d5s; a2n"):
            said(dialogue, line)
        actions = [str(action) for action in dialogue.game.play.open_actions]
        assert actions == ["Ed4n", "Ed5s", "Ra2n"]
        assert dialogue.refused == 0


def test_undo_takes_back_one_some_or_all(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        said(dialogue, "d4nn a2n", "undo")
        assert len(dialogue.game.play.open_actions) == 2
        said(dialogue, "undo 2")
        assert len(dialogue.game.play.open_actions) == 0
        said(dialogue, "d4nn a2n", "Undo all")
        assert len(dialogue.game.play.open_actions) == 0
        assert path.read_text().count("undo") == 6


def test_words_behind_a_command_are_read_in_any_case(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        said(dialogue, "D4NN A2N", "UNDO ALL")
        assert dialogue.game.play.open_actions == ()
        said(dialogue, f"SAVE AS {path.with_name('copy.txt')}", "OFFER DRAW")
        assert dialogue.refused == 0


@pytest.mark.parametrize(
    "line",
    ["undo", "undo all", "undo 1", "undo 9", "undo -1", "undo x", "undo 1 2", "undo ²", "undo ١"],
)
def test_undo_without_anything_to_take_back_is_refused(line: str, path: Path) -> None:
    with talking(path, terms()) as dialogue:
        before = path.read_bytes()
        assert said(dialogue, line).strip()
        assert dialogue.refused == 1
        assert path.read_bytes() == before


@pytest.mark.parametrize("count", ["0", "00", "9" * 5000])
def test_undo_takes_a_number_that_makes_sense(count: str, path: Path) -> None:
    with talking(path, terms()) as dialogue:
        said(dialogue, "d4n", f"undo {count}")
        assert dialogue.refused == 1
        assert len(dialogue.game.play.open_actions) == 1


def test_moves_lists_exactly_the_legal_actions(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        for line in ("", "e2w", "d2w", "c2n"):
            if line:
                said(dialogue, line)
            answer = said(dialogue, "moves")
            listed = re.findall(r"\b[EMHDCRemhdcr][a-h][1-8][nesw]\b|\bend\b(?= *$)", answer, re.M)
            legal = {str(action) for action in dialogue.game.play.legal_actions()}
            assert set(listed) == legal
            assert "the elephant on d4:" in answer


def test_flip_turns_the_board_around_and_back(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        once, twice = said(dialogue, "flip"), said(dialogue, "flip")
        assert re.search("h +g +f +e +d +c +b +a", once)
        assert re.search("a +b +c +d +e +f +g +h", twice)
        assert said(dialogue, "board") == twice


def test_turns_lists_what_was_played(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        assert said(dialogue, "turns") == ""
        said(dialogue, "e2w d2w c2n end ra7s end d4n")
        assert said(dialogue, "turns") == "  2g Ce2w Cd2w Cc2n Cc3x\n  2s ra7s\n"


def test_help_tells_of_every_word(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        answer = said(dialogue, "help")
        for command in COMMANDS:
            assert f"  {command.usage} " in answer
            assert command.help.template in answer
        assert "setup" not in answer  # nothing is set up any more
        assert said(dialogue, "?") == answer
    with talking(path.with_name("setup.txt"), terms(start="")) as dialogue:
        assert "setup RANKS" in said(dialogue, "help")


@pytest.mark.parametrize("command", [command.usage.split()[0] for command in COMMANDS])
def test_every_word_of_the_help_is_understood(command: str, path: Path) -> None:
    with talking(path, terms()) as dialogue:
        assert f"'{command}' is not a step" not in said(dialogue, command)


def test_a_copy_is_saved_and_can_be_gone_on_with(path: Path) -> None:
    copy = path.with_name("a copy.txt")
    with talking(path, terms()) as dialogue:
        assert str(copy) in said(dialogue, "d4n end ra7s", f"save as {copy}")
        assert "exists" in said(dialogue, f"save as {copy}")
        assert dialogue.refused == 1
        with resumed(copy) as (game, _):
            assert standing(game.play) == standing(dialogue.game.play)


@pytest.mark.parametrize(
    "name",
    ["", "absent/copy.txt", ".", "/", "a" * 300, "a" * 5000, "~nobody-of-that-name/x", "a\0b"],
)
def test_a_copy_that_cannot_be_saved_is_refused(
    name: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    with talking(path, terms()) as dialogue:
        assert said(dialogue, f"save as {name}").strip()
        assert dialogue.refused == 1


def interrupt() -> None:
    raise KeyboardInterrupt


def test_ctrl_c_breaks_off_in_good_order(path: Path) -> None:
    with live(path, terms(clock="5+3")) as game:
        dialogue = converse(game, "d4n", interrupt)
        assert dialogue.interrupted
        assert "to continue, run: trine resume" in shown(dialogue.screen)
    assert undated(path.read_text()).endswith("2g Ed4n {paused 0:00} ")


@pytest.mark.parametrize("nth", range(1, 8))
def test_ctrl_c_while_the_disk_is_slow_damages_nothing(
    nth: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    syncs = 0

    def fsync(handle: int) -> None:
        nonlocal syncs
        syncs += 1
        if syncs == nth:
            raise KeyboardInterrupt

    with live(path, terms(clock="5+3")) as game:
        monkeypatch.setattr(os, "fsync", fsync)
        dialogue = converse(game, "d4n", "undo", "d4n", "end", "ra7s", "end", "takeback", "accept")
        assert dialogue.interrupted
        before = standing(game.play)
    with resumed(path) as (game, damage):
        assert damage is None
        assert standing(game.play) == before


@pytest.mark.parametrize("word", ["quit", "exit", "QUIT"])
def test_quit_leaves_what_follows_unread(word: str, path: Path) -> None:
    with live(path, terms()) as game:
        dialogue = converse(game, word, "d4n")
        assert not dialogue.interrupted
        assert game.play.open_actions == ()
        assert not shown(dialogue.screen).count("so far")


def test_a_start_in_the_middle_of_a_game_is_played_like_any_other(path: Path) -> None:
    words = transcript(path, "d4n", agreed=terms(start=DUEL.replace("2g", "17s")))
    assert "17s: Silver (Bert) to move" in words
