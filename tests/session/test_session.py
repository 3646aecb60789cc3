"""A running game in every rule set: its journal, its record and its state say the same."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.test_rooms import OTHER_STARTS, RULE_SETS
from playing import (
    HandClock,
    Script,
    agreed,
    plain_screen,
    replayed,
    shown,
    standing,
    swift_disk,
)
from trine.core.errors import IllegalError, TrineError
from trine.core.outcome import Outcome, Reason
from trine.session import commands
from trine.session.changes import after, begun, rebuilt
from trine.session.entries import Entry
from trine.session.file_journal import FileJournal, begin_in_file, resume_from_file
from trine.session.game import Game
from trine.session.journal import MemoryJournal
from trine.session.state import State
from trine.terminal.dialogue import Dialogue


def begun_game(game: str, path: Path, now: HandClock) -> Game[FileJournal]:
    """A game on a clock, where its rules allow all that can be asked for."""
    name, *options = game.split()
    tags = dict(option.split("=") for option in options)
    return begin_in_file(agreed(name, "", clock="0:20/2", takebacks=True, **tags), path, now)


def told(state: State) -> tuple[Any, ...]:
    """All of a state that counts."""
    return (
        standing(state.play, state.clock),
        state.began,
        state.paused,
        state.by_consent,
        state.offers,
        state.leaving,
    )


def random_command(game: Game[FileJournal], chance: random.Random) -> commands.Command:
    """Anything that somebody could want now, allowed or not."""
    state, play = game.state, game.play
    seat = chance.choice(play.position.playing)
    what = chance.choice(["draw", "takeback", "pause", *sorted(play.room.words_by_consent)])
    dice = chance.random()
    if state.paused is not None:
        return commands.Resume()
    if dice < 0.55:
        return commands.Act(play.check([chance.choice(play.legal_actions())]))
    others: list[commands.Command] = [
        commands.Undo(),
        commands.Ask(seat, what, chance.choice([1, 1, 2])),
        commands.Accept(seat),
        commands.Decline(seat, chance.choice(["", what])),
        commands.TakeBack(agreed=chance.random() < 0.5),
        commands.Remark("Gold accepts draw"),
        commands.Pause(),
        commands.Resume(chance.choice([0.0, 2.5])),
        commands.Flag(),
    ]
    if chance.random() < 0.03:
        others += [commands.Resign(seat), commands.Forfeit(seat, "gone"), commands.AgreeDraw()]
    return chance.choice(others)


def play_at_random(
    game: Game[FileJournal], now: HandClock, chance: random.Random, doings: int
) -> tuple[list[Entry], list[State]]:
    """All entries of a game, and the state after each."""
    entries: list[Entry] = []
    states: list[State] = []
    for _ in range(doings):
        now.wait(chance.choice((0.0, 0.04, 1.75, 9.96)))
        if game.over:
            break
        before = game.state
        if game.check_time():
            continue
        command = random_command(game, chance)
        try:
            written = game.do(command)
        except IllegalError:
            assert game.state is before
            continue
        state = before
        for entry in written:
            state = after(state, entry)
            entries.append(entry)
            states.append(state)
        assert told(state) == told(game.state)
    return entries, states


def first_entry(game: Game[FileJournal]) -> Entry:
    """The entry with which the journal of a game that has just begun begins."""
    journal = MemoryJournal()
    Game.begin(game.terms, journal, lambda: game.state.at)
    return journal.entries[0]


@pytest.mark.parametrize("game", RULE_SETS + OTHER_STARTS)
@pytest.mark.parametrize("seed", range(2))
def test_journal_record_and_state_say_the_same(game: str, seed: int, tmp_path: Path) -> None:
    now, path = HandClock(), tmp_path / "game.txt"
    with swift_disk():
        played = begun_game(game, path, now)
        first = first_entry(played)
        chance = random.Random(f"{game} {seed}")
        entries, states = play_at_random(played, now, chance, 90)
        # As JSON has them, entry by entry, cut off behind each.
        rebuilt_state = begun(Entry.from_data(json.loads(json.dumps(first.as_data()))))
        for entry, state in zip(entries, states, strict=True):
            rebuilt_state = after(
                rebuilt_state, Entry.from_data(json.loads(json.dumps(entry.as_data())))
            )
            assert told(rebuilt_state) == told(state)
        assert told(rebuilt([first, *entries])) == told(played.state)
        assert standing(replayed(path)) == standing(played.play)
        # Nobody says goodbye; the clock stands where it stood, the offers are open.
        before, left = played.state, played.time_left
        played.journal.close()
        now.wait(5000)
        again, damage = resume_from_file(path, now)
        assert damage is None
        assert standing(again.play, again.clock) == standing(before.play, before.clock)
        assert again.state.offers == before.offers
        assert again.state.leaving == before.leaving
        assert again.state.by_consent == before.by_consent
        if not again.over:
            spent = before.elapsed(before.at)
            assert again.elapsed == pytest.approx(spent, abs=0.16)
            assert again.time_left >= left - 0.16
        again.journal.close()


@pytest.mark.parametrize("seed", range(6))
def test_a_game_cut_off_behind_any_entry_keeps_clock_and_offers(seed: int, tmp_path: Path) -> None:
    now, path = HandClock(), tmp_path / "game.txt"
    with swift_disk():
        played = begun_game("corridor/quoridor size=5", path, now)
        cuts: list[tuple[bytes, State, float | None]] = []
        append = played.journal.append

        def noting(entries: Sequence[Entry]) -> None:
            append(entries)
            state = played.state
            for entry in entries:
                state = after(state, entry)
            cuts.append((path.read_bytes(), state, played.journal.log.alive))

        played.journal.append = noting  # type: ignore[method-assign]
        play_at_random(played, now, random.Random(seed), 120)
        played.journal.close()
        assert len(cuts) > 10
        for number, (content, state, alive) in enumerate(cuts):
            copy = tmp_path / f"{number}.txt"
            copy.write_bytes(content)
            if alive is not None:
                os.utime(copy, ns=(round(alive * 10) * 10**8,) * 2)
            again, _ = resume_from_file(copy, HandClock(now.now + 999))
            assert standing(again.play, again.clock) == standing(state.play, state.clock)
            assert again.state.offers == state.offers
            if not again.over and not state.by_consent:
                assert again.elapsed == pytest.approx(state.elapsed(state.at), abs=0.16)
            again.journal.close()


def test_what_was_thought_before_a_crash_counts_and_what_came_after_does_not(
    tmp_path: Path,
) -> None:
    now, path = HandClock(), tmp_path / "game.txt"
    game = begun_game("corridor/quoridor", path, now)
    game.enter("e2")
    now.wait(7)
    game.beat()
    now.wait(0.5)  # not known of any more
    game.journal.close()
    now.wait(86_400)
    again, _ = resume_from_file(path, now)
    assert again.elapsed == 7
    assert again.state.deadline == now.now + again.time_left
    again.journal.close()
    copy = tmp_path / "copy.txt"
    copy.write_bytes(path.read_bytes())  # a copy keeps no pulse
    again, _ = resume_from_file(copy, now)
    assert again.elapsed == 7
    again.journal.close()


def test_an_offer_that_stands_is_shown_when_the_game_is_gone_on_with(tmp_path: Path) -> None:
    now, path = HandClock(), tmp_path / "game.txt"
    game = begun_game("corridor/quoridor", path, now)
    game.do(commands.Ask(1, "draw"))
    game.journal.close()
    again, _ = resume_from_file(path, now)
    dialogue = Dialogue(again, plain_screen())
    dialogue.run(Script("accept"))
    assert "North asks for a draw" in shown(dialogue.screen)
    assert again.play.outcome
    assert again.play.outcome.reason is Reason.AGREEMENT
    assert replayed(path).outcome == again.play.outcome


def test_whoever_is_not_to_move_can_resign_too(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    game = begun_game("arimaa/official", path, HandClock())
    game.enter("Ra1")
    game.do(commands.Resign(1))
    assert game.play.outcome
    assert game.play.outcome.winner == 0
    game.close()
    assert replayed(path).outcome == game.play.outcome
    torn = path.read_bytes().partition(b"[Result")[0]
    path.write_bytes(torn)
    again, _ = resume_from_file(path)
    assert again.play.outcome == game.play.outcome
    again.close()


def test_of_four_who_resigns_out_of_turn_leaves_when_it_is_to_move(tmp_path: Path) -> None:
    path = tmp_path / "four.txt"
    game = begun_game("corridor/quoridor players=4", path, HandClock())
    game.do(commands.Resign(1))
    with pytest.raises(IllegalError):
        game.do(commands.Ask(1, "draw"))
    game.enter("e2")
    assert game.play.position.playing == (0, 2, 3)
    assert game.play.mover == 2
    game.do(commands.Resign(0))
    game.do(commands.Forfeit(3, "gone"))
    assert game.play.outcome
    assert game.play.outcome.winner == 2
    game.close()
    assert replayed(path).outcome == game.play.outcome


def test_all_must_agree_to_a_pause_and_no_time_passes_in_it(tmp_path: Path) -> None:
    now, path = HandClock(), tmp_path / "game.txt"
    game = begun_game("corridor/quoridor", path, now)
    now.wait(3)
    game.do(commands.Ask(0, "pause"))
    game.do(commands.Accept(1))
    now.wait(500)
    assert (game.elapsed, game.state.deadline) == (3, None)
    with pytest.raises(IllegalError, match="paused"):
        game.enter("e2")
    game.close()
    again, _ = resume_from_file(path, now)
    assert again.state.by_consent
    again.do(commands.Resume())
    now.wait(1)
    assert again.elapsed == 4
    again.close()


def test_who_asks_for_what_was_asked_for_accepts(tmp_path: Path) -> None:
    game = begun_game("corridor/quoridor", tmp_path / "game.txt", HandClock())
    game.do(commands.Ask(0, "draw"))
    game.do(commands.Ask(1, "draw"))
    assert game.play.outcome
    assert game.play.outcome.reason is Reason.AGREEMENT
    game.close()


def test_a_late_or_a_stale_turn_is_refused(tmp_path: Path) -> None:
    now = HandClock()
    game = begun_game("corridor/quoridor", tmp_path / "game.txt", now)
    line = game.play.interpret("e2")
    with pytest.raises(IllegalError, match="another player"):
        game.do(commands.Act(line, 1))
    game.enter("e2")
    with pytest.raises(IllegalError, match="meanwhile"):
        game.do(commands.Act(line))
    deadline = game.state.deadline
    assert deadline is not None
    now.now = deadline + 0.01
    with pytest.raises(IllegalError, match="time is up"):
        game.enter("e8")
    game.grace = 0.5
    game.enter("e8")
    game.close()


def test_preparing_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = begun_game("tzaar/official setup=placement", path, HandClock())
    content, before = path.read_bytes(), game.state
    prepared = game.prepare(commands.Act(game.play.interpret("Za1 Tb1")))
    assert len(prepared.entries) == 2
    assert (path.read_bytes(), game.state) == (content, before)
    game.apply(prepared)
    assert len(game.play.turns) == 2
    assert len(before.play.turns) == 0
    game.close()


@pytest.mark.parametrize(
    ("game", "line"), [("arimaa", "e2n"), ("tzaar", "d3xd4"), ("corridor", "e2")]
)
def test_a_typed_step_is_judged_once(
    game: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"setup": "fixed"} if game == "tzaar" else {}
    running = begin_in_file(agreed(game, **options), tmp_path / "game.txt", HandClock())
    if game == "arimaa":
        for words in ("setup 99of9", "end", "setup 99of9", "end"):
            running.enter(words)
    if game == "tzaar":
        line = str(running.play.legal_actions()[0])
    dialogue = Dialogue(running, plain_screen())
    kind, calls = type(running.play.position), []
    judge = kind.why_not

    def counting(self: Any, action: Any, *rest: Any) -> Any:
        calls.append(action)
        return judge(self, action, *rest)

    monkeypatch.setattr(kind, "why_not", counting)
    dialogue.do(line)
    assert len(calls) == 1
    running.close()


def test_a_record_saved_with_line_breaks_of_two_bytes_is_not_damaged(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    for tail in ("", "3s e4", "3s e4 {well played}", "3s e4\r\n", "# a note"):
        head = '[Game "corridor"]\r\n\r\n1s e2\r\n1n e8\r\n2s e3\r\n2n e7\r\n'
        path.write_bytes((head + tail).encode())
        again, damage = resume_from_file(path)
        assert damage is None, tail
        assert len(again.play.turns) == 4 + tail.startswith("3s")
        again.enter(str(again.play.legal_actions()[0]))
        stood = again.play
        again.close()
        assert standing(replayed(path)) == standing(stood)


@pytest.mark.parametrize("tail", [b"\n\0\0\0\0", b"\n\xff\xfe garbage\n", b"\r\n\0\0"])
def test_a_damaged_end_does_not_end_an_open_turn(tail: bytes, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(
        b'[Game "arimaa"]\n[Start "2g 8/r1c4r/8/2e1h3/3E4/8/R3C1HR/8"]\n\n2g Ed4n ' + tail
    )
    again, damage = resume_from_file(path)
    assert damage is not None
    assert [str(action) for action in again.play.open_actions] == ["Ed4n"]
    assert again.play.turns == []
    again.enter("end")
    again.close()
    assert len(replayed(path).turns) == 1


def test_an_old_record_without_moments_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(
        '[Game "corridor"]\n[Clock "0:30/5"]\n[Takebacks "yes"]\n\n'
        "1s e2 {0:12, 5:18 left}\n1n e8 {0:40, 4:50 left}\n2s {paused 0:07} "
    )
    again, _ = resume_from_file(path)
    assert again.clock
    assert again.clock.reserves == (318, 290)
    assert again.elapsed == pytest.approx(7, abs=0.5)
    again.close()


def test_a_turn_that_is_over_in_an_open_line_takes_its_time_at_once(tmp_path: Path) -> None:
    path, now = tmp_path / "game.txt", HandClock()
    path.write_text('[Game "corridor"]\n[Clock "0:20/2"]\n\n1s e2 {0:35, 1:45 left} ')
    for _ in range(2):
        again, damage = resume_from_file(path, now)
        assert damage is None
        assert again.clock
        assert again.clock.reserves == (105, 120)
        again.close()


def test_a_last_line_of_another_turn_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text('[Game "corridor"]\n\n1s e2 {0:05}\n1w {well played}\n')
    again, damage = resume_from_file(path)
    assert damage is not None
    assert damage.content == b"1w {well played}\n"
    again.enter("e8")
    again.close()
    assert len(replayed(path).turns) == 2


def test_a_remark_after_the_end_leaves_the_record_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    game = begun_game("corridor/quoridor", path, HandClock())
    game.enter("e2")
    game.do(commands.Resign(0))
    game.do(commands.Remark("well played", 1))
    game.close()
    assert replayed(path).outcome == game.play.outcome
    again, damage = resume_from_file(path)
    assert damage is None
    assert again.play.outcome == game.play.outcome
    again.close()


def test_what_was_prepared_before_something_else_happened_does_not_count() -> None:
    journal = MemoryJournal()
    game = Game.begin(agreed("corridor"), journal, HandClock())
    stale = game.prepare(commands.Act(game.play.interpret("e2")))
    game.enter("e3h")
    stood = game.state
    with pytest.raises(IllegalError, match="meanwhile"):
        game.apply(stale)
    assert game.state is stood


def test_a_house_writes_between_preparing_and_applying() -> None:
    journal, written = MemoryJournal(), list[Entry]()
    game = Game.begin(agreed("corridor"), journal, HandClock())
    kept = list(journal.entries)
    prepared = game.prepare(commands.Act(game.play.interpret("e2")))
    written += prepared.entries
    assert not game.play.turns
    game.apply(prepared)
    assert journal.entries == kept
    assert told(rebuilt([*kept, *written])) == told(game.state)


def test_a_seat_takes_back_only_what_is_its_own(tmp_path: Path) -> None:
    game = Game.begin(agreed("tzaar", setup="placement"), MemoryJournal(), HandClock())
    game.enter("Za1")
    with pytest.raises(IllegalError, match="agree"):
        game.do(commands.TakeBack(seat=1))
    game.do(commands.TakeBack(seat=0))
    assert game.play.turns == []
    arimaa = Game.begin(agreed("arimaa"), MemoryJournal(), HandClock())
    arimaa.enter("Ra1")
    with pytest.raises(IllegalError, match="another player"):
        arimaa.do(commands.Undo(seat=1))
    arimaa.do(commands.Undo(seat=0))
    assert arimaa.play.open_actions == ()


def test_only_what_games_need_consent_for_can_be_asked_for() -> None:
    game = Game.begin(agreed("tzaar", setup="placement"), MemoryJournal(), HandClock())
    for what in ("Za1", "", "random", "fill and more"):
        with pytest.raises(TrineError):
            game.do(commands.Ask(0, what))
    game.do(commands.Ask(0, " Fill  7 "))
    assert [offer.what for offer in game.state.offers] == ["fill 7"]
    game.do(commands.Accept(1))
    assert not game.play.position.in_setup


def test_asking_for_more_than_the_other_is_another_offer(tmp_path: Path) -> None:
    game = begun_game("corridor/quoridor", tmp_path / "game.txt", HandClock())
    for line in ("e2", "e8", "e3"):
        game.enter(line)
    game.do(commands.Ask(0, "takeback", 1))
    game.do(commands.Ask(1, "takeback", 2))
    assert len(game.play.turns) == 3
    assert [(offer.seat, offer.turns) for offer in game.state.offers] == [(1, 2)]
    game.do(commands.Ask(0, "takeback", 2))
    assert len(game.play.turns) == 1
    game.close()


def test_the_house_ends_a_game_only_as_a_record_can_tell() -> None:
    game = Game.begin(agreed("corridor"), MemoryJournal(), HandClock())
    for outcome in (
        Outcome(0, Reason.GOAL),
        Outcome(3, Reason.FORFEIT),
        Outcome(None, Reason.SCORE),
    ):
        with pytest.raises(IllegalError):
            game.do(commands.End(outcome))
    game.do(commands.End(Outcome(1, Reason.FORFEIT)))
    assert game.play.outcome == Outcome(1, Reason.FORFEIT)


def test_a_forfeit_of_three_after_which_the_board_ends_the_game_is_told(tmp_path: Path) -> None:
    walls = "a1v,a2h,a3h,a3v,b1h,b1v,b2v,b3h,c1h,c1v,c2h,c2v,c4v"
    path, start = tmp_path / "game.txt", f"great-wall 4 3 b1,a3,d4 {walls} *,*,* 3"
    game = begin_in_file(agreed("corridor/great-wall", start), path, HandClock())
    game.do(commands.Forfeit(game.play.mover, "gone"))
    assert game.play.outcome == Outcome(None, Reason.TRAPPED)
    game.close()
    assert standing(replayed(path)) == standing(game.play)


def test_entries_that_are_no_beginning_are_refused() -> None:
    journal = MemoryJournal()
    game = Game.begin(agreed("corridor"), journal, HandClock())
    game.enter("e2")
    with pytest.raises(TrineError, match="begins with"):
        rebuilt(journal.entries[1:])
    with pytest.raises(TrineError, match="empty"):
        rebuilt([])
    with pytest.raises(TrineError, match="only once"):
        rebuilt([journal.entries[0], journal.entries[0]])
    wrong = replace(journal.entries[1], data={**journal.entries[1].data, "words": "e5"})
    with pytest.raises(TrineError):
        rebuilt([journal.entries[0], wrong])
