"""`tikc diff`: what a change to a contract means, between files and revisions of a repository."""

import json
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main  # noqa: E402

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


class Meaning(Diff):
    """Decided by what is said, whatever the words."""

    def test_of_one_clause(self):
        for old, new, kind, effect in [
            ("max(k3) <= 0.1", "max(k3) <= 0.2", "looser", "looser"),
            ("max(k3) <= 0.2", "max(k3) <= 0.1", "tighter", "tighter"),
            ("max(k3) <= 0.1", "max(k3) < 0.1", "tighter", "tighter"),
            ("mean(ratio) in [0.9, 1.1]", "mean(ratio) in [0.8, 1.2]", "looser", "looser"),
            ("mean(ratio) in [0.9, 1.1]", "mean(ratio) in [1, 1.2]", "looser", "looser"),
            ("max(k3) <= 0.1", "p99(k3) <= 0.1", "looser", "looser"),
            ("p99(k3) <= 0.1", "mean(k3) <= 0.1", "may be looser", "looser"),
            ("p99(k3) <= 0.1", "max(k3) <= 0.1", "tighter", "tighter"),
            ("p99(k3) <= 0.1", "rate(k3 > 0.1) <= 1%", "restated", "same"),
            ("max(abs(logprob_gap)) <= 1 bit", "max(abs(logprob_gap)) <= 0.7 nat", "looser", "looser"),
            ("max(abs(logprob_gap)) <= 0.7", "max(abs(logprob_gap)) <= 1 bit", "tighter", "tighter"),
            ("max(k3) <= 0.1", "max(k2) <= 0.1", "may be looser", "looser"),
            ("mean(k3) <= 0.1 over 10 min", "mean(k3) <= 0.1 over 600 s", None, "same"),
            ("mean(k3) <= 0.1 over 10 min", "mean(k3) <= 0.1 over 1 h", "evidence", "changed"),
            ("mean(k3) <= 0.1 over 10 min", "mean(k3) <= 0.05 over 1 h", "tighter", "tighter"),
        ]:
            with self.subTest(old=old, new=new):
                rows, verdict = self.kinds(text([f"a: '{old}'"]), text([f"a: '{new}'"]))
                self.assertEqual(rows, [("clause", "a", kind)] if kind else [])
                self.assertEqual(verdict, effect)

    def test_what_shows_that_it_is_looser(self):
        """Numbers that meet the new clause and break the old one, where there are such."""
        for old, new, expected in [
            ("p99(latency) <= 45 s", "p99(latency) <= 60 s", ["p99(latency) of 50 s"]),
            ("p99(latency) <= 45 s", "p99(latency) <= 1 min", ["p99(latency) of 0.8 min"]),
            ("max(k3) <= 0.1", "p99(k3) <= 0.1", ["p99(k3) of 0.05", "max(k3) of 0.15"]),
            ("mean(ratio) in [0.9, 1.1]", "mean(ratio) in [1, 1.2]", ["mean(ratio) of 1.15"]),
            ("count(nonfinite) <= 0 over 10 min", "count(nonfinite) <= 1 over 10 min", ["count(nonfinite) of 1"]),
            ("count(nonfinite) <= 0 over 10 min", "count(nonfinite) <= 1 over 20 min", []),
            ("max(k3) <= 0.1", "max(k2) <= 0.1", []),
            ("max(k3) <= 0.1 and mean(k3) <= 0.01", "max(k3) <= 0.1 and mean(k3) <= 0.02", []),
            ("p99(k3) <= 0.2", "p99(k3) <= 0.1", []),
        ]:
            with self.subTest(old=old, new=new):
                was, now = text([f"a: '{old}'"]), text([f"a: '{new}'"])
                (row,) = self.changes(was, now)["changes"]
                self.assertEqual([f"{each['figure']} of {each['value']}" for each in row.get("witness", [])], expected)
                told = self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml").out
                self.assertEqual(f"{' with '.join(expected)} meets the new one and breaks the old one" in told, bool(expected))
        # Not where the two are about other laws, or other requests.
        loose = text(["a: mean(k3) <= 0.2"])
        for old in (loose.replace("0.2", "0.1").replace("weights: bf16 }\npair", "weights: bf16, sampling: { temperature: 0.9 } }\npair"), text(["a: mean(k3) <= 0.1"], MATH)):
            rows = self.changes(old, loose)["changes"]
            self.assertEqual([row.get("witness") for row in rows if row["part"] == "clause"], [None])
        claim = "claims: { drift: tv <= 0.5 }\n"
        (row,) = [row for row in self.changes(text(["a: mean(tv) <= 0.1"], claim), text(["a: mean(tv) <= 0.1"], claim.replace("0.5", "0.9")))["changes"]]
        self.assertEqual(row["witness"], [{"figure": "tv", "value": "0.7"}])

    def test_clauses_that_come_and_go(self):
        one, other = "a: max(k3) <= 0.1", "b: mean(k2) <= 0.1"
        self.assertEqual(self.kinds(text([one, other]), text([other, one])), ([], "same"))
        self.assertEqual(self.kinds(text([one, other]), text([one])), ([("clause", "b", "removed")], "looser"))
        self.assertEqual(self.kinds(text([one]), text([one, other])), ([("clause", "b", "added")], "tighter"))
        self.assertEqual(self.kinds(text([one]), text(["c: max(k3) <= 0.1"])), ([("clause", "c", "renamed")], "same"))
        # What another clause implies is no loss, but that its id is gone.
        implied = self.changes(text([one, "b: p99(k3) <= 0.2"]), text([one]))
        self.assertEqual([row["kind"] for row in implied["changes"]], ["removed, implied"])
        self.assertIn("`a`", implied["changes"][0]["why"])
        self.assertEqual((implied["effect"], implied["version"]["needed"]), ("same", "major"))

    def test_slices(self):
        mean, most = ["a: mean(k3) <= 0.1"], ["a: max(k3) <= 0.1"]
        for old, new, of_mean, of_most in [
            (MATH, MATH_AND_CODE, "tighter", []),  # a mean of each part is one of the whole
            (MATH_AND_CODE, MATH, "may be looser", []),
            ("", MATH, "tighter", []),
            (MATH, MATH.replace("task == \"math\"", "'not (task in {\"code\", \"chat\"})'"), [], []),
            (MATH, MATH.replace("math:", "maths:"), [], []),
            # The remainder is bound as any slice.
            (MATH_AND_CODE, MATH_AND_CODE.replace("== \"code\"", "== \"chat\""), [], []),
            (MATH_AND_CODE, MATH_AND_CODE.replace("== \"code\"", "!= \"chat\"").replace("== \"math\"", "== \"chat\""), "may be looser", []),
        ]:
            for clauses, expected in ((mean, of_mean), (most, of_most)):
                with self.subTest(old=old, new=new, clauses=clauses):
                    rows, _ = self.kinds(text(clauses, old), text(clauses, new))
                    self.assertEqual([kind for part, _, kind in rows if part == "clause"], [expected] if expected else [])
        rows, _ = self.kinds(text(mean, MATH), text(mean, MATH.replace("math:", "maths:")))
        self.assertEqual(rows, [("slice", "maths", "renamed")])
        rows, _ = self.kinds(text(mean, MATH_AND_CODE), text(mean, LABELS + "slices:\n  both: { when: 'task in {\"math\", \"code\"}' }\n"))
        self.assertIn(("slice", "math", "merged"), rows)

    def test_the_mixture(self):
        weighted = MATH.replace("\" }\n", "\", weight: 20% }\n")
        each, mixed = ["a: mean(k3) <= 0.1"], ["a: mean(k3) <= 0.1 on all"]
        self.assertEqual(self.kinds(text(mixed, MATH), text(each, MATH))[1], "tighter")
        self.assertEqual(self.kinds(text(each, MATH), text(mixed, MATH))[1], "looser")
        rows, _ = self.kinds(text(mixed, weighted), text(mixed, weighted.replace("20%", "30%")))
        self.assertEqual(rows, [("clause", "a", "may be looser"), ("slice", "math.weight", "described anew")])

    def test_facts_and_assumptions(self):
        given = "assumptions: { step_reward: [0, 1], advantage: 4, score_norm: 8, support: full, estimator: step, correction: none }\n"
        claims = "claims: { drift: step_reward_drift <= 5, bias: pg_bias <= 500 }\n"
        base = text(["a: max(abs(logprob_gap)) <= 0.1"], given, claims)
        for old, new, expected in [
            ("{ step", "{ ratio_cap: 9, step", [("assumption", "ratio_cap", "described anew")]),  # no claim rests on it
            ("[0, 1]", "[0, 2]", [("assumption", "step_reward", "assumes less")]),
            ("[0, 1]", "[0, 0.5]", [("assumption", "step_reward", "assumes more")]),
            ("advantage: 4", "advantage: 3", [("assumption", "advantage", "assumes more")]),
            ("correction: none", "correction: is", [("assumption", "correction", "changed")]),
            ("engine: vllm", "engine: sglang", [("kernel", "rollout.engine", "described anew")]),
            ("weights: bf16 }\npair", "weights: bf16, sampling: { temperature: 0.9 } }\npair", [("kernel", "rollout.sampling.temperature", "changed")]),
            ("rollout", "server", [("kernel", "server", "renamed")]),
        ]:
            with self.subTest(new=new):
                self.assertIn(old, base)
                self.assertEqual(self.kinds(base, base.replace(old, new))[0], expected)

    def test_kernels_are_renamed_only_where_the_names_are_free(self):
        base = text(["a: max(k3) <= 0.1"]).replace("pair:", "  spare: { engine: vllm, weights: fp8_e4m3 }\npair:")
        self.assertIn("spare", base)
        self.assertEqual(self.kinds(base, base.replace("spare", "other_one")), ([("kernel", "other_one", "renamed")], "same"))
        two = base.replace("  spare:", "  spare_too: { engine: vllm, weights: fp8_e4m3 }\n  spare:")
        one = base.replace("spare", "other_one")
        self.assertNotIn("renamed", [kind for _, _, kind in self.kinds(two, one)[0]])  # which of two would be a guess
        for name in ("train", "infer"):
            swapped = base.replace(f"{name}: trainer" if name == "train" else f"{name}: rollout", f"{name}: spare")
            self.assertNotEqual(swapped, base)
            self.assertIn(("kernel", "pair", "changed"), self.kinds(base, swapped)[0])

    def test_claims_of_slices_that_nothing_comes_to_are_lost(self):
        slices = "labels: { task: [math, code] }\nslices:\n  math: { when: task == \"math\", weight: 50% }\n  code: { when: task == \"code\", weight: 40% }\n"
        base = text(["a: max(abs(logprob_gap)) <= 0.1"], slices, "assumptions: { support: full }\nclaims:\n  far: tv <= 0.2\n")
        found = self.changes(base, base.replace("40%", "50%"))
        self.assertEqual([(row["slices"], row["lost"]) for row in found["claims"]], [("other", True)])
        self.assertEqual(found["effect"], "looser")
        # Of one slice a contract says what it says of each.
        found = self.changes(base.replace(slices, ""), base)
        self.assertEqual(found["claims"], [])

    def test_reactions(self):
        base = text(["a: max(k3) <= 0.1", "b: max(k2) <= 0.1"])
        for old, new, kind in [
            ("for 6 windows, do: hold", "for 9 windows, do: hold", "looser"),
            ("for 6 windows, do: hold", "for 3 windows, do: hold", "tighter"),
            ("violated(any), do: hold", "violated(any), do: rollback", "may be looser"),
            ("violated(any), do: hold", "violated(any), do: [hold, alert(\"us\")]", "tighter"),
            ("violated(any), do: hold", "violated(any), do: alert(\"us\")", "looser"),
            ("violated(any), do: hold", "violated(any), do: hold, until: satisfied(any) for 2 windows", "looser"),
        ]:
            with self.subTest(new=new):
                rows, _ = self.kinds(base, base.replace(old, new))
                self.assertEqual([kind for part, _, kind in rows if part == "rule"], [kind])
        rows, _ = self.kinds(base, base.replace("sample(logprobs, 100%)", "sample(logprobs, 10%)"))
        self.assertEqual(rows, [("directive", "tokens", "looser")])
        # What is new only adds, unless it takes the traffic from where an old rule has it.
        routes = base.replace("  silent", "  away: { when: violated(a), do: 'route(trainer, probe=1%)', until: satisfied(a) }\n  silent").replace("violated(any), do: hold", "violated(any), do: alert(\"us\")").replace("windows, do: hold", "windows, do: alert(\"us\")")
        for rule, kind in [
            ("{ when: violated(b), do: alert(\"them\") }", "added"),
            ("{ when: violated(b), do: rollback }", "added"),
            ("{ when: violated(b), do: hold }", "may be looser"),
        ]:
            with self.subTest(rule=rule):
                rows, _ = self.kinds(routes, routes.replace("  silent", f"  fresh: {rule}\n  silent"))
                self.assertEqual([kind for part, name, kind in rows if name == "fresh"], [kind])
        both = routes.replace("  silent", "  there: { when: violated(b), do: 'route(rollout_two, probe=1%)', until: satisfied(b) }\n  silent").replace(
            "pair:", "  rollout_two: { engine: vllm, weights: bf16 }\npair:")
        lines = both.splitlines(keepends=True)
        (away,), (there,) = ([i for i, line in enumerate(lines) if line.startswith(f"  {name}:")] for name in ("away", "there"))
        lines[away], lines[there] = lines[there], lines[away]
        self.assertEqual(self.kinds(both, "".join(lines)), ([("rule", "there", "may be looser")], "looser"))
        # A rule says of a renamed clause what it said.
        watched = base.replace("violated(any)", "violated(a)").replace("  silent", "  other: { when: violated(b), do: hold }\n  silent")
        rows, _ = self.kinds(watched, watched.replace("  a:", "  gap:").replace("violated(a)", "violated(gap)"))
        self.assertEqual(rows, [("clause", "gap", "renamed")])

    def test_what_is_too_much_is_told(self):
        def sliced(shift):
            rows = "".join(f"  s{i}: {{ when: prompt_tokens == {2 * i + shift} }}\n" for i in range(80))
            return text(["a: mean(k3) <= 0.1"], "slices:\n" + rows)

        rows, verdict = self.kinds(sliced(0), sliced(1))
        self.assertIn(("clause", "a", "may be looser"), rows)
        self.assertEqual(verdict, "looser")
        many = [[f"{name}{i}: max(k3) <= 0.{i + 1000}" for i in range(900)] for name in "ab"]
        rows, verdict = self.kinds(text([f"{row}1" for row in many[0]]), text([f"{row}2" for row in many[1]]))
        self.assertIn(("clause", "all", "may be looser"), rows)

    def test_no_form_steers_a_terminal(self):
        old = text(["a: max(k3) <= 0.1"]).replace("version:", "owners: [plain]\nversion:")
        self.write("old.tikc.yaml", old)
        self.write("new.tikc.yaml", old.replace("plain", '"\\e[31mred"'))
        for form in ("text", "json", "markdown", "github"):
            self.assertNotIn("\x1b", self.tikc("diff", "old.tikc.yaml", "new.tikc.yaml", f"--format={form}").out, form)

    def test_claims(self):
        clauses, claims = ["a: max(abs(logprob_gap)) <= 0.1"], "claims:\n  far: tv <= 0.2\n"
        given = "assumptions: { support: full }\n"
        base = text(clauses, given, claims)
        found = self.changes(base, base.replace("<= 0.1", "<= 0.9"))
        (row,) = found["claims"]
        self.assertTrue(row["lost"])
        found = self.changes(base, base.replace("<= 0.1\n", "<= 0.05\n"))
        (row,) = found["claims"]
        self.assertFalse(row["lost"] or row["nearer"])
        self.assertEqual(self.kinds(base, base.replace(claims, ""))[0], [("claim", "far", "removed")])

    def test_what_was_observed_before(self):
        for old, new, decides in [
            ("mean(k3) <= 0.1", "mean(k3) <= 0.2", True),
            ("max(k3) <= 0.1", "max(k3) <= 0.05", True),
            ("p99(k3) <= 0.1", "p99(k3) <= 0.2", False),
            ("rate(k3 > 0.1) <= 1%", "rate(k3 > 0.1) <= 2%", True),
            ("rate(k3 > 0.1) <= 1%", "rate(k3 > 0.2) <= 1%", False),
            ("mean(k3) <= 0.1", "max(k3) <= 0.1", False),
        ]:
            with self.subTest(new=new):
                (row,) = self.changes(text([f"a: {old}"]), text([f"a: {new}"]))["changes"]
                self.assertEqual(row["observed"]["decides"], decides)


