"""The contract kinds: one folder each, a registry, and the detection of a file's kind.

Takes the files of a contract.
Gives its reader, rules and prover.
"""
