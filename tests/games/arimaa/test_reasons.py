"""Every class of illegality in the rules has its own message."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.arimaa.whole_turns import parse_turn
from games.refusals import refusals
from trine.cli.terminal.vocabulary import legality_of
from trine.core.contract.position import History, Outcome, Reason
from trine.core.errors import IllegalError
from trine.core.play import Play
from trine.games import new_play, open_room
from trine.games.arimaa.board import EMPTY, GOLD, SQUARES, TRAPS
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.notation import parse_action
from trine.games.arimaa.position import Position, turn_results
from trine.games.arimaa.rules import END, RULE_SETS, STEPS, Placement, is_supported
from trine.games.arimaa.view.pointing import handles, refusal

MIDDLE = "2g 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR"
"""The position that the French and the Hungarian document show, blanks filled in."""


FROZEN = "9g r6r/1h1c1d2/3e4/2RmE3/3H1D2/1C4c1/R1R1M1R1/R6R"


@refusals("""
official 2g 3rcr2/rR4mr/Dd1H2d1/3e4/2r2r1C/2rE3M/R1hr1hDH/1RCR1RRR
    Ra6n | on a6 stands Gold's dog, not R
    Re4n | nothing stands on e4
    Rc1n | on c1 stands Gold's cat, not R
    Cc1n | the horse on c2 is in the way
    Ra2s | a rabbit does not step backward
    Rf1s | a rabbit does not step backward
    Da6w | that leads off the board
    Rb7n | the rabbit on b7 is frozen by the dog on b6 (no friend beside it)
    Ed3ne | steps are orthogonal: n, e, s or w
    ed5e | the horse on d6: not stronger than the elephant on d5; only a stronger piece can push or
        pull it
    rf4e | no piece of yours is beside the rabbit on f4 to push it; and a pull follows at once the
        step of a stronger piece that was beside it
    rd8w | no piece of yours is beside the rabbit on d8 to push it; and a pull follows at once the
        step of a stronger piece that was beside it
    rd2w | the horse on c2 is in the way
    rd2e Rb1n | the push must be completed: the elephant on d3 must go to d2
    rd2e Ed3s rc3e | the step that completes a push is not also the first half of a pull
    end | a turn has at least one step
official 2g 8/8/8/4E3/8/8/8/R6r
    Ee5n Ee6n Ee7n Ee8w Ed8w | the turn has four steps already; end it or take a step back
    Ee5n Ee6s end | a turn must change the position; this one would end where it began
    Ee5n Ee6s Ee5n Ee6s | a turn must change the position; this one would end where it began
official 2g 8/8/8/4Er2/8/8/8/R6r
    rf5n Ra1n | the push must be completed: the elephant on e5 must go to f5
    rf5n end | the push must be completed: the elephant on e5 must go to f5
    Ra1n Ra2n Ra3n rf5n | a push needs two steps and one is left
    rf5w | the elephant on e5 is in the way
official 2g 8/8/8/3cHe2/8/8/8/R6r
    cd5w | the horse on e5: frozen by the elephant on f5; a frozen piece cannot push the cat on d5
official 2g 8/8/8/3rE3/8/8/8/R6r
    Ee5n Ee6n rd5e | no piece of yours is beside the rabbit on d5 to push it; and a pull follows at
        once the step of a stronger piece that was beside it
official 2g 8/8/8/4Er2/4c3/8/8/R6r
    rf5n Ee5e ce4n | the step that completes a push is not also the first half of a pull
official 2g 8/8/8/3hH3/8/8/8/R6r
    He5e hd5e | no piece of yours is beside the horse on d5 to push it; and a pull follows at once
        the step of a stronger piece that was beside it
# The cat was frozen by the horse as the push began.
official 2g 8/8/8/1rE5/hC6/8/8/R6r
    rb5n Cb4n | the cat on b4 is frozen by the horse on a4, so it cannot complete the push
official 2s 8/8/8/8/8/8/3e4/3R3r
    Rd1s | that leads off the board
ejection 2s 8/8/8/8/8/8/3e4/3C3r
    Cd1s | only rabbits are pushed off the board
ejection 2s 8/8/8/8/8/8/3e4/R2R3r
    Ra1w | rabbits are pushed off over rank 1 or rank 8 only
ejection 2g 8/8/8/8/8/8/3E4/3R3r
    Rd1s | a rabbit does not step backward
ejection 2s 8/8/8/8/8/8/3e4/R6r
    Ra1s | no piece of yours is beside the rabbit on a1 to push it off
