"""OpenAPI and Swagger 2: reader, alignment, rules and whole-message proofs.

Takes YAML or JSON documents.
Gives a contract, rules about HTTP, and witnesses as requests and responses.
"""
