"""The sentences of the rule books and lessons."""

from __future__ import annotations

from typing import Final

from trine.core.text import Text, text

LEARN: Final[dict[str, Text]] = {
    "again": text("Try again"),
    "answer": text("The other side answers: {turn}"),
    "begin": text("Begin"),
    "clause": text("Clause {number}"),
    "contents": text("Contents"),
    "count": text("{done} of {count} lessons done"),
    "done": text("done"),
    "failed": text("That did not get through; try again."),
    "game": text("Play a game"),
    "go_on": text("Go on"),
    "hint": text("Hint {number}"),
    "learn": text("Learn"),
    "learn_line": text("Small lessons, on a board that answers."),
    "lesson_of": text("Lesson {number} of {count}"),
    "lessons": text("Lessons"),
    "next": text("Next lesson"),
    "no_script": text("To answer, the board needs JavaScript. The lesson can be read without it."),
    "previous": text("Previous lesson"),
    "reading": text("Reading: {reason}"),
    "solution": text("One way to do it"),
    "try": text("Try it"),
    "try_line": text("Play what you like here; the referee judges it."),
}
"""The sentences of the lessons and the rule books."""
