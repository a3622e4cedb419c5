"""Leads: patterns that matched in the sources, in a scanner's output or in a reviewer's mind. None of them is proof."""
