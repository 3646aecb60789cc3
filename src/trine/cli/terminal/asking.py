"""Questions about a play: whether something is legal, and why not."""

from __future__ import annotations

from trine.core.errors import TrineError
from trine.core.play import Play
from trine.core.text.sentence import Text, text


def example_of(play: Play) -> str:
    """A legal action of the first kind, to show how one is typed.

    They stand from the first player's side on, so its own first one would often be a step back.
    """
    _, actions = play.room.view.group_actions(play.position, play.legal_actions())[0]
    return str(actions[0 if play.mover else -1])


def why_told(play: Play, line: str) -> list[Text]:
    """Return whether actions are legal, with warnings about them; or why they are not."""
    try:
        read = play.interpret(line)
    except TrineError as error:
        told = error.message.values
        if told.get("given") == line and isinstance(reason := told.get("reason"), Text):
            return [reason]  # whoever asks about one action knows which
        return [error.text]
    taken = (play.room.view.reading(step.before, step.action) for step in read.steps)
    readings = [reading for reading in taken if reading]
    return [text("{step} is legal", step=line), *readings, *read.warnings(play.history)]
