"""The rules of the four rule sets for players, clause by clause, with their sources.

`trine rules` prints them in the player's language. The referee is `trine.games.arimaa.referee`.
"""

from __future__ import annotations

from typing import Final

from trine.core.contract.clause import Try, clause, said
from trine.core.contract.outcome import Outcome, Reason
from trine.core.text.sentence import ctext, join, text
from trine.games.arimaa.diagrams import NAMED_POSITIONS

BOARD: Final = ctext("chapter", "Board and pieces")
SETUP: Final = ctext("chapter", "Setup")
TURN: Final = ctext("chapter", "Turns and steps")
DISPLACE: Final = ctext("chapter", "Pushing and pulling")
FREEZE: Final = ctext("chapter", "Freezing")
TRAP: Final = ctext("chapter", "Traps")
END: Final = ctext("chapter", "How a play ends")

_OFFICIAL: Final = ctext("source", "official rules")
_FRENCH: Final = ctext("source", "French document")
_RUSSIAN: Final = ctext("source", "Russian document")
_HUNGARIAN: Final = ctext("source", "Hungarian document")
_OURS: Final = ctext("source", "our reading")
_ALL: Final = join([_OFFICIAL, _FRENCH, _RUSSIAN, _HUNGARIAN])
_STRAIGHT: Final = ("official", "classic", "ejection")
_REPETITION_ILLEGAL: Final = ("official", "ejection")
_DRAWN: Final = ("classic", "diagonal")

_SHUFFLE: Final = "2g r7/e7/8/8/8/8/E7/R7"
_THERE_AND_BACK: Final = "a2e end a7e end b2w end b7w end"
_TWICE: Final = f"{_THERE_AND_BACK} {_THERE_AND_BACK}"
_LAST_MOVE: Final = "2g 8/8/8/8/8/1H6/r7/R7"
"""Silver has one rabbit, which is not frozen yet."""

DIAGRAM: Final = NAMED_POSITIONS["diagram"]

_TWO_WAYS: Final = text(
    "A piece that goes to the square that an own piece has just left can be read in two "
    "ways: it is drawn there by that piece, or pushed there by another one, which takes "
    "its square with the next step. Where the own piece completed a push by leaving, only "
    "the second reading is left; where no other piece can take the square, only the first."
)
_WHICH_WAY: Final = text(
    "«One cannot push d2 to e2 and pull c3 to d3 at once»: it cannot be drawn to d3, for "
    "the elephant left d3 to complete a push. As a push of its own the step is legal where "
    "a piece can take c3 next: over the corner of d2 in diagonal, nowhere in the others."
)

# --- the diagram of the Hungarian and the French document: each sentence can be tried -------------

_DIAGRAM: Final = ctext("chapter", "The diagram")

_OF_SILVER: Final = (
    said("The elephant on d5 can go to d4 and pull the horse from d6 to d5,", "d5s d6s"),
    said("or go to c5,", "d5w d6s"),
    said("or to e5.", "d5e d6s"),
    said(
        "The rabbit on a7 is frozen; besides, its squares are taken.",
        "a7s",
        "a6 is taken by the dog on a6",
    ),
    said("The rabbit on d2 is free: a friend is beside it.", "d2e"),
    said("The dogs on a6 and b6 do not freeze each other: they are equally strong.", "b6s"),
    said("Silver can capture the horse on d6 by pushing it to c6 with the elephant.", "d6w d5n"),
    said(
        "If the rabbit on c4 and the horse on c2 go away, the rabbit on c3 is captured.", "c4w c2w"
    ),
    said(
        "The rabbit on f4 can go to g4, and the horse from f2 to f3, where it is captured; its "
        "pull of f1 is completed all the same.",
        "f4e f2n f1n",
    ),
)
_OF_GOLD: Final = (
    said("The elephant on d3 can push the rabbit on d2 to e2 and then take its square.", "d2e d3s"),
    said("The rabbit on d2 cannot be pushed to d1,", "d2s", "d1 is taken by the rabbit on d1"),
    said("nor to c2,", "d2w", "c2 is taken by the horse on c2"),
    said("nor to d3: these squares are not empty.", "d2n", "d3 is taken by the elephant on d3"),
)
_AT_ONCE: Final = text("The elephant on d3 cannot push d2 to e2 and pull c3 to d3 at once.")
_OF_GOLD_TOO: Final = (
    said(
        "The rabbit on b7 is frozen;",
        "b7n",
        "the rabbit on b7 is frozen by the dog on b6 (no friend beside it)",
    ),
    said("the cat on c1 is not, it only has no empty square.", "d1e c1e"),
    said("The dog on a6 is free, too.", "a6s"),
    said(
        "Gold wins in three steps: the dog pushes the rabbit to a8, and frees the rabbit on b7.",
        "a7n a6n b7n end",
        outcome=Outcome(0, Reason.GOAL),
    ),
)
_BOTH_READINGS: Final = {
    "diagonal": Try(
        "d2e d3s c3e end",
        "the push must be completed: the elephant on d2 must go to c3",
        said=_AT_ONCE,
    ),
    "classic": Try(
        "d2e d3s c3e",
        "the step that completes a push is not also the first half of a pull",
        said=_AT_ONCE,
    ),
}

