"""`trine house`: ratings that rose strangely, and games that are to count for nobody."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import click

from trine.cli.commands import speech
from trine.cli.commands.house_place import store_option
from trine.cli.commands.speech import option, say
from trine.core.errors import TrineError
from trine.core.text.sentence import ntext, text
from trine.core.text.words import quoted

if TYPE_CHECKING:
    from trine.house.store.store import Store

DAYS: Final = 7
_days = option(
    "--days",
    type=click.IntRange(1, 3650),
    default=DAYS,
    show_default=True,
    words=text("The last days to look at."),
)


@speech.command("climbers", text("List people whose ratings rose strangely, with the games."))
@_days
@store_option
def climbers(store: Store, days: int) -> None:
    from trine.house.moderation import farming
    from trine.house.ratings.ratings import DAY

    now = time.time()
    found = store.read(farming.climbers, now - days * DAY, now)
    for one in found:
        reasons = "; ".join(say(reason) for reason in one.reasons)
        click.echo(f"{one.name}  {one.rise:+.0f}  {reasons}")
        for other in one.against:
            games = " ".join(game.game for game in other.games)
            click.echo(f"  {other.name}  {say(other.told)}  {games}")
    if not found:
        click.echo(say(text("Nothing of the kind.")))


@speech.command(
    "annul",
    text(
        "Let rated GAMES count for nobody, or all between two people, and reckon the ratings "
        "since anew."
    ),
)
@click.argument("games", nargs=-1)
@option("--between", nargs=2, metavar="NAME NAME", words=text("All games of these two."))
@_days
@option("--undo", is_flag=True, words=text("Let GAMES count again."))
@store_option
def annul(
    store: Store, games: tuple[str, ...], between: tuple[str, str] | None, days: int, undo: bool
) -> None:
    from trine.house.moderation import farming
    from trine.house.people.names import fold
    from trine.house.people.tables import account_led_to
    from trine.house.ratings.ratings import DAY

    if bool(games) == bool(between) or (between and undo):
        raise TrineError(text("name games, or --between two people"))
    chosen = [*games]
    now = time.time()
    if between:
        people = []
        for name in between:
            account = store.read(account_led_to, fold(name))
            if not account:
                raise TrineError(text("no account has the name {given}", given=quoted(name)))
            people.append(account.person)
        chosen = farming.games_between(store, people[0], people[1], now - days * DAY)
    if undo:
        done = farming.allow(store, chosen, None, now)
        told = ntext("{count} game counts again", "{count} games count again", len(done))
    else:
        done = farming.annul(store, chosen, None, now)
        told = ntext(
            "{count} game counts for nobody now", "{count} games count for nobody now", len(done)
        )
    for game in chosen:
        if game not in done:
            click.echo(say(text("game {game} is none of these", game=game)), err=True)
    click.echo(say(told))


COMMANDS: Final = (climbers, annul)
