"""Settings of the documentation site, read by Sphinx. Nothing here loads from a network."""

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
