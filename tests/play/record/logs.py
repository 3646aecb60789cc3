"""The parts that tests of logs share: their files, and ways to cut them off."""

import random
import re
from itertools import count
from pathlib import Path

import pytest

from playing import (
    DUEL,
    HandClock,
    Standing,
    live,
    play_at_random,
    replayed,
    resumed,
    standing,
    watched,
)
from trine.core.errors import FileError
from trine.play.record.agreed_terms import Terms
from trine.play.record.log import damaged_path, resume

HEAD = f'[Game "arimaa"]\n[Start "{DUEL}"]\n\n'
NAMES = count()
BLITZ = "0:15/1/100/2"


def new_path(folder: Path) -> Path:
    return folder / f"{next(NAMES)}.txt"


def check_cut(
    content: bytes, cut: int, known: dict[int, Standing], folder: Path, rng: random.Random
) -> None:
    """A log that was cut off at a byte resumes to what was whole, and play goes on."""
    path = new_path(folder)
    path.write_bytes(content[:cut])
    if cut < min(known):
        with pytest.raises(FileError, match="cut off in its head"):
            resume(path)
        assert path.read_bytes() == content[:cut]
        assert not damaged_path(path).exists()
        return
    whole = max(length for length in known if length <= cut)
    now = HandClock()
    with resumed(path, now) as (game, damage):
        assert standing(game.play, game.clock) == known[whole], (cut, content[:cut])
        torn = damage.content if damage else b""
        kept = content[: cut - len(torn)]
        assert len(kept) >= whole
        assert content[:cut] == kept + torn
        assert path.read_bytes().startswith(kept)
        if damage:
            assert damaged_path(path).read_bytes() == torn + b"\n"
            lines = kept.decode().split("\n")
            assert str(damage.place) == f"{path}:{len(lines)}:{len(lines[-1]) + 1}"
        else:
            assert not damaged_path(path).exists()
        game.close()
    with resumed(path, now) as (game, damage):
        assert damage is None
        assert standing(game.play, game.clock) == known[whole]
        play_at_random(game, now, rng, 6)
        game.close()
        after = standing(game.play)
    assert path.read_bytes().startswith(kept)
    assert standing(replayed(path)) == after


def played(
    folder: Path, agreed: Terms, seed: int, doings: int
) -> tuple[bytes, dict[int, Standing]]:
    """A log of random doings, and how the play stood each time it was whole."""
    path, now = new_path(folder), HandClock()
    with live(path, agreed, now) as game, watched(game) as known:
        play_at_random(game, now, random.Random(seed), doings)
        if not game.play.outcome:
            game.close()
    return path.read_bytes(), known


def turns_of(path: Path) -> str:
    """The lines of a log behind its head, the moments aside."""
    return undated(path.read_text(encoding="utf-8").partition("\n\n")[2])


def undated(words: str) -> str:
    return re.sub(r", at [0-9TZ:.-]+(?=\})", "", words)
