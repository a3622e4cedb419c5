"""Where contract, code and tests disagree, one file per part of an operation."""
