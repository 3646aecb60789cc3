"""The kernel of the room as the floors above see it; importing it compiles or fetches the code."""

from trine.core.doors import Kernel
from trine.games.corridor import bridge, kernel, kernel_row, numbering

KERNEL = Kernel(
    words=lambda position: kernel_row.words(position.size),
    most_actions=kernel.MOST_ACTIONS,
    actions=lambda position: numbering.actions_of(position.size),
    number_of=numbering.number_of,
    action_of=numbering.action_of,
    to_row=bridge.to_row,
    to_position=bridge.to_position,
    generate=kernel.generate,
    play=kernel.play,
    result=kernel.result,
    mover=kernel_row.mover,
    key=kernel.key,
    random_action=kernel.random_action,
    random_play=kernel.random_play,
    perft=kernel.perft,
    perft_in_bulk=kernel.perft_in_bulk,
)
