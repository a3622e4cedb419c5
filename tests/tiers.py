"""Which tests `make quick` leaves out, and which cases of a generated space each run tries."""

from __future__ import annotations

from zlib import crc32

SLOW = (
    "adversarial/",
    "report/pages/test_browser_artifact_page.py",
    "report/pages/test_browser_ledger_page.py",
    "app/commands/test_map_code.py",
    "app/commands/test_new_from_one_commit.py",
    "app/commands/test_new_review.py",
    "app/commands/test_update.py",
    "app/commands/test_outlook.py::test_what_check_passes_run_does_not_refuse",
    "comparison/test_shared_schemas.py",
    "core/test_temporary_folder.py",
    "evidence/test_schema.py",
    "redaction/test_widgets.py",
    "report/pages/test_ledger_page.py::test_twenty_thousand",
    "report/test_difference_text.py",
    "report/test_ledger_text.py::test_twenty_thousand",
    "report/test_sarif.py",
    "report/test_validate.py",
    "report/test_validate_agreement.py",
    "test_display.py",
    "test_docs.py",
    "test_docs_site.py",
    "test_docs_words.py",
    "test_mutations.py",
    "test_pictures.py::test_a_picture",
    "workflows/engine/test_resume.py",
    "workflows/w2/test_permitted.py",
    "workflows/widgets/test_escaping_lint.py",
    "report/test_reading_room.py",
    "report/test_redacted_citations.py",
    "report/test_validate_mutations.py",
    "bench/",
    "app/batch/test_batch.py",
    "app/batch/test_faults.py",
    "app/batch/test_portfolio.py",
    "app/command_line/",
    "app/commands/test_execute.py",
    "app/commands/test_execute_routes.py",
    "app/commands/test_export.py",
    "app/commands/test_replay.py",
    "app/commands/test_validate_bundle.py",
    "kinds/asyncapi/test_broken.py",
    "kinds/asyncapi/test_peer.py",
    "kinds/asyncapi/test_same_contract.py",
    "kinds/graphql/test_reach.py",
    "kinds/jsonschema/test_against_validators.py",
    "kinds/jsonschema/test_jsonschema.py::test_real_pairs_are_judged",
    "contract/test_any_document.py",
    "contract/test_any_event.py",
    "core/test_nesting.py",
    "edit_space/",
    "golden/",
    "redaction/test_cells.py",
    "redaction/test_recall.py",
    "redaction/test_slow_path.py",
    "redaction/test_sweep.py",
    "sandbox/",
    "comparison/test_corpus.py",
    "comparison/test_properties.py",
    "comparison/test_stable_ids.py",
    "app/notebook/",
    "app/workshop/",
    "kinds/graphql/test_graphql_oracle.py",
    "kinds/protobuf/test_protobuf_property.py",
    "kinds/python/test_python_peer.py",
    "messages/test_replay_corpus.py",
    "comparison/proof/test_against_validator.py",
    "comparison/proof/test_turned_by_reference.py",
    "workflows/w2/examples/test_hostile.py",
    "workflows/w2/test_itself.py",
    "workflows/widgets/test_workbench.py",
    "rewrites/",
    "schema/test_evaluate.py",
    "schema/test_inclusion_limits.py",
    "schema/test_inclusion_oracle.py",
    "codefacts/test_read.py::test_a_large_file_is_read_in_time",
    "test_cli_repository.py",
    "test_corpus_openapi.py",
    "test_corpus_protobuf.py",
    "test_packaging.py",
    "test_requirements.py",
    "workflows/w3/test_pairs.py",
    "workflows/w3/test_redaction.py",
    "workflows/w3/test_rerun.py",
)
"""Those that cost more than they are likely to find while one works: beginnings of node ids below `tests/`.

What bears the mark `slow` is slow anyway.
"""
QUICK = (
    "golden/test_expected.py::test_outputs_are_the_expected_ones[demo]",
    "golden/test_w2_expected.py::test_outputs_are_the_expected_ones[demo]",
    "golden/test_w3_expected.py::test_outputs_are_the_expected_ones[demo]",
)
"""Of those, what is quick all the same: one golden run for each workflow."""


ONE_IN = {
    "app/command_line/test_typed_commands.py::test_a_printed_next_step": 3,
    "comparison/proof/test_turned_by_reference.py": 3,
    "golden/test_beside.py::test_what_a_review_writes_agrees": 4,
    "golden/test_next_actions.py::": 4,
    "redaction/test_slow_path.py": 4,
    "report/test_validate_agreement.py::test_a_contradiction_is_seen": 3,
    "rewrites/": 4,
}
"""Tests over a generated space, and of how many cases a run tries one, the same ones each time; `--every` tries all."""


def is_left_out(node: str) -> bool:
    """True where a case of a generated space, named by its node id, is none of those that each run tries."""
    place = node.removeprefix("tests/")
    share = next((share for start, share in ONE_IN.items() if place.startswith(start)), 1)
    return place.endswith("]") and crc32(place.encode()) % share != 0


def is_slow(node: str) -> bool:
    """True where a test, named by its node id from the project's root, is left out of `make quick`."""
    place = node.removeprefix("tests/")
    return place.startswith(SLOW) and not place.startswith(QUICK)
