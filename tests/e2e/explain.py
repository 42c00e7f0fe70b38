"""`tikc explain FILE`: the same story in six formats."""

import json
import os
import re
import sys
import unittest
import xml.etree.ElementTree as ET
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import FAULTY, ROOT, Case, main  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

EXAMPLES = sorted((ROOT / "examples").glob("*.tikc.yaml"))
GOLDEN = ROOT / "tests/e2e/explain.golden"
SVG = "{http://www.w3.org/2000/svg}"

HEAD = """tikc: v1
contract: small
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16, logprobs: processed }
pair: { train: trainer, infer: rollout }
model: { vocabulary: 32000, horizon: 64 tokens }
"""
TAIL = """observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
escalation:
  r: { when: violated(any), do: alert("us") }
  s: { when: undecided(any) for 6 windows, do: alert("us") }
"""


def contract(numerical, claims, assumptions="{ support: full }", slices="", statistical=""):
    parts = [HEAD, f"assumptions: {assumptions}\n", slices, f"numerical:\n{numerical}", statistical, TAIL, f"claims:\n{claims}"]
    return "".join(parts)


SMALL = contract("  worst: max(logit_osc) <= 1\n", "  far: max(tv) <= 0.25\n")
# Whatever an author may write between quotes.
NASTY = "<script>alert(1)</script> & \\\"q\\\" ]]> ` `` | a\\nb <!-- --> </style> \\\\ *x* [l](u) #h ${x}"
PLAIN = NASTY.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")


class Html(HTMLParser):
    """Every element that is opened is closed, in order."""

    VOID = {"meta", "br", "hr", "img", "link", "input"}

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.faults, self.links, self.ids, self.words = [], [], [], [], [], []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append(tag)
        self.links += [attrs[name] for name in ("href", "src") if name in attrs]
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.faults += [name for name in attrs if name.startswith("on")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)


def read_dot(text):
    """Nodes and edges of the part of the language that tikc writes; anything else is a fault."""
    string = r'"(?:[^"\\\n]|\\.)*"'
    attributes = rf"\[(?:\w+=(?:{string}|[\w.]+)(?:, )?)+\]"
    lines = text.splitlines()
    assert lines[0] == "digraph claims {" and lines[-1] == "}", text
    nodes, edges, depth = set(), [], 1
    for line in lines[1:]:
        line = line.strip()
        if re.fullmatch(r"subgraph cluster_\w+ \{", line):
            depth += 1
        elif line == "}":
            depth -= 1
        elif found := re.fullmatch(rf"(\w+) -> (\w+)(?: {attributes})?;", line):
            edges.append(found.groups())
        elif found := re.fullmatch(rf"(\w+) {attributes};", line):
            nodes.add(found[1])
        else:
            assert re.fullmatch(rf"\w+=(?:{string}|\w+);", line), line
    assert depth == 0
    return nodes - {"node", "edge"}, edges


