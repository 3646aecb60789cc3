"""`trine house`: maintaining a house."""

from __future__ import annotations

import json
import time
from dataclasses import MISSING, fields
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from trine.cli.commands import house_copies, speech
from trine.cli.commands.house_place import HousePlace, place_options, store_option
from trine.cli.commands.speech import option, say, tell
from trine.core.clock import DAY
from trine.core.errors import TrineError
from trine.core.text.sentence import ntext, quoted, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from trine.house.store.store import Store


@speech.group(
    "house", text("Manage a house: appoint administrators, check games, recompute ratings.")
)
def command() -> None: ...


@speech.command("admin", text("Make the account NAME an administrator."), of=command)
@click.argument("name")
@option("--revoke", is_flag=True, meaning=text("Take the role away again."))
@store_option
def admin(store: Store, name: str, revoke: bool) -> None:
    from trine.house.moderation.tables import AuditRow, with_audit
    from trine.house.people.names import fold
    from trine.house.people.tables import ADMIN_ROLE, account_named, set_role

    account = store.read(account_named, fold(name))
    if not account:
        raise TrineError("no account has the name {given}", given=quoted(name))
    if account.bot:
        raise TrineError("{name} is the account of a program", name=account.name)
    action = "revoked" if revoke else "named"
    row = AuditRow(
        at=time.time(), actor=None, what=f"administrator {action}", person=account.person, detail=""
    )
    write = partial(set_role, person_id=account.person, role=None if revoke else ADMIN_ROLE)
    store.write(with_audit(write, row)).result()
    if revoke:
        tell(text("{name} is no administrator any more", name=account.name))
    else:
        tell(text("{name} is an administrator", name=account.name))


def _person_id(store: Store, name: str) -> str:
    """Return the id of the person whose account has, or had, a name; raises `TrineError`."""
    from trine.house.people.names import fold
    from trine.house.people.tables import find_account

    if account := store.read(find_account, fold(name)):
        return account.person
    raise TrineError("no account has the name {given}", given=quoted(name))


LOCAL: Final = "http://localhost:8040"  # the default address of a house, for its own machine
_origin: Final = option(
    "--origin",
    default="",
    metavar="URL",
    meaning=text(
        "The address at which people reach the house; if not given, the one in house.toml."
    ),
)


@speech.command(
    "password",
    text("Create a link for the owner of the account NAME to set a new password."),
    of=command,
)
@click.argument("name")
@_origin
@option("--lost", is_flag=True, meaning=text("The second factor is lost, too."))
@place_options
def password(place: HousePlace, name: str, origin: str, lost: bool) -> None:
    address = _address_of(place, origin)
    with place.open_store() as store:
        person_id = _person_id(store, name)
        _show_link(store, lambda _: person_id, address, "password link", lost=lost)


def _address_of(place: HousePlace, origin: str) -> str:
    """Return the beginning of links: ``origin``, or else the address in the settings."""
    from trine.house.notify.mail import base_url_of

    return origin.rstrip("/") or base_url_of(place.settings)


def _show_link(
    store: Store,
    get_person_id: Callable[[Connection], str],
    base_url: str,
    reason: str,
    *,
    lost: bool = False,
) -> None:
    """Show a link for setting a password, and record it with a reason in the audit log.

    ``get_person_id`` runs in the same transaction, and may create the person.
    """
    from trine.house.moderation.tables import AuditRow, add_audit
    from trine.house.notify.emails import reset_by_hand

    now, note = time.time(), "second factor" if lost else ""

    def make(connection: Connection) -> str:
        person = get_person_id(connection)
        add_audit(connection, AuditRow(at=now, actor=None, what=reason, person=person, detail=note))
        return reset_by_hand(connection, person, now, lost=lost)

    path = store.write(make).result()
    click.echo(f"{base_url or LOCAL}{path}")
    tell(text("the link works once, within a day"))
    if not base_url:
        tell(text("house.toml has no address of the house; add one, or --origin"), err=True)


@speech.command(
    "account",
    text("Create an account NAME, and a link for its owner to set a password."),
    of=command,
)
@click.argument("name")
@_origin
@place_options
def account(place: HousePlace, name: str, origin: str) -> None:
    from trine.house.people.names import account_name, fold
    from trine.house.people.tables import create_account, create_guest

    address, display_name, now = _address_of(place, origin), account_name(name), time.time()

    def make(connection: Connection) -> str:
        person_id = create_guest(connection, display_name, now).id
        create_account(connection, person_id, display_name, fold(display_name), "", now)
        return person_id

    with place.open_store() as store:
        _show_link(store, make, address, "account made")


@speech.command(
    "accounts",
    text("List the accounts of a house: name, role, since when, last login."),
    of=command,
)
@store_option
def accounts(store: Store) -> None:
    from trine.house.people.tables import list_accounts
    from trine.house.web.pages import day

    for name, role, since, seen in store.read(list_accounts):
        click.echo(f"{name}  {role or '-'}  {day(since)}  {day(seen) if seen else '-'}")


@speech.command(
    "rename",
    text("Give the account NAME the name NEW; the former one leads to it, and stays taken."),
    of=command,
)
@click.argument("name")
@click.argument("new")
@store_option
def rename(store: Store, name: str, new: str) -> None:
    from trine.house.people.accounts import RENAMED
    from trine.house.people.names import account_name, fold
    from trine.house.people.tables import rename_account

    person_id, new_name = _person_id(store, name), account_name(new)
    _ask_house(
        store,
        RENAMED,
        person_id,
        name,
        partial(
            rename_account,
            person_id=person_id,
            name=new_name,
            folded=fold(new_name),
            now=time.time(),
        ),
    )
    tell(text("{name} is now called {new}", name=name, new=new_name))


