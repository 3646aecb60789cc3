"""The form for a new tournament: its choices as text, and the parsing of a submitted form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from trine.core.contract import Room
from trine.core.errors import MalformedError
from trine.core.text.language import LANGUAGES, in_english, open_language
from trine.core.text.sentence import Text, ctext, quoted, text, typed
from trine.games import open_room
from trine.house.games.live.agreement import Agreement
from trine.house.games.view.game_choices import LEVELS
from trine.house.lobby.new_game import chosen_options, clock_of, offers
from trine.house.tournaments.tables import TournamentStage
from trine.house.tournaments.tournaments import Announcement
from trine.play.session.seats import BOT
from trine.play.tournament.challenge import HANDICAP, PrizeVerdict, pieces_text
from trine.play.tournament.plan import Plan, TournamentFormat
from trine.play.tournament.ranking import TieBreak

FORMATS: Final[dict[TournamentFormat, Text]] = {
    TournamentFormat.SWISS: text("Swiss"),
    TournamentFormat.ROUND_ROBIN: text("round robin"),
    TournamentFormat.KNOCKOUT: text("knock-out"),
    TournamentFormat.ARENA: text("arena"),
    TournamentFormat.CHALLENGE: ctext("tournament", "Challenge"),
}
FORMAT_LINES: Final[dict[TournamentFormat, Text]] = {
    TournamentFormat.SWISS: text("Several rounds; in each, players with equal points meet."),
    TournamentFormat.ROUND_ROBIN: text("Every two players meet."),
    TournamentFormat.KNOCKOUT: text("The winner of each match advances; the loser is out."),
    TournamentFormat.ARENA: text(
        "For a set time, free players are paired again at once; wins in a row count more."
    ),
    TournamentFormat.CHALLENGE: text(
        "A challenger against people who defend their game, with a condition."
    ),
}
STAGES: Final[dict[TournamentStage, Text]] = {
    TournamentStage.OPEN: text("open to join"),
    TournamentStage.RUNNING: text("running"),
    TournamentStage.OVER: text("finished"),
    TournamentStage.CANCELLED: text("cancelled"),
}
TIE_BREAKS: Final[dict[TieBreak, tuple[Text, Text]]] = {
    TieBreak.BUCHHOLZ_CUT_1: (
        text("Buchholz−1"),
        text("the points of all opponents, without those of the weakest"),
    ),
    TieBreak.BUCHHOLZ: (text("Buchholz"), text("the points of all opponents")),
    TieBreak.SONNEBORN_BERGER: (
        text("Sonneborn-Berger"),
        text("the points of beaten opponents, and half the points of opponents in drawn games"),
    ),
    TieBreak.DIRECT: (text("Direct"), text("the points against opponents with equal points")),
    TieBreak.WINS: (text("Wins"), text("the games won at the board")),
    TieBreak.GAMES: (text("Games"), text("fewer games for the same points")),
    TieBreak.ROUND: (text("Round"), text("the round that the player has reached")),
}
"""The name of each tie-break, with its meaning."""
STARTS: Final[dict[str, Text]] = {
    "": text("when I begin it"),
    "5": text("in 5 minutes"),
    "15": text("in a quarter of an hour"),
    "30": text("in half an hour"),
    "60": text("in an hour"),
    "180": text("in 3 hours"),
    "1440": text("in a day"),
    "2880": text("in two days"),
    "10080": text("in a week"),
}
"""The choices for the beginning of a tournament, by minutes from now."""
VERDICTS: Final[dict[PrizeVerdict, Text]] = {
    PrizeVerdict.OPEN: text("It is not decided yet."),
    PrizeVerdict.MET: text("The challenger has met the condition."),
    PrizeVerdict.FAILED: text("The challenger has not met the condition: the defenders have won."),
}

EVERY_DEFENDER: Final = text("Every defender")


def condition(plan: Plan) -> Text:
    return text(
        "The challenger must win {wins} of {games} games against each defender.",
        wins=plan.wins,
        games=plan.games,
    )


def against(name: str, wins: int, left: int) -> Text:
    return text("Against {name}: {wins} won, {left} to play", name=name, wins=wins, left=left)


def leaves_out(name: str, pieces: str) -> Text:
    """Return the handicap that a defender gives in a game."""
    return text("{name} leaves out: {pieces}", name=name, pieces=pieces_text(pieces))


def length(plan: Plan) -> Text:
    name = FORMATS[plan.format]
    if plan.format is TournamentFormat.SWISS:
        return text("{format}, {count} rounds", format=name, count=plan.rounds)
    if plan.format is TournamentFormat.ARENA:
        return text("{format}, {count} minutes", format=name, count=plan.minutes)
    if plan.games > 1:
        return text("{format}, {count} games each", format=name, count=plan.games)
    return name


EXAMPLE = ("dog", "horse", "camel")
"""The pieces that a defender of 2007 left out, by game. Source: French, "Historique du Défi"."""
ME = "me"
"""The form's value for the creator of the tournament as the challenger."""
USUAL = {"rounds": "5", "games": "1", "minutes": "60", "wins": "2", "most": "64"}


