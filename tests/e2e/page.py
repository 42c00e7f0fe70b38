"""`tikc measure --report` and `tikc merge --report`: the page, read by Python's own parser and held to the JSON form and to NumPy."""

import json
import math
import os
import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, TIKC, Case, contract, main, skip  # noqa: E402
from page_reader import Reader  # noqa: E402

try:
    import jsonschema
    import numpy
    from page_data import CONTRACT, responses
except ModuleNotFoundError as missing:
    skip(f"{missing}; the reference needs python3-numpy, the schema python3-jsonschema")

MOST = 1_000_000
SCHEMA = json.loads((ROOT / "schemas/measurement.v1.schema.json").read_text())


def lines(records):
    return "".join(json.dumps(each) + "\n" for each in records)


def numbers_of(told, path=()):
    """Every number of the JSON form, with where it is; bounds that no row has are none."""
    if isinstance(told, dict):
        for name, value in told.items():
            yield from numbers_of(value, (*path, name))
    elif isinstance(told, list):
        for value in told:
            yield from numbers_of(value, path)
    elif isinstance(told, (int, float)) and not isinstance(told, bool):
        yield path, told


def written(path, number):
    """As a page has it: counts in groups, else four digits."""
    if isinstance(number, int) and path[-1] not in ("value", "low", "high", "bound", "least", "greatest", "outside", "confidence"):
        return f"{number:,}"
    return f"{number * 100 if path[-1] in ('outside', 'confidence') else number:.4g}"


