"""The game's `Kernel`; importing it compiles or loads the code."""

from trine.core.contract import Kernel, Repetition
from trine.core.contract.score import DRAWS, UNRESTRICTED
from trine.games.corridor import encoding
from trine.games.corridor.kernel import observation, row
from trine.games.corridor.kernel import rules as kernel

KERNEL = Kernel(
    words=lambda position: kernel.WORDS,
    max_actions=kernel.MAX_ACTIONS,
    actions=lambda position: encoding.actions_of(position.size),
    number_of=encoding.number_of,
    action_of=encoding.action_of,
    to_row=encoding.to_row,
    to_position=encoding.to_position,
    generate=kernel.generate,
    play=kernel.play,
    result=kernel.result,
    mover=row.mover,
    key=kernel.key,
    count=kernel.count_actions,
    repetition=Repetition(
        rule=lambda position: UNRESTRICTED if position.rules.repetition_allowed else DRAWS
    ),
    play_in_place=kernel.play_in_place,
    observation_shape=observation.observation_shape,
    observe=observation.observe,
)
