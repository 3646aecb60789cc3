"""Other programs' formats for records of TZAAR: Little Golem and Boardspace.

They can be read but not written, since neither site imports games.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from trine.core.contract import Format
from trine.games.tzaar.formats.boardspace import BOARDSPACE
from trine.games.tzaar.formats.littlegolem import LITTLEGOLEM

FORMATS: Final[Mapping[str, Format]] = {form.name: form for form in (LITTLEGOLEM, BOARDSPACE)}
