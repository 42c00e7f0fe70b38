"""`tikc graph`: the parts of a contract as boxes and arrows, in three formats."""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import CLEAN, FAULTY, ROOT, WARNED, Case, main  # noqa: E402

EXAMPLES = sorted((ROOT / "examples").glob("*.tikc.yaml"))
RL = ROOT / "examples/qwen3-8b-rl.tikc.yaml"
# One follows from what WARNED is made to bound, and one does not.
CLAIMS = "assumptions: { support: full }\nclaims:\n  near: max(tv) <= 0.1\n  far: max(tv) <= 0.5\n"
SUBJECTS = ["clauses", "escalation", "stages"]
SVG = "{http://www.w3.org/2000/svg}"
# Whatever an author may write between quotes.
NASTY = '<script>alert(1)</script> & "q" ]]> ` | \\\\ %%{init: {"theme": "dark"}}%% <!-- --> #quot; end]; click a "x" ⟧ \u202e'
QUOTED = NASTY.replace("\\", "\\\\").replace('"', '\\"')


def labels(mermaid):
    return re.findall(r'"([^"]*)"', mermaid)


class Graph(Case):
    def draw(self, form, what, path, *words):
        return self.expect(0, "graph", path, f"--of={what}", f"--format={form}", *words).out

    def texts(self, svg):
        return [element.text or "" for element in ET.fromstring(svg).iter(SVG + "text")]

    def test_every_example_is_drawn(self):
        for path in EXAMPLES:
            for what in SUBJECTS:
                done = self.tikc("graph", path, f"--of={what}")
                if done.returncode == 2:
                    self.assertIn("nothing to draw", done.err)
                    continue
                self.assertEqual(done.returncode, 0, done.err)
                root = ET.fromstring(done.out)
                self.assertEqual(root.tag, SVG + "svg")
                for foreign in ("script", "image", "foreignObject", "a"):
                    self.assertEqual(list(root.iter(SVG + foreign)), [])
                self.assertNotRegex(done.out.split("<title>")[1], r"https?:|url\(|@import|href")
                self.assertIn("prefers-color-scheme: dark", done.out)

    def test_clauses_lead_to_the_claims_that_rest_on_them(self):
        dot = self.draw("dot", "clauses", RL)
        names = {node: text for node, text in re.findall(r'(g0_\d+) \[label="([a-z_0-9 ]+)', dot)}
        arrows = {(names[a], names[b]) for a, b in re.findall(r"(g0_\d+) -> (g0_\d+)", dot)}
        self.assertIn(("every slice", "worst_drift"), arrows)
        self.assertIn(("worst_drift", "weights"), arrows)
        self.assertIn(("k3", "token_tv"), arrows)
        self.assertNotIn(("latency", "token_tv"), arrows)
        self.assertIn("proved, 51% to spare", dot)
        # The same arrows as the derivations have inputs.
        told = self.expect(0, "explain", RL).out
        for clause, claim in arrows:
            if clause in ("worst_drift", "k3", "usual_drift") and claim in ("weights", "token_tv"):
                self.assertIn(f"clause {clause}", told)

    def test_verdicts_have_their_colours(self):
        self.write("a.tikc.yaml", WARNED.replace("max(tv) <= 1\n", "max(tv) <= 0.5\n") + CLAIMS)
        svg = self.draw("svg", "clauses", "a.tikc.yaml")
        self.assertIn('class="box proved"', svg)
        self.assertRegex(svg, 'class="box (refuted|unproved)"')
        self.assertIn(":::proved", self.draw("mermaid", "clauses", "a.tikc.yaml"))

    def test_rules_are_machines(self):
        mermaid = self.draw("mermaid", "escalation", ROOT / "examples/fp8-rollout.tikc.yaml")
        climbing = mermaid.split("subgraph")[2]
        for part in ("idle", "step 1", "step 2", "after 4 windows", "satisfied(kl) for 12 windows"):
            self.assertIn(part, climbing)
        self.assertEqual(len(re.findall(r"--> *\S*.* g1_0$", climbing, re.M)), 2)
        self.assertIn('-->|"reset()"| g0_0', mermaid)
        self.assertIn("reset()", self.texts(self.draw("svg", "escalation", RL)))

    def test_links_of_chains_are_told(self):
        dot = self.draw("dot", "clauses", ROOT / "examples/three-kernel-chain.tikc.yaml")
        self.assertRegex(dot, r'"near_worst\\n[^"]*\\nof trainer → recompute"')
        self.assertRegex(dot, r'"near_tv\\n[^"]*\\nof trainer → recompute')

    def test_assumptions_are_drawn_with_what_rests_on_them(self):
        dot = self.draw("dot", "clauses", RL)
        support = re.search(r'(g0_\d+) \[label="assumption\\nsupport: full"', dot)[1]
        claims = re.findall(rf"{support} -> (g0_\d+)", dot)
        told = self.expect(0, "explain", RL).out
        self.assertEqual(len(claims), told.count("support: full"))

    def test_stages_stand_one_below_the_other(self):
        svg = ET.fromstring(self.draw("svg", "stages", RL))
        self.assertLess(int(svg.get("width")), 800)
        rects = [rect for rect in svg.iter(SVG + "rect") if rect.get("x")]
        column = rects[:4]
        self.assertEqual(len({rect.get("x") for rect in column}), 1)
        tops = [float(rect.get("y")) for rect in column]
        self.assertEqual(tops, sorted(tops))
        self.assertIn("a clause violated", self.texts(self.draw("svg", "stages", RL)))
        self.assertIn("flowchart TB", self.draw("mermaid", "stages", RL))

    def test_stages_ask_for_what_they_name(self):
        self.write("a.tikc.yaml", WARNED + "promotion:\n  offline: { tokens: 10_000_000 tokens, confidence: 95%, corridor: 10% }\n  full: { traffic: 100%, window: 5 min }\n")
        dot = self.draw("dot", "stages", "a.tikc.yaml")
        self.assertIn('every clause satisfied with confidence 95%, within the corridor of 10%', dot)

    def test_stages_say_what_they_ask(self):
        dot = self.draw("dot", "stages", RL)
        self.assertIn('g0_0 -> g0_1 [label="1000000 tokens, every clause satisfied, no rule active"]', dot)
        self.assertIn('g0_1 -> g0_0 [label="a clause violated"', dot)
        self.assertIn('[label="rollback by poison"]', dot)
        self.assertNotRegex(dot, r"g0_0 -> g0_4")

    def test_words_of_strangers_stay_words(self):
        text = WARNED.replace('alert("us")', "ALERT", 1).replace("ALERT", "'alert(\"" + QUOTED.replace("'", "''") + "\")'")
        self.write("a.tikc.yaml", text)
        svg = self.draw("svg", "escalation", "a.tikc.yaml")
        self.assertTrue(any("<script>" in shown for shown in self.texts(svg)))
        self.assertNotIn("<script", svg)
        self.assertNotIn("\u202e", svg)
        mermaid = self.draw("mermaid", "escalation", "a.tikc.yaml")
        self.assertNotRegex(mermaid, r"%%|<script|\u202e")
        for label in labels(mermaid):
            self.assertRegex(label.replace("<br/>", ""), r"\A(?:[^\"#<>&%{}`|\[\];]|#\d+;)*\Z")
        dot = self.draw("dot", "escalation", "a.tikc.yaml")
        outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", dot)
        self.assertNotIn("script", outside)
        if shutil.which("dot"):
            subprocess.run(["dot", "-Tsvg"], input=dot.encode(), check=True, capture_output=True)

    def test_several_contracts_and_one_of_them(self):
        other = WARNED.replace("contract: rollout", "contract: other")
        self.write("a.tikc.yaml", WARNED + "---\n" + other)
        svg = self.draw("svg", "escalation", "a.tikc.yaml")
        self.assertIn("other: r", self.texts(svg))
        self.assertNotIn("rollout: r", self.texts(self.draw("svg", "escalation", "a.tikc.yaml", "--contract=other")))
        self.assertIn("did you mean `other`?", self.expect(2, "graph", "a.tikc.yaml", "--contract=othr").err)

    def test_wrong_use(self):
        self.write("a.tikc.yaml", CLEAN)
        self.assertIn("no promotion stage", self.expect(2, "graph", "a.tikc.yaml", "--of=stages").err)
        self.write("b.tikc.yaml", FAULTY)
        self.assertIn("error[TK2001]", self.expect(1, "graph", "b.tikc.yaml").err)
        self.assertIn("clauses, escalation or stages", self.expect(2, "graph", "a.tikc.yaml", "--of=proofs").err)

    def test_large_contracts_are_drawn_or_said_to_be_too_large(self):
        self.write("a.tikc.yaml", self.large(100))
        for what in ("clauses", "escalation"):
            self.assertGreater(len(self.texts(self.draw("svg", what, "a.tikc.yaml"))), 100)
        self.write("a.tikc.yaml", self.large(600))
        self.assertRegex(self.expect(2, "graph", "a.tikc.yaml", "--of=escalation").err, r"graph too large: expected .*, found \d+")

    @staticmethod
    def large(rules, slices=50):
        names = [f"t{i}" for i in range(slices)]
        parts = [CLEAN, f"labels: {{ task: [{', '.join(names)}] }}\nslices:\n"]
        parts += [f'  s{i}: {{ when: task == "{name}" }}\n' for i, name in enumerate(names)]
        parts += ["numerical:\n"] + [f"  c{i}: mean(tv) <= 0.{1000 + i} on s{i % slices}, s{(i + 1) % slices}\n" for i in range(rules)]
        parts += ["observability:\n  rows: sample(logits, 1%)\nescalation:\n"]
        parts += [f"  r{i}: {{ when: violated(c{i}), do: hold, slices: [s{i % slices}, s{(i + 1) % slices}] }}\n" for i in range(rules)]
        return "".join(parts) + "  stale: { when: undecided(any) for 6 windows, do: hold }\n"


if __name__ == "__main__":
    main()
