"""A program that speaks AEI, moves by chance, and dies whenever it is to play its second turn."""

import os
import sys
from pathlib import Path
from typing import Any

HOUSE = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(HOUSE / "src"), str(HOUSE / "tests")]

from engine.protocol import fakes  # noqa: E402
from engine.protocol.fake_engine import main  # noqa: E402

choose = fakes.FakePlayer.choose


def dying(self: Any, play: Any, *limits: Any, **more: Any) -> Any:
    if len(play.turns) >= 2:
        os._exit(3)
    return choose(self, play, *limits, **more)


if __name__ == "__main__":
    fakes.FakePlayer.choose = dying  # type: ignore[method-assign]
    sys.exit(main("aei"))
