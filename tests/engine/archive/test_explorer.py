"""The explorer, held against replaying all games and comparing positions image by image."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from engine.archive.archives import add, random_records
from playing import run_trine
from trine.core.contract.position import Position
from trine.core.contract.record import Record
from trine.core.contract.room import Room
from trine.engine.archive.explored import ExploredTurn
from trine.engine.archive.explorer import explore
from trine.engine.archive.queries import Archive
from trine.games import new_play, open_room
from trine.play.record.replay import replay

pytest.importorskip("duckdb", reason="DuckDB is not installed; scripts/extras installs it")

GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "corridor/quoridor": (60, {"size": 3, "most": 12}),
    "corridor/corridor": (40, {"size": 3, "players": 4, "most": 12}),
    "tzaar/official": (12, {"most": 6}),
    "arimaa/official": (8, {"most": 4}),
}


def images(room: Room, position: Position) -> set[Position]:
    return {symmetry.position(position) for symmetry in room.rules.symmetries(position)}


def counted(
    records: list[Record], room: Room, position: Position
) -> dict[frozenset[Position], Counter[float | None]]:
    """The scores of what was first played from a position, by all images of what came of it."""
    asked = images(room, position)
    found: defaultdict[frozenset[Position], Counter[float | None]] = defaultdict(Counter)
    for record in records:
        play = replay(record)
        for turn in play.turns:
            if turn.before in asked:
                score = None
                if outcome := play.outcome:
                    score = 0.5 if outcome.winner is None else float(outcome.winner == turn.player)
                found[frozenset(images(room, turn.after))][score] += 1
                break  # a game counts once
    return found


def after(room: Room, position: Position, turn: ExploredTurn) -> Position:
    for action in turn.actions:
        position = position.play(action)
    return position


@pytest.mark.parametrize("game", GAMES)
def test_all_that_was_played_from_a_position_is_told(game: str, tmp_path: Path) -> None:
    many, options = GAMES[game]
    records = random_records(game, many, **options)
    add(tmp_path, records)
    archive, room = Archive(tmp_path), open_room(game.partition("/")[0])
    plays = [replay(record) for record in records[:2]]
    asked = [turn.before for play in plays for turn in play.turns[:4]]
    for position in {image for start in asked for image in images(room, start)}:
        expected = counted(records, room, position)
        found = explore(archive, room, position, 1000)
        assert found.games == sum(sum(scores.values()) for scores in expected.values())
        assert found.different == len(found.turns) == len(expected)
        assert [turn.games for turn in found.turns] == sorted(
            (turn.games for turn in found.turns), reverse=True
        )
        for turn in found.turns:
            scores = expected[frozenset(images(room, after(room, position, turn)))]
            assert (turn.wins, turn.draws, turn.losses) == (scores[1.0], scores[0.5], scores[0.0])
            assert turn.games == sum(scores.values())


def test_ratings_and_the_games_of_the_highest_rated(tmp_path: Path) -> None:
    records = random_records("corridor/quoridor", 30, size=3, most=8)
    add(tmp_path, records)
    room, start = open_room("corridor"), new_play("corridor/quoridor", size=3).position
    found = explore(Archive(tmp_path), room, start, 1000)
    every = [1500 + 10 * seed for seed in range(30)]  # as the records are made
    mean = sum(turn.games * (turn.rating or 0) for turn in found.turns) / 30
    assert mean == pytest.approx(sum(every) / 30)
    for turn in found.turns:
        shown = [game.ratings[0] or 0 for game in turn.top_games]
        assert shown == sorted(shown, reverse=True)
        assert len(shown) == min(3, turn.games)
    assert max(turn.top_games[0].ratings[0] or 0 for turn in found.turns) == max(every)


def test_nothing_was_played(tmp_path: Path) -> None:
    add(tmp_path, random_records("corridor/quoridor", 3, size=3))
    start = new_play("corridor/quoridor").position
    assert explore(Archive(tmp_path), open_room("corridor"), start).games == 0
    start = new_play("tzaar").position
    assert explore(Archive(tmp_path), open_room("tzaar"), start).turns == ()


def test_a_conversation(tmp_path: Path) -> None:
    head = (
        '[Game "corridor"]\n[Rules "quoridor"]\n[South "{}"]\n[North "Ivan"]\n[Date "2006-12-01"]\n'
    )
    won = '[Result "South"]\n[Reason "resignation"]\n'
    games = [
        head.format("Anna") + "\n1s d1\n1n e8\n" + won,
        head.format("Béla") + "\n1s f1\n",
        head.format("Anna") + "\n1s e2\n",
    ]
    (tmp_path / "games.txt").write_text("\n".join(games), encoding="utf-8")
    run_trine(tmp_path, "archive", "add", "club", "games.txt")
    done = run_trine(tmp_path, "explore", "club", "corridor/quoridor")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "1s: 3 turns were played from here",
        "    Games     Score      Rating",
        "        2   100.0 %           –  d1  Béla – Ivan 2006",
        "        1         –           –  e2  Anna – Ivan 2006",
    ]
    done = run_trine(tmp_path, "explore", "club", "games.txt", "--turn", "1n")
    assert done.stdout.splitlines()[0] == "1n: 1 turn was played from here"
    done = run_trine(tmp_path, "explore", "club", "corridor/quoridor", "--turns", "1", "--json")
    assert done.stdout.startswith(
        '{"games": 3, "different": 2, "turns": [{"words": "d1", "games": 2'
    )
    done = run_trine(tmp_path, "explore", "club", "corridor/quoridr", status=2)
    assert "no rule set 'quoridr'" in done.stderr
