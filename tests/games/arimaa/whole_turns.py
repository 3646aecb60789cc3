"""Whole turns as the vectors write them, read strictly."""

from trine.core.contract.position import NO_HISTORY, History
from trine.core.errors import IllegalError
from trine.core.text.sentence import split_words
from trine.games.arimaa.notation import read_action
from trine.games.arimaa.position import Position
from trine.games.arimaa.rules import END, Action


def parse_turn(position: Position, turn: str, history: History = NO_HISTORY) -> tuple[Action, ...]:
    """Read a whole turn strictly, its end included.

    Raises:
        MalformedError: a word is no action.
        IllegalError: an action, or ending the turn after the last, is against the rules.
    """
    actions: list[Action] = []
    words = split_words(turn)
    while words:
        action, used = read_action(position, words, history)
        actions.append(action)
        position = position.play_unchecked(action)
        words = words[used:]
    if reason := position.why_not(END, history):
        raise IllegalError(reason).at(column=len(turn))
    return (*actions, END)
