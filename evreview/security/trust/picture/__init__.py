"""The trust map as a picture: Mermaid for Markdown, SVG for the notebook and HTML."""
