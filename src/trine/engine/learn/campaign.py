"""The plan of training nets generation by generation, and the folder of its results.

    plan.json            the plan; written once
    champion.npz         the initial champion, if one was given
    lock                 locked by a working process
    labels-000.npz       positions of records
    gen-001/
        games-00000.npz  the quiet positions of a job of self-play
        games.json       a summary of all jobs
        net.npz          the trained net, with its model card
        training.json    the losses of its training
        gate-1-0000.json the results of a job of the gate's first stage
        gate.json        the verdict

Each file depends only on the plan and on earlier files, and is written atomically: so the folder
shows the progress, and is all that resuming needs.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, Self

from trine.core.errors import FileError, TrineError
from trine.core.work.files import UNFINISHED, file_error, lock
from trine.engine.learn.dataset import Dataset, read_json, write_json
from trine.engine.learn.games import LAMBDA
from trine.engine.learn.jobs import GameJobs
from trine.engine.learn.network.training import TrainingSettings
from trine.engine.search.nets import NetFile, read_net
from trine.engine.selfplay.selfplay_plan import SelfPlayPlan
from trine.games import open_heuristics

PLAN: Final = "plan"
LOCK: Final = "lock"  # the file that a working process locks
CHAMPION: Final = "champion.npz"
GATE_SEED_STEP: Final = 1 << 20
"""The distance between the seeds of the gate's stages, also between the gate's and self-play's."""


PLAN_NAMES: Final = {"td_lambda": "decay", "learning_rate": "rate", "warm_start": "onward"}
"""The names in ``plan.json`` of those fields of `Campaign` that have another name there."""


