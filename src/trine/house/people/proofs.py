"""The proof by a passkey that it is the owner of a session who asks; it counts once, and soon."""

from __future__ import annotations

from typing import Final

from trine.house.people import passkey_rows
from trine.house.people.passkey_rows import Ceremony
from trine.house.store.secrets import token_hash
from trine.house.store.store import Store

LIFETIME: Final = 120.0
"""Units: seconds; how long a challenge may be signed, and a signature proves its owner's
presence."""
PROVEN: Final = "proven"


def bound(secret: str, session: str) -> str:
    """The hash of a secret that is good in one session alone."""
    return token_hash(f"{secret} {session}")


async def keep_proof(store: Store, person: str, session: str, now: float) -> None:
    """Remember that the owner has just shown to be there."""
    proof = Ceremony(PROVEN, "", {"person": person}, now + LIFETIME)
    hashed = bound(PROVEN, session)
    await store.commit(passkey_rows.make_ceremony, hashed=hashed, ceremony=proof, now=now)


async def is_proven(store: Store, person: str, session: str, now: float) -> bool:
    """Whether the owner has just shown to be there; then this is forgotten."""
    if not session:
        return False
    hashed = bound(PROVEN, session)
    found = await store.commit(passkey_rows.take_ceremony, hashed=hashed, now=now)
    return found is not None and found.about["person"] == person
