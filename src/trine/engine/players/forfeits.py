"""Forfeits: checks of decisions, and transcripts of players that failed."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final

from trine.core.contract.checked import CheckedLine, Checker
from trine.core.errors import CompilingError
from trine.core.play import Play
from trine.core.text.sentence import text
from trine.core.work.files import file_error
from trine.engine.players.player import Decision, ForfeitError

MAX_TRANSCRIPT: Final = 1 << 16
"""Units: characters; only the end of a longer transcript is stored. Guess."""


def as_forfeit(error: Exception) -> ForfeitError:
    """Wrap any error of a player as a forfeit, so that it does not end the match.

    >>> str(as_forfeit(ZeroDivisionError("by accident")).message)
    'it failed: ZeroDivisionError: by accident'
    """
    if isinstance(error, ForfeitError):
        return error
    if isinstance(error, CompilingError):
        return ForfeitError(text("it failed: {problem}", problem=error.message))
    message = text("it failed: {problem}", problem=f"{type(error).__name__}: {error}")
    return ForfeitError(message, "".join(traceback.format_exception(error)))


def check_turn(play: Play, decision: Decision) -> CheckedLine:
    """Check that a decision is a legal, complete turn.

    Raises:
        ForfeitError: the decision is no legal turn.

    >>> from trine.games import new_play
    >>> start = new_play("corridor")
    >>> str(check_turn(start, Decision(tuple(start.interpret("e2")))).actions[0])
    'e2'
    >>> check_turn(start, Decision(()))
    Traceback (most recent call last):
    trine.engine.players.player.ForfeitError: its turn is not complete
    """
    checker = Checker(play.position, play.history)
    for action in decision.actions:
        if checker.closed:
            raise ForfeitError(text("it answers with more than its turn"))
        try:
            if reason := checker.why_not(action):
                raise ForfeitError(text("illegal: {action}: {why}", action=str(action), why=reason))
            checker.play_unchecked(action)
        except Exception as error:  # a decision can contain objects that are not actions
            raise as_forfeit(error) from None
    if not checker.closed:
        raise ForfeitError(text("its turn is not complete"))
    return checker.line()


def transcripts_path(path: Path) -> Path:
    """Return the path of the transcripts of forfeits, next to a file of records."""
    return path.with_name(path.name + ".forfeits")


def keep_transcript(path: Path, head: str, transcript: str) -> None:
    """Append the transcript of a forfeit to the file next to a file of records."""
    path = transcripts_path(path)
    try:
        with path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(f"=== {head}\n{transcript[-MAX_TRANSCRIPT:].rstrip()}\n\n")
    except OSError as error:
        raise file_error(path, error) from None