@dataclass(frozen=True)
class Campaign:
    """A plan of training nets."""

    game: str
    rules: str
    options: tuple[tuple[str, str], ...] = ()
    generations: int = 3
    games: int = 10_000
    nodes: int = 500  # nodes for each turn of the self-play games; the gate searches deeper
    td_lambda: float = LAMBDA
    """The λ of TD(λ): the weight of each later turn against the one before."""
    window: int = 3
    """Units: generations; a net is trained on the games of this many generations, up to its own."""
    epochs: int = 8
    learning_rate: float = 0.002
    warm_start: bool = False
    """Whether training starts from the champion, if any, not from random weights."""
    teachers: int = 0  # size of the ensemble that a generation's net is distilled from
    gate_nodes: tuple[int, int] = (1_000, 4_000)
    """The nodes of a turn in the gate's first two stages; the third gives both nets equal time."""
    gate_games: int = 1_000  # maximum number of games of a stage of the gate
    elo: tuple[float, float] = (0.0, 20.0)  # the hypotheses of the sequential test of each stage
    terms: bool = True  # whether the net adds to the game's terms; else all terms have weight 0
    job: int = 100  # number of games in a job of self-play
    seed: int = 0
    label_files: int = 0  # number of files with positions from records
    players: tuple[tuple[str, int], ...] = ()
    """The players of the recorded games in the label files, and their numbers of games."""
    output_scale: float = 1.0  # the factor of a net's output after training
    beginnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.selfplay(1)  # raises an error for more than two players
        if not (self.games or self.label_files):
            raise TrineError("there is nothing to learn from: no games and no records")
        if open_heuristics(self.game).net is None:
            raise TrineError("{game} has no inputs for nets", game=self.game)

    def selfplay(self, generation: int) -> SelfPlayPlan:
        seed = self.seed + generation - 1
        return SelfPlayPlan(self.game, self.rules, self.options, self.nodes, seed, self.beginnings)

    def trials(self, generation: int, stage: int) -> SelfPlayPlan:
        """Return the plan of the starts of games in a stage of a generation's gate."""
        seed = self.seed + generation - 1 + stage * GATE_SEED_STEP
        return SelfPlayPlan(self.game, self.rules, self.options, self.gate_nodes[0], seed)

    @property
    def jobs(self) -> int:
        return -(-self.games // self.job)

    @property
    def training(self) -> TrainingSettings:
        return TrainingSettings(
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            teachers=self.teachers,
            seed=self.seed,
            output_scale=self.output_scale,
        )

    def as_data(self) -> dict[str, Any]:
        data = {PLAN_NAMES.get(name, name): value for name, value in asdict(self).items()}
        lists = ("gate_nodes", "elo")
        pairs = {"options": dict(self.options), "players": dict(self.players)}
        return {**data, **pairs, **{one: list(data[one]) for one in lists}}

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Self:
        """Return the campaign that JSON data describes, such as `Folder.plan`."""
        names = {field.name: PLAN_NAMES.get(field.name, field.name) for field in fields(cls)}
        known = {name: data[key] for name, key in names.items() if key in data}
        known["options"] = tuple(data["options"].items())
        known["players"] = tuple(data.get("players", {}).items())
        for one in ("gate_nodes", "elo", "beginnings"):
            if one in known:  # older plans lack later fields
                known[one] = tuple(known[one])
        return cls(**known)


class Folder:
    """A folder of JSON files, ``NAME.json``, and of the results of jobs."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def data(self, name: str) -> Any:
        """Return the data of a file, by its name; None if it is missing."""
        return read_json(self.path / f"{name}.json")

    def write(self, name: str, data: Any) -> None:
        write_json(self.path / f"{name}.json", data)

    @property
    def plan(self) -> Any:
        return self.data(PLAN)

    @property
    def is_begun(self) -> bool:
        return (self.path / f"{PLAN}.json").exists()

    def make(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(self.path, error) from None

    @property
    def is_worked_on(self) -> bool:
        try:
            with self.locked():
                return False
        except FileError:
            return True

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Lock the folder within the block; raises `FileError` if another process has locked it."""
        with (self.path / LOCK).open("a") as stream:
            if not lock(stream):
                raise FileError("another process is learning in {folder}", folder=str(self.path))
            yield

    def clean(self) -> None:
        """Remove unfinished files of killed processes."""
        for left in self.path.rglob(f"*{UNFINISHED}"):
            if f".{os.getpid()}." not in left.name:
                left.unlink(missing_ok=True)


class Generation(Folder):
    """The folder of one generation."""

    def __init__(self, path: Path, number: int) -> None:
        super().__init__(path)
        self.number = number
        self.games = GameJobs(path)

    def gate_file(self, stage: int, job: int) -> Path:
        return self.path / f"gate-{stage}-{job:04}.json"

    @property
    def net_file(self) -> Path:
        return self.path / "net.npz"


class CampaignFolder(Folder):
    """The folder of a campaign."""

    def __init__(self, path: Path) -> None:
        """Open the folder of an existing campaign; raises `FileError`."""
        super().__init__(path)
        try:
            self.campaign = Campaign.of_data(self.plan)
        except (TypeError, KeyError, AttributeError):
            raise FileError("no learning was begun in {folder}", folder=str(path)) from None

    @classmethod
    def begin(
        cls,
        path: Path,
        campaign: Campaign,
        records: Sequence[Dataset] = (),
        champion: NetFile | None = None,
    ) -> Self:
        """Make the folder of a campaign, with its positions of records and its first champion.

        The ``champion`` plays the first games and has to be beaten; None: the terms without a net.

        Raises:
            FileError: the folder cannot be made, or contains a campaign.
        """
        folder = Folder(path)
        folder.make()
        check_new(path)
        for number, data in enumerate(records):
            data.write(path / f"labels-{number:03}.npz")
        if champion is not None:
            champion.write(path / CHAMPION)
        folder.write(PLAN, {**campaign.as_data(), "label_files": len(records)})
        return cls(path)

    def records(self) -> Iterator[Dataset]:
        """Yield the positions of records, file by file; raises `FileError`."""
        for number in range(self.campaign.label_files):
            file = self.path / f"labels-{number:03}.npz"
            data = Dataset.read(file)
            if data is None:
                raise FileError("{file} is missing or damaged", file=str(file))
            yield data

    def generation(self, number: int) -> Generation:
        """Return a generation, counted from 1, and make its folder."""
        generation = Generation(self.path / f"gen-{number:03}", number)
        generation.make()
        return generation

    def begun(self) -> list[Generation]:
        numbers = range(1, self.campaign.generations + 1)
        every = [Generation(self.path / f"gen-{number:03}", number) for number in numbers]
        return [generation for generation in every if generation.path.is_dir()]

    def champion(self, before: int) -> NetFile | None:
        """Return the last net promoted before a generation, else the given champion, if any."""
        for number in range(before - 1, 0, -1):
            generation = self.generation(number)
            verdict = generation.data("gate")
            if verdict and verdict["promoted"]:
                return read_net(generation.net_file)
        given = self.path / CHAMPION
        return read_net(given) if given.exists() else None


def check_new(path: Path) -> None:
    if Folder(path).is_begun:
        raise FileError(
            "learning was begun in {folder}; resume it, or name another", folder=str(path)
        )
