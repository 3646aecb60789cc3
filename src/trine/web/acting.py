"""The commands of players in a game, done: for the sockets of pages, and for programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from trine.core.text import Text, text
from trine.house.asked import Asked
from trine.house.conditions import play_ahead
from trine.house.drafts import why_not
from trine.house.host import Host
from trine.web import messages


async def act(
    host: Host,
    person: str | None,
    message: messages.Command | messages.Draft | messages.Condition,
    now: float,
    say: Callable[[Text], str],
) -> dict[str, Any]:
    """Do what a message asks for; the answer.

    Raises:
        TrineError: it is refused.
    """
    asked = Asked(person, message.id, getattr(message, "at", None), now)
    match message:
        case messages.Turn():
            return _ok(await host.turn(asked, message.a, message.line))
        case messages.Draft():
            await host.draft(asked, message.a, message.line)
            return _ok(host.snapshot.seq)
        case messages.Condition():
            await host.condition(asked, message.line, drop=message.drop)
            return _ok(host.snapshot.seq)
        case messages.Offer():
            return _ok(await host.offer(asked, message.what))
        case messages.Answer():
            return _ok(await host.answer(asked, message.what, agrees=message.yes))
        case messages.Do():
            return _ok(await _do_plainly(host, asked, message.what))
        case messages.Why():
            return {"t": "why", "why": say(_why(host, person, message))}


async def _do_plainly(host: Host, asked: Asked, what: str) -> int:
    match what:
        case "resign":
            return await host.resign(asked)
        case "abort":
            return await host.abort(asked)
        case "claim":
            return await host.claim(asked)
        case "claim-draw":
            return await host.claim(asked, draw=True)
        case "resume":
            return await host.resume(asked)
    await host.rematch(asked)
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


def _ok(seq: int) -> dict[str, Any]:
    return {"t": "ok", "seq": seq}
