"""`tikc list`: which contracts there are, and what they promise."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, FAULTY, ROOT, WARNED, Case, main  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

# One follows from what WARNED is made to bound, and one does not.
CLAIMS = "assumptions: { support: full }\nclaims:\n  near: max(tv) <= 0.1\n  far: max(tv) <= 0.5\n"
SCHEMA = json.loads((ROOT / "schemas/list.v1.schema.json").read_text())


class List(Case):
    def list(self, status, *words, **options):
        told = json.loads(self.expect(status, "list", "--format=json", *words, **options).out)
        if jsonschema:
            jsonschema.Draft7Validator.check_schema(SCHEMA)
            jsonschema.validate(told, SCHEMA)
        return told["contracts"]

    def test_every_example_is_listed(self):
        contracts = self.list(0, "examples", cwd=ROOT)
        checked = json.loads(self.expect(0, "check", "--format=json", "examples", cwd=ROOT).out)
        self.assertEqual(len(contracts), checked["summary"]["contracts"])
        claims = {(row["contract"], row["claim"]) for row in checked["claims"]}
        listed = {(row["contract"], claim["name"]) for row in contracts for claim in row["claims"] if claim["verdict"] != "undecided"}
        self.assertEqual(listed, claims)
        for row in contracts:
            self.assertEqual(bool(row["fingerprint"]), not row["abstract"], row["contract"])
        text = self.expect(0, "list", "examples", cwd=ROOT).out.splitlines()
        self.assertEqual(len(text), len(contracts) + 1)
        self.assertRegex(text[0], r"^contract +version +state +kernels")

    def test_the_fingerprint_is_that_of_the_header(self):
        path = ROOT / "examples/qwen3-8b-rl.tikc.yaml"
        [row] = self.list(0, path)
        self.expect(0, "emit", "cpp", path)
        [header] = self.folder.glob("*.tikc.h")
        carried = re.search(r"struct plan \{.*?fingerprint = (0x[0-9a-f]+)U", header.read_text(), re.S)
        self.assertEqual(row["fingerprint"], carried[1])

    def test_states(self):
        self.write("whole.tikc.yaml", WARNED)
        self.write("draft.tikc.yaml", WARNED.replace("version:", "draft: true\nversion:").replace("rollout\n", "draft\n", 1))
        self.write("abstract.tikc.yaml", CLEAN + "abstract: true\n")
        self.write("broken.tikc.yaml", FAULTY)
        done = self.expect(1, "list", "--format=json")
        self.assertIn("error[TK2001]", done.err)
        states = {row["file"]: [key for key in ("draft", "abstract", "faulty") if row[key]] for row in json.loads(done.out)["contracts"]}
        self.assertEqual(states, {"abstract.tikc.yaml": ["abstract"], "broken.tikc.yaml": ["faulty"], "draft.tikc.yaml": ["draft"], "whole.tikc.yaml": []})
        text = self.tikc("list").out
        for state in ("abstract", "faulty", "draft", "whole"):
            self.assertRegex(text, rf"(?m) {state} .*{state if state != 'faulty' else 'broken'}\.tikc\.yaml$")

    def test_claims_that_do_not_follow_are_listed_and_no_fault(self):
        self.write("a.tikc.yaml", WARNED.replace("max(tv) <= 1\n", "max(tv) <= 0.5\n") + CLAIMS)
        [row] = self.list(0)
        verdicts = {claim["name"]: claim["verdict"] for claim in row["claims"]}
        self.assertEqual(verdicts["far"], "proved")
        self.assertIn(verdicts["near"], ("refuted", "unproved"))
        self.assertEqual(self.expect(0, "list").err, "")

    def test_what_settings_make_errors_is_no_fault_of_the_text(self):
        self.write("a.tikc.yaml", WARNED)
        self.write("tikc.yaml", "profile: strict\n")
        self.expect(1, "check")
        [row] = self.list(0)
        self.assertFalse(row["faulty"])
        self.assertEqual(self.expect(0, "list").err, "")

    def test_links_of_chains_are_told(self):
        [row] = self.list(0, ROOT / "examples/three-kernel-chain.tikc.yaml")
        links = {each["name"]: each.get("link") for each in row["clauses"] + row["claims"]}
        self.assertEqual(links["near_worst"], "trainer → recompute")
        self.assertEqual(links["far_worst"], "recompute → server")
        self.assertEqual(links["near_tv"], "trainer → recompute")
        self.assertIn(None, links.values())

    def test_words_of_strangers_act_on_no_terminal(self):
        self.write("a\x1b[31m.tikc.yaml", CLEAN + 'owners: ["\\e[31mred", "a, b"]\n')
        self.assertNotIn("\x1b", self.expect(0, "list").out)
        self.assertEqual(self.list(0)[0]["owners"], ["\x1b[31mred", "a, b"])

    def test_wrong_use(self):
        self.assertIn("no .tikc.yaml file", self.expect(2, "list").err)
        self.assertIn("cannot read", self.expect(2, "list", "nowhere").err)


if __name__ == "__main__":
    main()
