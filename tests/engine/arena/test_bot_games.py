"""Games of two bots: compiled code plays the games that the bots play turn by turn."""

from pathlib import Path
from typing import Any

import pytest

from engine.arena.matches import play_through
from trine.core.clock import Limits
from trine.core.errors import FileError, TrineError
from trine.engine.arena.contest import Seated, play_game
from trine.engine.arena.match import Entrant, Match
from trine.engine.arena.opening_book import parse_openings
from trine.engine.players.bot import Bot
from trine.engine.players.bot_games import compiled_bots
from trine.engine.players.player import Player, PlayerResources
from trine.engine.players.solved import solved_lines
from trine.engine.protocol.players import open_player, parse_constants
from trine.engine.search.alphabeta import AlphaBeta
from trine.engine.search.kernel.constants import CONSTANTS, FORMER_NAMES
from trine.games import new_play, open_heuristics


class TurnByTurn(Bot):
    """A bot whose games are played turn by turn, with the root's actions in the kernel's order."""

    plays_whole_games = False

    def _open_search(self, two: bool) -> AlphaBeta:
        numbers: Any = {"weights": self.weights, "constants": self.constants}
        return AlphaBeta(self.game, hash_mb=self.hash_mb, in_kernel_order=True, **numbers)


def open_turn_by_turn(words: str, game: str, settings: PlayerResources, show: Any = None) -> Player:
    bot = open_player(words, game, settings)
    assert isinstance(bot, Bot)
    bot.__class__ = TurnByTurn
    return bot


@pytest.mark.parametrize(
    ("game", "kind", "longest"),
    [
        ("tzaar/official", "auto", 0),
        ("tzaar/official", "auto", 12),  # scored
        ("corridor/quoridor", "random:3", 0),
        ("corridor/great-wall", "start", 20),  # drawn
        ("arimaa/official", "start", 60),  # the bots set up; positions must not repeat
        ("arimaa/classic", "auto", 60),
    ],
)
def test_compiled_games_are_those_of_the_bots(
    game: str, kind: str, longest: int, tmp_path: Path
) -> None:
    name, _, rules = game.partition("/")
    term = open_heuristics(name).terms[0]
    weights = tmp_path / "weights.txt"
    weights.write_text(f"{term.name}\t{term.weight * 1.5}\n", encoding="utf-8")
    match = Match(
        (
            Entrant("one", f"bot:10?weights={weights}", Limits(nodes=300)),
            Entrant("two", "bot:4?futility_margin=45", Limits(depth=6)),
        ),
        parse_openings(kind, name, rules),
        hash_mb=1,
        max_turns=longest,
    )
    play_through(match, 2, tmp_path / "compiled", processes=0, factory=open_player)
    play_through(match, 2, tmp_path / "slow", processes=0, factory=open_turn_by_turn)
    compiled = (tmp_path / "compiled").read_text(encoding="utf-8")
    assert compiled == (tmp_path / "slow").read_text(encoding="utf-8")
    assert compiled.count("score ") > 20, "the searches are noted"


def test_a_solved_board_is_played_perfectly_with_a_limit_of_nodes_too() -> None:
    play = new_play("corridor/quoridor", size=3)
    expected = solved_lines(play, 1)[0].score.decided_in
    bots = [Seated(name, Bot("corridor", hash_mb=1), Limits(nodes=2)) for name in "ab"]
    done = play_game(play, bots).play
    assert len(done.turns) == expected


@pytest.mark.parametrize(
    ("limits", "words", "whole"),
    [
        (Limits(nodes=50), "bot:10", True),
        (Limits(depth=3), "bot:10", True),
        (Limits(hard=1.0), "bot:3", False),
        (Limits(), "bot:10", False),
        (Limits(), "bot:3", True),
        (Limits(nodes=50), "bot:counter", False),
    ],
)
def test_only_bots_without_time_limits_play_whole_games(
    limits: Limits, words: str, whole: bool
) -> None:
    settings = PlayerResources(hash_mb=1)
    players = [open_player(one, "tzaar", settings) for one in ("bot:10", words)]
    assert bool(compiled_bots(players, [Limits(nodes=50), limits])) is whole


def test_a_match_knows_the_contents_of_a_file_of_weights(tmp_path: Path) -> None:
    weights, games = tmp_path / "weights.txt", tmp_path / "games.txt"
    quick = Limits(nodes=20)

    def match() -> Match:
        entrants = Entrant("one", f"bot:10?weights={weights}", quick), Entrant("two", "bot", quick)
        return Match(entrants, parse_openings("auto", "tzaar", "official"), hash_mb=1)

    weights.write_text("# none\n", encoding="utf-8")
    play_through(match(), 2, games, factory=open_player)
    play_through(match(), 4, games, factory=open_player)
    weights.write_text("# others\n", encoding="utf-8")
    with pytest.raises(FileError, match="other weights"):
        play_through(match(), 6, games, factory=open_player)


def test_former_names_of_constants_are_read() -> None:
    former, today = FORMER_NAMES.keys(), FORMER_NAMES.values()
    assert set(today) <= set(CONSTANTS)
    read = [parse_constants("&".join(f"{name}=7" for name in names)) for names in (former, today)]
    assert read[0] == read[1] != parse_constants("")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("bot:10?weights=", "no constant of a bot 'weights='"),
        ("bot:10?net={file}", "weights.txt is no net"),
        ("bot:10?margin=x", "no constant of a bot 'margin=x'"),
        ("bot:10?threads=2", "no constant of a bot 'threads=2'"),
        ("bot:10?weights={file}", "weights.txt: no term 'tot'"),
        ("bot:10?weights={file}x", "weights.txtx"),
    ],
)
def test_constants_that_cannot_be_read_are_named(words: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "weights.txt"
    file.write_text("tot\t5\n", encoding="utf-8")
    with pytest.raises(TrineError, match=problem):
        open_player(words.format(file=file), "tzaar", PlayerResources(hash_mb=1))
