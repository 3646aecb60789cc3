"""How long the house keeps what strangers leave behind, and for how long it knows them."""

from pathlib import Path

import pytest
from sqlalchemy import select

from house.houses import PASSWORD, OpenHouse, Time, asked, first_turn, guests, members, until
from trine.core.clock import DAY
from trine.core.errors import MalformedError
from trine.house.analysis.tables import read_study
from trine.house.app import House
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.commands import abort, resign, turn
from trine.house.games.storage.events import read_events
from trine.house.games.storage.tables import read_game, read_seats
from trine.house.people.browsers import note_browser
from trine.house.people.credentials import create_token
from trine.house.people.tables import SESSION, PersonKind, read_person
from trine.house.retention import Retention, read_retention
from trine.house.store.secrets import token_hash
from trine.house.tournaments.tournaments import Announcement
from trine.play.tournament.tournament import Plan, TournamentFormat

GAME = Agreement.make("corridor")


async def test_a_guest_is_known_for_as_long_as_they_come_again(
    open_house: OpenHouse, time: Time
) -> None:
    house = await open_house(keep=Retention(guests=30))
    guest, token = await house.accounts.welcome("Gast")
    for _ in range(10):
        time.now += 20 * DAY
        assert await house.accounts.person_of(token) == guest
        await house.pruning.prune()
    commits = house.store.writer.commits
    again = await house.accounts.person_of(token)
    assert again and not again.renewed and house.store.writer.commits == commits, (
        "written twice a day"
    )
    time.now += 30 * DAY
    assert await house.accounts.person_of(token) is None


@pytest.mark.usefixtures("place")
async def test_a_guest_who_stays_away_goes_and_the_games_that_were_played_stay(
    house: House, time: Time
) -> None:
    anna, _ = await house.accounts.register(None, "Anna", PASSWORD)
    guest, passing = await guests(house, "Gast", "Passer-by")
    name, links = await house.games.create(GAME, [ME, LINK], anna)
    await house.games.join(links[1], guest)
    host = await house.games.actor(name)
    await host.do(turn, asked(anna), first_turn(host.game.play))
    study = await house.studies.create(passing, '[Game "corridor"]\n')
    time.now += 179 * DAY
    await house.pruning.prune()
    assert house.store.read(read_person, passing.id)
    time.now += 2 * DAY
    await house.pruning.prune()
    assert house.store.read(read_person, passing.id) is None
    assert house.store.read(read_study, study) is None
    gone = house.store.read(read_person, guest.id)
    assert gone and gone.kind is PersonKind.DELETED
    assert [seat.name for seat in house.store.read(read_seats, name)] == ["Anna", "Gast"]
    assert house.store.read(read_person, anna.id) == anna


@pytest.mark.usefixtures("place")
async def test_analyses_of_guests_go_before_them_and_those_of_accounts_stay(
    house: House, time: Time
) -> None:
    anna, _ = await house.accounts.register(None, "Anna", PASSWORD)
    guest, _ = await house.accounts.welcome("Gast")
    record = '[Game "corridor"]\n'
    kept = await house.studies.create(anna, record)
    gone, looked_at = [await house.studies.create(guest, record) for _ in range(2)]
    await house.studies.study(looked_at)
    time.now += 31 * DAY
    young = await house.studies.create(guest, record)
    await house.pruning.prune()
    found = [house.store.read(read_study, one) for one in (kept, gone, looked_at, young)]
    assert [bool(one) for one in found] == [True, False, True, True]


@pytest.mark.usefixtures("place")
async def test_games_that_never_began_go_with_all_that_belongs_to_them(
    house: House, time: Time
) -> None:
    one, two = await guests(house, "Anna", "Béla")
    waiting, _ = await house.games.create(GAME, [ME, LINK], one)
    names = [waiting]
    for end in (abort, resign):
        name, links = await house.games.create(GAME, [ME, LINK], one)
        await house.games.join(links[1], two)
        host = await house.games.actor(name)
        if end is resign:
            await host.do(turn, asked(one), first_turn(host.game.play))
        await host.do(end, asked(one))
        names.append(name)
    time.now += 15 * DAY
    for host in house.games.actors:
        host.tick()
    await until(lambda: not house.games.actors)
    young, _ = await house.games.create(GAME, [ME, LINK], one)
    await house.pruning.prune()
    found = [bool(house.store.read(read_game, name)) for name in (*names, young)]
    assert found == [False, False, True, True]
    assert house.store.read(read_events, names[1]) == []
    assert house.store.read(read_seats, names[0]) == []


async def test_what_was_dealt_with_goes_after_a_year_and_browsers_later(
    house: House, time: Time
) -> None:
    mary, anna = await members(house, "Mary", "Anna")
    await house.moderation.report(anna, mary.id, "abuse")
    (case,) = await house.moderation.cases()
    await house.moderation.report(mary, anna.id, "spam")
    await house.moderation.done(mary, case.report)
    await house.moderation.sanction(mary, anna.id, "mute", "week", "")
    token = house.store.write(create_token, anna.id, time(), 180 * DAY).result(60)
    hashed = token_hash(token)
    await house.store.commit(note_browser, hashed, "a browser", "", time())
    agreed, plan = Agreement.make("corridor", clock="5+5"), Plan(TournamentFormat.SWISS, 3)
    cup = await house.tournaments.create(mary, Announcement("Cup", plan, agreed))
    await house.moderation.cancel_tournament(mary, cup)
    gone: list[dict[str, int]] = []
    for days in (15, 345, 50):
        time.now += days * DAY
        before = dict(house.pruning.went)
        await house.pruning.prune()
        went = {name: n - before.get(name, 0) for name, n in house.pruning.went.items()}
        gone.append({name: n for name, n in went.items() if n and name != "sessions"})
    # The report, the mute, and what was noted of three deeds; the open report stays.
    assert gone == [{"unbegun": 1}, {}, {"moderation": 5, "browsers": 1}]
    (left,) = await house.moderation.cases()
    assert left.report.why == "spam" and await house.moderation.log() == []


def test_how_long_things_are_kept_stands_in_a_file(tmp_path: Path) -> None:
    assert read_retention(tmp_path) == Retention()
    file = tmp_path / "house.toml"
    file.write_text("[keep]\nguests = 30\n")
    assert read_retention(tmp_path) == Retention(guests=30)
    for wrong in ("guests = 0\n", 'guests = "long"\n', "games = 3\n"):
        file.write_text(f"[keep]\n{wrong}")
        with pytest.raises(MalformedError, match=r"house\.toml \[keep\]"):
            read_retention(tmp_path)


async def test_a_browser_that_is_known_for_longer_is_so_in_the_table(
    house: House, time: Time
) -> None:
    _, token = await house.accounts.welcome("Gast")
    time.now += 2 * DAY
    person = await house.accounts.person_of(token)
    assert person and person.renewed
    until_when = house.store.read(
        lambda connection: connection.execute(select(SESSION.c.expires_at)).scalar_one()
    )
    assert until_when == time.now + 180 * DAY
