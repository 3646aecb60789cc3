"""What one person, or one network address, can have the house keep."""

import pytest

from house.houses import PASSWORD, Eye, OpenHouse, first_turn, two_at_a_board
from trine.core.errors import TrineError
from trine.house.app import House
from trine.house.games.live.actor_requests import act
from trine.house.games.live.agreement import LINK, ME, Agreement
from trine.house.games.live.commands import CommandMeta, resign
from trine.house.games.storage.tables import Stage, read_game
from trine.house.games.view import messages
from trine.house.people.quotas import Quota, QuotaError, QuotaKind, Quotas
from trine.house.people.tables import Person
from trine.house.talk.chat import PLAYERS, PRESETS

HERE = "192.0.2.7"
GAME = Agreement.make("corridor")


async def a_game(house: House, person: Person) -> str:
    return (await house.games.create(GAME, [ME, "bot:1"], person))[0]


async def test_the_oldest_game_of_a_guest_against_computers_gives_way(
    open_house: OpenHouse,
) -> None:
    house = await open_house(quotas=Quotas({QuotaKind.GAME: Quota(guest=3, account=9)}))
    guest, _ = await house.accounts.welcome()
    other, _ = await house.accounts.welcome()
    _, links = await house.games.create(GAME, [ME, LINK], guest)
    with_other = await house.games.join(links[1], other)
    seen, unseen = [await a_game(house, guest) for _ in range(2)]
    eye = Eye()
    host = await house.games.actor(seen)
    await host.enter(eye, guest.id)
    last = await a_game(house, guest)
    games = (with_other, seen, unseen, last)
    stages = [row.stage for game in games if (row := house.store.read(read_game, game))]
    assert stages == [Stage.PLAYING, Stage.PLAYING, Stage.OVER, Stage.PLAYING]


async def test_whoever_has_too_many_games_is_told_so(open_house: OpenHouse) -> None:
    house = await open_house(quotas=Quotas({QuotaKind.GAME: Quota(guest=1, account=2)}))
    anna, _ = await house.accounts.register(None, "Anna", PASSWORD)
    first = await a_game(house, anna)
    await a_game(house, anna)
    with pytest.raises(QuotaError, match="2 games running"):
        await a_game(house, anna)
    await (await house.games.actor(first)).do(resign, CommandMeta(anna.id))
    await a_game(house, anna)


async def test_games_analyses_and_guests_of_a_day_are_counted_by_address(
    open_house: OpenHouse,
) -> None:
    kinds = (QuotaKind.GUEST, QuotaKind.GAME, QuotaKind.STUDY)
    quotas = Quotas(a_day=dict.fromkeys(kinds, Quota(guest=2, account=9, address=3)))
    house = await open_house(quotas=quotas)
    one, two, three = [(await house.accounts.welcome("", HERE))[0] for _ in range(3)]
    with pytest.raises(QuotaError, match="network address"):
        await house.accounts.welcome("", HERE)
    for begin in (a_game, a_study):
        await begin(house, one)
        await begin(house, one)
        with pytest.raises(QuotaError, match="today's limit"):
            await begin(house, one)
        await begin(house, two)
        with pytest.raises(QuotaError, match="network address"):
            await begin(house, three)
        await begin(house, (await house.accounts.welcome())[0])


async def a_study(house: House, person: Person) -> str:
    return await house.studies.create(person, '[Game "corridor"]\n')


async def test_rematches_and_turns_are_counted_too(open_house: OpenHouse) -> None:
    quotas = Quotas(
        a_day={
            QuotaKind.GAME: Quota(guest=2, account=2),
            QuotaKind.EVENT: Quota(guest=6, account=6, address=6),
        }
    )
    house = await open_house(quotas=quotas)
    guest, _ = await house.accounts.welcome("", HERE)
    game, _ = await house.games.create(GAME, [ME, ME], guest)
    for number in range(2):
        host = await house.games.actor(game)
        assert host.game.state
        line = list(first_turn(host.game.play))
        await act(host, guest, messages.Turn(id="", at=host.game.turn_seq, a=line), 0.0)
        await act(host, guest, messages.Do(id="", what="resign"), 0.0)
        rematch = act(host, guest, messages.Do(id="", what="rematch"), 0.0)
        if not number:
            await rematch
            game = host.game.next_game
        else:
            with pytest.raises(QuotaError, match="today's limit"):
                await rematch
    with pytest.raises(TrineError, match="today's limit"):
        await act(host, guest, messages.Do(id="", what="resign"), 0.0)


async def test_lines_of_chat_are_counted_by_the_day(open_house: OpenHouse) -> None:
    house = await open_house(quotas=Quotas(a_day={QuotaKind.LINE: Quota(guest=2, account=2)}))
    host, one, two = await two_at_a_board(house)
    preset = next(iter(PRESETS))
    for _ in range(2):
        await house.chats.say(one, host.snapshot, PLAYERS, "", preset)
    with pytest.raises(QuotaError):
        await house.chats.say(one, host.snapshot, PLAYERS, "", preset)
    await house.chats.say(two, host.snapshot, PLAYERS, "", preset)
