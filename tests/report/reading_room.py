"""What an artifact asks of its reader, measured in Chromium: `python -m tests.report.reading_room` prints the table.

The Markdown is shown in a style of our own with the metrics of GitHub's page: a column of 948 px, 16 px text on
lines of 24, cells padded by 6 and 13 px, code at 85 % that breaks at its spaces only, a table as wide as its content
until the column ends, then a scroller. Liberation stands for the system's fonts (its widths are those of Arial and
Courier), so that the figures are the same wherever the tests run. A screen is 800 px. A diagram counts with its
source's height: nothing draws it here.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from markdown_it import MarkdownIt

from tests.browser import SCREEN, chromium

GOLDEN: Final = Path(__file__).resolve().parents[1] / "golden"
ARTIFACTS: Final = {
    "W1 demo": GOLDEN / "expected" / "demo" / "api-contract-review.md",
    "W2 orders": GOLDEN / "expected_w2" / "demo" / "api-reference.md",
    "W3 tickets": GOLDEN / "expected_w3" / "demo" / "security-review.md",
}
COLUMN = 948
CELL, FRAGMENT, LINES = 120, 80, 9
"""Most characters of a value cell and of a labelled fragment, most lines of a row."""
STYLE: Final = """
* { box-sizing: border-box }
body { width: 948px; margin: 0; font: 16px/1.5 "Liberation Sans", Arial, sans-serif; overflow-wrap: break-word }
h1, h2, h3, h4 { margin: 24px 0 16px; font-weight: 600; line-height: 1.25 }
h1 { font-size: 2em; padding-bottom: .3em; border-bottom: 1px solid; margin-top: 0 }
h2 { font-size: 1.5em; padding-bottom: .3em; border-bottom: 1px solid }
h3 { font-size: 1.25em } h4 { font-size: 1em }
p, ul, ol, table, pre { margin: 0 0 16px } ul, ol { padding-left: 2em } li + li { margin-top: .25em }
li > p { margin-top: 16px }
table { display: block; width: max-content; max-width: 100%; overflow: auto; border-collapse: collapse }
th, td { padding: 6px 13px; border: 1px solid } th { font-weight: 600 } td, th { vertical-align: middle }
code, pre { font-family: "Liberation Mono", monospace; font-size: 85% }
code { padding: .2em .4em; white-space: break-spaces } pre { padding: 16px; overflow: auto; line-height: 1.45 }
pre code { padding: 0; font-size: 100%; white-space: pre }
"""
MEASURE: Final = """
() => {
  const top = found => found ? found.getBoundingClientRect().top + scrollY : null;
  const all = (query, inside = document) => [...inside.querySelectorAll(query)];
  const headed = (tag, text) => all(tag).find(one => one.textContent.trim() === text);
  const labels = ['Observation', 'Inference', 'Assumption', 'Recommendation', 'Next action', 'Limitation',
                  'Proposed check', 'Executed check'];
  const heading = cell => { let at = cell.closest('table');
    while (at && !/^H[1-6]$/.test(at.tagName)) at = at.previousElementSibling;
    return at ? at.textContent : ''; };
  const cells = all('td').map(cell => {
    const text = cell.innerText.trim();
    return { text, heading: heading(cell), parts: text.split('\\n'),
             column: all('th', cell.closest('table'))[cell.cellIndex].textContent,
             labelled: labels.includes(text.split(':')[0]) };
  });
  const rows = all('tbody tr').map(row => ({ heading: heading(row), text: row.innerText.slice(0, 80),
    lines: Math.round((row.getBoundingClientRect().height - 13) / 24) }));
  return {
    height: document.body.getBoundingClientRect().height,
    decision: top(all('li')[0]),
    next: top(all('li').find(one => one.textContent.startsWith('Next action:'))),
    matrix: top(headed('h2', 'Compatibility matrix') || all('h3').find(one => /^[A-Z]+ \\//.test(one.textContent))
                || headed('h2', 'Findings')),
    annex: top(headed('h2', 'Traceability')),
    words: document.body.innerText.split(/\\s+/).filter(Boolean).length,
    cells, rows,
    tables: all('table').map(table => ({ heading: heading(all('td,th', table)[0]), width: table.scrollWidth })),
    sections: all('h2, h3').map(one => [one.tagName, one.textContent, top(one)]),
  };
}
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One artifact as a reader meets it: places in screens, and what its tables hold."""

    screens: float
    decision: float
    next_action: float
    matrix: float
    annex: float
    words: int
    longest: int
    over: tuple[tuple[str, str, str], ...]
    """Value cells over 120 characters and labelled fragments over 80: heading, column, text."""
    over_300: int
    tables: int
    wide: tuple[tuple[str, int], ...]
    tallest: int
    tall: tuple[tuple[str, int, str], ...]
    """Rows over 9 lines: heading, lines, beginning."""
    sections: tuple[tuple[str, str, float], ...]

    @property
    def below(self) -> float:
        """The share of the artifact that stands below Traceability."""
        return (self.screens - self.annex) / self.screens


def page(markdown: str) -> str:
    """The HTML that is measured: the artifact's own markup, `<br>` in cells included, in the style above."""
    body = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    return f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><body>{body}"


def reading(tab: Any, markdown: str) -> Reading:
    """What the tab shows of the artifact."""
    tab.set_content(page(markdown))
    found = tab.evaluate(MEASURE)
    cells, rows = found["cells"], found["rows"]
    over = [
        (cell["heading"], cell["column"], part)
        for cell in cells
        for part in (cell["parts"] if cell["labelled"] else [cell["text"]])
        if len(part) > (FRAGMENT if cell["labelled"] else CELL)
    ]
    places = {name: (found[name] or 0) / SCREEN for name in ("height", "decision", "next", "matrix", "annex")}
    return Reading(
        screens=places["height"],
        decision=places["decision"],
        next_action=places["next"],
        matrix=places["matrix"],
        annex=places["annex"],
        words=found["words"],
        longest=max(len(cell["text"]) for cell in cells),
        over=tuple(over),
        over_300=sum(len(cell["text"]) > 300 for cell in cells),
        tables=len(found["tables"]),
        wide=tuple((one["heading"], one["width"]) for one in found["tables"] if one["width"] > COLUMN),
        tallest=max(row["lines"] for row in rows),
        tall=tuple((row["heading"], row["lines"], row["text"]) for row in rows if row["lines"] > LINES),
        sections=tuple((tag, text, at / SCREEN) for tag, text, at in found["sections"]),
    )


def table(readings: dict[str, Reading]) -> str:
    """The figures as a Markdown table."""
    out = [
        "| | screens | decision at | next action at | matrix, entry, findings at | below Traceability | words "
        "| over the limit / > 300 | longest cell | too wide | tallest row |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, one in readings.items():
        out.append(
            f"| {name} | {one.screens:.1f} | {one.decision:.1f} | {one.next_action:.1f} | {one.matrix:.1f} "
            f"| {one.below:.0%} | {one.words:,} | {len(one.over)} / {one.over_300} | {one.longest} "
            f"| {len(one.wide)} of {one.tables} | {one.tallest} |"
        )
    return "\n".join(out)


def main(arguments: list[str]) -> None:
    """Prints the table of the three artifacts, or of files; `-v` adds what is over a limit and the sections."""
    files = {name: Path(name) for name in arguments if name != "-v"} or ARTIFACTS
    with chromium() as browser:
        tab = browser.new_page(viewport={"width": 1280, "height": SCREEN})
        readings = {name: reading(tab, path.read_text(encoding="utf-8")) for name, path in files.items()}
    print(table(readings))
    for name, one in readings.items() if "-v" in arguments else ():
        print(f"\n{name}")
        for found in (*one.over, *one.wide, *one.tall):
            print("  ", *found, sep="  ")
        ends = [at for _, _, at in one.sections[1:]] + [one.screens]
        for (tag, text, at), end in zip(one.sections, ends, strict=True):
            print(f"  {at:6.2f} {end - at:6.2f} {'  ' * (tag == 'H3')}{text}")


if __name__ == "__main__":
    main(sys.argv[1:])
