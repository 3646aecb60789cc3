"""`trine learn` trains neural nets from games; `trine net` shows their files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from trine.cli.commands import speech
from trine.cli.commands.match import match_start_options
from trine.cli.commands.options import chosen_game, rules_option, workers_option
from trine.cli.commands.progress import compile_thinking
from trine.cli.commands.speech import Command, option, options, usage_errors
from trine.core.text.sentence import Text, text
from trine.games import ROOMS, open_room, start_position

if TYPE_CHECKING:
    from trine.core.work.workers import Backend

FOLDER: Final = click.Path(path_type=Path, file_okay=False)
FILE: Final = click.Path(path_type=Path, dir_okay=False)
RECORDS: Final = {"metavar": "FILE|DIR", "type": click.Path(path_type=Path), "multiple": True}


@speech.group("learn", text("Train neural nets that complement the evaluation of a game."))
def command() -> None: ...


Selection = tuple[str, str, tuple[tuple[str, str], ...]]
"""The game, rule set and start options to learn for."""


def count(name: str, default: int, meaning: Text, least: int = 0) -> Callable[[Command], Command]:
    return option(name, meaning=meaning, type=click.IntRange(least), default=default)


game_argument = click.argument("game_name", metavar="GAME")
records_option = option(
    "--records",
    meaning=text(
        "Learn from the records of a file or an archive, too; may be given several times."
    ),
    **RECORDS,
)
folder_argument = click.argument("folder", metavar="DIR", type=FOLDER)


playing_options = options(
    option("--seed", meaning=text("Seed of everything random."), type=int, default=0),
    workers_option,
    match_start_options,
    rules_option,
)


def select_games(game_name: str, rules: str | None, params: dict[str, Any]) -> Selection:
    """Remove the start options from parameters, return the selection, and compile its code."""
    tags = {option.tag for name in ROOMS for option in open_room(name).rules.options}
    start = {tag: params.pop(tag) for tag in tags & params.keys()}
    with usage_errors():
        room, rule_set, chosen = chosen_game(game_name, rules, start)
        start_position(room, rule_set, chosen)  # raises an error if an option is wrong
    compile_thinking(room.name, games=True)  # once, instead of in each worker
    return room.name, rule_set, tuple(chosen.items())


@speech.command(
    "start",
    text(
        "Train nets in a new folder, generation after generation: self-play, "
        "training, and a gate that only a better net passes. GAME is {games}, or "
        "GAME/RULES.",
        games=", ".join(ROOMS),
    ),
    of=command,
)
@game_argument
@folder_argument
@option(
    "--generations",
    meaning=text("Number of nets to train, one after the other."),
    type=click.IntRange(1, 999),
    default=3,
)
@count("--games", 10_000, text("Games of self-play of each generation."))
@count("--nodes", 500, text("Nodes for each turn of self-play."), 1)
@option(
    "--decay",
    "td_lambda",
    meaning=text(
        "Weight of each later turn in the value of a position, relative to the turn before it."
    ),
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    default=0.8,
)
@count("--window", 3, text("How many generations' games a net learns from."), 1)
@option(
    "--champion",
    meaning=text(
        "The first champion, which the first net must beat; by default the evaluation "
        "without a net."
    ),
    metavar="FILE",
    type=FILE,
)
@option(
    "--onward",
    "warm_start",
    meaning=text(
        "Start the training of each net from the champion's weights, not from random ones."
    ),
    is_flag=True,
)
@count(
    "--epochs", 8, text("Maximal number of epochs: how often a net is trained on each position."), 1
)
@option(
    "--rate",
    "learning_rate",
    meaning=text("The size of the first steps of training."),
    type=click.FloatRange(0, 1, min_open=True),
    default=0.002,
)
@count("--teachers", 0, text("Nets that learn first, from whose mean the net learns."))
@records_option
@option(
    "--openings",
    meaning=text(
        "Begin two of three games in positions of a file, or after the openings of its records."
    ),
    metavar="FILE",
    type=FILE,
)
@option(
    "--output-scale",
    meaning=text("Factor of a net's output when it has learned."),
    metavar="FACTOR",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
)
@option(
    "--gate",
    meaning=text("Nodes for a turn in the first stage of the gate, and in the second."),
    nargs=2,
    type=click.IntRange(1),
    default=(1_000, 4_000),
)
@count("--gate-games", 1_000, text("The most games of each stage of the gate."), 2)
@option(
    "--elo",
    meaning=text("The margins of the gate's sequential tests."),
    nargs=2,
    type=float,
    default=(0.0, 20.0),
)
@option(
    "--from-nothing",
    meaning=text("Let all terms of the evaluation weigh nothing, so that the net is all there is."),
    is_flag=True,
)
@count(
    "--job", 100, text("The most games of self-play that can be lost if a process is killed."), 1
)
@playing_options
def start(
    game_name: str,
    folder: Path,
    rules: str | None,
    records: tuple[Path, ...],
    champion: Path | None,
    openings: Path | None,
    gate: tuple[int, int],
    from_nothing: bool,
    backend: Backend,
    **params: Any,
) -> None:
    selection = select_games(game_name, rules, params)
    from trine.cli.commands.learn_nets import begin, work  # imports the searches
    from trine.engine.learn.campaign import Campaign

    params |= {"gate_nodes": gate, "terms": not from_nothing, "label_files": len(records)}
    with usage_errors():
        campaign = Campaign(*selection, **params)
    work(begin(folder, campaign, records, champion, openings), backend)


@speech.command("resume", text("Continue the training in a folder."), of=command)
@workers_option
@folder_argument
def resume(folder: Path, backend: Backend) -> None:
    from trine.engine.learn.campaign import CampaignFolder

    opened = CampaignFolder(folder)
    compile_thinking(opened.campaign.game, games=True)
    from trine.cli.commands.learn_nets import work

    work(opened, backend)


@speech.command(
    "status", text("Show the progress of the training in a folder, and its results."), of=command
)
@folder_argument
def status(folder: Path) -> None:
    from trine.cli.commands.learn_nets import show_status
    from trine.engine.learn.campaign import CampaignFolder

    show_status(CampaignFolder(folder))


@speech.group("net", text("Inspect net files."))
def net() -> None: ...


@speech.command("show", text("Show the card of a net: what it learned from, and how."), of=net)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
def show_net(file: Path) -> None:
    from trine.engine.search.nets import read_net  # imports Numba

    net = read_net(file)
    inputs, width = net.input_weights.shape
    card = {
        "hash": net.hash,
        "shape": f"{inputs} x {width} x 2, {len(net.output_bias)}",
        "bytes": file.stat().st_size,
        **net.card,
    }
    click.echo(json.dumps(card, indent=1, ensure_ascii=False))
