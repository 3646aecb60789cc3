"""The game's `Kernel`; importing it compiles or loads the code."""

from trine.core.contract import Kernel, Repetition
from trine.core.contract.score import DRAWS, UNRESTRICTED
from trine.games.corridor import encoding
from trine.games.corridor.kernel import layout, movegen, observation
from trine.games.corridor.kernel import rules as kernel

KERNEL = Kernel(
    words=lambda position: layout.WORDS,
    max_actions=movegen.MAX_ACTIONS,
    actions=lambda position: encoding.actions_of(position.size),
    number_of=encoding.number_of,
    action_of=encoding.action_of,
    to_row=encoding.to_row,
    to_position=encoding.to_position,
    generate=movegen.generate,
    play=kernel.play,
    result=layout.result,
    mover=layout.mover,
    key=layout.key,
    count=movegen.count_actions,
    repetition=Repetition(
        rule=lambda position: UNRESTRICTED if position.rules.repetition_allowed else DRAWS
    ),
    play_in_place=kernel.play_in_place,
    observation_shape=observation.observation_shape,
    observe=observation.observe,
)