diagonal 2g 8/8/8/4E3/8/8/8/R6r
    Ee5ne | an own piece goes n, e, s or w; over a corner it only takes the square of an enemy piece
        that it has pushed away with the step before
diagonal 2g 8/8/8/4Er2/8/8/8/R6r
    rf5ne | a pushed piece goes n, e, s or w; over a corner an enemy piece is only drawn onto the
        square that a stronger piece beside it has left with the step before
diagonal 2g 8/8/8/4r3/3E4/8/8/R6r
    Ed4ne | the rabbit on e5 is in the way; push it first, as with re5n: then Ed4ne takes its square
    Ra1n Ra2n Ed4ne | the rabbit on e5 is in the way; push it first, as with re5n: then Ed4ne takes
        its square
    Ra1n Ra2n Ra3n Ed4ne | the rabbit on e5 is in the way
diagonal 2g 8/8/8/4E3/3r4/8/8/R6r
    rd4ne | the elephant on e5 is in the way
diagonal 2g 8/8/8/4C3/5h2/8/8/R6r
    Ce5n | the cat on e5 is frozen by the horse on f4 (no friend beside it)
""")
def test_the_rule_is_named(position: str, words: str, message: str) -> None:
    """The last word is refused after the others of the same turn; `end` is the end of the turn."""
    rules, board = position.split(" ", 1)
    *made, last = words.split()
    at = parse_position(board, RULE_SETS[rules])
    for word in made:
        at = at.play(parse_action(word))
    assert str(at.why_not(END if last == "end" else parse_action(last))) == message


def test_a_third_repetition_is_named() -> None:
    room = open_room("arimaa")
    play = Play(room, room.rules.parse_position("2g e7/8/8/8/8/r7/8/R6E", "official"))
    for turn in ["Eh1n", "ea8s", "Eh2s", "ea7n", "Eh1n", "ea8s", "Eh2s"]:
        play.enter(f"{turn} end")
    play.enter("ea7n")
    assert str(play.why_not(END)) == "this turn would repeat the position for the third time"
    with pytest.raises(IllegalError, match="third time"):
        play.enter("end")
    play.enter("ea8s")  # there are other ways to go on
    assert END not in play.legal_actions()  # the position did not change


def test_a_step_that_leaves_only_repetitions_is_refused() -> None:
    # Silver can only go from a8 to a7, which has been made twice.
    position = parse_position("2s erC5/1E6/rM6/C7/8/8/8/6RD")
    step = parse_action("ea8s")
    (made,) = turn_results(position)
    history = History([made.key, made.key, position.key])
    assert str(position.why_not(step, history)) == (
        "this turn would repeat the position for the third time"
    )
    assert position.legal_actions(history) == ()
    assert position.outcome(history) == Outcome(GOLD, Reason.REPETITION)


@pytest.mark.parametrize(
    ("placed", "action", "message"),
    [
        ("", "Ra3", "a3 is outside the two home ranks of Gold"),
        ("", "ra8", "Gold sets up now, and r is not a piece of that side"),
        ("Ra1", "Ea1", "the rabbit on a1 is in the way"),
        ("Ea1", "Eb1", "no elephant is left to place; in hand: MHHDDCCRRRRRRRR"),
        ("Ea1", "Ea1n", "the setup comes first; place the pieces"),
    ],
)
def test_setups_name_the_rule(placed: str, action: str, message: str) -> None:
    position = Position.before_setup(RULE_SETS["official"])
    for word in placed.split():
        position = position.play(parse_action(word))
    assert str(position.why_not(parse_action(action))) == message


def test_a_step_in_a_setup_with_all_pieces_placed_names_the_word_that_ends_it() -> None:
    position = Position.before_setup(RULE_SETS["official"], ("E", "e")).play(parse_action("Ea1"))
    message = "the setup comes first; all pieces are placed, and end ends it"
    assert str(position.why_not(parse_action("Ea1n"))) == message


def test_a_setup_ends_when_all_is_placed() -> None:
    position = Position.before_setup(RULE_SETS["official"], ("ER", "er"))
    assert str(position.why_not(END)) == "2 pieces are still to be placed: ER"
    for action in parse_turn(position, "Ea1 Rb1"):
        position = position.play(action)
    for action in parse_turn(position, "ea8 rb8"):
        position = position.play(action)
    assert position.number == 2
    assert str(position.why_not(Placement("E", 0))) == "the setup is over; pieces are moved now"


LETTERS = "EMHDCRRRemhdcrrr" + "." * 40


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Positions with pieces anywhere, in any rule set, possibly within a turn."""
    rules = RULE_SETS[draw(st.sampled_from(sorted(RULE_SETS)))]
    letters = draw(st.permutations(LETTERS + "." * (64 - len(LETTERS))))
    board = "".join(letters)
    for trap in TRAPS:
        if board[trap] != EMPTY and not is_supported(board, trap):
            board = board[:trap] + EMPTY + board[trap + 1 :]
    position = Position.of(rules, board, draw(st.sampled_from([0, 1])))
    for _ in range(draw(st.integers(0, 4))):
        actions = [action for action in position.legal_actions() if action != END]
        if not actions:
            break
        position = position.play_unchecked(draw(st.sampled_from(actions)))
    return position


