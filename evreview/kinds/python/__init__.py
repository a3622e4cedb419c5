"""The public interface of a Python package: reader, rules and proofs by calls.

Takes Python source, which is read and never imported.
Gives a contract, rules, and witnesses as calls.
"""
