"""What turns bring about, in words, case by case; a game compares all of its effects itself."""

from tables import cases, parts
from trine.games import new_play


@cases(
    "game | position | turn | told",
    """
a captured piece is named by where it stood | arimaa | 2g 7r/8/8/3E4/3d4/8/8/7R | dd4s Ed5s dd3w Ed4s end | captures Silver's dog on d4 ; takes hold of trap c3
what is lost is told behind what is captured | arimaa | 2g 7r/8/8/8/3E4/3d1R2/5H2/7R | dd3w Ed4s Hf2e end | captures Silver's dog on d3 ; loses Gold's rabbit on f3 ; takes hold of trap c3
a rabbit that is pushed off is captured | arimaa/ejection | 2g r6r/E7/8/8/8/8/8/7R | ra8n Ea7n end | captures Silver's rabbit on a8
a piece that freezes | arimaa | 2g r7/8/8/8/3d4/6E1/8/R7 | Eg3n Eg4ww end | freezes Silver's dog on d4
a piece that frees | arimaa | 2g r7/8/8/3eD3/8/8/4H3/R7 | He2nn end | frees Gold's dog on e5
rabbits that are frozen are not told about | arimaa | 2g r7/8/8/3r4/5E2/8/8/R7 | Ef4nw end |
a trap that is taken hold of | arimaa | 2g r7/8/8/8/5E2/8/8/R7 | Ef4n end | takes hold of trap f6
a trap that was held before | arimaa | 2g r7/8/8/5E2/8/8/8/R7 | Ra1n end |
the others come before the own way | corridor | quoridor 9 2 e1,e9 - 10,10 1 | e8h | makes North's shortest way 1 step longer ; makes South's own way 1 step longer
a jump | corridor | quoridor 9 2 e4,e5 - 10,10 1 | e6 | jumps 2 steps nearer to the goal
a step forward | corridor | quoridor 9 2 e1,e9 - 10,10 1 | e2 | steps to the goal then: South 7, North 8
a step aside | corridor | quoridor 9 2 e1,e9 - 10,10 1 | d1 | steps to the goal then: South 8, North 8
a wall that costs nothing | corridor | quoridor 9 2 e1,e9 - 10,10 1 | a1h | steps to the goal then: South 8, North 8
the pawn leaves a lane that could be shut above | corridor | quoridor 9 2 a7,i9 a2v,a4v,a6v 8,9 1 | a8 | one wall can then cost South 2 steps at most, instead of 14
a lane is shut below, so that it may not be shut above too | corridor | quoridor 9 2 a7,i9 a2v,a4v,a6v 8,9 1 | a1h | one wall can then cost South 2 steps at most, instead of 14
one wall more would cost much | corridor | quoridor 9 2 e4,e6 c3h,f3v 9,9 2 | e4h | makes South's shortest way 1 step longer ; makes North's own way 2 steps longer ; then one wall more could make South's way 5 steps longer
a player without walls makes none to be feared | corridor | quoridor 9 2 e4,e6 c3h,f3v 9,1 2 | e4h | makes South's shortest way 1 step longer ; makes North's own way 2 steps longer
""",
)
def test_the_effects_of_a_turn_are_told(game: str, position: str, turn: str, told: str) -> None:
    play = new_play(game, position)
    effects = play.room.view.effects(play.position, play.interpret(turn))
    assert [str(effect.text) for effect in effects] == parts(told)
