"""`python -m tests.generated`: writes the parts of kept pages that are made from the code, and a module of words.

`test_docs` compares `PAGES`, so none of them can fall behind. Whole pages are made by `tools.site`, and not kept.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parent.parent


def own_words() -> str:
    """The module that says which words are evreview's own."""
    from evreview.core import vocabulary
    from evreview.kinds.rule_catalogue import CATALOGUE

    kinds = [each for each in vars(vocabulary).values() if isinstance(each, type) and issubclass(each, StrEnum)]
    texts = [part for rule in CATALOGUE for part in (rule.id, rule.title)]
    texts += [str(member.value) for kind in kinds for member in kind]
    for contract in sorted((PROJECT / "templates").glob("*.contract.toml")):
        said = tomllib.loads(contract.read_text(encoding="utf-8"))
        texts += [said["identifier"], *said["statements"]["labels"], *(each["name"] for each in said["headings"])]
    words = sorted({word for text in texts for word in re.findall("[a-z]{5,}", text.lower())})
    lines = textwrap.wrap(" ".join(words), 112)
    return OWN.format(words="\n".join(f"    {line}" for line in lines))


OWN: Final = '''"""Words that evreview writes itself, made from its rules, vocabulary and headings by `make docs`."""

from __future__ import annotations

import re
from typing import Final

_WORDS: Final = """
{words}
"""
OWN: Final = frozenset(_WORDS.split())


def is_own(value: str) -> bool:
    """True for a text of nothing but such words, which stand in every output: `response-field-became-optional`."""
    words = re.split("[ _-]", value.lower())
    return not OWN.isdisjoint(words) and all(word in OWN or (len(word) < 5 and word.isalpha()) for word in words)
'''


def readme() -> str:
    return _filled("README.md", {"help": _help_text(), "artifact": _artifact_excerpt()})


def walkthrough_page() -> str:
    return _filled("docs/walkthrough.md", {"diff": _diff_text()})


def imports_page() -> str:
    return _filled("docs/imports.md", {"formats": imports_table()})


def imports_table() -> str:
    """The formats of `evreview import`, a row each."""
    from evreview.evidence.imports.formats import FORMATS, option

    rows = ["", "| `FORMAT FILE` | Options | What it gives | What it never says |", "| --- | --- | --- | --- |"]
    for name, form in FORMATS.items():
        options = [f"`--{option(each)}`" for each in form.needs]
        options += [f"`--{option(each)}` if known" for each in form.allows]
        rows.append(f"| `{name}` {form.takes} | {', '.join(options)} | {form.gives} | {form.never} |")
    return "\n".join([*rows, ""])


def execution_page() -> str:
    from tests.sandbox.escapes import table

    return _filled(
        "docs/execution.md",
        {"gates": _gate_table(), "limits": _limit_table(), "targets": _target_table(), "escapes": table()},
    )


def _gate_table() -> str:
    from evreview.workflows.engine.gates import ACTIVE, LOCAL, MUTATE

    rows = ["", "| Gate | When | Who | Reviewed, besides the plan's id |", "| --- | --- | --- | --- |"]
    for when, spec in (("W1, W2", LOCAL), ("W3", ACTIVE), ("operations that change state", MUTATE)):
        who = " or ".join(capacity for stage in spec.stages for capacity in stage)
        rows.append(f"| `{spec.id}` | {when} | {who} | {', '.join(f'`{item}`' for item in spec.reviewed)} |")
    return "\n".join([*rows, ""])


def _target_table() -> str:
    from evreview.workflows.w3.planned_actions import TARGET_RULES

    rows = [f"| `{rule.id}` | `{rule.example}` | `{rule.counter_example}` |" for rule in TARGET_RULES]
    return "\n".join(["", "| Form | Elsewhere | Not |", "| --- | --- | --- |", *rows, ""])


def _limit_table() -> str:
    from evreview.sandbox.model import Limits

    limits = Limits()
    kept = {
        "seconds of the whole run, and of CPU for each process": f"{limits.seconds:g}, or the plan's `seconds`",
        "memory of all processes": f"{limits.memory // 2**20} MiB",
        "address space of one process": f"{limits.address_space // 2**20} MiB",
        "processes and threads": str(limits.tasks),
        "standard output, and standard error": f"{limits.output // 2**20} MiB",
        "work folder, scratch folder, shared memory, each": f"{limits.files // 2**20} MiB",
    }
    rows = [f"| {name} | {value} |" for name, value in kept.items()]
    return "\n".join(["", "| Limit | Value |", "| --- | --- |", *rows, ""])


PAGES: Final[dict[str, Callable[[], str]]] = {
    "evreview/redaction/own_words.py": own_words,
    "docs/imports.md": imports_page,
    "docs/walkthrough.md": walkthrough_page,
    "docs/execution.md": execution_page,
    "README.md": readme,
}


def help_text(*words: str) -> str:
    """What `evreview … --help` prints, 100 columns wide and without colour."""
    setting = os.environ | {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}
    command = [sys.executable, "-m", "evreview", *words, "--help"]
    return subprocess.run(command, env=setting, capture_output=True, text=True, check=True).stdout


def _help_text() -> str:
    lines = [line.rstrip() for line in help_text().strip().splitlines()]
    return "\n".join(["```", "$ evreview --help", *lines, "```"])


def _diff_text() -> str:
    """The ledger of the demo's contracts as a log shows it."""
    words = ["diff", *(f"examples/w1-orders/contracts/orders-{version}.yaml" for version in ("1.4", "1.5"))]
    command = [sys.executable, "-m", "evreview", *words]
    told = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    return "\n".join(["```console", f"$ evreview {' '.join(words)}", *told.rstrip().splitlines(), "```"])


def _artifact_excerpt() -> str:
    from evreview.evidence.bundle_reader import open_bundle
    from evreview.workflows.session import review

    artifact = review(open_bundle(PROJECT / "examples" / "w1-orders")).artifact
    return "\n".join(["```markdown", *excerpt(artifact), "```"])


def excerpt(artifact: str) -> list[str]:
    """The title, the verdict block, and the matrix' head with its first rows."""
    lines = artifact.splitlines()
    scope = lines.index("## Scope")
    verdict = next(at for at in range(scope + 2, len(lines)) if not lines[at])
    matrix = lines.index("## Compatibility matrix")
    head = next(at for at in range(matrix, len(lines)) if lines[at].startswith("| Difference |"))
    return [*lines[:verdict], "", "…", "", lines[matrix], "", *lines[head : head + 4], "…"]


def _filled(name: str, parts: Mapping[str, str]) -> str:
    text = (PROJECT / name).read_text(encoding="utf-8")
    for part, body in parts.items():
        pattern = re.compile(rf"(<!-- generated: {part} -->\n).*?(<!-- end -->)", re.S)
        text = pattern.sub(lambda found, body=body: f"{found[1]}{body}\n{found[2]}", text)  # type: ignore[misc]
    return text


def main() -> None:
    """Write every generated page."""
    for name, make in PAGES.items():
        (PROJECT / name).write_text(make(), encoding="utf-8")
        sys.stdout.write(f"wrote {name}\n")


if __name__ == "__main__":
    main()
