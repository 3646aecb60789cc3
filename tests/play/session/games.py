"""Games on a clock for the tests of running games, and what of their states counts."""

from pathlib import Path
from typing import Any

from playing import HandClock, agreed, standing
from trine.play.session.file_journal import FileJournal, begin_in_file
from trine.play.session.game import Game
from trine.play.session.state import State


def begun_game(game: str, path: Path, now: HandClock) -> Game[FileJournal]:
    """A game on a clock, where its rules allow all that can be asked for."""
    name, *options = game.split()
    tags = dict(option.split("=") for option in options)
    return begin_in_file(agreed(name, "", clock="0:20/2", takebacks=True, **tags), path, now)


def told(state: State) -> tuple[Any, ...]:
    """All of a state that counts."""
    return (
        standing(state.play, state.clock),
        state.began,
        state.paused,
        state.by_consent,
        state.offers,
        state.leaving,
    )
