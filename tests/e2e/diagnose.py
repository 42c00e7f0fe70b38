"""`tikc diagnose`: runs of which the fault is known, its figures held to NumPy's, and what it says of little, of nothing and of evidence."""

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main, skip  # noqa: E402

try:
    import numpy

    import fault_data
except ImportError:
    skip("NumPy is not installed")
try:
    import jsonschema
except ImportError:
    jsonschema = None

SCHEMA = json.loads((ROOT / "schemas/diagnosis.v1.schema.json").read_text())
MEASURED = json.loads((ROOT / "schemas/measurement.v1.schema.json").read_text())
# One strength of each fault that threads in public tell of, and none.
FAULTS = [
    ("none", {}), ("probabilities", {"probabilities": {"server": True}}), ("shift", {"shift": {"by": 1}}), ("mask", {"mask": {"of": "tools", "share": 0.05}}), ("support", {"support": {"top_p": 0.9}}),
    ("temperature", {"temperature": {"at": 0.9}}), ("cache", {"cache": {"strength": 0.3}}), ("weights", {"weights": {"strength": 0.2, "lags": True}}),
    ("routing", {"routing": {"share": 0.01, "strength": 2.0}}), ("quantisation", {"quantisation": {"strength": 0.3}}),
    ("edited", {"edited": {"of": "gone", "share": 0.2}}), ("length", {"length": {"above": 64, "times": 4}}), ("minority", {"minority": {"quantisation": {"strength": 0.8}}}),
]
CONTRACT = contract("diagnosed", "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat over 2_000 tokens\n", "observability:\n  tokens: sample(logprobs, 100%)\n")


