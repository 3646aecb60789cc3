#!/usr/bin/env python
"""Write ``docs/reference/``, the pages that follow from the code.

``.venv/bin/python scripts/reference.py`` writes them anew; ``--check`` only says whether they are
current.
"""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields
from importlib import import_module
from pathlib import Path
from typing import Any, Final, get_args

import click
import msgspec
from msgspec import inspect as shapes

FOLDER: Final = Path(__file__).parents[1] / "docs/reference"
os.environ["LANGUAGE"] = "en"


def table(heads: str, rows: Iterator[tuple[object, ...]]) -> list[str]:
    """A table of Markdown; ``heads`` are parted by bars."""
    lines = [" ".join(str(cell).replace("|", "\\|").split()) for row in rows for cell in row]
    width = len(heads.split("|"))
    cells = [lines[at : at + width] for at in range(0, len(lines), width)]
    return [
        f"| {' | '.join(one.strip() for one in heads.split('|'))} |",
        "|" + "---|" * width,
        *(f"| {' | '.join(row)} |" for row in cells),
        "",
    ]


def source_of(thing: Any) -> ast.stmt:
    (found,) = ast.parse(textwrap.dedent(inspect.getsource(thing))).body
    return found


def fields_told(cls: type) -> Mapping[str, str]:
    """The sentences below the fields of a class, by field."""
    body = source_of(cls)
    assert isinstance(body, ast.ClassDef)
    told = {}
    for field, below in zip(body.body, body.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                told[name] = inspect.cleandoc(words)
    return told


def code(words: object) -> str:
    return f"`{words}`" if str(words) else ""


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
    told = fields_told(cls)
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
                for clause in room.book.clauses
            ),
        )


def formats() -> Iterator[str]:
    from trine.games import ROOMS, open_room

    yield from table(
        "format | game | what it is",
        (
            (code(called), name, one.title)
            for name in ROOMS
            for called, one in open_room(name).rules.formats.items()
        ),
    )


# --- the engine ----------------------------------------------------------------------------------


def search() -> Iterator[str]:
    from trine.engine.search.constants import CONSTANTS, SearchConstants
    from trine.games import ROOMS, open_heuristics

    told = fields_told(SearchConstants)
    games = {game: open_heuristics(game) for game in ROOMS}
    yield from (
        "Constants of the search. They stand behind a level: `bot:5?margin=80`. Where a game has",
        "one of its own, that is told.",
        "",
    )
    yield from table(
        f"name | usual | {' | '.join(games)} | least | most | what it is",
        (
            (
                code(name),
                "–" if constant.usual is None else constant.usual,
                *(_own(one, name) for one in games.values()),
                constant.least,
                constant.most,
                told[name],
            )
            for name, constant in CONSTANTS.items()
        ),
    )


def _own(heuristics: Any, name: str) -> object:
    if name == "margin":
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


# --- the house -----------------------------------------------------------------------------------


def http_api() -> Iterator[str]:
    """The operations, and the types that they send."""
    from trine.house.api.api_description import ROOT, describe
    from trine.house.api.api_routes import OPERATIONS
    from trine.house.api.programs import SCOPES

    lines = ["| request | scope | sends | answers | |", "|---|---|---|---|---|"]
    for one in OPERATIONS:
        scope = f"`{one.scope}`" if one.scope else ""
        lines.append(
            f"| `{one.method} {ROOT}{one.path}` | {scope} | {_type_told(one.takes)} "
            f"| {_type_told(one.gives)} | {one.told} |"
        )
    for one in OPERATIONS:
        if one.asks:
            lines += ["", f"| `{one.method} {ROOT}{one.path}?…` | |", "|---|---|"]
            lines += [f"| `{name}` | {said} |" for name, said in one.asks.items()]
    lines += ["", "| scope | allows a program to |", "|---|---|"]
    lines += [f"| `{scope}` | {told} |" for scope, told in SCOPES.items()]
    components = describe(OPERATIONS)["components"]["schemas"]
    for name, schema in components.items():
        lines += ["", f"### {name}", ""]
        if told := schema.get("description"):
            lines += [" ".join(inspect.cleandoc(told).split()), ""]
        lines += ["| field | type | |", "|---|---|---|"]
        needed = schema.get("required", ())
        for named, kind in schema.get("properties", {}).items():
            notes = [kind.get("description", "")]
            if named not in needed:
                notes.append(f"If left out: `{json.dumps(kind.get('default'))}`.")
            lines.append(f"| `{named}` | {_schema_told(kind)} | {' '.join(filter(None, notes))} |")
    yield from (*lines, "")


def _type_told(kind: Any) -> str:
    if kind is None:
        return ""
    from trine.house.api.api_description import REF

    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return _schema_told(schema)


