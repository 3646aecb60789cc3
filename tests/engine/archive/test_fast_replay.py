"""Replaying in compiled code, held against the referee: on games by chance, damaged ones, and real ones."""

from __future__ import annotations

import copy
import random
from collections import Counter
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from engine.archive.archives import records_by_chance
from shared_data import SHARED
from trine.core.contract.record import Record, read_records
from trine.core.errors import TrineError
from trine.core.text.words import Word
from trine.engine.archive.archived_game import ArchivedGame, kept, replayed_by_referee
from trine.engine.archive.fast_replay import FastReplay
from trine.games import ROOMS, open_room
from trine.play.record.formats import read_file
from trine.play.record.replay import replay

GAMES: dict[str, dict[str, Any]] = {
    **{f"{name}/{rules}": {} for name in ROOMS for rules in open_room(name).rule_sets},
    "arimaa/official handicap": {"handicap": "gold:camel"},
    "corridor/quoridor 3": {"size": 3},
    "corridor/quoridor 4": {"players": 4},
}
NOT_FAST = (
    "corridor/corridor",
    "corridor/corridor-8",
    "corridor/great-wall",
    "corridor/quoridor 4",
)
"""Squares to begin on are chosen one by one; more than two players."""


def by_the_referee(record: Record) -> ArchivedGame:
    return kept(record, replayed_by_referee(replay(record)))


def facts(game: ArchivedGame) -> dict[str, Any]:
    """The contents of a game, arrays as lists."""
    found = {field.name: getattr(game, field.name) for field in fields(game)}
    return found | {"keys": np.asarray(game.keys).tolist(), "identity": game.identity}


def some_records(game: str, count: int) -> list[Record]:
    name = game.partition(" ")[0]
    return records_by_chance(name, count, most=14, **GAMES[game])


@pytest.mark.parametrize("game", GAMES)
def test_compiled_code_tells_the_same_as_the_referee(game: str) -> None:
    fast = FastReplay(game.partition("/")[0])
    for record in some_records(game, 4):
        fast.learn(replay(record))
        replayed = fast.replay(record)
        assert (replayed is None) is (game in NOT_FAST)
        if replayed:
            assert facts(kept(record, replayed)) == facts(by_the_referee(record))


def test_words_are_learned_one_by_one() -> None:
    known, *others = some_records("arimaa/official", 6)
    fast = FastReplay("arimaa")
    assert fast.replay(known) is None
    fast.learn(replay(known))
    for record in others:
        replayed = fast.replay(record)
        assert replayed
        assert facts(kept(record, replayed)) == facts(by_the_referee(record))


def damaged(record: Record, rng: random.Random) -> Record:
    """A record with something changed by chance, which may be legal all the same."""
    record = copy.deepcopy(record)
    turn = rng.choice([turn for turn in record.turns if turn.words])
    at = rng.randrange(len(turn.words))
    word = turn.words[at].text
    match rng.randrange(9):
        case 0:
            place = rng.randrange(len(word))
            letter = rng.choice("abcdefghnesw12345678EMHDCRemhdcrx+-")
            turn.words[at] = Word(word[:place] + letter + word[place + 1 :])
        case 1:
            turn.words.pop(at)
        case 2:
            turn.words.insert(at, Word(rng.choice(rng.choice(record.turns).words).text))
        case 3:
            turn.words[at] = Word(word.swapcase())
        case 4:
            turn.number += rng.choice((-1, 1))
        case 5:
            turn.letter = rng.choice("gswbn")
        case 6:
            record.turns.remove(turn)
        case 7:
            result = rng.choice(("Gold", "Silver", "White", "Black", "South", "North", "draw"))
            record.tags |= {"Result": result, "Reason": rng.choice(("goal", "time", "no capture"))}
        case 8:
            turn.words = [Word(rng.choice(("resigns", "lost", "takeback", "undo", "drawn")))]
    return record


@pytest.mark.parametrize("game", ["arimaa/official", "tzaar/official", "corridor/quoridor 3"])
def test_what_the_referee_refuses_is_left_to_the_referee(game: str) -> None:
    fast, rng = FastReplay(game.partition("/")[0]), random.Random(game)
    records = some_records(game, 4)
    for record in records:
        fast.learn(replay(record))
    seen: Counter[str] = Counter()
    for _ in range(150):
        record = damaged(rng.choice(records), rng)
        replayed = fast.replay(record)
        try:
            expected = by_the_referee(record)
        except TrineError:
            assert replayed is None
            seen["refused"] += 1
            continue
        seen["legal"] += 1
        if replayed:
            seen["fast"] += 1
            assert facts(kept(record, replayed)) == facts(expected)
    assert min(seen["refused"], seen["legal"], seen["fast"]) > 5, seen


def test_a_third_standing_is_judged() -> None:
    words = ["Ee2n", "ee7s", "Ee3s", "ee6n"]
    head = some_records("arimaa/official", 1)[0]
    setups = [
        "Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2",
        "ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8 ra7 hb7 cc7 md7 ee7 cf7 hg7 rh7",
    ]
    text = '[Game "arimaa"]\n[Rules "official"]\n\n'
    text += "".join(f"1{'gs'[at]} {setup}\n" for at, setup in enumerate(setups))
    turns = [f"{2 + at // 2}{'gs'[at % 2]} {words[at % 4]}\n" for at in range(8)]
    fast = FastReplay("arimaa")
    fast.learn(replay(head))
    (twice,) = read_records((text + "".join(turns[:7])).splitlines(True))
    fast.learn(replay(twice))
    assert fast.replay(twice)
    (thrice,) = read_records((text + "".join(turns)).splitlines(True))
    with pytest.raises(TrineError, match="third"):
        replay(thrice)
    assert fast.replay(thrice) is None


@pytest.mark.skipif(not SHARED.exists(), reason="real records lie in ../shared")
def test_real_games_are_told_alike() -> None:
    files = sorted((SHARED / "data" / "arimaa").rglob("*.txt"))
    assert files
    fast, found = FastReplay("arimaa"), 0
    for file in files:
        for record in list(read_file(file)[1])[:10]:
            try:
                expected = by_the_referee(record)
            except TrineError:
                assert fast.replay(record) is None
                continue
            fast.learn(replay(record))
            replayed = fast.replay(record)
            if replayed:
                found += 1
                assert facts(kept(record, replayed)) == facts(expected)
    assert found > 20
