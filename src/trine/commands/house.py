"""`trine house`: what whoever runs a house does beside it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from platformdirs import user_data_path

from trine.commands.speech import lang_option, say
from trine.core.errors import FileError, TrineError
from trine.core.text import Text, text
from trine.core.words import quoted

if TYPE_CHECKING:
    from trine.store.store import Store


@click.group(
    "house",
    help=say(text("Look after a house: name administrators, check games, reckon ratings.")),
)
@lang_option
def command() -> None:
    """Look after a house."""


def data_option(of: Callable[..., Any]) -> Callable[..., Any]:
    """The folder of the house."""
    option = click.option(
        "--data",
        type=click.Path(path_type=Path, file_okay=False),
        help=say(text("Folder for the database and the records of games.")),
    )

    def opened(data: Path | None, **given: Any) -> None:
        with _store(data or user_data_path("trine", appauthor=False) / "house") as store:
            of(store, **given)

    return option(update_wrapper(opened, of))


@contextmanager
def _store(folder: Path) -> Iterator[Store]:
    from trine.store.store import Store  # it brings many libraries along

    path = folder / "house.db"
    if not path.is_file():
        raise FileError(text("there is no house in {folder}", folder=folder))
    with Store.open(path) as store:
        yield store


def _tell(sentence: Text) -> None:
    click.echo(say(sentence))


@command.command("admin", help=say(text("Make the account NAME an administrator.")))
@click.argument("name")
@click.option("--revoke", is_flag=True, help=say(text("Take the role away again.")))
@lang_option
@data_option
def admin(store: Store, name: str, revoke: bool) -> None:
    """Name an administrator."""
    from trine.house.accounts import ADMIN
    from trine.house.names import fold
    from trine.store.moderation_rows import AuditRow, add_audit

    account = store.account_named(fold(name))
    if not account:
        raise TrineError(text("no account has the name {given}", given=quoted(name)))
    if account.bot:
        raise TrineError(text("{name} is the account of a program", name=account.name))
    store.set_role(account.person, None if revoke else ADMIN).result()
    told = "revoked" if revoke else "named"
    row = AuditRow(time.time(), None, f"administrator {told}", account.person, "")
    store.write(partial(add_audit, row=row)).result()
    if revoke:
        _tell(text("{name} is no administrator any more", name=account.name))
    else:
        _tell(text("{name} is an administrator", name=account.name))


@command.command(
    "check", help=say(text("Replay every game of the house, and compare with what is stored."))
)
@lang_option
@data_option
def check(store: Store) -> None:
    """Check all games."""
    from trine.house.checking import problem_of

    count, wrong = 0, 0
    for game in store.all_games():
        count += 1
        if problem := problem_of(store, game):
            wrong += 1
            _tell(text("game {game}: {problem}", game=game.id, problem=problem))
    if wrong:
        raise TrineError(text("{wrong} of {count} games are wrong", wrong=wrong, count=count))
    _tell(text("all {count} games are in order", count=count))


@command.command(
    "ratings", help=say(text("Compare all ratings with those that the games lead to."))
)
@click.option(
    "--recompute", is_flag=True, help=say(text("Put the latter in the place of the former."))
)
@lang_option
@data_option
def ratings(store: Store, recompute: bool) -> None:
    """Reckon ratings anew."""
    from trine.house.ratings import recomputed

    before, after = store.all_ratings(), recomputed(store)
    differ = len(set(before) ^ set(after))
    _tell(
        text("{count} ratings; {differ} differ from those stored", count=len(after), differ=differ)
    )
    if recompute and before != after:
        store.replace_ratings(after).result()
        _tell(text("the ratings of the games are stored now"))
    elif differ:
        raise TrineError(text("to store the ratings of the games, add --recompute"))
