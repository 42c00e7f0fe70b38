"""`tikc test`: what is as expected passes, what is not is told with the ticks up to there, and what is generated passes."""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main  # noqa: E402

SLICED = contract("rollout", """labels: { task: [math, code] }
slices:
  math: { when: task == "math" }
numerical:
  drift: p99(logit_osc) <= 0.25
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat over 50_000 tokens on math
observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
escalation:
  away:
    when: violated(drift) for 2 windows
    until: satisfied(drift) for 3 windows
    steps:
      - { for: 2 windows, do: 'correct(tis, 2)' }
      - { for: 9 windows, do: [quarantine, alert("us")] }
  apart: { when: violated(gap), do: alert("them"), until: satisfied(gap) }
  stale: { when: undecided(any) for 6 windows, do: hold, until: not undecided(any) }
""")
FIXTURE = """contract: rollout.tikc.yaml
tests:
  away:
    slice: math
    verdicts: {{ drift: violated*{windows} satisfied*3 }}
    expect:
      - {{ at: 2, starts: [away], active: [away], traffic: 'correct(tis, 2.0)', alerts: [] }}
      - {{ at: 4, steps: [away], traffic: quarantine, alerts: [us] }}
      - {{ at: 7, ends: [away], active: [], traffic: usual }}
"""


