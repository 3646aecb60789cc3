"""Whatever is typed, the conversation goes on and the file stays whole."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.terminal.conversations import said, talking
from playing import HandClock, replayed, standing, swift_disk, terms
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.vocabulary import COMMANDS


@pytest.mark.parametrize(
    "line",
    [
        *("💥", "\0", "\ufffd", "\udcff", "\x1b[2J\x07", "a2n\x0b", "a٢n", "[bold]a2n[/bold]"),
        *("'; DROP TABLE", "{given}", "%s {0} {}", "--help", "x" * 10_000, "a2n " * 1000),
        *("e2x", "undo a2n", "end end end", "why 💥", "why " + "x" * 10_000),
        *("setup", "setup random x", "setup random " + "9" * 30),
    ],
)
def test_an_absurd_line_is_refused_in_words(line: str, path: Path) -> None:
    with talking(path, terms()) as dialogue:
        before = path.read_bytes()
        answer = said(dialogue, line)
        assert answer.strip()
        assert len(answer) < 3000
        assert path.read_bytes() == before


def random_line(rng: random.Random, dialogue: Dialogue) -> str:
    """A line such as people type, or as cats on keyboards do."""
    actions = dialogue.game.play.legal_actions()
    words = [command.usage.split()[0] for command in COMMANDS]
    return rng.choice(
        [
            " ".join(map(str, rng.choices(actions, k=rng.choice((1, 1, 3))))),
            str(rng.choice(actions)),
            "end",
            "",
            rng.choice(words),
            f"{rng.choice(words)} {rng.choice(('all', '2', 'draw', 'a2n', '💥'))}",
            "".join(rng.choices("a2nEd4 \t\0é{}[]'\"\\;,x-", k=rng.choice((2, 9)))),
        ]
    )


@given(seed=st.integers(0, 10**6))
def test_whatever_is_typed_the_file_replays_to_what_was_shown(
    tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng = random.Random(seed)
    folder = tmp_path_factory.mktemp("typed")
    path, now = folder / "game.txt", HandClock()
    with swift_disk(), talking(path, terms(clock="0:15/1"), now) as dialogue:
        game = dialogue.game
        for _ in range(40):
            if game.check_time() or game.play.outcome:
                break
            line = random_line(rng, dialogue)
            if line.startswith(("save", "resign")):
                continue
            now.wait(rng.choice((0.0, 0.3, 8.0)))
            said(dialogue, line)
        game.close()
        assert standing(replayed(path)) == standing(game.play)
