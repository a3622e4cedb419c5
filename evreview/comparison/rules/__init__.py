"""The rules, one file per family; `catalogue` reads them in its written order."""
