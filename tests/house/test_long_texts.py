"""Long texts of one sign, which a pattern may follow to their end from each place."""

import gc

import pytest

from trine.house.analysis.record_reader import MAX_LENGTH, parse_submitted

SIGNS = ["<", "A[", ";A[", "[A", "{", "(or ", '"', "\\", "[a \\", "\n"]


@pytest.mark.parametrize("begin", ["", "(;GM[1]"])
@pytest.mark.parametrize("sign", SIGNS)
def test_a_long_text_of_one_sign_does_not_take_too_long_to_read(sign: str, begin: str) -> None:
    gc.freeze()  # the reader of a house has no objects of other tests to collect again and again
    refusal = parse_submitted((begin + sign * MAX_LENGTH)[:MAX_LENGTH]).refusal
    gc.unfreeze()
    assert refusal and "too long" not in str(refusal)
