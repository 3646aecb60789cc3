"""`trine puzzles verify`: looks far more deeply for second solutions, and keeps what has none."""

from __future__ import annotations

from pathlib import Path
from random import Random

import click
from rich.console import Console

from trine.cli.commands.compiling import compile_thinking
from trine.cli.commands.speech import lang_option, say
from trine.core.text.sentence import number, text
from trine.core.text.wording import written_actions
from trine.engine.puzzles.puzzle import append_puzzle, read_puzzles


@click.command(
    "verify",
    help=say(
        text(
            "Look for second solutions of the puzzles of FILE with ten times the effort and "
            "without nets, name those that have one, and write the others to a new file."
        )
    ),
)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help=say(text("The file to which puzzles with one solution are added.")),
)
@click.option(
    "--lot", type=click.IntRange(1), help=say(text("Only so many puzzles, chosen by lot."))
)
@click.option(
    "--nets",
    is_flag=True,
    help=say(text("With the nets, where rule sets have one, and one action in 1,024 overlooked.")),
)
@click.option("--seed", type=int, default=0, help=say(text("Of the lot.")))
@lang_option
def verify(file: Path, out: Path | None, lot: int | None, nets: bool, seed: int) -> None:
    """Verify puzzles."""
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
