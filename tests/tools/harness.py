"""What the end-to-end tests share: the binary under test, scratch folders, a contract that is clean."""

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TIKC = os.environ.get("TIKC") or str(ROOT / "build/release/bin/tikc")
# What runs loaded checkers.
LOADED = os.environ.get("TIKC_LOADED_DRIVER") or str(Path(TIKC).with_name("tikc_loaded_driver"))
LIBRARY = os.environ.get("TIKC_LIBRARY") or str(Path(TIKC).parent.parent / "lib/libtikc.so")

# Seconds after which a program is taken to hang. Nothing is measured by it, so it is far above what anything takes.
# How often a test kills or races a process whose moment is left to chance.
REPEATS = int(os.environ.get("TIKC_REPEATS", "12"))
PATIENCE = 300 * float(os.environ.get("TIKC_PATIENCE", "1"))
# What a process that tests start may allocate: one that runs away ends by itself, and takes no other test along.
MEMORY = 6 << 30
if Path(TIKC).parts[-3:-2] != ("sanitize",):  # a sanitizer reserves more than any machine has
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
# For such a program among others.
UNLIMITED = ("prlimit", "--data=unlimited")


def forget_repository():
    """Takes out of the environment what names a repository, as Git sets it for hooks: tests make repositories of their own."""
    try:
        names = subprocess.run(["git", "rev-parse", "--local-env-vars"], capture_output=True, text=True).stdout.split()
    except FileNotFoundError:
        return
    for name in names:
        os.environ.pop(name, None)


forget_repository()

HEAD = """tikc: v1
contract: {name}
version: 1.0.0
kernels:
  trainer: {{ engine: fsdp2, weights: bf16 }}
{middle}  rollout: {{ engine: vllm, weights: bf16 }}
{parties}
"""
MIDDLE = "  middle: { engine: transformers, weights: bf16 }\n"


def contract(name, *sections, chained=False):
    """The text of a contract of two kernels, or of a chain of three, with sections of its own."""
    parties = "chain: [trainer, middle, rollout]" if chained else "pair: { train: trainer, infer: rollout }"
    return HEAD.format(name=name, middle=MIDDLE if chained else "", parties=parties) + "".join(sections)


CLEAN = contract("rollout")
FAULTY = CLEAN + "modle: {}\n"
# One warning, TK4002, and nothing else.
WARNED = CLEAN + """numerical:
  a: max(tv) <= 1
observability:
  rows: sample(logits, 1%)
escalation:
  r: { when: violated(any), do: alert("us") }
  s: { when: undecided(any) for 6 windows, do: alert("us") }
"""


def run(*arguments, cwd=None, stdin=None, env=None, **options):
    """Runs tikc; stdin may be text or bytes."""
    if isinstance(stdin, str):
        stdin = stdin.encode()
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "SOURCE_DATE_EPOCH")}
    environment.update(env or {})
    command = [TIKC, *map(str, arguments)]
    try:
        done = subprocess.run(command, cwd=cwd, input=stdin, env=environment, capture_output=True, timeout=PATIENCE, **options)
    except subprocess.TimeoutExpired as late:
        memory = re.search(r"MemAvailable:.*", Path("/proc/meminfo").read_text())[0]
        raise AssertionError(f"{' '.join(command)} did not end in {PATIENCE:.0f} s; load {os.getloadavg()}, {memory}\n"
                             f"{(late.stdout or b'').decode(errors='replace')[-2000:]}{(late.stderr or b'').decode(errors='replace')[-2000:]}") from None
    # A path is bytes, and goes into a GitHub annotation as it is.
    done.out = done.stdout.decode("utf-8", "surrogateescape")
    done.err = done.stderr.decode("utf-8")
    return done


def must(*arguments, **options):
    """The same where nothing else will do than that it succeeds."""
    done = run(*arguments, **options)
    if done.returncode != 0:
        raise AssertionError(f"tikc {' '.join(map(str, arguments))}\n{done.out}{done.err}")
    return done


def skip(why):
    """Ends the whole file, where something that it needs is not installed."""
    print(f"skipped: {why}")
    sys.exit(77)


def skip_unless(found, why):
    if not found:
        skip(why)


def wait_until(is_so):
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise AssertionError(f"waited {PATIENCE:.0f} s in vain; load {os.getloadavg()}")
        time.sleep(0.01)


def scratch_folder(add_cleanup):
    """A folder that lies in no repository, and goes."""
    scratch = tempfile.TemporaryDirectory(prefix="tikc-test-")
    add_cleanup(scratch.cleanup)
    return Path(scratch.name).resolve()


class Case(unittest.TestCase):
    """A test with a scratch folder."""

    def setUp(self):
        self.folder = scratch_folder(self.addCleanup)

    @classmethod
    def shared_folder(cls):
        """One for all tests of the class."""
        return scratch_folder(cls.addClassCleanup)

    def write(self, name, text=CLEAN):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def tikc(self, *arguments, **options):
        options.setdefault("cwd", self.folder)
        return run(*arguments, **options)

    def expect(self, status, *arguments, **options):
        done = self.tikc(*arguments, **options)
        self.assertEqual(done.returncode, status, f"tikc {arguments}\n{done.out}{done.err}")
        return done


def main():
    if not Path(TIKC).exists():
        print(f"no binary at {TIKC}: set TIKC")
        sys.exit(1)
    unittest.main(verbosity=1)
