"""The sentences of the analysis board and of the review of a game."""

from __future__ import annotations

from typing import Final

from trine.core.text import Text, text
from trine.web.words import PAGE

ANALYSIS: Final[dict[str, Text]] = {
    "analyse": text("Analyse"),
    "analysis": text("Analysis"),
    "analysis_line": text("Look at a position, play both sides, and ask the computer."),
    "away": text("The computer thinks for another page of yours."),
    "back_to_game": text("Back to the turns"),
    "begin": text("Begin"),
    "better": text("Play the better turn"),
    "box": text("The box"),
    "cannot_read": text("This cannot be read:"),
    "chances": text("Chances to win"),
    "copy": text("Make a copy of my own"),
    "delete": text("Delete this turn and all behind it"),
    "delete_all": text("Delete the analysis"),
    "depth": text("{count} actions deep"),
    "download": text("Download (.trine)"),
    "empty_board": text("Empty the board"),
    "engine": text("Computer"),
    "engine_over": text("The game is over here; there is nothing to think about."),
    "failed": text("The computer has failed; switch it off and on again."),
    "file": text("or a file"),
    "hand": text("Hand: move pieces, or off the board"),
    "lines": text("Lines"),
    "new_analysis": text("New analysis"),
    "not_yours": text("You may look; to try something, make a copy of your own."),
    "note": text("Note to this turn"),
    "not_searched": text("not searched; a sound way to begin"),
    "paste": text("A record or a position"),
    "paste_line": text(
        "Paste a game or a position, in any format that trine reads, or choose a file."
    ),
    "promote": text("Make this the main line"),
    "read": text("Open"),
    "restart": text("Start of the game"),
    "review": text("Review the whole game"),
    "reviewed": text("What cost most"),
    "reviewing": text("Reviewing turn {turn}: {done} of {total}"),
    "reviewing_begins": text("The review begins; the first time ever that takes a minute or two."),
    "nothing_costly": text("No turn lost so much that it would be a slip."),
    "accuracy": text("accuracy"),
    "saved": text("Saved."),
    "saving": text("Saving …"),
    "set_up": text("Set up a position"),
    "several": text("There are several games; choose one."),
    "thinking": text("thinking …"),
    "to_play": text("Type a turn"),
    "play_typed": text("Play it"),
    "tree": text("Turns"),
    "use": text("Use this position"),
    "waking": text(
        "The computer makes itself ready; the first time ever that takes a minute or two."
    ),
    "your_analyses": text("Your analyses"),
    **{
        name: PAGE[name]
        for name in ("first", "previous", "next", "last", "undo", "reset", "flip", "insight")
    },
    "lost_line": PAGE["lost_line"],
}
"""The sentences of the analysis board."""

REVIEW: Final[dict[str, Text]] = {
    "comes": text("The review is shown here as soon as it is made."),
    "making": text("The computer looks at all turns of the game, from the last one to the first."),
    "review": text("Review"),
    "so_far": text("{done} of {total} turns"),
    "waits": text("The computer is busy with others …"),
}
"""The sentences of the pages of reviews."""
