"""The changes between two GraphQL schemas by graphql-core's differ, counted."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from graphql import build_schema
from graphql.utilities import find_schema_changes

released, candidate = (build_schema(Path(file).read_text(), assume_valid=True) for file in sys.argv[1:])
sys.stdout.write(json.dumps({"changes": len(find_schema_changes(released, candidate))}))
