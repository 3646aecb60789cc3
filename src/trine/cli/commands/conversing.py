"""Running the conversation of a command that teaches or asks: its reader, and its exit code."""

from __future__ import annotations

import sys

from trine.cli.terminal.lessons import LessonDialogue
from trine.cli.terminal.reader import PipeReader, Reader, TerminalReader, at_a_terminal


def converse(dialogue: LessonDialogue) -> None:
    """Run a conversation; to a script the exit code must tell what is seen at a terminal.

    Raises:
        SystemExit: it was interrupted, or something was refused or is not solved at its end.
    """
    at_hand = at_a_terminal()
    reader: Reader = TerminalReader(dialogue.candidates, str) if at_hand else PipeReader()
    dialogue.run(reader)
    if dialogue.interrupted:
        sys.exit(130)
    if not at_hand and (dialogue.refused or dialogue.unsolved):
        sys.exit(1)
