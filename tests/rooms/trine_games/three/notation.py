"""The notation of actions: the name of the square, as in ``b2``."""

from functools import partial

from trine.core.contract import notation
from trine.core.errors import MalformedError
from trine.core.text.sentence import quoted, text
from trine_games.three.board import NAMES
from trine_games.three.rules import Mark


def parse_action(word: str) -> Mark:
    """Read one action; raises `MalformedError`.

    >>> parse_action("b2")
    Mark(square=4)
    """
    if word not in NAMES:
        raise MalformedError(text("{given} is no square; expected a1 to c3", given=quoted(word)))
    return Mark(NAMES.index(word))


read_action = partial(notation.read_action, parse_action)
interpret = partial(notation.interpret, lambda position, word: parse_action(word.lower()))
