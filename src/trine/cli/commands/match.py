"""`trine match`: matches between computer players, with statistics."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date
from itertools import combinations
from pathlib import Path
from typing import TypeVar

import click

from trine.cli.commands import options, speech
from trine.cli.commands.progress import bars, compile_thinking, show_compiling
from trine.cli.commands.speech import option, say, tell, usage_error, usage_errors
from trine.cli.terminal.opponents import is_bot_with_level
from trine.core.clock import DAY, TimeControl
from trine.core.errors import MalformedError, TrineError
from trine.core.text.sentence import ntext, quoted, text
from trine.core.work.workers import Backend
from trine.engine.arena import report
from trine.engine.arena.contest import MARGIN
from trine.engine.arena.elo import MODELS, Sprt
from trine.engine.arena.match import Entrant, Match, parse_budget
from trine.engine.arena.opening_book import FILE_TURNS, parse_openings
from trine.engine.arena.run import Ledger, Started, run_match
from trine.engine.arena.schedule import parse_plan
from trine.engine.arena.standings import Standings
from trine.engine.players.bot_games import compiled_bots
from trine.engine.players.player import ForfeitError, PlayerFactory, transcripts_path
from trine.engine.protocol.players import open_player
from trine.engine.selfplay.selfplay_plan import SEED
from trine.games import open_room
from trine.play.tournament.tournament import Plan

_T = TypeVar("_T")

player_factory: PlayerFactory = open_player
"""The function that opens the players of all matches of this run."""


match_start_options = options.start_options(but=SEED)
"""The start options of all games, except the seed, because a match has its own."""

running_options = speech.options(
    options.hash_option,
    option(
        "--opening-turns",
        type=click.IntRange(0, 1000),
        default=FILE_TURNS,
        meaning=text("How many turns of each record in a file belong to the opening."),
    ),
    option(
        "--openings",
        metavar="WORDS",
        default="auto",
        meaning=text(
            "auto: what suits the game; start: none; random:N: N random turns; or a file "
            "of records or positions."
        ),
    ),
    options.workers_option,
    option("--seed", type=int, default=0, meaning=text("Seed of everything random.")),
    option(
        "--out",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        meaning=text("File for the records; if it exists, the match goes on from there."),
    ),
)


@speech.command(
    "match",
    text(
        "Play a match between two players, or a round robin of several. A PLAYER is "
        "bot:7 (a level), bot:NAME (a strategist) or engine:COMMAND; NAME=PLAYER "
        "gives it a name."
    ),
)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@option("--game", "game_name", metavar="GAME", required=True, meaning=text("GAME or GAME/RULES."))
@options.rules_option
@match_start_options
@option(
    "--games",
    type=click.IntRange(1),
    default=100,
    meaning=text(
        "How many games are played in each meeting; each opening is played from all seats."
    ),
)
@option(
    "--time",
    "times",
    metavar="TIME",
    multiple=True,
    meaning=text(
        "0.5s for each turn; 5+3 for 5 minutes and 3 seconds a turn, but with a decimal point, "
        "as in 10+0.1, both are seconds; or M/R/P/L/G/T. Once, or once for each player."
    ),
)
@option("--nodes", type=click.IntRange(1), multiple=True, meaning=text("Nodes for each turn."))
@option("--depth", type=click.IntRange(1), multiple=True, meaning=text("Depth for each turn."))
@option(
    "--sprt",
    type=float,
    nargs=2,
    metavar="ELO0 ELO1",
    meaning=text(
        "Stop as soon as a sequential test has decided which of two Elo differences is true."
    ),
)
@option(
    "--alpha", type=float, default=0.05, meaning=text("How often H1 may be accepted by mistake.")
)
@option(
    "--beta", type=float, default=0.05, meaning=text("How often H0 may be accepted by mistake.")
)
@option(
    "--model",
    type=click.Choice(MODELS),
    default=MODELS[0],
    meaning=text("Kind of Elo in --sprt: normalized by how much results vary, or logistic."),
)
@option(
    "--challenge",
    type=click.IntRange(1),
    metavar="WINS",
    meaning=text(
        "The first player challenges each of the others, and must win this many of --games "
        "against each."
    ),
)
@option(
    "--handicaps",
    default="",
    metavar="PIECES",
    meaning=text(
        "What those who are challenged leave out, game by game, such as "
        '"- camel horse,dog"; - is nothing. Where they differ: "dog horse camel / - - cat".'
    ),
)
@option(
    "--margin",
    type=options.FiniteRange(0, DAY),
    default=MARGIN,
    meaning=text("How many seconds longer than allowed a turn may take."),
)
@option(
    "--longest",
    type=click.IntRange(0),
    default=0,
    meaning=text("Turns after which a game is scored or drawn, where the game allows it."),
)
@option(
    "--report",
    "interval",
    type=click.IntRange(1),
    default=10,
    meaning=text("After how many games the statistics are shown."),
)
@running_options
def command(
    players: tuple[str, ...],
    game_name: str,
    rules: str | None,
    games: int,
    times: tuple[str, ...],
    nodes: tuple[int, ...],
    depth: tuple[int, ...],
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    model: str,
    challenge: int | None,
    handicaps: str,
    margin: float,
    longest: int,
    interval: int,
    out: Path | None,
    seed: int,
    backend: Backend,
    hash_mb: int,
    openings: str,
    opening_turns: int,
    **tags: str | None,
) -> None:
    with usage_errors():
        room, rule_set, start_tags = options.chosen_game(game_name, rules, tags)
        entrants, control = read_entrants(players, times, nodes, depth)
        match = Match(
            entrants,
            parse_openings(openings, room.name, rule_set, start_tags, opening_turns),
            seed=seed,
            hash_mb=hash_mb,
            control=control,
            margin=margin,
            max_turns=longest,
            today=date.today().isoformat(),
            plan=_plan(room.name, rule_set, games, challenge, handicaps, openings),
        )
        test = Sprt(*sprt, alpha=alpha, beta=beta, model=model) if sprt else None
        if test and ((len(match.entrants), len(match.seats)) != (2, 2) or match.plan):
            raise MalformedError("--sprt is for two players")
        standings = Standings(match.fixtures(games), match.seats, test)

    def results() -> str:
        if match.plan:
            return report.challenge_results(match, standings, say)
        return report.results(match, standings, say)

    conduct(match, standings, out, backend, interval, results)


def _plan(
    game_name: str, rules: str, games: int, wins: int | None, handicaps: str, openings: str
) -> Plan | None:
    """Return the plan if the match is a Challenge, else None; raises `TrineError`."""
    if wins is None:
        if handicaps:
            raise MalformedError("--handicaps are those of a --challenge")
        return None
    if handicaps and Path(openings).exists():
        raise MalformedError("openings of a file leave nothing to choose, and no handicaps")
    return parse_plan(game_name, rules, games, wins, handicaps)


def read_entrants(
    players: Sequence[str], times: Sequence[str], nodes: Sequence[int], depth: Sequence[int]
) -> tuple[tuple[Entrant, ...], TimeControl | None]:
    """Return the entrants with their limits, and the time control of the games.

    Raises:
        MalformedError: a limit cannot be read, or is given neither once nor once for each player.
    """
    if not (times or nodes or depth):
        times = ("1s",)
    count = len(players)
    limits = [_for_each(values, count) for values in (times, nodes, depth)]
    budgets = [
        parse_budget(time or "", most, deep) for time, most, deep in zip(*limits, strict=True)
    ]
    controls = {control for _, control in budgets}
    if len(controls) > 1:
        raise MalformedError(
            "all players need the same clock; for time odds, give each a number of seconds per turn"
        )
    entrants = []
    for argument, (budget, _) in zip(players, budgets, strict=True):
        name, sign, player = argument.partition("=")
        named = sign and ":" not in name  # the command of an engine can contain a sign too
        entrants.append(Entrant(name if named else argument, player if named else argument, budget))
    return tuple(entrants), controls.pop()


def _for_each(values: Sequence[_T], count: int) -> Sequence[_T | None]:
    if len(values) in (0, 1):
        return [values[0] if values else None] * count
    if len(values) != count:
        raise MalformedError(
            "give a limit once, or once for each of the {count} players", count=count
        )
    return values


def check_players(match: Match) -> None:
    """Open all players once, so that errors are reported before the first game.

    Their code is also compiled here, instead of in each worker process.

    Raises:
        click.UsageError: there is no such player.
        TrineError: a player cannot be opened.
    """
    players, room = [], open_room(match.openings.game)
    for entrant in match.entrants:
        try:
            bot = entrant.words.lower().partition("?")[0]
            if bot == "bot" or is_bot_with_level(bot):
                room.check_search(match.openings.first)
            with show_compiling(match.openings.game) as show:
                players.append(match.open(entrant, match.seed, player_factory, show))
                players[-1].close()
        except MalformedError as error:
            raise usage_error(error) from None
        except ForfeitError as error:
            raise TrineError(
                "{player}: {problem}", player=quoted(entrant.words), problem=error.message
            ) from None
    limits = {
        player: entrant.limits for player, entrant in zip(players, match.entrants, strict=True)
    }
    pairs = combinations(players, 2) if len(match.seats) == 2 and not match.control else ()
    if any(compiled_bots(pair, [limits[player] for player in pair]) for pair in pairs):
        compile_thinking(match.openings.game, games=True)


def conduct(
    match: Match,
    standings: Standings,
    out: Path | None,
    backend: Backend,
    interval: int,
    results: Callable[[], str],
) -> None:
    """Play a match, report its progress, and print its results, even if it is interrupted.

    Raises:
        TrineError: the match could not be completed; the results so far are printed first.
    """
    resumed = out is not None and out.exists()
    if not resumed:
        check_players(match)  # before the file is created
    ledger = Ledger.open(out, match.terms()) if out else Ledger.in_memory()
    broken_off, failure = False, None
    with closing(ledger):
        standings.load(ledger.records)
        if resumed and standings.missing():
            check_players(match)
        if ledger.records:
            played = ntext(
                "{count} game has been played already",
                "{count} games have been played already",
                len(ledger.records),
            )
            tell(played)
        try:
            games = len(standings.fixtures)
            events = run_match(match, standings, ledger, backend=backend, factory=player_factory)
            with _bar(len(standings.points), games) as (write, advance), closing(events):
                for event in events:
                    if isinstance(event, Started):
                        write(say(report.started(match, event.fixture, games)))
                        continue
                    write(say(report.finished(match, event)))
                    for lost in event.forfeits:
                        write(say(report.forfeited(lost)))
                    advance()
                    if len(standings.points) % interval == 0 and len(standings.points) < games:
                        write(results())
        except KeyboardInterrupt:
            broken_off = True
        except TrineError as error:
            failure = error
    click.echo(results())
    if standings.verdict:
        tell(report.verdict(standings))
    if match.plan:
        tell(report.challenge_conclusion(match, standings))
    elif len(match.entrants) == 2:
        tell(report.conclusion(match, standings))
    if out and (said := transcripts_path(out)).exists():
        tell(text("what programs said before they forfeited is in {file}", file=str(said)))
    if failure:
        raise failure
    if broken_off:
        sys.exit(130)


@contextmanager
def _bar(done: int, games: int) -> Iterator[tuple[Callable[[str], None], Callable[[], None]]]:
    """Show a bar at a terminal; yield a function that prints above it, and one that advances it."""
    with bars() as bar:
        task = bar.add_task("", completed=done, total=games)

        def tell(line: str) -> None:
            if bar.disable or not sys.stdout.isatty():
                click.echo(line)
            else:  # direct output would garble the bar
                console = bar.console
                console.print(line, markup=False, emoji=False, highlight=False, soft_wrap=True)

        yield tell, lambda: bar.advance(task)
