"""Run random cases for a while and count what happens; the exit status is 1 if a promise broke.

The cases run in processes of their own: one that crashes, hangs or fails is reported with the
command that runs it again, and the run goes on behind it.
"""

import argparse
import collections
import faulthandler
import importlib
import json
import mmap
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

TARGETS = ("capsules", "producers", "programs")
ROOT = Path(__file__).resolve().parent.parent.parent
COMMAND = [sys.executable, "-m", "tests.fuzz"]  # how a worker is started
PATIENCE = 30  # seconds for one case
MOST_FAILURES = 20
MEMORY = 16 << 30  # bytes of address space, so that what is too large is a MemoryError


def run_case(target, seed, case):
    """The outcome, a word, of one case."""
    module = importlib.import_module(f"tests.fuzz.{target}")
    return module.run_case(random.Random(f"{target}:{seed}:{case}"))


def work(target, seed, first, seconds, progress):
    """Run cases from `first` on; before each, `progress` has its number and the failures so far."""
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    sys.stdout = open(os.devnull, "w")  # one of the callables that are tried is print
    outcomes, failures = collections.Counter(), 0
    end = time.monotonic() + seconds
    case = first
    with open(progress, "r+b") as file, mmap.mmap(file.fileno(), 16) as shared:
        while time.monotonic() < end and failures < MOST_FAILURES:
            struct.pack_into("qq", shared, 0, case, failures)
            try:
                outcomes[run_case(target, seed, case)] += 1
            except Exception:
                failures += 1
                print(f"--- {target} {seed}:{case}\n{traceback.format_exc()}", file=sys.stderr)
            case += 1
    json.dump({"cases": case - first, "failures": failures, "outcomes": outcomes}, sys.__stdout__)


def run_worker(target, seed, first, seconds):
    """Run a worker to its end: what it reports, or how it died, and the case after its last."""
    with tempfile.NamedTemporaryFile() as progress:
        progress.write(bytes(16))
        progress.flush()

        def last():
            """The case that runs, and the failures before it."""
            return struct.unpack("qq", Path(progress.name).read_bytes())

        worker = subprocess.Popen(
            [*COMMAND, "--target", target, "--seed", str(seed), "--seconds", str(seconds),
             "--work", str(first), progress.name],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        seen, since = last(), time.monotonic()
        while True:
            try:
                output, _ = worker.communicate(timeout=1)
                break
            except subprocess.TimeoutExpired:
                if last() != seen:
                    seen, since = last(), time.monotonic()
                elif time.monotonic() - since > PATIENCE:
                    worker.send_signal(signal.SIGABRT)  # so that it says where it is
        if worker.returncode == 0:
            return json.loads(output), None
        case, failures = last()
        code = worker.returncode
        ended = f"by {signal.Signals(-code).name}" if code < 0 else f"with status {code}"
        print(f"--- {target} {seed}:{case} ended {ended}", file=sys.stderr)
        counts = {"cases": case + 1 - first, "failures": failures + 1, "outcomes": {"died": 1}}
        return counts, case + 1


def fuzz(target, seed, seconds):
    """Run a target for some seconds; the counts."""
    total, outcomes, failures = 0, collections.Counter(), 0
    first, end = 0, time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and failures < MOST_FAILURES:
        counts, first = run_worker(target, seed, first, left)
        total += counts["cases"]
        failures += counts["failures"]
        outcomes.update(counts["outcomes"])
        if first is None:
            break
    words = ", ".join(f"{number} {word}" for word, number in outcomes.most_common())
    print(f"{target:9} {total:9} cases, {failures} failures: {words}", flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--target", choices=TARGETS, help="one of them; all by default")
    parser.add_argument("--seconds", type=float, default=60, help="of the whole run")
    parser.add_argument("--seed", type=int, default=0, help="a run is made again by its seed")
    parser.add_argument("--replay", metavar="SEED:CASE", help="run one case of --target, in here")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        first, progress = given.work
        work(given.target, given.seed, int(first), given.seconds, progress)
        return 0
    if given.replay:
        seed, _, case = given.replay.partition(":")
        print(run_case(given.target, int(seed), int(case)))
        return 0
    targets = (given.target,) if given.target else TARGETS
    print(f"seed {given.seed}, {given.seconds:g} seconds, Python {sys.version.split()[0]}")
    failures = [fuzz(target, given.seed, given.seconds / len(targets)) for target in targets]
    print("replay one: python -m tests.fuzz --target TARGET --replay SEED:CASE")
    return 1 if any(failures) else 0


if __name__ == "__main__":
    sys.exit(main())
