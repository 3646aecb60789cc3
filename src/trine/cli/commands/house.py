"""`trine house`: the maintenance of a house."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from trine.cli.commands import house_copies, house_farming, speech
from trine.cli.commands.house_place import store_option
from trine.cli.commands.speech import option, say
from trine.core.errors import TrineError
from trine.core.text.sentence import Text, text
from trine.core.text.words import quoted

if TYPE_CHECKING:
    from trine.house.store.store import Store


@speech.group(
    "house", text("Look after a house: name administrators, check games, reckon ratings.")
)
def command() -> None:
    """Look after a house."""


def _tell(sentence: Text) -> None:
    click.echo(say(sentence))


@speech.command("admin", text("Make the account NAME an administrator."), of=command)
@click.argument("name")
@option("--revoke", is_flag=True, words=text("Take the role away again."))
@store_option
def admin(store: Store, name: str, revoke: bool) -> None:
    from trine.house.moderation.tables import AuditRow, add_audit
    from trine.house.people.names import fold
    from trine.house.people.tables import ADMIN_ROLE, account_named, set_role

    account = store.read(account_named, fold(name))
    if not account:
        raise TrineError(text("no account has the name {given}", given=quoted(name)))
    if account.bot:
        raise TrineError(text("{name} is the account of a program", name=account.name))
    store.write(set_role, account.person, None if revoke else ADMIN_ROLE).result()
    told = "revoked" if revoke else "named"
    row = AuditRow(time.time(), None, f"administrator {told}", account.person, "")
    store.write(add_audit, row=row).result()
    if revoke:
        _tell(text("{name} is no administrator any more", name=account.name))
    else:
        _tell(text("{name} is an administrator", name=account.name))


@speech.command(
    "password",
    text("Make a link by which the owner of the account NAME sets a new password."),
    of=command,
)
@click.argument("name")
@option(
    "--origin",
    default="http://localhost:8040",
    show_default=True,
    metavar="URL",
    words=text("Where people reach the house."),
)
@option("--lost", is_flag=True, words=text("The second factor is lost, too."))
@store_option
def password(store: Store, name: str, origin: str, lost: bool) -> None:
    from trine.house.letters.letters import reset_by_hand
    from trine.house.moderation.tables import AuditRow, add_audit
    from trine.house.people.names import fold
    from trine.house.people.tables import account_led_to

    account = store.read(account_led_to, fold(name))
    if not account:
        raise TrineError(text("no account has the name {given}", given=quoted(name)))
    path = store.write(reset_by_hand, account.person, time.time(), lost=lost).result()
    told = "second factor" if lost else ""
    row = AuditRow(time.time(), None, "password link", account.person, told)
    store.write(add_audit, row=row).result()
    click.echo(f"{origin.rstrip('/')}{path}")
    _tell(text("good once, and for a day"))


@speech.command(
    "check", text("Replay every game of the house, and compare with what is stored."), of=command
)
@store_option
def check(store: Store) -> None:
    from trine.house.games.records import problem_of
    from trine.house.games.tables import all_games

    count, wrong = 0, 0
    for game in all_games(store):
        count += 1
        if problem := problem_of(store, game):
            wrong += 1
            _tell(text("game {game}: {problem}", game=game.id, problem=problem))
    if wrong:
        raise TrineError(text("{wrong} of {count} games are wrong", wrong=wrong, count=count))
    _tell(text("all {count} games are in order", count=count))


@speech.command(
    "ratings", text("Compare all ratings with those that the games lead to."), of=command
)
@option("--recompute", is_flag=True, words=text("Put the latter in the place of the former."))
@store_option
def ratings(store: Store, recompute: bool) -> None:
    from trine.house.ratings.recount import recomputed
    from trine.house.ratings.tables import all_ratings, replace_ratings

    before, after = store.read(all_ratings), recomputed(store)
    differ = len(set(before) ^ set(after))
    _tell(
        text("{count} ratings; {differ} differ from those stored", count=len(after), differ=differ)
    )
    if recompute and before != after:
        store.write(replace_ratings, after).result()
        _tell(text("the ratings of the games are stored now"))
    elif differ:
        raise TrineError(text("to store the ratings of the games, add --recompute"))


for one in (*house_copies.COMMANDS, *house_farming.COMMANDS):
    command.add_command(one)
