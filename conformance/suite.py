"""The pinned test suite: where it lies, how it gets there, and what state it is in."""

import os
import subprocess
from pathlib import Path

__all__ = [
    "STANDARD",
    "SuiteError",
    "cache_folder",
    "describe_revision",
    "obtain_suite",
]

STANDARD = "2025.12"
"""The version of the array API standard that is tested."""

SUITE_SOURCE = "https://github.com/data-apis/array-api-tests"
SUITE_COMMIT = "55fcc60179efa2680ddd6cd926ddf17b83530e2b"
SPECIFICATION_SOURCE = "https://github.com/data-apis/array-api"
SPECIFICATION_COMMIT = "5f847a3858875c682ae901aa22b0413bf24be9da"


class SuiteError(Exception):
    """The suite cannot be obtained, or what lies there is not the suite."""


def cache_folder() -> Path:
    """The folder of the pinned checkout: ``$XPDL_CONFORMANCE_CACHE``, or one in the user cache."""
    chosen = os.environ.get("XPDL_CONFORMANCE_CACHE")
    if chosen:
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "xpdl" / "array-api-tests"


def obtain_suite(given: Path | None) -> Path:
    """The folder of a suite that is ready to run.

    A folder that is ``given`` is used as it stands. Otherwise the cache folder is brought to the
    pinned commits; the network is needed only when they are not there yet.

    Raises
    ------
    SuiteError
        If ``given`` is not a checkout of the suite with its specification, or if git fails.
    """
    folder = cache_folder() if given is None else given
    if given is None:
        _check_out(folder, SUITE_SOURCE, SUITE_COMMIT)
        _check_out(folder / "array-api", SPECIFICATION_SOURCE, SPECIFICATION_COMMIT)
    for needed in ("array_api_tests", f"array-api/spec/{STANDARD}"):
        if not (folder / needed).is_dir():
            raise SuiteError(f"{folder} is no checkout of the suite: it has no {needed}")
    return folder.resolve()


def describe_revision(folder: Path) -> str:
    """The commit that ``folder`` is at, seven digits, with "modified" added where files differ."""
    if not (folder / ".git").exists():
        return "unknown revision"
    commit = _git(folder, "rev-parse", "HEAD")[:7]
    changed = _git(folder, "status", "--porcelain", "--ignore-submodules", "--untracked-files=no")
    return f"{commit}, modified" if changed else commit


def _check_out(folder: Path, source: str, commit: str) -> None:
    """Bring ``folder`` to ``commit`` of ``source``: a clone without history, made if need be."""
    if not (folder / ".git").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _git(folder, "init", "--quiet")
    elif _is_at(folder, commit):
        return
    _git(folder, "fetch", "--quiet", "--depth=1", source, commit)
    _git(folder, "checkout", "--quiet", "--force", "--detach", commit)


def _is_at(folder: Path, commit: str) -> bool:
    """Whether ``commit`` is checked out; not so in a clone that was interrupted."""
    try:
        return _git(folder, "rev-parse", "HEAD") == commit
    except SuiteError:
        return False


def _git(folder: Path, *arguments: str) -> str:
    """What ``git`` prints in ``folder``; SuiteError with git's own words when it fails."""
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=True
        )
    except FileNotFoundError:
        raise SuiteError("git is not installed; install it, or pass --suite PATH") from None
    except subprocess.CalledProcessError as error:
        words = error.stderr.strip() or f"exit status {error.returncode}"
        raise SuiteError(f"git {arguments[0]} in {folder}: {words}") from None
    return done.stdout.strip()