class Versions(Diff):
    def test_which_step_is_enough(self):
        loose, tight = ["a: max(k3) <= 0.2"], ["a: max(k3) <= 0.1"]
        for old, new, after, enough in [
            (tight, loose, "1.0.1", False), (tight, loose, "1.1.0", False), (tight, loose, "2.0.0", True),
            (loose, tight, "1.0.1", False), (loose, tight, "1.1.0", True), (loose, loose, "1.0.0", True),
        ]:
            with self.subTest(after=after):
                found = self.changes(text(old), text(new, version=after))
                self.assertEqual(found["version"]["enough"], enough)
        for after, enough in [("0.3.1", False), ("0.4.0", True), ("1.0.0", True)]:
            found = self.changes(text(tight, version="0.3.0"), text(loose, version=after))
            self.assertEqual(found["version"]["enough"], enough)
        self.assertEqual(self.changes(text(tight), text(loose))["version"]["next"], "2.0.0")

    def test_what_fails(self):
        loose, tight = text(["a: max(k3) <= 0.2"], version="2.0.0"), text(["a: max(k3) <= 0.1"])
        for on, status in [("looser", 1), ("changed", 1), ("major", 0), ("minor", 0), ("any", 1), ("none", 0)]:
            self.between(tight, loose, status, f"--fail-on={on}")
        self.between(tight, loose.replace("2.0.0", "1.5.0"), 1)
        self.between(tight, tight, 0, "--fail-on=any")


