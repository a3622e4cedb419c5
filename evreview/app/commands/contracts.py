"""`evreview contracts`: the contracts that a commit holds, each with its kind and why it is taken for one."""

from __future__ import annotations

from pathlib import Path

from evreview.app.commands.shell import clean, refuse, say
from evreview.core.errors import bad_input, one_line
from evreview.core.quoted_text import counted
from evreview.core.vocabulary import ExitStatus


def contracts(folder: Path, ref: str, config: Path | None = None, *, no_config: bool = False) -> int:
    """Print the contracts below a folder of a clone at a commit; the work tree is not read.

    Args:
        folder: of the clone.
        ref: names the commit, whose configuration holds.
        config: another one, a file or `REF:path`.
        no_config: True when none is to hold.

    Raises:
        BadInput: there is no such folder, no clone or no such commit.
    """
    from evreview.app.commands.configuration import ConfigurationOption, at_commit
    from evreview.evidence.repository import Commits
    from evreview.kinds.find import EVERYTHING, find_contracts

    if not folder.is_dir():
        return refuse(f"{one_line(str(folder))}: there is no such folder. Name one of a clone")
    commits = Commits.of(folder)
    commit, here = commits.commit(ref), commits.prefix()
    if here and commits.entry(commit, here) is None:
        raise bad_input("file-missing", f"commit {commit[:12]} has no such folder", file=f"{ref}:{here}")
    known = at_commit(commits, ref, ConfigurationOption(config, none=no_config))
    found = find_contracts(commits, commit, (here,) if here else (), known.search if known else EVERYTHING)
    if known and not here:
        known.warn_of_unused(found)
    wide = max((len(each.path) for each in found), default=0)
    kinds = max((len(each.kind) for each in found), default=0)
    lines = [one_line(f"{each.path:<{wide}}  {each.kind:<{kinds}}  {each.why}") for each in found]
    say(clean("\n".join([f"{counted(len(found), 'contract')} at {ref} ({commit[:12]})", *lines])))
    return ExitStatus.DONE
