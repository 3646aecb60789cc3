"""The conversations that ``docs/guides/protocols.md`` shows happen as they are shown."""

import re
import subprocess
from pathlib import Path

import pytest

from playing import HOUSE, TRINE, environment

BOOK = (HOUSE / "docs" / "guides" / "protocols.md").read_text(encoding="utf-8")
CONVERSATIONS = re.findall(r"^```((?:aei|ugi)[^\n]*)\n(.*?)^```", BOOK, re.DOTALL | re.MULTILINE)
PROGRAM = re.findall(r"^```python\n(.*?)^```", BOOK, re.DOTALL | re.MULTILINE)
BY_CHANCE = ("info depth", "info time", "info nodes", "info score", "info pv")
"""Of what a search tells, only the first line of a turn is shown."""


def converse(command: list[str], lines: list[str], home: Path) -> list[str]:
    """Say the lines of a controller; after each of the others, wait for it."""
    heard: list[str] = []
    with subprocess.Popen(
        [*TRINE, *command],
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as engine:
        assert engine.stdin and engine.stdout
        for line in lines:
            if line.startswith("> "):
                engine.stdin.write(f"{line[2:]}\n")
                heard.append(line)
                continue
            passed = r"(log|info string) (compiling|ready to think|still getting ready)"
            if not line.startswith("< info depth"):
                passed += f"|{'|'.join(BY_CHANCE)}"
            said = engine.stdout.readline().rstrip("\n")
            while re.match(passed, said):
                said = engine.stdout.readline().rstrip("\n")
            shown = line.removesuffix("…")
            heard.append(line if shown != line and f"< {said}".startswith(shown) else f"< {said}")
        engine.stdin.close()
        rest = engine.stdout.read().splitlines()
    assert not [line for line in rest if not line.startswith(BY_CHANCE)]
    assert engine.returncode == 0
    return heard


@pytest.mark.parametrize(
    ("command", "words"), CONVERSATIONS, ids=[command for command, _ in CONVERSATIONS]
)
def test_a_conversation_of_the_book(command: str, words: str, tmp_path: Path) -> None:
    lines = words.splitlines()
    assert len(lines) > 5 and all(line[:2] in ("> ", "< ") for line in lines)
    assert converse(command.split(), lines, tmp_path) == lines


def test_the_program_of_the_book_runs() -> None:
    names: dict[str, object] = {}
    exec(compile(PROGRAM[0].replace("seconds=1", "seconds=0.2"), "protocols.md", "exec"), names)
    assert len(names["play"].turns) == 1  # type: ignore[attr-defined]
