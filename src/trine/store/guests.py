"""The belongings of a guest, given to an account."""

from __future__ import annotations

from sqlalchemy import Connection, select, update

from trine.store.people import PersonKind, end_sessions, read_person
from trine.store.schema import APPEARANCE, ENTRANT, SEAT, STUDY, TO_MOVE


def bring_along(connection: Connection, guest: str, account: str) -> list[str]:
    """Give an account the seats, the places in tournaments and the analyses of a guest.

    The guest is recognised no more.

    A seat at a board at which the account sits already stays the guest's: nobody plays against
    themselves who has not begun so.

    Returns: the games that have a seat of the account now, and had one of the guest.
    """
    one, other = read_person(connection, guest), read_person(connection, account)
    if not (one and other and one.kind is PersonKind.GUEST and other.has_account):
        return []
    theirs = select(SEAT.c.game).where(SEAT.c.person == account)
    mine = (SEAT.c.person == guest) & SEAT.c.game.not_in(theirs)
    games = list(connection.execute(select(SEAT.c.game).where(mine).distinct()).scalars())
    for game in games:
        here = (SEAT.c.game == game) & (SEAT.c.person == guest)
        connection.execute(update(SEAT).where(here).values(person=account))
        found = (APPEARANCE.c.game == game) & (APPEARANCE.c.person == guest)
        connection.execute(update(APPEARANCE).where(found).values(person=account))
        turn = (TO_MOVE.c.game == game) & (TO_MOVE.c.person == guest)
        connection.execute(update(TO_MOVE).where(turn).values(person=account))
    entered = select(ENTRANT.c.tournament).where(ENTRANT.c.person == account)
    takes_part = (ENTRANT.c.person == guest) & ENTRANT.c.tournament.not_in(entered)
    connection.execute(update(ENTRANT).where(takes_part).values(person=account))
    connection.execute(update(STUDY).where(STUDY.c.owner == guest).values(owner=account))
    end_sessions(connection, guest)
    return games
