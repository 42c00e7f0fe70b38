"""What the tests of `tikc diff` share: contracts of two kernels that watch what they bound, and what is told of the change between two."""

import json
import subprocess

from harness import ROOT, Case, contract

try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((ROOT / "schemas/changes.v1.schema.json").read_text())
OBSERVED = """observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
  requests: sample(requests, 100%)
escalation:
  rest: { when: violated(any), do: hold }
  silent: { when: undecided(any) for 6 windows, do: hold }
"""
LABELS = "labels: { task: [math, code, chat] }\n"
MATH = LABELS + "slices:\n  math: { when: task == \"math\" }\n"
MATH_AND_CODE = MATH + "  code: { when: task == \"code\" }\n"


def text(clauses, *sections, version="1.0.0", **options):
    rows = "".join(f"  {clause}\n" for clause in clauses)
    return contract("x", *sections, "statistical:\n" + rows, OBSERVED, **options).replace("1.0.0", version)


class Diff(Case):
    def between(self, old, new, status=None, *options):
        self.write("old.tikc.yaml", old)
        self.write("new.tikc.yaml", new)
        done = self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml", "--format=json", *options)
        if status is not None:
            self.assertEqual(done.returncode, status, done.out + done.err)
        return done

    def changes(self, old, new, status=None):
        done = self.between(old, new, status, "--fail-on=none")
        self.assertEqual(done.returncode, 0, done.out + done.err)
        written = json.loads(done.out)
        if jsonschema:
            jsonschema.validate(written, SCHEMA)
        (only,) = written["contracts"]
        return only

    def kinds(self, old, new):
        """What is told of each change, and the verdict on all."""
        found = self.changes(old, new)
        return [(row["part"], row["name"], row["kind"]) for row in found["changes"]], found["effect"]

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@n", *words], cwd=self.folder, check=True, capture_output=True)
