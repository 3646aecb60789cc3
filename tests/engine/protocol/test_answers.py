"""Messages that are answered at once, by both protocols: all that is said, and the exit status."""

from engine.protocol.fakes import aei, ugi
from engine.protocol.test_ugi import GOLD, SILVER
from tables import cases, parts

WORDS = {
    "FOUR": "setoption name StartPlayers value 4 ; position startpos",
    "WON": "position fen quoridor 9 2 e8,a2 - 10,10 1 moves e9",
    "SETUPS": f"position startpos moves {GOLD} {SILVER}",
    "REFUSED": "info string error: the last position was refused ; response unknown",
    "TOO_LARGE": "the engine plays and analyses on boards up to 11 squares wide; this one has 12",
}
"""What stands in messages and answers for longer words."""


def spelt_out(cell: str) -> list[str]:
    for word, words in WORDS.items():
        cell = cell.replace(word, words)
    return parts(cell)


@cases(
    "engine | messages | answers | status",
    """
the second of four is to move | ugi corridor | FOUR moves e2 ; query p1turn ; query p2turn ; query p4turn | response false ; response true ; response false | 0
three of four play on | ugi corridor | FOUR moves e2 b5 e8 resigns e3 ; query p2turn ; query gameover | response true ; response false | 0
the last of four has won | ugi corridor | FOUR moves e2 b5 resigns resigns e3 lost ; query gameover ; query result | response true ; response p1win | 0
a win | ugi corridor | WON ; query result ; query gameover | response p1win ; response true | 0
no move after the end | ugi corridor | WON ; go infinite | info string the game is over: goal ; bestmove none | 0
a draw | ugi corridor | position startpos moves e2 e8 e1 e9 e2 e8 e1 e9 ; query result | response draw | 0
a pass is a word | ugi tzaar | position startpos moves d3xd4 f1xe2,- ; query p1turn | response true | 0
the end of a turn is no word | ugi arimaa | SETUPS Ee2n,Ee3n ee7s ; query p1turn | response true | 0
a move that is refused | ugi arimaa | SETUPS Ee2n,Ee3n ed7s ; query p1turn | info string error: move 4, 'ed7s': ed7s: on d7 stands Silver's camel, not e ; REFUSED | 0
a position of other rules | ugi corridor/corridor | position fen quoridor 9 2 e1,e9 - 10,10 1 | info string error: a position of quoridor is not one of corridor | 0
a board that is too large | ugi corridor | position fen quoridor 12 2 f1,f12 - 10,10 1 ; query p1turn ; setoption name StartSize value 12 | info string error: TOO_LARGE ; REFUSED | 0
a size that is too large | ugi corridor | setoption name StartSize value 12 ; go depth 1 | info string error: TOO_LARGE ; bestmove none | 0
an unknown message of AEI | aei | makemoves Ee2n ; isready | log Error: unknown message 'makemoves Ee2n' ; readyok | 1
a game of AEI that is over | aei | setposition s [R      r                                                 E      ] ; go ; go ponder | log Warning: go, but the game is over: goal ; bestmove  ; log Warning: go, but the game is over: goal | 0
""",
)
def test_messages_are_answered(engine: str, messages: str, answers: str, status: str) -> None:
    _, _, played = engine.partition(" ")
    game, _, rules = played.partition("/")
    talk = ugi(game, rules=rules) if game else aei()
    talk.say(*spelt_out(messages))
    assert talk.end() == spelt_out(answers)
    assert (talk.engine.over, talk.engine.status) == (status == "1", int(status))
