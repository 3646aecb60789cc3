"""The plan of learning nets generation after generation, and the folder that it lives in.

The folder is the protocol: whoever reads it knows how far the work is, and whoever continues it
needs nothing else.

    plan.json            the plan; written once
    stop                 asks whoever works here to leave; removed when the work goes on
    lock                 locked by whoever works here
    labels-000.npz       positions with scores from elsewhere, as they were given
    records-000-NAME     records of strong players, as they were given
    turns-00000.npz      turns of theirs, each among others
    turns.json           what all of them came to
    gen-001/
        games-00000.npz  the games of a job of self-play
        games.json       what all of them came to
        labels-00000.npz the labels of a job, out of trees of searches
        labels.json      what all of them came to
        net.npz          the net that learned from them, with its card
        training.json    how it learned
        gate-1-0000.json the results of a job of the gate's first stage
        gate.json        the verdict

Every file is whole or not there, and depends only on the plan and on the files before it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import portalocker

from trine.core.errors import FileError, TrineError
from trine.core.record import Record
from trine.core.text import text
from trine.games import open_heuristics
from trine.learn.game_files import GameBatch, read_games
from trine.learn.labels import LabelBatch, read_labels
from trine.learn.selfplay import Plan
from trine.learn.training import Settings
from trine.learn.trees import GAMES, LABELS
from trine.learn.whole_files import read_json, write_json, write_whole
from trine.record.files import file_error, open_to_read
from trine.record.formats import read_file
from trine.search.nets import NetFile, read_net

PLAN: Final = "plan.json"
TURNS: Final = "turns.json"
STOP: Final = "stop"
LOCK: Final = "lock"
TRIALS: Final = 1 << 20
"""The seeds of the stages of a gate are this far apart from each other, and from self-play's."""


