"""The commands of players in a game, from the sockets of pages and from programs."""

from __future__ import annotations

from trine.core.text.sentence import Text, text
from trine.house.games import messages
from trine.house.games.asked import Asked
from trine.house.games.commands import abort, answer, claim, condition, offer, resign, resume, turn
from trine.house.games.conditions import play_ahead
from trine.house.games.drafts import why_not
from trine.house.games.host import Host
from trine.house.games.messages import Ok, WhyTold
from trine.house.games.seating import rematch
from trine.house.people.quotas import Kept
from trine.house.people.tables import Person


async def act(
    host: Host,
    player: Person | None,
    message: messages.Command | messages.Draft | messages.Condition,
    now: float,
) -> Ok | WhyTold:
    """Carry out a message, and return the answer.

    Raises:
        TrineError: it is refused.
    """
    person = player.id if player else None
    if player and not isinstance(message, messages.Draft | messages.Why):
        host.around.quotas.spend(Kept.EVENT, player)
    asked = Asked(person, message.id, getattr(message, "at", None), now)
    match message:
        case messages.Turn():
            return Ok(seq=await host.do(turn, asked, message.a, message.line))
        case messages.Draft():
            await host.draft(asked, message.a, message.line)
            return Ok(seq=host.snapshot.seq)
        case messages.Condition():
            await host.do(condition, asked, message.line, drop=message.drop)
            return Ok(seq=host.snapshot.seq)
        case messages.Offer():
            return Ok(seq=await host.do(offer, asked, message.what))
        case messages.Answer():
            return Ok(seq=await host.do(answer, asked, message.what, agrees=message.yes))
        case messages.Do():
            return Ok(seq=await _do_plainly(host, asked, message.what))
        case messages.Why():
            return WhyTold(why=_why(host, person, message))


async def _do_plainly(host: Host, asked: Asked, what: str) -> int:
    match what:
        case "resign":
            return await host.do(resign, asked)
        case "abort":
            return await host.do(abort, asked)
        case "claim":
            return await host.do(claim, asked)
        case "claim-draw":
            return await host.do(claim, asked, draw=True)
        case "resume":
            return await host.do(resume, asked)
    await rematch(host, asked)
    return host.snapshot.seq


def _why(host: Host, person: str | None, message: messages.Why) -> Text:
    state = host.snapshot.state
    if not state:
        return text("the game has not begun; not all seats are taken")
    own = host.snapshot.seats_of(person)
    play = play_ahead(state.play, message.path) if own else state.play
    draft = message.a if message.path or play.mover in own else []
    if state.outcome:
        state.play.check_goes_on()
    return why_not(play, draft, message.picks)
