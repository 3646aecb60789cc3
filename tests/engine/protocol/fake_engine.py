"""A program: our engine's side of AEI or UGI, with a player that moves by chance.

Arguments: aei or ugi; then GAME or GAME/RULES; then a seed; then cold, for a player that is never
ready, as if its code were being compiled.
"""

import sys
from pathlib import Path
from threading import Event
from typing import NoReturn

HOUSE = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(HOUSE / "src"), str(HOUSE / "tests")]

from engine.protocol.fakes import FakePlayer  # noqa: E402
from trine.cli.commands.engines import run_engine  # noqa: E402
from trine.core.compiled.ahead import Show  # noqa: E402
from trine.engine.players.player import PlayerResources  # noqa: E402
from trine.engine.protocol import aei  # noqa: E402
from trine.engine.protocol.aei import AeiEngine  # noqa: E402
from trine.engine.protocol.engine_session import Channel, EngineSession  # noqa: E402
from trine.engine.protocol.ugi import UgiEngine  # noqa: E402
from trine.games import parse_game  # noqa: E402


def main(protocol: str, game: str = "arimaa", seed: str = "0", start: str = "") -> NoReturn:
    if start == "cold":
        aei.READY_TIMEOUT = 1.0  # type: ignore[misc]

    def factory(
        words: str, game: str, settings: PlayerResources, show: Show | None = None
    ) -> FakePlayer:
        if start == "cold":
            Event().wait()
        return FakePlayer(settings.seed + int(seed), told=True)

    channel = Channel(sys.stdout)
    engine: EngineSession
    if protocol == "aei":
        engine = AeiEngine(channel, factory)
    else:
        room, rules = parse_game(game)
        engine = UgiEngine(channel, room.name, factory, rules)
    run_engine(engine)


if __name__ == "__main__":
    main(*sys.argv[1:])
