"""Step 7 of W3: severity by the supplied rubric, confidence by the table here, dispositions as people recorded them."""
