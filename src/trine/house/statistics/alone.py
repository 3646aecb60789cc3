"""The figures of files as a page of its own, which needs no house."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trine.core.text.language import Language
from trine.house.statistics.figures import Figures
from trine.house.web.pages import templates
from trine.house.web.translation import sentences_of


def statistics_page(found: Sequence[Figures], files: Sequence[str], language: Language) -> str:
    """Return figures about the games of some files as a page in a language."""
    page = templates([Path(__file__).parent / "pages"]).get_template("statistics_alone.html")
    return page.render(say=language.say, found=found, files=files, **sentences_of(language)) + "\n"
