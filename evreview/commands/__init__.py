"""The commands, one module per subject; `evreview.cli` puts them together. Each imports what it needs when it runs."""
