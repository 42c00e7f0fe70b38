"""The experiment of examples/real-pair/bias: bounds are never below the truth, the worst policy has them, a bound that is too low would be told, and
docs/real-pair.md says what was printed."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, ROOT, TIKC, main, skip  # noqa: E402

HERE = ROOT / "examples/real-pair"
sys.path.insert(0, str(HERE / "bias"))
sys.dont_write_bytecode = True
try:
    import numpy
except ModuleNotFoundError as missing:
    skip(f"{missing}; the experiment takes python3-numpy")
import proved  # noqa: E402
import run as experiment  # noqa: E402
import truth  # noqa: E402

proved.TIKC = TIKC


class Experiment(unittest.TestCase):
    def test_says_what_the_page_says_and_finds_no_bound_too_low(self):
        done = subprocess.run([sys.executable, HERE / "page.py", "check"], env={"TIKC": TIKC, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True,
                              text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)

    def test_a_bound_that_is_too_low_is_one(self):
        of = experiment.Result("usual", "noise", 0.1, "bias", "all", "step", "none", 1.0, 0.999)
        self.assertFalse(of.is_sound)
        with tempfile.TemporaryDirectory() as folder:
            world, servers = truth.worst(1)
            found = list(experiment.results("worst, 1 token", world, servers, folder))
        plain = [each for each in found if each.quantity == "bias" and each.correction == "none"]
        self.assertEqual(len(plain), len(experiment.DRIFTS) * len(truth.ESTIMATORS))
        for each in plain:
            self.assertTrue(each.is_sound)
            self.assertLess(each.ratio, 1.0001)
            # What is met leaves no room: any of them, a thousandth lower, would be told.
            self.assertFalse(experiment.Result(*[getattr(each, name) for name in list(each.__dataclass_fields__)[:-1]], float(each.proved) * 0.999).is_sound)

    def test_the_gradient_is_one_whichever_way_it_is_summed(self):
        """By a critic token by token, by whole returns, and by responses that are drawn."""
        world, servers = truth.usual()
        tree = world.tree
        by_critic = world.gradient(world.reached[:, None] * world.law * world.causal)
        by_returns = world.gradient(tree.gathered(world.responses * world.returns))
        numpy.testing.assert_allclose(by_critic, by_returns, atol=1e-12)
        random = numpy.random.default_rng(1)
        drawn = random.choice(len(world.responses), 20_000, p=world.responses / world.responses.sum())
        terms = numpy.where(tree.is_there[:, :, None], world.scores[tree.nodes, tree.tokens], 0).sum(axis=1) * world.returns[:, None]
        error = terms.std(axis=0).max() / len(drawn) ** 0.5
        self.assertLess(abs(terms[drawn].mean(axis=0) - by_returns).max(), 5 * error)

    def test_scores_are_gradients(self):
        from policy import Policy, Tree, softmax

        tree = Tree(vocabulary=3, horizon=3, prompts=2, ends=True)
        policy = Policy(tree)
        scores, at = policy.scores(), 0
        for of in policy.weights():
            for place in list(numpy.ndindex(of.shape))[:: max(1, of.size // 7)]:
                sides = []
                for step in (1e-6, -1e-6):
                    of[place] += step
                    sides.append(numpy.log(softmax(policy.logits())))
                    of[place] -= step
                numpy.testing.assert_allclose(scores[:, :, at + numpy.ravel_multi_index(place, of.shape)], (sides[0] - sides[1]) / 2e-6, atol=1e-7)
            at += of.size

    def test_contracts_state_what_was_measured_and_no_less(self):
        self.assertEqual([proved.above(each) for each in (0.1234561, 1.0, 0.0)], ["0.123457", "1.00001", "0.0"])
        world, servers = truth.usual()
        figures = truth.Server(world, servers["cut"](0.1)).figures()
        text = proved.contract("c", world, figures, [proved.ROWS], "step", truth.CORRECTIONS[0])
        self.assertIn(f"missing_mass: {proved.above(figures['missing'])}", text)
        self.assertGreater(figures["missing"], 0)


if __name__ == "__main__":
    main()
