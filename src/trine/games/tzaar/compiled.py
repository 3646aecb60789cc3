"""The `Kernel` of the game; importing it compiles or loads the code."""

from trine.core.contract import Kernel
from trine.games.tzaar import encoding
from trine.games.tzaar.kernel import layout, movegen, observation
from trine.games.tzaar.kernel import rules as kernel

KERNEL = Kernel(
    words=lambda position: layout.WORDS,
    max_actions=movegen.MAX_ACTIONS,
    actions=lambda position: encoding.ACTIONS,
    number_of=encoding.number_of,
    action_of=encoding.action_of,
    to_row=encoding.to_row,
    to_position=encoding.to_position,
    generate=movegen.generate,
    play=kernel.play,
    result=movegen.result,
    mover=layout.mover,
    key=layout.key,
    count=movegen.count_actions,
    observation_shape=observation.observation_shape,
    observe=observation.observe,
)