def _schema_told(schema: Any) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_schema_told(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_schema_told(schema['items'])}" if "items" in schema else "list"
    if schema.get("type") == "object":
        return f"{_schema_told(schema.get('additionalProperties', {}))} by name"
    limits = [
        f"{word} {schema[key]}"
        for key, word in (
            ("minimum", "from"),
            ("maximum", "to"),
            ("maxLength", "at most"),
        )
        if key in schema
    ]
    return " ".join([str(schema.get("type", "anything")), *limits])


def messages() -> Iterator[str]:
    sys.path.insert(0, str(Path(__file__).parent))
    types = import_module("page_types")
    yield from (
        "The messages of the house's pages, as JSON. They serve its own pages and may change with",
        "them; programs use the [HTTP API](api.md). A field without a usual value is always there.",
        "",
    )
    for name, union in types.UNIONS.items():
        yield from (f"## {name}", "")
        for cls in get_args(union) or [union]:
            shape = shapes.type_info(cls)
            tag = getattr(shape, "tag", None)
            yield from (f"### {cls.__name__}" + (f" (`{tag}`)" if tag else ""), "")
            yield from (" ".join((inspect.getdoc(cls) or "").split("\n\n")[0].split()), "")
            told = fields_told(cls)
            fields = types.fields_of(cls)
            if fields:
                yield from table(
                    "field | usual | what it is",
                    (
                        (code(one.encode_name), _usual(one), told.get(one.name, ""))
                        for one in fields
                    ),
                )


def _usual(field: shapes.Field) -> str:
    return (
        ""
        if field.required
        else code(repr(field.default))
        if isinstance(field.default, str | int | float | bool | tuple)
        else "empty"
    )


def tables() -> Iterator[str]:
    from trine.house.tables import SCHEMA

    found = dict(_tables_told())
    named = sorted(SCHEMA.metadata.tables.values(), key=lambda one: one.name)
    yield from (
        "The tables of a house, by name. They belong to its code: a program that reads them must",
        "expect them to change with the version. Moments are seconds since 1970.",
        "",
    )
    yield from table(
        "table | what a row is",
        ((f"[{one.name}](#{one.name})", found[one.name][0]) for one in named),
    )
    for one in named:
        words, columns = found[one.name]
        yield from (f"## {one.name}", "", words, "")
        yield from table(
            "column | type | key | what it is",
            (
                (
                    *(code(c.name), f"{c.type}{'' if c.nullable else ', set'}", _key(c)),
                    columns.get(c.name, ""),
                )
                for c in one.columns
            ),
        )


def _tables_told() -> Iterator[tuple[str, tuple[str, Mapping[str, str]]]]:
    """The sentence on each table, or on its class, and those on its columns."""
    house = Path(import_module("trine.house").__path__[0])
    for path in house.rglob("*.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for one, below in zip(body, [*body[1:], ast.Pass()], strict=True):
            match one:
                case ast.AnnAssign(
                    value=ast.Call(
                        func=ast.Name(id="Table" | "table_of"),
                        args=[ast.Constant(value=str(name)), about, *_],
                    )
                ):
                    words, columns = "", dict[str, str]()
                    module = ".".join(
                        ("trine.house", *path.relative_to(house).with_suffix("").parts)
                    )
                    if isinstance(row := getattr(import_module(module), ast.unparse(about)), type):
                        words, columns = inspect.getdoc(row) or "", dict(fields_told(row))
                    match below:
                        case ast.Expr(value=ast.Constant(value=str(said))):
                            words = f"{words} {said}"
                    yield name, (" ".join(words.split()), columns)


def _key(column: Any) -> str:
    keys = ["primary"] if column.primary_key else []
    return ", ".join(
        [
            *keys,
            *(
                f"[{key.column.table.name}](#{key.column.table.name})"
                for key in column.foreign_keys
            ),
        ]
    )


def settings() -> Iterator[str]:
    from trine.house.server import SETTINGS

    yield from (
        "Sections of the file `house.toml` in the folder of a house; a setting that has a usual",
        "value may be left out. A variable in the environment counts before the file:",
        "`TRINE_MAIL_PASSWORD` is `password` in `[mail]`, and several words stand in one variable",
        "with spaces between them. `trine house settings` shows what holds, and whence it is. The",
        "options of [`trine serve`](commands.md#trine-serve) stand beside them.",
        "",
    )
    for section, cls in SETTINGS.items():
        told = fields_told(cls)
        yield from (f"## [{section}]", "", (inspect.getdoc(cls) or "").replace("\n\n", " "), "")
        yield from table(
            "setting | usual | what it is",
            (
                (
                    code(field.name),
                    "needed" if field.default is MISSING else code(repr(field.default)),
                    told.get(field.name, ""),
                )
                for field in fields(cls)
            ),
        )


PAGES: Final[Mapping[str, tuple[str, Callable[[], Iterator[str]]]]] = {
    "commands.md": ("Commands and options", commands),
    "python.md": ("The package in Python", python),
    "rules.md": ("Rule sets", rule_sets),
    "formats.md": ("Formats of records", formats),
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