class Page(Case):
    @classmethod
    def setUpClass(cls):
        cls.shared = cls.shared_folder()
        (cls.shared / "run.tikc.yaml").write_text(CONTRACT)
        cls.records = responses()
        (cls.shared / "data.jsonl").write_text(lines(cls.records))

    def page(self, status, *words, command="measure", name="out.html"):
        self.expect(status, command, *words, f"--report={self.folder / name}", cwd=self.shared)
        return self.read(self.folder / name)

    def read(self, path):
        text = path.read_text(encoding="utf-8")
        self.assertLessEqual(len(text.encode()), MOST)
        page = Reader(text)
        self.assertEqual(page.faults, [])
        return page

    def told(self, status, *words):
        return json.loads(self.expect(status, "measure", "--format=json", *words, cwd=self.shared).out)

    def test_every_number_of_the_json_form_is_on_the_page(self):
        page = self.page(1, "run.tikc.yaml", "data.jsonl")
        told = self.told(1, "run.tikc.yaml", "data.jsonl")
        tokens = set(re.findall(r"[\w.+,-]*\d[\w.+-]*", page.text.replace("%", " ")))
        tokens |= {each.rstrip(".,;:") for each in tokens}
        looked = 0
        for path, number in numbers_of(told):
            # What is none is not told, and neither are records apart from what they hold.
            if path[0] == "diagnosis" or path[:1] == ("data",) and (number == 0 or path[-1] == "records") or path[-1] in ("satisfied", "undecided", "unjudged", "numberless", "evaluation"):
                continue
            looked += 1
            self.assertIn(written(path, number), tokens, f"{path}: {number}")
        self.assertGreater(looked, 60)
        # The block for programs is what the JSON form prints.
        self.assertEqual(json.loads(page.data), told)
        for word in (told["fingerprint"], told["verdict"], told["contract"], told["version"], told["pair"]):
            self.assertIn(word, page.text)
        self.assertIn(told["diagnosis"]["says"], page.text)
        for cause in told["diagnosis"]["causes"]:
            if cause["state"] in ("named", "echoed", "undecided"):
                for said in (cause["name"], cause["contrast"], cause["next"], *(each["says"] for each in cause["figures"])):
                    self.assertIn(said, page.text)
        for row in told["clauses"]:
            self.assertIn(row["says"], page.text)
            for each in row["worst"]:
                self.assertIn(each["place"], page.text)

    def test_the_matrix_and_what_would_change_it(self):
        page = self.page(1, "run.tikc.yaml", "data.jsonl")
        told = self.told(1, "run.tikc.yaml", "data.jsonl")
        matrix, values = page.tables[:2]
        self.assertEqual(matrix[0], ["clause", "math", "code", "other", *(["all slices"] if any(row["slice"] == "*" for row in told["clauses"]) else [])])
        for row in told["clauses"]:
            (line,) = [each for each in matrix[1:] if each[0] == row["clause"] + row["says"]]
            cell = line[matrix[0].index({"*": "all slices"}.get(row["slice"], row["slice"]))]
            self.assertIn(row["verdict"], cell)
            (line,) = [each for each in values[1:] if each[0].startswith(row["clause"] + row["says"]) and each[1] == {"*": "all slices"}.get(row["slice"], row["slice"])]
            self.assertIn(row["verdict"], line[2])
            self.assertIn(f"{row['observations']:,}", line[6])
            if row["verdict"] == "undecided":
                self.assertIn(row["why"], line[8])
            elif row["clause"] == "logs":
                self.assertIn(f"{row['low']:.4g}", line[8])
            elif row["verdict"] == "violated":
                self.assertIn(f"{abs(row['value'] - row['bound']):.4g}", line[8])
            else:
                self.assertIn(f"{min(abs(row[end] - row['bound']) for end in ('value', 'low', 'high')):.4g}", line[8])
        verdicts = [re.sub(r"\W", "", line[2]) for line in values[1:]]
        self.assertEqual(verdicts, sorted(verdicts, key=["violated", "undecided", "satisfied"].index))

    def test_curves_are_numpys_quantiles(self):
        page = self.page(1, "run.tikc.yaml", "data.jsonl")
        (table,) = [each for each in page.tables if each[0][:4] == ["slice", "n", "p1", "p10"]]
        for slice_, count, *cells in table[1:]:
            gaps = numpy.concatenate([numpy.abs(numpy.float32(each["train"]) - numpy.float32(each["infer"])) for each in self.records
                                      if {"chat": "other"}.get(each["task"], each["task"]) == slice_])
            self.assertEqual(count, f"{gaps.size:,}")
            for head, cell in zip(table[0][2:], cells):
                level = float(head[1:]) / 100
                if min(level, 1 - level) * gaps.size >= 1:
                    exact = numpy.sort(gaps)[math.ceil(level * gaps.size - 1e-9) - 1]
                    self.assertAlmostEqual(float(cell.split()[0]), exact, delta=exact / 60)

    def test_positions_probabilities_and_versions(self):
        page = self.page(1, "run.tikc.yaml", "data.jsonl")
        told = {each[0][0]: each for each in page.tables if len(each[0]) == 5 and each[0][2] == "mean |x|"}
        self.assertEqual(set(told), {"position", "-log q, from", "step less version", "step", "version"})
        gaps = [numpy.float64(numpy.float32(each["train"])) - numpy.float32(each["infer"]) for each in self.records]

        def held(head, groups):
            self.assertEqual([row[0] for row in told[head][1:]], list(groups))
            for row, values in zip(told[head][1:], groups.values()):
                self.assertEqual(row[1], f"{len(values):,}")
                self.assertAlmostEqual(float(row[2].split()[0]), numpy.mean(numpy.abs(values)), delta=2e-3 * numpy.mean(numpy.abs(values)))

        bins = {0: "0", 1: "1", 2: "2–3", 3: "4–7", 4: "8–15", 5: "16–31", 6: "32–63", 7: "64–127"}
        by = {name: [] for name in bins.values()}
        lags = {name: [] for name in ("0", "1", "2–3", "4–7")}
        steps = {str(step): [] for step in range(1, 41)}
        for record, gap in zip(self.records, gaps):
            for place, x in enumerate(gap):
                by[bins[place.bit_length()]].append(x)
            lag = record["step"] - record["version"]
            lags[bins[lag.bit_length()]] += list(gap)
            steps[str(record["step"])] += list(gap)
        held("position", by)
        held("step less version", lags)
        held("step", steps)

    def test_claims_stand_beside_what_was_observed_and_the_chain_has_both(self):
        page = self.page(1, "run.tikc.yaml", "data.jsonl")
        told = self.told(1, "run.tikc.yaml", "data.jsonl")
        (claims,) = [each for each in page.tables if each[0][1:3] == ["as promised", "state"]]
        for row, line in zip(told["claims"], claims[1:]):
            self.assertEqual((line[0], line[1]), (row["claim"], row["says"]))
            for each in row["observed"]:
                self.assertIn(f"{each['bound']:.4g}" if each["bound"] is not None else each["why"], line[3])
        (chain,) = [each for each in page.tables if each[0] == ["what", "as promised", "by", "as seen"] and each[1][0] == "token_tv"]
        gap = max((row for row in told["clauses"] if row["clause"] == "gap"), key=lambda row: (row["verdict"] == "violated", row["value"]))
        self.assertIn("mean(sampled_abs_gap) <= 0.02", [line[1] for line in chain])
        self.assertTrue(any(line[3].startswith("seen: ") for line in chain), chain)
        self.assertEqual(gap["verdict"], "violated")

    def without_command(self, name):
        """A page's bytes without the command that made it, and that."""
        text = (self.folder / name).read_text()
        (found,) = re.findall(r"<div><dt>command</dt><dd>(.*)</dd></div>\n", text)
        return text.replace(found, ""), found

    def test_evidence_makes_the_same_page_and_so_does_merging(self):
        half = len(self.records) // 2
        for name, part in (("a", self.records[:half]), ("b", self.records[half:])):
            (self.folder / f"{name}.jsonl").write_text(lines(part))
            self.tikc("measure", self.shared / "run.tikc.yaml", f"{name}.jsonl", f"--evidence={name}.tikc-evidence", "-q")
        files = ["a.tikc-evidence", "b.tikc-evidence"]
        for name, threads in (("one.html", 1), ("three.html", 3)):
            self.tikc("measure", self.shared / "run.tikc.yaml", "a.jsonl", "b.jsonl", f"--report={name}", f"-j{threads}")
        one, command = self.without_command("one.html")
        self.assertEqual(one, self.without_command("three.html")[0])
        self.assertEqual(command, f"tikc measure {self.shared / 'run.tikc.yaml'} a.jsonl b.jsonl --report=one.html -j1")
        self.tikc("measure", self.shared / "run.tikc.yaml", *files, "--report=judged.html")
        done = self.expect(0, "merge", *files, "-o", "all.tikc-evidence", "--contract", self.shared / "run.tikc.yaml", "--report=merged.html")
        self.assertIn("2 pieces", done.out)
        judged, merged = self.without_command("judged.html"), self.without_command("merged.html")
        self.assertEqual(judged[0], merged[0])
        self.assertRegex(merged[1], "^tikc merge a.tikc-evidence b.tikc-evidence -o all.tikc-evidence ")
        of_data, of_evidence = (self.read(self.folder / name) for name in ("one.html", "judged.html"))
        kinds = [[heading for _, heading in page.headings] for page in (of_data, of_evidence)]
        self.assertLessEqual(set(kinds[1]), set(kinds[0]))
        self.assertEqual(of_data.tables[0][0], of_evidence.tables[0][0])
        found = [re.search(r"fingerprint of the data (\w+), of 2 pieces", page.text) for page in (of_data, of_evidence)]
        self.assertEqual(found[0].group(1), found[1].group(1))

    def test_pictures_are_files_too(self):
        self.expect(1, "measure", self.shared / "run.tikc.yaml", self.shared / "data.jsonl", "--figures=pictures", "--report=out.html")
        text = (self.folder / "out.html").read_text()
        files = sorted((self.folder / "pictures").iterdir())
        self.assertEqual({each.stem for each in files}, set(re.findall(r'<figure id="([^"]+)"', text)))
        self.assertGreaterEqual({each.stem.split("-")[0] for each in files}, {"slices", "quantiles", "drift", "tokens", "chain"})
        for file in files:
            self.assertRegex(file.name, r"\A[a-z]+-[a-z0-9]+\.svg\Z")
            root = xml.fromstring(file.read_text())
            self.assertEqual((root.tag, root.get("role")), ("{http://www.w3.org/2000/svg}svg", "img"))
            inner = re.search(r"<rect class=\"paper\"[^>]*/>\n(.*)</svg>", file.read_text(), re.S).group(1)
            self.assertIn(inner, text)

    def test_what_data_and_authors_wrote_is_inert(self):
        evil = "\"><img src=x onerror=alert(1)>'&\u202e</main><script>x.jsonl"
        name = evil.replace("/", "")
        (self.folder / name).write_text(lines([{**each, "task": "<script>alert(2)</script>"} if i % 50 == 0 else each for i, each in enumerate(self.records)]))
        self.tikc("measure", self.shared / "run.tikc.yaml", name, "--report=out.html")
        page = self.read(self.folder / "out.html")
        self.assertIn("\\u{202E}", page.text)
        self.assertIn("<img src=x onerror=alert(1)>", page.text)
        self.assertIn("<script>alert(2)</script>", page.text)
        self.assertNotIn("\u202e", page.text)
        self.assertIn("<script>x.jsonl", json.dumps(json.loads(page.data)))

    def test_however_much_there_is_a_page_stays_small_and_says_what_it_leaves_out(self):
        labels = ", ".join(f"task{i}" for i in range(40))
        slices = "".join(f'  s{i}: {{ when: task == "task{i}" }}\n' for i in range(40))
        clauses = "".join(f"  c{i}: p99(abs(logprob_gap)) <= {0.1 + i / 1000} nat\n" for i in range(30))
        path = self.write("many.tikc.yaml", contract("many", f"labels: {{ task: [{labels}] }}\nslices:\n{slices}statistical:\n{clauses}",
                                                    "observability:\n  tokens: sample(logprobs, 100%)\n"))
        records = [{**each, "task": f"task{i % 40}"} for i, each in enumerate(self.records[:400])]
        (self.folder / "data.jsonl").write_text(lines(records))
        self.tikc("measure", path, "data.jsonl", "--report=out.html", "--figures=all")
        page = self.read(self.folder / "out.html")
        self.assertTrue(page.data is None or len(json.loads(page.data)["clauses"]) == 41 * 30)
        self.assertRegex(page.text, r"And \d+ more slices, for which this page has no room")
        self.assertRegex(page.text, r"And \d+ more rows, for which this page has no room: `tikc measure --format=json` shows them")
        left = sum(int(count) for count in re.findall(r"And (\d+) more pictures", page.text))
        self.assertGreater(left, 0)
        self.assertEqual(len(page.of("figure")) + left, len(list((self.folder / "all").iterdir())))

    def test_values_have_the_names_that_trainers_log(self):
        path = self.write("names.tikc.yaml", contract("names", "statistical:\n  kl: mean(k3) <= 0.05 nat over 50 tokens\n  tail: p99(k3) <= 1 nat\n", "observability:\n  tokens: sample(logprobs, 100%)\n"))
        (self.folder / "data.jsonl").write_text(lines(self.records[:50]))
        self.tikc("measure", path, "data.jsonl", "--report=out.html")
        (values,) = [table for table in self.read(self.folder / "out.html").tables if table[0][0] == "clause" and "what would change it" in table[0]]
        self.assertEqual(len(values), 3)
        (names,) = [table for table in self.read(self.folder / "out.html").tables if table[0] == ["clause", "name in logs"]]
        self.assertEqual([row[0][:6] for row in names[1:]], ["klmean"])
        self.assertIn("verl: rollout_corr/k3_kl", names[1][1])

    def evidence(self, name, **how):
        (self.folder / f"{name}.jsonl").write_text(lines(responses(**how)))
        self.tikc("measure", self.compared, f"{name}.jsonl", f"--evidence={name}.tikc-evidence", "-q")
        return f"{name}.tikc-evidence"

    def test_two_measurements_next_to_each_other(self):
        sampled = "  sampled: mean(tv_sampled) <= 3% with confidence 99%\n  windows: mean(tv_sampled) <= 3% over 2_000 tokens with confidence 99%\n"
        self.compared = self.write("c.tikc.yaml", CONTRACT.replace("statistical:\n", f"statistical:\n{sampled}"))
        old, same, worse = self.evidence("old", growth=0), self.evidence("same", growth=0, seed=2), self.evidence("worse", noise=0.02, seed=3)
        for now, expected in ((worse, "higher"), (same, "not distinguishable"), (old, "not distinguishable")):
            told = json.loads(self.tikc("measure", self.compared, now, f"--against={old}", "--format=json").out)
            there = json.loads(self.tikc("measure", self.compared, old, f"--against={now}", "--format=json").out)
            jsonschema.validate(told, SCHEMA)
            self.assertEqual(told["against"]["verdict"], there["verdict"])
            turned = {"higher": "lower"}
            for row, here, back in zip(told["clauses"], told["against"]["clauses"], there["against"]["clauses"], strict=True):
                self.assertEqual([row[key] for key in ("clause", "says", "slice", "unit")], [here[key] for key in ("clause", "says", "slice", "unit")])
                self.assertEqual((here["here"], here["there"], turned.get(here["difference"], here["difference"])), (back["there"], back["here"], back["difference"]))
                if row["clause"] in ("sampled", "windows"):
                    self.assertEqual(here["difference"], expected if here["here"]["observations"] else "no value")
                elif row["clause"] in ("worst", "usual", "gap", "spread"):
                    self.assertIn(here["difference"], ("no interval", "no value"))
        # Over all data, whatever the windows.
        records = responses(noise=0.02, seed=3)
        gaps = numpy.concatenate([numpy.abs(numpy.float32(each["train"]) - numpy.float32(each["infer"])) for each in records if each["task"] == "math"])
        told = json.loads(self.tikc("measure", self.compared, worse, f"--against={old}", "--format=json").out)
        (gap,) = [each["here"] for each in told["against"]["clauses"] if (each["clause"], each["slice"]) == ("gap", "math")]
        self.assertEqual(gap["observations"], gaps.size)
        self.assertAlmostEqual(gap["value"], gaps.mean(dtype=float), delta=1e-6)
        done = self.tikc("measure", self.compared, old, f"--against={worse}", "--report=out.html", "--figures=pictures")
        self.assertRegex(done.out, r"(?m)^against worse\.tikc-evidence \(violated\), over all data:\ndifference +clause")
        self.assertRegex(done.out, r"(?m)^lower +sampled +math ")
        self.assertRegex(self.tikc("measure", self.compared, old, f"--against={worse}", "-q").out, r"(?m)^lower +sampled +math ")
        self.assertRegex(self.tikc("measure", self.compared, old, f"--against={worse}", "--format=markdown").out, r"(?m)^\| lower \| sampled \| math \| ")
        page = self.read(self.folder / "out.html")
        (table,) = [each for each in page.tables if each[0][2:3] == ["difference"]]
        self.assertEqual({row[2] for row in table[1:] if row[0].startswith("sampledmean")}, {"lower"})
        order = ["higher", "lower", "not distinguishable", "no interval", "no value"]
        self.assertEqual([row[2] for row in table[1:]], sorted((row[2] for row in table[1:]), key=order.index))
        self.assertEqual(json.loads(page.data)["against"]["evidence"], worse)
        (positions,) = [each for each in page.tables if each[0][0] == "position"]
        self.assertEqual({row[0].partition(", ")[2] for row in positions[1:]}, {"", "compared"})
        self.assertEqual(len(list((self.folder / "pictures").glob("compared-*.svg"))), 8)
        self.assertIn('class="series against"', (self.folder / "pictures/tokens-position.svg").read_text())
        # Data are compared as well, and several files are one.
        self.tikc("measure", self.compared, "same.jsonl", f"--against={old}", f"--against={worse}", "-o", "out.txt")
        self.assertIn(f"against {old}, {worse} (", (self.folder / "out.txt").read_text())

    def test_comparisons_that_are_refused(self):
        self.compared = self.shared / "run.tikc.yaml"
        old = self.evidence("old", steps=2)
        other = self.write("other.tikc.yaml", CONTRACT.replace('  code: { when: task == "code" }\n', ""))
        renamed = self.write("renamed.tikc.yaml", CONTRACT.replace("version: 1.0.0", "version: 1.0.1").replace("p99(abs", "p95(abs"))
        for words, why in ((("old.jsonl",), "--against requires evidence, which `tikc measure --evidence` writes"), (("missing",), "--against: cannot read `missing`: No such file"),
                           ((old, "--format=csv"), "--against cannot be combined with --format=csv"), ((old, "--every=file"), "--against: the evidence was made to be judged")):
            done = self.expect(2, "measure", self.compared, "old.jsonl", "--against", *words)
            self.assertIn(why, done.err)
        self.assertRegex(self.tikc("measure", renamed, "old.jsonl", f"--against={old}").out, r"(?m)^against old\.tikc-evidence \(undecided\), over all data:\n1 of 1 pieces of the evidence has a different origin: the contract's fingerprint is 0x")
        self.assertIn("other clauses", self.expect(2, "measure", other, "old.jsonl", f"--against={old}").err)
        self.assertIn("cannot be combined with --scalars", self.expect(2, "measure", self.compared, "old.jsonl", "--scalars", f"--against={old}").err)

    def test_a_diagnosis_without_a_contract_has_a_page(self):
        name = "it's <b>data.jsonl"
        (self.folder / name).write_text(lines(self.records))
        page = self.page(1, self.folder / name, command="diagnose")
        self.assertEqual([text for _, text in page.headings], ["Diagnosis", "Consistent causes", "Gap by condition", "Provenance"])
        told = json.loads(self.tikc("diagnose", self.folder / name, "--format=json").out)
        self.assertEqual(json.loads(page.data), told)
        self.assertIn(told["says"], page.text)
        for cause in told["causes"]:
            self.assertEqual(cause["next"] in page.text, cause["state"] in ("named", "echoed", "undecided"), cause["cause"])
        self.assertIn("'" + str(self.folder / name).replace("'", "'\\''") + "'", page.text)
        self.tikc("measure", self.shared / "run.tikc.yaml", name, "--evidence=a.tikc-evidence", "-q")
        done = self.expect(1, "diagnose", "a.tikc-evidence", "--report=b.html", "--figures=pictures")
        self.assertEqual({each.stem for each in (self.folder / "pictures").iterdir()}, set(re.findall(r'<figure id="([^"]+)"', (self.folder / "b.html").read_text())))
        self.assertIn("a.tikc-evidence", self.read(self.folder / "b.html").text)
        self.assertIn("refusing to overwrite", self.expect(2, "diagnose", name, f"--report={name}").err)
        self.assertIn("is given for both", self.expect(2, "diagnose", name, "--report=x", "-o", "x").err)
        self.assertIn(told["says"], done.out)

    def test_many_windows_are_drawn_by_their_worst(self):
        path = self.write("short.tikc.yaml", contract("short", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.014 nat over 50 tokens\n",
                                                     "observability:\n  tokens: sample(logprobs, 100%)\n"))
        page = self.page(1, path, "data.jsonl", "--every=50 tokens")
        self.assertRegex(page.text, r"Of up to (8|16) windows in a row, only the worst is drawn")
        (table,) = [each for each in page.tables if each[0][1] == "windows"]
        (row,) = self.told(1, path, "data.jsonl", "--every=50 tokens")["clauses"]
        self.assertEqual(table[1][1:5], [f"{each:,}" for each in (sum(row["windows"].values()), *row["windows"].values())])

    def test_wrong_uses_write_nothing(self):
        data, plan = self.shared / "data.jsonl", self.shared / "run.tikc.yaml"
        self.assertIn("refusing to overwrite", self.expect(2, "measure", plan, data, f"--report={data}").err)
        self.assertIn("requires a file name", self.expect(2, "measure", plan, data, "--report=-").err)
        self.assertIn("found a folder", self.expect(2, "measure", plan, data, f"--report={self.folder}").err)
        self.assertIn("is given for both", self.expect(2, "measure", plan, data, "--report=x", "-o", "x").err)
        self.write("file", "kept")
        self.assertIn("expected a folder", self.expect(2, "measure", plan, data, "--figures=file").err)
        self.expect(2, "measure", plan, data, "--report=no/such/out.html")
        self.tikc("measure", plan, data, "--evidence=a.tikc-evidence", "-q")
        self.assertIn("--contract", self.expect(2, "merge", "a.tikc-evidence", "-o", "b", "--report=x.html").err)
        self.assertIn("requires --report or --figures", self.expect(2, "merge", "a.tikc-evidence", "-o", "b", "--contract", plan).err)
        self.expect(2, "merge", "a.tikc-evidence", "-o", "b", "--contract=missing", "--report=x.html")
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["a.tikc-evidence", "file"])
        self.assertEqual((self.folder / "file").read_text(), "kept")

    def test_logged_figures_have_a_page_of_their_verdicts(self):
        self.write("log.jsonl", lines([{"step": i, "rollout_corr/kl": 0.001 * i} for i in range(1, 6)]))
        path = self.write("kl.tikc.yaml", contract("kl", "statistical:\n  kl: mean(k1) in [-0.01 nat, 0.01 nat]\n", "observability:\n  tokens: sample(logprobs, 100%)\n"))
        done = self.tikc("measure", path, "--scalars", "log.jsonl", "--report=out.html")
        self.assertIn(done.returncode, (0, 4), done.err)
        self.assertIn("log.jsonl", self.read(self.folder / "out.html").text)

    def test_a_terminal_is_shown_what_was_judged_so_far(self):
        import pty

        for i in range(12):
            (self.folder / f"part{i}.jsonl").write_text(lines(self.records))
        words = ["measure", str(self.shared / "run.tikc.yaml"), *(f"part{i}.jsonl" for i in range(12)), "--watch", "-j1", "-o", "out.txt"]
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execv(TIKC, [TIKC, *words])
        shown = b""
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
        self.assertEqual(os.waitstatus_to_exitcode(status), 1)
        self.assertRegex(shown, rb"\d+ of 12 pieces read\r\n\d+ satisfied, \d+ violated")
        self.assertRegex(shown, rb"\x1b\[\d+A\r\x1b\[J\Z")  # what was drawn is gone
        # Elsewhere it changes nothing.
        done = self.tikc(*words[:-2])
        self.assertEqual((done.returncode, done.err), (1, ""))
        self.assertEqual(done.out, (self.folder / "out.txt").read_text())


if __name__ == "__main__":
    main()
