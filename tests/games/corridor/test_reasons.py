"""Every refusal names its rule."""

from games.refusals import refusals
from trine.games.corridor.diagrams import parse_position
from trine.games.corridor.notation import parse_action


@refusals("""
# the play
quoridor 9 2 h9,a3 - 10,10 2
    a2 | the play is over: goal
corridor 5 2 c1,c5 a2h,b2h,c2h,d2h,e2h 7,8 2
    c4 | the play is over: trapped
# start squares
great-wall 5 4 a1,?,?,? - *,*,*,* 2
    a2 | the start squares are chosen first; West chooses one
    a2h | the start squares are chosen first; West chooses one
    - | you can pass only if nothing else is legal; @a2 is
    @a1 | a1 is taken: South stands there
    @b1 | West starts on the west side, from a1 to a5; b1 is not there
    @a6 | a6 is off the board, which has the squares a1 to e5
quoridor 9 2 e1,e9 - 10,10 1
    @e1 | start squares are not chosen here; every pawn starts in the middle of a side
    j1 | j1 is off the board, which has the squares a1 to i9
    e10 | e10 is off the board, which has the squares a1 to i9
    e1 | the pawn stands on e1 already
    e9 | e9 is taken: North stands there
    e3 | e3 is not beside e1; a pawn goes to a square beside it, or jumps over a pawn that stands
        there
    d2 | d2 is not beside e1; a pawn goes to a square beside it, or jumps over a pawn that stands
        there
    i1h | a wall is two squares long; from i1 it would stick out of the board
    a9v | a wall is two squares long; from a9 it would stick out of the board
    a9h | north of a9 is the border; walls stand between squares
    i3v | east of i3 is the border; walls stand between squares
    k3v | k3 is off the board, which has the squares a1 to i9
    - | you can pass only if nothing else is legal; d1 is
corridor 5 2 c1,c5 - 10,10 1
    @c1 | the start squares are chosen already; the pawns move now
# moves
quoridor 9 2 e1,e9 d1h 9,10 1
    e2 | the wall d1h stands between e1 and e2
quoridor 9 2 e1,e9 d1v 9,10 1
    d1 | the wall d1v stands between e1 and d1
# jumps
quoridor 9 2 e4,e5 e5h 9,9 1
    e6 | the wall e5h stands behind the pawn on e5, so the way straight over it is shut
quoridor 9 2 e4,e5 d4h 9,9 1
    e6 | the wall d4h stands before the pawn on e5; no jump leads over a wall
    d5 | the wall d4h stands before the pawn on e5; no jump leads over a wall
quoridor 9 2 e4,e5 - 9,9 1
    d5 | a jump leads straight over the pawn on e5 to e6, since nothing is in the way there; only a
        wall, the edge of the board or another pawn turns it aside
quoridor 9 2 e4,e5 d5v,e5h 9,9 1
    d5 | the wall d5v stands between e5 and d5
corridor 9 2 e4,e5 e5h 9,9 1
    e6 | the wall e5h stands behind the pawn on e5, so the way straight over it is shut
    d5 | a jump leads straight over the pawn on e5, never to a side of it
corridor-8 9 2 b5,a5 - 8,8 1
    a6 | a jump leads straight over the pawn on a5, never to a side of it
great-wall 9 3 e4,e5,e6 - *,*,* 1
    e6 | e6 is taken: North stands there
    e7 | a jump leads over one pawn, never over two
quoridor 9 4 e4,e5,e6,i5 - 5,5,5,5 1
    e7 | a jump leads over one pawn, never over two
# walls
corridor 9 2 e1,e9 - 10,10 1
    i9h | north of i9 is the border; walls stand between squares
quoridor 9 2 e1,e9 e5h 9,10 2
    e5h | a wall stands there already
    e5v | it would cross the wall e5h
    d5h | it would overlap the wall e5h
corridor 9 2 e1,e9 e5h 9,10 2
    e5h | a wall stands there already
quoridor 9 2 e1,e9 e5h 0,10 1
    a1h | South has no walls left
quoridor 9 2 e1,e9 a8h,c8h,e8h,g8h 8,8 1
    h8v | it would shut North off: no way to the south side would be left
quoridor 9 4 e4,a1,e6,i5 b1v 4,5,5,5 1
    a2h | it would shut West off: no way to the east side would be left
great-wall 9 2 e1,e9 a4h,b4h,c4h,d4h,e4h,f4h,g4h,h4h *,* 1
    i4h | it would complete a Great Wall between the west and the east side: a4h, b4h, c4h, d4h,
        e4h, f4h, g4h, h4h, i4h
great-wall 7 3 d1,a4,d7 e5h,e5v,e6v,f4h,f6h,f7v *,*,* 1
    g6h | it would complete a Great Wall between the north and the east side: f7v, g6h
great-wall 5 2 c1,c5 a1h *,* 1
    a1v | it would complete a Great Wall between the south and the west side: a1v, a1h
""")
def test_a_refusal_names_its_rule(position: str, words: str, message: str) -> None:
    assert str(parse_position(position).why_not(parse_action(words))) == message


def test_what_a_looker_asks_about_a_wall_is_what_the_referee_says() -> None:
    position = parse_position("quoridor 9 2 e1,e9 e5h 9,10 2")
    for word in ("e5v", "d5h", "c5h", "i1h"):
        wall = parse_action(word)
        assert position.wall_refusal(wall) == position.why_not(wall)  # type: ignore[arg-type]
