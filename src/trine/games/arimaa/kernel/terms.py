"""The terms of Arimaa's evaluation: their names, their texts, and the aspects that they explain."""

from dataclasses import replace
from typing import Final

from trine.core.contract.heuristics import Aspect, Term, places_of
from trine.core.text.sentence import text

_MATERIAL: Final = Aspect("material", text("the strength of the pieces that are left"))
_ELEPHANT: Final = Aspect("elephant", text("the place of the elephants"))
_CAMEL: Final = Aspect("camel", text("the safety of the camels"))
_HORSES: Final = Aspect("horses", text("the safety of the horses"))
_TRAPS: Final = Aspect("traps", text("the hold of the traps"))
_FROZEN: Final = Aspect("frozen", text("frozen and free pieces"))
_CAPTURE: Final = Aspect("capture", text("the safety of the pieces near traps"))
_MOBILITY: Final = Aspect("mobility", text("the freedom to move"))
_GOAL: Final = Aspect("goal", text("the rabbits' chances to reach the goal"))

_LOST: Final = (
    Term("lost_in_two", text("pieces that can be lost in two steps, in rabbits"), _CAPTURE),
    Term("lost_in_three", text("pieces that can be lost in three steps, in rabbits"), _CAPTURE),
    Term("lost_in_four", text("pieces that can be lost in four steps, in rabbits"), _CAPTURE),
    Term("lost_in_six", text("pieces that can be lost in six steps, in rabbits"), _CAPTURE),
    Term("lost_in_eight", text("pieces that can be lost in eight steps, in rabbits"), _CAPTURE),
)

