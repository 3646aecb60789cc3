"""Abstract board games: exact rules, plays, records.

>>> import trine
>>> play = trine.new_play("arimaa/official")
>>> play.enter("setup 99of9")
>>> play.enter("end")
>>> play.turn_tag
'1s'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trine.core.clock import Limits
    from trine.core.contract.position import Outcome, Reason
    from trine.core.contract.record import Record, format_record
    from trine.core.errors import IllegalError, MalformedError, TrineError
    from trine.core.play import Play
    from trine.games import new_play, open_room
    from trine.play.record.formats import read_file
    from trine.play.record.replay import record_of, replay
    from trine.play.record.variations import GameNode, tree_of, written_tree
    from trine.shortcuts import Hint, analyze, bot, hint, svg, turn_between

__version__ = "0.1.0"

_HOMES = {
    name: module
    for module, names in {
        "trine.core.clock": "Limits",
        "trine.core.contract.position": "Outcome Reason",
        "trine.core.contract.record": "Record format_record",
        "trine.core.errors": "IllegalError MalformedError TrineError",
        "trine.core.play": "Play",
        "trine.games": "new_play open_room",
        "trine.play.record.formats": "read_file",
        "trine.play.record.replay": "record_of replay",
        "trine.play.record.variations": "GameNode tree_of written_tree",
        "trine.shortcuts": "Hint analyze bot hint svg turn_between",
    }.items()
    for name in names.split()
}
"""The module of each public name; imported on first use, so that ``trine --version`` is fast."""

__all__ = [
    "GameNode",
    "Hint",
    "IllegalError",
    "Limits",
    "MalformedError",
    "Outcome",
    "Play",
    "Reason",
    "Record",
    "TrineError",
    "__version__",
    "analyze",
    "bot",
    "format_record",
    "hint",
    "new_play",
    "open_room",
    "read_file",
    "record_of",
    "replay",
    "svg",
    "tree_of",
    "turn_between",
    "written_tree",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
