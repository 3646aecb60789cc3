#!/usr/bin/env python
"""Write the types and the usual values of what the house sends, for the scripts of its pages.

``.venv/bin/python scripts/page_types.py`` writes `static/types.js` (types alone, for `tsc`) and
`static/board/usual.js` (what a message leaves out), from the classes that the house writes and
reads; ``--check`` only says whether they are current.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
from msgspec import inspect as shapes

from trine.core.scene.scene import Board, Part, View
from trine.core.text.sentence import Text
from trine.house.analysis import messages as analysis
from trine.house.games import messages as games
from trine.house.lessons import messages as lessons
from trine.house.lobby import lobby_routes as lobby
from trine.house.puzzles import messages as puzzles
from trine.house.talk import routes as talk
from trine.house.tournaments import routes as tournaments
from trine.house.web import messages as web
from trine.play.draw.theme import Theme

STATIC: Final = Path(__file__).parents[1] / "src/trine/house/web/static"
UNIONS: Final[dict[str, Any]] = {
    "ToGame": games.Incoming,
    "OfGame": games.Outgoing | talk.Chat,
    "Setups": games.Arrangements,
    "Walked": games.TurnShown,
    "ToAnalysis": analysis.Incoming,
    "OfAnalysis": analysis.Outgoing,
    "OfLobby": lobby.Outgoing,
    "OfTournament": tournaments.Outgoing,
    "OfLesson": lessons.LessonState | lessons.Why,
    "OfPuzzle": puzzles.PuzzleState | puzzles.Solution | lessons.Why,
    "OfExample": lessons.ExampleState | lessons.Why,
}
"""The messages of each socket, and the answers to each trial and question."""
PLAIN: Final = {
    shapes.StrType: "string",
    shapes.IntType: "number",
    shapes.FloatType: "number",
    shapes.BoolType: "boolean",
    shapes.NoneType: "null",
    shapes.CustomType: "string",
    shapes.AnyType: "unknown",
}
EXTRA: Final = {Theme: ("night: Record<string, Paint>", "layers: string[]")}
"""The parts of `theme.js` besides the fields of the class."""
WRITTEN: Final = "scripts/page_types.py has written it."
Class = type[Any]


def parts_of(kind: shapes.Type) -> Iterator[Class]:
    """The classes that a type is made of, itself first."""
    match kind:
        case shapes.StructType() | shapes.DataclassType():
            yield kind.cls
        case shapes.Metadata(type=inner):
            yield from parts_of(inner)
        case shapes.UnionType(types=types):
            for one in types:
                yield from parts_of(one)
        case shapes.CollectionType(item_type=item) | shapes.VarTupleType(item_type=item):
            yield from parts_of(item)
        case shapes.TupleType(item_types=items):
            for one in items:
                yield from parts_of(one)
        case shapes.DictType(value_type=value):
            yield from parts_of(value)


def fields_of(cls: Class) -> tuple[shapes.Field, ...]:
    """The fields of a class."""
    shape = shapes.type_info(cls)
    assert isinstance(shape, shapes.StructType | shapes.DataclassType)
    return shape.fields


def classes() -> list[Class]:
    """All classes of which something is told, in order of need."""
    found: dict[Class, None] = {}
    waiting: list[Class] = [Board, View, Theme]
    for union in UNIONS.values():
        waiting += get_args(union) or [union]
    while waiting:
        cls = waiting.pop(0)
        if cls not in found:
            found[cls] = None
            waiting += [part for field in fields_of(cls) for part in parts_of(field.type)]
    return list(found)


def is_filled(cls: Class) -> bool:
    """Whether the pages fill in what a message leaves out: see `static/board/fill.js`."""
    return issubclass(cls, Part | games.Game | games.Seat)


class Types:
    """The types, by the names that they have in the scripts."""

    def __init__(self) -> None:
        self.classes = classes()
        counts = Counter(cls.__name__ for cls in self.classes)
        self.names = {
            cls: cls.__name__
            if counts[cls.__name__] == 1
            else cls.__module__.split(".")[-2].capitalize() + cls.__name__
            for cls in self.classes
        }

    def module(self) -> str:
        """The contents of `types.js`."""
        told = [block for cls in self.classes for block in self.typedef(cls)]
        told.append(" * @typedef {[number, number]} Point")
        answers = {
            f"AnswerOf{name[2:]}": [one for one in get_args(union) if issubclass(one, web.Reply)]
            for name, union in UNIONS.items()
        }
        unions = {name: get_args(union) for name, union in UNIONS.items()} | answers
        told += [
            f" * @typedef {{{' | '.join(self.names[one] for one in union)}}} {name}"
            for name, union in unions.items()
            if union
        ]
        head = f"/**\n * What the house and the pages tell each other; {WRITTEN}\n *\n"
        return head + "\n".join(told) + "\n */\nexport {};\n"

    def typedef(self, cls: Class) -> Iterator[str]:
        """The lines of one type."""
        first = (inspect.getdoc(cls) or "").splitlines()[0]
        yield f" * @typedef {{object}} {self.names[cls]} {first}"
        config = getattr(cls, "__struct_config__", None)
        if config and config.tag:
            yield f" * @property {{{json.dumps(config.tag)}}} {config.tag_field}"
        for field in fields_of(cls):
            left_out = not field.required and not is_filled(cls)
            lean = config is not None and config.omit_defaults
            optional = left_out and (lean or issubclass(cls, web.Received))
            name = f"[{field.encode_name}]" if optional else field.encode_name
            yield f" * @property {{{self.told(field.type, optional=optional)}}} {name}"
        for extra in EXTRA.get(cls, ()):
            name, kind = extra.split(": ")
            yield f" * @property {{{kind}}} {name}"
        yield " *"

    def told(self, kind: shapes.Type, *, optional: bool = False) -> str:
        """A type as scripts write it."""
        match kind:
            case shapes.StructType() | shapes.DataclassType():
                return self.names[kind.cls]
            case shapes.Metadata(type=inner):
                return self.told(inner, optional=optional)
            case shapes.LiteralType(values=values):
                return " | ".join(json.dumps(one) for one in values)
            case shapes.UnionType(types=types):
                kinds = [
                    one for one in types if not (optional and isinstance(one, shapes.NoneType))
                ]
                return " | ".join(dict.fromkeys(self.told(one) for one in kinds))
            case shapes.CollectionType(item_type=item) | shapes.VarTupleType(item_type=item):
                told = self.told(item)
                return f"({told})[]" if " | " in told else f"{told}[]"
            case shapes.TupleType(item_types=items):
                return f"[{', '.join(map(self.told, items))}]"
            case shapes.DictType(value_type=value):
                return f"Record<string, {self.told(value)}>"
        return PLAIN[type(kind)]

    def usual(self) -> str:
        """The contents of `usual.js`: what is left out, and where further parts stand."""
        table: dict[str, Any] = {}
        for cls in filter(is_filled, self.classes):
            known, parts = {}, {}
            for field in fields_of(cls):
                if not field.required:
                    known[field.encode_name] = usual_value(field)
                for part in filter(is_filled, parts_of(field.type)):
                    parts[field.encode_name] = self.names[part]
            table[self.names[cls]] = {"usual": known, "parts": parts}
        written = json.dumps(table, separators=(",", ":"))
        return (
            f"/** What a message leaves out where it is as usual; {WRITTEN} */\n"
            "/** @typedef {{usual: Record<string, unknown>, parts: Record<string, string>}} "
            "Usual */\n"
            "/** @type {Record<string, Usual>} */\n"
            f"export const USUAL = {written};\n"
        )


def usual_value(field: shapes.Field) -> Any:
    """The default of a field, as JSON knows it."""
    made = field.default_factory
    value = field.default if made is msgspec.NODEFAULT else made()
    return str(value) if isinstance(value, Text) else value


def files() -> dict[Path, str]:
    """The files to be written, with their texts."""
    types = Types()
    return {STATIC / "types.js": types.module(), STATIC / "board" / "usual.js": types.usual()}


def main() -> None:
    """Write the files, or see whether they are current."""
    for path, contents in files().items():
        if "--check" not in sys.argv:
            path.write_text(contents, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != contents:
            sys.exit(f"{path.name} is not current: run scripts/page_types.py")


if __name__ == "__main__":
    main()
