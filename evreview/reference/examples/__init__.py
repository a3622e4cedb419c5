"""Synthetic examples: proposed or observed, valid by two validators, or omitted with the reason."""
