"""The errors that users can cause, as a small class hierarchy.

::

    TrineError (a ValueError)
    ├── MalformedError    a text that cannot be read as what it should be
    ├── IllegalError      an action or a position that the rules forbid
    ├── FileError         a file that cannot be read, written or found
    ├── LockedError       another process is writing to the file
    └── CompilingError    code that cannot be compiled on this machine, or with its settings

Every message says what was given, what was expected and, for the content of a file, the place.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Self

from trine.core.text.sentence import Text, join, text, verbatim

_SAID_BY_SYSTEMS: Final = {
    sentence.template: sentence
    for sentence in (
        text("No such file or directory"),
        text("File exists"),
        text("File name too long"),
        text("Is a directory"),
        text("Not a directory"),
        text("Permission denied"),
        text("Operation not permitted"),
        text("Read-only file system"),
        text("No space left on device"),
        text("Input/output error"),
        text("Connection refused"),
    )
}
"""Common error messages of operating systems, by their English words, as texts to translate."""


def system_words(error: Exception) -> Text:
    """Return an operating system's error message as a text, translated if it is common.

    >>> str(system_words(FileNotFoundError(2, "No such file or directory")))
    'No such file or directory'
    """
    words = getattr(error, "strerror", None) or str(error)
    return _SAID_BY_SYSTEMS.get(words, verbatim(words))


@dataclass(frozen=True)
class Place:
    """A place in a text.

    Units: lines and columns count from 1; 0 means unknown.

    >>> str(Place("game.txt", 3, 7))
    'game.txt:3:7'
    """

    file: str = ""
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        line = str(self.line) if self.line else ""
        column = str(self.column) if self.line and self.column else ""
        return ":".join(part for part in (self.file, line, column) if part)


class TrineError(ValueError):
    """The root of all errors that a user can cause; never shown as a traceback.

    >>> print(IllegalError("{cell} is taken", cell="e5").at("game.txt", line=3))
    game.txt:3: e5 is taken
    """

    default_text: ClassVar[Text]  # the message of an error class that has only one message

    def __init__(
        self, message: Text | str | None = None, place: Place | None = None, /, **values: object
    ) -> None:
        """Make an error of a text, or of a template for translators with its values."""
        message = self.default_text if message is None else message
        self.message = text(message, **values) if isinstance(message, str) else message
        super().__init__(self.message)
        self.place = place or Place()

    def at(self, file: str = "", line: int = 0, column: int = 0) -> Self:
        """Return the same error, with the unknown parts of its place filled in."""
        known = self.place
        self.place = Place(known.file or file, known.line or line, known.column or column)
        return self

    @property
    def text(self) -> Text:
        """The message, preceded by its place if known."""
        if not (place := str(self.place)):
            return self.message
        return join([verbatim(place), self.message], ": ")

    def __str__(self) -> str:
        return str(self.text)


class MalformedError(TrineError):
    """A text that cannot be parsed."""


class IllegalError(TrineError):
    """An action or a position that the rules forbid."""


class FileError(TrineError):
    """A file that cannot be read, written or found."""


class LockedError(FileError):
    """A file that another process is writing to."""


class CompilingError(TrineError):
    """Code that cannot be compiled on this machine, or with its settings."""
