"""The export of all data of a person."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection


@dataclass
class Takeout:
    """The data of one person, to which each subject adds what it keeps."""

    about: dict[str, Any] = field(default_factory=dict)
    """By subject, as JSON tells it."""
    files: dict[str, str] = field(default_factory=dict)
    """Texts by their names, such as records of games."""

    def packed(self) -> bytes:
        """All of it as a ZIP file."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
            for name, told in self.files.items():
                files.writestr(name, told)
            about = json.dumps(self.about, ensure_ascii=False, indent=1)
            files.writestr("about-you.json", about)
        return packed.getvalue()


ALL: Final = 1_000_000
"""More rows than anybody has."""
Tell = Callable[[Connection, str, Takeout], None]
"""Adds what a subject keeps of a person."""
