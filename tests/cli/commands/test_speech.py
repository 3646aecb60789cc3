import pytest

from trine.cli.commands.speech import LANGUAGE, say, wished_language
from trine.core.errors import IllegalError
from trine.core.text.sentence import text


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--lang", "hu"], "hu"),
        (["play", "arimaa", "--lang=fr"], "fr"),
        (["--lang", "xx"], "en"),
        (["--lang="], "en"),
        (["--lang", "ru", "--lang", "fr"], "ru"),
    ],
)
def test_the_language_is_looked_for_before_the_command_line_is_read(
    arguments: list[str], code: str
) -> None:
    assert wished_language(arguments) == code


@pytest.mark.parametrize("arguments", [[], ["play"], ["--lang"], ["play", "--language", "fr"]])
def test_else_the_environment_decides(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "hu_HU.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)
    assert wished_language(arguments) == "hu"


def test_texts_and_errors_are_said_in_that_language() -> None:
    assert say(text("{given}", given="2g")) == LANGUAGE.say(text("{given}", given="2g")) == "2g"
    assert say(IllegalError(text("{given}", given="no")).at("game.txt", 3)) == "game.txt:3: no"
