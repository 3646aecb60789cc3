"""`trine bot`: letting a program play at a house."""

import sys
from pathlib import Path
from typing import Any

import click

from trine.cli.commands import speech
from trine.cli.commands.options import SECONDS, hash_option
from trine.cli.commands.speech import option, tell, usage_error
from trine.core.errors import FileError, TrineError, system_words
from trine.core.text.sentence import text
from trine.engine.players.player import FULL, Player, PlayerResources
from trine.engine.protocol import api
from trine.engine.protocol.players import open_player
from trine.engine.protocol.ugi import UgiPlayer
from trine.games import ROOMS, known_rules, parse_game


@speech.command(
    "bot",
    text(
        "Play at a house with the account of a program: with any program that speaks "
        "AEI or UGI, or with our own. Ctrl-C accepts no more challenges and exits "
        "after the running games; pressed again, it resigns them."
    ),
)
@option(
    "--server",
    required=True,
    metavar="URL",
    meaning=text("Address of the house, such as https://example.org."),
)
@option(
    "--token-file",
    "token_file",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    meaning=text("File with a token of the account."),
)
@option("--engine", metavar="CMD", meaning=text("Command of a program that speaks AEI or UGI."))
@option("--level", type=click.IntRange(1, FULL), meaning=text("Level of our own program, instead."))
@option(
    "--accept",
    multiple=True,
    metavar="GAME[/RULES]",
    meaning=text(
        "Games to accept; by default Arimaa by the official rules, with --level all games."
    ),
)
@option("--only", type=click.Choice(["rated", "casual"]), meaning=text("Only games of this kind."))
@option(
    "--from",
    "sources",
    multiple=True,
    metavar="NAME",
    meaning=text("Only challenges of this account."),
)
@option(
    "--untimed",
    is_flag=True,
    meaning=text("Accept games without a clock, or by correspondence, too."),
)
@option(
    "--games",
    "max_games",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    meaning=text("Number of games to play at once."),
)
@option(
    "--think",
    metavar="SECONDS",
    type=SECONDS,
    default=5.0,
    show_default=True,
    meaning=text("Seconds for a turn of a game without a clock."),
)
@option(
    "--challenge",
    metavar="NAME",
    meaning=text("Challenge an account to the first game of --accept."),
)
@option("--clock", default="5+5", show_default=True, meaning=text("Clock of a challenge."))
@option("--rated", is_flag=True, meaning=text("Challenge to rated games."))
@option(
    "--rounds",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    meaning=text("Number of games to challenge to, one after the other."),
)
@option(
    "--tournament", metavar="ID", default="", meaning=text("Join a tournament, and play in it.")
)
@hash_option
def command(
    server: str,
    token_file: Path,
    engine: str | None,
    level: int | None,
    accept: tuple[str, ...],
    sources: tuple[str, ...],
    challenge: str | None,
    clock: str,
    rated: bool,
    tournament: str,
    hash_mb: int,
    **settings: Any,
) -> None:
    from trine.cli.away.api_client import ApiClient
    from trine.cli.away.bot_runner import BotRunner, BotSettings

    if (engine is None) == (level is None):
        raise usage_error(text("give either --engine or --level"))
    resources = PlayerResources(hash_mb)

    def open_game(game_name: str) -> Player:
        if engine is not None:
            return open_player(f"engine:{engine}", game_name, resources)
        own = [sys.executable, "-m", "trine", "ugi", "--level", str(level)]
        return UgiPlayer(own, game_name, settings={"hash": hash_mb})

    try:
        usual = ROOMS if engine is None else ("arimaa/official",)  # a program may speak only AEI
        accepted = [_full_name(name) for name in accept or usual]
        client = ApiClient(server, _token(token_file))
        open_game(accepted[0]).close()  # reports a faulty program before anything is sent
        new_challenge = None
        if challenge:
            game_name, _, rules = accepted[0].partition("/")
            new_challenge = api.NewChallenge(challenge, game_name, rules, {}, clock, rated)
    except FileError:
        raise
    except TrineError as error:
        raise usage_error(error) from None
    bot_settings = BotSettings(
        accepted,
        sources=frozenset(name.lower() for name in sources),
        challenge=new_challenge,
        tournament=tournament.rpartition("/")[2],
        **settings,
    )
    BotRunner(client, bot_settings, open_game, tell).run()


def _full_name(name: str) -> str:
    room, rules = parse_game(name)
    return f"{room.name}/{known_rules(room, rules)}" if rules else room.name


def _token(file: Path) -> str:
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(
            "{file} cannot be read: {problem}", file=file, problem=system_words(error)
        ) from None
    if not (token and token.isascii() and token.isprintable()):
        raise FileError("{file} is no token: expected one line, as the house shows it", file=file)
    return token
