"""The bundle: what a review was given, read, verified and cited.

Takes a folder of evidence and its manifest.
Gives `Bundle` with typed items, citations that resolve, and problems.
"""
