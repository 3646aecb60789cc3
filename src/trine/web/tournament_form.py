"""A new tournament: what can be chosen on its page, and what was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trine.core.errors import MalformedError
from trine.core.text import text
from trine.core.words import quoted
from trine.games import open_room
from trine.house.agreement import Agreement
from trine.house.tournaments import Announcement
from trine.session.seats import BOT
from trine.tournament.challenge import HANDICAP
from trine.tournament.plan import Format, Plan
from trine.web import tournament_words, words
from trine.web.offer import chosen_options, clock_of, offers

ME = "me"
"""The challenger who is whoever creates the tournament."""
USUAL = {"rounds": "5", "games": "1", "minutes": "60", "wins": "2", "most": "64"}


def choices(chosen: Mapping[str, str]) -> dict[str, Any]:
    """The choices for a new tournament, with what has been chosen so far.

    Raises:
        TrineError: there is no such game, rule set or format.
    """
    form = format_of(chosen)
    about = offers(chosen)
    usual = USUAL | ({"games": "3"} if form is Format.CHALLENGE else {})
    timed = {clock: told for clock, told in about["clocks"].items() if clock}
    fields = [one for one in about["fields"] if one.option.tag not in (HANDICAP, "Players")]
    return {
        **about,
        "clocks": timed,
        "fields": fields,
        "form": form,
        "formats": tournament_words.FORMATS,
        "format_line": tournament_words.FORMAT_LINES[form],
        "starts": tournament_words.STARTS,
        "given": {**usual, **chosen},
        "handicaps": HANDICAP in {option.tag for option in about["room"].options},
    }


def format_of(chosen: Mapping[str, str]) -> Format:
    """The format that was chosen.

    Raises:
        MalformedError: there is none of the name.
    """
    given = chosen.get("format", Format.SWISS)
    try:
        return Format(given)
    except ValueError:
        raise MalformedError(
            text("there is no format {given} of tournaments", given=quoted(given))
        ) from None


def read_announcement(given: Mapping[str, str], now: float) -> Announcement:
    """Return the choices made for a new tournament.

    Raises:
        TrineError: it does not fit together.
    """
    form, room = format_of(given), open_room(given.get("game", ""))
    agreement = Agreement.make(
        room.name,
        given.get("rules", ""),
        {tag: value for tag, value in chosen_options(room, given).items() if tag != HANDICAP},
        clock=clock_of(given),
        takebacks=False,
        casual=False,
        listed="listed" in given,
        rated="rated" in given,
    )
    handicaps = [one.strip() for one in given.get("handicaps", "").split(";")]
    plan = Plan(
        form,
        rounds=_number(given, "rounds"),
        games=_number(given, "games"),
        minutes=_number(given, "minutes"),
        wins=_number(given, "wins"),
        at_once="at_once" in given,
        handicaps=tuple(handicaps) if any(handicaps) and form is Format.CHALLENGE else (),
    )
    minutes = given.get("starts", "")
    if minutes not in tournament_words.STARTS:
        raise MalformedError(text("{given} is no time to begin", given=quoted(minutes)))
    challenger = given.get("challenger", ME)
    return Announcement(
        given.get("name", ""),
        plan,
        agreement,
        listed="listed" in given,
        most=_number(given, "most"),
        starts_at=now + 60 * int(minutes) if minutes else None,
        challenger="" if challenger == ME else challenger,
    )


def _number(given: Mapping[str, str], name: str) -> int:
    value = given.get(name, USUAL[name]).strip()
    if not (value.isascii() and value.isdecimal() and len(value) < 6):
        raise MalformedError(text("{given} is no number", given=quoted(value)))
    return int(value)


def levels() -> list[tuple[str, int]]:
    """The bots that can take part, by what they are called in forms."""
    return [(f"{BOT}{level}", level) for level in range(1, len(words.LEVELS) + 1)]
