"""Log-probs that a server's Python interface returns, written for `tikc measure`: stand-ins have the fields of vLLM's outputs."""

import contextlib
import dataclasses
import json
import math
import re
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main  # noqa: E402
from tikc_python import tikc  # noqa: E402, F401

from tikc.hooks import vllm  # noqa: E402

GAP = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\nobservability:\n  tokens: sample(logprobs, 100%)\n"


@dataclasses.dataclass
class Logprob:
    logprob: float
    rank: int = 1
    decoded_token: str = "x"


@dataclasses.dataclass
class CompletionOutput:
    index: int
    token_ids: tuple
    logprobs: list


@dataclasses.dataclass
class RequestOutput:
    request_id: str
    outputs: list


@dataclasses.dataclass
class SamplingParams:
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    min_p: float = 0.0


def outputs():
    """Two requests with two completions each, and an alternative for each token."""
    def completion(request, index):
        tokens = tuple(range(7 + request, 10 + request))
        return CompletionOutput(index, tokens, [{token + 1: Logprob(-9.0), token: Logprob(-0.5 - 0.1 * index)} for token in tokens])
    return [RequestOutput(str(i), [completion(i, 0), completion(i, 1)]) for i in range(2)]


class Dump(Case):
    def test_what_is_written_is_joined_with_a_trainers_file(self):
        where = self.write("c.tikc.yaml", contract("c", GAP))
        served = self.folder / "served.jsonl"
        self.assertEqual(vllm.dump(outputs(), SamplingParams(), served, step=3, version="v7", task="math"), 4)
        first = json.loads(served.read_text().splitlines()[0])
        self.assertEqual(first, {"id": "0-0", "ids": [7, 8, 9], "infer": [-0.5] * 3, "step": 3, "version": "v7", "temperature": 1.0, "top_p": 1.0, "task": "math"})
        lines = [{"id": f"{i}-{j}", "train": [-0.52 - 0.1 * j] * 3} for i in (1, 0) for j in (1, 0)]
        trainer = self.write("trainer.jsonl", "".join(json.dumps(each) + "\n" for each in lines))
        told = json.loads(self.expect(0, "measure", where, "--join=key", "--preset=plain", trainer, served, "--format=json").out)
        self.assertAlmostEqual(told["clauses"][0]["value"], 0.02, delta=1e-6)
        self.assertEqual(told["others"], [])

    def test_settings_that_differ_from_the_contracts_are_reported(self):
        where = self.write("c.tikc.yaml", contract("c", GAP))
        served = self.folder / "served.jsonl"
        vllm.dump(outputs(), SamplingParams(0.7, 0.9, 20, 0.1), served)
        self.assertEqual({name: json.loads(served.read_text().splitlines()[3])[name] for name in ("temperature", "top_p", "top_k", "min_p")},
                         {"temperature": 0.7, "top_p": 0.9, "top_k": 20, "min_p": 0.1})
        trainer = self.write("trainer.jsonl", "".join(json.dumps({"id": f"{i}-{j}", "train": [-0.5] * 3}) + "\n" for i in range(2) for j in range(2)))
        said = self.tikc("measure", where, "--join=key", "--preset=plain", trainer, served).out
        for setting in ("temperature 0.7", "top_p 0.9", "top_k 20", "min_p 0.1"):
            self.assertIn(f"have {setting}", " ".join(said.split()))

    def test_the_guide_runs(self):
        block = re.search(r"```python\n(from tikc.hooks.*?)```", (ROOT / "docs/how-to/vllm.md").read_text(), re.S)[1]
        with contextlib.chdir(self.folder):
            exec(block, {"SamplingParams": lambda temperature, logprobs: SamplingParams(temperature), "llm": types.SimpleNamespace(generate=lambda *_: outputs()),
                         "prompts": [], "step": 4, "version": 2})
        self.assertEqual({json.loads(line)["step"] for line in (self.folder / "responses.jsonl").read_text().splitlines()}, {4})

    def test_files_grow_and_a_number_that_is_not_finite_stays_so(self):
        served = self.folder / "served.jsonl"
        for value in (-1.0, -math.inf):
            one = RequestOutput("9", [CompletionOutput(0, (5,), [{5: Logprob(value)}])])
            self.assertEqual(vllm.dump([one], SamplingParams(top_k=-1), served), 1)
        self.assertEqual([json.loads(line)["infer"] for line in served.read_text().splitlines()], [[-1.0], [-math.inf]])
        self.assertNotIn("top_k", served.read_text())

    def test_outputs_without_log_probs(self):
        served = self.folder / "served.jsonl"
        with self.assertRaisesRegex(ValueError, "expected SamplingParams with logprobs=0"):
            vllm.dump([RequestOutput("9", [CompletionOutput(0, (5,), None)])], SamplingParams(), served)
        self.assertFalse(served.exists())


if __name__ == "__main__":
    main()
