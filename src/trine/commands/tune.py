"""`trine tune`: the weights of an evaluation, fitted to the results of games."""

from __future__ import annotations

from pathlib import Path

import click

from trine.commands.compiling import compile_thinking
from trine.commands.match import match_start_options
from trine.commands.options import chosen_game, rules_option, workers_option
from trine.commands.speech import lang_option, say, usage_error
from trine.core.errors import TrineError
from trine.core.text import text
from trine.core.workplace import Workplace
from trine.games import ROOMS, start_position
from trine.search.constants import CONSTANTS


@click.command(
    "tune",
    help=say(
        text(
            "Fit the weights of a game's evaluation to the results of games: of quick games "
            "against itself, and of records. GAME is {games}, or GAME/RULES.",
            games=", ".join(ROOMS),
        )
    ),
)
@click.argument("game", metavar="GAME")
@rules_option
@match_start_options
@click.option(
    "--games",
    type=click.IntRange(0),
    default=2000,
    help=say(text("How many games are played; what the folder holds is not played again.")),
)
@click.option(
    "--nodes",
    type=click.IntRange(1),
    default=400,
    help=say(text("Nodes for each action.")),
)
@click.option(
    "--quick-nodes",
    type=click.IntRange(0),
    default=0,
    help=say(
        text(
            "Nodes for three of four actions of self-play, of which nothing is learnt; 0: all "
            "actions have as many."
        )
    ),
)
@click.option(
    "--label-nodes",
    type=click.IntRange(0),
    default=0,
    help=say(
        text(
            "Nodes of a search from each position that is learnt from, whose score is learnt "
            "besides the result; 0: results alone."
        )
    ),
)
@click.option(
    "--share-of-results",
    metavar="SHARE",
    type=click.FloatRange(0, 1),
    default=0.1,
    help=say(text("The share of the result where a position has a score too.")),
)
@click.option(
    "--pull",
    metavar="POINTS",
    type=click.FloatRange(0, min_open=True),
    help=say(
        text("The pull towards the present weights; if not given, cross-validation chooses it.")
    ),
)
@click.option(
    "--data",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help=say(
        text(
            "Folder for the games that are played, or with --search a file; if not given, "
            "GAME-RULES.tune, or .search."
        )
    ),
)
@click.option(
    "--search",
    "constants",
    metavar="NAMES",
    help=say(
        text(
            "Tune constants of the search instead, by games between neighbours: all, or some of "
            "{known}, with commas.",
            known=", ".join(CONSTANTS),
        )
    ),
)
@click.option(
    "--pairs",
    type=click.IntRange(1),
    default=16,
    help=say(text("With --search, pairs of games in each round.")),
)
@click.option(
    "--records",
    metavar="FILE",
    multiple=True,
    help=say(text("Learn from the records of a file, too; may be given several times.")),
)
@click.option(
    "--turns",
    metavar="FILE",
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
    default=0.1,
    help=say(text("Weight of a turn that is imitated, against a position with a result.")),
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help=say(text("File for the weights; its comments and its other weights stay.")),
)
@click.option(
    "--trial",
    "trial_games",
    metavar="GAMES",
    type=click.IntRange(0),
    default=0,
    help=say(text("Games between the new weights and the old ones.")),
)
@click.option(
    "--keep-signs",
    is_flag=True,
    help=say(
        text("Let no weight change its sign: what is good stays good, what is bad stays bad.")
    ),
)
@click.option(
    "--keep-scale",
    is_flag=True,
    help=say(text("Keep the overall size of the weights, to suit the search.")),
)
@workers_option
@click.option("--seed", type=int, default=0, help=say(text("Seed of everything random.")))
@lang_option
def command(
    game: str,
    rules: str | None,
    games: int,
    nodes: int,
    quick_nodes: int,
    label_nodes: int,
    share_of_results: float,
    pull: float | None,
    data: Path | None,
    constants: str | None,
    pairs: int,
    records: tuple[str, ...],
    turns: tuple[str, ...],
    turns_by: tuple[str, ...],
    imitation: float,
    out: Path | None,
    trial_games: int,
    keep_signs: bool,
    keep_scale: bool,
    workplace: Workplace,
    seed: int,
    **options: str | None,
) -> None:
    """Fit weights."""
    try:
        room, rule_set, given = chosen_game(game, rules, options)
        start_position(room, rule_set, given)  # says what is wrong with the options
    except TrineError as error:
        raise usage_error(error) from None
    compile_thinking(room.name, games=True)  # once, and not in each process
    from trine.commands.tuning import Wish, tune  # brings the searches along
    from trine.learn.selfplay import Plan

    try:
        plan = Plan(
            room.name, rule_set, tuple(given.items()), nodes, seed, quick_nodes, label_nodes
        )
        if constants is not None:
            from trine.commands.constants import SearchWish, tune_search
            from trine.learn.spsa import SearchPlan, names_of

            rounds = max(1, games // (2 * pairs))
            wish = SearchPlan(plan, tuple(names_of(constants)), rounds, pairs)
    except TrineError as error:
        raise usage_error(error) from None
    if constants is not None:
        tune_search(SearchWish(wish, data, trial_games, workplace))
        return
    tune(
        Wish(
            plan,
            games,
            records,
            data,
            out,
            trial_games,
            keep_signs,
            keep_scale,
            workplace,
            turns,
            imitation,
            turns_by,
            share_of_results,
            pull,
        )
    )
