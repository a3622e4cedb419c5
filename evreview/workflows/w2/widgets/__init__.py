"""Panels of the W2 notebook.

Takes registers of W2.
Gives HTML and ipywidgets.
"""
