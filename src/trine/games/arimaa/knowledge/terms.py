"""The terms of the evaluation, with their weights and descriptions in words."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import numpy as np

from trine.core.doors import Aspect, Term
from trine.core.text import Text, text
from trine.games.arimaa.kernel import evaluation as kernel_evaluation

TEXTS: Final[dict[str, Text]] = {
    "material": text("pieces that are left, in rabbits"),
    "rabbits": text("rabbits"),
    "steps_left": text("steps left in the turn"),
    "elephant_centre": text("elephant in the centre"),
    "elephant_room": text("empty squares beside the elephant"),
    "camel_rank": text("ranks that the camel has come"),
    "horse_rank": text("ranks that the horses have come"),
    "dog_rank": text("ranks that the dogs have come"),
    "cat_rank": text("ranks that the cats have come"),
    "camel_near_elephant": text("camel within two steps of the enemy elephant"),
    "between_traps": text("strength on the squares between the traps"),
    "home_trap_one": text("home traps with one own piece beside them"),
    "home_trap_two": text("home traps with two own pieces beside them"),
    "home_trap_more": text("home traps with three or four own pieces beside them"),
    "away_trap_one": text("enemy traps with one own piece beside them"),
    "away_trap_two": text("enemy traps with two own pieces beside them"),
    "away_trap_more": text("enemy traps with three or four own pieces beside them"),
    "elephant_home_trap": text("elephant beside a home trap"),
    "elephant_away_trap": text("elephant beside an enemy trap"),
    "frozen_camel": text("frozen camel"),
    "frozen_horses": text("frozen horses"),
    "frozen_small": text("frozen dogs and cats"),
    "frozen_rabbits": text("frozen rabbits"),
    "touched_officers": text("other pieces that a stronger enemy touches"),
    "touched_rabbits": text("rabbits that a stronger enemy touches"),
    "held_camel": text("camel near a trap that a stronger enemy touches"),
    "held_horses": text("horses near a trap that a stronger enemy touches"),
    "hanging": text("pieces at a trap with too few friends, in rabbits"),
    "hanging_waiting": text("pieces at a trap with too few friends, in rabbits"),  # enemy to move
    "loose": text("touched pieces two steps from a trap without friends, in rabbits"),
    "loose_waiting": text("touched pieces two steps from a trap without friends, in rabbits"),
    "lonely": text("pieces away from home with no friend beside them"),
    "mobile": text("pieces that can step"),
    "rabbits_rank_2": text("rabbits on the second rank"),
    "rabbits_rank_3": text("rabbits on the third rank"),
    "rabbits_rank_4": text("rabbits on the fourth rank"),
    "rabbits_rank_5": text("rabbits on the fifth rank"),
    "rabbits_rank_6": text("rabbits on the sixth rank"),
    "rabbits_rank_7": text("rabbits on the seventh rank"),
    "rabbits_flank": text("rabbits that go along the edge"),
    "goal_in_four": text("a rabbit that can run to the goal in four steps"),
    "goal_in_eight": text("a rabbit that could run to the goal in eight steps"),
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
    "elephant_home_trap": _ELEPHANT,
    "elephant_away_trap": _ELEPHANT,
    "camel_near_elephant": _CAMEL,
    "held_camel": _CAMEL,
    "held_horses": _HORSES,
    "home_trap_one": _TRAPS,
    "home_trap_two": _TRAPS,
    "home_trap_more": _TRAPS,
    "away_trap_one": _TRAPS,
    "away_trap_two": _TRAPS,
    "away_trap_more": _TRAPS,
    "frozen_camel": _FROZEN,
    "frozen_horses": _FROZEN,
    "frozen_small": _FROZEN,
    "frozen_rabbits": _FROZEN,
    "hanging": _CAPTURE,
    "hanging_waiting": _CAPTURE,
    "loose": _CAPTURE,
    "loose_waiting": _CAPTURE,
    "mobile": _MOBILITY,
    "rabbits_rank_2": _GOAL,
    "rabbits_rank_3": _GOAL,
    "rabbits_rank_4": _GOAL,
    "rabbits_rank_5": _GOAL,
    "rabbits_rank_6": _GOAL,
    "rabbits_rank_7": _GOAL,
    "rabbits_flank": _GOAL,
    "goal_in_four": _GOAL,
    "goal_in_eight": _GOAL,
}
"""The aspect under which a term is given as a reason for a turn.

The other terms make no reason that a player would follow."""


def _read_terms() -> tuple[Term, ...]:
    """Return the terms with the weights of ``weights.txt``, which has them in the same order."""
    lines = files(__package__).joinpath("weights.txt").read_text("utf-8").splitlines()
    weights = [line.split("\t") for line in lines if line and not line.startswith("#")]
    names = [name for name, *_ in weights]
    assert names == list(TEXTS), "weights.txt does not name the terms, or not in their order"
    assert len(names) == kernel_evaluation.TERMS
    return tuple(
        Term(name, float(weight), TEXTS[name], _ASPECTS.get(name)) for name, weight, *_ in weights
    )


TERMS: Final = _read_terms()
WEIGHTS: Final = np.array([term.weight for term in TERMS], np.float32)
"""Shapes: term. The weights in the form that the kernel reads."""
