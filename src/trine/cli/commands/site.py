"""`trine site`: writing lessons, rule books, puzzles and replays as static files."""

from __future__ import annotations

from pathlib import Path

import click

from trine.cli.commands import speech
from trine.cli.commands.places import record_of_file
from trine.cli.commands.speech import usage_error
from trine.core.text.sentence import text
from trine.play.record.replay import replay


@speech.command(
    "site",
    text(
        "Write to DIR what can be learned and tried without a server: lessons, puzzles, rules, and "
        "the game in each FILE to replay. Open DIR/index.html, or put DIR on any host."
    ),
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("files", metavar="[FILE]...", nargs=-1)
def command(folder: Path, files: tuple[str, ...]) -> None:
    from trine.house.static_site.static_pages import (  # imports many libraries
        ReplayedGame,
        write_site,
    )

    if folder.exists() and any(folder.iterdir()):
        raise usage_error(text("{folder} is not empty", folder=folder))
    records = [(Path(file).stem, record_of_file(file, 1)) for file in files]
    write_site(folder, [ReplayedGame(name, replay(record)) for name, record in records])
