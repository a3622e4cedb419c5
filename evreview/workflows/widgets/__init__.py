"""Presenting pieces for the notebooks: they show and ask, they decide nothing."""

from __future__ import annotations