class PolicyTests(Case):
    def setUp(self):
        super().setUp()
        self.write("rollout.tikc.yaml", SLICED)

    def fixture(self, text):
        self.write("rollout.tikc-test.yaml", text)

    def test_what_is_as_expected_passes(self):
        self.fixture(FIXTURE.format(windows=4))
        for path in ("rollout.tikc-test.yaml", ".", None):
            done = self.expect(0, "test", *([path] if path else []))
            self.assertIn("1 test in 1 file: all pass", done.out)
            self.assertIn("rollout: tests cover 3 of 7 starts, steps and ends", done.out)
            self.assertIn("not tested: apart starts, apart ends, stale starts, stale ends", done.out)
        self.assertEqual(self.expect(0, "test", "-q").out, "")

    def test_what_is_not_is_told_with_its_ticks(self):
        self.fixture(FIXTURE.format(windows=3))
        done = self.expect(1, "test")
        self.assertIn("`away` fails at tick 7: `ends` is [], not [away]", done.out)
        self.assertIn("tick  drift      active  traffic", done.out)
        self.assertRegex(done.out, r"3 +violated +away +correct\(tis, 2\)")
        self.assertIn("1 test in 1 file: 1 fails", done.out)

    def test_an_expectation_can_be_taken_from_what_is(self):
        self.fixture(FIXTURE.format(windows=4).replace("active: [away]", "active: [away, stale]"))
        found = json.loads(self.expect(1, "test", "--format=json").out)["diagnostics"]
        self.assertEqual([each["code"] for each in found], ["TK7101"])
        self.assertEqual(found[0]["fixes"][0]["edits"][0]["text"], "[away]")

    def test_of_faults_in_a_test_each_is_told_once_and_where_it_is(self):
        cases = {
            "drift: violatd": ("TK7102", "violatd"),
            "drift: violated*0": ("TK7102", "violated*0"),
            "drift: undecided kept": ("TK7103", "kept"),
            "drfit: violated": ("TK5008", "drfit"),
            "drift: violated*99999": ("TK7105", "violated*99999"),
        }
        for verdicts, (code, where) in cases.items():
            with self.subTest(verdicts):
                self.fixture(FIXTURE.format(windows=4).replace("drift: violated*4 satisfied*3", verdicts))
                found = json.loads(self.expect(1, "test", "--format=json").out)["diagnostics"]
                self.assertEqual([each["code"] for each in found], [code])
                text = (self.folder / "rollout.tikc-test.yaml").read_text()
                span = found[0]["range"]
                line = text.splitlines()[span["start"]["line"] - 1]
                self.assertEqual(line[span["start"]["column"] - 1:span["end"]["column"] - 1], where)

    def test_a_slice_without_traffic_has_no_verdicts(self):
        """What a route without a probe, or a rollback, leaves to judge by: nothing that is measured on the server."""
        self.write("rollout.tikc.yaml", SLICED.replace("do: alert(\"them\"), until: satisfied(gap)", "do: rollback"))
        fixture = """contract: rollout.tikc.yaml
tests:
  apart:
    slice: math
    verdicts: {{ gap: {gap}, drift: {drift} }}
    expect:
      - {{ at: 4, active: [{active}], traffic: rollback }}
"""
        def coded(**words):
            self.fixture(fixture.format(**{"drift": "satisfied", "active": "apart", **words}))
            done = self.tikc("test", "--format=json")
            return [(each["code"], each["range"]["start"]["column"]) for each in json.loads(done.out)["diagnostics"]]
        self.assertEqual(coded(gap="violated undecided*3"), [])
        self.assertEqual(coded(gap="violated"), [])  # what is not said is undecided by itself
        self.assertEqual(coded(gap="violated kept*3"), [("TK7109", 31)])
        self.assertEqual(coded(gap="violated satisfied*3"), [("TK7109", 31)])
        self.assertEqual(coded(gap="violated", drift="satisfied*2"), [("TK7109", 39)])
        self.assertEqual(coded(gap="violated unasked*3"), [("TK7112", 31)])
        # A rule for missing data starts by what others do.
        self.fixture(fixture.format(gap="violated", drift="satisfied", active="apart, stale").replace("at: 4", "at: 7"))
        self.expect(0, "test")

    def test_what_cannot_be_is_not_given(self):
        def codes(contract, verdicts, slice_):
            self.write("rollout.tikc.yaml", contract)
            self.fixture(f"contract: rollout.tikc.yaml\ntests:\n  t:\n    slice: {slice_}\n    verdicts: {{ {verdicts} }}\n    expect:\n      - {{ at: 1, active: [apart] }}\n")
            return [each["code"] for each in json.loads(self.tikc("test", "--format=json").out)["diagnostics"]]
        whole = SLICED
        self.assertEqual(codes(whole, "drift: violated kept", "math"), ["TK7103"])  # its windows are the ticks
        self.assertEqual(codes(whole, "gap: violated kept", "math"), [])
        self.assertEqual(codes(whole, "gap: violated unasked", "math"), ["TK7112"])

    def test_names_that_are_no_text_are_quoted(self):
        names = ["on", "no", "123", "1e5", "null", "us", "it's"]
        do = ", ".join(f'alert("{name}")' for name in names)
        self.write("rollout.tikc.yaml", SLICED.replace('do: alert("them")', f"do: '[{do}]'".replace("'", "", 1).rstrip("'")))
        done = self.expect(0, "test", "--generate", "rollout.tikc.yaml", "-o", "rollout.tikc-test.yaml")
        written = (self.folder / "rollout.tikc-test.yaml").read_text()
        self.assertIn("'on', 'no', '123', '1e5', 'null', us, 'it''s'", written)
        self.expect(0, "test")
        self.assertEqual(done.err, "")

    def test_an_edit_in_braces_is_quoted(self):
        self.fixture(FIXTURE.format(windows=4) + "      - { at: 3, traffic: usual }\n")
        (found,) = [each for each in json.loads(self.expect(1, "test", "--format=json").out)["diagnostics"] if "traffic" in each["message"]]
        self.assertEqual(found["fixes"][0]["edits"][0]["text"], "'correct(tis, 2)'")

    def test_an_expectation_says_something(self):
        self.fixture(FIXTURE.format(windows=4) + "      - { at: 7 }\n")
        done = self.expect(1, "test")
        self.assertIn("error[TK7110]: nothing is expected at tick 7", done.out)
        self.assertIn("rollout: tests cover 0 of 7", done.out)
        self.fixture(FIXTURE.format(windows=4) + "      - { at: 7, actve: [] }\n")
        self.assertNotIn("TK7110", self.expect(1, "test").out)

    def test_a_contract_is_told_to_be_one(self):
        done = self.expect(1, "test", "rollout.tikc.yaml")
        self.assertEqual(done.out.count("error["), 1)
        self.assertIn("error[TK7111]: expected a file of tests, found a contract", done.out)

    def test_any_is_said_by_others(self):
        self.fixture(FIXTURE.format(windows=4).replace("drift: violated*4", "any: violated*4"))
        done = self.expect(1, "test")
        self.assertIn("error[TK5008]: unknown clause `any`", done.out)
        self.assertIn("such as `others: violated`", done.out)

    def test_of_many_rules_each_that_can_start_is_generated(self):
        """Whatever the others take of the search; 100 rules, each with long windows of its own."""
        clauses = "".join(f"  c{i}: p99(logit_osc) <= 0.{100 + i}\n" for i in range(100))
        rules = "".join(f"  r{i}: {{ when: violated(c{i}) for {2 + i % 7} windows, do: quarantine, "
                        f"until: satisfied(any) for {6 + i} windows }}\n" for i in range(100))
        head, _ = SLICED.split("labels:")
        self.write("many.tikc.yaml", f"{head}numerical:\n{clauses}observability: {{ rows: 'sample(logits, 1%)' }}\nescalation:\n{rules}"
                   "  stale: { when: undecided(any) for 6 windows, do: hold, until: not undecided(any) }\n")
        self.expect(0, "test", "--generate", "many.tikc.yaml", "-o", "many.tikc-test.yaml")
        self.assertIn("202 of 202", self.expect(0, "test", "--fail-under=100", "many.tikc-test.yaml").out)

    def test_keys_are_held_as_those_of_contracts(self):
        for wrong, code in (("expects:", "TK2001"), ("expect: nothing #", "TK2003")):
            self.fixture(FIXTURE.format(windows=4).replace("expect:", wrong))
            self.assertIn(code, self.expect(1, "test").out)

    def test_a_slice_has_clauses_of_its_own(self):
        self.fixture(FIXTURE.format(windows=4).replace("slice: math", "slice: other").replace("drift: violated", "gap: violated"))
        self.assertIn("TK5008", self.expect(1, "test").out)
        self.fixture(FIXTURE.format(windows=4).replace("slice: math", "slice: maths"))
        self.assertIn("did you mean `math`?", self.expect(1, "test").out)

    def test_a_contract_has_to_be_there_and_right(self):
        self.fixture(FIXTURE.format(windows=4))
        self.write("rollout.tikc.yaml", SLICED + "modle: {}\n")
        self.assertIn("it has 1 error; see `tikc check`", self.expect(1, "test").out)
        self.write("rollout.tikc.yaml", SLICED + "---\n" + SLICED.replace("contract: rollout", "contract: other"))
        self.assertIn("choose one of rollout or other", self.expect(1, "test").out)
        self.fixture(FIXTURE.format(windows=4).replace("rollout.tikc.yaml", "'rollout.tikc.yaml#other'"))
        self.expect(0, "test")

    def test_coverage_can_be_asked_for(self):
        self.fixture(FIXTURE.format(windows=4))
        self.expect(0, "test", "--fail-under=42")
        said = self.expect(1, "test", "--fail-under=43").err
        self.assertIn("cover less than 43% of what the rules can do", said)
        self.expect(2, "test", "--fail-under=many")

    def test_generated_tests_pass_and_go_through_everything(self):
        self.expect(0, "test", "--generate", "rollout.tikc.yaml", "-o", "rollout.tikc-test.yaml")
        done = self.expect(0, "test", "--fail-under=100")
        self.assertIn("rollout: tests cover 7 of 7", done.out)
        printed = self.expect(0, "test", "--generate", "rollout.tikc.yaml").out
        self.assertEqual(printed, (self.folder / "rollout.tikc-test.yaml").read_text())

    def test_no_tests_are_no_pass(self):
        self.fixture("contract: rollout.tikc.yaml\ntests: {}\n")
        self.assertIn("no tests found", self.expect(2, "test").err)

    def test_what_is_generated_replaces_no_tests_that_are_there(self):
        self.fixture("# by hand\n" + FIXTURE.format(windows=4))
        again = ["test", "--generate", "rollout.tikc.yaml", "-o", "rollout.tikc-test.yaml"]
        self.assertIn("already exists; use --force to overwrite it", self.expect(2, *again).err)
        self.assertTrue((self.folder / "rollout.tikc-test.yaml").read_text().startswith("# by hand\n"))
        self.expect(0, *again, "--force")
        self.expect(0, "test", "--fail-under=100")

    def test_of_every_example_what_is_generated_passes(self):
        for path in sorted((ROOT / "examples").rglob("*.tikc.yaml")):
            if "broken" in path.parts:
                continue
            names = re.findall(r"(?m)^contract: (\S+)", path.read_text())
            for name in names:
                with self.subTest(f"{path.name}#{name}"):
                    done = self.tikc("test", "--generate", f"{path}#{name}", "-o", "g.tikc-test.yaml", "--force")
                    if done.returncode == 2 and re.search("abstract|no rules", done.err):
                        continue
                    self.assertEqual(done.returncode, 0, done.err)
                    self.expect(0, "test", "--fail-under=100", "g.tikc-test.yaml")

    def test_those_of_the_examples_pass(self):
        self.assertIn("all pass", self.expect(0, "test", ROOT / "examples").out)

    def suite(self, status):
        return ElementTree.fromstring(self.expect(status, "test", "--format=junit").out).find("testsuite")

    def test_junit_has_a_case_for_each_test(self):
        passing = FIXTURE.format(windows=4)
        other = passing.split("tests:\n")[1].replace("  away:\n", "  b_c:\n", 1)
        self.fixture(passing + other)
        suite = self.suite(0)
        self.assertEqual([(case.get("name"), len(case)) for case in suite.iter("testcase")], [("away", 0), ("b_c", 0)])
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "0"))
        # What one test finds is one failure.
        self.fixture(passing + other.replace("starts: [away]", "starts: []").replace("alerts: [us]", "alerts: []"))
        suite = self.suite(1)
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("2", "1"))
        first, second = suite.iter("testcase")
        self.assertEqual((len(first), [each.tag for each in second]), (0, ["failure"]))
        self.assertIn("(and 1 more)", second[0].get("message"))
        self.assertEqual(second[0].text.count("error[TK7101]"), 2)
        # What is of no test is a case of its own, and a test that could not run fails.
        self.fixture(passing + other.replace("drift:", "drfit:"))
        self.assertEqual([(case.get("name"), len(case)) for case in self.suite(1).iter("testcase")], [("away", 0), ("b_c", 1)])
        self.fixture("summary: {}\n" + passing)
        suite = self.suite(1)
        self.assertEqual(([len(case) for case in suite.iter("testcase")], suite.get("failures")), ([0, 1], "1"))

    def test_json_has_each_test_and_what_they_went_through(self):
        self.fixture(FIXTURE.format(windows=4))
        said = json.loads(self.expect(0, "test", "--format=json").out)
        self.assertTrue(said["tests"])
        for each in said["tests"]:
            self.assertEqual((each["passed"], each["file"]), (True, "rollout.tikc-test.yaml"))
        (row,) = said["coverage"]
        self.assertEqual((row["contract"], row["all"], row["met"] + len(row["missed"])), ("rollout", row["all"], row["all"]))
        self.assertLess(0, row["met"])
        self.assertNotIn("tests", json.loads(self.tikc("check", "--format=json", "rollout.tikc.yaml").out))

    def test_a_test_is_of_no_stage(self):
        """Rules do the same in each."""
        self.fixture(FIXTURE.format(windows=4).replace("    slice: math\n", "    slice: math\n    stage: canary\n"))
        self.assertIn("error[TK2001]", self.expect(1, "test").out)

    def test_reports_have_their_forms(self):
        self.fixture(FIXTURE.format(windows=3))
        suite = self.suite(1)
        self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", "1"))
        self.assertIn("::error", self.expect(1, "test", "--format=github").out)

    def test_no_fixture_is_taken_for_a_contract(self):
        self.fixture(FIXTURE.format(windows=3))
        self.assertIn("1 contract in 1 file", self.expect(0, "check").out)


if __name__ == "__main__":
    main()
