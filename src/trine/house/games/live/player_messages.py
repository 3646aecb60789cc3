"""Messages of players to a game in memory: each is carried out as a command or a draft."""

from __future__ import annotations

from functools import partial
from typing import Final

from trine.house.games.live import commands
from trine.house.games.live.game_actor import GameActor
from trine.house.games.live.seating import rematch
from trine.house.games.view import messages
from trine.house.games.view.messages import Ok, WhyTold
from trine.house.people.quotas import QuotaKind
from trine.house.people.tables import Person

_PLAIN: Final[dict[str, commands.Command[[]]]] = {
    "resign": commands.resign,
    "abort": commands.abort,
    "claim": commands.claim,
    "claim-draw": partial(commands.claim, draw=True),
    "resume": commands.resume,
}
"""The commands without further data."""


async def act(
    actor: GameActor,
    player: Person | None,
    message: messages.Command | messages.Draft | messages.Condition,
    now: float,
) -> Ok | WhyTold:
    """Carry out a player's message that arrived at a time."""
    person = player.id if player else None
    if player and not isinstance(message, messages.Draft | messages.Why):
        actor.dependencies.quotas.spend(QuotaKind.EVENT, player)
    asked = commands.CommandMeta(person, message.id, getattr(message, "at", None), now)
    seq = 0
    match message:
        case messages.Why():
            return WhyTold(why=commands.why(actor.game, person, message))
        case messages.Turn():
            seq = await actor.do(commands.turn, asked, message.a, message.line)
        case messages.Draft():
            await actor.draft(asked, message.a, message.line)
        case messages.Condition():
            await actor.do(commands.condition, asked, message.line, drop=message.drop)
        case messages.Offer():
            seq = await actor.do(commands.offer, asked, message.what)
        case messages.Answer():
            seq = await actor.do(commands.answer, asked, message.what, agrees=message.yes)
        case messages.Do(what="rematch"):
            await rematch(actor, asked)
        case messages.Do():
            seq = await actor.do(_PLAIN[message.what], asked)
    return Ok(seq=seq or actor.snapshot.seq)
