"""The pieces of examples/real-pair, with weights at random: servers are the trainer but for what is wrong with them, and what is not caught is told. The
whole story runs in e2e.demo_pair, as `make demo` has it."""

import contextlib
import io
import math
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, main, skip  # noqa: E402
from tikc_python import tikc  # noqa: E402

try:
    import torch
except ImportError as missing:
    skip(f"{missing}; the example takes python3-torch")
HERE = ROOT / "examples/real-pair"
sys.path.insert(0, str(HERE))
import dumps  # noqa: E402
import loop  # noqa: E402
import model  # noqa: E402
import run as example  # noqa: E402
import servers  # noqa: E402
import story  # noqa: E402
import text  # noqa: E402
from pair import Pair, observe, of_drawn, rewards  # noqa: E402

torch.set_num_threads(1)


def small_pair():
    torch.manual_seed(3)
    trainer = model.Model().eval()
    weights = trainer.state_dict()
    older = {name: each + 0.02 * torch.randn(each.shape) for name, each in weights.items()}
    return Pair(trainer, servers.of(weights, older))


class Servers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pair = small_pair()

    def gap(self, name, task="tales"):
        served = self.pair.servers[name].serve(task, text.prompts(task, 8, 1), 5)
        return (of_drawn(self.pair.scored(served), served) - served.logprobs)[served.mask], served

    def test_the_safe_one_is_the_trainer_token_by_token(self):
        gap, served = self.gap("safe")
        self.assertLess(gap.abs().max(), 1e-4)
        self.assertLess((self.pair.scored(served) - served.logits)[served.mask].abs().max(), 1e-4)

    def test_others_are_not(self):
        usual = self.gap("usual")[0].abs().mean()
        self.assertGreater(usual, 1e-4)
        for name in ("int4", "top_p", "temperature", "stale", "mislogged"):
            self.assertGreater(self.gap(name)[0].abs().mean(), 2 * usual, name)

    def test_alone_and_in_a_batch_they_are_the_same_in_fp32_alone(self):
        drifts = {name: [self.pair.servers[name].batch_drift(self.gap(name)[1], i) for i in range(4)] for name in ("safe", "usual", "mislogged")}
        self.assertLess(max(drifts["safe"]), 1e-5)
        for name in ("usual", "mislogged"):
            self.assertTrue(0 < max(drifts[name]) < 0.5, drifts)

    def test_answers_are_those_of_the_seed(self):
        one, other = (self.gap("usual")[1] for _ in range(2))
        self.assertTrue(torch.equal(one.tokens, other.tokens) and torch.equal(one.logprobs, other.logprobs))

    def test_a_cut_law_has_no_mass_elsewhere(self):
        law = self.pair.servers["top_p"].law(torch.tensor([[3.0, 1.0, 0.5, -4.0], [0.0, 0.0, 0.0, 0.0]]))
        self.assertTrue(torch.allclose(law.exp().sum(-1), torch.ones(2)))
        self.assertEqual([int((row > -math.inf).sum()) for row in law], [1, 4])

    def test_e4m3_has_three_bits_behind_the_first(self):
        self.assertEqual(servers.in_e4m3(torch.tensor([1.0, 1.06, 1.07, -3.3, 1000.0, 0.0])).tolist(), [1.0, 1.0, 1.125, -3.25, 448.0, 0.0])

    def test_advantages_stay_within_what_is_assumed(self):
        given = loop.advantages([1.0] + [0.0] * 7 + [0.5] * 8)
        self.assertAlmostEqual(float(given.max()), 7**0.5, places=4)
        self.assertEqual(given[8:].tolist(), [0.0] * 8)


class Text(unittest.TestCase):
    def test_right_answers_are_worth_one_and_wrong_ones_less(self):
        import random

        for task in text.TASKS:
            for prompt in text.prompts(task, 20, 1):
                right = text.answer(prompt, random.Random(2))
                self.assertEqual(text.reward(prompt, right), 1.0, (prompt, right))
                self.assertLess(text.reward(prompt, "0" + right[1:]), 1.0)
                self.assertEqual((len(prompt), text.decoded(text.encoded(prompt))), (text.PROMPT[task], prompt))
                self.assertLessEqual(len(right), text.LONGEST[task])


class Told(Case):
    def test_what_is_not_caught_and_what_is_wrongly(self):
        contract = tikc.load(example.CONTRACT)
        pair = small_pair()
        with contextlib.redirect_stdout(io.StringIO()):
            chapters = list(story.chapters(pair, contract, "stale", 1, windows=4))
        self.assertEqual(example.fault_row(contract, "stale", [])[1], ["stale was not caught", "stale: no rule started"])
        wrong = example.fault_row(contract, "cache", chapters)[1]
        self.assertEqual([each for each in wrong if "was not caught" in each], [])
        sound = [chapter for chapter in chapters if chapter.fault != "usual"]
        self.assertTrue(any("is violated on tales" in each for each in example.fault_row(contract, "int8", sound)[1]))
        self.assertTrue(any("sums" in each or "tales" in each for each in example.fault_row(contract, "int4", sound)[1]))

    def test_files_decide_what_the_monitor_does(self):
        pair, contract = small_pair(), tikc.load(example.CONTRACT)
        monitor = contract.monitor(on_fault="raise")
        drawn = {task: pair.servers["usual"].serve(task, text.prompts(task, 100, 1), 5) for task in text.TASKS}
        logits = {task: pair.scored(served) for task, served in drawn.items()}
        for task, served in drawn.items():
            observe(monitor, served, logits[task])
        live = {(each.clause, each.slice): each.verdict for each in monitor.tick(0.0).verdicts}
        found = {}
        for path in dumps.write(self.folder, "data", drawn, logits).values():
            found.update(dumps.verdicts(example.CONTRACT, path))
        self.assertEqual(len(found), 14)
        self.assertEqual({key: live[key] for key in found}, found)
        self.assertEqual(len(rewards(drawn["sums"])), 100)

    def test_without_torch_it_says_what_it_takes(self):
        (self.folder / "torch.py").write_text("raise ImportError('no torch')")
        done = subprocess.run([sys.executable, example.HERE / "run.py"], env={**os.environ, "PYTHONPATH": str(self.folder)}, capture_output=True, text=True)
        self.assertEqual((done.returncode, "python3-torch" in done.stdout), (77, True), done.stderr)


if __name__ == "__main__":
    main()
