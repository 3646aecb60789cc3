"""The modules that must be compiled before our players can think."""

from __future__ import annotations

from trine.games import heuristics_module, kernel_module

ALPHA_BETA = "trine.engine.search.alphabeta"
TREE = "trine.engine.search.tree"
GAMES = "trine.engine.selfplay.game"


def thinking_modules(game: str, seats: int = 2) -> tuple[str, ...]:
    """Return the modules that a search of a game needs, for `trine.core.compiled.ahead`.

    >>> thinking_modules("tzaar")[0]
    'trine.engine.search.alphabeta'
    """
    search = ALPHA_BETA if seats == 2 else TREE
    return (search, kernel_module(game), heuristics_module(game))


def playing_modules(game: str) -> tuple[str, ...]:
    """Return the modules that whole games of bots need, for `trine.core.compiled.ahead`."""
    return (*thinking_modules(game), GAMES)
