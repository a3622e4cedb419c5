"""Proves that every value of one schema is a value of another.

Takes two schemas.
Gives yes, no with a counterexample, or undecided with the reason.
"""
