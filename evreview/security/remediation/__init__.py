"""Step 8 of W3: what changes, who does it, how it is taken back and how one sees that it is done."""
