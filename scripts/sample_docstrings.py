"""A random sample of docstrings, or of attribute docstrings and comments, for a reader to judge.

The reader sees one passage after the other, without the code, and reads it once. A passage fails if
the reader cannot say what the code does, or has to read it again.
"""

import argparse
import ast
import io
import random
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

SOURCES: Final = Path(__file__).resolve().parent.parent / "src" / "trine"
DOC, ATTRIBUTE, COMMENT = "doc", "attribute", "comment"
DIRECTIVE: Final = re.compile(r"---|\b(?:noqa|type: ignore|pragma|fmt: |ruff: )")
"""Comments for tools, and headings: not prose."""
OWNERS: Final = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


class Passage(NamedTuple):
    """A docstring or comment."""

    path: Path
    line: int
    kind: str
    """``doc``; ``attribute``, a string below an attribute or a constant; or ``comment``."""
    name: str
    """The name of the class or function around it; ``module`` outside."""
    text: str


def passages(path: Path) -> Iterator[Passage]:
    """Yield the docstrings of a module, then its comments."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        for place, statement in enumerate(body if isinstance(body, list) else ()):
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    kind = DOC if place == 0 and isinstance(node, OWNERS) else ATTRIBUTE
                    name = getattr(node, "name", "module")
                    yield Passage(path, statement.lineno, kind, name, " ".join(text.split()))
    yield from comments(path, source)


def comments(path: Path, source: str) -> Iterator[Passage]:
    """Yield the comments of a module; lines that follow each other are one comment."""
    found: list[Passage] = []
    last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string.lstrip("# ")
        if token.type != tokenize.COMMENT or not text or DIRECTIVE.search(text):
            continue
        line, own_line = token.start[0], token.line.lstrip().startswith("#")
        if own_line and found and last == line - 1:
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {text}")
        else:
            found.append(Passage(path, line, COMMENT, "#", text))
        last = line if own_line else 0
    yield from found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--kind", choices=[DOC, ATTRIBUTE], default=DOC)
    parser.add_argument("--under", type=Path, default=SOURCES, metavar="FOLDER")
    options = parser.parse_args()
    kinds = {DOC} if options.kind == DOC else {ATTRIBUTE, COMMENT}
    paths = sorted(options.under.resolve().rglob("*.py"))
    found = [passage for path in paths for passage in passages(path) if passage.kind in kinds]
    drawn = random.Random(options.seed).sample(found, min(options.number, len(found)))
    for path, line, _, name, text in sorted(drawn):
        shown = path.relative_to(SOURCES) if path.is_relative_to(SOURCES) else path
        print(f"{shown}:{line}  {name}\n    {text}")
    print(f"{len(drawn)} of {len(found)}")


if __name__ == "__main__":
    main()
