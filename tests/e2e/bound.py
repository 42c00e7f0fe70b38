"""`tikc bound` against values that were computed elsewhere, and every page of it."""

import json
import re
import sys
import unittest
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main  # noqa: E402

VECTORS = json.loads((ROOT / "tests/oracle/vectors.json").read_text())


class Bound(Case):
    def words(self, vector):
        return [vector["lemma"], *(f"{name}={value}" for name, value in vector["inputs"].items())]

    def answer(self, *words):
        return json.loads(self.expect(0, "bound", *words, "--format=json").out)

    def test_every_vector_is_enclosed_tightly(self):
        self.assertGreater(len(VECTORS), 300)
        for vector in VECTORS:
            with self.subTest(words=self.words(vector)):
                answer = self.answer(*self.words(vector))
                self.assertEqual(set(answer), {"lemma", "inputs", "lower", "upper"})
                self.assertEqual(answer["lemma"], vector["lemma"])
                self.assertEqual(answer["inputs"], {name: str(value) for name, value in vector["inputs"].items()})
                low, high = Fraction(answer["lower"]), Fraction(answer["upper"])
                self.assertLessEqual(low, high)
                self.assertLessEqual(low, Fraction(vector["upper"]))
                self.assertGreaterEqual(high, Fraction(vector["lower"]))
                self.assertLessEqual(high - low, Fraction("1e-25") * max(abs(high), Fraction("1e-40")))

    def test_precision_narrows_the_ends(self):
        widths = []
        for bits in [64, 128, 4096]:
            answer = self.answer("L-TV-OSC", "omega=0.25", f"--precision={bits}")
            self.assertGreaterEqual(len(re.sub(r"^0\.0*", "", answer["lower"])), 20)
            widths.append(Fraction(answer["upper"]) - Fraction(answer["lower"]))
        self.assertGreater(widths[0], widths[1])
        self.assertGreaterEqual(widths[1], widths[2])
        self.assertGreater(widths[2], 0)

    def test_people_see_digits_that_are_certain_and_both_ends(self):
        out = self.expect(0, "bound", "l-tv-osc", "omega=0.25").out
        self.assertIn("L-TV-OSC(omega = 0.25) = 0.06241874674751251449…", out)
        self.assertRegex(out, r"at least +0\.06241874674751251449014\d+\n +at most +0\.06241874674751251449014\d+\n")
        self.assertIn("= 1/3, exactly", self.expect(0, "bound", "L-MARKOV", "mean=1", "t=3").out)
        out = self.expect(0, "bound", "L-MARKOV", "mean=30%", "t=1").out
        self.assertIn("= 0.3, exactly", out)
        self.assertNotIn("at least", out)
        self.assertEqual(self.answer("L-MARKOV", "mean=30%", "t=1")["upper"], "0.3")

    def test_every_lemma_has_a_page(self):
        listed = self.expect(0, "bound").out
        self.assertEqual(listed, self.expect(0, "bound", "--list").out)
        pages = json.loads(self.expect(0, "bound", "--list", "--format=json").out)
        self.assertGreater(len(pages), 60)
        ids = [page["lemma"] for page in pages]
        self.assertEqual(len(ids), len(set(ids)))
        for page in pages:
            name = page["lemma"]
            with self.subTest(lemma=name):
                self.assertRegex(name, r"^[A-Z0-9-]+$")
                self.assertIn(f"  {name} ", listed)
                for part in ["statement", "hypotheses", "formula", "proof"]:
                    self.assertRegex(page[part], r"\S{1}.{3}")
                text = self.expect(0, "bound", name).out
                self.assertEqual(text, self.expect(0, "bound", name.lower(), "--help").out)
                self.assertEqual(json.loads(self.expect(0, "bound", name, "--format=json").out), page)
                for part in ["Hypotheses:", "Formula:", "Proof:"]:
                    self.assertIn(part, text)
                for parameter in page["parameters"]:
                    self.assertIn(f"{parameter['name']}=…", text)
        page = self.expect(0, "bound", "L-TV-OSC").out
        for part in ["Trap:", "Tight:", "In derivations:", "Inverse:\n  G-TV-OSC", "From omega: tv", "at least 0"]:
            self.assertIn(part, page)

    def test_the_command_has_help_of_its_own(self):
        self.assertIn("Usage: tikc bound", self.expect(0, "bound", "--help").out)

    def test_wrong_use_says_what_would_be_right(self):
        for words, said in [
            (["L-TV-OCS", "omega=1"], "did you mean `L-TV-OSC`?"),
            (["zzzzzzzzzz"], "`tikc bound` lists them"),
            (["L-TV-OSC", "omgea=1"], "did you mean `omega`?"),
            (["L-TV-OSC", "x=1"], "it takes omega"),
            (["L-TV-OSC", "omega"], "expected NAME=VALUE"),
            (["L-TV-OSC", "omega=-1"], "must be at least 0"),
            (["L-TV-OSC", "omega=nan"], "a number such as"),
            (["L-TV-OSC", "omega=1/0"], "a number such as"),
            (["L-TV-OSC", "omega=1", "omega=1"], "twice"),
            (["L-Q-MEAN", "alpha=0.1", "cap=1"], "needs omega"),
            (["L-FP-U", "format=fp17"], "bf16"),
            (["S-CP", "k=1.5", "n=5", "alpha=0.05"], "whole number"),
            (["S-CP", "k=6", "n=5", "alpha=0.05"], "does not apply"),
            (["S-CP", "k=1", "n=5", "alpha=0"], "above 0 and below 1"),
            (["S-ORDER", "n=10", "p=0.99", "alpha=0.05"], "does not apply"),
            (["L-FP-GAMMA", "n=256", "format=bf16"], "n·u < 1"),
            (["L-MIX", "w=1"], "lists of numbers"),
            (["L-TV-OSC", "omega=1", "--precision=63"], "from 64 to 4096"),
            (["L-TV-OSC", "omega=1", "--precision=4097"], "from 64 to 4096"),
            (["L-TV-OSC", "omega=1", "--precision=many"], "from 64 to 4096"),
            (["--list", "L-TV-OSC"], "cannot be combined with a lemma"),
            (["L-TV-OSC", "omega=\x1b[31m"], "`\\u{1B}[31m`"),
        ]:
            with self.subTest(words=words):
                done = self.expect(2, "bound", *words)
                self.assertEqual(done.out, "")
                self.assertEqual(len(done.err.splitlines()), 1, done.err)
                self.assertIn(said, done.err)


if __name__ == "__main__":
    main()
