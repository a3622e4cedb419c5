"""Calls that write to a log, and calls that only look like it."""

from __future__ import annotations

import ast

import pytest

from evreview.codefacts.logging_and_secrets import log_calls
from evreview.codefacts.names import Definition
from tests.codefacts.snippets import modules


def logged(setup: str, line: str) -> int:
    found = modules(f"{setup}\ndef f(request):\n    if request:\n        {line}\n")
    scope = found.scope(found.all[0])
    node = [one for one in found.all[0].tree.body if isinstance(one, ast.FunctionDef)][-1]
    return len(list(log_calls(found, Definition(node, scope, "f", node))))


@pytest.mark.parametrize(
    ("setup", "line"),
    [
        ("import logging\nlog = logging.getLogger('a')", "log.info('x')"),
        ("import logging", "logging.warning('x')"),
        ("from logging import getLogger as g\nlog = g()", "log.exception('x')"),
        ("import structlog\nlog = structlog.get_logger()", "log.error('x')"),
        ("from loguru import logger", "logger.debug('x')"),
        ("from shop.logs import get_logger\nlog = get_logger(__name__)", "log.info('x')"),
        ("from shop.logs import logger", "logger.info('x')"),
        ("def get_logger(): ...\nlog = get_logger()", "log.info('x')"),
        ("from flask import current_app", "current_app.logger.info('x')"),
        ("from flask import Flask\napp = Flask('a')", "app.logger.info('x')"),
    ],
)
def test_a_call_of_a_logger_counts(setup: str, line: str) -> None:
    assert logged(setup, line) == 1


@pytest.mark.parametrize(
    ("setup", "line"),
    [
        ("", "print('x')"),
        ("", "request.info('x')"),
        ("import math", "math.log(2)"),
        ("import logging\nlog = logging.getLogger('a')", "log.setLevel(3)"),
        ("from shop import log", "log.info('x')"),
        ("import logging\nlog = logging.getLogger('a')", "x = log.info"),
    ],
)
def test_anything_else_does_not(setup: str, line: str) -> None:
    assert logged(setup, line) == 0
