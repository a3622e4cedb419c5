"""How a reference ends: what people do next.

Takes bundle, facts and step results.
Gives the next actions in order.
"""