class Sides(Diff):
    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@n", *words], cwd=self.folder, check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        self.assertTrue(shutil.which("git"))
        self.write("base.tikc.yaml", "tikc: v1\ncontract: base\nabstract: true\nstatistical:\n  a: max(k3) <= 0.1\n")
        self.write("c/kid.tikc.yaml", contract("kid", OBSERVED).replace("version", "extends: ../base.tikc.yaml\nversion"))
        self.write("c/own.tikc.yaml", text(["a: max(k3) <= 0.1"]))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")

    def effects(self, *words, status=0):
        done = self.expect(status, "diff", *words, "--format=json", "--fail-on=none")
        return {row["contract"]: (row["in"], row["effect"]) for row in json.loads(done.out)["contracts"]}

    def test_revisions(self):
        self.assertEqual(self.effects("git:HEAD"), {"kid": ("both", "same"), "x": ("both", "same")})
        self.write("base.tikc.yaml", "tikc: v1\ncontract: base\nabstract: true\nstatistical:\n  a: max(k3) <= 0.2\n")
        # A parent's change is a child's.
        for words in (["git:HEAD"], ["git:HEAD", "base.tikc.yaml"], ["git:HEAD", "c/kid.tikc.yaml"]):
            self.assertEqual(self.effects(*words)["kid"], ("both", "looser"))
        self.assertEqual(self.effects("git:HEAD:c/kid.tikc.yaml", "c/kid.tikc.yaml"), {"kid": ("both", "looser")})
        said = self.expect(0, "diff", "git:HEAD", "c/kid.tikc.yaml", "--fail-on=none").out
        self.assertIn("(git:HEAD:/base.tikc.yaml:5:3 -> base.tikc.yaml:5:3)", said)
        self.git("commit", "-qam", "two")
        self.assertEqual(self.effects("git:HEAD~1", "git:HEAD")["kid"], ("both", "looser"))
        self.assertEqual(self.effects("git:HEAD", "git:HEAD~1")["kid"], ("both", "tighter"))

    def test_files_that_come_and_go(self):
        self.git("mv", "c/own.tikc.yaml", "c/moved.tikc.yaml")
        self.assertEqual(self.effects("git:HEAD")["x"], ("both", "same"))
        self.write("c/more.tikc.yaml", contract("more", OBSERVED))
        self.assertEqual(self.effects("git:HEAD")["more"], ("new", "tighter"))
        (self.folder / "c/kid.tikc.yaml").unlink()
        self.assertEqual(self.effects("git:HEAD")["kid"], ("old", "looser"))
        # No version says that a contract is gone.
        self.expect(1, "diff", "git:HEAD")
        self.expect(1, "diff", "git:HEAD", "--fail-on=minor")

    def test_what_is_shown_of_a_revision_can_be_asked_for(self):
        self.assertEqual(self.effects("git:HEAD:/c/own.tikc.yaml", "c/own.tikc.yaml"), {"x": ("both", "same")})

    def test_what_a_revision_has_and_cannot_be_read_is_not_new(self):
        name = subprocess.run(["git", "rev-parse", "HEAD:c/own.tikc.yaml"], cwd=self.folder, check=True, capture_output=True, text=True).stdout.strip()
        place = self.folder / ".git/objects" / name[:2] / name[2:]
        self.write("c/own.tikc.yaml", text(["a: max(k3) <= 0.2"]))
        whole = place.read_bytes()
        place.chmod(0o644)
        for spoil in (place.unlink, lambda: place.write_bytes(b"no object")):
            spoil()
            for words in (["diff", "git:HEAD"], ["diff", "git:HEAD", "c/own.tikc.yaml"], ["diff", "git:HEAD:c/own.tikc.yaml", "c/own.tikc.yaml"],
                          ["check", "--against=git:HEAD", "c/own.tikc.yaml"]):
                self.assertIn("cannot be read", self.expect(2, *words).err, words)
        place.write_bytes(whole)
        self.expect(1, "diff", "git:HEAD", "c/own.tikc.yaml")

    def test_a_link_of_a_revision_is_not_nothing(self):
        (self.folder / "c/link.tikc.yaml").symlink_to("own.tikc.yaml")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        (self.folder / "c/link.tikc.yaml").unlink()
        self.write("c/link.tikc.yaml", text(["a: max(k3) <= 0.2"]))
        self.assertIn("is a link", self.expect(2, "diff", "git:HEAD", "c/link.tikc.yaml").err)

    def test_settings_of_a_revision(self):
        self.write("tikc.yaml", "exclude: [c/kid.tikc.yaml]\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        self.assertEqual(set(self.effects("git:HEAD")), {"x"})
        for words, names in ((["git:HEAD", "c/kid.tikc.yaml"], {"kid"}), (["--force-exclude", "git:HEAD", "c/kid.tikc.yaml"], set())):
            self.assertEqual(set(self.effects(*words)), names)

    def test_what_cannot_be_read(self):
        for words, why in [
            (["git:nope"], "`nope` is no revision of"),
            (["git:--help"], "`--help` names no revision"),
            (["git:"], "names no revision"),
            (["git:HEAD:c/nope.tikc.yaml", "c"], "`HEAD` has no contract at `c/nope.tikc.yaml`"),
            (["c", "c", "base.tikc.yaml"], "several new paths"),
            (["nope.tikc.yaml", "c"], "cannot read `nope.tikc.yaml`"),
        ]:
            self.assertIn(why, self.expect(2, "diff", *words).err)
        self.assertIn("git is needed", self.expect(2, "diff", "git:HEAD", env={"PATH": "/nonexistent"}).err)
        with unittest.mock.patch.dict("os.environ", {"GIT_CEILING_DIRECTORIES": str(self.folder.parent)}):
            shutil.rmtree(self.folder / ".git")
            self.assertIn("in no work tree of Git", self.expect(2, "diff", "git:HEAD").err)

    def test_errors_of_a_side(self):
        whole, faulty = text(["a: max(k3) <= 0.1"]), text(["a: max(k4) <= 0.1"])
        for old, new, which in ((faulty, whole, "old"), (whole, faulty, "new")):
            done = self.between(old, new, 2)
            self.assertIn("TK5001", done.err)
            self.assertIn(f"the {which} contract has errors", done.err)
        # What was wrong and is gone is no loss.
        self.write("o/a.tikc.yaml", faulty)
        self.write("o/b.tikc.yaml", contract("kept", OBSERVED))
        self.write("n/b.tikc.yaml", contract("kept", OBSERVED))
        self.assertEqual(self.effects("o", "n"), {"kept": ("both", "same")})

    def test_a_link_in_a_revision_leads_nowhere(self):
        (self.folder / "c/link.tikc.yaml").symlink_to("/etc/passwd")
        self.git("add", "-A")
        self.git("commit", "-qm", "two")
        (self.folder / "c/link.tikc.yaml").unlink()
        self.assertEqual(set(self.effects("git:HEAD")), {"kid", "x"})

    def test_standard_input_and_forms(self):
        old = text(["a: max(k3) <= 0.1"])
        new = text(["a: { require: max(k3) <= 0.2, because: '|<b>` ``` @all' }"])
        self.write("new.tikc.yaml", new)
        done = self.expect(1, "diff", "-", "new.tikc.yaml", stdin=old)
        self.assertIn("looser    clause a: max(k3) <= 0.1 -> max(k3) <= 0.2  (<stdin>:9:3 -> new.tikc.yaml:9:3)", done.out)
        said = self.expect(1, "diff", "-", "new.tikc.yaml", "--format=markdown", stdin=old).out
        self.assertIn("````\\|<b>` ``` @all````", said)
        for line in said.splitlines():
            if line.startswith("| "):
                self.assertEqual(len(re.findall(r"(?<!\\)\|", line)), 6, line)
        said = self.expect(1, "diff", "-", "new.tikc.yaml", "--format=github", stdin=old).out
        self.assertRegex(said, r"^::error file=new\.tikc\.yaml,line=9,")


class Schema(Diff):
    def test_its_words_are_those_of_the_tables(self):
        words = SCHEMA["definitions"]["change"]["properties"]
        for key, table in (("kind", "Kinds"), ("part", "Parts")):
            rows = re.findall(r'^[A-Z]+\(\w+, "([^"]+)"', (ROOT / f"compiler/changes/{table}.def").read_text(), re.M)
            self.assertEqual(sorted(words[key]["enum"]), sorted(rows))


class Against(Diff):
    git = Sides.git

    def test_new_files_are_read_once(self):
        """A pipe has a text once."""
        self.write("old.tikc.yaml", text(["a: max(k3) <= 0.1"]))
        done = self.tikc("check", "--against", "old.tikc.yaml", "/dev/stdin", "--format=json", stdin=text(["a: max(k3) <= 0.2"], version="1.0.1"))
        self.assertEqual(re.findall(r'"code": "(TK65\d\d)"', done.out), ["TK6501", "TK6503"], done.out + done.err)

    def test_the_root_is_that_of_both_sides(self):
        base = "tikc: v1\ncontract: base\nabstract: true\nstatistical:\n  a: max(k3) <= 0.1\n"
        self.write("base.tikc.yaml", base)
        self.write("c/tikc.yaml", "root: .\n")
        self.write("c/kid.tikc.yaml", contract("kid", OBSERVED).replace("version", "extends: ../base.tikc.yaml\nversion"))
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "one")
        self.write("base.tikc.yaml", base.replace("0.1", "0.2"))
        for words in (["c"], ["c/kid.tikc.yaml"], ["base.tikc.yaml"]):
            for root in (".", "..") if words == ["c"] else (".",):
                done = self.tikc("check", "--root", root, "--against=git:HEAD", *words, "--format=json")
                self.assertIn("TK6501", done.out, done.err)
                self.assertEqual(done.err, "")
        done = self.expect(2, "check", "--against=git:HEAD", "c")
        self.assertIn("TK5020", done.err)
        self.assertIn("TK5020", done.out)

    def test_findings_of_a_check(self):
        self.write("old.tikc.yaml", text(["a: max(k3) <= 0.1"]))
        new = text(["a: max(k3) <= 0.2"])
        for version, status, codes in [("1.0.1", 1, ["TK6501", "TK6503"]), ("2.0.0", 0, ["TK6503"])]:
            self.write("new.tikc.yaml", new.replace("1.0.0", version))
            done = self.expect(status, "check", "--against", "old.tikc.yaml", "new.tikc.yaml", "--format=json")
            self.assertEqual(re.findall(r'"code": "(TK65\d\d)"', done.out), codes)
        # One file, whichever run read it.
        self.write("new.tikc.yaml", new.replace("1.0.0", "1.0.1").replace("max(k3) <= 0.2", "max(tv) <= 1").replace("a:", "a: # of rows\n   "))
        self.assertIn(" in 1 file (1 checked)", self.expect(1, "check", "--against", "old.tikc.yaml", "new.tikc.yaml").out)
        self.expect(2, "check", "--against", "old.tikc.yaml", "-", stdin=new)
        self.expect(2, "check", "--against", "old.tikc.yaml", "--fix", "new.tikc.yaml")
        self.expect(2, "check", "--against", "nowhere.tikc.yaml", "new.tikc.yaml")


if __name__ == "__main__":
    main()
