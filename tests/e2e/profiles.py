"""`profile` in tikc.yaml, and `tikc rules`, which tells what it comes to."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import FAULTY, WARNED, Case, main  # noqa: E402


class Profiles(Case):
    def severity(self, settings):
        self.write("tikc.yaml", settings)
        return [found["severity"] for found in json.loads(self.tikc("check", "--format=json").out)["diagnostics"]]

    def test_a_profile_moves_what_is_settable(self):
        self.write("a.tikc.yaml", WARNED)
        self.assertEqual(self.severity("profile: default\n"), ["warning"])
        self.assertEqual(self.severity("profile: strict\n"), ["error"])
        self.assertEqual(self.severity("profile: adopting\n"), ["note"])
        self.assertEqual(self.severity("profile: strict\nseverities: { TK4002: note }\n"), ["note"])
        self.assertEqual(self.severity("severities: { TK4002: error }\nprofile: adopting\n"), ["error"])
        self.assertEqual(self.severity("severities: { TK4002: ignore }\nprofile: strict\n"), [])

    def test_what_is_fixed_stays(self):
        self.write("a.tikc.yaml", FAULTY)
        for profile in ("strict", "adopting"):
            self.assertEqual(self.severity(f"profile: {profile}\n"), ["error"])

    def test_another_word_is_a_finding(self):
        self.write("a.tikc.yaml", WARNED)
        self.write("tikc.yaml", "profile: lax\n")
        self.assertIn("error[TK9008]: `profile` must be strict, default or adopting", self.expect(1, "check").out)

    def rules(self, *words):
        return {rule["code"]: rule for rule in json.loads(self.expect(0, "rules", "--format=json", *words).out)["rules"]}

    def test_rules_say_what_holds_and_why(self):
        self.write("tikc.yaml", "profile: strict\nseverities: { TK4002: note }\n")
        rules = self.rules()
        self.assertEqual([rules[code]["decidedBy"] for code in ("TK4002", "TK7003", "TK2001")], ["severities", "profile", "fixed"])
        self.assertEqual([rules[code]["severity"] for code in ("TK4002", "TK7003", "TK2001")], ["note", "error", "error"])
        self.assertEqual((rules["TK4002"]["default"], rules["TK4002"]["settable"], rules["TK2001"]["settable"]), ("warning", True, False))
        self.assertEqual((rules["TK4002"]["fixable"], rules["TK2001"]["fixable"]), (False, True))
        pages = json.loads(self.expect(0, "explain", "--format=json").out)
        self.assertEqual([(p["code"], p["severity"], p["settable"]) for p in pages], [(r["code"], r["default"], r["settable"]) for r in rules.values()])
        self.assertRegex(self.expect(0, "rules").out, r"(?m)^TK4002 +note +severities +warning +- +VacuousBound +\S")

    def test_rules_of_a_file_are_those_of_its_folder(self):
        self.write("sub/tikc.yaml", "profile: adopting\n")
        self.write("sub/a.tikc.yaml", WARNED)
        self.assertEqual(self.rules("sub")["TK4002"]["severity"], "note")
        self.assertEqual(self.rules("sub/a.tikc.yaml")["TK4002"]["decidedBy"], "profile")
        self.assertEqual(self.rules()["TK4002"]["decidedBy"], "catalogue")
        self.assertIn("cannot read", self.expect(2, "rules", "nowhere").err)
        self.write("tikc.yaml", "profile: lax\n")
        self.assertIn("TK9008", self.expect(1, "rules").err)


if __name__ == "__main__":
    main()
