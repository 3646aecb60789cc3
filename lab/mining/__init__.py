"""Positions of games in which one turn, or one idea, is far better than all others, as puzzles."""

from trine.core.compiled.jit import DEPENDS_ON

DEPENDS_ON["mining"] = ("trine.games.arimaa",)  # the kernel here has code of that one in it