TERMS: Final = (
    Term("material", text("pieces that are left, in rabbits"), _MATERIAL),
    Term("steps_left", text("steps left in the turn")),
    Term("places", text("squares on which the pieces stand")),
    Term("elephant_centre", text("elephant in the centre"), _ELEPHANT),
    Term("elephant_room", text("empty squares beside the elephant"), _ELEPHANT),
    Term("elephant_reach", text("freedom of the elephant in five steps"), _ELEPHANT),
    Term("elephant_blocked", text("blockade of the elephant"), _ELEPHANT),
    Term("camel_reach", text("safe freedom of the camel in three steps"), _CAMEL),
    Term("camel_rank", text("ranks that the camel has come")),
    Term("horse_rank", text("ranks that the horses have come")),
    Term("cat_rank", text("ranks that the cats have come")),
    Term("camel_by_elephant", text("camel near the enemy elephant"), _CAMEL),
    Term("horses_by_elephant", text("horses near the enemy elephant"), _HORSES),
    Term("horses_by_camel", text("horses near the enemy camel"), _HORSES),
    Term("small_by_camel", text("dogs and cats near the enemy camel")),
    Term("small_by_horses", text("dogs and cats near enemy horses")),
    Term("between_traps", text("strength on the squares between the traps")),
    Term("home_trap_one", text("home traps with one own piece beside them"), _TRAPS),
    Term("home_trap_two", text("home traps with two own pieces beside them"), _TRAPS),
    Term("home_trap_more", text("home traps with three or four own pieces beside them"), _TRAPS),
    Term("away_trap_one", text("enemy traps with one own piece beside them"), _TRAPS),
    Term("away_trap_two", text("enemy traps with two own pieces beside them"), _TRAPS),
    Term("away_trap_more", text("enemy traps with three or four own pieces beside them"), _TRAPS),
    Term("trap_control", text("traps that the own side controls"), _TRAPS),
    Term("trap_control_square", text("control of the traps, squared"), _TRAPS),
    Term(
        "trap_control_late",
        text("control of the traps, the more the fewer pieces are left"),
        _TRAPS,
    ),
    Term(
        "home_trap_officers",
        text("home traps with a piece other than a rabbit beside them"),
        _TRAPS,
    ),
    Term("elephant_home_trap", text("elephant beside a home trap"), _ELEPHANT),
    Term("elephant_away_trap", text("elephant beside an enemy trap"), _ELEPHANT),
    Term("elephant_tied", text("pieces that only the elephant saves, in rabbits"), _ELEPHANT),
    Term("frozen_camel", text("frozen camel"), _FROZEN),
    Term("frozen_horses", text("frozen horses"), _FROZEN),
    Term("frozen_horses_away", text("frozen horses on the enemy side"), _FROZEN),
    Term("frozen_small", text("frozen dogs and cats"), _FROZEN),
    Term("frozen_rabbits", text("frozen rabbits"), _FROZEN),
    Term("touched_officers", text("other pieces that a stronger enemy touches")),
    Term("held_camel", text("camel near a trap that a stronger enemy touches"), _CAMEL),
    Term("held_camel_away", text("camel held as a hostage on the enemy side"), _CAMEL),
    Term("held_horses", text("horses near a trap that a stronger enemy touches"), _HORSES),
    Term("held_horses_away", text("horses held as hostages on the enemy side"), _HORSES),
    Term("framed", text("pieces framed in a trap, in rabbits"), _CAPTURE),
    Term("pinned", text("pieces bound to hold another in a trap, in rabbits"), _CAPTURE),
    *_LOST,
    *(replace(term, name=f"{term.name}_waiting") for term in _LOST),  # if the enemy is to move
    # These terms are counted for both sides, whichever is to move.
    Term("lost_rabbits", text("rabbits that can be lost in four steps"), _CAPTURE),
    Term("lost_rabbits_later", text("rabbits that can be lost in eight steps"), _CAPTURE),
    Term(
        "lost_at_home",
        text("pieces that can be lost in home traps in four steps, in rabbits"),
        _CAPTURE,
    ),
    Term("lonely", text("pieces away from home with no friend beside them")),
    Term("mobile", text("pieces that can step"), _MOBILITY),
    Term("room", text("empty squares beside free pieces"), _MOBILITY),
    Term("friends", text("pieces with a friend beside them")),
    Term("home_open", text("empty squares of the home rank"), _GOAL),
    Term("rabbits_rank_2", text("rabbits on the second rank"), _GOAL),
    Term("rabbits_rank_3", text("rabbits on the third rank"), _GOAL),
    Term("rabbits_rank_4", text("rabbits on the fourth rank"), _GOAL),
    Term("rabbits_rank_5", text("rabbits on the fifth rank"), _GOAL),
    Term("rabbits_rank_6", text("rabbits on the sixth rank"), _GOAL),
    Term("rabbits_rank_7", text("rabbits on the seventh rank"), _GOAL),
    Term("rabbits_flank", text("rabbits that go along the edge"), _GOAL),
    Term("rabbits_free", text("advanced rabbits with no enemy before them"), _GOAL),
    Term("rabbits_late", text("advance of rabbits while the enemy has few pieces"), _GOAL),
    Term("rabbits_stopped", text("advanced rabbits with an enemy right before them"), _GOAL),
    Term("rabbits_escorted", text("advanced rabbits with a stronger friend beside them"), _GOAL),
    Term("goal_in_four", text("a rabbit that can run to the goal in four steps"), _GOAL),
    Term(
        "goal_in_four_late",
        text("a rabbit about to reach the goal, while the enemy has few steps"),
        _GOAL,
    ),
    Term("goal_in_six", text("a rabbit that could run to the goal in six steps"), _GOAL),
    Term("goal_in_twelve", text("a rabbit that could run to the goal in twelve steps"), _GOAL),
    Term(
        "danger_in_four",
        text("pieces lost within four steps where the enemy controls the trap, in rabbits"),
        _CAPTURE,
    ),
    Term(
        "danger_in_six",
        text("pieces lost within six steps where the enemy controls the trap, in rabbits"),
        _CAPTURE,
    ),
    Term(
        "danger_in_eight",
        text("pieces lost within eight steps where the enemy controls the trap, in rabbits"),
        _CAPTURE,
    ),
    Term(
        "rabbits_ruled",
        text("advanced rabbits on a wing whose enemy trap their own side controls"),
        _GOAL,
    ),
    Term(
        "rabbits_through",
        text(
            "advanced rabbits whose side controls the trap on their wing, as far as their way is"
            " open"
        ),
        _GOAL,
    ),
)
"""In the order of the counts. Terms without an aspect are not given as reasons, since players would
not understand them."""

TERM: Final = places_of(TERMS)  # the index of each term in the counts
PIECE_SQUARE_WEIGHTS: Final = len(TERM)
"""The index of the first piece-square value, after the weights of the terms; they go by kind, then
by square in a perspective. Units: whole points. The term `places` is their sum."""
