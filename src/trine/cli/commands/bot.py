"""`trine bot`: a program that plays at a house."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trine.cli.commands.options import machine_options
from trine.cli.commands.speech import lang_option, say, usage_error
from trine.core.errors import FileError, TrineError, system_words
from trine.core.text.sentence import Text, text
from trine.engine.players.levels import FULL
from trine.engine.players.opener import Settings
from trine.engine.players.player import Player
from trine.engine.protocol import api
from trine.engine.protocol.players import open_player
from trine.engine.protocol.ugi_player import UgiPlayer
from trine.games import ROOMS, known_rules, parse_game


@click.command(
    "bot",
    help=say(
        text(
            "Play at a house, in the name of an account of a program: with any program that "
            "speaks AEI or UGI, or with our own. Ctrl-C accepts no more challenges, finishes the "
            "games, and ends; pressed again it gives them up."
        )
    ),
)
@click.option(
    "--server",
    required=True,
    metavar="URL",
    help=say(text("Address of the house, such as https://example.org.")),
)
@click.option(
    "--token-file",
    "token_file",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help=say(text("File with a token of the account.")),
)
@click.option(
    "--engine", metavar="CMD", help=say(text("Command of a program that speaks AEI or UGI."))
)
@click.option(
    "--level", type=click.IntRange(1, FULL), help=say(text("Level of our own program, instead."))
)
@click.option(
    "--accept",
    multiple=True,
    metavar="GAME[/RULES]",
    help=say(
        text("What is accepted; if not given, Arimaa by the official rules, with --level all.")
    ),
)
@click.option(
    "--only", type=click.Choice(["rated", "casual"]), help=say(text("Only games of this kind."))
)
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="NAME",
    help=say(text("Only challenges of this account.")),
)
@click.option(
    "--untimed",
    is_flag=True,
    help=say(text("Accept games without a clock, or by correspondence, too.")),
)
@click.option(
    "--games",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help=say(text("How many games are played at once.")),
)
@click.option(
    "--think",
    metavar="SECONDS",
    type=click.FloatRange(0, min_open=True),
    default=5.0,
    show_default=True,
    help=say(text("Seconds for a turn of a game without a clock.")),
)
@click.option(
    "--at-end",
    type=click.Choice(["finish", "resign"]),
    default="finish",
    show_default=True,
    help=say(text("What becomes of running games at the first Ctrl-C.")),
)
@click.option(
    "--challenge", metavar="NAME", help=say(text("Challenge an account, to what is accepted."))
)
@click.option("--clock", default="5+5", show_default=True, help=say(text("Clock of a challenge.")))
@click.option("--rated", is_flag=True, help=say(text("Challenge to rated games.")))
@click.option(
    "--rounds",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    help=say(text("How many games to challenge to, one after the other.")),
)
@click.option("--tournament", metavar="ID", help=say(text("Join a tournament, and play in it.")))
@machine_options
@lang_option
def command(
    server: str,
    token_file: Path,
    engine: str | None,
    level: int | None,
    accept: tuple[str, ...],
    only: str | None,
    sources: tuple[str, ...],
    untimed: bool,
    games: int,
    think: float,
    at_end: str,
    challenge: str | None,
    clock: str,
    rated: bool,
    rounds: int,
    tournament: str | None,
    threads: int,
    hash_mb: int,
) -> None:
    """Play at a house."""
    from trine.cli.away.link import Link
    from trine.cli.away.visit import Wishes, visit

    if (engine is None) == (level is None):
        raise click.UsageError(say(text("give either --engine or --level")))
    settings = Settings(hash_mb, threads)

    def opened(game: str) -> Player:
        if engine is not None:
            return open_player(f"engine:{engine}", game, settings)
        own = [sys.executable, "-m", "trine", "ugi", "--level", str(level)]
        return UgiPlayer(own, game, settings={"hash": hash_mb, "threads": threads})

    try:
        accepted = [_known(name) for name in accept or _usual(engine)]
        link = Link(server, _token(token_file))
        opened(accepted[0]).close()  # so that what is wrong with it is said at once
        wanted = None
        if challenge:
            game, _, rules = accepted[0].partition("/")
            wanted = api.NewChallenge(challenge, game, rules, {}, clock, rated)
    except FileError:
        raise
    except TrineError as error:
        raise usage_error(error) from None
    wishes = Wishes(
        accepted,
        only or "",
        frozenset(name.lower() for name in sources),
        untimed,
        games,
        think,
        at_end == "resign",
        wanted,
        rounds,
        (tournament or "").rpartition("/")[2],
    )
    visit(link, wishes, opened, _tell)


def _usual(engine: str | None) -> tuple[str, ...]:
    """Return the games accepted by default: only Arimaa for a program that speaks AEI."""
    return ROOMS if engine is None else ("arimaa/official",)


def _known(name: str) -> str:
    room, rules = parse_game(name)
    return f"{room.name}/{known_rules(room, rules)}" if rules else room.name


def _token(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(
            text("{file} cannot be read: {problem}", file=file, problem=system_words(error))
        ) from None


def _tell(sentence: Text) -> None:
    click.echo(say(sentence))
    sys.stdout.flush()
