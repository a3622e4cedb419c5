"""AsyncAPI 2 and 3: reader, alignment, embedded payloads, rules and proofs.

Takes YAML or JSON documents.
Gives a contract of channels and messages, rules, and witnesses as events.
"""
