"""The loops over the games of a batch, for each room."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from trine.core.compiled.jit import fill_in
from trine.core.compiled.repetition import referee_of
from trine.engine.batch import kernel as loops
from trine.games import open_kernel


@dataclass(frozen=True)
class Moves:
    """The functions of `trine.engine.batch.kernel`, compiled for one room."""

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
    kernel = open_kernel(name)
    referee = referee_of(kernel)
    names = {**referee._asdict(), "mover": kernel.mover, "see": kernel.see or loops.see_bits}
    return Moves(
        *(
            fill_in(template, kernel.generate, **names)
            for template in (loops.begin, loops.step, loops.list_actions, loops.observe)
        )
    )
