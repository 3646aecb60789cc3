"""The language of this run of the command line: ``--lang``, or what the environment asks for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from trine.cli.commands.click_words import speak
from trine.core.errors import TrineError
from trine.core.text.language import LANGUAGES, Language, language_of, open_language
from trine.core.text.sentence import Text, text

Command = TypeVar("Command", bound=Callable[..., object])


def wished_language(arguments: Sequence[str]) -> str:
    """Return the code of the language of a run.

    It is found before the command line is parsed, since help and errors depend on it.

    >>> wished_language(["play", "--lang", "hu"])
    'hu'
    >>> wished_language(["play", "--document", "fr-arimaa"])
    'fr'
    """
    if code := _value(arguments, "--lang"):
        return code if code in LANGUAGES else "en"
    code = _value(arguments, "--document").partition("-")[0]
    return code if code in LANGUAGES else language_of()


def _value(arguments: Sequence[str], option: str) -> str:
    """Return the value of an option on a command line; empty if it is not there."""
    for argument, following in zip(arguments, (*arguments, "")[1:], strict=True):
        if argument == option:
            return following
        if argument.startswith(f"{option}="):
            return argument.removeprefix(f"{option}=")
    return ""


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
