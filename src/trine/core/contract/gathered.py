"""Definitions of a game that are found in its modules by name."""

from types import ModuleType
from typing import Any, Self


class Gathered:
    """A base of dataclasses whose fields are functions and constants of a game's modules."""

    @classmethod
    def of(cls, *modules: ModuleType, **given: Any) -> Self:
        """Return a value with the given fields; the others are from the last module that has them.

        A function has the name of its field, a constant the name in capitals: ``OPTIONS``.
        """
        names = {name: one for one in cls.__annotations__ for name in (one, one.upper())}
        found = {
            names[name]: value
            for module in modules
            for name, value in vars(module).items()
            if name in names and not isinstance(value, ModuleType)
        }
        return cls(**(found | given))
