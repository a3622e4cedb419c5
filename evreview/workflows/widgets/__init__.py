"""Tables and panels that the three notebooks share.

Takes frames.
Gives HTML without scripts, and ipywidgets.
"""

from __future__ import annotations