class Examples(Case):
    explained = {}  # by file and format: the long ones take seconds

    def explain(self, path, form):
        if (path, form) not in self.explained:
            self.explained[path, form] = self.expect(0, "explain", f"--format={form}", path.relative_to(ROOT), cwd=ROOT).out
        return self.explained[path, form]

    def test_the_text_of_one_example(self):
        said = self.explain(ROOT / "examples/three-kernel-chain.tikc.yaml", "text")
        if os.environ.get("TIKC_UPDATE"):
            GOLDEN.write_text(said)
        self.assertEqual(said, GOLDEN.read_text())

    def test_a_bound_far_beyond_its_budget_is_stated_to_a_percent(self):
        where = self.write("far.tikc.yaml", contract("  worst: max(logit_osc) <= 1\n", "  far: max(tv) <= 0.0782\n"))
        self.assertIn("214% beyond it", self.expect(1, "explain", "--format=markdown", where).out)

    def test_every_claim_of_every_example_is_told(self):
        for path in EXAMPLES:
            with self.subTest(path=path.name):
                told = json.loads(self.explain(path, "json"))
                said = self.explain(path, "text")
                claims = [claim for row in told["contracts"] for claim in row["claims"]]
                self.assertTrue(claims)
                for claim in claims:
                    self.assertIn(f"\n{claim['claim']}: {claim['text']}", said)
                    self.assertEqual(claim["verdict"], "proved")

    def test_json_keeps_its_own_schema_and_its_word(self):
        schema = json.loads((ROOT / "schemas/explanation.v1.schema.json").read_text())
        for path in EXAMPLES:
            told = json.loads(self.explain(path, "json"))
            if jsonschema:
                jsonschema.Draft7Validator.check_schema(schema)
                jsonschema.validate(told, schema)
            for row in told["contracts"]:
                lemmas = {lemma["id"] for lemma in row["lemmas"]}
                for claim in row["claims"]:
                    self.check_claim(claim, lemmas)

    def check_claim(self, claim, lemmas):
        steps = claim["steps"]
        bound, budget = Fraction(steps[0]["bound"]["exact"]), Fraction(claim["budget"]["exact"])
        self.assertTrue(bound >= budget if claim["relation"] in (">", ">=") else bound <= budget)
        for index, step in enumerate(steps):
            self.assertEqual(step["id"], index)
            self.assertTrue(("lemma" in step) != ("rests_on" in step), step)
            self.assertLessEqual({step[key] for key in ("lemma", "curve") if key in step}, lemmas)
            self.assertTrue(all(premise["step"] < len(steps) for premise in step["premises"]))
            if "bound" in step and step.get("relation") != "=":
                exact, decimal = Fraction(step["bound"]["exact"]), Fraction(step["bound"]["decimal"])
                self.assertTrue(decimal <= exact if step["relation"][0] == ">" else decimal >= exact, step)
        for row in claim["tolerances"]:
            self.assertGreaterEqual(Fraction(row.get("largest", row["declared"])["exact"]), Fraction(row["declared"]["exact"]))

    def test_places_are_where_the_text_is(self):
        for path in EXAMPLES:
            told = json.loads(self.explain(path, "json"))
            for row in told["contracts"]:
                for claim in row["claims"]:
                    for step in claim["steps"]:
                        ground = step.get("rests_on", {})
                        if ground.get("kind") == "clause":
                            line = (ROOT / ground["at"]["file"]).read_text().splitlines()[ground["at"]["line"] - 1]
                            self.assertEqual(line[ground["at"]["column"] - 1 :][:3], ground["text"][:3])

    def test_dot(self):
        for path in EXAMPLES:
            nodes, edges = read_dot(self.explain(path, "dot"))
            self.assertTrue(nodes)
            self.assertLessEqual({end for edge in edges for end in edge}, nodes)

    def test_svg_is_xml_whose_boxes_do_not_overlap(self):
        for path in EXAMPLES:
            root = ET.fromstring(self.explain(path, "svg"))
            self.assertEqual(root.tag, SVG + "svg")
            width, height = float(root.get("width")), float(root.get("height"))
            for group in root.iter(SVG + "g"):
                boxes = [box.find(SVG + "rect") for box in group.findall(SVG + "g") if "box" in (box.get("class") or "")]
                sizes = [tuple(float(box.get(name)) for name in ("x", "y", "width", "height")) for box in boxes]
                for i, (x, y, w, h) in enumerate(sizes):
                    self.assertTrue(0 <= x and x + w <= width and -0.1 <= y and y + h <= height, path)
                    for a, b, c, d in sizes[:i]:
                        self.assertTrue(x + w <= a or a + c <= x or y + h <= b + 0.1 or b + d <= y + 0.1, path)

    def test_html_needs_nothing_else(self):
        for path in EXAMPLES:
            page = self.explain(path, "html")
            reader = Html()
            reader.feed(page)
            self.assertEqual((reader.open, reader.faults), ([], []))
            self.assertNotIn("script", reader.tags)
            self.assertIn("default-src 'none'; style-src 'unsafe-inline'", page)
            self.assertNotRegex(page, r"(?i)url\(|@import|<link|<iframe|<object")
            self.assertEqual(len(reader.ids), len(set(reader.ids)))
            for link in reader.links:
                self.assertIn(link.removeprefix("#"), reader.ids)
            # One drawing a claim, and one curve for each clause that it rests on.
            told = json.loads(self.explain(path, "json"))
            claims = [claim for row in told["contracts"] for claim in row["claims"]]
            self.assertEqual(reader.tags.count("svg"), len(claims) + sum(len(claim["tolerances"]) for claim in claims))

    def test_markdown_links_lead_to_the_lines(self):
        for path in EXAMPLES:
            page = self.explain(path, "markdown")
            links = re.findall(r"\]\(([^)]*)#L(\d+)\)", page)
            self.assertTrue(links)
            for file, line in links:
                self.assertLessEqual(int(line), len((ROOT / file).read_text().splitlines()))
            for table in re.findall(r"(?m)(?:^\|.*\n)+", page):
                cells = [len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()]
                self.assertEqual(len(set(cells)), 1, table)

    def test_markdown_links_start_at_the_page(self):
        self.write("a/small.tikc.yaml", SMALL)
        (self.folder / "b").mkdir()
        self.expect(0, "explain", "--format=markdown", "-o", "b/out.md", "a/small.tikc.yaml")
        self.assertIn("](../a/small.tikc.yaml#L", (self.folder / "b/out.md").read_text())


