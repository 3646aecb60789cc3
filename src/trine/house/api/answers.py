"""Games, challenges and tournaments as the API sends them."""

from typing import Any

from msgspec.structs import asdict

from trine.core.play import describe
from trine.core.text.language import Language
from trine.engine.protocol import api
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.live_game import RatedPlayer
from trine.house.games.view.snapshot import ABORTED, Snapshot
from trine.house.games.view.views import display_names, left_at, seat_messages, seats_of_board
from trine.house.lobby.challenges import Challenge
from trine.house.people.names import is_chosen
from trine.house.people.tables import Person
from trine.house.search.search import GameFound
from trine.house.tournaments.tables import EntrantRow, PairingRow, TournamentRow, TournamentState
from trine.play.session.seats import bot_display_name
from trine.play.tournament.ranking import Rank, ranking


def tournament_as_json(
    state: TournamentState, person: Person, language: Language
) -> api.Tournament:
    return api.Tournament(
        **asdict(listed_as_json(state.row, len(state.entrants))),
        by=state.owner,
        joined=state.of_person(person.id) is not None,
        own=state.game_of(person.id) or "",
        ends_at=state.arena_ends_at,
        places=_places(state, language),
        pairings=[_paired(pairing) for pairing in state.pairings],
    )


def listed_as_json(row: TournamentRow, entrants: int) -> api.TournamentListed:
    return api.TournamentListed(
        id=row.id,
        name=row.name,
        format=row.plan["format"],
        stage=row.stage.value,
        start=row.agreement.chosen_start,
        **_terms(row.agreement),
        entrants=entrants,
        most=row.most,
        starts_at=row.starts_at,
    )


def _terms(agreement: Agreement) -> dict[str, Any]:
    """Return the fields that games, challenges and tournaments have in common."""
    fields = ("game", "rules", "clock", "rated")
    return {name: getattr(agreement, name) for name in fields}


def _places(state: TournamentState, language: Language) -> list[api.Place]:
    if not state.tournament.participants:
        return [_place(entrant, None, language) for entrant in state.entrants]
    ranks = ranking(state.tournament)
    return [_place(state.entrant(rank.number), rank, language) for rank in ranks]


def _place(entrant: EntrantRow, rank: Rank | None, language: Language) -> api.Place:
    return api.Place(
        name=language.say(bot_display_name(entrant.name)) if entrant.bot else entrant.name,
        kind="bot" if entrant.bot else "person",
        bot=entrant.program,
        guest=not entrant.account and not entrant.bot and is_chosen(entrant.name),
        number=entrant.number,
        rank=rank.rank if rank else None,
        points=rank.points if rank else 0.0,
        withdrawn=entrant.withdrawn,
    )


def _paired(row: PairingRow) -> api.Paired:
    pairing = row.pairing
    return api.Paired(
        round=pairing.round,
        numbers=list(pairing.seats),
        points=None if pairing.points is None else list(pairing.points),
        played=pairing.played,
        game=row.game or "",
    )


def game_as_json(
    snapshot: Snapshot, person_id: str | None, language: Language, now: float
) -> api.Game:
    state = snapshot.state
    runs = state is not None and not snapshot.over
    answer = api.Game(
        id=snapshot.game,
        seq=snapshot.seq,
        start=snapshot.agreement.own_start,
        **_terms(snapshot.agreement),
        stage="over" if snapshot.over else "playing" if runs else "waiting",
        seats=_sides(snapshot, language),
        own=sorted(snapshot.seats_of(person_id)),
        mover=state.play.mover if state and runs else None,
        turns=[
            api.PlayedTurn(turn.tag, turn.words, time.used)
            for turn, time in zip(
                snapshot.played_turns.written, snapshot.played_turns.times, strict=True
            )
        ],
        elapsed=round(state.elapsed(now), 3) if state and runs else 0.0,
        left=left_at(state, now) if state else [],
        paused=bool(state and state.paused is not None),
        offers=[
            api.Offered(offer.what, offer.seat, list(offer.waiting))
            for offer in (state.offers if state else ())
        ],
        aborted=snapshot.aborted,
        next=snapshot.next_game,
    )
    if snapshot.aborted:
        answer.result = language.say(ABORTED)
    elif state and state.outcome:
        answer.result = language.say(describe(display_names(snapshot), state.outcome))
        answer.winner = state.outcome.winner
    return answer


def _sides(snapshot: Snapshot, language: Language) -> list[api.Side]:
    return [
        api.Side(
            row.name or language.say(player.name),
            row.kind.value,
            player.bot,
            player.guest,
            player.rating,
            seat.tag,
        )
        for row, player, seat in zip(
            snapshot.seats, seat_messages(snapshot), seats_of_board(snapshot), strict=True
        )
    ]


def challenge_as_json(challenge: Challenge, person_id: str | None) -> api.Challenge:
    return api.Challenge(
        id=challenge.id,
        own=challenge.challenger == person_id,
        by=_player(challenge.standings[0]),
        to=_player(challenge.standings[1]),
        start=challenge.agreement.chosen_start,
        **_terms(challenge.agreement),
        side=challenge.side,
        until=round(challenge.expires_at, 3),
    )


def found_as_json(found: GameFound, language: Language) -> api.FoundGame:
    return api.FoundGame(
        id=found.game,
        at=found.at,
        **_terms(found.agreement),
        players=[language.say(name) for name in display_names(found)],
        scores=list(found.scores),
    )


def _player(standing: RatedPlayer) -> api.Side:
    return api.Side(standing.name, "person", standing.bot, rating=str(standing))
