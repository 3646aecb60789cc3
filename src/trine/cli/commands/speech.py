"""The language of this run (``--lang`` or the environment's), and translated commands of click."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from inspect import ismodule
from typing import Any, Final, TypeVar

import click
from click import types

from trine.core.contract.record import Record
from trine.core.errors import Place, TrineError
from trine.core.text.language import LANGUAGES, Language, language_of, open_language
from trine.core.text.sentence import Text, ctexts, ntext, text

_MODULES: Final = tuple(filter(ismodule, vars(click).values()))
_SENTENCES: Final = (
    # help
    text("Usage:"),
    text("Options"),
    text("Positional arguments"),
    text("Commands"),
    text("Show this message and exit."),
    text("Show the version and exit."),
    text("default: {default}"),
    text("required"),
    # errors in a command line
    text("Error: {message}"),
    text("Try '{command} {option}' for help."),
    text("Missing command."),
    text("Missing argument"),
    text("Missing option"),
    text("Missing parameter"),
    text("Missing parameter: {param_name}"),
    text("Missing {param_type}"),
    text("Choose from:\n\t{choices}"),
    text("No such command {name!r}."),
    text("No such option {name!r}."),
    text("Option {name!r} does not take a value."),
    text("Argument {name!r} takes {nargs} values."),
    text("Invalid value: {message}"),
    text("Invalid value for {param_hint}: {message}"),
    text("{value} is not in the range {range}."),
    text("{value!r} is not a valid {number_type}."),
    text("{value!r} is not a valid boolean. Recognized values: {states}"),
    text("file"),
    text("directory"),
    text("path"),
    text("{name} {filename!r} does not exist."),
    text("{name} {filename!r} is a file."),
    text("{name} {filename!r} is a directory."),
    text("{name} {filename!r} is not readable."),
    text("{name} {filename!r} is not writable."),
    text("Could not open file {filename!r}: {message}"),
    text("unknown error"),
    # questions
    text("Error: invalid input"),
    text("Aborted!"),
    ntext("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)", 0),
    ntext("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})", 0),
    ntext(
        "Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments.", 0
    ),
    ntext("Takes {nargs} values but 1 was given.", "Takes {nargs} values but {len} were given.", 0),
    ntext("{value!r} is not {choice}.", "{value!r} is not one of {choices}.", 0),
)
SENTENCES: Final = {sentence.template: sentence for sentence in _SENTENCES}
"""The messages of click that our commands can show, by their English text."""

PLACEHOLDERS: Final = {
    one.template: one
    for one in ctexts(
        "placeholder",
        "ADDRESS CMD COMMAND DIR FILE FORMAT FROM GAME GAMES HOST MB NAME NUMBER NUMBERS OUT "
        "PIECES PLAYER PORT POSITION RANGE RULES SECONDS SETUP SOURCE STRATEGIST TARGET TEXT "
        "THEME TIME TO TURN WINS WORD WORDS YEAR",
    )
}
"""The words in capitals that are placeholders in usage lines and help texts."""

_NAMES: Final = (
    (types.IntParamType, text("integer")),
    (types.FloatParamType, text("number")),
    (types.IntRange, text("integer")),
    (types.FloatRange, text("number")),
    (types.StringParamType, text("text")),
)
"""The names of parameter types, in help and errors."""


def speak(language: Language) -> None:
    """Make click use a language from now on; existing strings are not changed.

    Click has no hook for translations: its modules import gettext's functions by name, and gettext
    reads compiled catalogues in the language of the environment. Ours are ``.po`` files, and
    ``--lang`` selects the language, so these functions are replaced. A message that is not in
    `SENTENCES` stays in English.
    """

    def say(message: str) -> str:
        sentence = SENTENCES.get(message)
        return language.template(sentence) if sentence else message

    def say_counted(singular: str, plural: str, count: int) -> str:
        sentence = SENTENCES.get(singular, Text(singular, plural=plural))
        return language.template(Text(sentence.template, {"count": count}, plural=sentence.plural))

    for module in _MODULES:
        for name, function in (("_", say), ("ngettext", say_counted)):
            if hasattr(module, name):
                setattr(module, name, function)
    for kind, name_text in _NAMES:
        kind.name = language.say(name_text)


_PLACEHOLDER: Final = re.compile(r"\b[A-Z]{2,}\b")


def options_named(command: click.Command, language: Language) -> None:
    """Translate the placeholders in the help texts of a command."""

    def translated(help_text: str) -> str:
        return _PLACEHOLDER.sub(
            lambda word: language.say(PLACEHOLDERS.get(word[0], word[0])), help_text
        )

    command.help = translated(command.help or "")
    for each in command.params:
        if each.metavar:
            each.metavar = translated(each.metavar)
        if isinstance(each, click.Option) and each.help:
            each.help = translated(each.help)
    if command.options_metavar == "[OPTIONS]":
        command.options_metavar = language.say(text("[OPTIONS]"))
    if isinstance(command, click.Group) and command.subcommand_metavar == "COMMAND [ARGS]...":
        command.subcommand_metavar = language.say(text("COMMAND [ARGS]..."))


Command = TypeVar("Command", bound=Callable[..., object])
Made = TypeVar("Made", bound=click.Command)


def wished_language(arguments: Sequence[str]) -> str:
    """Return the language code of a run.

    Found before the command line is parsed, because help and errors depend on it.

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
    """Return the value of an option on a command line; empty if it is missing."""
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


