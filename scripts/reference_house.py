"""The pages of ``docs/reference/`` about the house, and what all pages are written with."""

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import inspect as shapes


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


def field_docs(cls: type) -> Mapping[str, str]:
    """The sentences below the fields of a class, or the comments beside them, by field."""
    body = source_of(cls)
    assert isinstance(body, ast.ClassDef)
    lines = textwrap.dedent(inspect.getsource(cls)).encode().splitlines()
    found = {}
    for field, below in zip_longest(body.body, body.body[1:]):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(words))),
            ):
                found[name] = inspect.cleandoc(words)
            case ast.AnnAssign(target=ast.Name(id=name), end_lineno=int(line)), _:
                words = lines[line - 1][field.end_col_offset :].decode().strip(" #")
                if words:
                    found[name] = f"{words[0].upper()}{words[1:]}."
    return found


def code(words: object) -> str:
    return f"`{words}`" if str(words) else ""


def http_api() -> Iterator[str]:
    """The operations, and the types that they send."""
    from trine.house.api.api_description import ROOT, describe
    from trine.house.api.api_routes import OPERATIONS
    from trine.house.api.tokens import SCOPES

    lines = ["| request | scope | sends | answers | |", "|---|---|---|---|---|"]
    for one in OPERATIONS:
        scope = f"`{one.scope}`" if one.scope else ""
        lines.append(
            f"| `{one.method} {ROOT}{one.path}` | {scope} | {_type_text(one.takes)} "
            f"| {_type_text(one.gives)} | {one.summary} |"
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
            lines.append(f"| `{named}` | {_schema_text(kind)} | {' '.join(filter(None, notes))} |")
    yield from (*lines, "")


def _type_text(kind: Any) -> str:
    if kind is None:
        return ""
    from trine.house.api.api_description import REF

    (schema,), _ = msgspec.json.schema_components([kind], ref_template=REF)
    return _schema_text(schema)


def _schema_text(schema: Any) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_schema_text(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " or ".join(f"`{one}`" for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_schema_text(schema['items'])}" if "items" in schema else "list"
    if schema.get("type") == "object":
        return f"{_schema_text(schema.get('additionalProperties', {}))} by name"
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
    import page_types as types

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
            told = field_docs(cls)
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

    found = dict(_table_docs())
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


def _table_docs() -> Iterator[tuple[str, tuple[str, Mapping[str, str]]]]:
    """The sentence on each table, or on its class, and those on its columns."""
    house = Path(import_module("trine.house").__path__[0])
    for path in house.rglob("*.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        for one, below in zip(body, [*body[1:], ast.Pass()], strict=True):
            match one:
                case ast.AnnAssign(
                    value=ast.Call(
                        func=ast.Name(id="Table" | "table_of")
                        | ast.Attribute(attr="Table" | "table_of"),
                        args=[ast.Constant(value=str(name)), about, *_],
                    )
                ):
                    words, columns = "", dict[str, str]()
                    module = ".".join(
                        ("trine.house", *path.relative_to(house).with_suffix("").parts)
                    )
                    if isinstance(
                        row := getattr(import_module(module), ast.unparse(about), None), type
                    ):
                        words, columns = inspect.getdoc(row) or "", dict(field_docs(row))
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
        told = field_docs(cls)
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
