"""The completions that a person is offered while typing."""

from pathlib import Path

from cli.terminal.conversations import said, talking
from playing import HANDICAP, terms
from trine.cli.terminal.vocabulary import candidates


def test_completion_offers_the_legal_actions_only(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        legal = {str(action) for action in dialogue.game.play.legal_actions()}
        assert {
            word
            for word in candidates(dialogue.game.play, "", dialogue.screen.language)
            if len(word) == 4 and word[2].isdigit()
        } == legal
        found = candidates(dialogue.game.play, "Ed", dialogue.screen.language)
        assert found == ["Ed4n", "Ed4e", "Ed4s", "Ed4w"]
        assert candidates(dialogue.game.play, "ra", dialogue.screen.language) == ["Ra2n", "Ra2e"]
        assert candidates(dialogue.game.play, "a2", dialogue.screen.language) == ["a2n", "a2e"]
        assert candidates(dialogue.game.play, "xyz", dialogue.screen.language) == []


def test_completion_knows_what_was_typed_before(path: Path) -> None:
    with talking(path, terms()) as dialogue:
        found = candidates(dialogue.game.play, "d4n E", dialogue.screen.language)
        assert found == ["Ed5n", "Ed5s", "end"]
        offered = set(candidates(dialogue.game.play, "d4n d5n d6n ", dialogue.screen.language))
        assert "end" in offered
        assert "undo" not in offered
        assert candidates(dialogue.game.play, "a2s ", dialogue.screen.language) == []
        assert candidates(dialogue.game.play, "d4n d5n d6n a2n ", dialogue.screen.language) == [
            "end"
        ]


def test_completion_offers_commands_at_the_beginning(path: Path) -> None:
    with talking(path, terms(start="", handicap=HANDICAP)) as dialogue:
        assert {"undo", "quit", "help", "setup", "save"} <= set(
            candidates(dialogue.game.play, "", dialogue.screen.language)
        )
        assert candidates(dialogue.game.play, "se", dialogue.screen.language) == ["setup"]
        assert "Ea1" in candidates(dialogue.game.play, "E", dialogue.screen.language)
        said(dialogue, "resign")
        assert candidates(dialogue.game.play, "", dialogue.screen.language) == []
