"""A log that was damaged: its end is set aside, its middle is named and nothing is changed."""

import random
import re
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.record.logs import new_path, played
from playing import SHORT, Hand, HandClock, play_at_random, replayed, resumed, standing, terms
from trine.core.errors import TrineError
from trine.play.record.log import Log, damaged_path, resume
from trine.play.session.file_journal import resume_from_file

pytestmark = pytest.mark.usefixtures("swift_disk")


def test_zeros_behind_the_end_are_damage(path: Path) -> None:
    path.write_bytes(SHORT.encode() + b"3g Ee4n " + bytes(512))
    with resumed(path) as (game, damage):
        assert damage
        assert damage.content == bytes(512)
        assert [str(action) for action in game.play.open_actions] == ["Ee4n"]
    assert path.read_bytes().startswith(SHORT.encode() + b"3g Ee4n {resumed ")


@pytest.mark.parametrize(
    "tail",
    [
        b"\xff\xff \xff",
        b"3g Ee4n\xff \xff ",
        b"3g Ee4n\xff\xfe\n",
        b"3g Ee4n {0:1\xff, 0:15 left}\n",
        b"3g \xffe4n Ee5n ",
        b"3s Ee4n ",
        b"3g Ee4n 3g Ee4n ",
        b"3g Ee4n {\n",
        b"3g Ee4n }\n",
        b"3g Ra1s \n",
        b"3g undo ",
        b"garbage and more garbage\n",
        b"[Result ",
        b'[Result "Gold"]\n',
        b'[Result "Gold"]\n[Rea',
        b"4s ",
        b"4s \xff ",
        b"3s {x} ",
        b" ",
        b"  \t ",
        b"# thank you for the game",
        b"# thanks",
        b"3g Ee4n {a note without end",
    ],
)
def test_behind_any_damaged_end_play_goes_on_readably(tail: bytes, path: Path) -> None:
    path.write_bytes(SHORT.encode() + tail)
    with resumed(path) as (game, damage):
        assert game.play.turn_tag == "3g"
        assert path.read_bytes().startswith(SHORT.encode())
        if damage:
            whole = (SHORT.encode() + tail).removesuffix(damage.content)
            assert path.read_bytes().startswith(whole)
        while game.play.open_actions:
            game.undo()
        game.enter("a1n")
        game.enter("end ra8s")
        before = standing(game.play)
    assert standing(replayed(path)) == before
    with resumed(path) as (game, damage):
        assert damage is None
        assert standing(game.play) == before


LONG = SHORT + "3g Ee4w Ed4n {0:12}\n3s ra8s {0:10}\n4g Ra1n {0:03}\n4s "


@pytest.mark.parametrize(
    ("good", "bad", "place"),
    [
        ("Ee4w Ed4n", "Ee4w Ed4x", "11:9"),
        ("2s ee7s", "2s ra8n", "10:4"),
        ("2s ee7s", "3s ee7s", "10:1"),
        ("3s ra8s", "3s r\N{REPLACEMENT CHARACTER}8s", "12:4"),
        ("1s ra8", "1s ra9", "8:4"),
        ("2s ee7s {0:13}", "2s ee7s {0:13", "10:9"),
        ("2s ee7s {0:13}\n", "", "10:1"),
        ("\n3s ra8s", " 3s ra8s", "11:21"),
        ('"arimaa"]', '"arimaa"', "1:1"),
        ("official", "offical", "2:1"),
    ],
)
def test_damage_in_the_middle_is_named_and_nothing_is_changed(
    good: str, bad: str, place: str, path: Path
) -> None:
    content = LONG.replace(good, bad, 1)
    assert content != LONG
    path.write_text(content)
    with pytest.raises(TrineError) as caught:
        resume(path)
    assert str(caught.value).startswith(f"{path}:{place}: ")
    assert path.read_text() == content
    assert not damaged_path(path).exists()
    log, _ = Log.open(path)  # it is free again
    log.close()


@pytest.mark.parametrize("end", ["garbage\n", "3s ra9s ", "3s \0\0 ", "garbage"])
def test_damage_in_the_middle_is_not_cut_off_with_a_damaged_end(end: str, path: Path) -> None:
    content = SHORT + "3g Ra1s {0:05}\n" + end
    path.write_text(content)
    with pytest.raises(TrineError, match=re.escape(f"{path}:11:4: ")):
        resume(path)
    assert path.read_text() == content
    assert not damaged_path(path).exists()


def test_a_byte_that_is_no_text_in_the_middle_is_named(path: Path) -> None:
    content = LONG.encode().replace(b"2s ee7s", b"2s e\xff7s")
    path.write_bytes(content)
    with pytest.raises(TrineError, match=re.escape(f"{path}:10:5: ")):
        resume(path)
    assert path.read_bytes() == content


def mangled(content: bytes, rng: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2))):
        at = len(data) - 1 - min(int(rng.expovariate(1 / 30)), len(data) - 1)
        match rng.randrange(4):
            case 0:
                data[at] ^= 1 << rng.randrange(8)
            case 1:
                data[at:at] = bytes(rng.choices(b"\0\xff\n {}e1g#", k=rng.choice((1, 4))))
            case 2:
                del data[at : at + rng.choice((1, 3, 9))]
            case _:
                del data[at:]
                data += bytes(rng.choice((0, 3, 40)))
        if not data:
            break
    return bytes(data)


@given(seed=st.integers(0, 10**6))
def test_a_mangled_log_is_refused_unchanged_or_gone_on_with_readably(
    folder: Path, seed: int
) -> None:
    rng = random.Random(seed)
    clock = rng.choice(["", "0:20/2"])
    content, _ = played(folder, terms(clock=clock), seed, rng.randrange(5, 25))
    for _ in range(5):
        broken = mangled(content, rng)
        path, now = new_path(folder), HandClock()
        path.write_bytes(broken)
        try:
            game, damage = resume_from_file(path, now)
        except TrineError as error:
            assert str(path) in str(error)
            assert path.read_bytes() == broken
            assert not damaged_path(path).exists()
            continue
        with closing(game.journal):
            torn = damage.content if damage else b""
            assert broken.endswith(torn)
            kept = broken[: len(broken) - len(torn)]
            assert path.read_bytes().startswith(kept)
            hand = Hand.of(game, now)
            play_at_random(hand, now, rng, 8)
            hand.close()
            assert path.read_bytes().startswith(kept), broken
            assert standing(replayed(path)) == standing(hand.play), broken
        with resumed(path, now) as (again, damage):
            assert damage is None
            assert standing(again.play, again.clock) == standing(hand.play, hand.clock), broken
