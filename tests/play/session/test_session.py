"""A running game in every rule set: its journal, its record and its state say the same."""

import json
import os
import random
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from conformance.test_rooms import OTHER_STARTS, RULE_SETS
from play.session.games import begun_game, told
from playing import HandClock, agreed, plain_screen, replayed, standing, swift_disk
from trine.cli.terminal.dialogue import Dialogue
from trine.core.errors import IllegalError, TrineError
from trine.play.session import commands
from trine.play.session.changes import apply_entry, first_state, rebuild
from trine.play.session.file_journal import FileJournal, begin_in_file, resume_from_file
from trine.play.session.game import Game
from trine.play.session.state import Entry, Kind, MemoryJournal, State


def random_command(game: Game[FileJournal], rng: random.Random) -> commands.Command:
    """Anything that somebody could want now, allowed or not."""
    state, play = game.state, game.play
    seat = rng.choice(play.position.playing)
    what = rng.choice(["draw", "takeback", "pause", *sorted(play.room.rules.words_by_consent)])
    dice = rng.random()
    if state.paused is not None:
        return commands.Resume()
    if dice < 0.55:
        return commands.Act(play.check([rng.choice(play.legal_actions())]))
    others: list[commands.Command] = [
        commands.Undo(),
        commands.Ask(seat, what, rng.choice([1, 1, 2])),
        commands.Accept(seat),
        commands.Decline(seat, rng.choice(["", what])),
        commands.TakeBack(agreed=rng.random() < 0.5),
        commands.Remark("Gold accepts draw"),
        commands.Pause(),
        commands.Resume(rng.choice([0.0, 2.5])),
        commands.Flag(),
    ]
    if rng.random() < 0.03:
        others += [commands.Resign(seat), commands.Forfeit(seat, "gone"), commands.AgreeDraw()]
    return rng.choice(others)


def read_back(entry: Entry) -> Entry:
    data = json.loads(json.dumps(asdict(entry)))
    return Entry(Kind(data["kind"]), data["seat"], data["at"], data["data"])


def play_at_random(
    game: Game[FileJournal], now: HandClock, rng: random.Random, doings: int
) -> tuple[list[Entry], list[State]]:
    happened: list[Entry] = []
    states: list[State] = []
    append = game.journal.append

    def noting(entries: Sequence[Entry]) -> None:
        append(entries)
        state = game.state
        for entry in entries:
            state = apply_entry(state, entry)
            happened.append(entry)
            states.append(state)

    game.journal.append = noting  # type: ignore[method-assign]
    for _ in range(doings):
        now.wait(rng.choice((0.0, 0.04, 1.75, 9.96)))
        if game.over:
            break
        before = game.state
        if not game.check_time():
            try:
                game.do(random_command(game, rng))
            except IllegalError:
                assert game.state is before
                continue
        if states:
            assert told(states[-1]) == told(game.state)
    return happened, states


def first_entry(game: Game[FileJournal]) -> Entry:
    """The entry with which the journal of a game that has just begun begins."""
    journal = MemoryJournal()
    Game.begin(game.terms, journal, lambda: game.state.at)
    return journal.entries[0]


@pytest.mark.parametrize("game", RULE_SETS + OTHER_STARTS)
@pytest.mark.parametrize("seed", range(2))
def test_journal_record_and_state_say_the_same(
    game: str, seed: int, path: Path, now: HandClock
) -> None:
    with swift_disk():
        played = begun_game(game, path, now)
        first = first_entry(played)
        rng = random.Random(f"{game} {seed}")
        entries, states = play_at_random(played, now, rng, 90)
        # As JSON has them, entry by entry, cut off behind each.
        rebuilt_state = first_state(read_back(first))
        for entry, state in zip(entries, states, strict=True):
            rebuilt_state = apply_entry(rebuilt_state, read_back(entry))
            assert told(rebuilt_state) == told(state)
        assert told(rebuild([first, *entries])) == told(played.state)
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

        def cutting(entries: Sequence[Entry]) -> None:
            append(entries)
            state = played.state
            for entry in entries:
                state = apply_entry(state, entry)
            cuts.append((path.read_bytes(), state, played.journal.log.last_heartbeat))

        played.journal.append = cutting  # type: ignore[method-assign]
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


def test_a_late_or_a_stale_turn_is_refused(tmp_path: Path, now: HandClock) -> None:
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


def test_preparing_changes_nothing(path: Path) -> None:
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
    assert told(rebuild([*kept, *written])) == told(game.state)


def test_entries_that_are_no_beginning_are_refused() -> None:
    journal = MemoryJournal()
    game = Game.begin(agreed("corridor"), journal, HandClock())
    game.enter("e2")
    with pytest.raises(TrineError, match="begins with"):
        rebuild(journal.entries[1:])
    with pytest.raises(TrineError, match="empty"):
        rebuild([])
    with pytest.raises(TrineError, match="only once"):
        rebuild([journal.entries[0], journal.entries[0]])
    wrong = replace(journal.entries[1], data={**journal.entries[1].data, "words": "e5"})
    with pytest.raises(TrineError):
        rebuild([journal.entries[0], wrong])
