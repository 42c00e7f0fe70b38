"""`tikc solve`: the largest tolerances, each checked with `tikc check` itself."""

import json
import re
import sys
import unittest
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
from explain import contract  # noqa: E402
from harness import ROOT, Case, main  # noqa: E402

TEXT = contract(
    "  worst: max(logit_osc) <= 1\n  usual: p99(logit_osc) <= 0.25\n  finite: count(nonfinite) == 0\n",
    "  far: max(tv) <= 0.25\n  mean_tv: tv <= 0.065\n",
)


class Solve(Case):
    def solve(self, *options, text=TEXT, status=0):
        self.write("x.tikc.yaml", text)
        return self.expect(status, "solve", "x.tikc.yaml", *options)

    def answer(self, *options, **more):
        return json.loads(self.solve("--format=json", *options, **more).out)

    def proved(self, text, claim):
        self.write("probe.tikc.yaml", text)
        return self.tikc("explain", "probe.tikc.yaml", f"--claim={claim}").returncode == 0

    def test_the_largest_is_enough_and_little_more_is_not(self):
        for claim in ["far", "mean_tv"]:
            answer = self.answer(f"--claim={claim}")
            self.assertTrue(answer["follows"])
            for row in answer["largest"]:
                largest, declared = Fraction(row["largest"]["exact"]), row["text"].split("<= ")[1]
                self.assertGreaterEqual(largest, Fraction(declared))
                for factor, proved in [(1, True), (Fraction(102, 100), False)]:
                    text = TEXT.replace(row["text"], row["text"].replace(f"<= {declared}", f"<= {float(largest * factor)}"))
                    self.assertNotEqual((text == TEXT), largest != Fraction(declared))
                    self.assertEqual(self.proved(text, claim), proved, row)

    def test_a_tolerance_that_is_too_loose_is_tightened(self):
        text = TEXT.replace("max(tv) <= 0.25", "max(tv) <= 0.2")
        answer = self.answer("--claim=far", text=text)
        self.assertFalse(answer["follows"])
        (row,) = answer["largest"]
        # 4 atanh(0.2) = 0.8109…
        self.assertEqual(row["largest"]["decimal"], "0.81")
        self.assertIn("does not follow as declared", self.solve("--claim=far", text=text).out)

    def test_a_clause_that_the_bound_does_not_rest_on_is_free(self):
        said = self.solve("--claim=far", "--for=usual").out
        self.assertRegex(said, r"usual +p99\(logit_osc\) <= 0\.25 +0\.25 +any value\n")
        # Without being asked for, it is named as left out.
        self.assertIn("\n  not listed, because the bound does not use them: usual, finite\n", self.solve("--claim=far").out)
        self.assertEqual(self.answer("--claim=far")["others"], ["usual", "finite"])
        self.assertEqual(self.answer("--claim=mean_tv")["others"], ["finite"])

    def test_the_horizon(self):
        text = TEXT.replace("  far: max(tv) <= 0.25\n  mean_tv: tv <= 0.065\n", "  seq: seq_tv <= 0.999\n").replace("max(logit_osc) <= 1", "max(logit_osc) <= 0.1")
        rows = {row["name"]: row for row in self.answer(text=text)["largest"]}
        longest = int(rows["horizon"]["largest"]["exact"])
        for tokens, proved in [(longest, True), (longest + 1, False)]:
            self.assertEqual(self.proved(text.replace("64 tokens", f"{tokens} tokens"), "seq"), proved)

    def test_a_trade_off(self):
        answer = self.answer("--claim=mean_tv", "--for=worst", "--against=usual")
        points = answer["trade"]["points"]
        self.assertEqual(len(points), 12)
        others = [Fraction(point["against"]["exact"]) for point in points if "against" in point]
        self.assertGreaterEqual(len(others), 4)
        self.assertEqual(others, sorted(others, reverse=True))
        for point in points[1:-1:3]:
            if "against" not in point:
                continue
            text = TEXT.replace("max(logit_osc) <= 1", f"max(logit_osc) <= {point['for']['decimal']}")
            text = text.replace("p99(logit_osc) <= 0.25", f"p99(logit_osc) <= {point['against']['decimal']}")
            self.assertTrue(self.proved(text, "mean_tv"), point)
        said = self.solve("--claim=mean_tv", "--for=worst", "--against=usual").out
        self.assertIn("worst at 1, usual at 0.25", said)
        drawn = ET.fromstring(self.solve("--claim=mean_tv", "--for=worst", "--against=usual", "--format=svg").out)
        self.assertTrue([path for path in drawn.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "curve"])

    def test_the_drawing_reaches_across_the_page(self):
        for pair in [("worst", "usual"), ("usual", "worst")]:
            drawn = ET.fromstring(self.solve("--claim=mean_tv", f"--for={pair[0]}", f"--against={pair[1]}", "--format=svg").out)
            curves = [path.get("d") for path in drawn.iter("{http://www.w3.org/2000/svg}path") if "curve" in path.get("class") and "h22" not in path.get("d")]
            places = [(float(x), float(y)) for curve in curves for x, y in re.findall(r"[ML]([\d.]+) ([\d.]+)", curve)]
            self.assertEqual((min(places)[0], max(places)[0]), (66.0, 522.0), "where any tolerance will do the curve runs along the edge")
            self.assertTrue(all(40 <= y <= 240 for _, y in places))
            self.assertIn("any value", "".join(drawn.itertext()))

    def test_a_curve_where_any_value_will_do(self):
        """Nothing then says how high the page has to be, but the declared value."""
        done = self.expect(0, "solve", ROOT / "examples/qwen3-8b-rl.tikc.yaml", "--claim=weights", "--for=worst_drift", "--against=usual_drift", "--format=svg")
        self.assertNotIn("nan", done.out)
        self.assertIn("any value", done.out)

    def test_infeasible_and_unbounded(self):
        gradient = TEXT.replace("  far: max(tv) <= 0.25\n  mean_tv: tv <= 0.065\n", "  b: reward_drift <= 0.1\n")
        said = self.solve(text=gradient, status=1).out
        self.assertIn("not bounded", said)
        self.assertIn("missing: ", said)
        masked = TEXT.replace("{ support: full }", "{ support: { missing_mass: 0.3 } }").replace("max(logit_osc)", "max(kl_infer_train)")
        answer = self.answer("--claim=mean_tv", text=masked, status=1)
        self.assertEqual(answer["largest"], [])
        self.assertTrue(answer["infeasible"] or not answer["bounded"])

    def test_wrong_use(self):
        for words, said in [
            ([], "choose a claim with --claim: far, mean_tv"),
            (["--claim=fra"], "did you mean `far`?"),
            (["--claim=far", "--for=wrost"], "did you mean `worst`?"),
            (["--claim=far", "--for=finite"], "states no tolerance"),
            (["--claim=far", "--slice=math"], "unknown slice `math`"),
            (["--claim=far", "--against=worst"], "--against requires --for"),
            (["--claim=far", "--for=worst", "--against=worst"], "two different clauses"),
            (["--claim=far", "--for=worst", "--against=usaul"], "did you mean `usual`?"),
            (["--claim=far", "--format=svg"], "--format=svg requires --for and --against"),
        ]:
            with self.subTest(words=words):
                done = self.solve(*words, status=2)
                self.assertEqual(done.out, "")
                self.assertRegex(done.err, said if "|" in said else re.escape(said))

    def test_every_example_has_an_answer(self):
        for path in sorted((ROOT / "examples").glob("*.tikc.yaml")):
            told = json.loads(self.expect(0, "explain", "--format=json", path).out)
            for claim in {claim["claim"] for row in told["contracts"] for claim in row["claims"] if len(told["contracts"]) == 1}:
                self.expect(0, "solve", path, f"--claim={claim}")


if __name__ == "__main__":
    main()
