"""Training nets generation by generation: self-play, training, the gate, promotion.

Each result is on disk before it is used, so a killed process loses at most the running jobs.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain, count
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trine.core.work.workers import Backend
from trine.engine.arena.elo import EloEstimate, Sprt, Tally
from trine.engine.learn.campaign import Campaign, CampaignFolder, Generation
from trine.engine.learn.dataset import Dataset, read_json, write_json
from trine.engine.learn.games import (
    EvalConfig,
    Pair,
    games_with_returns,
    play_pairs,
    speed_ratio,
    without_terms,
)
from trine.engine.learn.jobs import numbers_of, share
from trine.engine.learn.network.examples import Examples, examples_of
from trine.engine.learn.network.training import train
from trine.engine.search.nets import NetFile, read_net
from trine.games import open_heuristics

PAIRS_PER_JOB: Final = 10  # pairs of games in a job of the gate. Guess

CARD_KEYS: Final = ("positions", "held_out", "before", "after")
"""The keys about training in a net's model card."""


class GenerationStep(NamedTuple):
    """The progress of a generation."""

    generation: int
    kind: str  # ``games``, ``training`` or ``gate``
    done: int
    total: int  # games, epochs, or the maximum of games


@dataclass(frozen=True)
class Pipeline:
    """Runs a campaign."""

    folder: CampaignFolder
    backend: Backend
    on_progress: Callable[[GenerationStep], object] = lambda step: None

    def run(self) -> None:
        """Work until all generations are done; raises `FileError` if another process does, too."""
        with self.folder.locked():
            self.folder.clean()
            for number in range(1, self.folder.campaign.generations + 1):
                generation = self.folder.generation(number)
                if generation.data("gate") is None:
                    self._play(generation)
                    self._train(generation)
                    self._judge(generation)

    def _play(self, generation: Generation) -> None:
        campaign, number = self.folder.campaign, generation.number
        if not campaign.games or generation.data("games") is not None:
            return
        side = EvalConfig(self.folder.champion(number), campaign.terms)
        plan, td_lambda = campaign.selfplay(number), _lambda_of(campaign, side.net)
        jobs, size = campaign.jobs, campaign.job
        missing = generation.games.missing(jobs)

        def job_of(job: int) -> Callable[[], tuple[int, Dataset]]:
            numbers = numbers_of(job, size, campaign.games)
            return partial(games_with_returns, plan, side, td_lambda, job, numbers)

        done = jobs - len(missing)
        self._tell(generation, "games", done * size, campaign.games)
        with closing(generation.games.do(missing, job_of, self.backend)) as kept:
            for number, _ in enumerate(kept, done + 1):
                self._tell(generation, "games", number * size, campaign.games)
        parts = list(generation.games.results(jobs))
        summed_up = {
            "games": sum(part.games_seen for part in parts),
            "positions": sum(map(len, parts)),
            "seconds": round(sum(part.seconds for part in parts), 1),
            "bytes": generation.games.bytes(jobs),
        }
        generation.write("games", summed_up)

    def _train(self, generation: Generation) -> None:
        if generation.net_file.exists() and generation.data("training") is not None:
            return
        campaign, number = self.folder.campaign, generation.number
        window = range(max(1, number - campaign.window + 1), number + 1)
        first = self.folder.champion(number) if campaign.warm_start else None
        epochs, done = campaign.epochs * (campaign.teachers + 1), count(1)
        self._tell(generation, "training", 0, epochs)
        trained = train(
            campaign.game,
            self._examples(window),
            campaign.training,
            lambda epoch: self._tell(generation, "training", next(done), epochs),
            first,
        )
        generation.write("training", trained.as_data())
        self._with_card(generation, trained.net, trained.as_data()).write(generation.net_file)

    @property
    def _weights(self) -> NDArray[np.float32] | None:
        """The weights of the evaluation: 0 if the plan uses no terms; None: the game's default."""
        campaign = self.folder.campaign
        return None if campaign.terms else without_terms(campaign.game)

    def _examples(self, window: range) -> Examples:
        campaign = self.folder.campaign
        every = [self.folder.generation(number) for number in window]
        games = (part for one in every for part in one.games.results(campaign.jobs))
        return examples_of(campaign.game, chain(games, self.folder.records()), self._weights)

    def _with_card(self, generation: Generation, net: NetFile, training: Any) -> NetFile:
        campaign = self.folder.campaign
        inputs, before = open_heuristics(campaign.game).net, self.folder.champion(generation.number)
        assert inputs is not None
        card = {
            "game": campaign.game,
            "rules": campaign.rules,
            "inputs": inputs.name,
            "generation": generation.number,
            "date": datetime.now(UTC).date().isoformat(),
            "data": {
                "games": generation.data("games"),
                "files": campaign.label_files,
                "players": dict(campaign.players),
                "window": campaign.window,
                "nodes": campaign.nodes,
                "decay": _lambda_of(campaign, before),
                "seed": campaign.seed,
                "onward": campaign.warm_start,
                "played_by": before.hash if before else "the terms alone",
            },
            "training": {key: training[key] for key in CARD_KEYS},
        }
        return replace(net, card=card)

    def _judge(self, generation: Generation) -> None:
        """Play the stages of the gate in order, until one fails."""
        campaign, number = self.folder.campaign, generation.number
        net = read_net(generation.net_file)
        sides = (
            EvalConfig(net, campaign.terms),
            EvalConfig(self.folder.champion(number), campaign.terms),
        )
        stages: list[dict[str, Any]] = []
        few, many = campaign.gate_nodes
        for stage in (1, 2, 3):
            nodes = (few, few) if stage == 1 else (many, many)
            if stage == 3:
                nodes = (round(many * self._ratio(generation, sides)), many)
            found = self._hold(generation, stage, sides, nodes)
            stages.append({"stage": stage, "nodes": list(nodes), **found})
            if found["verdict"] != "H1":
                break
        promoted = len(stages) == 3 and stages[-1]["verdict"] == "H1"
        replace(net, card={**net.card, "gate": stages, "promoted": promoted}).write(
            generation.net_file
        )
        generation.write("gate", {"promoted": promoted, "hash": net.hash, "stages": stages})

    def _ratio(self, generation: Generation, sides: tuple[EvalConfig, EvalConfig]) -> float:
        """Return the speed ratio of the new net and the old one, cached on disk."""
        kept = generation.data("speed")
        if kept is None:
            plan = self.folder.campaign.trials(generation.number, 3)
            kept = {"ratio": round(speed_ratio(plan, sides), 3)}
            generation.write("speed", kept)
        return float(kept["ratio"])

    def _hold(
        self,
        generation: Generation,
        stage: int,
        sides: tuple[EvalConfig, EvalConfig],
        nodes: tuple[int, int],
    ) -> dict[str, Any]:
        """Play a stage until it is decided or out of games; results count in the order of jobs.

        So the verdict does not depend on the number of workers.
        """
        campaign = self.folder.campaign
        plan = campaign.trials(generation.number, stage)
        pairs = -(-campaign.gate_games // 2)
        most = -(-pairs // PAIRS_PER_JOB)
        known: dict[int, Sequence[Pair]] = {}
        for job in range(most):
            if (kept := read_json(generation.gate_file(stage, job))) is not None:
                known[job] = [(first, second) for first, second in kept]
        verdict, tally = self._verdict_on(known)
        missing = [job for job in range(most) if job not in known]
        numbers = partial(numbers_of, size=PAIRS_PER_JOB, total=pairs)
        jobs = [partial(play_pairs, plan, sides, nodes, job, numbers(job)) for job in missing]
        if not verdict:
            with closing(share(jobs, self.backend)) as played:
                for job, results in played:
                    write_json(generation.gate_file(stage, job), results)
                    known[job] = results
                    verdict, tally = self._verdict_on(known)
                    self._tell(generation, "gate", tally.games, campaign.gate_games)
                    if verdict:
                        break
        strength = EloEstimate.of(tally)
        return {
            "games": tally.games,
            "elo": round(strength.elo, 1),
            "error": round(strength.elo_error, 1),
            "verdict": verdict,
        }

    def _verdict_on(self, known: Mapping[int, Sequence[Pair]]) -> tuple[str, Tally]:
        """Return the verdict on the results of jobs, up to the first gap, and the deciding results.

        The verdict is ``H1`` if the new net is better, ``H0`` if it is not, empty while undecided.
        """
        test, tally, verdict = Sprt(*self.folder.campaign.elo), Tally(), ""
        for job in range(len(known)):
            if job not in known or verdict:
                break
            for first, second in known[job]:
                tally = tally.after_pair(first, second)
            verdict = test.verdict(tally) or ""
        return verdict, tally

    def _tell(self, generation: Generation, kind: str, done: int, total: int) -> None:
        self.on_progress(GenerationStep(generation.number, kind, min(done, total), total))


def _lambda_of(campaign: Campaign, champion: NetFile | None) -> float:
    # Without terms and net scores mean nothing: then only results count.
    return campaign.td_lambda if campaign.terms or champion else 1.0
