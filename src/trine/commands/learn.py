"""`trine learn`: nets that learn from games against themselves, generation after generation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trine.commands.compiling import compile_thinking
from trine.commands.match import match_start_options
from trine.commands.options import chosen_game, rules_option, workers_option
from trine.commands.speech import lang_option, say, usage_error
from trine.core.errors import TrineError
from trine.core.text import text
from trine.games import ROOMS, start_position

if TYPE_CHECKING:
    from trine.core.workplace import Workplace

FOLDER = click.Path(path_type=Path, file_okay=False)
FILE = click.Path(path_type=Path, dir_okay=False)


@click.group(
    "learn",
    help=say(
        text(
            "Let a net learn from games against itself, generation after generation: games, "
            "training, a gate that only a better net passes."
        )
    ),
)
@lang_option
def command() -> None:
    """Learn nets."""


@command.command(
    "start",
    help=say(
        text(
            "Begin to learn in a new folder. GAME is {games}, or GAME/RULES.",
            games=", ".join(ROOMS),
        )
    ),
)
@click.argument("game", metavar="GAME")
@click.argument("folder", metavar="DIR", type=FOLDER)
@rules_option
@match_start_options
@click.option(
    "--generations",
    type=click.IntRange(1, 999),
    default=3,
    help=say(text("How many nets learn, one after the other.")),
)
@click.option(
    "--games",
    type=click.IntRange(0),
    default=10_000,
    help=say(text("Games of self-play of each generation.")),
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=2_000,
    help=say(text("Nodes for each action of self-play.")),
)
@click.option(
    "--window",
    type=click.IntRange(1),
    default=3,
    help=say(text("How many generations' games a net learns from.")),
)
@click.option(
    "--strays",
    type=click.FloatRange(0, 1),
    default=0.0,
    help=say(text("Share of actions that are replaced by others which only look good at once.")),
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1),
    default=0.25,
    help=say(text("How much results count in what is learned, against scores of searches.")),
)
@click.option(
    "--epochs",
    type=click.IntRange(1),
    default=8,
    help=say(text("How often each position is learned from, at the most.")),
)
@click.option(
    "--teachers",
    type=click.IntRange(min=0),
    default=0,
    help=say(text("Nets that learn first, from whose mean the net learns.")),
)
@click.option(
    "--tree-labels",
    metavar="LABELS",
    type=click.IntRange(0),
    default=0,
    help=say(
        text(
            "Positions of each generation, at most, out of the trees of searches, each scored by a "
            "search of its own with --nodes."
        )
    ),
)
@click.option(
    "--labels",
    metavar="FILE",
    type=FILE,
    multiple=True,
    help=say(text("Learn from the positions with scores of a file; may be given several times.")),
)
@click.option(
    "--turns",
    metavar="FILE",
    type=FILE,
    multiple=True,
    help=say(text("Imitate the turns in the records of a file, too; may be given several times.")),
)
@click.option(
    "--turns-by",
    metavar="NAME",
    multiple=True,
    help=say(text("Imitate the turns of this player alone; may be given several times.")),
)
@click.option(
    "--imitation",
    metavar="WEIGHT",
    type=click.FloatRange(0),
    default=0.03,
    help=say(text("Weight of a turn that is imitated, against a position with a score.")),
)
@click.option(
    "--loudness",
    metavar="SHARE",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    help=say(text("Share of what it has learned that a net says.")),
)
@click.option(
    "--gate",
    "gate_nodes",
    nargs=2,
    type=click.IntRange(1),
    default=(1_000, 4_000),
    help=say(text("Nodes for a turn in the first stage of the gate, and in the second.")),
)
@click.option(
    "--gate-games",
    type=click.IntRange(2),
    default=1_000,
    help=say(text("The most games of each stage of the gate.")),
)
@click.option(
    "--elo",
    nargs=2,
    type=float,
    default=(0.0, 20.0),
    help=say(text("The margins of the gate's sequential tests.")),
)
@click.option(
    "--from-nothing",
    is_flag=True,
    help=say(
        text("Let all terms of the evaluation weigh nothing, so that the net is all there is.")
    ),
)
@click.option(
    "--job",
    type=click.IntRange(1),
    default=100,
    help=say(text("Games of self-play that are lost at the most when a process is killed.")),
)
@workers_option
@click.option("--seed", type=int, default=0, help=say(text("Seed of everything random.")))
@lang_option
def start(
    game: str,
    folder: Path,
    rules: str | None,
    generations: int,
    games: int,
    nodes: int,
    window: int,
    strays: float,
    share: float,
    epochs: int,
    teachers: int,
    tree_labels: int,
    labels: tuple[Path, ...],
    turns: tuple[Path, ...],
    turns_by: tuple[str, ...],
    imitation: float,
    loudness: float,
    gate_nodes: tuple[int, int],
    gate_games: int,
    elo: tuple[float, float],
    from_nothing: bool,
    job: int,
    workplace: Workplace,
    seed: int,
    **options: str | None,
) -> None:
    """Begin to learn."""
    try:
        room, rule_set, given = chosen_game(game, rules, options)
        start_position(room, rule_set, given)  # says what is wrong with the options
    except TrineError as error:
        raise usage_error(error) from None
    compile_thinking(room.name, games=True)  # once, and not in each process
    from trine.commands.learning import begin, work  # brings the searches along
    from trine.learn.campaign import Campaign

    try:
        campaign = Campaign(
            room.name,
            rule_set,
            tuple(given.items()),
            generations,
            games,
            nodes,
            window,
            strays,
            share,
            epochs,
            teachers,
            gate_nodes,
            gate_games,
            elo,
            not from_nothing,
            job,
            seed,
            tree_labels,
            len(labels),
            len(turns),
            turns_by,
            imitation,
            loudness,
        )
    except TrineError as error:
        raise usage_error(error) from None
    work(begin(folder, campaign, labels, turns), workplace)


@command.command("resume", help=say(text("Go on to learn in a folder.")))
@click.argument("folder", metavar="DIR", type=FOLDER)
@workers_option
@lang_option
def resume(folder: Path, workplace: Workplace) -> None:
    """Go on to learn."""
    from trine.learn.campaign import CampaignFolder

    opened = CampaignFolder(folder)
    compile_thinking(opened.campaign.game, games=True)
    from trine.commands.learning import work

    work(opened, workplace)


@command.command(
    "status",
    help=say(text("Show how far the learning in a folder is, and what it has come to.")),
)
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help=say(text("Write a page with curves, too.")),
)
@lang_option
def status(folder: Path, html: Path | None) -> None:
    """Show the state of a folder."""
    from trine.commands.learning import show_status
    from trine.learn.campaign import CampaignFolder

    show_status(CampaignFolder(folder), html)


@command.command(
    "stop",
    help=say(text("Ask whoever learns in a folder to leave; what has been done is kept.")),
)
@click.argument("folder", metavar="DIR", type=FOLDER)
@lang_option
def stop(folder: Path) -> None:
    """Ask to stop."""
    from trine.learn.campaign import CampaignFolder

    opened = CampaignFolder(folder)
    if not opened.is_worked_on:
        click.echo(say(text("nobody is learning in {folder}", folder=str(folder))))
        return
    opened.ask_to_stop()
    click.echo(say(text("the learning in {folder} ends with its next job", folder=str(folder))))
