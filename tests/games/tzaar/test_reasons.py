"""Every way to break a rule has its own message."""

from games.refusals import refusals
from trine.games.tzaar.diagrams import parse_position
from trine.games.tzaar.notation import parse_action


@refusals("""
open Ty2T../.Z..../.....zT/...Z..../t..Y*y.../......../......./.t..../.zt.Y white 1
    b1xa1 | nothing stands on b1
    a2xa1 | the black Tzarra on a2 is the other side's; White is to move
    a1xa1 | a stack must go to another point than a1
    a1xi2 | no line leads from a1 to i2
    e4xe6 | the missing centre lies between e4 and e6; no line leads over it
    e4xe9 | the missing centre lies between e4 and e9; no line leads over it
    a1xa3 | the black Tzarra on a2 stands between a1 and a3
    a1xb1 | nothing stands on b1, and a stack goes only where another one stands
    d4xe4 | the white Tzarra on e4 is your own; capture one of the other side's
    d4+e4 | the first action of a turn must be a capture; White has to capture now
    - | the first action of a turn must be a capture; White has to capture now
    a1xa2 | the black Tzarra on a2 has height 2, the white Tott on a1 only 1; a stack cannot capture
        a higher one
    Za4 | nothing is placed any more; stacks are moved now
open Ty2T../.Z..../.....zT/...Z..../t..Y*y.../......../......./.t..../.zt.Y black 1
    a1xa2 | the white Tott on a1 is the other side's; Black is to move
open Ty2T../.Z..../.....zT/...Z..../t..Y*y.../......../......./.t..../.zt.Y white 2
    d4xe4 | the white Tzarra on e4 is your own; d4+e4 would stack onto it
    e4+e1 | the black Tott on e1 is the other side's; e4xe1 would capture it
official ttttT/TyyyYT/TYzzZYT/TYZtTZYT/TYZT*tzyt/tyztTzyt/tyzZZyt/tyYYYt/tTTTT white first
    - | White's very first turn is one capture and nothing else
    a5+b6 | White's very first turn is one capture and nothing else
official Tt.../.Y..../......./......../....*..../......../......./.t..../.zy.Y white 1
    a1xa2 | the play is over: White shows no Tzaar any more
official TYZ../.t2y2.../..z2..../......../....*..../......../......./....../..... white 1
    a1xb2 | the play is over: White can capture nothing
official TtTtT/tTtTtT/tTtTtTt/TtTtTtTt/TtTt*..../......../......./....../..... white place
    a1xa2 | the board is filled first; place a piece, such as Zc3
    - | the board is filled first; place a piece, such as Zc3
    Ta1 | the white Tott on a1 is in the way
    Te6 | no Tott is left to place; in hand: 9 of Tzarra, 6 of Tzaar
""")
def test_the_rule_is_named(position: str, words: str, message: str) -> None:
    assert str(parse_position(position).why_not(parse_action(words))) == message
