"""Records of other programs about Arimaa, for tests."""

import io

from playing import ARIMAA, random_play
from trine.core.contract.notation import Format
from trine.core.contract.record import Record
from trine.core.play import Play

ARCHIVE, MOVELIST = ARIMAA.rules.formats["archive"], ARIMAA.rules.formats["movelist"]
HEADLINE = (
    "id wplayerid bplayerid wusername busername wtitle btitle wcountry bcountry wrating brating "
    "wratingk bratingk wtype btype event site timecontrol postal startts endts result termination "
    "plycount mode rated corrupt movelist events"
)
COLUMNS = HEADLINE.split()
SETUPS = (
    "1w Ra1 Rb1 Rc1 Dd1 De1 Rf1 Rg1 Rh1 Ra2 Hb2 Cc2 Md2 Ee2 Cf2 Hg2 Rh2",
    "1b ra7 hb7 cc7 md7 ee7 cf7 hg7 rh7 ra8 rb8 rc8 dd8 de8 rf8 rg8 rh8",
)
EVENTS = (
    "1769946008 [Sun Feb  1 11:40:08 2026] move 1w received from w [Ed2]",
    "1769946011 after 1w, move used:3 wresv:120 bresv:90 game:3",
    "1769946021 after 1b, move used:100 wresv:120 bresv:70 game:103",
    "1769946022 after 2w, move used:0 wresv:121 bresv:70 game:103",
)
GAME = {
    "id": "700001",
    "wusername": "Anna",
    "busername": 'Bert "the Bot"',
    "wrating": "1500",
    "wtype": "h",
    "btype": "b",
    "event": "A casual game",
    "site": "Over the Net",
    "timecontrol": "2/2/100/10/8",
    "postal": "0",
    "startts": "1769946008",
    "endts": "1769946100",
    "result": "w",
    "termination": "r",
    "plycount": "9",
    "mode": "IGS",
    "rated": "1",
    "corrupt": "0",
    "movelist": r"\n".join([*SETUPS, "2w Ee2n", "2b resigns"]),
    "events": r"\n".join(EVENTS),
}


def table(*games: dict[str, str]) -> str:
    rows = ["\t".join(game.get(column, "") for column in COLUMNS) for game in games]
    return "\n".join(["\t".join(COLUMNS), *rows, ""])


def lines(words: str) -> io.StringIO:
    return io.StringIO(words, newline="\n")


def archived(*games: dict[str, str]) -> list[Record]:
    return list(ARCHIVE.read(lines(table(*games)), "games.txt"))


def plain(record: Record) -> object:
    letters = {"w": "g", "b": "s"}
    return [
        (turn.number, letters.get(turn.letter, turn.letter), [word.text for word in turn.words])
        for turn in record.turns
    ]


def written(form: Format, record: Record) -> str:
    form.check(record)
    return "".join(form.write([record]))


def whole_play(seed: int, doings: int) -> Play:
    play = random_play(seed, doings, start="")
    while play.open_actions:
        play.undo()
    return play
