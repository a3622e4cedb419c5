"""Exercises on the bundled reviews: `evreview lab --workshop w1`.

Takes the bundled review of a workflow, in a copy.
Gives a notebook with six exercises, checks of the answers, hints, and solutions that are read from the run.
"""

from __future__ import annotations

from evreview.app.workshop.workshop import Workshop

__all__ = ["Workshop"]
