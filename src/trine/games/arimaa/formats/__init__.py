"""Other programs' formats for records of Arimaa: move lists, and the game server's archive."""

import re
from collections.abc import Mapping
from typing import Final

from trine.core.contract.notation import Format, position_format
from trine.core.errors import IllegalError
from trine.core.text.sentence import text
from trine.games.arimaa.diagrams import format_position, parse_position, write_position
from trine.games.arimaa.formats import movelists
from trine.games.arimaa.position import Position


def _whole_turn(position: Position) -> Position:
    """Return a position whose turn has not begun; else raise `IllegalError`."""
    if position.steps:
        raise IllegalError("the turn has begun")
    return position


_MOVELIST = re.compile(r"\s*1[gw][.:]?\s(?!\s*(?:[TYZtyz]?[a-i][1-9]|\+-|8[ \t]?\|))")
"""The tag of the first turn, with neither an action of TZAAR nor a framed board after it."""

FORMATS: Final[Mapping[str, Format]] = {
    form.name: form
    for form in (
        Format(
            "movelist",
            text("the official notation, a turn a line"),
            movelists.read_movelists,
            lambda head: _MOVELIST.match(head) is not None,
            movelists.write_movelists,
            movelists.check_is_movelist,
            game="arimaa",
            whose="arimaa.com, engines",
            example="1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Cb2 Dc2 Dd2 He2 Hf2 Mg2 Eh2",
        ),
        Format(
            "abstractplay",
            text("games of AbstractPlay, a turn a line"),
            movelists.read_plies,
            movelists.is_plies,
            movelists.write_plies,
            movelists.check_is_movelist,
            game="arimaa",
            whose="AbstractPlay",
            example="Ra1,Rb1,Rc1,Rd1,Re1,Rf1,Rg1,Rh1,Ca2,Hb2,Dc2,Ed2,Me2,Df2,Hg2,Ch2",
        ),
        Format(
            "archive",
            text("the game archive of the Arimaa server, a table"),
            movelists.read_archive,
            lambda head: head.startswith("id\t") and "\tmovelist" in head.split("\n")[0],
            game="arimaa",
            whose="the archive of arimaa.com",
            example="id\twplayerid\t…\tmovelist\tevents",
        ),
        position_format(
            "aei",
            text("a position as a command of the Arimaa Engine Interface"),
            game="arimaa",
            whose="AEI engines, as setposition",
            example=f"setposition g [{' ' * 36}E{' ' * 26}R]",
            parse=parse_position,
            format_start=write_position,
            write=lambda position: f"setposition {format_position(_whole_turn(position), 'short')}",
        ),
        position_format(
            "arimaa-board",
            text("a position as a framed board"),
            game="arimaa",
            whose="AEI tools, bot_sharp",
            example="3g ⏎ +-----------------+ ⏎ 8| r r r r r r r r | ⏎ …",
            parse=parse_position,
            format_start=write_position,
            write=lambda position: format_position(_whole_turn(position), "long"),
        ),
    )
}
