"""Data that programs print, as JSON or as Python writes it."""

from __future__ import annotations

import ast
import json
from contextlib import suppress


def read_data(content: str) -> object:
    """Return the lists, dicts, words and numbers that a text stands for; None if it is none.

    >>> read_data("{'moves': [None, 3]}"), read_data("e2 e8")
    ({'moves': [None, 3]}, None)
    """
    for read in (json.loads, ast.literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return read(content.strip())
    return None
