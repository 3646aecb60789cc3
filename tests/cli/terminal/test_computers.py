"""Conversations in which computer players take part."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.terminal.computers import Puppet, QuickHintBot, failing, thinking_that, with_computers
from play.record.logs import undated
from playing import DUEL, HandClock, Script, agreed, plain_screen, replayed, resumed, shown, terms
from trine.cli.terminal.dialogue import Dialogue
from trine.cli.terminal.opponents import Opponents, open_opponents
from trine.core.clock import Limits
from trine.core.contract.position import Outcome, Reason
from trine.core.errors import TrineError
from trine.core.play import Play
from trine.engine.players.player import Decision, Player, PlayerResources
from trine.games import open_room
from trine.play.record.agreed_terms import Terms
from trine.play.session.file_journal import begin_in_file
from trine.play.session.seats import is_computer, is_program

# --- playing -------------------------------------------------------------------------------------


def test_a_computer_answers_each_turn_of_a_person(path: Path) -> None:
    puppet = Puppet()
    words, game = with_computers(path, agreed("tzaar", setup="fixed"), {1: puppet}, "d5c4", "quit")
    assert "Black (puppet) plays " in words
    assert [turn.player for turn in game.play.turns][:2] == [0, 1]
    assert puppet.begun == ["1w"]
    assert len(replayed(path).turns) == len(game.play.turns)


@pytest.mark.parametrize(
    ("start", "seat", "typed", "said", "turns"),
    [
        (agreed("corridor"), 0, "", "South (puppet) plays", 1),
        (terms(start=""), 0, "", "Gold (puppet) has set up", 1),
        (agreed("corridor", takebacks="yes"), 0, "takeback", "no person has played a turn yet", 1),
        (agreed("tzaar", setup="placement"), 0, "undo", "no action to take back", 1),
        (terms("classic"), 1, "offer draw", "Silver (puppet) declines", 0),
    ],
    ids=["first seat", "setup", "no turn to take back", "no placement to undo", "no thought yet"],
)
def test_a_computer_acts_in_turn(
    path: Path, start: Terms, seat: int, typed: str, said: str, turns: int
) -> None:
    lines = [typed] if typed else []
    words, game = with_computers(path, start, {seat: Puppet()}, *lines, "quit")
    assert said in words
    assert (len(game.play.turns), game.play.outcome) == (turns, None)


@pytest.mark.usefixtures("odds_of_the_search")
def test_what_a_computer_thinks_is_told_in_words(path: Path) -> None:
    puppet = Puppet(thinking_that(-80))
    words, _ = with_computers(path, agreed("corridor"), {0: puppet}, "quit")
    assert "and thinks: North is slightly better, 61 % (depth 3)" in words


def test_a_computer_has_a_fixed_time_or_its_clock(path: Path) -> None:
    puppet = Puppet()
    _, game = with_computers(path, agreed("corridor"), {0: puppet}, "quit")
    assert puppet.asked == [Limits(hard=1.0)]
    timed = Puppet()
    other = path.with_name("timed.txt")
    _, game = with_computers(other, agreed("corridor", clock="5+3"), {0: timed}, "quit")
    assert timed.asked[0].hard is None
    assert timed.asked[0].clock is not None
    assert timed.asked[0].clock.control == game.terms.clock


def test_a_computer_that_is_too_late_loses_by_time(path: Path, now: HandClock) -> None:

    def slow(play: Play) -> Decision:
        now.wait(80)
        return Decision(play.legal_actions()[:1])

    words, game = with_computers(
        path, agreed("corridor", clock="0:15/1"), {1: Puppet(slow)}, "e2", "e3", now=now
    )
    assert game.play.outcome == Outcome(0, Reason.TIME)
    assert "North (puppet): time is up" in words
    assert replayed(path).outcome == game.play.outcome


def test_a_turn_that_was_broken_off_begins_anew(path: Path) -> None:
    path.write_text(
        f'[Game "arimaa"]\n[Rules "official"]\n[Gold "bot:1"]\n[Start "{DUEL}"]\n\n2g Ed4n '
    )
    with resumed(path) as (game, _):
        assert game.play.open_actions
        puppet = Puppet()
        Dialogue(game, plain_screen(), opponents=Opponents({0: puppet})).run(Script("quit"))
        assert len(game.play.turns) == 1
    assert undated(path.read_text()).count("2g Ed4n {resumed 0:00} undo ") == 1
    assert len(replayed(path).turns) == 1


# --- what goes wrong -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decide", "problem"),
    [
        (failing("it crashed"), "it crashed"),
        (lambda play: Decision(()), "its turn is not complete"),
        (lambda play: Decision((play.legal_actions()[0],) * 2), "more than its turn"),
        (lambda play: Decision(("no action",)), ""),
        (lambda play: 1 / 0, "it failed: ZeroDivisionError"),
    ],
)
def test_who_cannot_go_on_forfeits(decide: object, problem: str, path: Path) -> None:
    puppet = Puppet(decide)  # type: ignore[arg-type]
    words, game = with_computers(path, agreed("corridor"), {1: puppet}, "e2", "e3")
    assert problem in words
    assert "North (puppet) forfeits" in words
    assert "South wins (forfeit)" in words
    assert game.play.outcome == Outcome(0, Reason.FORFEIT)
    assert replayed(path).outcome == game.play.outcome
    assert "1n {North forfeits: " in path.read_text()


def test_a_part_of_a_turn_is_no_turn(path: Path) -> None:
    first = Puppet(lambda play: Decision(play.legal_actions()[:1]))
    _, game = with_computers(path, terms(), {0: first})
    assert game.play.outcome == Outcome(1, Reason.FORFEIT)
    assert game.play.turns == []


def test_what_was_said_before_a_forfeit_is_kept_beside_the_log(path: Path) -> None:
    puppet = Puppet(failing("silence", "> isready\n< \udcff"))
    words, _ = with_computers(path, agreed("corridor"), {0: puppet})
    kept = path.with_name("game.txt.forfeits")
    assert str(kept) in words
    assert kept.read_text().startswith("=== 1s, South: silence\n> isready\n< \\udcff\n")


def test_who_does_not_get_ready_forfeits_at_once(path: Path) -> None:
    class Unready(Puppet):
        def begin(self, play: Play) -> None:
            failing("no answer")(play)

    _, game = with_computers(path, agreed("corridor"), {1: Unready()}, "e2")
    assert game.play.outcome == Outcome(0, Reason.FORFEIT)
    assert game.play.turns == []
    assert replayed(path).outcome == game.play.outcome


def test_a_computer_can_resign(path: Path) -> None:
    puppet = Puppet(lambda play: Decision((), resigns=True))
    words, game = with_computers(path, agreed("corridor"), {1: puppet}, "e2")
    assert "North (puppet) resigns" in words
    assert game.play.outcome == Outcome(0, Reason.RESIGNATION)
    assert "1n resigns\n" in path.read_text()


# --- consent -------------------------------------------------------------------------------------


def test_a_takeback_takes_the_answer_of_the_computer_back_too(path: Path) -> None:
    puppet = Puppet()
    words, game = with_computers(
        path, agreed("corridor", takebacks="yes"), {1: puppet}, "e2", "e3", "takeback", "quit"
    )
    assert "North (puppet) accepts" in words
    assert game.play.turn_tag == "2s"
    assert puppet.begun == ["1s", "2s"]
    assert replayed(path).turn_tag == "2s"


def test_undo_takes_a_placement_back_and_the_answer_to_it(path: Path) -> None:
    start = agreed("tzaar", setup="placement")
    _, game = with_computers(path, start, {1: Puppet()}, "random", "undo", "quit")
    assert game.play.turns == []
    assert path.read_text().count("takeback") == 2


@pytest.mark.parametrize(("points", "agrees"), [(-30, True), (0, True), (1, False), (300, False)])
def test_a_draw_is_agreed_on_by_who_stands_no_better(
    points: int, agrees: bool, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trine.cli.terminal.opponents.OPENING_TURNS", 1)
    puppet = Puppet(thinking_that(points))
    words, game = with_computers(
        path, terms("classic"), {1: puppet}, "d4n end", "offer draw", "quit"
    )
    assert (game.play.outcome == Outcome(None, Reason.AGREEMENT)) == agrees
    assert ("accepts" in words) == agrees
    assert ("{Silver declines draw}" in path.read_text()) != agrees


def test_in_the_opening_a_draw_is_declined(path: Path) -> None:
    puppet = Puppet(thinking_that(-300))
    lines = ("d4n end", "offer draw", "quit")
    words, game = with_computers(path, terms("classic"), {1: puppet}, *lines)
    assert game.play.outcome is None
    assert "Silver (puppet) declines" in words


def test_words_of_the_game_are_agreed_to(path: Path) -> None:
    start = agreed("tzaar", setup="placement")
    words, game = with_computers(path, start, {1: Puppet()}, "fill", "quit")
    assert "Black (puppet) accepts" in words
    assert not game.play.position.in_setup


def test_people_are_asked_and_computers_agree(path: Path) -> None:
    seats = {1: Puppet(), 3: Puppet()}
    start = agreed("corridor", players=4, takebacks="yes")
    words, game = with_computers(path, start, seats, "e2", "takeback", "accept", "quit")
    answers = ("East (puppet) accepts", "South: accept or decline?", "West (puppet) accepts")
    places = [words.index(answer) for answer in answers]
    assert places == sorted(places)  # North has asked
    assert game.play.turns == []


# --- hints ---------------------------------------------------------------------------------------


def test_a_hint_is_told_and_noted_in_the_log(path: Path) -> None:
    with_adviser = begin_in_file(agreed("corridor"), path, HandClock())
    dialogue = Dialogue(with_adviser, plain_screen(), hint_bot=QuickHintBot("corridor"))
    dialogue.run(Script("hint", "quit"))
    assert "hint: " in shown(dialogue.screen)
    assert "  because" in shown(dialogue.screen)
    assert "1s {hint: " in path.read_text()
    assert replayed(path).turns == []


def test_the_usual_adviser_tells_a_whole_turn_with_reasons(path: Path) -> None:
    game = begin_in_file(agreed("tzaar", setup="fixed"), path, HandClock())
    dialogue = Dialogue(
        game, plain_screen(), opponents=Opponents({}, Limits(hard=0.2), PlayerResources(1))
    )
    dialogue.run(Script("d5c4", "hint", "quit"))
    told = shown(dialogue.screen).partition("hint: ")[2]
    turn = told.partition(";")[0]
    assert len(game.play.interpret(turn)) == 2  # both actions of the turn
    assert "White" in told or "Black" in told
    assert "expected: 1b " in told


def test_a_hint_on_the_clock_takes_no_more_than_half_of_what_is_left(path: Path) -> None:
    asked: list[float] = []

    class HintBot(QuickHintBot):
        def advise(self, play, thinking, left):  # type: ignore[no-untyped-def]
            asked.append(left)
            return super().advise(play, thinking, left)

    game = begin_in_file(agreed("corridor", clock="0:15/1"), path, HandClock())
    Dialogue(game, plain_screen(), hint_bot=HintBot("corridor")).run(Script("hint", "quit"))
    assert asked == [75.0]


# --- opening -------------------------------------------------------------------------------------


def factory(opened: list[Puppet]) -> object:
    def open_one(words: str, game: str, settings: PlayerResources, show: object = None) -> Player:
        if "bad" in words:
            raise TrineError(open_room("tzaar").rule_sets["official"].source)
        opened.append(Puppet(name=f"{words} {game}"))
        return opened[-1]

    return open_one


def test_names_that_begin_like_computers_are_computers() -> None:
    assert all(map(is_computer, ("bot:7", "BOT:trapper", "engine:x", "aei:./a b", "ugi:z")))
    assert not any(map(is_computer, ("bot", "Anna", "robot:7", "", "enginex")))
    assert [is_program(name) for name in ("bot:7", "aei:x", "Engine:x")] == [False, True, True]


def test_players_are_opened_for_the_rules_that_are_played() -> None:
    opened: list[Puppet] = []
    start = open_room("corridor")
    names = {"South": "bot:2", "North": "engine:x"}
    agreed_on = Terms.agree(start, "great-wall", names=names)
    opponents = open_opponents(agreed_on, Limits(), PlayerResources(), factory(opened))  # type: ignore[arg-type]
    assert [one.name for one in opened] == [
        "bot:2 corridor/great-wall",
        "engine:x corridor/great-wall",
    ]
    assert 0 in opponents and 1 in opponents


def test_who_was_opened_is_closed_if_another_cannot_be() -> None:
    opened: list[Puppet] = []
    agreed_on = Terms.agree(open_room("tzaar"), names={"White": "bot:1", "Black": "bot:bad"})
    with pytest.raises(TrineError, match="'bot:bad'"):
        open_opponents(agreed_on, Limits(), PlayerResources(), factory(opened))  # type: ignore[arg-type]
    assert [one.closed for one in opened] == [True]


def test_computers_agree_to_a_pause_and_play_on_only_after_it(path: Path) -> None:
    puppet = Puppet()
    words, game = with_computers(
        path, agreed("corridor"), {1: puppet}, "pause", "e2", "continue", "e2", "quit"
    )
    assert words.count("the game is paused") == 2
    assert len(game.play.turns) == 2