def choices(chosen: Mapping[str, str], language: str) -> dict[str, Any]:
    form = format_of(chosen)
    about = offers(chosen, language)
    usual = USUAL | ({"games": "3"} if form is TournamentFormat.CHALLENGE else {})
    timed = {clock: name for clock, name in about["clocks"].items() if clock}
    fields = [one for one in about["fields"] if one.option.tag not in (HANDICAP, "Players")]
    return {
        **about,
        "clocks": timed,
        "fields": fields,
        "form": form,
        "formats": FORMATS,
        "format_line": FORMAT_LINES[form],
        "starts": STARTS,
        "given": {**usual, **chosen},
        "handicaps": HANDICAP in {option.tag for option in about["room"].rules.options},
        "example": "; ".join(open_language(language).say(typed(one)) for one in EXAMPLE),
    }


def format_of(chosen: Mapping[str, str]) -> TournamentFormat:
    given = chosen.get("format", TournamentFormat.SWISS)
    try:
        return TournamentFormat(given)
    except ValueError:
        raise MalformedError(
            "there is no format {given} of tournaments", given=quoted(given)
        ) from None


def read_announcement(given: Mapping[str, str], now: float) -> Announcement:
    """Return the choices made for a new tournament."""
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
    plan = Plan(
        form,
        rounds=_number(given, "rounds"),
        games=_number(given, "games"),
        minutes=_number(given, "minutes"),
        wins=_number(given, "wins"),
        at_once="at_once" in given,
        handicaps=_handicaps(room, given) if form is TournamentFormat.CHALLENGE else (),
    )
    minutes = given.get("starts", "")
    if minutes not in STARTS:
        raise MalformedError("{given} is no time to begin", given=quoted(minutes))
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


def _handicaps(room: Room, form: Mapping[str, str]) -> tuple[tuple[str, ...], ...]:
    """Return the defenders' handicaps: a line for each, or one for all; ``;`` separates games.

    Pieces can be named in any language of the house.
    """
    english: dict[str, str] = {}
    for code in LANGUAGES:
        english |= in_english(room.handbook.words, open_language(code))
    lines = form.get("handicaps", "").rstrip().splitlines()
    return tuple(
        tuple(
            ",".join(english.get(word.strip().lower(), word.strip()) for word in game.split(","))
            for game in line.split(";")
        )
        for line in lines
    )


def _number(form: Mapping[str, str], name: str) -> int:
    value = form.get(name, USUAL[name]).strip()
    if not (value.isascii() and value.isdecimal() and len(value) < 6):
        raise MalformedError("{given} is no number", given=quoted(value))
    return int(value)


def levels() -> list[tuple[str, int]]:
    """Return the bots that can take part: their names in forms, and their levels."""
    return [(f"{BOT}{level}", level) for level in range(1, len(LEVELS) + 1)]
