"""The goals of lessons in Corridor."""

from __future__ import annotations

from trine.core.contract.lesson import Goal, Reached
from trine.games.corridor.board import square_name


def stands(*cells: str) -> Goal:
    def goal(reached: Reached) -> bool:
        pawn = reached.position.pawns[reached.learner]
        return square_name(reached.position.size, pawn) in cells

    return goal


def nearer(reached: Reached) -> bool:
    learner = reached.learner
    after = reached.position.distance(learner)
    return after is not None and after < reached.start.distance(learner)


def no_farther(reached: Reached) -> bool:
    """The learner's way to the goal has not become longer."""
    learner = reached.learner
    after = reached.position.distance(learner)
    return after is not None and after <= reached.start.distance(learner)


def lengthened(steps: int) -> Goal:
    """North's way has become longer by so many steps, or more; it is still there."""

    def goal(reached: Reached) -> bool:
        after = reached.position.distance(1)
        return after is not None and after >= reached.start.distance(1) + steps

    return goal


def shut_in(reached: Reached) -> bool:
    return reached.position.distance(1) is None
