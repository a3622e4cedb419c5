"""The commands by which a bundle is written.

Takes commits of a local clone, files of other tools, and bundles.
Gives bundles made, completed or moved to another commit: whole or not at all.
"""
