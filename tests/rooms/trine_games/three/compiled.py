"""The game's `Kernel`; importing it compiles or loads the code."""

from trine.core.contract import Kernel
from trine_games.three import encoding
from trine_games.three.kernel import rules as kernel

KERNEL = Kernel(
    words=lambda position: kernel.WORDS,
    max_actions=kernel.MAX_ACTIONS,
    actions=lambda position: encoding.ACTIONS,
    number_of=encoding.number_of,
    action_of=encoding.action_of,
    to_row=encoding.to_row,
    to_position=encoding.to_position,
    generate=kernel.generate,
    play=kernel.play,
    result=kernel.result,
    mover=kernel.mover,
    key=kernel.key,
)