class Tree(Case):
    def told(self, text, *options, status=0):
        self.write("x.tikc.yaml", text)
        return self.expect(status, "explain", "x.tikc.yaml", *options).out

    def test_a_step_that_changes_nothing_is_folded(self):
        said = self.told(SMALL)
        self.assertIn("max(tv) <= 0.24492  by L-TV-OSC at omega = 1\n", said)
        self.assertRegex(said, r"└─ max\(omega\) <= 1  clause worst: max\(logit_osc\) <= 1, x\.tikc\.yaml:\d+:\d+; L-OSC-TAU\n")
        mean = self.told(SMALL.replace("max(tv) <= 0.25", "mean(tv) <= 0.25"))
        self.assertIn("mean(tv) <= 0.24492  by L-TV-OSC at omega = 1; L-MEAN-SUP", mean)
        # At another temperature the same step does change the number.
        hot = self.told(SMALL.replace("64 tokens }", "64 tokens, temperature: 2 }"))
        self.assertIn("max(omega) <= 0.5  by L-OSC-TAU at omega = 1, tau = 2\n", hot)

    def test_numbers_are_rounded_outward(self):
        told = json.loads(self.told(SMALL, "--format=json"))
        step = told["contracts"][0]["claims"][0]["steps"][0]
        self.assertGreaterEqual(Fraction("0.24492"), Fraction(step["bound"]["exact"]))
        low = self.told(SMALL.replace("max(tv) <= 0.25", "ess >= 0.7"), "--format=json")
        step = json.loads(low)["contracts"][0]["claims"][0]["steps"][0]
        self.assertLessEqual(Fraction(step["bound"]["decimal"]), Fraction(step["bound"]["exact"]))

    def test_a_claim_that_is_not_proved(self):
        said = self.told(SMALL.replace("<= 0.25", "<= 0.2"), status=1)
        self.assertRegex(said, r"far: max\(tv\) <= 0\.2\n")
        self.assertRegex(said, r"worst +0\.81 \S* ?\(declared: 1\)")
        unbounded = self.told(SMALL.replace("max(tv) <= 0.25", "reward_drift <= 0.1"), status=1)
        self.assertIn("not proved: nothing in the contract bounds it", unbounded)
        self.assertIn("missing: ", unbounded)

    def test_a_refuted_claim_shows_its_witness(self):
        text = SMALL.replace("max(logit_osc) <= 1", "p99(logit_osc) <= 1")
        said = self.told(text, status=1)
        self.assertIn("refuted: there are kernels that satisfy every clause and violate it", said)
        self.assertRegex(said, r"p99\(logit_osc\) +\S+ \(asked: <= 1\)\n")
        witness = json.loads(self.told(text, "--format=json", status=1))["contracts"][0]["claims"][0]["witness"]
        self.assertEqual(sum(Fraction(kind["weight"]["exact"]) for kind in witness["kinds"]), 1)
        self.assertGreater(Fraction(witness["rows"][-1]["lower"]["exact"]), Fraction("0.25"))
        for form in ["markdown", "html"]:
            self.assertIn("the training kernel", self.told(text, f"--format={form}", status=1))

    def test_equal_slices_are_told_together(self):
        slices = 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math", weight: 50% }\n  code: { when: task == "code", weight: 20% }\n'
        text = contract("  worst: max(logit_osc) <= 1\n", "  far: max(tv) <= 0.25\n", slices=slices)
        self.assertIn("far: max(tv) <= 0.25 on every slice\n", self.told(text))
        text = text.replace("max(logit_osc) <= 1", "max(logit_osc) <= 1\n  tight: max(logit_osc) <= 0.5 on math")
        said = self.told(text)
        self.assertIn("far: max(tv) <= 0.25 on math\n", said)
        self.assertIn("far: max(tv) <= 0.25 on code and other\n", said)
        self.assertNotIn("on math\n", self.told(text, "--slice=code"))
        self.assertIn("did you mean `math`", self.expect(2, "explain", "x.tikc.yaml", "--slice=mth").err)

    def test_where_a_claim_holds_is_told_once(self):
        slices = "labels: { d: [a, b] }\nslices:\n  s0: { when: d == \"a\", weight: 50% }\n"
        said = self.told(contract("  worst: max(logit_osc) <= 1\n", "  far: max(tv) <= 0.25 on s0\n  mixed: tv <= 0.25 on all\n", slices=slices))
        self.assertIn("\nfar: max(tv) <= 0.25 on s0\n", said)
        self.assertIn("\nmixed: tv <= 0.25 on the mixture of all slices\n", said)

    def test_one_claim(self):
        self.write("x.tikc.yaml", SMALL + "  near: tv <= 0.25\n  wrong: tv <= 0.1\n")
        said = self.expect(0, "explain", "x.tikc.yaml", "--claim=near").out
        self.assertIn("near: ", said)
        self.assertNotIn("far: ", said)
        self.expect(1, "explain", "x.tikc.yaml")
        self.assertIn("did you mean `near`", self.expect(2, "explain", "x.tikc.yaml", "--claim=naer").err)

    def test_a_faulty_contract_is_reported_not_explained(self):
        self.write("x.tikc.yaml", FAULTY)
        done = self.expect(1, "explain", "x.tikc.yaml")
        self.assertEqual(done.out, "")
        self.assertIn("error[TK2001]", done.err)
        self.assertEqual(self.expect(0, "explain", "-", stdin=SMALL).err, "")

    def test_what_is_a_file_and_what_a_code(self):
        self.assertIn("No such file", self.expect(2, "explain", "no/such.tikc.yaml").err)
        self.assertIn("TK2001", self.expect(2, "explain", "TK201").err)
        self.assertIn("--claim requires a contract FILE", self.expect(2, "explain", "TK2001", "--claim=x").err)
        self.assertIn("--format=svg requires a contract FILE", self.expect(2, "explain", "TK2001", "--format=svg").err)
        self.expect(0, "explain", "TK2001", "-o", "page.txt")
        self.assertIn("TK2001", (self.folder / "page.txt").read_text())


