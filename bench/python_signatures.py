"""`python -m bench.python_signatures`: evreview and griffe's differ in turn, pandas 1.5.3 against 2.0.0; Markdown.

pip downloads both wheels once, into `--cache`, and builds nothing. Modules of tests are taken out for both: they are
no part of what clients use, and evreview leaves them out anyway.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from bench.measure import Measured, in_turn

HERE = Path(__file__).parent
PACKAGE, RELEASED, CANDIDATE = "pandas", "1.5.3", "2.0.0"
TESTS = re.compile(r"/(tests?/|conftest\.py)")


def main() -> None:
    """Print one table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--cache", type=Path, required=True)
    asked.add_argument("--rounds", type=int, default=3)
    given = asked.parse_args()
    try:
        pair = [unpacked(version, given.cache.resolve()) for version in (RELEASED, CANDIDATE)]
    except subprocess.CalledProcessError as reason:
        print(f"Without {PACKAGE}: pip download ended with {reason.returncode}.")
        return
    found = measured(pair, given.rounds)
    print(f"| {PACKAGE} {RELEASED} → {CANDIDATE} | wall s | CPU s | peak MB | ratio to evreview in full |")
    print("| --- | --- | --- | --- | --- |")
    for name, one in found.items():
        ratio = f"{one.wall / found['evreview'].wall:.2f}" if one.ok else "failed"
        print(f"| {name} | {one.wall:.2f} | {one.cpu:.2f} | {one.peak:.0f} | {ratio} |")


def unpacked(version: str, cache: Path) -> Path:
    """The folder around the package of one version, without its tests.

    Raises:
        CalledProcessError: pip can't download it.
    """
    folder = cache / f"{PACKAGE}-{version}"
    if folder.is_dir():
        return folder
    words = ["-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--python-version", "3.11"]
    subprocess.run([sys.executable, *words, "--dest", str(cache), f"{PACKAGE}=={version}"], check=True)
    (wheel,) = cache.glob(f"{PACKAGE}-{version}-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.endswith((".py", ".pyi")) and not TESTS.search(name)]
        archive.extractall(folder, names)
    return folder


def measured(pair: list[Path], rounds: int) -> dict[str, Measured]:
    """Both modes of evreview and the peer on one pair."""
    files = [str(side) for side in pair]
    ours = [str(Path(sys.executable).with_name("evreview")), "diff", *files, "--kind", "python", "--format", "json"]
    commands = {
        "evreview": ours,
        "evreview --no-witnesses": [*ours, "--no-witnesses"],
        "griffe": [sys.executable, str(HERE / "griffe_differ.py"), PACKAGE, *files],
    }
    return in_turn(commands, rounds)


if __name__ == "__main__":
    main()
