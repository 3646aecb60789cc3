"""Other programs' formats for records of TZAAR: Little Golem, Boardspace and bare lists.

They can be read but not written, since no program is known that reads one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract import Format
from trine.games.tzaar.formats.boardspace import BOARDSPACE
from trine.games.tzaar.formats.lists import LISTS
from trine.games.tzaar.formats.littlegolem import LITTLEGOLEM

FORMATS: Final[Mapping[str, Format]] = {
    form.name: form for form in (LITTLEGOLEM, BOARDSPACE, LISTS)
}
