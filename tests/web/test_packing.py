"""What a page makes of a packed message is the scene and the choices that were packed."""

from __future__ import annotations

import json
import shutil
import subprocess
from random import Random
from typing import Any

import pytest

from trine.core.choices import choices
from trine.core.keys import keys_of
from trine.core.language import open_language
from trine.core.play import Play
from trine.games import ROOMS, open_room
from trine.web.packing import pack_choices, pack_scene
from web.browsing import STATIC

SCRIPT = f"""
import {{ readFileSync }} from "node:fs";
import {{ unpackChoices, unpackScene }} from "{STATIC.as_uri()}/packing.js";
const given = JSON.parse(readFileSync(0, "utf-8"));
const made = given.map(({{ view, ways, board }}) =>
  ({{ view: unpackScene(view, board), ways: unpackChoices(ways) }}));
process.stdout.write(JSON.stringify(made));
"""
COUNTS = (0, 1, 5, 40, 90)
"""After how many actions a play is looked at; setups have few of them, captures many."""


def test_a_packed_message_is_the_whole_one() -> None:
    node = shutil.which("node")
    if not node:
        pytest.skip("node is absent; scripts/browser brings it")
    rng, say = Random(4), open_language("ru").say
    given, wanted = [], []
    for game in ROOMS:
        room = open_room(game)
        for rules in room.rule_sets:
            play = Play(room, room.start(rules, room.settle(rules, {})))
            for count in COUNTS:
                for _ in range(count):
                    if play.outcome is None:
                        play.act_unchecked(rng.choice(play.legal_actions()))
                seat = rng.randrange(len(play.start.seats))
                marks = room.insight(play.position).marks() if count == COUNTS[1] else {}
                scene = room.scene(play.position, seat=seat, keys=keys_of(play), marks=marks)
                legal = () if play.outcome else play.legal_actions()
                ways = choices(room, play.position, legal)
                given.append(
                    {
                        "view": pack_scene(scene, say),
                        "ways": pack_choices(ways, say),
                        "board": scene.board.as_data(say),
                    }
                )
                whole = {"view": scene.as_data(say), "ways": [way.as_data(say) for way in ways]}
                wanted.append(ordered(whole))
    command = [node, "--input-type=module", "-e", SCRIPT]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    made = [ordered(one) for one in json.loads(done.stdout)]
    assert len(made) == len(wanted) == 10 * len(COUNTS)
    for one, other in zip(made, wanted, strict=True):
        for field, value in one["view"].items():
            assert same(value, other["view"][field]), (other["view"]["title"], field)
        assert one["ways"] == other["ways"]


def ordered(whole: dict[str, Any]) -> dict[str, Any]:
    """The same with what can be chosen in an order of its own."""
    return whole | {"ways": sorted(whole["ways"], key=lambda way: (way["id"], way["picks"]))}


def same(one: Any, other: Any) -> bool:
    """Whether two things are equal, lengths as far as they can be seen."""
    if isinstance(one, float) or isinstance(other, float):
        return bool(abs(one - other) < 0.001)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
