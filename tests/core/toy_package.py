"""A small package of kernels, apart from the checkout."""

import shutil
from pathlib import Path

from playing import HOUSE
from trine.core.compiled import jit

SOURCE = HOUSE / "src" / "trine"


def copy_core(house: Path, *modules: str) -> Path:
    """Copy what kernels need, and other modules, with their packages; return the package."""
    package = house / "trine"
    for module in (*modules, *jit.SHARED_SOURCES):
        (package / module).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / module, package / module)
        for folder in (package / module).relative_to(house).parents[:-1]:
            shutil.copy(SOURCE.parent / folder / "__init__.py", house / folder)
    return package


def toy_variables(house: Path) -> dict[str, str]:
    """Return variables by which another process finds the package, and keeps its code."""
    cache = str(house / "cache")
    return {"PYTHONPATH": str(house), "XDG_CACHE_HOME": cache, "PYTHONDONTWRITEBYTECODE": "1"}
