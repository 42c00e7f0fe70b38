"""In every preset: where a value is, which token of a response it is, the step, the prompt and the settings that the data were made with."""

import csv
import io
import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main, skip  # noqa: E402

try:
    import numpy
    import recorded_data as writers
except ImportError:
    skip("NumPy is not installed")

RANDOM = numpy.random.default_rng(3)
WIDTH = 40


def drawn(responses=30):
    """(ids, train, infer) of responses: every |x| is another."""
    out = []
    for i in range(responses):
        length = int(RANDOM.integers(1, WIDTH))
        infer = -RANDOM.exponential(1, length).astype(numpy.float32) - numpy.float32(0.5)
        out.append((RANDOM.integers(0, 9, length), (infer - RANDOM.exponential(0.2, length)).astype(numpy.float32), infer))
    return out


def batch(data):
    train, infer = (writers.padded([each[side] for each in data], WIDTH) for side in (1, 2))
    return train, infer, writers.padded([[1] * len(each[0]) for each in data], WIDTH, dtype=numpy.int64)


def lists(train, infer, mask, names, **more):
    return "".join(json.dumps({names[0]: p.tolist(), names[1]: q.tolist(), names[2]: m.tolist(), **more}) + "\n" for p, q, m in zip(train, infer, mask))


VERL = ("old_log_probs", "rollout_log_probs", "response_mask")
TRL = ("old_per_token_logps", "sampling_per_token_logps", "completion_mask")
SKYRL = ("action_log_probs", "rollout_logprobs", "loss_mask")
# How each writer names both lists of a record, with the file's name.
WRITERS = {
    "nemo-rl": ("train_data.jsonl", writers.nemo_rl, ("prev_logprobs", "generation_logprobs")),
    "prime-rl": ("rank_0.jsonl", writers.prime_rl, ("trainer_logprobs", "inference_logprobs")),
    "plain": ("a.jsonl", writers.plain, ("train", "infer")),
    "verl": ("b.jsonl", lambda data: lists(*batch(data), VERL), VERL[:2]),
    "miles": ("m.json", writers.miles, ("train_log_probs", "rollout_log_probs")),
    "skyrl": ("s.jsonl", lambda data: lists(*batch(data), SKYRL), SKYRL[:2]),
    "trl": ("c.jsonl", lambda data: lists(*batch(data), TRL), TRL[:2]),
    "of-many": ("e.jsonl", lambda data: "".join(json.dumps({"samples": json.loads(writers.slime(data[i : i + 7]))["samples"]}) + "\n" for i in range(0, len(data), 7)),
                ("log_probs", "rollout_log_probs")),
    "slime": ("d.json", writers.slime, ("log_probs", "rollout_log_probs")),
}
TOKENS = "observability:\n  tokens: sample(logprobs, 100%)\n"
RULES = 'escalation:\n  r: { when: violated(any), do: alert("us") }\n  u: { when: undecided(any) for 6 windows, do: alert("us") }\n'


