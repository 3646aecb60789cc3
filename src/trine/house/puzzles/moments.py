"""The puzzle moments of a house's games: turns that lost much, found by reviews on request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from trine.core.contract.choices import named_actions
from trine.core.contract.position import Action, Position
from trine.core.play import Play
from trine.engine.players.assessment import turns_of
from trine.engine.players.review import PositionValue, ReviewedTurn, ReviewProgress
from trine.engine.puzzles.judgement import JudgedTurn, Judgement, stake_of
from trine.engine.puzzles.puzzle import Puzzle, make_puzzle
from trine.house.analysis.reviews import COST, GameReview, Reviews, record_of_game
from trine.house.analysis.study_registry import StudyRegistry
from trine.house.games.live.games import Games
from trine.house.people.tables import Person
from trine.house.refusals import HouseError

MAX_MOMENTS: Final = 3


def times_of(found: GameReview, seat: int | None) -> list[Puzzle]:
    """Return the moments of a player, or of all players, the costliest first."""
    turns = [
        turn
        for turn in found.review.worst(len(found.review.turns))
        if found.judged[turn.index].better_turn and seat in (None, turn.player)
    ]
    return [puzzle for turn in turns if (puzzle := _moment(found, turn))][:MAX_MOMENTS]


def _moment(found: GameReview, turn: ReviewedTurn) -> Puzzle | None:
    room, before = found.review.play.room, turn.turn.before
    start = room.rules.parse_position(room.rules.format_position(before), before.rules.name)
    play = Play(room, start)
    assert turn.better
    ids = found.judged[turn.index].better_turn
    line = turn.better.line if len(turn.better.line) >= len(ids) else ids
    better = _judged(play, _actions(start, line), turn.before)
    played = _judged(play, turn.turn.actions, turn.after)
    if better is None or played is None or better.after == played.after:
        return None
    judgement = Judgement(start, (better,), played)
    themes = [stake_of(judgement), *found.judged[turn.index].themes]
    return make_puzzle(play, judgement, 0, themes, "")


def _actions(start: Position, ids: Iterable[Action]) -> list[Action]:
    return [action for _, action in named_actions(start, map(str, ids))]


def _judged(play: Play, actions: Sequence[Action], worth: PositionValue) -> JudgedTurn | None:
    """Return the first turn of a line, with its value; None if the line ends within that turn."""
    ahead = play.copy()
    for action in actions:
        if ahead.turns:
            break
        ahead.act_unchecked(action)
    if not ahead.turns:
        return None
    own = worth.chances[play.mover]
    line = tuple(turn for _, turn in turns_of(play.position, actions))
    return JudgedTurn(line[0], ahead.position, own, line)


@dataclass(frozen=True)
class Found:
    """The moments of a game; none while the game is being reviewed."""

    puzzles: Sequence[Puzzle]
    ready: bool
    """Whether the game is reviewed."""
    progress: ReviewProgress | None = None


@dataclass(frozen=True)
class Moments:
    """The moments of the games of a house."""

    games: Games
    studies: StudyRegistry
    reviews: Reviews

    async def seats_of(self, game_id: str, person: Person | None) -> frozenset[int]:
        """Return the seats of a person in a game."""
        snapshot = (await self.games.actor(game_id)).snapshot
        return snapshot.seats_of(person.id if person else None)

    async def of(
        self, game_id: str, person: Person | None, charge: Callable[[float], None]
    ) -> Found:
        """Return the moments of a person's seat in a game, or of all seats for other viewers.

        ``charge`` is called with the cost of a review, if one has to be begun.

        Raises:
            HouseError: the game is not over.
        """
        actor = await self.games.actor(game_id)
        snapshot = actor.snapshot
        if not (snapshot.state and snapshot.over):
            raise HouseError("a game can be reviewed when it is over")
        study = await self.studies.of_game(game_id, record_of_game(actor))
        record = study.main_record  # the review page uses this key too: both share one review
        if known := self.reviews.known(record):
            own = snapshot.seats_of(person.id if person else None)
            seat = min(own) if len(own) == 1 else None
            key = f"moments {seat}"
            if key not in snapshot.made:
                snapshot.made[key] = times_of(known, seat)
            return Found(snapshot.made[key], ready=True)
        if not self.reviews.runs(record):
            charge(COST)
        return Found((), ready=False, progress=self.reviews.ask(record, game_id))
