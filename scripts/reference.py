#!/usr/bin/env python
"""Write ``docs/reference/``, the pages that follow from the code.

``.venv/bin/python scripts/reference.py`` writes them anew; ``--check`` only says whether they are
current.
"""

import ast
import inspect
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import click
from reference_house import (
    code,
    field_docs,
    http_api,
    messages,
    settings,
    source_of,
    table,
    tables,
)

FOLDER: Final = Path(__file__).parents[1] / "docs/reference"
os.environ["LANGUAGE"] = "en"


# --- commands ------------------------------------------------------------------------------------


def commands() -> Iterator[str]:
    from trine.cli.commands import COMMANDS, command_line

    context = click.Context(command_line, info_name="trine")
    yield from table(
        "command | what it does",
        (
            (f"[`trine {name}`](#trine-{name})", found.get_short_help_str(1000))
            for name in COMMANDS
            if (found := command_line.get_command(context, name))
        ),
    )
    for name in COMMANDS:
        found = command_line.get_command(context, name)
        assert found is not None
        yield from _command(f"trine {name}", found)


def _command(name: str, command: click.Command) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    yield from (f"## {name}", "", command.help or command.get_short_help_str(1000), "")
    yield from ("```text", command.get_usage(context).removeprefix("Usage: "), "```", "")
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    if options:
        yield from table("option | what it does", (_option(one, context) for one in options))
    if isinstance(command, click.Group):
        for sub in command.list_commands(context):
            found = command.get_command(context, sub)
            assert found is not None
            yield from _command(f"{name} {sub}", found)


def _option(option: click.Option, context: click.Context) -> tuple[str, str]:
    shown, told = option.get_help_record(context) or ("", "")
    return code(shown), told


# --- Python --------------------------------------------------------------------------------------


def python() -> Iterator[str]:
    import trine

    yield "The public names of the package `trine`. It is typed; other modules may change."
    yield from ("", *_docstring(trine))
    named = {name: inspect.unwrap(getattr(trine, name)) for name in trine.__all__}
    # A class that is called like a function has no place of its own to lead to.
    linked = (one for one in named if one.lower() == one or one.lower() not in named)
    linked = (one for one in linked if callable(named[one]))
    yield from (" · ".join(f"[`{name}`](#{name.lower()})" for name in linked), "")
    for title, kind in (("Functions", inspect.isfunction), ("Classes", inspect.isclass)):
        yield from (f"## {title}", "")
        for name, thing in named.items():
            if kind(thing):
                yield from (f"### {name}", "", *_name(thing))


def _name(thing: Any) -> Iterator[str]:
    source = source_of(thing)
    if isinstance(source, ast.FunctionDef):
        shown = textwrap.wrap(_signature(source), 78, subsequent_indent="    ")
        yield from ("```text", *shown, "```", "", *_docstring(thing))
        return
    assert isinstance(source, ast.ClassDef)
    yield from _docstring(thing)
    bases = [code(one.__name__) for one in thing.__bases__ if one is not object]
    if bases:
        yield from (f"A subclass of {', '.join(bases)}.", "")
    rows = list(_members(thing, source))
    if rows:
        yield from table("member | what it is", iter(rows))


def _members(cls: type, source: ast.ClassDef) -> Iterator[tuple[str, str]]:
    told = field_docs(cls)
    for one in source.body:
        match one:
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                yield code(f"{name}: {ast.unparse(one.annotation)}"), told.get(name, "")
            case ast.Assign(targets=[ast.Name(id=name)]) if not name.startswith("_"):
                yield code(f"{name} = {ast.unparse(one.value)}"), ""
            case ast.FunctionDef(name="__init__"):
                types = {arg.arg: arg.annotation for arg in one.args.args}
                for line in one.body:
                    match line:
                        case ast.Assign(
                            targets=[ast.Attribute(attr=name)], value=ast.Name(id=given)
                        ) if shown := types.get(given):
                            yield code(f"{name}: {ast.unparse(shown)}"), ""
                        case ast.AnnAssign(target=ast.Attribute(attr=name), annotation=shown):
                            if not name.startswith("_"):
                                yield code(f"{name}: {ast.unparse(shown)}"), ""
            case ast.FunctionDef() if not one.name.startswith("_"):
                words = (ast.get_docstring(one) or "").split("\n\n")[0]
                returns = ast.unparse(one.returns) if one.returns else "None"
                decorators = " ".join(map(ast.unparse, one.decorator_list))
                if ".setter" in decorators:
                    continue
                is_property = "property" in decorators
                yield code(f"{one.name}: {returns}" if is_property else _signature(one)), words


