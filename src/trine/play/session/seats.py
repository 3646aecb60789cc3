"""People and computer players, distinguished by their names."""

from collections.abc import Container
from typing import Final

from trine.core.play import Play
from trine.core.text.sentence import Text, text, typed

BOT: Final = "bot:"
COMPUTERS: Final = (BOT, "engine:", "aei:", "ugi:")
"""The prefixes of the names of computer players; all other names are people."""


def is_computer(name: str) -> bool:
    """Return whether a name is that of a computer player.

    >>> is_computer("bot:7"), is_computer("Anna")
    (True, False)
    """
    return name.lower().startswith(COMPUTERS)


def is_program(name: str) -> bool:
    return is_computer(name) and not name.lower().startswith(BOT)


def bot_display_name(bot: str) -> Text:
    """Return the name of a bot, for people.

    >>> str(bot_display_name("bot:3")), str(bot_display_name("bot:trapper"))
    ('computer, level 3', 'computer, trapper')
    """
    name = bot.lower().removeprefix(BOT)
    if name.isdecimal():
        return text("computer, level {level}", level=name)
    return text("computer, {name}", name=typed(name))


def turns_to_take_back(play: Play, own: Container[int]) -> int:
    """Return how many turns must be taken back to undo the last turn of ``own`` seats, 0 if none.

    >>> from trine.games import new_play
    >>> play = new_play("corridor")
    >>> play.enter("e2 e8")
    >>> turns_to_take_back(play, {0}), turns_to_take_back(play, {0, 1})
    (2, 1)
    """
    turns = enumerate(reversed(play.turns), 1)
    return next((back for back, turn in turns if turn.player in own), 0)
