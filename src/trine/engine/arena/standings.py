"""The standings of a match: its results so far, and the verdict of a test.

Parallel games do not end in the order of the schedule: short ones end first. So the test takes
groups of games in the order of the schedule, each only after all earlier ones are finished: the
verdict does not depend on the number of workers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trine.core.contract.position import Reason, Seat
from trine.core.contract.record import Record
from trine.engine.arena.elo import Sprt, Tally, Verdict
from trine.engine.arena.schedule import Fixture
from trine.play.record.replay import stated_outcome
from trine.play.tournament.tournament import Pairing, Participant, Plan, Tournament


@dataclass
class Standings:
    """The results of a match so far."""

    fixtures: Sequence[Fixture]
    seats: Sequence[Seat]
    test: Sprt | None = None  # the test that ends a match of two players
    points: dict[int, tuple[float, ...]] = field(default_factory=dict)
    """The scores of the seats, by the number of the game."""
    reasons: dict[int, str] = field(default_factory=dict)
    """The reasons of the results, by the number of the game."""
    verdict: Verdict | None = None
    last_group: int | None = None
    """The group that decided the test; games of later groups do not count."""
    tested: Tally = field(default_factory=Tally)
    """The results of the pairs of games that the test has counted."""
    _groups_tested: int = 0

    def __post_init__(self) -> None:
        self.groups: dict[int, list[Fixture]] = {}
        for fixture in self.fixtures:
            self.groups.setdefault(fixture.group, []).append(fixture)
        assert not self.test or {len(group) for group in self.groups.values()} == {2}

    def load(self, records: Mapping[int, Record]) -> None:
        for fixture in self.fixtures:
            if fixture.number in records:
                self.add(fixture.number, records[fixture.number])

    def add(self, number: int, record: Record) -> None:
        outcome = stated_outcome(self.seats, record)
        self.points[number] = outcome.points(len(self.seats))
        self.reasons[number] = str(outcome.reason)
        while self.test and not self.verdict and self._whole(self._groups_tested):
            first, second = self.groups[self._groups_tested]
            self.tested = self.tested.after_pair(*self._half_points(first, second))
            self.verdict = self.test.verdict(self.tested)
            self.last_group = self._groups_tested if self.verdict else None
            self._groups_tested += 1

    def missing(self) -> list[Fixture]:
        if self.verdict:
            return []
        return [fixture for fixture in self.fixtures if fixture.number not in self.points]

    def counted(self) -> list[list[Fixture]]:
        """Return the finished groups, up to the one that decided the test."""
        return [
            group
            for number, group in self.groups.items()
            if self._whole(number) and (self.last_group is None or number <= self.last_group)
        ]

    def tally(self, player: int, other: int | None = None) -> Tally:
        """Return the pairs of a player against another, or against all others."""
        tally = Tally()
        for group in self.counted():
            lineup = group[0].lineup
            if len(lineup) == 2 and player in lineup and other in (None, *lineup):
                first, second = group if lineup[0] == player else reversed(group)
                tally = tally.after_pair(*self._half_points(first, second))
        return tally

    def score(self, player: int) -> tuple[float, int]:
        results = [
            self.points[fixture.number][fixture.lineup.index(player)]
            for group in self.counted()
            for fixture in group
            if player in fixture.lineup
        ]
        return sum(results), len(results)

    def lost_by(self, player: int, reason: Reason) -> int:
        """Return the number of two-player games that a player has lost for a reason."""
        return sum(
            fixture.number in self.points
            and len(fixture.lineup) == 2
            and player in fixture.lineup
            and self.reasons[fixture.number] == reason
            and not self.points[fixture.number][fixture.lineup.index(player)]
            for fixture in self.fixtures
        )

    def _whole(self, group: int) -> bool:
        return group in self.groups and all(
            fixture.number in self.points for fixture in self.groups[group]
        )

    def _half_points(self, first: Fixture, second: Fixture) -> tuple[int, int]:
        """Return the half points in both games of a pair, for the first player of ``first``."""
        return round(2 * self.points[first.number][0]), round(2 * self.points[second.number][1])


def challenge_of(plan: Plan, names: Sequence[str], standings: Standings) -> Tournament:
    people = tuple(Participant(number, name) for number, name in enumerate(names, 1))
    pairings = tuple(
        Pairing(
            (fixture.number - 1) // (len(names) - 1) + 1,
            tuple(player + 1 for player in fixture.lineup),
            standings.points[fixture.number],
        )
        for fixture in standings.fixtures
        if fixture.number in standings.points
    )
    return Tournament(plan, people, pairings)
