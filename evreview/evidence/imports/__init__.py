"""Files of other tools as evidence, one file for each format.

Takes their bytes and what the command line says of them.
Gives records with the place of each entry, and what a person should know about them.
"""
