"""Conversations about TZAAR and Corridor, where they differ from those about Arimaa."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.terminal.computers import terminal_screen
from cli.terminal.conversations import said
from playing import HandClock, Script, agreed, live, plain_screen, replayed, resumed, shown
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.vocabulary import candidates
from trine.core.contract.position import Action, Outcome, Reason
from trine.core.play import Play
from trine.core.text.language import LANGUAGES
from trine.games.tzaar.board import POINT_NAMES
from trine.play.record.agreed_terms import Terms
from trine.play.session.commands import Act

THE_LAST_TZAAR = (
    "official ...../....../......./.Tz...../.TYZ*yztT/......../......./....../..... white 1"
)
"""After a capture on d3 by d2, e3 could be stacked away onto, or by, others."""


@contextmanager
def talking(path: Path, terms: Terms) -> Iterator[Dialogue]:
    with live(path, terms) as game:
        yield Dialogue(game, plain_screen())


def at_a_terminal(
    dialogue: Dialogue, width: int = 120, height: int = 50, language: str = "en"
) -> io.StringIO:
    """Let a dialogue believe that it is held at a terminal."""
    screen, out = terminal_screen(width, height, language)
    dialogue.screen = dialogue.view.screen = screen
    return out


def test_an_open_turn_is_gone_on_with(path: Path) -> None:
    with talking(path, agreed("tzaar/open", setup="random", seed=7)) as dialogue:
        said(dialogue, str(dialogue.game.play.legal_actions()[0]))
        stood = dialogue.game.play.position
        dialogue.game.close()
    with resumed(path) as (game, damage):
        assert (game.play.position, damage) == (stood, None)
        assert game.terms.start_tags == {"Setup": "random", "Seed": "7"}


def test_placements_are_taken_back_without_asking(path: Path) -> None:
    with talking(path, agreed("tzaar", setup="placement")) as dialogue:
        said(dialogue, "Za1 Tb1 zc1")
        assert dialogue.game.play.turn_tag == "2b"
        said(dialogue, "undo", "undo")
        assert dialogue.game.play.turn_tag == "1b"
    assert path.read_text().count("takeback") == 2
    assert replayed(path).turn_tag == "1b"


def test_words_of_the_setup_are_offered_during_the_setup(path: Path) -> None:
    with talking(path, agreed("tzaar", setup="placement")) as dialogue:
        assert "fill" in said(dialogue, "help")
        assert "fill" in candidates(dialogue.game.play, "fi", dialogue.screen.language)
        assert "fill" not in said(dialogue, "fill", "accept", "help")
        assert candidates(dialogue.game.play, "fi", dialogue.screen.language) == []


def test_moves_says_of_a_stack_what_it_cannot_do(path: Path) -> None:
    with talking(path, agreed("tzaar", setup="fixed")) as dialogue:
        for line in ("d3d4", "f1e2", "h1g1"):
            said(dialogue, line)
        play: Any = dialogue.game.play
        first = {str(action).partition("x")[0] for action in play.legal_actions()}
        idle = next(
            cell
            for cell, top in zip(POINT_NAMES, play.position.tops, strict=True)
            if top in "TYZ" and cell not in first
        )
        assert f"on {idle} can capture nothing" in said(dialogue, f"moves {idle}")
        theirs = next(
            cell for cell, top in zip(POINT_NAMES, play.position.tops, strict=True) if top in "tyz"
        )
        assert f"on {theirs} is the other side's" in said(dialogue, f"moves {theirs}")
        capturing = min(first)
        assert "capture nothing" not in said(dialogue, f"moves {capturing}")
        answer = said(dialogue, str(play.legal_actions()[0]), f"moves {idle}")
        assert "stack: " in answer


@pytest.mark.parametrize("game", ["arimaa", "tzaar", "corridor"])
@pytest.mark.parametrize("word", ["help", "insight"])
def test_the_board_stays_in_view_on_a_small_terminal(game: str, word: str, path: Path) -> None:
    with talking(path, agreed(game)) as dialogue:
        out = at_a_terminal(dialogue, width=80, height=24)
        rng = Random(game)
        for _ in range(5):
            for _ in range(40):
                if legal := dialogue.game.play.legal_actions():
                    line = dialogue.game.play.check([rng.choice(legal)])
                    dialogue.game.do(Act(line))
            if dialogue.game.play.outcome or dialogue.game.play.position.in_setup:
                continue
            board = str(dialogue.view.board(dialogue.game.play)).splitlines()
            before = len(out.getvalue())
            dialogue.do(word)
            shown_rows = out.getvalue()[before:].splitlines()[-23:]
            edges = (board[0], board[-1])
            assert all(any(row.startswith(edge) for row in shown_rows) for edge in edges)


@pytest.mark.parametrize("width", [40, 50, 56, 60, 70])
@pytest.mark.parametrize("game", ["arimaa", "tzaar", "corridor"])
def test_the_board_stays_in_view_on_a_narrow_terminal(game: str, width: int, path: Path) -> None:
    with talking(path, agreed(game)) as dialogue:
        out = at_a_terminal(dialogue, width=width, height=24)
        dialogue.do("board")
        shown_rows = out.getvalue().splitlines()[-22:]
        for row in str(dialogue.view.board(dialogue.game.play)).splitlines():
            assert any(shown_row.startswith(row.rstrip()) for shown_row in shown_rows)
        assert "enlarge" not in out.getvalue()


@pytest.mark.parametrize("width, height", [(30, 24), (60, 12)])
@pytest.mark.parametrize("game", ["tzaar", "corridor"])
def test_a_terminal_too_small_for_the_board_is_named(
    game: str, width: int, height: int, path: Path
) -> None:
    with talking(path, agreed(game)) as dialogue:
        out = at_a_terminal(dialogue, width=width, height=height)
        dialogue.do("board")
        said_last = " ".join(out.getvalue().split("the board needs")[1].split())
        assert re.fullmatch(
            rf"a terminal of \d+x\d+; yours has {width}x{height}: enlarge it", said_last
        )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["arimaa", "tzaar", "corridor"])
def test_every_language_fits_a_small_terminal(game: str, language: str, path: Path) -> None:
    with talking(path, agreed(game)) as dialogue:
        out = at_a_terminal(dialogue, width=80, height=24, language=language)
        for line in ("help", "help all", "insight", "moves", "board", "flip"):
            dialogue.do(line)
        rows = out.getvalue().splitlines()
        assert len(rows) > 60
        assert [row for row in rows if len(row.rstrip()) > 80] == []
        assert [row for row in rows if row.lstrip()[:2] in (": ", "; ", "! ", "? ", "— ")] == []
        # What a word does stands beside it, on as many lines as it takes.
        before = len(out.getvalue())
        dialogue.do("help all")
        rows = out.getvalue()[before:].splitlines()[1:]
        found = re.match(r"  \S.*?  +(?=\S)", rows[0])
        assert found
        column = found.end()
        for row in rows:
            assert row.startswith("  ") and (row[2] == " ") == (not row[:column].strip())
            assert row[column] != " ", row


def losing_action(play: Play) -> Action:
    return next(action for action in play.legal_actions() if play.position.warning(action))


def test_an_action_that_loses_at_once_is_asked_for_twice_at_a_terminal(path: Path) -> None:
    with talking(path, agreed("tzaar", THE_LAST_TZAAR)) as dialogue:
        said(dialogue, "d2xd3")
        losing = losing_action(dialogue.game.play)
        assert "lose at once" in said(dialogue, f"why {losing}")
        out = at_a_terminal(dialogue)
        dialogue.do(str(losing))
        assert "type it again" in out.getvalue()
        assert not dialogue.game.over
        dialogue.do("board")
        dialogue.do(str(losing))
        assert not dialogue.game.over  # something else came between
        dialogue.do(str(losing))
        assert dialogue.game.play.outcome == Outcome(1, Reason.EXTINCTION)


def test_an_empty_line_that_would_lose_at_once_is_asked_for_twice_too(path: Path) -> None:
    last_rabbit = "2g 8/7r/8/8/8/2R5/2C5/4E3"
    with talking(path, agreed("arimaa", last_rabbit)) as dialogue:
        said(dialogue, "Cc2w Cb2w Ee1n Ee2n")
        assert "no rabbit left: Silver would win" in said(dialogue, "why end")
        out = at_a_terminal(dialogue)
        dialogue.do("")
        assert "end: you would have no rabbit left" in out.getvalue()
        assert "type it again" in out.getvalue()
        assert dialogue.game.play.outcome is None
        dialogue.do("")
        assert dialogue.game.play.outcome == Outcome(1, Reason.ELIMINATION)


def test_four_people_play_at_one_keyboard(path: Path) -> None:
    with live(path, agreed("corridor/quoridor", players=4, size=3)) as game:
        dialogue = Dialogue(game, plain_screen())
        script = Script("b2", "resign", "resign", "resign")
        dialogue.run(script)
        assert script.prompts == ["1s> ", "1w> ", "1n> ", "1e> "]
        answer = shown(dialogue.screen)
    assert "1w: West has left (resignation)" in answer
    assert "South wins (resignation)" in answer
    assert replayed(path).outcome == Outcome(0, Reason.RESIGNATION)


def test_the_only_action_is_played_by_an_empty_line(path: Path) -> None:
    # Both steps of South are taken or walled off, and no wall is left.
    shut = "corridor 3 2 a1,a2 a1v 0,0 1"
    with talking(path, agreed("corridor", shut)) as dialogue:
        only = [str(action) for action in dialogue.game.play.legal_actions()]
        assert only == ["a3"]
        dialogue.view.show()
        assert "Enter plays a3: nothing else is legal" in shown(dialogue.screen)
        said(dialogue, "")
        assert dialogue.game.play.outcome == Outcome(0, Reason.GOAL)


def test_a_request_ends_with_the_time_of_who_is_to_move(path: Path, now: HandClock) -> None:
    with live(path, agreed("corridor/quoridor", players=4, clock="0/1"), now) as game:
        dialogue = Dialogue(game, plain_screen())
        dialogue.run(Script("offer draw", lambda: now.wait(61), "accept", "accept", "quit"))
        assert game.play.outcome is None
        assert game.play.position.playing == (1, 2, 3)
        assert "South: time is up" in shown(dialogue.screen)
        assert "nothing was asked for" in shown(dialogue.screen)


def test_an_only_action_that_needs_confirming_is_played_by_a_second_empty_line(path: Path) -> None:
    last = "corridor 3 2 a1,c2 a1h,a1v,a2h,a2v,a3v,b1h,b1v,b2h,b2v,b3v,c2h 1,0 1"
    with talking(path, agreed("corridor", last)) as dialogue:
        at_a_terminal(dialogue)
        dialogue.do("")
        assert dialogue.game.play.outcome is None
        dialogue.do("")
        assert dialogue.game.play.outcome == Outcome(None, Reason.TRAPPED)


def test_only_what_can_be_typed_is_offered(path: Path) -> None:
    with talking(path, agreed("corridor/quoridor")) as dialogue:
        assert candidates(dialogue.game.play, "2", dialogue.screen.language) == []
        found = candidates(dialogue.game.play, "e2", dialogue.screen.language)
        assert found == ["e2", "e2h", "e2v"]
    with talking(path.with_name("tzaar.txt"), agreed("tzaar", setup="placement")) as dialogue:
        assert candidates(dialogue.game.play, "c3", dialogue.screen.language) == []
        assert candidates(dialogue.game.play, "zc3", dialogue.screen.language) == ["Zc3"]
