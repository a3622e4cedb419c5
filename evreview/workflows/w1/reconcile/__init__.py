"""Implementation and recorded behaviour against both contracts.

Takes diffs, mappings and observations.
Gives what each source matches, and what reaches no difference.
"""
