"""Games of other programs, and reading them, for tests."""

from trine.core.contract.notation import Format
from trine.core.contract.record import Record
from trine.core.errors import TrineError
from trine.games.tzaar.formats import FORMATS

GOLEM, BOARDSPACE = FORMATS["littlegolem"], FORMATS["boardspace"]
FIXED_POS = "cCCCCcbBBBccbaAAbccbacCabcCBACcabcCBAcCABCCBaaABCCbbbBCccccC"
"""The fixed start as Little Golem writes boards."""
SHORT = (
    rf"(;FF[TZAAR]VA[RANDOM]EV[a \] b \\]PB[Bert]PW[Anna]POS[{FIXED_POS}]SO[here];"
    "W[kokp];B[kqkp-pass];W[lolm-lmln])"
)
"""Two turns and a half of White: a5xa4; a3xa4 pass; b5 goes to b7, which there is not."""


def read(form: Format, text: str) -> list[Record]:
    return list(form.read(text.splitlines(keepends=True), "game.txt"))


def words(record: Record) -> list[str]:
    return [" ".join([turn.tag, *(word.text for word in turn.words)]) for turn in record.turns]


def error_of(form: Format, text: str) -> TrineError:
    (record,) = read(form, text)
    assert record.error is not None
    return record.error


MOUSE = """\
(;
GM[Tzaar]VV[1]
DT[today]
SU[Tzaar-standard 12345]
P0[id "Anna"]
P1[id "Bert"]
; P0[0 Start P0]
; P0[1 Pickb A 5 3]
; P0[2 Dropcap A 4]
; P0[3 Pickb A 4]
; P0[4 Dropcap A 5]
; P0[5 Pickb B 1 3]
; P0[6 Dropcap A 1]
; P0[7 done]
; P0[time 0:00:12 ]
; P1[8 Pickb A 2 3]
; P1[9 Dropb A 2]
; P1[10 Capture A 2 A 1]
; P1[11 Pickb B 2 4]
; P1[12 Dropb B 3]
; P1[13 Pass]
; P1[14 Done]
)
"""
PLACED = """\
(;GM[Tzaar]SU[tzaar-custom 0]P0[id "Anna"]P1[id "Bert"]
; P0[0 Start P0]
; P0[1 OnBoard wr 0 E 8]
; P0[2 Done]
; P1[3 Pick br 2]
; P1[4 Dropb A 1]
; P1[5 Pickb A 1]
; P1[6 Dropb E 6]
; P1[7 Done]
; P0[8 OnBoard wr 1 A 1])
"""
