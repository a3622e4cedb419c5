"""`python -m bench.graphql_sdl`: evreview, graphql-core and @graphql-inspector/core in turn; Markdown on its output.

The schemas that GitHub published, and the peer with what it needs, are fetched by npm once, into `--cache`, without
running any script of a package.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from bench import peers
from bench.measure import Command, Measured, in_turn

INSPECTOR = ("@graphql-inspector/core@8.0.0", "graphql@16")
HERE = Path(__file__).parent
SCHEMAS = (
    peers.Package(
        "@octokit/graphql-schema",
        "14.58.0",
        "d080734f3e530effb40adda06b0ed306b57d49ae7f5b1429fc377203fde905f4",
        "schema.graphql",
    ),
    peers.Package(
        "@octokit/graphql-schema",
        "15.25.0",
        "849df23016f61e3b093b8f37ae34a97efd284b5edef43d070b1e8e934a098a03",
        "schema.graphql",
    ),
)


def main() -> None:
    """Print one table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--cache", type=Path, required=True)
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    try:
        pair = [peers.fetched(schema, given.cache.resolve()) for schema in SCHEMAS]
    except peers.Absent as reason:
        print(f"Without GitHub's schemas: {reason}.")
        return
    found = measured(pair, inspector(given.cache.resolve()), given.rounds)
    print("| GitHub's schema, 14.58 → 15.25 | wall s | CPU s | peak MB | CPU of evreview in full / its own |")
    print("| --- | --- | --- | --- | --- |")
    for name, one in found.items():
        ratio = f"{found['evreview'].cpu / one.cpu:.2f}" if one.ok else "failed"
        print(f"| {name} | {one.wall:.2f} | {one.cpu:.2f} | {one.peak:.0f} | {ratio} |")


def inspector(cache: Path) -> Path | None:
    """The folder that holds the peer, None where npm is missing or fetches nothing."""
    folder, npm = cache / "graphql-inspector", shutil.which("npm")
    if (folder / "node_modules").is_dir():
        return folder
    if npm is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text("{}")
    words = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", *INSPECTOR]
    return None if subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode else folder


def measured(pair: list[Path], folder: Path | None, rounds: int) -> dict[str, Measured]:
    """Both modes of evreview and the peers on one pair."""
    files = [str(side) for side in pair]
    ours = [str(Path(sys.executable).with_name("evreview")), "diff", *files, "--format", "json"]
    commands: dict[str, Command] = {
        "evreview": ours,
        "evreview --no-witnesses": [*ours, "--no-witnesses"],
        "graphql-core": [sys.executable, str(HERE / "graphql_core.py"), *files],
    }
    node = shutil.which("node")
    if folder is not None and node is not None:
        commands["@graphql-inspector/core"] = [node, str(HERE / "graphql_inspector.mjs"), str(folder), *files]
    return in_turn(commands, rounds)


if __name__ == "__main__":
    main()
