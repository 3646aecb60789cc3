"""The keys of positions: the same for all images, and for ever."""

from typing import Any, Final

import pytest

from engine.archive.archives import random_play
from trine.engine.archive.position_keys import VERSION, position_key
from trine.games import BUNDLED_GAMES, ROOMS, new_play, open_room

GAMES: Final[dict[str, dict[str, Any]]] = {
    **{f"{name}/{rules}": {} for name in ROOMS for rules in open_room(name).rule_sets},
    "tzaar/open placement": {"setup": "placement"},
    "corridor/quoridor 4": {"players": 4},
    "corridor/corridor 3": {"players": 3, "size": 5},
}
PINNED: Final = {
    "arimaa/official": (
        "0x23bbb94ca66f0f90",
        "4g ercrrdrr/1r1hh1cd/1m6/8/8/5RD1/DHRRRCMR/CRER1RH1",
        "0x6063dea7fcbbc6e7",
    ),
    "arimaa/classic": (
        "0x1cf8db68ff23fb9e",
        "4g rremhrrr/r1cc1r1h/5d2/8/2D1R3/1R6/D3RRMC/CERHRHRR",
        "0x2e3da8d3ae0975d",
    ),
    "arimaa/ejection": (
        "0xb2ffe9b9145d4d95",
        "4g h2rdehr/rdmcr1rc/1rr5/8/8/4H2C/ERD1RR1M/DRRHRCRR",
        "0x3c84026c5383ed62",
    ),
    "arimaa/diagonal": (
        "0x2599b87cf655386a",
        "4g redhhr1r/rmdr1rc1/6cr/8/8/3R3H/RRMR2D1/RDECCRRR",
        "0xebf6de9818285f66",
    ),
    "tzaar/official": (
        "0x85fefbe4c0834e9f",
        "official ttttT/TYyyY2T/T.t.Z.T/y.Z..ZYT/..ZT*zzyt/T.zt.zyt/t.zZZyt/y2yYYYt/tTTTT white 1",
        "0xabddb14f087364d3",
    ),
    "tzaar/open": (
        "0x75a16a0106f1f508",
        "open ttt../Tyyt2T2T/TYzzZYT/TYZT..Y./TYZT*Zz.t/tyztTzy2t2/tyzZ.../tTYYy./T..TT white 1",
        "0x7630cf049eaa4fed",
    ),
    "corridor/quoridor": (
        "0x9cb96d2a410b3395",
        "quoridor 9 2 e1,e9 b5h,e8v,f6v,f7h,g3v,h3h 7,7 1",
        "0xbaebd9e37a66320e",
    ),
    "corridor/corridor": (
        "0xa1df005532f8bf4c",
        "corridor 9 2 e1,i9 b1h,b1v,b9v,f3h 8,8 1",
        "0xb79628a14469f5d0",
    ),
    "corridor/corridor-8": (
        "0x6f0be958e4960e35",
        "corridor-8 9 2 i1,c9 b6v,d3h,e1h,f2h 6,6 1",
        "0x3ecc7e992899166b",
    ),
    "corridor/great-wall": (
        "0x71136ed16bf08848",
        "great-wall 9 2 e1,f9 a1v,d5h,e5h,h5h *,* 1",
        "0x61d0388e0155969",
    ),
}
"""The key of the start of a rule set, and a position of it with its key."""


@pytest.mark.parametrize("game", GAMES)
def test_all_images_of_a_position_have_its_key(game: str) -> None:
    play = random_play(game.partition(" ")[0], 2, 12, **GAMES[game])
    room = play.room
    images = [one.position(play.position) for one in room.rules.symmetries(play.position)]
    key = position_key(room, play.position).key
    assert {position_key(room, image).key for image in images} == {key}
    for image in images:
        name = position_key(room, image).image
        (common,) = [one for one in room.rules.symmetries(image) if one.name == name]
        assert position_key(room, common.position(image)) == (key, "same")


def test_positions_on_a_board_without_a_kernel_have_keys_of_their_own() -> None:
    play = new_play("corridor/quoridor", size=12)
    play.act(*play.legal_actions()[:1])
    first, second = (position_key(play.room, one) for one in (play.start, play.position))
    assert first.key != second.key


def test_keys_of_rule_sets_differ() -> None:
    starts = [
        (name, new_play(f"{name}/{rules}").position)
        for name in ROOMS
        for rules in open_room(name).rule_sets
    ]
    assert len({position_key(open_room(name), start).key for name, start in starts}) == len(starts)


@pytest.mark.parametrize("game", PINNED)
def test_keys_never_change(game: str) -> None:
    assert VERSION == 2
    start, words, key = PINNED[game]
    name, rules = game.split("/")
    room = open_room(name)
    assert hex(position_key(room, new_play(game).position).key) == start
    assert hex(position_key(room, room.rules.parse_position(words, rules)).key) == key


def test_every_rule_set_has_pinned_keys() -> None:
    rule_sets = [f"{name}/{rules}" for name in BUNDLED_GAMES for rules in open_room(name).rule_sets]
    assert list(PINNED) == rule_sets
