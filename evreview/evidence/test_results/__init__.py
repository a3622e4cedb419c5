"""Retained results of tests, in the formats of the field, as one model. Values of exchanges are dropped on reading."""
