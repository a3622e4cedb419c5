"""Protocol Buffers and gRPC: compiler, reader, rules, and proofs by encoded bytes.

Takes `.proto` files or a descriptor set.
Gives a contract, rules for wire, JSON and source, and witnesses as bytes.
"""
