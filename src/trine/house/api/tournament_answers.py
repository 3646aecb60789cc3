"""Tournaments as the API sends them."""

from __future__ import annotations

from typing import Any

from trine.core.text.language import Language
from trine.engine.protocol import api
from trine.house.people.names import is_chosen
from trine.house.people.person_rows import Person
from trine.house.tournaments.state import TournamentState
from trine.house.tournaments.tournament_rows import EntrantRow, PairingRow
from trine.house.tournaments.tournaments import Shown
from trine.play.session.seats import bot_called
from trine.play.tournament.ranking import Rank, ranking


def listed_told(shown: Shown) -> api.TournamentListed:
    """Return a tournament for a list."""
    return api.TournamentListed(**_listed(shown))


def tournament_told(state: TournamentState, person: Person, language: Language) -> api.Tournament:
    """Return a tournament as it stands, for a person."""
    return api.Tournament(
        **_listed(Shown(state.row, len(state.entrants))),
        by=state.owner,
        joined=state.of_person(person.id) is not None,
        own=state.game_of(person.id) or "",
        ends_at=state.arena_ends_at,
        places=_places(state, language),
        pairings=[_paired(one) for one in state.pairings],
    )


def _listed(shown: Shown) -> dict[str, Any]:
    row, agreement = shown.row, shown.agreement
    return {
        "id": row.id,
        "name": row.name,
        "format": shown.format.value,
        "stage": row.stage.value,
        "game": agreement.game,
        "rules": agreement.rules,
        "start": agreement.chosen_start,
        "clock": agreement.clock,
        "rated": agreement.rated,
        "entrants": shown.count,
        "most": row.most,
        "starts_at": row.starts_at,
    }


def _places(state: TournamentState, language: Language) -> list[api.Place]:
    if not state.tournament.participants:
        return [_place(one, None, language) for one in state.entrants]
    ranks = ranking(state.tournament)
    return [_place(state.entrant(rank.number), rank, language) for rank in ranks]


def _place(one: EntrantRow, rank: Rank | None, language: Language) -> api.Place:
    return api.Place(
        name=language.say(bot_called(one.name)) if one.bot else one.name,
        kind="bot" if one.bot else "person",
        bot=one.program,
        guest=not one.account and not one.bot and is_chosen(one.name),
        number=one.number,
        rank=rank.rank if rank else None,
        points=rank.points if rank else 0.0,
        withdrawn=one.withdrawn,
    )


def _paired(one: PairingRow) -> api.Paired:
    pairing = one.pairing
    return api.Paired(
        round=pairing.round,
        numbers=list(pairing.seats),
        points=None if pairing.points is None else list(pairing.points),
        played=pairing.played,
        game=one.game or "",
    )