def tell_remarks(record: Record, *, err: bool = False) -> None:
    for remark in record.remarks:
        click.echo(f"{Place(record.file, record.line)}: {say(remark)}", err=err)


def option(*names: str, meaning: Text, **settings: Any) -> Callable[[Command], Command]:
    """Return a decorator that adds an option, with its ``meaning`` as the help text."""
    return click.option(*names, help=say(meaning), **settings)


def options(*several: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return a decorator that adds several options, in the order of the help."""

    def decorate(decorated: Command) -> Command:
        for add in reversed(several):
            decorated = add(decorated)
        return decorated

    return decorate


class _Command(click.Command):
    """A command that proposes options for a value without one: ``--depth 2`` for ``2``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            for value in self.make_parser(ctx).parse_args(words)[1][:1]:
                takers = [each for each in self.params if _accepts(each, value)]
                if named := ", ".join(f"{each.opts[0]} {value}" for each in takers):
                    meant = {"message": error.message, "word": named}
                    ctx.fail(say(text("{message}; did you mean {word}?", **meant)))
            raise


def _accepts(parameter: click.Parameter, value: str) -> bool:
    """Return whether a value is valid for a parameter; False unless it is a number or a choice."""
    kinds = (types.IntParamType, types.FloatParamType, types.Choice)
    with suppress(click.UsageError):
        return isinstance(parameter.type, kinds) and parameter.type(value) is not None
    return False


def command(
    name: str, meaning: Text, of: click.Group | None = None
) -> Callable[[Callable[..., object]], click.Command]:
    """Return a decorator that makes a command with ``--lang``, optionally ``of`` a group."""

    def decorate(function: Callable[..., object]) -> click.Command:
        created = with_language(click.command(name, _Command, help=say(meaning))(function))
        if of:
            of.add_command(created)
        return created

    return decorate


def group(name: str, meaning: Text) -> Callable[[Callable[..., object]], click.Group]:
    """Return a decorator that makes a group of commands, with ``--lang``."""
    return lambda function: with_language(click.group(name, help=say(meaning))(function))


def with_language(command: Made) -> Made:
    """Add ``--lang`` to a command, translate its help, and return the command.

    `wished_language` has already read the value of ``--lang``.
    """
    languages, meaning = click.Choice(list(LANGUAGES)), say(text("Language of the interface."))
    command.params.append(
        click.Option(["--lang"], type=languages, expose_value=False, help=meaning)
    )
    options_named(command, LANGUAGE)
    return command


def tell(sentence: Text | TrineError, *, err: bool = False) -> None:
    """Print a sentence as a line, in the language of this run."""
    click.echo(say(sentence), err=err)


def usage_error(error: TrineError | Text) -> click.UsageError:
    return click.UsageError(say(error))


@contextmanager
def usage_errors() -> Iterator[None]:
    """Within the block, convert each `TrineError` to a `click.UsageError`."""
    try:
        yield
    except TrineError as error:
        raise usage_error(error) from None
