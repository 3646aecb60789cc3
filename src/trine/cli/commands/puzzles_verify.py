"""`trine puzzles verify`: looks far more deeply for second solutions, and keeps what has none."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click
from rich.console import Console

from trine.cli.commands import speech
from trine.cli.commands.compiling import compile_thinking
from trine.cli.commands.speech import option, say
from trine.core.text.sentence import number, text
from trine.core.text.wording import written_actions
from trine.engine.puzzles.puzzle import append_puzzle, read_puzzles


@speech.command(
    "verify",
    text(
        "Look for second solutions of the puzzles of FILE with ten times the effort and "
        "without nets, name those that have one, and write the others to a new file."
    ),
)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, exists=True))
@option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    words=text("The file to which puzzles with one solution are added."),
)
@option("--lot", type=click.IntRange(1), words=text("Only so many puzzles, chosen by lot."))
@option(
    "--nets",
    is_flag=True,
    words=text("With the nets, where rule sets have one, and one action in 1,024 overlooked."),
)
@option("--seed", type=int, default=0, words=text("Of the lot."))
def verify(file: Path, out: Path | None, lot: int | None, nets: bool, seed: int) -> None:
    puzzles = list(read_puzzles(file))
    if lot is not None and lot < len(puzzles):
        puzzles = Random(seed).sample(puzzles, lot)
    done = {puzzle.name for puzzle in read_puzzles(out)} if out and out.exists() else set()
    for game in sorted({puzzle.game for puzzle in puzzles}):
        compile_thinking(game)
    from trine.engine.puzzles.mining import Verifier  # it brings Numba along

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
                told = text("{puzzle}: {turn} is as good", puzzle=puzzle.name, turn=written)
                click.echo(say(told))
            elif out:
                append_puzzle(out, puzzle)
    told = text(
        "{count} puzzles, {second} of them with a second solution",
        count=number(len(puzzles)),
        second=number(second),
    )
    click.echo(say(told))
