"""The commands, one module per subject; `evreview.app.cli` puts them together. Each imports what it needs when it runs."""
