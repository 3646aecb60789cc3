"""Conversations in a line each: what is typed, what is answered, and how the game then stands."""

from pathlib import Path

from cli.terminal.conversations import check_talk, talking
from playing import Standing, agreed, replayed, standing, terms
from tables import cases
from trine.cli.terminal.dialogue import Dialogue

NEARLY_LOST = (
    "official ...../....../......./.Tz...../.TYZ*yztT/......../......./....../..... white 1"
)
"""After a capture on d3 by d2, e3 could be stacked away onto, or by, others."""
TERMS = {
    "duel": terms(),
    "setup": terms(start=""),
    "pushed": terms(start="2g 8/8/8/8/3rE3/8/8/R7"),
    "frozen": agreed("arimaa", "2g 8/7r/8/8/8/4e3/4C3/R7"),
    "tzaar": agreed("tzaar"),
    "fixed": agreed("tzaar/open", setup="fixed"),
    "placing": agreed("tzaar", setup="placement"),
    "last tzaar": agreed("tzaar", NEARLY_LOST),
    "quoridor": agreed("corridor/quoridor"),
}


def state_of(dialogue: Dialogue, begun: Standing) -> str:
    """Return the turn, the number of open actions, the outcome, and the number of refused lines."""
    play = dialogue.game.play
    words = "as before" if standing(play) == begun else play.turn_tag
    words += f" + {len(play.open_actions)}" if play.open_actions else ""
    words += f", {play.outcome.reason}" if play.outcome else ""
    return words + (f", refused: {dialogue.refused}" if dialogue.refused else "")


@cases(
    "agreed | talk | state | log",
    """
a line that is partly wrong plays nothing | duel | d4n a2s -> backward | as before, refused: 1 | unchanged
an empty line ends a turn that cannot go on | duel | Enter -> type an action such as Ed4w, or help ; d4nn a2nn -> Enter ends the turn ; Enter -> 2s: Silver (Bert) to move ; Spaces -> type an action such as ec5n, or help | 2s |
insight marks the board and says what marks mean | pushed | insight -> d4 + frozen + * | as before | unchanged
the last turn is shown beside the board | duel | e2w d2w c2n end -> last turn: 2g Ce2w Cd2w Cc2n Cc3x + Gold lacks: + > | 2s |
a turn is taken back by consent | duel | d4n end ; takeback -> accept or decline ; accept -> 2g: Gold (Anna) to move | as before |
a setup is typed or named | setup | board -> to place: E M H H D D C C R R R R R R R R ; setup 99of9 ; end ; setup rrrrrrrr/dhcmechd ; Enter -> 2g: Gold (Anna) to move | 2g |
why names the rule and changes nothing | duel | why a2s -> a rabbit does not step backward ; why d4e -> d4e is legal ; why end -> at least one step ; WHY c5c6 -> c5 | as before | unchanged
why takes a line of actions | duel | why d4n d5n d6n d7n -> d7 ; why setup 99of9 -> the setup is over | as before | unchanged
why of what is no action | duel | why hello -> 'hello' is not a step ; why -> why takes an action, such as why Ed4w | as before, refused: 1 | unchanged
an action that loses at once is played over a pipe | last tzaar | d2xd3 ; d3+e4 | 1b, extinction |
a takeback is declined | duel | d4n end ; takeback ; decline -> declined ; accept -> nothing was asked for | 2s, refused: 1 |
a takeback is of the turn that was the last when it was asked for | duel | d4n end ; takeback ; ra7s end ; accept | 3g, refused: 1 |
an offer stands until the other side has moved | duel | offer draw ; d4n end ; ra7s ; end ; accept -> nothing was asked for ; offer draw ; d5n end ; accept | 3s, agreement, refused: 1 |
moves tells what a piece cannot do | frozen | moves e2 -> the cat on e2 is frozen by the elephant on e3 ; moves a1 -> Ra1n ; moves e3 -> the cat on e2: not stronger than the elephant | as before, refused: 2 | unchanged
a turn is over with its second action | fixed | d3d4 -> so far: d3xd4 ; pass -> 1b: Black to move | 1b |
a whole turn in one line | fixed | d3d4 ; pass ; c3xd4 - | 2w | 1w d3xd4 - {
the first action is undone before the second | fixed | d3d4 ; undo ; undo -> no action to take back | as before, refused: 1 |
filling the board is declined | placing | fill 7 -> White asks: place all remaining pieces at random, for both sides + Black: accept or decline? ; decline ; accept -> nothing was asked for | as before, refused: 1 |
filling the board is accepted | placing | fill 7 ; accept | 31w |
an action of filling is undone | placing | fill 7 ; accept ; undo | 30b |
playing on declines what was asked for | placing | fill ; Za1 ; accept -> nothing was asked for | 1b, refused: 1 |
a game without draws offers none | tzaar | help -> !offer draw ; offer draw -> TZAAR has no draws | as before, refused: 1 | unchanged
try shows the board after actions | quoridor | try e3h e7h -> walls of South: e3h + e3h e7h is not played ; try e3h e3v -> cross ; try -> such as try | as before, refused: 2 | unchanged
""",
)
def test_a_line_is_answered(agreed: str, talk: str, state: str, log: str, path: Path) -> None:
    with talking(path, TERMS[agreed]) as dialogue:
        begun, content = standing(dialogue.game.play), path.read_bytes()
        check_talk(dialogue, talk)
        assert state_of(dialogue, begun) == state
        assert standing(replayed(path)) == standing(dialogue.game.play)
        assert (path.read_bytes() == content) == (log == "unchanged")
        assert log == "unchanged" or log in path.read_text()
