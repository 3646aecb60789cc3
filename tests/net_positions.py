"""Made-up positions of TZAAR that nets learn from quickly."""

import numpy as np

from trine.core.contract.heuristics import NetInputs
from trine.engine.learn.network.examples import Examples
from trine.engine.learn.network.training import TrainingSettings
from trine.engine.selfplay.kernel.net_examples import EXAMPLE_DTYPE
from trine.games import open_heuristics


def inputs_of_tzaar() -> NetInputs:
    inputs = open_heuristics("tzaar").net
    assert inputs is not None
    return inputs


INPUTS = inputs_of_tzaar()
COUNT = len(INPUTS.mirrored)


def made_up(number: int, seed: int = 0) -> Examples:
    """Return positions whose result depends only on one input of the player to move."""
    rng = np.random.default_rng(seed)
    bits = np.zeros((number, (COUNT + 63) // 64 * 64), np.uint8)
    bits[:, :COUNT] = rng.random((number, COUNT)) < 0.02
    seen = np.zeros(number, EXAMPLE_DTYPE)
    seen["key"], seen["game"] = np.arange(number), rng.integers(0, 200, number)
    seen["mover"] = rng.integers(0, 2, number)
    chosen = rng.random(number) < 0.5
    places = np.where(seen["mover"] == 0, 5, INPUTS.mirrored[5])
    bits[np.arange(number), places] = chosen
    active = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    no_terms = np.zeros((number, 0), np.float32)
    return Examples(np.ascontiguousarray(active), seen, no_terms, chosen.astype(np.float32))


QUICK = TrainingSettings(epochs=3, batch_size=64, learning_rate=0.01)
