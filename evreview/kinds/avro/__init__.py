"""Avro schemas and protocols: parser, resolution, rules and proofs by encoded data.

Takes `.avsc`, `.avpr` or `.avdl` text.
Gives a contract, rules of schema resolution, and witnesses as data.
"""
