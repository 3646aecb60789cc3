"""What is typed at the prompt of each game: lines, and the actions that they mean or why not."""

import pytest

from tables import cases, parts
from trine.core.contract.position import NO_HISTORY
from trine.core.errors import TrineError
from trine.games import new_play, open_room

OPENING = "2g rrrrrrrr/dhcemchd/8/8/8/8/DHCMECHD/RRRRRRRR"
FEW = "open TT2t../.Y..../.Z...../......../....*..../......../......./.t..../.zy.Y white 2"
PLAYS = {
    "opening": new_play("arimaa", OPENING),
    "trap": new_play("arimaa", "2s 8/8/3H4/3e4/8/8/8/R7"),
    "corner": new_play("arimaa/diagonal", "2g 8/8/8/2r5/3D4/8/8/R6r"),
    "no corner": new_play("arimaa/official", "2g 8/8/8/2r5/3D4/8/8/R6r"),
    "setup": new_play("arimaa"),
    "few": new_play("tzaar/open", FEW),
    "fixed": new_play("tzaar", setup="fixed"),
    "placing": new_play("tzaar", setup="placement"),
    "quoridor": new_play("corridor/quoridor"),
    "choosing": new_play("corridor/corridor", size=5),
    "stuck": new_play("corridor", "great-wall 3 2 b2,c3 a1h,a2h,a2v,b1h,b2h,b2v *,* 1"),
}


@cases(
    "play | typed | actions",
    """
a piece and a step | opening | Da2n | Da2n
a step | opening | a2n | Da2n
a piece of the other side's letter | opening | da2n | Da2n
capitals | opening | A2N | Da2n
two squares | opening | a2a3 | Da2n
two squares with a dash | opening | a2-a3 | Da2n
a piece and two squares | opening | Da2a3 | Da2n
spaces around a step | opening | ·a2n· | Da2n
a semicolon behind a step | opening | a2n; | Da2n
several directions | opening | Ee2nnn | Ee2n Ee3n Ee4n
several steps | opening | e2n e3n, d2n | Ee2n Ee3n Md2n
two directions | opening | e2nw | Ee2n Ee3w
a step and the end | opening | e2n end | Ee2n end
two pieces | opening | c2n d2n | Cc2n Md2n
no direction | opening | a2 | ! 'a2' names no direction
no step | opening | a2q | ! 'a2q' is not a step
squares that are no neighbours | opening | a2b4 | ! 'a2b4' is no line of steps
a word behind a step | opening | a2n hello | ! 'hello' is not a step
another piece | opening | Ha2n | ! Ha2n: on a2 stands Gold's dog, not H
a square that is taken | opening | a2s | ! Da2s: the rabbit on a1 is in the way
nobody to push | opening | a7s | ! da7s: no piece of yours is beside the dog on a7
too many steps | opening | a2nnnnnn | ! the turn has four steps already
off the board | opening | a2wn | ! that leads off the board
a removal left out | trap | Hd6w ed5n | Hd6w ed5n
a removal typed | trap | Hd6w Hc6x ed5n | Hd6w ed5n
steps without pieces and removal | trap | d6w d5n | Hd6w ed5n
over a corner | corner | c5n d4nw | rc5n Dd4nw
a corner for an own piece | corner | d4ne | ! IllegalError ; Dd4ne: an own piece goes n, e, s or w; over a corner
no corners in these rules | no corner | d4ne | Dd4n Dd5e
an unknown setup | setup | setup nonsense | ! no setup 'nonsense'; expected 99of9
no name of a setup | setup | setup | ! which setup? 99of9
no seed | setup | setup random x | ! 'x' is not a seed
letters of no army | setup | setup RRRRRRRR/XXXXXXXX | ! is not a setup; expected two ranks of eight letters
a place twice | setup | setup Ra1 Ra1 | ! Ra1: the rabbit on a1 is in the way
a piece that cannot be captured | few | a1xa3 | !
two points | few | a2a3 | a2xa3
two points with a dash | few | A2-A3 | a2xa3
a capital X | few | a2Xa3 | a2xa3
two own points | few | a1a2 | a1+a2
two own points with a dash | few | a1-a2 | a1+a2
a stacking | few | a1+a2 | a1+a2
a capture of an own piece | few | a1xa2 | !
a stacking on a piece of the other side | few | a2+a3 | !
a dash for a pass | few | - | -
a word for a pass | few | PASS | -
a pass behind the end of a turn | few | a2xa3 -· | !
spaces and a semicolon | few | ·a2a3; | a2xa3
nothing | few | | !
one point | few | a2 | !
a point that there is not | few | a2a9 | !
a placement after the setup | few | Za4 | !
a word | few | hello | !
several placements | placing | za1 Tb1, yc1;Ta2 | Za1 Tb1 Yc1 Ta2
several turns | fixed | a5a4 a3a4 pass b1a1 | a5xa4 a3xa4 - b1xa1
a placement without a piece | placing | c3 | ! MalformedError ; type one like Zc3
a capture before the board is filled | placing | c3d3 | ! IllegalError ; filled first
a square | quoridor | e2 | e2
a capital letter | quoridor | ··E2· | e2
a wall | quoridor | e3h | e3h
a wall whose direction is first | quoridor | HE3 | e3h
a vertical wall in file h | quoridor | vh3 | h3v
a horizontal wall in file h | quoridor | hh3 | h3h
turns of both | quoridor | e2 e8, vc3;d8 | e2 e8 c3v d8
a start square with a mark or without | choosing | c1 @E5 c2 | @c1 @e5 c2
a pass by a word | stuck | pass | -
a pass by a dash | stuck | - | -
a pass while something else is legal | quoridor | Pass | ! IllegalError ; pass only if nothing else is legal
one wrong word spoils the line | quoridor | e2 e8 e8 | ! IllegalError ; e8 is taken
no word | quoridor | | ! MalformedError
spaces | quoridor | ·· | ! MalformedError
a comma | quoridor | , | ! MalformedError
two squares together | quoridor | e2e3 | ! MalformedError
a mark alone | quoridor | @ | ! MalformedError
a direction | quoridor | north | ! MalformedError
a letter and a number | quoridor | e 2 | ! MalformedError
a comment | quoridor | {e2} | ! MalformedError
a very long word | quoridor | LONG | ! MalformedError
""",
)
def test_a_line_means_actions_or_is_refused(play: str, typed: str, actions: str) -> None:
    """A dot in the table is a space."""
    room, position = PLAYS[play].room, PLAYS[play].position
    rules, line = open_room(room.name).rules, typed.replace("·", " ").replace("LONG", "x" * 5000)
    if not actions.startswith("!"):
        meant = rules.interpret(position, line, NO_HISTORY)
        assert " ".join(map(str, meant)) == actions
        for action in meant:
            position = position.play(action)
        assert position == meant.end
        return
    with pytest.raises(TrineError) as refused:
        rules.interpret(position, line, NO_HISTORY)
    said = f"{type(refused.value).__name__}: {refused.value}"
    assert [words for words in parts(actions[2:]) if words not in said] == []
