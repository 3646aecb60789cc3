"""The words of click go through our catalogues, and mistyped words are put right."""

import ast
import gettext
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from playing import run_trine
from trine.cli.commands import command_line
from trine.cli.commands.speech import _MODULES, SENTENCES, speak
from trine.core.text.language import Language, open_language
from trine.core.text.sentence import Text

FOR_PROGRAMMERS = (
    "Could not determine name",
    "No options defined",
    "Arguments take exactly one",
    "Name '{name}' defined twice",
    "Boolean option",
    "Value must be an iterable",
    "DeprecationWarning",
    "deprecated",
    "Invalid start character",
    "Unknown color",
    "Unknown standard stream",
)
"""Sentences that only a wrong program makes click say."""
NOT_USED = (
    "env var",
    "(dynamic)",
    "Do you want to continue?",
    "Confirm the action",
    "%(prog)s",
    "Press any key",
    "Repeat for confirmation",
    "Error: The two entered",
    "Choice(",
    "{value!r} does not match the format",
    "{value!r} is not a valid UUID",
    "{len_type} values are required",
    "{name} {filename!r} is not executable",
)
"""Sentences about things that no command of ours has."""


def marked(module: str) -> Iterator[str]:
    """The sentences that a module of click marks for translation."""
    for node in ast.walk(ast.parse(Path(module).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            first = node.args[0] if node.args else None
            if node.func.id in ("_", "ngettext") and isinstance(first, ast.Constant):
                yield str(first.value)


def test_each_sentence_of_click_that_a_user_can_meet_is_in_our_catalogues() -> None:
    sentences = [line for module in _MODULES for line in marked(str(module.__file__))]
    assert len(sentences) > 40
    for sentence in sentences:
        if not sentence.startswith((*FOR_PROGRAMMERS, *NOT_USED)):
            assert sentence in SENTENCES


class Marking(Language):
    """A language that marks what has gone through its catalogue."""

    def template(self, sentence: Text) -> str:
        return f"§{super().template(sentence)}"


@pytest.fixture
def marking() -> Iterator[None]:
    speak(Marking("xx", gettext.NullTranslations()))
    yield
    speak(open_language("en"))


@pytest.mark.usefixtures("marking")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check"], "§Usage: "),
        (["check"], "§Error: §Missing argument 'FILE...'"),
        (["check", "--zzz"], "§No such option '--zzz'."),
        (["show", "--game"], "§Option '--game' requires an argument."),
        (["show", "--game", "x"], "§'x' is not a valid §integer."),
        (["perft", "--help"], "§Options:"),
        (["play", "a", "b", "c"], "§Got unexpected extra arguments (b c)"),
    ],
)
def test_what_click_says_goes_through_the_catalogue(arguments: list[str], told: str) -> None:
    assert told in CliRunner().invoke(command_line, arguments).output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["pley"], "did you mean play?"),
        (["play", "arima"], "did you mean arimaa?"),
        (["play", "arimaa/diagnal"], "did you mean diagonal?"),
        (["play", "arimaa", "--rules", "clasic"], "Did you mean 'classic'?"),
        (["play", "arimaa", "--clok", "5"], "'--clock'"),
    ],
)
def test_a_mistyped_word_is_put_right(arguments: list[str], told: str, tmp_path: Path) -> None:
    done = run_trine(tmp_path, *arguments, status=2)
    assert told in done.stderr


def test_no_command_comes_near_to_nonsense(tmp_path: Path) -> None:
    done = run_trine(tmp_path, "qqqqqq", status=2)
    assert "no command 'qqqqqq'; there are play, serve, site, house, bot, lessons, " in done.stderr
    assert "did you mean" not in done.stderr
