"""GraphQL schemas: reader, introspection, rules and proofs by documents.

Takes SDL or an introspection result.
Gives a contract, rules, and witnesses as operations.
"""
