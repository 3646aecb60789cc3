"""Compiled code bundled in one file, to be copied to other machines of the same level.

The file is a tar of cache folders with a stamp first: hashes of the conditions and sources of the
code. If the stamp differs, nothing is installed. Nothing else is checked: code is installed only
from a file that a user names, that is in the package, or that a checkout has built.
"""

import io
import json
import lzma
import os
import re
import tarfile
from pathlib import Path
from typing import Final

from trine.core.compiled import jit
from trine.core.errors import FileError

STAMP: Final = "stamp.json"  # name of the stamp in the file
MEMBER: Final = re.compile(r"[0-9a-f]{16}/(\w+/)?\w[\w.-]*", re.ASCII)
BUNDLES: Final = "kernels-*.tar.xz"
BUNDLE_FOLDER: Final = jit.PACKAGE  # the folder where bundled files are looked for
BUILD_FOLDER: Final = jit.PACKAGE.parents[1] / "dist"
"""The folder of a checkout where ``scripts/kernels`` and ``scripts/release`` write such files."""


def stamp() -> dict[str, str]:
    """Return everything that this package's compiled code depends on, on this machine."""
    own = {path for pattern in jit.PART_SOURCES for path in jit.PACKAGE.rglob(pattern)}
    shared = {jit.PACKAGE / name for name in jit.SHARED_SOURCES}
    return {**jit.conditions(), "trine": jit.fingerprint(sorted(own | shared))}


def pack(file: Path) -> None:
    """Write the whole cache of compiled code to a file."""
    words = json.dumps(stamp()).encode()
    with tarfile.open(file, "w:xz", preset=9) as archive:
        head = tarfile.TarInfo(STAMP)
        head.size = len(words)
        archive.addfile(head, io.BytesIO(words))
        for path in sorted(jit.cache_root().rglob("*")):
            if path.is_file():
                archive.add(path, path.relative_to(jit.cache_root()).as_posix())


def install(file: Path) -> None:
    """Add the code of a bundle to the cache.

    Raises:
        FileError: the file is no bundle, or does not fit.
        OSError: the cache cannot be written.
    """
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(lzma.decompress(file.read_bytes()))) as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isreg() else None
                if not content or not (member.name == STAMP or MEMBER.fullmatch(member.name)):
                    raise ValueError(member.name)
                found[member.name] = content.read()
        there = dict(json.loads(found.pop(STAMP)))
    except (OSError, KeyError, TypeError, ValueError, lzma.LZMAError, tarfile.TarError) as error:
        raise FileError("{file} holds no compiled code", file=file) from error
    for what, value in stamp().items():
        if there.get(what) != value:
            raise FileError(
                "the compiled code in {file} is for {there}; here is {here}",
                file=file,
                there=f"{what} {there.get(what, '?')}",
                here=f"{what} {value}",
            )
    # An index (.nbi) is written after its code (.nbc), and marks (.ready) last.
    for name in sorted(found, key=lambda name: (Path(name).suffix, name)):
        path = jit.cache_root() / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            half = path.with_name(f"{path.name}.{os.getpid()}")
            half.write_bytes(found[name])
            half.replace(path)


def install_bundled() -> None:
    """Install the first bundle that fits.

    Raises:
        FileError: there are bundles in the package, and none fits. Those of a checkout may be old.
    """
    problem = None
    built = BUILD_FOLDER.glob(BUNDLES) if BUNDLE_FOLDER.parent.name == "src" else ()
    for file in (*sorted(BUNDLE_FOLDER.glob(BUNDLES)), *sorted(built)):
        try:
            install(file)
        except FileError as error:
            problem = error if file.parent == BUNDLE_FOLDER else problem
        else:
            return
    if problem:
        raise problem
