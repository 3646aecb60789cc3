"""Tournaments as pages show them: the form for a new one, standings, rounds and verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from trine.core.contract.room import Room
from trine.core.errors import MalformedError
from trine.core.text.language import LANGUAGES, Language, in_english, open_language
from trine.core.text.sentence import Text, ctext, quoted, text, typed
from trine.games import open_room
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.live_game import of_guest, of_program
from trine.house.games.view.game_choices import LEVELS, clock_text
from trine.house.lobby.new_game import chosen_options, clock_of, offers
from trine.house.people.names import is_chosen, name_text
from trine.house.people.tables import Person
from trine.house.tournaments.tables import EntrantRow, PairingRow, TournamentStage, TournamentState
from trine.house.tournaments.tournaments import Announcement
from trine.house.web.pages import Pages, minute
from trine.play.session.seats import BOT, bot_display_name
from trine.play.tournament import challenge, knockout
from trine.play.tournament.challenge import HANDICAP, PrizeVerdict, pieces_text
from trine.play.tournament.ranking import TIE_BREAKS, TieBreak, ranking
from trine.play.tournament.tournament import Plan, TournamentFormat

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
TIE_BREAK_TEXTS: Final[dict[TieBreak, tuple[Text, Text]]] = {
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
ME = "me"  # the form's value for the creator of the tournament as the challenger
DEFAULTS = {"rounds": "5", "games": "1", "minutes": "60", "wins": "2", "most": "64"}


def choices(chosen: Mapping[str, str], language: str) -> dict[str, Any]:
    form = format_of(chosen)
    about = offers(chosen, language)
    usual = DEFAULTS | ({"games": "3"} if form is TournamentFormat.CHALLENGE else {})
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
    value = form.get(name, DEFAULTS[name]).strip()
    if not (value.isascii() and value.isdecimal() and len(value) < 6):
        raise MalformedError("{given} is no number", given=quoted(value))
    return int(value)


def levels() -> list[tuple[str, int]]:
    """Return the bots that can take part: their names in forms, and their levels."""
    return [(f"{BOT}{level}", level) for level in range(1, len(LEVELS) + 1)]


MAX_ARENA_GAMES = 60  # number of newest games of an arena that are shown. Guess


def number(value: float) -> str:
    """Return points as text, with a half as ``½``.

    >>> number(2.5), number(3.0), number(0.5)
    ('2½', '3', '½')
    """
    whole, half = divmod(round(2 * value), 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def view_of(state: TournamentState, person: Person | None, code: str) -> dict[str, Any]:
    language, own = open_language(code), state.of_person(person.id if person else None)
    view = _View(state, language, own)
    return {
        "row": state.row,
        "stage": state.row.stage,
        "plan": state.plan,
        "agreement": state.agreement,
        "clock": clock_text(state.agreement.clock),
        "length": length(state.plan),
        "founder": state.owner,
        "owns": person is not None and person.id == state.row.owner,
        "own": own,
        "may_join": person is not None and (person.has_account or not state.agreement.rated),
        "count": len(state.entrants),
        "game": state.game_of(person.id if person else None),
        "vacant": [] if own else [(one.entry, view.name(one)) for one in state.vacant],
        "breaks": [TIE_BREAK_TEXTS[name] for name in TIE_BREAKS[state.plan.format]],
        "rows": view.rows(),
        "rounds": view.rounds(),
        "round": state.tournament.round,
        "bracket": view.bracket(),
        "verdict": view.verdict(),
        "winner": view.winner(),
        "until": state.arena_ends_at,
        "levels": levels(),
        "utc": utc,
    }


def body(pages: Pages, state: TournamentState, person: Person | None, code: str) -> str:
    return pages.write("tournament_lists.html", code, **view_of(state, person, code))


def utc(moment: float) -> str:
    """Return a time in UTC for pages without scripts; scripts convert it to the local time zone."""
    return f"{minute(moment)} UTC"


class _View:
    def __init__(self, state: TournamentState, language: Language, own: EntrantRow | None) -> None:
        self._state, self._language, self._own = state, language, own

    def name(self, one: EntrantRow) -> str:
        own, former = self._name(one), self._state.replaced(one)
        if not former:
            return own
        return self._language.say(text("{name} for {other}", name=own, other=self._name(former)))

    def _name(self, one: EntrantRow) -> str:
        if one.bot:
            return self._language.say(bot_display_name(one.name))
        if one.program:
            return self._language.say(of_program(one.name))
        guest = not one.account and is_chosen(one.name)
        return self._language.say(of_guest(one.name) if guest else name_text(one.name))

    def _name_of(self, number: int) -> str:
        return self.name(self._state.entrant(number))

    def rows(self) -> list[dict[str, Any]]:
        """Return the standings, or the entrants before the beginning."""
        state, rows = self._state, []
        if not state.tournament.participants:
            return [self._row(one, 0, "", ()) for one in state.entrants]
        for rank in ranking(state.tournament):
            one, breaks = state.entrant(rank.number), [number(abs(b)) for b in rank.breaks]
            rows.append(self._row(one, rank.rank, number(rank.points), breaks))
        return rows

    def _row(
        self, one: EntrantRow, rank: int, points: str, breaks: Sequence[str]
    ) -> dict[str, Any]:
        mine = self._own is not None and self._own.entry == one.entry
        named = {"name": self.name(one), "person": one.name, "who": one.who}
        return asdict(one) | named | {"rank": rank, "points": points, "breaks": breaks, "me": mine}

    def rounds(self) -> list[tuple[int, list[dict[str, Any]]]]:
        """Return the rounds, newest first; for an arena only the latest games."""
        rounds: dict[int, list[dict[str, Any]]] = {}
        shown = self._state.pairings
        if self._state.plan.format is TournamentFormat.ARENA:
            shown = shown[-MAX_ARENA_GAMES:]
        for one in shown:
            rounds.setdefault(one.pairing.round, []).append(self._game(one))
        return sorted(rounds.items(), reverse=True)

    def _game(self, one: PairingRow) -> dict[str, Any]:
        """Return a pairing as a line of its round; its result is empty while it is played."""
        pairing, own = one.pairing, self._own.number if self._own else None
        return {
            "names": [self._name_of(seat) for seat in pairing.seats],
            "result": " – ".join(number(points) for points in pairing.points or ()),
            "game": one.game,
            "bye": pairing.bye,
            "forfeit": bool(pairing.points) and not pairing.played and not pairing.bye,
            "mine": own in pairing.seats,
            "handicap": self._handicap(one),
        }

    def _handicap(self, one: PairingRow) -> Text | None:
        if self._state.plan.format is not TournamentFormat.CHALLENGE:
            return None
        if not (pieces := challenge.handicap(self._state.tournament, one.pairing)):
            return None
        defender = self._name_of(max(one.pairing.seats))
        return text("{name} leaves out: {pieces}", name=defender, pieces=pieces_text(pieces))

    def bracket(self) -> list[list[list[dict[str, Any]]]]:
        """Return the rounds of a knock-out, with the sides of their matches; else an empty list."""
        value = self._state.tournament
        if self._state.plan.format is not TournamentFormat.KNOCKOUT or not value.participants:
            return []
        rounds = knockout.bracket(value)
        after = [{side for match in matches for side in match} for matches in rounds[1:]]
        after.append({knockout.winner(value)})
        return [
            [
                [self._side(side, match, winners) for side in match if side is not None]
                for match in matches
            ]
            for matches, winners in zip(rounds, after, strict=True)
        ]

    def _side(
        self, side: int, match: tuple[knockout.Side, knockout.Side], winners: set[knockout.Side]
    ) -> dict[str, Any]:
        if side == knockout.UNDECIDED:
            return {"name": "", "points": "", "won": False}
        other = match[1] if match[0] == side else match[0]
        games = self._state.tournament.between(side, other) if other else []
        points = number(sum(game.score(side) for game in games)) if games else ""
        return {"name": self._name_of(side), "points": points, "won": side in winners}

    def verdict(self) -> dict[str, Any] | None:
        """Return the state of a Challenge; None for other formats."""
        value = self._state.tournament
        if self._state.plan.format is not TournamentFormat.CHALLENGE:
            return None
        first = next(iter(self._state.entrants), None)
        values = {
            "condition": condition(self._state.plan),
            "challenger": self.name(first) if first else "",
            "handicaps": self._handicaps(),
            "verdict": None,
            "against": [],
        }
        if value.participants:
            values["verdict"] = VERDICTS[challenge.verdict(value)]
            values["against"] = [
                against(
                    self._name_of(one.number),
                    challenge.wins(value, one.number),
                    challenge.left(value, one.number),
                )
                for one in value.participants[1:]
            ]
        return values

    def _handicaps(self) -> list[Text]:
        """Return a sentence on each defender's handicaps, also before the Challenge begins."""
        plan, called = self._state.plan, [self.name(one) for one in self._state.entrants[1:]]
        if len(plan.handicaps) == 1:
            called = [self._language.say(EVERY_DEFENDER)]
        while len(called) < len(plan.handicaps):
            number = text("Defender {number}", number=len(called) + 1)
            called.append(self._language.say(number))
        sentences = []
        for defender, name in enumerate(called):
            given = [challenge.handicap_in_game(plan, defender, game) for game in range(plan.games)]
            if any(given):
                sentences.append(challenge.handicaps_text(name, given))
        return sentences

    def winner(self) -> str:
        state = self._state
        over = state.row.stage is TournamentStage.OVER
        if not over or state.plan.format is TournamentFormat.CHALLENGE or not state.pairings:
            return ""
        first = [rank for rank in ranking(state.tournament) if rank.rank == 1]
        return ", ".join(self._name_of(rank.number) for rank in first)
