import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playing import SHORT, replayed
from trine.core.errors import MalformedError, TrineError
from trine.play.record.formats import OURS, known_formats, named_format, read_file
from trine.play.record.replay import replay

MOVES = (
    "1g Ra1 Rb1 Rc1 Rd1 Re1 Rf1 Rg1 Rh1 Ca2 Cb2 Dc2 Dd2 He2 Hf2 Mg2 Eh2\n"
    "1s ra8 rb8 rc8 rd8 re8 rf8 rg8 rh8 ca7 cb7 dc7 dd7 he7 hf7 mg7 eh7\n"
)
TABLE = "id\tresult\ttermination\tmovelist\n7\tw\tr\t1w Ra1\\n1b ra8\n"


def test_our_own_format_comes_first() -> None:
    assert list(known_formats())[:3] == ["trine", "movelist", "abstractplay"]
    assert named_format("trine") is OURS


def test_a_format_that_is_not_known_is_named_with_those_that_are() -> None:
    with pytest.raises(MalformedError, match=r"'pgn'.*trine, movelist, abstractplay"):
        named_format("pgn")


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (SHORT, "trine"),
        ("\n \n" + SHORT, "trine"),
        ("# a note\n" + SHORT, "trine"),
        ("\ufeff" + SHORT, "trine"),
        ("\ufeff# a note\n" + SHORT, "trine"),
        (SHORT.replace("\n", "\r\n"), "trine"),
        (MOVES, "movelist"),
        ("\n" + MOVES, "movelist"),
        ("\ufeff" + MOVES, "movelist"),
        (MOVES.replace("1g", "1w"), "movelist"),
        (MOVES.replace("\n", "\\n"), "movelist"),
        (MOVES.replace("\n", "\r\n"), "movelist"),
        ("\t" + MOVES, "movelist"),
        (TABLE, "archive"),
        ("\n" + TABLE, "archive"),
        ("\ufeff" + TABLE, "archive"),
        (TABLE.replace("\n", "\r\n"), "archive"),
    ],
)
def test_a_file_is_recognised_by_its_first_line(content: str, form: str, tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(content.encode())
    chosen, records = read_file(path)
    assert chosen.name == form
    (record,) = records
    assert [turn.words[0].text[1:] for turn in record.turns][:2] in (["a1", "a8"], ["a1", "a8"])


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "there is no text"),
        ("\n\n", "there is no text"),
        ("hello\n", "first line 'hello' begins none of the formats trine, movelist, abstractplay"),
        ("\0\0\0", "trine, movelist, abstractplay"),
        ("2g Ra2n\n", "trine, movelist, abstractplay"),
        ('{"moves": ["e2", "e8"', "begins like JSON, but is no valid JSON"),
    ],
)
def test_what_has_no_format_is_refused_with_its_reason(
    content: str, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "game"
    path.write_text(content)
    with pytest.raises(MalformedError, match=problem):
        read_file(path)


def test_a_named_format_is_not_guessed_again(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_text(MOVES)
    form, records = read_file(path, "trine")
    assert form.name == "trine"
    assert [turn.tag for turn in next(records).turns] == ["1g", "1s"]


def mangled(content: bytes, rng: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 5, 40))):
        at = rng.randrange(len(data) + 1)
        accident = rng.randrange(6)
        if accident == 0 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif accident == 1:
            data[at:at] = bytes(rng.choices(b'\0\xff\n\r {}[]"\\gsx1\t', k=rng.choice((1, 5))))
        elif accident == 2:
            del data[at : at + rng.choice((1, 3, 30))]
        elif accident == 3:
            del data[at:]
        else:
            lines = data.splitlines(keepends=True)
            rng.shuffle(lines) if accident == 4 else lines.insert(
                rng.randrange(len(lines) + 1), rng.choice(lines or [bytearray(b"\n")])
            )
            data = bytearray(b"".join(lines))
    return bytes(data)


def read_and_replay(path: Path) -> None:
    """Nothing but an error of the house may come out of a file."""
    for form in ("", *known_formats()):
        try:
            _, records = read_file(path, form)
            for record in records:
                try:
                    replay(record)
                except TrineError as error:
                    assert error.place.file == str(path)
                    assert str(error)
        except TrineError as error:
            assert str(path) in str(error) or form
            assert str(error)


@given(st.binary(max_size=300))
def test_random_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "bytes.txt"
    path.write_bytes(content)
    read_and_replay(path)


@given(st.sampled_from([SHORT, MOVES, TABLE, SHORT + SHORT]), st.integers(0, 10**6))
def test_mangled_records_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: str, seed: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "mangled.txt"
    path.write_bytes(mangled(content.encode(), random.Random(seed)))
    read_and_replay(path)


def test_our_records_are_written_one_below_the_other(path: Path) -> None:
    path.write_text(SHORT)
    _, records = read_file(path)
    (record,) = records
    written = "".join(OURS.write([record, record]))
    assert written == SHORT + "\n" + SHORT
    path.write_text("".join(OURS.write([record])))
    assert replayed(path).turn_tag == "3g"
