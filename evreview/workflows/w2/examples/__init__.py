"""Examples that were observed, and proposed ones that are marked so.

Takes contract and exchanges.
Gives examples with their origin.
"""
