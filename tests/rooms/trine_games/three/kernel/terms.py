"""The one term of the evaluation."""

from typing import Final

from trine.core.contract import Aspect, Term
from trine.core.text.sentence import text

TERMS: Final = (
    Term("open_lines", text("lines that can still be filled"), Aspect("lines", text("the lines"))),
)
