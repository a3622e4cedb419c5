"""Settings of the documentation site, read by Sphinx. Nothing here loads from a network."""

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

project = "evreview"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "evreview"
html_copy_source = False
html_show_sphinx = False
myst_heading_anchors = 4
default_role = "code"
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True


def setup(app: Sphinx) -> None:
    """Show tables of CSV, which Pygments has no lexer for, as they are."""
    app.add_lexer("csv", TextLexer)
