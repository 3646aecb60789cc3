"""Tournaments in which a program challenges defenders, who may give handicaps."""

from pathlib import Path

import pytest

from house.houses import a_house, asked
from house.test_tournaments import advanced, joined, owner_of, people, running
from trine.house.app import House
from trine.house.games.live.agreement import Agreement
from trine.house.games.live.commands import resign
from trine.house.refusals import HouseError
from trine.house.tournaments.tables import TournamentStage, plan_as_data, plan_from
from trine.house.tournaments.tournament_views import read_announcement, view_of
from trine.play.tournament import challenge
from trine.play.tournament.tournament import Plan, TournamentFormat


async def test_a_program_challenges_people_who_give_handicaps(house: House) -> None:
    arimaa = Agreement.make("arimaa", clock="15+15", takebacks=False, casual=False, listed=True)
    plan = Plan(TournamentFormat.CHALLENGE, games=2, wins=1, handicaps=(("", "camel,dog"),))
    some = await people(house, 3)
    name = await joined(house, plan, some[1:], agreement=arimaa, challenger="bot:3")
    with pytest.raises(HouseError, match="without a challenger"):
        await house.tournaments.go(name, some[1], 1)
    await house.tournaments.begin(name, some[1])
    state = await house.tournaments.read(name)
    assert state.entrant(challenge.CHALLENGER).name == "bot:3"
    left_out = []
    for _ in range(2):
        for host in await running(house, name):
            seat = next(n for n, one in enumerate(host.game.seats) if one.person)
            left_out.append((seat, dict(host.agreement.start)))
            await host.do(resign, asked(owner_of(host, seat)))
        await advanced(house, name)
    state = await house.tournaments.read(name)
    assert state.row.stage is TournamentStage.OVER
    assert challenge.verdict(state.tournament) is challenge.PrizeVerdict.MET
    assert [start for _, start in left_out[:2]] == [{}, {}]
    sides = ("gold", "silver")
    for seat, start in left_out[2:]:
        assert start == {"Handicap": f"{sides[seat]}:camel,dog"}
    assert {seat for seat, _ in left_out[:2]} == {0, 1}, "half of the defenders begin"


async def test_a_substitute_plays_the_games_that_a_defender_has_left(house: House) -> None:
    arimaa = Agreement.make("arimaa", clock="15+15", takebacks=False, casual=False, listed=True)
    plan = Plan(
        TournamentFormat.CHALLENGE, games=3, wins=2, handicaps=(("dog", "horse", "camel"), ())
    )
    anna, bela, cili = await people(house, 3)
    tournaments = house.tournaments
    name = await joined(house, plan, [anna, bela], agreement=arimaa, challenger="bot:3")
    await tournaments.begin(name, anna)
    gone = next(one for one in (await tournaments.read(name)).entrants if one.name == bela.name)
    for early in (anna, cili):
        with pytest.raises(HouseError, match="is taken"):
            await tournaments.substitute(name, early, gone.entry)
    await tournaments.go(name, bela)
    for host in await running(house, name):  # the game that has begun is played to its end
        if any(seat.person == bela.id for seat in host.game.seats):
            await host.do(resign, asked(bela))
    await advanced(house, name)
    for takes_part in (anna, bela):
        with pytest.raises(HouseError, match="taken part already"):
            await tournaments.substitute(name, takes_part, gone.entry)
    await tournaments.substitute(name, cili, gone.entry)
    with pytest.raises(HouseError, match="is taken"):
        await tournaments.substitute(name, bela, gone.entry)
    await advanced(house, name)
    state = await tournaments.read(name)
    assert state.game_of(cili.id) and not state.game_of(bela.id)
    host = await house.games.actor(state.game_of(cili.id) or "")
    seat = next(n for n, one in enumerate(host.game.seats) if one.person)
    side = ("gold", "silver")[seat]
    given = {"Handicap": f"{side}:horse"} if gone.number == 2 else {}
    assert dict(host.agreement.start) == given, "the second game of this place"
    assert f"{cili.name} for {bela.name}" in {
        row["name"] for row in view_of(state, cili, "en")["rows"]
    }
    for _ in range(3):
        for host in await running(house, name):
            seat = next(n for n, one in enumerate(host.game.seats) if one.person)
            await host.do(resign, asked(owner_of(host, seat)))
        await advanced(house, name)
    state = await tournaments.read(name)
    assert state.row.stage is TournamentStage.OVER
    assert len(state.pairings) == 6


async def test_the_handicaps_of_each_defender_are_shown_before_the_beginning(
    tmp_path: Path,
) -> None:
    lines = "kutya; ló; teve\n\n; ; chat"
    given = {"game": "arimaa", "format": "challenge", "games": "3", "handicaps": lines}
    given |= {"name": "2007", "clock": "15+15"}
    wanted = read_announcement(given, 0.0)
    lists = (("dog", "horse", "camel"), ("",), ("", "", "cat"))
    assert wanted.plan.handicaps == lists
    assert plan_from(plan_as_data(wanted.plan)) == wanted.plan
    one_for_all = {**plan_as_data(wanted.plan), "handicaps": ["", "camel"]}
    assert plan_from(one_for_all).handicaps == (("", "camel"),), "as older tournaments have it"
    games = plan_as_data(wanted.plan)["games"]
    too_long = {**plan_as_data(wanted.plan), "handicaps": [["cat"] * (games + 2)]}
    assert plan_from(too_long).handicaps == (("cat",) * games,)
    async with a_house(tmp_path) as house:
        some = await people(house, 3)
        name = await house.tournaments.create(some[0], wanted)
        await house.tournaments.join(name, some[1])
        state = await house.tournaments.read(name)
        told = list(map(str, view_of(state, None, "hu")["verdict"]["handicaps"]))
    assert told == [
        f"{some[1].name} leaves out, game by game: dog; horse; camel",
        "3. védő leaves out, game by game: –; –; cat",
    ]