class Diagnose(Case):
    def told(self, status, *words, **options):
        told = json.loads(self.expect(status, "diagnose", "--format=json", *words, **options).out)
        if jsonschema:
            jsonschema.Draft7Validator.check_schema(SCHEMA)
            jsonschema.validate(told, SCHEMA)
        return told

    def put(self, name, run):
        path = self.folder / name
        path.write_text(run if isinstance(run, str) else fault_data.lines(run))
        return path

    @staticmethod
    def states(told):
        return {each["cause"]: each["state"] for each in told["causes"]}

    @staticmethod
    def figures(told, cause):
        return {each["figure"]: each for found in told["causes"] if found["cause"] == cause for each in found["figures"]}

    def test_the_page_shows_what_is_printed(self):
        self.put("rollouts.jsonl", fault_data.run(60, {"temperature": {"at": 1.2}, "weights": {"strength": 0.3, "lags": True}}))
        shown = re.search(r"(?s)\$ tikc diagnose rollouts.jsonl\n(.*?)```", (ROOT / "docs/how-to/diagnose.md").read_text())[1]
        self.assertEqual(self.expect(1, "diagnose", "rollouts.jsonl", cwd=self.folder, env={"COLUMNS": "88"}).out, shown)

    def test_what_a_cut_kept(self):
        for cut, value, of_90, of_98 in (("top_p", 0.9, 0.9, 0.89), ("top_k", 5, 0.45, 0.31), ("min_p", 0.1, 0.72, 0.63)):
            with self.subTest(cut):
                told = self.told(1, self.put("a.jsonl", fault_data.run(700, {"support": {cut: value}})))
                for key, least in (("kept_90", of_90), ("kept_98", of_98)):
                    self.assertAlmostEqual(self.figures(told, "support")[key]["value"], least, delta=0.02)

    def test_faults_of_a_few_responses_are_no_edits(self):
        for number, (faults, minority) in enumerate((({"quantisation": {"strength": 0.8}}, "named"), ({"temperature": {"at": 0.6}}, "named"),
                                                     ({"temperature": {"at": 0.7, "trainer": True}}, "named"), ({"cache": {"strength": 0.3}}, "named"),
                                                     ({"support": {"top_k": 5}}, "unseen"), ({"support": {"min_p": 0.05}}, "unseen"),
                                                     ({"routing": {"share": 0.03, "strength": 2.0}}, "named"))):
            with self.subTest(faults):
                told = json.loads(self.tikc("diagnose", "--format=json", self.put("a.jsonl", fault_data.some(number, faults, 8))).out)
                self.assertEqual(self.states(told)["edited"], "unseen")
                self.assertEqual(self.states(told)["minority"], minority)
                self.assertNotEqual(self.states(told)["routing"], "named")

    def test_tokens_that_are_far_apart_in_any_response_are_no_minority(self):
        """At whatever level the tail begins, and whatever the lengths are."""
        cases = [([200] * 200, 0.05, 0.01 * 2 ** (phase / 8), 8) for phase in range(8)]
        cases += [(([3000] + [30] * 9) * 20, 0.005, 0.01, 100), (([1000] + [20] * 5) * 40, 0.005, 0.01, 100), ([4000] * 20 + [8] * 180, 0.01, 0.01, 100)]
        for number, (lengths, share, level, times) in enumerate(cases):
            with self.subTest(number):
                random = numpy.random.default_rng(number)
                run = []
                for length in lengths:
                    infer = -random.exponential(0.7, length)
                    far = numpy.where(random.random(length) < share, times, 1)
                    x = level * far * random.normal(0, 1, length) * -numpy.expm1(infer)
                    run.append({"train": numpy.minimum(infer + x, 0).tolist(), "infer": infer.tolist()})
                told = json.loads(self.tikc("diagnose", "--format=json", self.put("a.jsonl", run)).out)
                self.assertEqual(self.states(told)["minority"], "unseen")
                of = self.figures(told, "minority")
                if of["responses"]["value"] > 0:
                    self.assertGreater(of["responses"]["value"], 0.8 * of["spread"]["value"])

    def test_a_minority_hides_no_level_of_all(self):
        random, run = numpy.random.default_rng(3), []
        for i in range(3000):
            infer = -random.exponential(0.7, 60)
            x = (4.0 if i % 20 == 0 else 0.15) * random.normal(0, 1, 60) * -numpy.expm1(infer)
            run.append({"train": numpy.minimum(infer + x, 0).tolist(), "infer": infer.tolist()})
        told = self.told(1, self.put("a.jsonl", run))
        self.assertEqual([self.states(told)[each] for each in ("minority", "quantisation")], ["named", "named"])
        self.assertLess(self.figures(told, "quantisation")["level"]["value"], 0.1)

    def test_padding_is_no_length(self):
        run = fault_data.run(701, {"length": {"above": 128, "times": 10}})
        for each in run:
            for field in ("train", "infer", "mask"):
                each[field] = [0] * 7 + each[field] + [0] * (600 - len(each[field]))
        self.assertEqual(self.states(self.told(1, self.put("a.jsonl", run)))["length"], "named")

    def test_responses_that_were_edited_are_few(self):
        """Where all are, it is something else."""
        for share, state in ((0.04, "undecided"), (0.2, "named"), (0.9, "unseen")):
            with self.subTest(share):
                told = self.told({"named": 1, "undecided": 4, "unseen": 1}[state], self.put("a.jsonl", fault_data.run(52, {"edited": {"of": "gone", "share": share}})))
                self.assertEqual(self.states(told)["edited"], state)

    def test_each_fault_is_named_first_and_none_of_none(self):
        for number, (fault, made_of) in enumerate(FAULTS):
            with self.subTest(fault):
                told = self.told(0 if fault == "none" else 1, self.put("a.jsonl", fault_data.run(40 + number, made_of)))
                named = [each["cause"] for each in told["causes"] if each["state"] == "named"]
                self.assertEqual(named[:1], [] if fault == "none" else [fault])
                self.assertEqual(told["state"], "none" if fault == "none" else "named")
                text = self.expect(0 if fault == "none" else 1, "diagnose", self.folder / "a.jsonl").out
                self.assertIn("no known cause stands out" if fault == "none" else "consistent with " + next(each["name"] for each in told["causes"] if each["cause"] == fault), text)

    def test_two_at_once_are_both_named(self):
        told = self.told(1, self.put("a.jsonl", fault_data.run(60, {"temperature": {"at": 1.2}, "weights": {"strength": 0.3, "lags": True}})))
        states = self.states(told)
        self.assertEqual((states["temperature"], states["weights"]), ("named", "named"))

    def test_the_shift_that_is_named_mends_the_data(self):
        for by in (1, -1):
            path = self.put("a.jsonl", fault_data.run(71, {"shift": {"by": by}}))
            says = self.figures(self.told(1, path), "shift")["gain"]["says"]
            shift = "--shift=1" if "raised by 1" in says else "--shift=-1"
            self.assertEqual(self.told(0, path, shift)["state"], "none", by)
            self.assertRegex(self.expect(0, "inspect", path).out, rf"try\s+{shift}\b")

    def test_figures_are_those_of_numpy(self):
        run = fault_data.run(61, {"temperature": {"at": 0.9}})
        told = self.told(1, self.put("a.jsonl", run))
        sides = [(numpy.float32(each["train"]).astype(float), numpy.float32(each["infer"]).astype(float)) for each in run]
        x = numpy.concatenate([train - infer for train, infer in sides])
        log_q = numpy.concatenate([infer for _, infer in sides])
        open_ = log_q != 0
        slope, intercept = numpy.polyfit(log_q[open_], x[open_], 1)
        figures = self.figures(told, "temperature")
        self.assertAlmostEqual(figures["slope"]["value"], slope, 9)
        # The sandwich, with responses as units.
        mean, meat, spread = log_q[open_].mean(), 0.0, ((log_q[open_] - log_q[open_].mean()) ** 2).sum()
        for train, infer in sides:
            of = infer[infer != 0]
            meat += ((of - mean) * (train[infer != 0] - of - intercept - slope * of)).sum() ** 2
        self.assertAlmostEqual(figures["slope"]["error"], meat**0.5 / spread, 9)
        self.assertAlmostEqual(self.figures(told, "support")["mean_weight"]["value"], numpy.exp(x).mean(), 9)
        self.assertAlmostEqual(self.figures(told, "quantisation")["level"]["value"], abs(x).mean(), 6)
        self.assertEqual((told["responses"], told["tokens"]), (len(run), len(x)))

    def test_a_temperature_is_estimated(self):
        for at in (0.7, 0.9, 1.2):
            ratio = self.figures(self.told(1, self.put("a.jsonl", fault_data.run(64, {"temperature": {"at": at}}))), "temperature")["ratio"]
            self.assertAlmostEqual(ratio["value"], at, delta=0.1 * abs(at - 1))
        self.assertNotIn("ratio", self.figures(self.told(0, self.put("a.jsonl", fault_data.run(64, {}))), "temperature"))

    def test_a_cut_that_keeps_one_token_is_told_from_one_that_keeps_more(self):
        for cut, is_certain in (({"top_p": 0.9}, True), ({"top_k": 5}, False)):
            certain = self.figures(self.told(1, self.put("a.jsonl", fault_data.run(65, {"support": cut}))), "support")["certain"]["value"]
            (self.assertGreater if is_certain else self.assertLess)(certain, 0.01, cut)

    def test_what_grows_needs_steps_or_versions(self):
        run = fault_data.run(62, {"weights": {"strength": 0.2, "lags": True}})
        self.assertEqual(self.states(self.told(1, self.put("a.jsonl", run)))["weights"], "named")
        bare = [{name: each[name] for name in ("train", "infer", "mask")} for each in run]
        told = self.told(1, self.put("b.jsonl", bare))
        self.assertEqual(self.states(told)["weights"], "unasked")
        self.assertNotEqual(told["causes"][-1]["state"], "unseen")

    def sharpening(self, seed, most, greedy=False):
        """Logits that grow with the step, and noise in proportion to them."""
        draw = numpy.random.default_rng(seed)
        out = []
        for i in range(400):
            logits = draw.normal(size=(int(draw.integers(20, 200)), 32)) * (2 + (most - 2) * i / 400)
            sides = [noisy - numpy.logaddexp.reduce(noisy, axis=1, keepdims=True)
                     for noisy in (logits * (1 + draw.normal(size=logits.shape) * 0.001) for _ in range(2))]
            drawn = (sides[1] if greedy else sides[1] + draw.gumbel(size=logits.shape)).argmax(1)
            train, infer = (numpy.minimum(side[numpy.arange(len(drawn)), drawn], 0).tolist() for side in sides)
            out.append({"train": train, "infer": [0.0] * len(infer) if greedy else infer, "step": i // 20, "version": i // 20})
        return out

    def test_a_policy_that_becomes_sharper_with_fresh_weights_is_not_stale(self):
        for most in (4, 8):
            fresh = self.sharpening(most, most)
            self.assertEqual(self.states(self.told(0, self.put("a.jsonl", fresh)))["weights"], "unseen")
            # Weights that never arrived, though each record says so.
            for each in fresh[200:]:
                each["train"] = [x - 0.08 * (1 - numpy.exp(x)) * (-1) ** at for at, x in enumerate(each["train"])]
            self.assertEqual(self.states(self.told(1, self.put("b.jsonl", fresh)))["weights"], "named")

    def test_greedy_sampling_is_a_cut(self):
        told = self.told(1, self.put("a.jsonl", self.sharpening(1, 2, greedy=True)))
        self.assertEqual([each["cause"] for each in told["causes"] if each["state"] == "named"][0], "support")
        self.assertNotEqual(self.states(told)["mask"], "named")

    def test_little_is_undecided_and_nothing_an_error(self):
        run = fault_data.run(63, {"quantisation": {"strength": 0.3}})
        few = self.put("a.jsonl", run[:20])
        told = self.told(4, few)
        self.assertEqual(told["state"], "undecided")
        self.assertIn("too few data: expected at least 50 responses", told["notes"][0])
        self.assertEqual(set(self.states(told).values()), {"undecided"})
        self.expect(0, "diagnose", "--undecided=pass", few)
        self.expect(1, "diagnose", "--undecided=fail", few)
        self.assertIn("is empty", self.expect(2, "diagnose", self.put("b.jsonl", "")).err)
        self.assertIn("missing argument DATA", self.expect(2, "diagnose").err)
        rows = numpy.zeros((3, 4), numpy.float32)
        numpy.savez(self.folder / "rows.npz", train_logits=rows, infer_logits=rows)
        self.assertIn("of both sides", self.expect(2, "diagnose", "--map=train_rows=train_logits,infer_rows=infer_logits", self.folder / "rows.npz").err)
        bare = self.put("bare.jsonl", [{"train": [], "infer": []}])
        for command in ("diagnose", "suggest"):
            self.assertIn("no response has a token", self.expect(2, command, bare).err)
        for shape in ((0,), (3, 0)):
            numpy.savez(self.folder / "none.npz", train=numpy.zeros(shape, numpy.float32), infer=numpy.zeros(shape, numpy.float32))
            for command in ("diagnose", "suggest"):
                self.assertIn(f"`infer` is empty: its shape is {list(shape)}", self.expect(2, command, self.folder / "none.npz").err)

    def test_what_is_no_number_is_told(self):
        run = fault_data.run(64, {})
        run[0]["train"][0] = float("nan")
        told = self.told(0, self.put("a.jsonl", json.dumps(run[0]) + "\n" + fault_data.lines(run[1:])))
        self.assertIn("1 counted token is not finite", told["notes"][0])

    def test_threads_change_nothing_and_measuring_says_the_same(self):
        run = fault_data.run(65, {"weights": {"strength": 0.2, "lags": True}, "quantisation": {"strength": 0.2}})
        half = len(run) // 2
        parts = self.put("a.jsonl", run[:half]), self.put("b.jsonl", run[half:])
        one, many = (self.told(1, "-j", jobs, *parts) for jobs in ("1", "4"))
        self.assertEqual(one, many)
        words = ("measure", "--every=all", "--undecided=pass", self.put("a.tikc.yaml", CONTRACT))
        self.expect(1, *words, *parts, "--evidence", self.folder / "all.tikc-evidence")
        for number, part in enumerate(parts):
            self.expect(1, *words, part, "--evidence", self.folder / f"{number}.tikc-evidence")
        self.expect(0, "merge", self.folder / "0.tikc-evidence", self.folder / "1.tikc-evidence", self.folder / "0.tikc-evidence", "-o", self.folder / "m.tikc-evidence")
        for evidence in ("all", "m"):
            self.close(self.told(1, self.folder / f"{evidence}.tikc-evidence"), one)
        for data in (parts, [self.folder / "m.tikc-evidence"]):
            told = json.loads(self.expect(1, *words, *data, "--format=json").out)
            if jsonschema:
                jsonschema.validate(told, MEASURED)
            self.close({"format": "tikc-diagnosis/v1", **told["diagnosis"]}, one)
        self.assertIn("\ndiagnosis  consistent with stale weights", self.expect(1, *words, *parts).out)
        self.assertIn("Diagnosis: consistent with stale weights", self.expect(1, *words, "--format=markdown", *parts).out)
        self.assertIn("--shift cannot be combined with evidence files", self.expect(2, "diagnose", "--shift=1", self.folder / "m.tikc-evidence").err)

    def close(self, told, wanted):
        """Pieces of evidence are in another order than data, and sums differ in their last digits."""
        self.assertEqual(self.states(told), self.states(wanted))
        for each, other in zip(told["causes"], wanted["causes"]):
            for figure, right in zip(each["figures"], other["figures"]):
                self.assertAlmostEqual(figure["value"], right["value"], 9)


if __name__ == "__main__":
    main()
