"""evreview and griffe's differ on pandas 1.5.3 and 2.0.0.

pip downloads both wheels once, and builds nothing. Modules of tests are taken out for both: they are no part of what
clients use, and evreview leaves them out anyway.
"""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

from bench.pairs import Pair, Pairs, Say
from bench.peers import Absent

DIFFER = Path(__file__).with_name("griffe_differ.py")
PACKAGE, RELEASED, CANDIDATE = "pandas", "1.5.3", "2.0.0"
TESTS = re.compile(r"/(tests?/|conftest\.py)")


def pairs(cache: Path, _place: Path, _say: Say) -> Pairs:
    """The package at two versions.

    Raises:
        Absent: pip can't download it.
    """
    sides = (unpacked(RELEASED, cache.resolve()), unpacked(CANDIDATE, cache.resolve()))
    griffe = {"griffe's differ": [sys.executable, str(DIFFER), PACKAGE, *map(str, sides)]}
    yield Pair(f"{PACKAGE} {RELEASED} → {CANDIDATE}", sides, griffe, ("--kind", "python"))


def unpacked(version: str, cache: Path) -> Path:
    """The folder around the package of one version, without its tests.

    Raises:
        Absent: pip can't download it.
    """
    folder = cache / f"{PACKAGE}-{version}"
    if folder.is_dir():
        return folder
    words = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--python-version", "3.11"]
    words += ["--dest", str(cache), f"{PACKAGE}=={version}"]
    if subprocess.run([sys.executable, *words], capture_output=True, check=False).returncode:
        raise Absent(f"pip could not download {PACKAGE} {version}")
    (wheel,) = cache.glob(f"{PACKAGE}-{version}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith((".py", ".pyi")) and not TESTS.search(name)]
        archive.extractall(folder, names)
    return folder
