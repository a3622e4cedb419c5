"""The entries of a reference, each held against its own tables, statements and examples.

Takes a parsed artifact and the rule of its output contract. Gives problems.
"""
