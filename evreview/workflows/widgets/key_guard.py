"""Keeps the keys that a reader presses in our controls from JupyterLab, whose commands on cells are single keys."""

from __future__ import annotations

from pathlib import Path

import anywidget


class KeyGuard(anywidget.AnyWidget):
    """Shows nothing; one in an output keeps the keys of everything in that output."""

    _esm = Path(__file__).with_name("key_guard.js")
