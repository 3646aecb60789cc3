"""Puts the compiled kernels that `TRINE_KERNELS` names into a wheel for Linux."""

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Kernels(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if file := os.environ.get("TRINE_KERNELS"):
            build_data["force_include"][file] = f"trine/{Path(file).name}"
            # Machine code for this Python, needing nothing of the system that Numba's does not.
            python = f"cp{sys.version_info.major}{sys.version_info.minor}"
            build_data["tag"] = f"{python}-none-manylinux_2_17_{os.uname().machine}"
