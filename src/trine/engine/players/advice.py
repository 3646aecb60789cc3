"""A hint in words: a turn that a bot has chosen, with the reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trine.core.play import Play
from trine.core.text.sentence import Text, text
from trine.core.text.wording import written_actions
from trine.engine.players.assessment import TURNS_SHOWN, line_text, value_text
from trine.engine.players.player import Decision

if TYPE_CHECKING:  # a hint is told without loading the search again
    from trine.engine.players.bot import Bot


def advice(play: Play, decision: Decision, bot: Bot, *, expects: bool = True) -> list[Text]:
    """Return the hint of a bot: the turn with its score, the reasons, the expected continuation.

    Args: ``expects`` is whether the continuation is written.
    """
    room, position, info = play.room, play.position, decision.info
    turn = written_actions(room, position, decision.actions)
    if info is None and not turn:
        return [text("hint: Enter ends the turn")]
    if info is None:
        return [text("hint: {turn}, a sound way to begin", turn=turn)]
    from trine.engine.players.explanation import reasons
    from trine.games import open_kernel

    score = value_text(room, position, info)
    told = [
        text("hint: {turn}; {score}", turn=turn, score=score)
        if turn
        else text("hint: Enter ends the turn; {score}", score=score)
    ]
    told += reasons(room, open_kernel(room.name), bot.heuristics, position, info, bot.net)
    if expects and (turn or len(info.pv) > len(decision.actions)):
        expected = line_text(room, position, info.pv, TURNS_SHOWN)
        told.append(text("expected: {line}", line=expected))
    return told