@dataclass(frozen=True)
class Campaign:
    """A plan of learning nets."""

    game: str
    rules: str
    options: tuple[tuple[str, str], ...] = ()
    """The start options that were given."""
    generations: int = 3
    games: int = 10_000
    """The games of self-play of a generation."""
    nodes: int = 2_000
    """Units: nodes, of each action; deeper searches than this judge the net."""
    window: int = 3
    """Units: generations; a net learns from the games of so many, its own the last."""
    strays: float = 0.0
    """The share of actions of self-play in whose place one is played that looks good at once."""
    share: float = 0.25
    """The share of results in what is learned; the rest are scores of searches."""
    epochs: int = 8
    teachers: int = 0
    """The nets that learn before a generation's own, which learns from the mean of what they say.
    """
    gate_nodes: tuple[int, int] = (1_000, 4_000)
    """The nodes of a turn in the gate's stages; the third has the second's time."""
    gate_games: int = 1_000
    """The most games of a stage of the gate."""
    elo: tuple[float, float] = (0.0, 20.0)
    """The margins of the sequential test of each stage."""
    terms: bool = True
    """Whether the net stands beside the room's terms; else beside terms that all weigh nothing."""
    job: int = 100
    """Units: games; of a job of self-play."""
    seed: int = 0
    tree_labels: int = 0
    """The labels of a generation, at most: positions out of the trees of searches."""
    label_files: int = 0
    """The number of files with positions and scores from elsewhere."""
    record_files: int = 0
    """The number of files with records of strong players."""
    turns_by: tuple[str, ...] = ()
    """The players whose turns are imitated; none stands for all."""
    imitation: float = 0.03
    """The weight of the loss of these turns against that of positions."""
    loudness: float = 1.0
    """The share of what it has learned that a net says."""

    def __post_init__(self) -> None:
        self.selfplay(1)  # raises an error if it is for more players than two
        if not (self.games or self.tree_labels or self.label_files):
            raise TrineError(text("there is nothing to learn from: no games and no labels"))
        if open_heuristics(self.game).net is None:
            raise TrineError(text("{game} has no inputs for nets", game=self.game))

    def selfplay(self, generation: int) -> Plan:
        """Return the plan of the games of a generation."""
        seed = self.seed + generation - 1
        return Plan(self.game, self.rules, self.options, self.nodes, seed, strays=self.strays)

    def trials(self, generation: int, stage: int) -> Plan:
        """Return the plan of the beginnings of a stage of a generation's gate."""
        seed = self.seed + generation - 1 + stage * TRIALS
        return Plan(self.game, self.rules, self.options, self.gate_nodes[0], seed)

    @property
    def jobs(self) -> int:
        """The number of jobs of self-play of a generation."""
        return -(-self.games // self.job)

    @property
    def label_jobs(self) -> int:
        """The number of jobs of labels out of trees of a generation."""
        return -(-self.tree_labels // (LABELS * GAMES))

    @property
    def training(self) -> Settings:
        """The way in which nets learn."""
        return Settings(
            epochs=self.epochs,
            share=self.share,
            teachers=self.teachers,
            seed=self.seed,
            imitation=self.imitation,
            loudness=self.loudness,
        )

    def as_data(self) -> dict[str, Any]:
        """Return the plan as JSON knows it."""
        data = asdict(self)
        lists = ("gate_nodes", "elo", "turns_by")
        return {**data, "options": dict(self.options), **{one: list(data[one]) for one in lists}}

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> Campaign:
        """Return the plan of JSON."""
        known = {field.name: data[field.name] for field in fields(cls) if field.name in data}
        known["options"] = tuple(data["options"].items())
        for one in ("gate_nodes", "elo", "turns_by"):
            if one in known:  # a plan of before may lack what has come since
                known[one] = tuple(known[one])
        return cls(**known)


def _copy(source: Path, target: Path) -> None:
    """Copy a file of records.

    Raises:
        TrineError: it cannot be read, or is no file of records.
    """
    next(read_file(source)[1], None)
    with open_to_read(source) as stream:
        words = stream.read()
    write_whole(target, lambda stream: stream.write(words))


@dataclass(frozen=True)
class Generation:
    """The files of one generation."""

    folder: Path
    number: int

    def games_file(self, job: int) -> Path:
        """The file of the games of a job."""
        return self.folder / f"games-{job:05}.npz"

    def labels_file(self, job: int) -> Path:
        """The file of the labels of a job."""
        return self.folder / f"labels-{job:05}.npz"

    def gate_file(self, stage: int, job: int) -> Path:
        """The file of the results of a job of a stage of the gate."""
        return self.folder / f"gate-{stage}-{job:04}.json"

    def has_games(self, job: int) -> bool:
        """Return whether the games of a job are there and whole."""
        return self.games_file(job).exists() and read_games(self.games_file(job)) is not None

    def batches(self, jobs: int) -> Iterator[GameBatch]:
        """Yield the games of all jobs."""
        for job in range(jobs):
            batch = read_games(self.games_file(job))
            if batch is not None:
                yield batch

    def labels(self, jobs: int) -> Iterator[LabelBatch]:
        """Yield the labels of all jobs."""
        for job in range(jobs):
            batch = read_labels(self.labels_file(job))
            if batch is not None and len(batch):
                yield batch

    @property
    def net_file(self) -> Path:
        """The file of the net."""
        return self.folder / "net.npz"

    def data(self, name: str) -> Any:
        """Return what a step has come to, by its name; None while it is not there."""
        return read_json(self.folder / f"{name}.json")

    def write(self, name: str, data: Any) -> None:
        """Write what a step has come to: games, labels, training, speed, gate."""
        write_json(self.folder / f"{name}.json", data)


class CampaignFolder:
    """The folder of a campaign."""

    def __init__(self, path: Path) -> None:
        """Open the folder of a campaign that was begun.

        Raises:
            FileError: there is none.
        """
        data = read_json(path / PLAN)
        try:
            self.campaign = Campaign.of_data(data)
        except (TypeError, KeyError, AttributeError):
            raise FileError(text("no learning was begun in {folder}", folder=str(path))) from None
        self.path = path

    @classmethod
    def begin(
        cls,
        path: Path,
        campaign: Campaign,
        labels: Sequence[LabelBatch] = (),
        records: Sequence[Path] = (),
    ) -> CampaignFolder:
        """Make the folder of a campaign, with all that it was given from elsewhere.

        Raises:
            FileError: it cannot be made, or another one was begun there.
        """
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(path, error) from None
        cls.check_new(path)
        for number, batch in enumerate(labels):
            batch.write(path / f"labels-{number:03}.npz")
        for number, record in enumerate(records):
            _copy(record, path / f"records-{number:03}-{record.name}")
        given = {"label_files": len(labels), "record_files": len(records)}
        write_json(path / PLAN, {**campaign.as_data(), **given})
        return cls(path)

    @classmethod
    def check_new(cls, path: Path) -> None:
        """Raise an error if a campaign was begun in a folder.

        Raises:
            FileError: one was.
        """
        if (path / PLAN).exists():
            raise FileError(
                text("learning was begun in {folder}; resume it, or name another", folder=str(path))
            )

    def labels(self) -> Iterator[LabelBatch]:
        """Yield the positions with scores from elsewhere, file by file.

        Raises:
            FileError: a file is missing or was damaged.
        """
        for number in range(self.campaign.label_files):
            file = self.path / f"labels-{number:03}.npz"
            batch = read_labels(file)
            if batch is None:
                raise FileError(text("{file} is missing or damaged", file=str(file)))
            yield batch

    def records(self) -> list[Record]:
        """Return the records of strong players.

        Raises:
            TrineError: a file cannot be read.
        """
        files = sorted(self.path.glob("records-*-*"))
        return [record for file in files for record in read_file(file)[1]]

    def turns_file(self, job: int) -> Path:
        """The file of the turns of a job."""
        return self.path / f"turns-{job:05}.npz"

    @property
    def turns(self) -> Any:
        """What the turns of strong players came to; None while they are not there."""
        return read_json(self.path / TURNS)

    def write_turns(self, data: Any) -> None:
        """Write what the turns of strong players came to."""
        write_json(self.path / TURNS, data)

    def generation(self, number: int) -> Generation:
        """Return a generation, counted from 1; its folder is made."""
        folder = self.path / f"gen-{number:03}"
        folder.mkdir(exist_ok=True)
        return Generation(folder, number)

    def begun(self) -> list[Generation]:
        """Return the generations that were begun."""
        numbers = range(1, self.campaign.generations + 1)
        folders = ((number, self.path / f"gen-{number:03}") for number in numbers)
        return [Generation(folder, number) for number, folder in folders if folder.is_dir()]

    def champion(self, before: int) -> NetFile | None:
        """Return the last net promoted before a generation; None while there is none."""
        for number in range(before - 1, 0, -1):
            generation = self.generation(number)
            verdict = generation.data("gate")
            if verdict and verdict["promoted"]:
                return read_net(generation.net_file)
        return None

    @property
    def stopping(self) -> bool:
        """Whether whoever works here is asked to leave."""
        return (self.path / STOP).exists()

    def ask_to_stop(self) -> None:
        """Ask whoever works here to leave."""
        (self.path / STOP).touch()

    @property
    def is_worked_on(self) -> bool:
        """Whether a process works here."""
        try:
            with self.locked():
                return False
        except FileError:
            return True

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from working here within the block.

        Raises:
            FileError: another process does.
        """
        flags = portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
        with (self.path / LOCK).open("a") as stream:
            try:
                portalocker.lock(stream, flags)
            except portalocker.LockException:
                told = text("another process is learning in {folder}", folder=str(self.path))
                raise FileError(told) from None
            yield

    def clean(self) -> None:
        """Remove what processes that were killed have left, and the wish to stop."""
        (self.path / STOP).unlink(missing_ok=True)
        for left in (*self.path.glob("*.part"), *self.path.glob("gen-*/*.part")):
            if f".{os.getpid()}." not in left.name:
                left.unlink(missing_ok=True)
