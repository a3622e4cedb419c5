"""`python -m evreview` is the `evreview` command."""

from evreview.cli import main

main()
