"""Finds puzzles, and verifies them by far deeper searches.

    .venv/bin/python lab/puzzles.py mine games/*.trine --out own.trine
    .venv/bin/python lab/puzzles.py mine club --out own.trine
    .venv/bin/python lab/puzzles.py mine --rules tzaar/open --out own.trine
    .venv/bin/python lab/puzzles.py verify own.trine --out checked.trine

`mine` takes records in any known format, an archive in a folder, or, without either, endless games
of bots. The games done are listed beside the file, so that the same command resumes. `verify` names
puzzles with a second solution.
"""

import hashlib
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

import click
from rich.console import Console

from mining.miner import MinedFile, Miner, Verifier, append_puzzle, leveled_game
from trine.cli.commands.progress import compile_thinking
from trine.core.contract.record import Record, format_record
from trine.core.errors import TrineError
from trine.core.play import Play, written_actions
from trine.engine.puzzles.puzzle import read_puzzles
from trine.games import parse_game
from trine.play.record.formats import read_file
from trine.play.record.replay import replay_as_far_as_legal

UNKNOWN: Final = "?"
Source = tuple[str, str, Play]
"""A game with its unique name, its origin in words, and its play."""


@click.group()
def command() -> None:
    """Make puzzles."""


@command.command()
@click.argument("files", metavar="[FILE...]", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The file that puzzles are added to.",
)
@click.option(
    "--rules",
    "names",
    metavar="GAME/RULES",
    multiple=True,
    help="Play games of these rule sets, in turn; may be given more than once.",
)
@click.option("--games", "most", type=click.IntRange(1), help="Stop after this many games.")
def mine(files: tuple[str, ...], out: Path, names: tuple[str, ...], most: int | None) -> None:
    """Find puzzles in FILE, and add them to a file."""
    if bool(files) == bool(names):
        raise click.UsageError("give either files or --rules")
    try:
        found = MinedFile(out)
        games = _recorded(files, found) if files else _played(names, found)
        _mine(games, found, most)
    except KeyboardInterrupt:
        click.echo("stopped; the same command goes on", err=True)
        raise SystemExit(130) from None
    except TrineError as error:
        raise click.UsageError(str(error)) from None


def _mine(games: Iterator[Source], found: MinedFile, most: int | None) -> None:
    miners: dict[str, Miner] = {}
    with Console(stderr=True, highlight=False).status("") as status:
        for looked_at, (name, source, play) in enumerate(games, start=1):
            room = play.room
            if room.name not in miners:
                miners[room.name] = Miner(room)
            for puzzle in miners[room.name].mine(play, source):
                found.add(puzzle)
            found.note(name)
            status.update(f"games: {looked_at}, puzzles: {len(found)}; now {source}")
            if looked_at == most:
                return


def _recorded(files: tuple[str, ...], found: MinedFile) -> Iterator[Source]:
    """Yield the recorded games that have not been searched yet."""
    for file in files:
        for record in _records(Path(file)):
            play, _ = replay_as_far_as_legal(record)
            key = hashlib.sha256(format_record(record).encode()).hexdigest()[:16]
            if len(play.position.seats) == 2 and not found.has_seen(key):
                compile_thinking(play.room.name)
                yield key, _told(record, play), play


def _records(path: Path) -> Iterator[Record]:
    if path.is_dir():
        from trine.engine.archive.queries import Archive, GameFilter

        return Archive(path).records(GameFilter())
    return read_file(path)[1]


def _told(record: Record, play: Play) -> str:
    """Return the players and the date of a record."""
    players = [record.tags.get(seat.tag, UNKNOWN) for seat in play.position.seats]
    return f"{' – '.join(players)} {record.tags.get('Date', '')}".strip()


def _played(names: tuple[str, ...], found: MinedFile) -> Iterator[Source]:
    """Yield bot games endlessly, cycling through the rule sets."""
    rooms = [parse_game(name) for name in names]
    for room, _ in rooms:
        compile_thinking(room.name, games=True)
    for game in count():
        for room, rules in rooms:
            rules = rules or room.default_rules
            name = f"{room.name}/{rules}:{game}"
            if not found.has_seen(name):
                yield name, f"levels, game {game}", leveled_game(room, rules, game)


@command.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file that puzzles with one solution are added to.",
)
@click.option("--lot", type=click.IntRange(1), help="Only this many puzzles, chosen at random.")
@click.option(
    "--nets",
    is_flag=True,
    help="With the nets, where rule sets have one, and one action in 1,024 overlooked.",
)
@click.option("--seed", type=int, default=0, help="Of the lot.")
def verify(file: Path, out: Path | None, lot: int | None, nets: bool, seed: int) -> None:
    """Search for second solutions of the puzzles in FILE.

    The effort is ten times as much, without nets; puzzles without a second solution are written to
    a new file.
    """
    puzzles = list(read_puzzles(file))
    if lot is not None and lot < len(puzzles):
        puzzles = Random(seed).sample(puzzles, lot)
    done = {puzzle.name for puzzle in read_puzzles(out)} if out and out.exists() else set()
    for game in sorted({puzzle.game for puzzle in puzzles}):
        compile_thinking(game)
    verifiers: dict[str, Verifier] = {}
    second = 0
    with Console(stderr=True, highlight=False).status("") as status:
        for place, puzzle in enumerate(puzzles, start=1):
            status.update(f"{place}/{len(puzzles)}")
            if puzzle.name in done:
                continue
            verifier = verifiers.setdefault(puzzle.game, Verifier(puzzle.game, nets=nets))
            if turn := verifier.second_solution(puzzle):
                second += 1
                written = written_actions(puzzle.room, puzzle.start, turn.actions)
                click.echo(f"{puzzle.name}: {written} is as good")
            elif out:
                append_puzzle(out, puzzle)
    click.echo(f"{len(puzzles)} puzzles, {second} of them with a second solution")


if __name__ == "__main__":
    command()
