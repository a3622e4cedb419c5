"""evreview, graphql-core and @graphql-inspector/core on two releases of the schema that GitHub published."""

from __future__ import annotations

import sys
from pathlib import Path

from bench import peers
from bench.pairs import Pair, Pairs, Say, available, node_script

INSPECTOR = ("@graphql-inspector/core@8.0.0", "graphql@16")
HERE = Path(__file__).parent
RELEASED = peers.Package(
    "@octokit/graphql-schema",
    "14.58.0",
    "d080734f3e530effb40adda06b0ed306b57d49ae7f5b1429fc377203fde905f4",
    "schema.graphql",
)
CANDIDATE = peers.Package(
    "@octokit/graphql-schema",
    "15.25.0",
    "849df23016f61e3b093b8f37ae34a97efd284b5edef43d070b1e8e934a098a03",
    "schema.graphql",
)


def pairs(cache: Path, _place: Path, say: Say) -> Pairs:
    """Both releases.

    Raises:
        Absent: they can't be fetched.
    """
    sides = (peers.fetched(RELEASED, cache.resolve()), peers.fetched(CANDIDATE, cache.resolve()))
    files = [str(side) for side in sides]
    makers = {
        "graphql-core": lambda: [sys.executable, str(HERE / "graphql_core.py"), *files],
        "@graphql-inspector/core": lambda: [
            *node_script(HERE / "graphql_inspector.mjs", cache, "graphql-inspector", *INSPECTOR),
            *files,
        ],
    }
    yield Pair("GitHub's schema, 14.58 → 15.25", sides, available(makers, say))