def _signature(source: ast.FunctionDef) -> str:
    words = f"{source.name}({ast.unparse(source.args)})".replace("(self, ", "(").replace(
        "(self)", "()"
    )
    return f"{words} -> {ast.unparse(source.returns)}" if source.returns else words


def _docstring(thing: Any) -> Iterator[str]:
    for part in (inspect.getdoc(thing) or "").split("\n\n"):
        if part.startswith(">>>"):
            yield from ("```pycon", part, "```")
        elif part.startswith("Raises:"):
            yield from (
                "Raises:",
                "",
                *re.sub(r"^    (?! )", "- ", part, flags=re.M).splitlines()[1:],
            )
        else:
            yield from map(str.strip, part.splitlines())
        yield ""


# --- games ---------------------------------------------------------------------------------------


def rule_sets() -> Iterator[str]:
    from trine.games import ROOMS, open_room

    for name in ROOMS:
        room = open_room(name)
        yield from (f"## {room.title}", "")
        yield from table(
            "rule set | how it differs | source",
            ((code(one.name), one.differs, one.source) for one in room.rule_sets.values()),
        )
        yield from table(
            "option of a start | values | what it is",
            (
                (
                    f"`--{option.tag.lower()}`",
                    ", ".join(
                        dict.fromkeys(
                            f"`{value}`"
                            for rules in room.rule_sets
                            for value, _ in option.choices(rules) or ()
                            if value
                        )
                    )
                    or code(option.metavar),
                    option.help,
                )
                for option in room.rules.options
            ),
        )
        yield from (f"### The rules of {room.title}", "")
        yield from table(
            "rule | in | source",
            (
                (clause.words, ", ".join(map(code, clause.only)) or "all", clause.source)
                for clause in room.handbook.clauses
            ),
        )


# --- the engine ----------------------------------------------------------------------------------


def search() -> Iterator[str]:
    from trine.engine.search.kernel.constants import CONSTANTS, SearchConstants
    from trine.games import ROOMS, open_heuristics

    told = field_docs(SearchConstants)
    games = {game: open_heuristics(game) for game in ROOMS}
    yield from (
        "Constants of the search, written after a level: `bot:5?futility_margin=80`. The",
        "column of a game has the values that it sets.",
        "",
    )
    yield from table(
        f"name | default | {' | '.join(games)} | min | max | what it is",
        (
            (
                code(name),
                "–" if constant.default is None else constant.default,
                *(_own(one, name) for one in games.values()),
                constant.min,
                constant.max,
                told[name],
            )
            for name, constant in CONSTANTS.items()
        ),
    )


def _own(heuristics: Any, name: str) -> object:
    if name == "futility_margin":
        return heuristics.futility_margin
    return heuristics.search_constants.get(name, "")


def evaluation() -> Iterator[str]:
    from trine.games import ROOMS, open_heuristics, open_room

    yield from (
        "The terms of each evaluation and their weights, in points; 400 points stand for odds of",
        "ten to one. How they are fitted is told in [learning](../guides/learning.md).",
        "",
    )
    for game in ROOMS:
        yield from (f"## {open_room(game).title}", "")
        yield from table(
            "term | weight | what is counted",
            ((code(one.name), one.weight, one.text) for one in open_heuristics(game).terms),
        )


PAGES: Final[Mapping[str, tuple[str, Callable[[], Iterator[str]]]]] = {
    "commands.md": ("Commands and options", commands),
    "python.md": ("The package in Python", python),
    "rules.md": ("Rule sets", rule_sets),
    "search.md": ("Constants of the search", search),
    "evaluation.md": ("Terms of the evaluation", evaluation),
    "api.md": ("HTTP API", http_api),
    "messages.md": ("Messages of the pages", messages),
    "settings.md": ("Settings of a house", settings),
    "tables.md": ("Tables of a house", tables),
}


def main() -> int:
    stale = []
    for name, (title, lines) in PAGES.items():
        head = [f"# {title}", "", "Made from the code by `scripts/reference.py`.", ""]
        written = "\n".join([*head, *lines()]).rstrip("\n").replace(str(Path.home()), "~") + "\n"
        path = FOLDER / name
        if path.exists() and path.read_text(encoding="utf-8") == written:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(written, encoding="utf-8")
    if "--check" in sys.argv and stale:
        print("not current:", *stale, "(run scripts/reference.py)")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
