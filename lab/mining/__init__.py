"""Mining puzzles: positions where one turn, or one idea, is far better than all others."""

from trine.core.compiled.jit import DEPENDS_ON

DEPENDS_ON["mining"] = ("trine.games.arimaa",)  # the kernel here contains code of that one
