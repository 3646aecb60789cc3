"""Accounts: how people become known, come back, and leave."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from trine.core.errors import IllegalError, TrineError
from trine.core.text import text
from trine.house.agreement import Agreement
from trine.house.asked import Asked
from trine.house.export import entries_of, record_text
from trine.house.guests import bring_games
from trine.house.names import account_name, fold, seemly
from trine.house.passwords import Passwords
from trine.house.refusals import HouseError
from trine.session.changes import rebuilt
from trine.store.account_rows import Account
from trine.store.addresses import address_of
from trine.store.chat_rows import ChatLine, lines_of
from trine.store.devices import devices_of
from trine.store.game_rows import Stage
from trine.store.passkeys import passkeys_of
from trine.store.people import Person, Session
from trine.store.refusals import NameTakenError
from trine.store.store import Store

if TYPE_CHECKING:
    from trine.house.house import House

ADMIN: Final = "admin"
"""The role of an administrator."""
ALL: Final = 1_000_000
"""More games than anybody plays."""


class WrongError(HouseError):
    """A name or a password is wrong; it is not said which."""

    def __init__(self) -> None:
        super().__init__(text("the name or the password is wrong"))


class Accounts:
    """The accounts of a house."""

    def __init__(self, house: House, passwords: Passwords) -> None:
        self._house = house
        self._store: Store = house.store
        self.passwords: Final = passwords

    # --- coming and going -------------------------------------------------------------------------

    async def register(
        self, guest: Person | None, name: str, password: str, token: str = ""
    ) -> tuple[Person, str]:
        """Create an account, for a guest who has played already or for somebody new.

        Returns: the person, and a new token; the one before is no longer good.

        Raises:
            TrineError: the name or the password cannot be had, or there is an account already.
        """
        shown = account_name(name)
        if guest and guest.has_account:
            raise HouseError(text("you have an account already; log out first"))
        hashed = await self.passwords.hash(password)
        if fold(password) == fold(shown):
            raise HouseError(text("the password must not be the name"))
        if await asyncio.to_thread(self._store.accounts.named, fold(shown)):
            raise NameTakenError
        if not guest:
            guest = await asyncio.wrap_future(self._store.people.create_guest(shown))
        await asyncio.wrap_future(self._store.accounts.create(guest.id, shown, fold(shown), hashed))
        return await self.admit(guest.id, token)

    async def log_in(self, name: str, password: str, token: str = "") -> tuple[Person, str]:
        """Let somebody in who knows the password.

        Returns: the person, and a new token; the one before is no longer good.

        Raises:
            WrongError: the name or the password is wrong; it takes as long as if they were right.
        """
        account = await asyncio.to_thread(self._store.accounts.named, fold(name))
        if not await self.passwords.is_right(account.password if account else None, password):
            raise WrongError
        assert account
        if self.passwords.is_old(account.password):
            hashed = await self.passwords.hash(password)
            await asyncio.wrap_future(
                self._store.accounts.set_password(account.person, hashed, account.password)
            )
        return await self.admit(account.person, token)

    async def admit(self, person: str, token: str) -> tuple[Person, str]:
        """Begin a session: the person, and a new token; the one before is no longer good.

        What a guest has, whose that one was, comes along.

        Raises:
            HouseError: the person is kept out.
        """
        self._house.moderation.check_not_banned(person)
        admitted = await asyncio.to_thread(self._store.people.get, person)
        assert admitted
        if token:
            await bring_games(self._house, await self._house.person_of(token), admitted)
            await self.log_out(token)
        new = await asyncio.wrap_future(self._store.people.create_token(person))
        return admitted, new

    async def log_out(self, token: str) -> None:
        """Have a token recognised no more."""
        await asyncio.wrap_future(self._store.people.drop_token(token))

    # --- changing ---------------------------------------------------------------------------------

    async def of(self, person: Person | None) -> Account | None:
        """The account of somebody; None for guests."""
        if not person or not person.has_account:
            return None
        return await asyncio.to_thread(self._store.accounts.of, person.id)

    async def named(self, name: str) -> Account | None:
        """The account of a name, or None."""
        return await asyncio.to_thread(self._store.accounts.named, fold(name))

    async def _sure(self, person: Person, password: str, session: str) -> Account:
        """The account of somebody who knows its password; without one a passkey has to show it."""
        account = await self.of(person)
        if account and not account.password:
            if not await self._house.passkeys.is_proven(person, session):
                raise HouseError(text("confirm with a passkey that it is you"))
            return account
        if not await self.passwords.is_right(account.password if account else None, password):
            raise HouseError(text("the password is wrong"))
        assert account
        return account

    async def check_password(self, person: Person, password: str, session: str = "") -> None:
        """Make sure that somebody knows the password, or has just used a passkey.

        Args: ``session`` is the token of whoever asks.

        Raises:
            HouseError: it is wrong.
        """
        await self._sure(person, password, session)

    async def change_password(self, person: Person, old: str, new: str, session: str = "") -> str:
        """Change a password; whoever was logged in elsewhere is not any more. A new token."""
        hashed = await self.passwords.hash(new)
        account = await self._sure(person, old, session)
        if fold(new) == account.folded:
            raise HouseError(text("the password must not be the name"))
        done = self._store.accounts.set_password(person.id, hashed, account.password)
        if not await asyncio.wrap_future(done):
            raise WrongError
        await asyncio.wrap_future(self._store.people.end_sessions(person.id))
        return (await self.admit(person.id, ""))[1]

    async def rename(self, person: Person, name: str) -> None:
        """Give somebody another name, which nobody has who has an account."""
        if person.has_account:
            shown = account_name(name)
            await asyncio.wrap_future(self._store.accounts.rename(person.id, shown, fold(shown)))
            return
        shown = await self.free_name(name)
        await asyncio.wrap_future(self._store.people.rename(person.id, shown))

    async def free_name(self, name: str) -> str:
        """A name for a guest, as it is shown.

        Raises:
            TrineError: it is none, or that of an account.
        """
        shown = seemly(name)
        if await asyncio.to_thread(self._store.accounts.named, fold(shown)):
            raise NameTakenError
        return shown

    # --- sessions ---------------------------------------------------------------------------------

    async def sessions(self, person: Person) -> Sequence[Session]:
        """The browsers in which somebody is recognised, the newest first."""
        return await self.sessions_of(person.id)

    async def sessions_of(self, person: str) -> Sequence[Session]:
        """The browsers in which the person of an id is recognised, the newest first."""
        return await asyncio.to_thread(self._store.people.sessions_of, person)

    async def end(self, person: Person, hashed: str) -> None:
        """Recognise somebody in one browser no more."""
        await asyncio.wrap_future(self._store.people.end_session(person.id, hashed))

    # --- data -------------------------------------------------------------------------------------

    async def export(self, person: Person) -> bytes:
        """All that the house keeps of somebody: a ZIP file of JSON, and of records."""
        return await asyncio.to_thread(self._export, person)

    def _export(self, person: Person) -> bytes:
        store = self._store
        account = store.accounts.of(person.id)
        about: dict[str, Any] = {
            "person": asdict(person),
            "account": {"role": account.role, "since": account.since} if account else None,
            "chat": [asdict(line) for line in self._said(person)],
            "passkeys": [
                {"name": one.name, "made": one.made_at, "used": one.used_at}
                for one in store.read(passkeys_of, person=person.id)
            ],
            "devices": [
                {"endpoint": one.endpoint, "language": one.language, "made": one.made_at}
                for one in store.read(devices_of, person=person.id)
            ],
            "sessions": [one.created_at for one in store.people.sessions_of(person.id)],
            "ratings": [asdict(row) for row in store.ratings_of(person.id)],
            "tournaments": [
                {"id": row.id, "name": row.name, "owner": row.owner == person.id}
                for row in store.tournaments.of_person(person.id, ALL)
            ],
        }
        if address := store.read(address_of, person=person.id):
            about["address"] = {"email": address.email, "wanted": address.wanted}
        games = []
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
            for game in store.games_of(person.id, ALL):
                seats = [n for n, s in enumerate(store.seats(game.id)) if s.person == person.id]
                rows = store.conditions_of(game.id)
                games.append(
                    {
                        "id": game.id,
                        "terms": dict(game.terms),
                        "seats": seats,
                        "conditions": [asdict(row) for row in rows if row.seat in seats],
                    }
                )
                if entries := entries_of(store.events(game.id)):
                    board = rebuilt(entries).play.start.seats
                    files.writestr(f"games/{game.id}.trine", record_text(entries, board))
            for study in store.studies.of(person.id, ALL):
                files.writestr(f"analyses/{study.id}.trine", study.record)
            told = json.dumps({**about, "games": games}, ensure_ascii=False, indent=1)
            files.writestr("about-you.json", told)
        return packed.getvalue()

    def _said(self, person: Person) -> Sequence[ChatLine]:
        return self._store.read(lines_of, person=person.id, limit=ALL)

    async def delete(self, person: Person, password: str, session: str = "") -> None:
        """Delete an account; running games are given up, and the others stay without the name."""
        await self._sure(person, password, session)
        await self._house.tournaments.forget(person)
        games = await asyncio.to_thread(self._store.games_of, person.id, ALL)
        for game in games:
            if game.stage is not Stage.OVER:
                await self._give_up(game.id, person)
        tags = {}
        for game in games:
            board = Agreement.from_data(game.terms).terms().start.seats
            seats = await asyncio.to_thread(self._store.seats, game.id)
            tags[game.id] = {
                number: board[number].tag
                for number, seat in enumerate(seats)
                if seat.person == person.id
            }
        await asyncio.wrap_future(self._store.accounts.delete(person.id, tags))
        for name, own in tags.items():
            await self._house.take_name_off(name, own)

    async def _give_up(self, game: str, person: Person) -> None:
        host = await self._house.host(game, move=True)
        try:
            await host.abort(Asked(person.id))
        except IllegalError:
            try:
                await host.resign(Asked(person.id))
            except TrineError as error:
                self._house.report("a game could not be given up", error, game=game)
