"""Measure the tables of the documentation again, and mark the old ones.

Each table of `docs/why/measuring*.md` is followed by a line with its date, commit and name. The row
of that name in `benchmarks/figures.toml` has the command, the measured files and the last output.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
ROWS: Final = "benchmarks/figures.toml"
PAGES: Final = "docs/why/measuring*.md"
OLD: Final = 200
"""Units: commits from a figure to the newest change of the files that it measures."""
MARK: Final = f"\n**Old:** the measured code changed {OLD} or more commits later."
MAX_LINES: Final = 40
"""The lines of a command's output that a row stores."""
TABLE: Final = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)
LINE: Final = re.compile(
    r"^Measured on .*`scripts/figures (?P<name>\S+)`\.(?:\n\*\*Old:.*)?$", re.MULTILINE
)


@dataclass(frozen=True)
class Figure:
    """A table that a command measures."""

    name: str
    page: str
    command: str
    files: list[str]
    """The files and folders that the command measures."""
    aim: str
    machine: str
    date: str
    commit: str
    load: float
    """Units: processes that were ready to run, in the minute before; -1 if unknown."""
    value: str
    """The last lines that the command printed; before its first run by this script, a summary."""

    def line(self, *, old: bool) -> str:
        """Return the line below the table."""
        day = date.fromisoformat(self.date)
        load = f", load {self.load:.1f}" if self.load >= 0 else ""
        at = f"{day.day} {day:%B %Y} (commit {self.commit}{load})"
        return f"Measured on {at} by `scripts/figures {self.name}`." + MARK * old


def read_figures(root: Path = ROOT) -> dict[str, Figure]:
    rows = tomllib.loads((root / ROWS).read_text(encoding="utf-8"))["figure"]
    return {row["name"]: Figure(**row) for row in rows}


def format_figures(figures: dict[str, Figure]) -> str:
    """Return the file of rows."""
    lines = ["# The tables of docs/why/measuring*.md. `scripts/figures NAME` rewrites a row."]
    for figure in figures.values():
        lines += ["", "[[figure]]"]
        for key, value in asdict(figure).items():
            several = isinstance(value, str) and "\n" in value
            words = f"'''\n{value}'''" if several else json.dumps(value, ensure_ascii=False)
            lines.append(f"{key} = {words}")
    return "\n".join(lines) + "\n"


def ask_git(root: Path, *words: str) -> str:
    return subprocess.check_output(["git", "-C", str(root), *words], text=True).strip()


def age(figure: Figure, root: Path = ROOT) -> int:
    """Return the number of commits from a figure to the newest change of what it measures."""
    newest = ask_git(root, "log", "-1", "--format=%H", "--", *figure.files)
    return int(ask_git(root, "rev-list", "--count", f"{figure.commit}..{newest}"))


def measure(figure: Figure, root: Path = ROOT) -> Figure:
    """Run the command of a figure and return its new row."""
    if changed := ask_git(root, "status", "--porcelain", "--", *figure.files):
        raise SystemExit(f"figures: commit first what {figure.name} measures:\n{changed}")
    load = round(os.getloadavg()[0], 1)
    done = subprocess.run(
        figure.command, shell=True, cwd=root, stdout=subprocess.PIPE, text=True, check=True
    )
    return replace(
        figure,
        machine=f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        date=date.today().isoformat(),
        commit=ask_git(root, "rev-parse", "--short=8", "HEAD"),
        load=load,
        value="\n".join(done.stdout.strip().splitlines()[-MAX_LINES:]),
    )


def write_lines(figures: dict[str, Figure], root: Path = ROOT) -> None:
    """Rewrite the lines below all tables."""
    for page in sorted(root.glob(PAGES)):
        before = page.read_text(encoding="utf-8")

        def line_of(found: re.Match[str]) -> str:
            figure = figures[found["name"]]
            return figure.line(old=age(figure, root) >= OLD)

        if (after := LINE.sub(line_of, before)) != before:
            page.write_text(after, encoding="utf-8")


def main(words: Sequence[str], root: Path = ROOT) -> None:
    figures = read_figures(root)
    parser = argparse.ArgumentParser(prog="scripts/figures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a table to measure again")
    names = parser.parse_args(words).names
    if unknown := {*names} - {*figures}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(figures)}")
    for name in names:
        figures[name] = measure(figures[name], root)
        (root / ROWS).write_text(format_figures(figures), encoding="utf-8")
        print(f"{figures[name].page}: {name}, aim {figures[name].aim}\n{figures[name].value}\n")
    write_lines(figures, root)
    if not names:
        for figure in figures.values():
            print(f"{figure.name}: {figure.date}, {age(figure, root)} commits, {figure.command}")


if __name__ == "__main__":
    main(sys.argv[1:])