@given(positions())
def test_an_action_has_a_reason_exactly_if_it_is_not_legal(position: Position) -> None:
    legal = set(position.legal_actions())
    assert len(legal) == len(position.legal_actions())
    for square in SQUARES:
        piece = position.board[square]
        for direction in ("n", "e", "s", "w", "ne", "se", "sw", "nw"):
            step = STEPS[piece if piece != "." else "R", square, direction]
            why = position.why_not(step)
            assert (why is None) == (step in legal), (step, why)
            assert why is None or str(why)
    assert (position.why_not(END) is None) == (END in legal)


@given(positions())
def test_legal_actions_lead_on(position: Position) -> None:
    """After a legal action there is a legal action, until the turn ends."""
    for action in position.legal_actions():
        after = position.play(action)
        if action != END:
            assert after.legal_actions(), action


def test_a_displaced_piece_is_told_how_it_is_read() -> None:
    for rules, line, told in (
        (
            "diagonal",
            "d2e d3s c3e",
            "not drawn to d3, since the step that left d3 completed a push",
        ),
        ("diagonal", "d3e d2n", "drawn to d3; it counts as pushed there instead if the next step"),
        ("classic", "d3e d2n", ""),
        ("diagonal", "d3e c3e", ""),
    ):
        play = new_play(f"arimaa/{rules}", MIDDLE)
        last = play.interpret(line).steps[-1]
        read = str(play.room.view.reading(last.before, last.action) or "")
        assert told in read
        assert bool(told) == bool(read)
        if told:
            assert read in map(str, legality_of(play, line))


def test_insight_tells_what_the_open_turn_leaves_to_be_done() -> None:
    for line, told in (
        ("d2e", "a push has begun: d2 must be taken next, by the elephant on d3"),
        ("d3e", "the piece that left d3 can pull there, with the next step: the rabbit on d2"),
        ("d3e d2n", "the last step completes a pull; it counts as a push instead if d2 is taken"),
    ):
        play = new_play("arimaa/diagonal", MIDDLE)
        play.enter(line)
        assert str(play.room.view.insight(play.position).sentences()[0]).startswith(told)


@refusals("""
2g 7r/8/8/c7/4E3/8/8/R7
    e4 f3 | there it would fall into the trap: go step by step if you mean it
    e4 f6 | there it would fall into the trap: go step by step if you mean it
    e4 g8 | g8 is too far away: 4 steps are left
    a5 | the cat on a5 is not yours, and nothing stronger of yours moves it
9g r6r/1h1c1d2/3e4/2RmE3/3H1D2/1C4c1/R1R1M1R1/R6R
    g2 | the rabbit on g2 is frozen by the cat on g3 (no friend beside it)
    c5 | the rabbit on c5 is frozen by the camel on d5 (no friend beside it)
    g2 g1 | the rabbit on g2 is frozen by the cat on g3 (no friend beside it)
    e2 g2 | the rabbit on g2 is frozen by the cat on g3 (no friend beside it)
    g1 g4 | nothing stands on g1
2g r6r/8/8/8/8/8/C7/RC5R
    a1 | the rabbit on a1 has no free square to go to
2g r6r/8/8/3H4/3c4/8/8/R6R
    d4 f6 | the cat on d4 is pushed or pulled one square at a time
2g r6r/8/8/8/8/2CD4/8/R6R
    d3 f2 | the cat on c3 would fall into the trap: go step by step if you mean it
""")
def test_what_is_pointed_at_is_refused_by_its_own_reason(
    position: str, words: str, message: str
) -> None:
    assert str(refusal(parse_position(position), words.split(), History())) == message


def test_a_piece_that_can_do_nothing_is_no_handle() -> None:
    assert not {"c5", "g2", "f6"} & set(handles(parse_position(FROZEN)))
