"""The `Kernel` of the game; importing it compiles or loads the code."""

from trine.core.contract import Kernel, Repetition
from trine.core.contract.score import FORBIDDEN, LOSES, UNRESTRICTED
from trine.games.arimaa import encoding, rules
from trine.games.arimaa.kernel import layout, observation
from trine.games.arimaa.kernel import rules as kernel

REPETITION = {
    rules.ThirdOccurrence.FREE: UNRESTRICTED,
    rules.ThirdOccurrence.LOSES: LOSES,
    rules.ThirdOccurrence.ILLEGAL: FORBIDDEN,
}
LONGEST_TURN = 5
"""Four steps and an end."""

KERNEL = Kernel(
    words=lambda position: layout.WORDS,
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
    turns=kernel.count_turns,
    repetition=Repetition(
        rule=lambda position: REPETITION[position.rules.repetition],
        can_recur=kernel.can_recur,
        longest_turn=LONGEST_TURN,
    ),
    play_in_place=kernel.play_in_place,
    observation_shape=observation.observation_shape,
    observe=observation.observe,
)
