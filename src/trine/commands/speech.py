"""The language of this run of the command line: ``--lang``, or what the environment asks for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from trine.commands.click_words import speak
from trine.core.errors import TrineError
from trine.core.language import LANGUAGES, Language, language_of, open_language
from trine.core.text import Text, text

Command = TypeVar("Command", bound=Callable[..., object])


def wished_language(arguments: Sequence[str]) -> str:
    """Return the code of the language of a run.

    It is found before the command line is parsed, since help and errors depend on it.

    >>> wished_language(["play", "--lang", "hu"])
    'hu'
    """
    for index, argument in enumerate(arguments):
        if argument == "--lang" and index + 1 < len(arguments):
            code = arguments[index + 1]
        elif argument.startswith("--lang="):
            code = argument.removeprefix("--lang=")
        else:
            continue
        return code if code in LANGUAGES else "en"
    return language_of()


LANGUAGE: Language = open_language(wished_language(sys.argv[1:]))
speak(LANGUAGE)


def say(sentence: Text | TrineError) -> str:
    """Return a sentence in the language of this run."""
    return LANGUAGE.say(sentence)


def lang_option(command: Command) -> Command:
    """Add the option ``--lang``; its value has been looked up already."""
    return click.option(
        "--lang",
        type=click.Choice(list(LANGUAGES)),
        expose_value=False,
        help=say(text("Language of the interface.")),
    )(command)


def usage_error(error: TrineError) -> click.UsageError:
    """Return an error as one of the command line."""
    return click.UsageError(say(error))