class Presets(Case):
    def contract(self, clauses, *, slices="", model="model: { horizon: 4096 tokens }\n", more=""):
        return self.write("c.tikc.yaml", contract("c", model, "assumptions: { support: full }\n", slices, "statistical:\n", clauses, TOKENS, more, RULES))

    def measured(self, where, *words):
        done = self.tikc("measure", where, "--format=json", *words)
        self.assertIn(done.returncode, (0, 1, 4), done.err)
        return json.loads(done.out)

    def lists_at(self, text, line, response, names):
        """Both lists of a record as they are written."""
        record = json.loads(text if text.startswith("{\n") else text.splitlines()[line - 1])
        if "samples" in record:
            record = record["samples"][response - 1]
        found = [record[name] for name in names]
        return [each[0] if isinstance(each[0], list) else each for each in found]

    def test_the_value_at_a_place_is_the_value(self):
        where = self.contract("  worst: max(abs(logprob_gap)) <= 0 nat\n  low: min(logprob_gap) >= 0 nat\n")
        for preset, (name, write, names) in WRITERS.items():
            for seed in range(3):
                text = write(drawn())
                path = self.write(name, text)
                told = self.measured(where, path, f"--preset={preset.replace('of-many', 'slime')}")
                worst = [each for row in told["clauses"] for each in row["worst"]]
                self.assertGreaterEqual(len(worst), 2)
                for each in worst:
                    at = re.fullmatch(r".*?(?::(\d+))?(?:, response (\d+))?, token (\d+)", each["place"])
                    self.assertIsNotNone(at, each["place"])
                    line, response, token = (int(part or 1) for part in at.groups())
                    token = int(at.group(3))
                    p, q = self.lists_at(text, line, response, names)
                    self.assertAlmostEqual(abs(each["value"]), abs(p[token] - q[token]), delta=1e-6, msg=f"{preset}, {each}")

    def test_positions_and_lengths_count_in_the_response(self):
        data = drawn()
        early = sum(min(len(ids), 16) for ids, *_ in data)
        for preset, (name, write, _) in WRITERS.items():
            path = self.write(name, write(data))
            for field in ("position < 16", "response_tokens <= 16"):
                told = self.measured(self.contract("  tvs: mean(tv_sampled) <= 1\n", slices=f"slices:\n  early: {{ when: {field} }}\n"), path, f"--preset={preset.replace('of-many', 'slime')}")
                self.assertEqual({row["slice"]: row["observations"] for row in told["clauses"]}["early"], early, f"{preset}, {field}")

    def test_the_prompt(self):
        data = drawn()
        # NeMo-RL's lists begin with a place for no token, which its lists of ids have, too.
        for preset, prompt in (("nemo-rl", 4), ("prime-rl", 4), ("slime", 2)):
            name, write, _ = WRITERS[preset]
            path = self.write(name, write(data))
            for bound, slice in ((prompt, "other"), (prompt + 1, "short")):
                where = self.contract("  tvs: mean(tv_sampled) <= 1\n", slices=f"slices:\n  short: {{ when: prompt_tokens < {bound} }}\n")
                told = self.measured(where, path, f"--preset={preset.replace('of-many', 'slime')}")
                self.assertEqual(told["data"]["missing"], {}, preset)
                self.assertEqual([row["slice"] for row in told["clauses"] if row["observations"] != 0], [slice], f"{preset}, {bound}")

    def test_steps_by_the_names_of_files(self):
        where = self.contract("  tvs: mean(tv_sampled) <= 1 over 1 steps\n")
        for form in ("train_data_step{}.jsonl", "step_{}/rank_0.jsonl", "run-step-{}.jsonl", "global_step_{}.jsonl"):
            paths = []
            for step in (3, 10, 120):
                path = self.folder / form.format(step)
                path.parent.mkdir(exist_ok=True)
                path.write_text(writers.plain(drawn(5)))
                paths.append(path)
            for words in ((), ("--every=step",)):
                told = self.measured(where, *paths, *words)
                self.assertEqual([(row["verdict"], row["windows"]["satisfied"]) for row in told["clauses"]], [("satisfied", 3)], form)
        # A step that records name goes before, and a name without a number says nothing.
        paths = [self.write(f"step{i}.jsonl", writers.plain(drawn(5), step=1)) for i in (1, 2)]
        self.assertEqual(self.measured(where, *paths)["clauses"][0]["windows"]["satisfied"], 1)
        # A name alone, without a folder.
        for step in (1, 2):
            self.write(f"step{step}.jsonl", writers.plain(drawn(5)))
        self.assertEqual(self.measured(where, "step1.jsonl", "step2.jsonl")["clauses"][0]["windows"]["satisfied"], 2)
        for name in ("steps.jsonl", "footstep3.jsonl", "step.jsonl"):
            self.assertEqual(self.measured(where, self.write(name, writers.plain(drawn(5))))["verdict"], "undecided", name)

    def test_a_shift_takes_no_value_that_the_mask_leaves_out(self):
        data = drawn()
        # The trainer's values are one place late, so the first of them has no partner.
        late = [(ids, numpy.append(train[1:], train[:1]), infer) for ids, train, infer in data]
        expected = max(abs(float(p) - float(q)) for _, train, infer in data for p, q in zip(train[1:], infer[1:]))
        where = self.contract("  worst: max(abs(logprob_gap)) <= 0 nat\n")
        told = self.measured(where, self.write("train_data.jsonl", writers.nemo_rl(late)), "--shift=-1")
        self.assertAlmostEqual(told["clauses"][0]["value"], expected, delta=1e-6)
        self.assertEqual(told["data"]["tokens"], sum(len(ids) - 1 for ids, *_ in data))
        # Positions and prompts are what they are without a shift.
        for field, slice in (("position == 0", "other"), ("position < 2", None), ("prompt_tokens == 4", "part")):
            where = self.contract("  tvs: mean(tv_sampled) <= 1\n", slices=f"slices:\n  part: {{ when: {field} }}\n")
            told = self.measured(where, "train_data.jsonl", "--shift=-1")
            seen = {row["slice"] for row in told["clauses"] if row["observations"] != 0}
            self.assertEqual(seen, {slice} if slice else {"part", "other"}, field)

    def test_settings_that_are_not_the_contracts(self):
        claims = "claims:\n  token_tv: tv <= 50%\n"
        clause = "  tvs: mean(tv_sampled) <= 0.5\n"
        data = drawn()
        for settings, other in (({}, []), ({"temperature": 1, "top_p": 1.0, "top_k": -1, "min_p": 0}, []), ({"temperature": 0.8}, [("temperature", "0.8", "1")]),
                                ({"temperature": 1.0, "top_p": 0.95, "top_k": 20}, [("top_k", "20", "none"), ("top_p", "0.95", "none")])):
            path = self.write("a.jsonl", writers.plain(data, **settings))
            where = self.contract(clause, more=claims)
            done = self.expect(4 if other else 0, "measure", where, path, "--format=json", "--evidence=kept.tikc-evidence")
            told = json.loads(done.out)
            self.assertEqual([(each["setting"], each["data"], each["contract"], each["records"]) for each in told["data"]["other_settings"]],
                             [(*each, len(data)) for each in other])
            self.assertEqual([(each["state"], each["why"]) for each in told["claims"]],
                             [("not shown", ", ".join(f"the data differ in {name}" for name, *_ in other)) if other else ("shown", "")])
            self.assertEqual(json.loads(self.expect(4 if other else 0, "measure", where, "kept.tikc-evidence", "--format=json").out)["data"]["other_settings"],
                             told["data"]["other_settings"])
            for form in ("text", "markdown", "csv", "junit"):
                text = self.tikc("measure", where, path, f"--format={form}").out
                for name, value, asked in other:
                    self.assertIn(f"{len(data)} records have {name} {value}; the contract says {asked}", text, form)
                if form == "csv":
                    self.assertTrue(all(None not in row for row in csv.DictReader(io.StringIO(text))))
            (self.folder / "kept.tikc-evidence").unlink()

    def test_settings_by_map_and_model(self):
        path = self.write("a.jsonl", writers.plain(drawn(), T=0.7, weights="sha256:" + "b" * 64))
        where = self.contract("  tvs: mean(tv_sampled) <= 0.5\n", model=f"model: {{ horizon: 4096 tokens, temperature: 0.7, digest: \"sha256:{'a' * 64}\" }}\n")
        told = self.measured(where, path, "--map=temperature=T,digest=weights")
        self.assertEqual([each["setting"] for each in told["data"]["other_settings"]], ["digest"])
        # Settings that --map does not name, and those of requests, are found all the same.
        for more in ({"temperature": 0.8}, {"sampling_params": {"temperature": 0.8}}, {"temperature": [0.8] * 40}):
            text = "".join(json.dumps({"lp": p.tolist(), "lq": q.tolist(), **more}) + "\n" for p, q, _ in zip(*batch(drawn())))
            told = self.measured(self.contract("  tvs: mean(tv_sampled) <= 0.5\n"), self.write("b.jsonl", text), "--map=train=lp,infer=lq")
            self.assertEqual([each["setting"] for each in told["data"]["other_settings"]], ["temperature"], more)
            self.assertEqual([one["why"] for each in told["claims"] for one in each["observed"]], ["the data were made with other settings"] * len(told["claims"]))
        # Values past the first ones are counted together.
        lines = "".join(writers.plain(drawn(1), temperature=1 + i / 100) for i in range(1, 40))
        told = self.measured(self.contract("  tvs: mean(tv_sampled) <= 0.5\n"), self.write("many.jsonl", lines))
        others = told["data"]["other_settings"]
        self.assertEqual((len(others), sum(each["records"] for each in others), others[0]["data"]), (17, 39, ""))
        # Requests that bring a temperature have their own.
        where = self.contract("  tvs: mean(tv_sampled) <= 1\n", slices="slices:\n  hot: { when: temperature > 1.2 }\n")
        told = self.measured(where, path.with_name("many.jsonl"))
        self.assertEqual(told["data"]["other_settings"], [])


if __name__ == "__main__":
    main()
