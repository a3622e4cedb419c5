"""Pages for a browser: one file each, readable without script, nothing to load.

Takes an artifact's Markdown or a comparison.
Gives HTML in which every text is escaped, under a policy that admits the page's own style and script alone.
"""
