"""The computer judges positions as strong players do: who is ahead, and what an exchange is worth.

Sources: *Led*: positions of recorded games in which sharp (the champion of 2015) counted a lead of
two and a half rabbits or more after its turn, and won; an earlier evaluation of ours called all of
them about even. *Value*: Arimaa, Relative Value of Pieces (Wikibooks): each piece is worth more
than the next weaker one, and the fewer pieces remain, the more their number counts; HarLog, "Harren"
(forum of arimaa.com, 2006), for the exchanges of one piece for several rabbits.
"""

import pytest

from trine.core.clock import Limits
from trine.core.play import Play
from trine.engine.search.alphabeta import AlphaBeta
from trine.games import open_room
from trine.games.arimaa.board import SIDES
from trine.games.arimaa.diagrams import parse_position
from trine.games.arimaa.position import Position

NODES = 20_000
CLEARLY = 40
"""Units: points; more than what is called about even."""

LED = {
    "9g rrr3r1/2cddrcr/1h1Dm1Er/r5eh/R7/1R1HC1RR/R1D2MH1/2R1CR1R": 1,
    "9g r1r1dr1r/2cm1c1h/rr4r1/2h5/HMe2r2/R3EdHR/2DCCD2/RRR2RRR": 0,
    "10g 1rr1rrrr/2cdmcd1/rh2EDh1/rR3e2/7R/RR1HR1RR/2CM1CH1/3D4": 1,
    "10g r1r2r2/2c2m1h/hr1dr3/6r1/5Er1/1H2edHR/R1CDMCR1/RRR1DR1R": 0,
    "4g rrrddrrr/rhcm1chr/8/3M4/3e4/RH4RR/2DCED1H/RRR1CR1R": 1,
    "9g r4rr1/hmd1dc2/1r4hr/1r6/2HrE3/1M1e2Hr/R1DCCD1R/RR1R1RRR": 0,
    "5g rrrrdrrr/hdcm1crh/8/2D5/2e5/1R4RR/H1M1EC1H/R1RRDR1R": 1,
    "6g rr1rdr1r/1hm2erh/1dcrE1H1/8/8/1D4R1/H1CMDC1r/RRRR1RRR": 0,
    "9g rrr2rrr/2dccmdr/1h2E1hR/rRe5/2R5/3DM1R1/H1C2CH1/2R1DRR1": 1,
    "9g 1rrccr2/1hm2d2/rr4rr/8/4Eh2/1H2e1Hr/1RCD1MCR/RRR1DRRR": 0,
    "10g rr2rmrr/r2cdErr/1h2d1h1/3D4/3e4/RR2H1RR/H1C2R2/R1RDM2R": 1,
    "9g r1r2r1r/2cd1mh1/rr1d2rr/8/2E5/1Hhe1MHR/RRCDDC2/R1R2RRR": 0,
    "11g rrr1r1rr/1Rcdmrd1/1r1hEch1/3e1C2/1D6/1R1HD1HR/5M2/2R2RRR": 1,
    "7g r1rd4/h1cemrh1/1r2r1rr/1r3cE1/6H1/1H4M1/R1C2C1R/RRRDDRRR": 0,
}
"""Positions, Gold to move, and the side that was ahead, by sharp's word and by the result."""

FULL = "rrrddrrr/rhcmechr/8/8/8/8/RHCEMCHR/RRRDDRRR"
EXCHANGES = {
    # what Gold has lost, what Silver has lost: the side that has gained
    ("M", "h"): 1,
    ("M", "d"): 1,
    ("H", "d"): 1,
    ("H", "r"): 1,
    ("D", "c"): 1,
    ("C", "r"): 1,
    ("M", "hh"): 0,
    ("C", "rr"): 0,
    ("H", "rrr"): 0,
    ("E", "m"): 1,
    ("RRRRRRR", "c"): 1,
}


def without(gold: str, silver: str) -> Position:
    """The usual setup without some pieces, those in the back first."""
    board = list(FULL)
    for piece in gold:
        board[len(board) - 1 - board[::-1].index(piece)] = "1"
    for piece in silver:
        board[board.index(piece)] = "1"
    return parse_position(f"2g {''.join(board)}")


def judged(position: Position, side: int) -> int:
    play = Play(open_room("arimaa"), position)
    points = AlphaBeta("arimaa", hash_mb=4).search(play, Limits(nodes=NODES))[0].score.points
    return points if position.mover == side else -points


def test_the_side_that_led_is_seen_to_lead() -> None:
    seen = [judged(parse_position(words), side) > CLEARLY for words, side in LED.items()]
    assert sum(seen) >= len(seen) - 2


def test_a_camel_about_to_be_dragged_into_a_trap_is_in_danger() -> None:
    words = "4g rrrddrrr/rhcm1chr/8/3M4/3e4/RH4RR/2DCED1H/RRR1CR1R"
    assert judged(parse_position(words), 0) < -CLEARLY


@pytest.mark.parametrize(("lost", "side"), EXCHANGES.items())
def test_an_exchange_is_good_for_the_side_that_experts_say(
    lost: tuple[str, str], side: int
) -> None:
    position = without(*lost)
    rounds = [judged(Position.of(position.rules, position.board, mover), side) for mover in SIDES]
    assert sum(rounds) > 0
