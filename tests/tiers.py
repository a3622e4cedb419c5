"""Which tests `make quick` leaves out: those that cost more than they are likely to find while one works."""

from __future__ import annotations

SLOW = (
    "adversarial/",
    "artifacts/test_redacted_citations.py",
    "artifacts/test_validate_mutations.py",
    "bench/",
    "command_line/",
    "commands/test_export.py",
    "commands/test_replay.py",
    "commands/test_validate_bundle.py",
    "contracts/asyncapi/test_broken.py",
    "contracts/asyncapi/test_peer.py",
    "contracts/asyncapi/test_same_contract.py",
    "contracts/graphql/test_reach.py",
    "contracts/jsonschema/test_against_validators.py",
    "contracts/jsonschema/test_jsonschema.py::test_real_pairs_are_judged",
    "contracts/test_any_document.py",
    "contracts/test_any_event.py",
    "documents/test_nesting.py",
    "edit_space/",
    "golden/",
    "guard/test_cells.py",
    "guard/test_recall.py",
    "guard/test_slow_path.py",
    "guard/test_sweep.py",
    "isolation/",
    "ledger/test_corpus.py",
    "ledger/test_properties.py",
    "ledger/test_stable_ids.py",
    "notebook/",
    "proof/kinds/test_graphql_oracle.py",
    "proof/kinds/test_protobuf_property.py",
    "proof/kinds/test_python_peer.py",
    "proof/messages/test_replay_corpus.py",
    "proof/test_against_validator.py",
    "proof/test_turned_by_reference.py",
    "reference/examples/test_hostile.py",
    "reference/test_itself.py",
    "rewrites/",
    "shapes/test_evaluate.py",
    "shapes/test_inclusion_limits.py",
    "shapes/test_inclusion_oracle.py",
    "sources/test_read.py::test_a_large_file_is_read_in_time",
    "test_cli_repository.py",
    "test_corpus_openapi.py",
    "test_corpus_protobuf.py",
    "test_packaging.py",
    "test_requirements.py",
    "workflow/w3/test_redaction.py",
    "workflow/w3/test_rerun.py",
)
"""Beginnings of node ids below `tests/`: folders, files, tests. What bears the mark `slow` is slow anyway."""
QUICK = (
    "golden/test_expected.py::test_outputs_are_the_expected_ones[demo]",
    "golden/test_w2_expected.py::test_outputs_are_the_expected_ones[demo]",
    "golden/test_w3_expected.py::test_outputs_are_the_expected_ones[demo]",
)
"""Of those, what is quick all the same: one golden run for each workflow."""


def is_slow(node: str) -> bool:
    """True where a test, named by its node id from the project's root, is left out of `make quick`."""
    place = node.removeprefix("tests/")
    return place.startswith(SLOW) and not place.startswith(QUICK)