class Escapes(Case):
    """An author's words cannot leave their place in any format."""

    def setUp(self):
        super().setUp()
        text = SMALL.replace("version: 1.0.0\n", f'version: 1.0.0\nsummary: "{NASTY}"\n')
        text = text.replace("  worst: max(logit_osc) <= 1\n", f'  worst: {{ require: max(logit_osc) <= 1, because: "{NASTY}" }}\n')
        text = text.replace("  far: max(tv) <= 0.25\n", f'  far: {{ require: max(tv) <= 0.25, because: "{NASTY}" }}\n')
        self.name = "a`b|c<i>\"&d.tikc.yaml"
        self.write(self.name, text)

    def told(self, form):
        return self.expect(0, "explain", f"--format={form}", self.name).out

    def test_html(self):
        page = self.told("html")
        reader = Html()
        reader.feed(page)
        self.assertEqual((reader.open, reader.faults), ([], []))
        self.assertNotIn("script", reader.tags)
        self.assertNotIn("i", reader.tags)
        self.assertEqual(page.count("<style>"), 1)
        self.assertEqual(sum(PLAIN in words for words in reader.words), 3)

    def test_svg(self):
        root = ET.fromstring(self.told("svg"))
        self.assertFalse([element.tag for element in root.iter() if "script" in element.tag])
        self.assertIn(self.name, "".join(root.itertext()))

    def test_dot(self):
        nodes, edges = read_dot(self.told("dot"))
        self.assertEqual((len(nodes), len(edges)), (3, 2))

    def test_markdown(self):
        page = self.told("markdown")
        self.assertNotRegex(page, r"(?<!\\)<script")
        self.assertNotRegex(page, r"(?<!\\)\*x")
        self.assertNotRegex(page, r"(?<!\\)\[l")
        self.assertEqual(len(re.findall(r"(?m)^# ", page)), 1)
        for table in re.findall(r"(?m)(?:^\|.*\n)+", page):
            self.assertEqual(len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}), 1, table)

    def test_json(self):
        claim = json.loads(self.told("json"))["contracts"][0]["claims"][0]
        self.assertEqual(claim["because"], PLAIN)
        self.assertEqual(claim["at"]["file"], self.name)

    def test_text(self):
        self.assertEqual(self.told("text").count("<script>"), 2)


if __name__ == "__main__":
    main()
