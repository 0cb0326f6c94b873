"""Run the tests of exchanges and lifetimes under a memory checker.

    python -m tests.checkers sanitizers   # AddressSanitizer and UndefinedBehaviorSanitizer
    python -m tests.checkers valgrind     # memcheck

Each builds the extension for itself, in a temporary copy of the checkout. The chapters run
uncompiled there: they have no memory of their own. Libraries that are not needed are kept out, for
their code is not built for a checker. The exit status is 1 if a test fails, or if a report has a
frame of xpdl's extension in it.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("_cext", "xpdl", "tests", "setup.py", "pyproject.toml", "README.md", "LICENSE")
KEPT_OUT = ("torch", "jax", "tvm_ffi", "tensorflow", "cupy")
EXCHANGE = ("test_exchange_api", "test_consumer", "test_producer", "test_readonly_wrapper",
            "test_inspection", "test_fake_producer")  # fmt: skip
REST = ("test_lifetime", "test_robustness", "test_array", "test_getitem", "test_operators",
        "test_conversion", "test_creation", "test_device", "test_ml_dtypes", "test_dlpack_abi",
        "test_limits", "test_threads", "test_trust")  # fmt: skip
# What grows under a checker, which keeps freed memory; faults are injected below its allocator.
LEFT_OUT = "not memory and not benchmark and not address_space"
OURS = "xpdl/_cext"  # how the file of the extension begins

SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=undefined"
FRAMES = "-g -O1 -fno-omit-frame-pointer"


def build(folder, flags):
    """Copy the sources to `folder` and compile the extension there."""
    ignored = shutil.ignore_patterns("*.so", "*.c", "*.o", "__pycache__")
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder / name)
    for declaration in (folder / "xpdl").rglob("*.pxd"):
        if declaration.stem != "_cext":  # one is what marks a chapter for compilation
            declaration.unlink()
    hidden = "".join(f"sys.modules[{name!r}] = None\n" for name in KEPT_OUT)
    (folder / "conftest.py").write_text(f"import sys\n\n{hidden}")
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=folder, check=True,
        env=os.environ | {"CFLAGS": flags, "LDFLAGS": flags, "PYTHONPATH": ""},
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


def run_tests(folder, names, prefix=(), **environment):
    """Run test files in `folder`; the status of pytest."""
    files = [f"tests/{name}.py" for name in names if (folder / "tests" / f"{name}.py").exists()]
    return subprocess.run(
        [*prefix, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-r", "f",
         "-k", LEFT_OUT, *files],
        cwd=folder, check=False,
        env=os.environ | {"PYTHONMALLOC": "malloc", "PYTHONPATH": str(folder), **environment},
    ).returncode  # fmt: skip


def library(name):
    """The path of a library of gcc, None if it has none of that name."""
    if shutil.which("gcc") is None:
        return None
    found = subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    ).stdout.strip()
    return found if os.path.isabs(found) else None


def sanitizers(quick):
    libraries = library("libasan.so"), library("libubsan.so")
    if None in libraries:
        return not_run("gcc with libasan and libubsan")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, f"{SANITIZE} {FRAMES}")
        reports = folder / "reports"
        reports.mkdir()
        # Leaks are counted by tests of their own: an interpreter leaves much behind when it ends.
        # It ends threads by pthread_exit, from frames whose marks on the stack then stay: without a
        # signal stack nothing of the sanitizer writes there afterwards.
        options = f"abort_on_error=1:log_path={reports}/report"
        status = run_tests(
            folder, EXCHANGE if quick else EXCHANGE + REST, LD_PRELOAD=" ".join(libraries),
            ASAN_OPTIONS=f"detect_leaks=0:allocator_may_return_null=1:use_sigaltstack=0:{options}",
            UBSAN_OPTIONS=f"print_stacktrace=1:halt_on_error=1:{options}",
        )  # fmt: skip
        texts = [path.read_text(errors="replace") for path in reports.iterdir()]
    return conclude("sanitizers", status, texts, [text for text in texts if OURS in text])


def valgrind(quick):
    if shutil.which("valgrind") is None or shutil.which("gcc") is None:
        return not_run("valgrind and gcc")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, FRAMES)
        report = folder / "report.xml"
        command = ("valgrind", "--xml=yes", f"--xml-file={report}", "--num-callers=40",
                   "--error-limit=no", "--child-silent-after-fork=yes")  # fmt: skip
        status = run_tests(folder, EXCHANGE[:1] if quick else EXCHANGE, command)
        errors = ElementTree.parse(report).getroot().findall("error")
        # Blocks that are alive at the end are no errors: an interpreter keeps its types.
        errors = [error for error in errors if not error.findtext("kind").startswith("Leak_")]
        ours = [
            ElementTree.tostring(error, encoding="unicode") for error in errors
            if any(OURS in (frame.findtext("obj") or "") for frame in error.iter("frame"))
        ]  # fmt: skip
    return conclude("valgrind", status, errors, ours)


def not_run(needed):
    print(f"NOT RUN: needs {needed}")
    return 0


def conclude(checker, status, reports, ours):
    """Say what was found; the exit status."""
    for text in ours:
        print(text)
    print(
        f"{checker}: tests {'passed' if status == 0 else 'FAILED'}, {len(ours)} reports with a "
        f"frame of xpdl, {len(reports) - len(ours)} others"
    )
    return 1 if status or ours else 0


def main():
    parser = argparse.ArgumentParser(
        prog="python -m tests.checkers", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    checkers = {"sanitizers": sanitizers, "valgrind": valgrind}
    parser.add_argument("checker", choices=checkers)
    parser.add_argument("--quick", action="store_true", help="the exchange tests only")
    given = parser.parse_args()
    start = time.monotonic()
    status = checkers[given.checker](given.quick)
    print(f"{given.checker}: {time.monotonic() - start:.0f} s")
    return status


if __name__ == "__main__":
    sys.exit(main())
