"""The terms of the evaluation, with their weights and descriptions in words."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import numpy as np

from trine.core.doors import Aspect, Table, Term
from trine.core.text import Text, text
from trine.games.arimaa.kernel import features as kernel_features
from trine.games.arimaa.knowledge.places import PLACE_NAMES, count_places, spread_places

TEXTS: Final[dict[str, Text]] = {
    "material": text("pieces that are left, in rabbits"),
    "rabbits": text("rabbits"),
    "steps_left": text("steps left in the turn"),
    "places": text("squares on which the pieces stand"),
    "elephant_centre": text("elephant in the centre"),
    "elephant_room": text("empty squares beside the elephant"),
    "elephant_reach": text("freedom of the elephant in five steps"),
    "elephant_blocked": text("blockade of the elephant"),
    "camel_reach": text("safe freedom of the camel in three steps"),
    "camel_rank": text("ranks that the camel has come"),
    "horse_rank": text("ranks that the horses have come"),
    "dog_rank": text("ranks that the dogs have come"),
    "cat_rank": text("ranks that the cats have come"),
    "camel_by_elephant": text("camel near the enemy elephant"),
    "horses_by_elephant": text("horses near the enemy elephant"),
    "horses_by_camel": text("horses near the enemy camel"),
    "small_by_elephant": text("dogs and cats near the enemy elephant"),
    "small_by_camel": text("dogs and cats near the enemy camel"),
    "small_by_horses": text("dogs and cats near enemy horses"),
    "between_traps": text("strength on the squares between the traps"),
    "home_trap_one": text("home traps with one own piece beside them"),
    "home_trap_two": text("home traps with two own pieces beside them"),
    "home_trap_more": text("home traps with three or four own pieces beside them"),
    "away_trap_one": text("enemy traps with one own piece beside them"),
    "away_trap_two": text("enemy traps with two own pieces beside them"),
    "away_trap_more": text("enemy traps with three or four own pieces beside them"),
    "trap_control": text("traps that the own side controls"),
    "elephant_home_trap": text("elephant beside a home trap"),
    "elephant_away_trap": text("elephant beside an enemy trap"),
    "elephant_tied": text("pieces that only the elephant saves, in rabbits"),
    "frozen_camel": text("frozen camel"),
    "frozen_horses": text("frozen horses"),
    "frozen_small": text("frozen dogs and cats"),
    "frozen_rabbits": text("frozen rabbits"),
    "touched_officers": text("other pieces that a stronger enemy touches"),
    "touched_rabbits": text("rabbits that a stronger enemy touches"),
    "held_camel": text("camel near a trap that a stronger enemy touches"),
    "held_camel_away": text("camel held as a hostage on the enemy side"),
    "held_horses": text("horses near a trap that a stronger enemy touches"),
    "held_horses_away": text("horses held as hostages on the enemy side"),
    "framed": text("pieces framed in a trap, in rabbits"),
    "pinned": text("pieces bound to hold another in a trap, in rabbits"),
    "lost_in_two": text("pieces that can be lost in two steps, in rabbits"),
    "lost_in_three": text("pieces that can be lost in three steps, in rabbits"),
    "lost_in_four": text("pieces that can be lost in four steps, in rabbits"),
    "lost_in_six": text("pieces that can be lost in six steps, in rabbits"),
    "lost_in_eight": text("pieces that can be lost in eight steps, in rabbits"),
    # the enemy is to move
    "lost_in_two_waiting": text("pieces that can be lost in two steps, in rabbits"),
    "lost_in_three_waiting": text("pieces that can be lost in three steps, in rabbits"),
    "lost_in_four_waiting": text("pieces that can be lost in four steps, in rabbits"),
    "lost_in_six_waiting": text("pieces that can be lost in six steps, in rabbits"),
    "lost_in_eight_waiting": text("pieces that can be lost in eight steps, in rabbits"),
    "lonely": text("pieces away from home with no friend beside them"),
    "mobile": text("pieces that can step"),
    "rabbits_rank_2": text("rabbits on the second rank"),
    "rabbits_rank_3": text("rabbits on the third rank"),
    "rabbits_rank_4": text("rabbits on the fourth rank"),
    "rabbits_rank_5": text("rabbits on the fifth rank"),
    "rabbits_rank_6": text("rabbits on the sixth rank"),
    "rabbits_rank_7": text("rabbits on the seventh rank"),
    "rabbits_flank": text("rabbits that go along the edge"),
    "rabbits_free": text("advanced rabbits with no enemy before them"),
    "rabbits_late": text("advance of rabbits while the enemy has few pieces"),
    "rabbits_escorted": text("advanced rabbits with a stronger friend beside them"),
    "goal_in_four": text("a rabbit that can run to the goal in four steps"),
    "goal_in_four_late": text("a rabbit about to reach the goal, while the enemy has few steps"),
    "goal_in_eight": text("a rabbit that could run to the goal in eight steps"),
    "danger_in_four": text(
        "pieces lost within four steps where the enemy rules the trap, in rabbits"
    ),
    "danger_in_six": text(
        "pieces lost within six steps where the enemy rules the trap, in rabbits"
    ),
    "rabbits_ruled": text("advanced rabbits on a wing whose enemy trap the own side rules"),
    "rabbits_through": text(
        "advanced rabbits whose side rules the trap on their wing, as far as their way is open"
    ),
}
"""A description of each term, in the order of the kernel."""

_MATERIAL: Final = Aspect("material", text("the strength of the pieces that are left"))
_ELEPHANT: Final = Aspect("elephant", text("the place of the elephants"))
_CAMEL: Final = Aspect("camel", text("the safety of the camels"))
_HORSES: Final = Aspect("horses", text("the safety of the horses"))
_TRAPS: Final = Aspect("traps", text("the hold of the traps"))
_FROZEN: Final = Aspect("frozen", text("frozen and free pieces"))
_CAPTURE: Final = Aspect("capture", text("the safety of the pieces near traps"))
_MOBILITY: Final = Aspect("mobility", text("the freedom to move"))
_GOAL: Final = Aspect("goal", text("the rabbits' chances to reach the goal"))
_ASPECTS: Final[dict[str, Aspect]] = {
    "material": _MATERIAL,
    "rabbits": _MATERIAL,
    "elephant_centre": _ELEPHANT,
    "elephant_room": _ELEPHANT,
    "elephant_reach": _ELEPHANT,
    "elephant_blocked": _ELEPHANT,
    "camel_reach": _CAMEL,
    "camel_by_elephant": _CAMEL,
    "horses_by_elephant": _HORSES,
    "horses_by_camel": _HORSES,
    "home_trap_one": _TRAPS,
    "home_trap_two": _TRAPS,
    "home_trap_more": _TRAPS,
    "away_trap_one": _TRAPS,
    "away_trap_two": _TRAPS,
    "away_trap_more": _TRAPS,
    "trap_control": _TRAPS,
    "elephant_home_trap": _ELEPHANT,
    "elephant_away_trap": _ELEPHANT,
    "elephant_tied": _ELEPHANT,
    "frozen_camel": _FROZEN,
    "frozen_horses": _FROZEN,
    "frozen_small": _FROZEN,
    "frozen_rabbits": _FROZEN,
    "held_camel": _CAMEL,
    "held_camel_away": _CAMEL,
    "held_horses": _HORSES,
    "held_horses_away": _HORSES,
    "framed": _CAPTURE,
    "pinned": _CAPTURE,
    "lost_in_two": _CAPTURE,
    "lost_in_three": _CAPTURE,
    "lost_in_four": _CAPTURE,
    "lost_in_six": _CAPTURE,
    "lost_in_eight": _CAPTURE,
    "lost_in_two_waiting": _CAPTURE,
    "lost_in_three_waiting": _CAPTURE,
    "lost_in_four_waiting": _CAPTURE,
    "lost_in_six_waiting": _CAPTURE,
    "lost_in_eight_waiting": _CAPTURE,
    "mobile": _MOBILITY,
    "rabbits_rank_2": _GOAL,
    "rabbits_rank_3": _GOAL,
    "rabbits_rank_4": _GOAL,
    "rabbits_rank_5": _GOAL,
    "rabbits_rank_6": _GOAL,
    "rabbits_rank_7": _GOAL,
    "rabbits_flank": _GOAL,
    "rabbits_free": _GOAL,
    "rabbits_late": _GOAL,
    "rabbits_escorted": _GOAL,
    "goal_in_four": _GOAL,
    "goal_in_four_late": _GOAL,
    "goal_in_eight": _GOAL,
    "danger_in_four": _CAPTURE,
    "danger_in_six": _CAPTURE,
    "rabbits_ruled": _GOAL,
    "rabbits_through": _GOAL,
}
"""The aspect under which a term is given as a reason for a turn.

The other terms make no reason that a player would follow."""


def _read_weights() -> dict[str, float]:
    """Return the weights of ``weights.txt``: those of the terms, then the worth of squares."""
    lines = files(__package__).joinpath("weights.txt").read_text("utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if line and not line.startswith("#"))
    weights = {name: float(weight) for name, weight in pairs}
    assert list(weights) == [*TEXTS, *PLACE_NAMES], "weights.txt: other names, or another order"
    assert len(TEXTS) == kernel_features.TERMS
    return weights


_WEIGHTS: Final = _read_weights()
TERMS: Final = tuple(
    Term(name, _WEIGHTS[name], words, _ASPECTS.get(name)) for name, words in TEXTS.items()
)
PLACES: Final = Table(
    "places",
    {name: _WEIGHTS[name] for name in PLACE_NAMES},
    spread_places,
    count_places,
)
WEIGHTS: Final = np.array(
    [*(term.weight for term in TERMS), *spread_places(list(PLACES.numbers.values()))], np.float32
)
"""Shapes: `ALL_WEIGHTS`. The weights in the form that the kernel reads."""
assert len(WEIGHTS) == kernel_features.ALL_WEIGHTS
