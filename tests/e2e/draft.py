"""`draft: true`: what fails of a contract's claims is told and stops nothing, and whatever is made of it says that it is a draft."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, PATIENCE, TIKC, Case, main  # noqa: E402

VERIFY = os.environ.get("TIKC_VERIFY") or str(Path(TIKC).with_name("tikc-verify"))

WHOLE = CLEAN.replace("contract: rollout", "contract: rollout.x") + """assumptions: { support: full }
model: { vocabulary: 64 }
numerical: { drift: max(logit_osc) <= 1 }
claims:
  narrow: tv <= 0.1
  wide: tv <= 0.25
observability: { rows: 'sample(logits, 1%)' }
escalation:
  rest: { when: violated(any), do: hold, until: satisfied(any) }
  silent: { when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }
"""
PROVED = WHOLE.replace("  narrow: tv <= 0.1\n", "")


def draft(text):
    return text.replace("version: 1.0.0\n", "version: 1.0.0\ndraft: true\n")


def without_draft(text):
    """What is made of a draft, but for what says that it is one."""
    text = text.replace(", a draft: what it claims need not be proved", "").replace("is_draft = true", "is_draft = false")
    return re.sub(r" *///? What it claims need not be proved[^\n]*\n", "", text)


class Draft(Case):
    def setUp(self):
        super().setUp()
        self.whole, self.draft = self.write("whole/rollout.tikc.yaml", WHOLE), self.write("draft/rollout.tikc.yaml", draft(WHOLE))
        self.proved = self.write("proved/rollout.tikc.yaml", draft(PROVED))

    def test_check_passes_with_a_warning(self):
        self.expect(1, "check", self.whole)
        told = self.expect(0, "check", self.draft)
        self.assertIn("warning[TK6101]: `narrow` does not follow", told.out)
        self.assertIn("the contract is a draft; in any other contract, this is an error", told.out)
        self.assertRegex(told.out, r"narrow +refuted")
        self.expect(1, "check", "--fail-on=warning", self.draft)
        self.expect(0, "check", "--fail-on=warning", self.proved)
        claims = json.loads(self.expect(0, "check", "--format=json", self.draft).out)["claims"]
        self.assertEqual([(claim["claim"], claim["verdict"], claim["draft"]) for claim in claims], [("narrow", "refuted", True), ("wide", "proved", True)])

    def test_a_draft_that_is_proved_ends_by_an_edit_that_is_asked_for(self):
        self.expect(0, "check", "--fix", self.proved)
        self.assertEqual(self.proved.read_text(), draft(PROVED))
        self.expect(0, "check", "--fix", "--unsafe", self.proved)
        self.assertEqual(self.proved.read_text(), PROVED)

    def test_the_verdict_is_the_real_one(self):
        for form, says in (("text", "A draft: "), ("markdown", "A draft: "), ("html", "<p>A draft: "), ("json", '"draft": true')):
            told = self.expect(1, "explain", self.draft, f"--format={form}")
            self.assertIn(says, told.out)
            self.assertIn("refuted", told.out)
            self.assertNotIn(says, self.expect(1, "explain", self.whole, f"--format={form}").out)
        self.assertIn("1 of 2 claims of this draft is not proved", self.expect(1, "prove", self.draft).err)
        self.assertNotIn("draft", self.expect(1, "prove", self.whole).err)

    def test_a_certificate_says_nothing_different(self):
        plain = self.write("plain/rollout.tikc.yaml", PROVED)
        certificates = [json.loads(self.expect(0, "prove", path.name, cwd=path.parent).out) for path in (plain, self.proved)]
        steps = [{key: value for key, value in certificate.items() if key != "files"} for certificate in certificates]
        self.assertEqual(*(re.sub(r'"(from|to)": \d+', "", json.dumps(each)) for each in steps))
        for path, certificate in zip((plain, self.proved), certificates):
            written = self.write("certificate.json", json.dumps(certificate))
            done = subprocess.run([VERIFY, written, path.name], cwd=path.parent, capture_output=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_emit_goes_on_and_marks_what_it_makes(self):
        self.expect(1, "emit", "cpp", self.whole, "-o", self.folder / "none")
        self.assertFalse((self.folder / "none").exists())
        made = self.expect(0, "emit", "cpp", self.draft, "--c-abi", "-o", self.folder / "made")
        self.assertEqual(made.err, f"`rollout.x` is a draft: 1 of its 2 claims is not proved; `tikc check {self.draft}` shows why\n")
        header = (self.folder / "made/rollout.tikc.h").read_text()
        self.assertIn("/// rollout.x 1.0.0, a draft: what it claims need not be proved\n", header)
        self.assertIn("static constexpr bool is_draft = true;", header)
        c_header = (self.folder / "made/rollout.tikc_c.h").read_text()
        self.assertIn("/* rollout.x 1.0.0, a draft: what it claims need not be proved */", c_header)
        self.assertIn("uint32_t rollout_x_is_draft(void)", c_header)
        self.assertIn('plan "rollout.x" version "1.0.0", a draft\n', self.expect(0, "dump", "--stage=plan", self.draft).out)

    def test_all_but_the_mark_is_the_same(self):
        """The fingerprint too: what a draft's checker gathered merges with what comes once it is none."""
        plain = self.write("plain/rollout.tikc.yaml", PROVED)
        headers = []
        for path in (plain, self.proved):
            self.assertEqual(self.expect(0, "emit", "cpp", path, "--c-abi", "-o", path.parent).err, "")
            headers.append([(path.parent / f"rollout.{name}").read_text() for name in ("tikc.h", "tikc_c.h", "tikc_c.cpp")])
        self.assertNotEqual(*headers)
        self.assertEqual(headers[0], [without_draft(text) for text in headers[1]])
        plans = [self.expect(0, "dump", "--stage=plan", path).out for path in (plain, self.proved)]
        self.assertEqual(plans[0], plans[1].replace(", a draft", ""))

    def test_other_errors_stop_it(self):
        broken = self.write("broken.tikc.yaml", draft(WHOLE) + "modle: {}\n")
        self.expect(1, "check", broken)
        self.expect(1, "emit", "cpp", broken, "-o", self.folder / "none")
        self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    main()