@speech.command(
    "close",
    text(
        "Close the account NAME for ever: its running games are resigned, the others stay "
        "without the name. A closed house does this when it is opened."
    ),
    of=command,
)
@click.argument("name")
@option("--yes", is_flag=True, meaning=text("Do not ask."))
@store_option
def close(store: Store, name: str, yes: bool) -> None:
    from trine.house.people.accounts import CLOSED

    person_id = _person_id(store, name)
    if not yes:
        click.confirm(say(text("Close the account {name} for ever?", name=name)), abort=True)
    _ask_house(store, CLOSED, person_id, "")
    tell(text("the house will close the account {name} as soon as it runs", name=name))


def _ask_house(
    store: Store,
    kind: str,
    person_id: str,
    note: str,
    first: Callable[[Connection], None] | None = None,
) -> None:
    """Write a change of an account, and schedule what the running house has to do for it.

    ``first`` writes the change; the task and an entry in the audit log are in the same transaction.
    """
    from trine.house.moderation.tables import AuditRow, add_audit
    from trine.house.store.scheduled_tasks import schedule

    now = time.time()
    row = AuditRow(at=now, actor=None, what=kind, person=person_id, detail=note)

    def write(connection: Connection) -> None:
        if first:
            first(connection)
        add_audit(connection, row)
        schedule(connection, kind, person_id, now)

    store.write(write).result()


@speech.command(
    "settings",
    text("Show each setting of a house in the notation of house.toml, and where it comes from."),
    of=command,
)
@place_options
def settings(place: HousePlace) -> None:
    from trine.house.house_settings import given_in, read_section
    from trine.house.server import SETTINGS

    folder = place.settings
    for section, kind in SETTINGS.items():
        stored = given_in(folder, section, kind)
        used = read_section(folder, section, kind)
        click.echo(f"[{section}]" + ("" if used else f"  # {say(text('not in use'))}"))
        for setting in fields(kind):
            value = getattr(
                used, setting.name, None if setting.default is MISSING else setting.default
            )
            if setting.name == "password" and value:
                value = "***"
            as_json = json.dumps(value, ensure_ascii=False) if value is not None else '""'
            source = stored[setting.name].source if setting.name in stored else say(text("usual"))
            click.echo(f"{setting.name} = {as_json}  # {source}")


@speech.command(
    "check", text("Replay every game of the house, and compare with what is stored."), of=command
)
@store_option
def check(store: Store) -> None:
    from trine.house.games.storage.records import problem_of
    from trine.house.games.storage.tables import all_games

    count, wrong = 0, 0
    for game in all_games(store):
        count += 1
        if problem := problem_of(store, game):
            wrong += 1
            tell(text("game {game}: {problem}", game=game.id, problem=problem))
    if wrong:
        raise TrineError("{wrong} of {count} games are wrong", wrong=wrong, count=count)
    tell(text("all {count} games are in order", count=count))


@speech.command(
    "ratings", text("Compare all ratings with those computed from the games."), of=command
)
@option(
    "--recompute", is_flag=True, meaning=text("Replace the stored ratings with the computed ones.")
)
@store_option
def ratings(store: Store, recompute: bool) -> None:
    from trine.house.ratings.recount import recompute_ratings
    from trine.house.ratings.tables import all_ratings, replace_ratings

    before, after = store.read(all_ratings), recompute_ratings(store)
    differ = len(set(before) ^ set(after))
    tell(
        text("{count} ratings; {differ} differ from those stored", count=len(after), differ=differ)
    )
    if recompute and before != after:
        store.write(replace_ratings, after).result()
        tell(text("the ratings computed from the games are stored now"))
    elif differ:
        raise TrineError("to store the ratings computed from the games, add --recompute")


@speech.command(
    "annul",
    text("Annul rated GAMES, or all games between two people, and recompute the ratings since."),
    of=command,
)
@click.argument("games", nargs=-1)
@option("--between", nargs=2, metavar="NAME NAME", meaning=text("All games of these two."))
@option("--of", "whose", metavar="NAME", meaning=text("All games of this person against people."))
@option(
    "--days",
    type=click.IntRange(1, 3650),
    default=7,
    show_default=True,
    meaning=text("The last days to look at."),
)
@option("--undo", is_flag=True, meaning=text("Reinstate GAMES."))
@store_option
def annul(
    store: Store,
    games: tuple[str, ...],
    between: tuple[str, str] | None,
    whose: str | None,
    days: int,
    undo: bool,
) -> None:
    from trine.house.moderation import farming

    if sum(map(bool, (games, between, whose))) != 1 or (undo and not games):
        raise TrineError("name games, or --between two people, or --of one")
    chosen = [*games]
    now = time.time()
    if between:
        first, second = (_person_id(store, name) for name in between)
        chosen = farming.games_between(store, first, second, now - days * DAY)
    elif whose:
        chosen = farming.games_between(store, _person_id(store, whose), None, now - days * DAY)
    if undo:
        changed = farming.reinstate(store, chosen, None, now)
        message = ntext("{count} game counts again", "{count} games count again", len(changed))
    else:
        changed = farming.annul(store, chosen, None, now)
        message = ntext(
            "{count} game is annulled now", "{count} games are annulled now", len(changed)
        )
    for game in chosen:
        if game not in changed:
            tell(text("game {game} is none of these", game=game), err=True)
    tell(message)


for one in house_copies.COMMANDS:
    command.add_command(one)
