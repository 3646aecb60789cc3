"""The tutorials are true: their blocks run in order in an empty folder, and say what is shown.

A block of `sh` is run line by line, one of `console` is a conversation whose prompts have what a
person types, one of `python` is an example or, where its first line names one, a file. A block of
`text` is what the block before it says; of `text figures` the numbers may be others.
"""

import doctest
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from capturing import captured
from house.web.clients import Client
from house.web.test_api import token_of
from playing import HOUSE, PATIENCE, TRINE, environment, run_trine
from waiting import wait_until

PAGES = sorted((HOUSE / "docs" / "start").glob("*.md"))
LONG = {"first-bot", "first-experiment"}
"""Pages with matches."""
SOURCES = HOUSE / "src" / "trine"
PORT = "8040"
"""The port of the pages, in whose place each house has one that is free."""
STAYS = ("./trine serve", "./trine bot")
"""The commands that run until Ctrl-C."""
PASSWORD = "four loud camels"
BLOCK = re.compile(r"^```([^\n]+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
TYPED = re.compile(r"^\d+[a-z]> (.*)$", re.MULTILINE)
NUMBER = re.compile(r"-?\d+(\.\d+)?|(?<= )-(?=[ ,\n])")


@dataclass
class Reader:
    folder: Path
    port: str = PORT
    said: str = ""
    """The output of the last block."""
    examples: dict[str, object] = field(default_factory=dict)
    running: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def client(self) -> Client:
        return Client(f"http://localhost:{self.port}/")

    def sh(self, block: str) -> None:
        lines = block.replace("\\\n", "").splitlines()
        self.said = "".join(map(self.run, lines))

    def run(self, line: str) -> str:
        line = line.replace(PORT, self.port)
        if line.startswith(STAYS):
            return self.start(*shlex.split(line)[1:])
        if line.startswith("./trine "):
            done = run_trine(self.folder, *shlex.split(line)[1:])
        else:
            done = captured("bash", "-c", line, cwd=self.folder, env=self.surroundings)
        assert done.returncode == 0, done
        return done.stdout

    @property
    def surroundings(self) -> dict[str, str]:
        return environment(self.folder / ".home")

    def start(self, *words: str) -> str:
        """Start what stays, and wait for its first line."""
        more = ("--port", "0", "--no-open") if words[0] == "serve" else ()
        log = self.folder / ".home" / f"{words[0]}.log"
        log.parent.mkdir(exist_ok=True)
        with log.open("w") as out:
            process = subprocess.Popen(
                [*TRINE, *words, *more],
                cwd=self.folder,
                env=self.surroundings,
                stdout=out,
                text=True,
            )
        self.running.append(process)
        wait_until(lambda: "\n" in log.read_text() or process.poll() is not None)
        said = log.read_text()
        if at := re.search(r"http://localhost:(\d+)/;", said):
            self.port = at[1]
        return said

    def console(self, block: str) -> None:
        command, _, shown = block.partition("\n")
        done = run_trine(
            self.folder,
            *shlex.split(command.removeprefix("$ ./trine ")),
            lines="".join(f"{line}\n" for line in TYPED.findall(shown)),
        )
        assert done.returncode == 0, done
        self.said = done.stdout
        self.text(shown)

    def python(self, block: str) -> None:
        if name := re.match(r"# (\w+\.py)\n", block):
            (self.folder / name[1]).write_text(block)
            return
        self.examples = run_examples(block, self.examples)

    def text(self, shown: str, told: Callable[[str], str] = str) -> None:
        """Compare what is shown with what was said; … stands for anything."""
        said, shown = self.said.replace(self.port, PORT), told(shown)
        parts = map(re.escape, re.split("…", shown.strip("\n")))
        assert re.fullmatch(".*".join(parts), told(said).strip("\n"), re.DOTALL), said

    def do(self, kind: str, block: str) -> None:
        deeds: dict[str, Callable[[str], None]] = {
            "sh": self.sh,
            "console": self.console,
            "python": self.python,
            "text": self.text,
            "text figures": partial(self.text, told=without_numbers),
        }
        deeds[kind](block)

    def stop(self) -> None:
        for process in reversed(self.running):
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE)


def run_examples(block: str, names: dict[str, object]) -> dict[str, object]:
    test = doctest.DocTestParser().get_doctest(block, names, "page", None, 0)
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
        test, out=said.append, clear_globs=False
    )
    assert not failed, "".join(said)
    return test.globs


def without_numbers(words: str) -> str:
    return re.sub(" +", " ", NUMBER.sub("#", words))


def play_in_a_browser(reader: Reader) -> None:
    reader.client.new_game(**{"game": "corridor", "with": "bot:2"})


def create_an_account(reader: Reader) -> None:
    assert reader.client.post("/account/register", name="Anna", password=PASSWORD).status == 303


def bring_it_to_a_house(reader: Reader) -> None:
    reader.run("./trine serve")
    bot = reader.client
    assert bot.post("/account/register", name="Racer", password=PASSWORD).status == 303
    assert bot.post("/account/programs/bot").status == 303
    token = token_of(bot, "read", "challenge", "tournament", "play")
    (reader.folder / "token.txt").write_text(f"{token}\n")


BY_HAND = {
    "house list": play_in_a_browser,
    "house admin": create_an_account,
    "trine bot": bring_it_to_a_house,
}
"""By words of a block, what its reader does in a browser before it."""


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    monkeypatch.chdir(tmp_path)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    reader = Reader(tmp_path)
    yield reader
    reader.stop()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[pytest.mark.nightly] * (page.stem in LONG))
        for page in PAGES
    ],
)
def test_a_tutorial_runs_word_for_word(page: Path, reader: Reader) -> None:
    for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for words, deed in BY_HAND.items():
            if kind == "sh" and words in block:
                deed(reader)
        reader.do(kind, block)


def test_what_a_tutorial_has_its_reader_press_is_on_the_pages() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in SOURCES.rglob("house/**/*.html"))
    code = "".join(page.read_text(encoding="utf-8") for page in SOURCES.rglob("*.py"))
    for page in PAGES:
        words = BLOCK.sub("", page.read_text(encoding="utf-8"))
        pressed = {" ".join(one.split()) for one in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", words)}
        for label in pressed - {"Corridor"}:
            assert f'"{label}"' in pages + code, (page, label)
