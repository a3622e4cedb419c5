"""[I/O] Compiles `.proto` texts of strangers: protoc in a process and a folder of its own, within limits."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from evreview.core.errors import BadInput, Problem, bad_input
from evreview.core.temporary_folder import TemporaryFolder

SECONDS: Final = 60
MEMORY: Final = 2_000_000_000
MAX_OUTPUT: Final = 512_000_000
_MOST_PROBLEMS: Final = 50
_OUT: Final = "out.binpb"

_PROGRAM: Final = """
import sys
site, memory, output, *arguments = sys.argv[1:]
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(output), int(output)))
except ImportError:
    pass
sys.path.append(site)
from grpc_tools import _protoc_compiler
sys.exit(_protoc_compiler.run_main([b"protoc", *(each.encode() for each in arguments)]))
"""
"""Loads the compiler of grpcio-tools and nothing else: no site packages are set up, no code of the texts is run."""

_SAID: Final = re.compile(r"(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<found>.+)")
_OF_FILE: Final = re.compile(r"(?P<file>[^:]+\.proto): (?P<found>.+)")
_IMPORTED: Final = re.compile(r"Import \"(?P<name>.*)\" was not found or had errors")
_UNDECLARED: Final = re.compile(r" is not defined\.?$|seems to be defined in ")
_MISSING: Final = "proto-import-missing"
_CYCLE: Final = "proto-import-cycle"
_OF_IMPORTS: Final = (_MISSING, _CYCLE)

_ENDED: Final = [
    Problem(
        code="proto-too-costly",
        found="the compiler ended early, at a limit of time or memory",
        advice="split the files, or supply a FileDescriptorSet",
    )
]
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\\]|^[-@/]|(?:^|/)\.\.?(?:/|$)")
"""What no name may hold that becomes an argument or a path here."""


def compile_protos(files: Mapping[str, bytes], targets: Sequence[str], named: Mapping[str, str]) -> bytes:
    """The descriptors of `.proto` texts: a serialised FileDescriptorSet with what they import, and with places.

    Args:
        files: every text by the name under which others import it; imports of `google/protobuf/` come with protoc.
        targets: the texts to compile.
        named: the file of each text as its user knows it, for messages.

    Raises:
        BadInput: every problem that protoc tells (`proto-syntax`, `proto-import-missing`, `proto-import-cycle`),
            `proto-too-costly` past a limit, `proto-compiler-missing`, `proto-file-name`.
    """
    refused = [named.get(name, name) for name in files if _CONTROL.search(name)]
    if refused:
        found, advice = "the file's name can't be given to a compiler", "name the file in letters, digits and `_`"
        raise BadInput([Problem(code="proto-file-name", found=found, file=name, advice=advice) for name in refused])
    spec = find_spec("grpc_tools")
    if spec is None or spec.origin is None:
        raise bad_input("proto-compiler-missing", "grpcio-tools is not installed", advice="pip install grpcio-tools")
    package = Path(spec.origin).parent
    with TemporaryFolder("evreview-proto-") as folder:
        root = folder / "texts"
        for name, data in files.items():
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        made = folder / _OUT
        listed = folder / "arguments"
        options = ("-I.", f"-I{package / '_proto'}", f"--descriptor_set_out={made}")
        arguments = (*options, "--include_imports", "--include_source_info", *targets)
        listed.write_text("\n".join(arguments), encoding="utf-8")
        said = _run(package.parent, listed, root)
        if said is None:
            return made.read_bytes()
    raise BadInput(_problems(said, named))


def _run(site: Path, listed: Path, folder: Path) -> str | None:
    """What protoc complained about; None when it made its output."""
    command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(site), str(MEMORY), str(MAX_OUTPUT), f"@{listed}"]
    try:
        done = subprocess.run(
            command, cwd=folder, env={}, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        found = f"compiling took more than {SECONDS} seconds"
        raise bad_input("proto-too-costly", found, advice="split the files, or supply a FileDescriptorSet") from None
    return None if done.returncode == 0 else done.stderr.decode("utf-8", "replace") or f"status {done.returncode}"


def _problems(said: str, named: Mapping[str, str]) -> list[Problem]:
    """What protoc said, each line as a problem of its place."""
    if "std::bad_alloc" in said:
        return _ENDED
    lines = [line for line in said.splitlines() if line.strip() and ": warning: " not in line]
    found = [problem for line in lines if (problem := _problem(line, named)) is not None]
    imports = [problem for problem in found if problem.place and problem.code in _OF_IMPORTS]
    if imports or len(found) < len(lines):
        # What a file that was not read would have declared is then undefined: a consequence, no second problem.
        found = [problem for problem in found if problem.place and not _UNDECLARED.search(problem.found)] or found
    return found[:_MOST_PROBLEMS] or _ENDED


def _problem(line: str, named: Mapping[str, str]) -> Problem | None:
    """The problem of one line; None for an import of a text that has problems of its own."""
    at = _SAID.fullmatch(line)
    if at is not None:
        file, place = named.get(at["file"], at["file"]), f"line {at['line']}, column {at['column']}"
        imported = _IMPORTED.match(at["found"])
        if imported is not None and imported["name"] in named:
            return None
        return _classed(at["found"], file, place)
    of_file = _OF_FILE.fullmatch(line)
    if of_file is not None:
        return _classed(of_file["found"], named.get(of_file["file"], of_file["file"]), "")
    return _classed(line, "", "")


def _classed(found: str, file: str, place: str) -> Problem:
    code, advice = "proto-syntax", "correct the file, protoc has to compile it"
    if "recursively imports itself" in found:
        code, advice = _CYCLE, "move what both files need into one that imports neither of them"
    elif _IMPORTED.match(found) or "File not found" in found:
        code = _MISSING
        advice = "put the imported file below the folder at the path that imports it;"
        advice += " `diff` and `replay` take its folder as --include; in a bundle list it among the contract's parts"
    return Problem(code=code, found=found.rstrip("."), file=file, place=place, advice=advice)
