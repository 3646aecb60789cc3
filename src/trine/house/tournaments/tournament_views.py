"""A tournament as its page shows it: standings, rounds, bracket and verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from trine.core.text.language import Language, open_language
from trine.core.text.sentence import Text, text
from trine.house.games.live.live_game import of_guest, of_program
from trine.house.games.view.game_choices import clock_text
from trine.house.people.names import is_chosen, name_text
from trine.house.people.tables import Person
from trine.house.tournaments import tournament_form
from trine.house.tournaments.tables import EntrantRow, PairingRow, TournamentStage
from trine.house.tournaments.tournament_form import (
    EVERY_DEFENDER,
    VERDICTS,
    against,
    condition,
    leaves_out,
    length,
    levels,
)
from trine.house.tournaments.tournament_state import TournamentState
from trine.house.web.pages import Pages, minute
from trine.play.session.seats import bot_display_name
from trine.play.tournament import challenge, knockout
from trine.play.tournament.plan import TournamentFormat
from trine.play.tournament.ranking import TIE_BREAKS, ranking

MAX_OF_ARENA = 60
"""The number of newest games of an arena that are shown. Guess."""


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
        "breaks": [tournament_form.TIE_BREAKS[name] for name in TIE_BREAKS[state.plan.format]],
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

    def _called(self, number: int) -> str:
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
            shown = shown[-MAX_OF_ARENA:]
        for one in shown:
            rounds.setdefault(one.pairing.round, []).append(self._game(one))
        return sorted(rounds.items(), reverse=True)

    def _game(self, one: PairingRow) -> dict[str, Any]:
        """Return a pairing as a line of its round; its result is empty while it is played."""
        pairing, own = one.pairing, self._own.number if self._own else None
        return {
            "names": [self._called(seat) for seat in pairing.seats],
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
        given = challenge.handicap(self._state.tournament, one.pairing)
        defender = max(one.pairing.seats)
        return leaves_out(self._called(defender), given) if given else None

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
        if side == knockout.TO_COME:
            return {"name": "", "points": "", "won": False}
        other = match[1] if match[0] == side else match[0]
        games = self._state.tournament.between(side, other) if other else []
        points = number(sum(game.score(side) for game in games)) if games else ""
        return {"name": self._called(side), "points": points, "won": side in winners}

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
                    self._called(one.number),
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
            everyone = self._language.say(EVERY_DEFENDER)
            called = [everyone]
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
        """Return the winner or winners of a finished tournament."""
        state = self._state
        over = state.row.stage is TournamentStage.OVER
        if not over or state.plan.format is TournamentFormat.CHALLENGE or not state.pairings:
            return ""
        first = [rank for rank in ranking(state.tournament) if rank.rank == 1]
        return ", ".join(self._called(rank.number) for rank in first)
