"""The axe helper itself: it sees a fault where it is asked to look, under a policy that admits no script."""

from __future__ import annotations

from typing import Any

from tests.app.notebook.axe import violations

PAGE = """<!DOCTYPE html><html lang="en"><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>T</title></head><body><main><h1>T</h1><p>good</p></main><aside aria-label="A">{}</aside></body></html>"""


def test_it_names_the_rule_and_the_place_of_a_fault(browser: Any) -> None:
    page = browser.new_page()
    page.set_content(PAGE.format("<p>good</p>"))
    assert violations(page) == []
    page.set_content(PAGE.format("<button></button>"))
    (fault,) = violations(page)
    assert fault.split()[:2] == ["critical", "button-name:"] and "<button>" in fault
    assert violations(page, "main") == [] and violations(page, "aside") == [fault]
    page.close()