_OF_DIAGRAM: Final = (
    clause(
        _DIAGRAM,
        "What both articles say of their diagram, with Silver to move.",
        join([_FRENCH, _HUNGARIAN]),
        only=tuple(_BOTH_READINGS),
        at=DIAGRAM.replace("2g", "2s"),
        tries=_OF_SILVER,
    ),
    *(
        clause(
            _DIAGRAM,
            "What both articles say of their diagram, with Gold to move.",
            join([_FRENCH, _HUNGARIAN]),
            only=(rules,),
            at=DIAGRAM,
            tries=(*_OF_GOLD, reading, *_OF_GOLD_TOO),
        )
        for rules, reading in _BOTH_READINGS.items()
    ),
)

CLAUSES: Final = (
    clause(
        BOARD,
        "The board has eight ranks and eight files, a1 to h8. The squares c3, f3, c6 and f6 "
        "are traps.",
        _ALL,
    ),
    clause(
        BOARD,
        "Each side has, from the strongest to the weakest, 1 elephant (E), 1 camel (M), "
        "2 horses (H), 2 dogs (D), 2 cats (C) and 8 rabbits (R). Gold is written in capitals, "
        "Silver in small letters. Gold's goal is rank 8, Silver's is rank 1.",
        _ALL,
    ),
    clause(
        SETUP,
        "Gold places all pieces on ranks 1 and 2 in any order, then Silver on ranks 7 and 8. "
        "Then they take turns, Gold first.",
        _ALL,
    ),
    clause(
        TURN,
        "A turn is one to four steps, by one piece or by several. A step takes a piece to an "
        "orthogonally neighbouring empty square. Rabbits never step backward.",
        _ALL,
        at="2g r6r/8/8/8/3R4/8/4D3/R6R",
        tries=(
            Try("d4n e2nn"),
            Try("d4s", "a rabbit does not step backward"),
            Try("d4nnnn a1n", "the turn has four steps already; end it or take a step back"),
        ),
    ),
    clause(
        TURN,
        "A turn must change the position: the board after it differs from the one before.",
        join([_OFFICIAL, _FRENCH, _HUNGARIAN]),
        "The Russian document has no rule against a turn that changes nothing. It is held there "
        "as in the others: such a turn would be a pass, and a turn is one step or more.",
        at="2g r6r/8/8/8/3D4/8/8/R6R",
        tries=(
            Try(
                "d4n d5s end",
                "a turn must change the position; this one would end where it began",
            ),
            Try("d4n end"),
        ),
    ),
    clause(
        DISPLACE,
        "A piece can push a weaker enemy piece beside it: the enemy goes to an empty "
        "orthogonally neighbouring square, and the pusher takes its place. It can pull one: it "
        "steps away to an empty square, and the enemy takes the place that it left. Either "
        "costs two steps. Rabbits can be displaced in any direction.",
        join([_OFFICIAL, _FRENCH, _RUSSIAN]),
        only=_STRAIGHT,
        at="2g r6r/8/8/3m4/2CDc3/8/8/R6R",
        tries=(
            Try("e4e d4e"),
            Try("d4s e4w"),
            Try(
                "d5n",
                "the dog on d4: not stronger than the camel on d5; only a stronger piece can "
                "push or pull it",
            ),
        ),
    ),
    clause(
        DISPLACE,
        "A piece can push or pull a weaker enemy piece that touches it in one of the eight "
        "directions. Pushing, the enemy goes to an empty orthogonally neighbouring square, and "
        "the pusher takes its place, over the corner if need be. Pulling, the piece steps away "
        "orthogonally, and the enemy takes the place that it left, over the corner if need be. "
        "Either costs two steps. Rabbits can be displaced in any direction.",
        _HUNGARIAN,
        "Only the piece that takes the other's square moves over a corner: of the squares "
        "around the rabbit on d2 the document weighs e2, d1, c2 and d3, and none diagonal.",
        only=("diagonal",),
        at="2g r6r/8/8/4h3/3E4/8/8/R6R",
        tries=(
            Try("e5n d4ne"),
            Try("d4s e5sw"),
            Try(
                "d4ne",
                "the horse on e5 is in the way; push it first, as with he5n: then Ed4ne "
                "takes its square",
            ),
        ),
    ),
    clause(
        DISPLACE,
        "A step over a corner, written ne, nw, se or sw, does two things and nothing else: an "
        "own piece takes the square of a piece that it has just pushed, or an enemy piece is "
        "drawn onto the square that an own piece has just left.",
        _HUNGARIAN,
        only=("diagonal",),
        at="2g r6r/8/8/4h3/3E4/8/8/R6R",
        tries=(
            Try(
                "d4nw",
                "an own piece goes n, e, s or w; over a corner it only takes the square of "
                "an enemy piece that it has pushed away with the step before",
            ),
        ),
    ),
    clause(
        DISPLACE,
        "A push or a pull is completed within the turn. The step that completes a push is not "
        "also the first half of a pull. The second half of a pull follows the first at once.",
        _ALL,
        at="2g r6r/8/8/3h4/3E4/8/8/R6R",
        tries=(
            Try("d5n end", "the push must be completed: the elephant on d4 must go to d5"),
            Try("a1nnn d5n", "a push needs two steps and one is left"),
            Try("a1nn d5n d4n"),
        ),
    ),
    clause(
        DISPLACE,
        _TWO_WAYS,
        _OURS,
        _WHICH_WAY,
        only=_STRAIGHT,
        at=DIAGRAM,
        tries=(
            Try("d2e d3s"),
            Try(
                "d2e d3s c3e",
                "the step that completes a push is not also the first half of a pull",
            ),
        ),
    ),
    clause(
        DISPLACE,
        _TWO_WAYS,
        _OURS,
        _WHICH_WAY,
        only=("diagonal",),
        at=DIAGRAM,
        tries=(
            Try("d2e d3s c3e d2nw"),
            Try(
                "d2e d3s c3e end",
                "the push must be completed: the elephant on d2 must go to c3",
            ),
        ),
    ),
    clause(
        DISPLACE,
        "A rabbit of the player who does not move, standing on rank 1 or rank 8, can be pushed "
        "off the board over that rank. It costs two steps like any push; the pusher takes the "
        "rabbit's square, and the rabbit is out of the game. Nothing else is pushed off, and "
        "nothing is pulled off.",
        _RUSSIAN,
        "Both ranks count, the rabbit's own too: that is how we read «only over the outermost "
        "rank».",
        only=("ejection",),
        at="2g r2rc2r/3HH3/8/8/8/8/8/R6R",
        tries=(Try("d8n d7n"), Try("e8n", "only rabbits are pushed off the board")),
    ),
    clause(
        FREEZE,
        "A piece orthogonally beside a stronger enemy piece is frozen, unless a friend is "
        "orthogonally beside it: it cannot step, push or pull. It still freezes weaker pieces, "
        "and it can be pushed or pulled.",
        join([_OFFICIAL, _FRENCH, _RUSSIAN]),
        only=_STRAIGHT,
        at="2g r6r/8/3h4/3C4/4R3/8/8/R6R",
        tries=(
            Try("d5s", "the cat on d5 is frozen by the horse on d6 (no friend beside it)"),
            Try("e4n d5s"),
        ),
    ),
    clause(
        FREEZE,
        "A piece that touches a stronger enemy piece in one of the eight directions is frozen, "
        "unless a friend is orthogonally beside it: it cannot step, push or pull. It still "
        "freezes weaker pieces, and it can be pushed or pulled.",
        _HUNGARIAN,
        "Friends help orthogonally only: the document calls the rabbit on b7 frozen although "
        "the dog on a6 touches it, and the horse pushed to c6 captured although that rabbit "
        "touches c6.",
        only=("diagonal",),
        at="2g r6r/8/4h3/3D4/2C5/8/8/R6R",
        tries=(
            Try("d5s", "the dog on d5 is frozen by the horse on e6 (no friend beside it)"),
            Try("c4n d5s"),
        ),
    ),
    clause(
        TRAP,
        "After every single step a piece on a trap with no friend orthogonally beside it is "
        "removed, between the halves of a push or pull too. A piece may step into a trap. A "
        "pull may be completed although the puller was removed by its first half.",
        _ALL,
        "The Russian remark that a piece in a trap cannot be pulled out is advice, not a rule: "
        "a supported piece on a trap can be displaced like any other.",
        at="2g r6r/8/8/2d5/2E5/2D5/8/R6R",
        tries=(Try("c5n c4n"), Try("c3s c4n", "c5 is taken by the dog on c5")),
    ),
    clause(
        END,
        "Results are judged when a turn ends, in this order. A rabbit on its goal rank wins: "
        "first one of the player who made the turn, then one of the other. A rabbit that was "
        "on its goal rank within a turn and has left it again does not count.",
        _ALL,
        "The order is that of the official rules; the three documents do not give one.",
        at="2g 7r/1R5r/8/8/8/8/8/R7",
        tries=(Try("b7n end", outcome=Outcome(0, Reason.GOAL)),),
    ),
    clause(
        END,
        "A side without rabbits has lost. If neither has any, the player who made the turn wins.",
        join([_OFFICIAL, _RUSSIAN]),
        only=_REPETITION_ILLEGAL,
        at="2g 7h/8/8/2r5/2M5/8/8/R6R",
        tries=(Try("c5n c4n end", outcome=Outcome(0, Reason.ELIMINATION)),),
    ),
    clause(
        END,
        "If neither side has a rabbit, the play is a draw; while one has, it goes on.",
        join([_FRENCH, _HUNGARIAN]),
        only=_DRAWN,
        at="2g 7h/8/8/2r5/2M5/8/8/7H",
        tries=(Try("c5n c4n end", outcome=Outcome(None, Reason.ELIMINATION)),),
    ),
    clause(
        END,
        "In competitions whoever takes the eighth rabbit of the other side wins, so that there "
        "are no such draws; the players can agree on that before the game.",
        _FRENCH,
        "A side that loses its last rabbit by a step of its own has lost too, as in the rules "
        "of today.",
        only=("classic",),
        at="2g 7h/8/8/2r5/2M5/8/8/R6R competition",
        tries=(Try("c5n c4n end", outcome=Outcome(0, Reason.ELIMINATION)),),
    ),
    clause(
        END,
        "A turn must not make the same position, with the same side to move, for the third "
        "time. The position after the setups counts as having stood once.",
        join([_OFFICIAL, _RUSSIAN]),
        "The Russian «can repeat the position for the third time» is read as standing for the "
        "third time.",
        only=_REPETITION_ILLEGAL,
        at=_SHUFFLE,
        tries=(
            Try(
                f"{_THERE_AND_BACK} {_THERE_AND_BACK[:-4]} end",
                "this turn would repeat the position for the third time",
            ),
        ),
    ),
    clause(
        END,
        "Who makes the same position, with the same side to move, for the third time, loses. "
        "The position after the setups counts as having stood once.",
        _FRENCH,
        "«Comes back three times» is read as standing for the third time.",
        only=("classic",),
        at=_SHUFFLE,
        tries=(Try(_TWICE, outcome=Outcome(0, Reason.REPETITION)),),
    ),
    clause(
        END,
        "Positions may be repeated freely.",
        ctext("source", "Hungarian document, which has no rule for it"),
        only=("diagonal",),
        at=_SHUFFLE,
        tries=(Try(_TWICE),),
    ),
    clause(
        END,
        "A player who has no legal turn has lost.",
        _ALL,
        only=_DRAWN,
        at=_LAST_MOVE,
        tries=(Try("b3s end", outcome=Outcome(0, Reason.IMMOBILIZATION)),),
    ),
    clause(
        END,
        "A player who has no legal turn has lost: by immobilization, or, where the only turns "
        "left would be third repetitions, by repetition.",
        join([_OFFICIAL, _RUSSIAN]),
        only=_REPETITION_ILLEGAL,
        at=_LAST_MOVE,
        tries=(Try("b3s end", outcome=Outcome(0, Reason.IMMOBILIZATION)),),
    ),
    clause(
        END,
        "A player may resign, and both may agree on a draw where the match allows it. Whose "
        "time is up loses.",
        _OFFICIAL,
    ),
    *_OF_DIAGRAM,
)
