"""A template prints Md and whole numbers; anything else is refused, and the refusal names no value."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from evreview.report.escape import SafeMarkdown, cell, prose
from evreview.report.template_environment import UnsafePrint, environment


def render(folder: Path, template: str, **values: object) -> str:
    (folder / "t.j2").write_text(template, encoding="utf-8")
    return environment(folder).get_template("t.j2").render(values)


@pytest.mark.parametrize("value", ["plain", "", 1.5, None, True, ["x"], b"x", object()])
def test_nothing_but_md_is_printed(tmp_path: Path, value: object) -> None:
    with pytest.raises(UnsafePrint) as fault:
        render(tmp_path, "{{ value }}", value=value)
    assert "plain" not in str(fault.value)


def test_md_and_numbers_are_printed_as_they_are(tmp_path: Path) -> None:
    assert render(tmp_path, "{{ a }} {{ n }}", a=cell("a|b <i> & c"), n=3) == "a&#124;b &lt;i&gt; &amp; c 3"


def test_macros_joins_and_loops_keep_the_type(tmp_path: Path) -> None:
    text = "{% macro row(all) %}| {{ all | join(' | ') }} |{% endmacro %}{{ row(cells) }}"
    assert render(tmp_path, text, cells=[cell("a"), cell("b|c")]) == "| a | b&#124;c |"


def test_joining_plain_text_escapes_it() -> None:
    assert prose("a") + "[x](y)" == r"a\[x\](y)"
    assert SafeMarkdown(" ").join(["*a*", prose("b")]) == r"\*a\* b"


def test_an_unknown_name_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UndefinedError):
        render(tmp_path, "{{ missing }}")
    with pytest.raises(UndefinedError):
        render(tmp_path, "{% if missing %}x{% endif %}")
