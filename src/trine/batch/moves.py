"""The loops over the games of a batch, for each room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from trine.batch import kernel as loops
from trine.core.compiled.jit import fill_in
from trine.core.contract import BatchKernel, Kernel
from trine.games import open_batch_kernel, open_kernel


@dataclass(frozen=True)
class Moves:
    """The functions of `trine.batch.kernel`, compiled for one room."""

    begin: Callable[..., None]
    step: Callable[..., None]
    list_actions: Callable[..., None]
    observe: Callable[..., None]


@cache
def open_moves(name: str) -> Moves:
    """Open the loops over games of a kind; the first time ever, they are compiled.

    Raises:
        MalformedError: there is no game of that name.
    """
    return compiled(open_kernel(name), open_batch_kernel(name))


def compiled(kernel: Kernel, batch: BatchKernel) -> Moves:
    """The loops on the functions of a room."""
    repetition = batch.repetition
    names: dict[str, Any] = {
        "generate": kernel.generate,
        "play": kernel.play,
        "result": kernel.result,
        "mover": kernel.mover,
        "key": kernel.key,
        "see": batch.see,
        "can_stand_again": repetition.can_stand_again if repetition else loops.never_again,
    }
    names["advance"] = batch.advance or fill_in(loops.play_and_copy, kernel.generate, **names)
    for name, template in (
        ("stand", loops.stand_once_more),
        ("can_be_completed", loops.can_complete),
        ("without_repeating", loops.leave_out_repeating),
        ("judge", loops.judge_standing),
    ):
        names[name] = fill_in(template, kernel.generate, **names)
    return Moves(
        *(
            fill_in(template, kernel.generate, **names)
            for template in (loops.begin, loops.step, loops.list_actions, loops.observe)
        )
    )


def keys_needed(batch: BatchKernel, limit: int) -> int:
    """Return the number of keys that a game of at most ``limit`` actions has to remember."""
    return limit + 1 if batch.repetition else 1


def lines_needed(batch: BatchKernel) -> int:
    """Return how many scratch rows and buffers a thread needs: for a turn, and one on each side."""
    return batch.repetition.longest_turn + 2 if batch.repetition else 1
