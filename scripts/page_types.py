#!/usr/bin/env python
"""Write the types and the usual values of what the house sends, for the scripts of its pages.

Both come from the classes that the house writes. ``.venv/bin/python scripts/page_types.py`` writes
`static/board/defaults.js`, what a message leaves out (``--check`` only says whether it is current),
and the types, for `tsc` and editors: the namespace `House` in `types.d.ts` beside
`tests/house/web/tsconfig.json`, which no commit holds (``--types`` writes it alone).
"""

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
from trine.house.games.view import messages as games
from trine.house.lessons import trial as lessons
from trine.house.lobby import lobby_routes as lobby
from trine.house.talk import chat as talk
from trine.house.tournaments import routes as tournaments
from trine.house.web import messages as web
from trine.play.draw.board_theme import BoardTheme

CHECKOUT: Final = Path(__file__).parents[1]
USUAL: Final = CHECKOUT / "src/trine/house/web/static/board/defaults.js"
TYPES: Final = CHECKOUT / "tests/house/web/types.d.ts"
UNIONS: Final[dict[str, Any]] = {
    "OfGame": games.Outgoing | talk.Chat,
    "Setups": games.Arrangements,
    "Walked": games.TurnShown,
    "OfAnalysis": analysis.Outgoing,
    "OfLobby": lobby.Outgoing,
    "OfTournament": tournaments.Outgoing,
    "OfLesson": lessons.LessonState | lessons.Gestures | lessons.Why,
    "OfPuzzle": lessons.LessonState | lessons.Solution | lessons.Why,
    "OfExample": lessons.ExampleState | lessons.Why,
}
"""What the house says on each socket, and answers to each trial and question."""
PLAIN: Final = {
    shapes.StrType: "string",
    shapes.IntType: "number",
    shapes.FloatType: "number",
    shapes.BoolType: "boolean",
    shapes.NoneType: "null",
    shapes.CustomType: "string",
    shapes.AnyType: "unknown",
}
EXTRA: Final = {BoardTheme: ("night: Record<string, Paint>", "layers: string[]")}
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
    waiting: list[Class] = [Board, View, BoardTheme]
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

    def declarations(self) -> str:
        """The contents of `types.d.ts`."""
        lines = [line for cls in self.classes for line in self.interface(cls)]
        lines.append("  type Point = [number, number];")
        for name, union in UNIONS.items():
            kinds = get_args(union) or (union,)
            lines.append(f"  type {name} = {' | '.join(self.names[one] for one in kinds)};")
            if answers := [self.names[one] for one in kinds if issubclass(one, web.Reply)]:
                lines.append(f"  type AnswerOf{name[2:]} = {' | '.join(answers)};")
        body = "\n".join(lines)
        head = f"/** What the house tells its pages; {WRITTEN} */"
        return f"{head}\ndeclare namespace House {{\n{body}\n}}\n"

    def interface(self, cls: Class) -> Iterator[str]:
        """The lines of one type."""
        first = (inspect.getdoc(cls) or "").splitlines()[0]
        yield f"  /** {first} */\n  interface {self.names[cls]} {{"
        config = getattr(cls, "__struct_config__", None)
        if config and config.tag:
            yield f"    {config.tag_field}: {json.dumps(config.tag)};"
        lean = config is not None and config.omit_defaults
        for field in fields_of(cls):
            optional = lean and not field.required and not is_filled(cls)
            sign = "?:" if optional else ":"
            yield f"    {field.encode_name}{sign} {self.told(field.type, optional=optional)};"
        for extra in EXTRA.get(cls, ()):
            yield f"    {extra};"
        yield "  }"

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
        """The contents of `defaults.js`: what is left out, and where further parts stand."""
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


def main() -> None:
    """Write the files, or see whether what is committed is current."""
    types = Types()
    current = USUAL.read_text(encoding="utf-8") == types.usual()
    if "--check" in sys.argv and not current:
        sys.exit(f"{USUAL.name} is not current: run scripts/page_types.py")
    if "--check" not in sys.argv:
        TYPES.write_text(types.declarations(), encoding="utf-8")
    if not {"--check", "--types"} & set(sys.argv):
        USUAL.write_text(types.usual(), encoding="utf-8")


if __name__ == "__main__":
    main()
