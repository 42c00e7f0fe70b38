"""What monitors of the Python package say of assumptions: what the numbers that are handed in say, whoever merges them, in whatever arrays they come."""

import logging
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from checker_assumptions import judged  # noqa: E402
from harness import Case, contract, main  # noqa: E402
from tikc_python import tikc  # noqa: E402

import numpy  # noqa: E402

TEXT = contract("given", "model: { horizon: 40 tokens }\n", """assumptions: { support: full, reward: [0, 1], step_reward: [-1, 1], advantage: 0.1, score_norm: 8, estimator: step, correction: none }
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
  answers: mean(seq_tv) <= 40%
observability:
  tokens: sample(logprobs, 100%)
claims:
  reward: reward_drift <= 0.4
  gradient: pg_bias <= 0.08
""")
INF = math.inf
LIMITS = {"reward": (0, 1), "step_reward": (-1, 1), "advantage": (-0.1, 0.1), "score_norm": (0, 8), "horizon": (-INF, 40)}


class Assumptions(Case):
    def setUp(self):
        super().setUp()
        self.contract = tikc.loads(TEXT)
        self.monitor = self.contract.monitor(on_fault="raise")

    def feed(self, monitor, seed=1):
        random = numpy.random.default_rng(seed)
        infer = -random.exponential(0.7, (8, 30)).astype(numpy.float32)
        monitor.tokens(numpy.minimum(infer + random.normal(0, 0.005, infer.shape).astype(numpy.float32), 0), infer)
        monitor.serve(tokens=infer.size, requests=len(infer))

    def given(self, window):
        return {each.key: each for each in window.assumptions}

    def test_what_was_not_handed_in_is_unwatched(self):
        self.feed(self.monitor)
        window = self.monitor.tick(1)
        given = self.given(window)
        self.assertEqual({key: given[key].state for key in ("reward", "advantage", "horizon")}, {"reward": "unwatched", "advantage": "unwatched", "horizon": "held"})
        self.assertEqual((given["horizon"].observations, given["horizon"].greatest), (8, 30))
        self.assertTrue(math.isnan(given["reward"].greatest))
        self.assertEqual([(each.claim, each.state) for each in window.claims], [("reward", "shown"), ("gradient", "shown")])
        self.assertEqual((window.verdict, window.suspended), ("satisfied", ()))

    def test_what_is_broken_suspends_what_rests_on_it_for_good_and_is_logged_once(self):
        for tick, rewards in enumerate(([0, 1, 0.5], [0.5, 1.5, 2.5], [1, 1, 1]), 1):
            self.feed(self.monitor, tick)
            self.monitor.rewards(rewards)
            with self.assertLogs("tikc") if tick == 2 else self.assertNoLogs("tikc"):
                window = self.monitor.tick(tick)
            self.assertEqual(window.verdict, "satisfied" if tick == 1 else "suspended")
        found = self.given(window)["reward"]
        self.assertEqual((found.state, found.observations, found.least, found.greatest), ("broken", 9, 0, 2.5))
        self.assertEqual([(each.value, each.id, each.token) for each in found.worst], [(2.5, 5, None), (1.5, 4, None)])
        self.assertEqual([(each.claim, each.broken) for each in window.suspended], [("reward", ("reward: [0, 1]",))])
        self.assertIn("reward is suspended: reward: [0, 1] is broken", repr(window))
        self.assertIn("broken", window._repr_html_())
        self.assertEqual(window.to_dict()["claims"][0]["state"], "suspended")

    def test_a_violated_clause_goes_before(self):
        self.monitor.tokens([-1.0, -1.0], [-2.0, -2.0])
        self.monitor.rewards(7)
        self.assertEqual(self.monitor.tick(1).verdict, "violated")

    def test_rows_are_of_tokens_and_masks_leave_them_out(self):
        norms = numpy.array([[1, 2, 9.5], [3, 30, 4]])
        self.monitor.score_norms(norms, mask=[[1, 1, 1], [1, 0, 1]], ids=[70, 71])
        self.monitor.advantages([numpy.array([0.1, -0.1]), numpy.array([0.05])])
        self.monitor.step_rewards(numpy.float16([[0.5, -1]]))
        self.monitor.lengths([40, 3])
        given = self.given(self.monitor.tick(1))
        self.assertEqual([(each.value, each.id, each.token) for each in given["score_norm"].worst], [(9.5, 70, 2)])
        self.assertEqual({key: (each.state, each.observations) for key, each in given.items() if each.observations},
                         {"score_norm": ("broken", 5), "advantage": ("held", 3), "step_reward": ("held", 2), "horizon": ("held", 2)})

    def test_what_single_precision_makes_of_a_bound_meets_it(self):
        self.monitor.advantages(numpy.float32([0.1, -0.1]))
        self.assertEqual(self.given(self.monitor.tick(1))["advantage"].state, "held")
        self.monitor.advantages(numpy.nextafter(numpy.float32([0.1]), numpy.float32(1)))
        self.assertEqual(self.given(self.monitor.tick(2))["advantage"].state, "broken")

    def test_any_numbers_by_any_number_of_workers(self):
        names = {"reward": "rewards", "step_reward": "step_rewards", "advantage": "advantages", "score_norm": "score_norms", "horizon": "lengths"}
        for seed in range(40):
            random = numpy.random.default_rng(seed)
            leader = self.contract.monitor(on_fault="raise")
            workers = [self.contract.monitor(on_fault="raise") for _ in range(3)]
            seen = {key: [] for key in names}
            for i in range(60):
                key = random.choice(list(names))
                low, high = LIMITS[key]
                usual = [high, numpy.nextafter(high, 0), high / 2, max(low, 0)]
                odd = [numpy.nextafter(high, INF), math.nan, INF, -INF, 2 * high, -3.0 * high]
                number = float(random.choice(usual + odd if random.random() < 0.1 * (seed % 3) else usual))
                seen[key].append((number, i << 24))
                getattr(workers[int(random.integers(3))], names[key])(number, ids=i)
            for at in random.permutation(3):
                leader.merge(workers[at].take())
            given = self.given(leader.tick(1))
            for key, values in seen.items():
                wanted, found = judged(values, *LIMITS[key]), given[key]
                self.assertEqual((found.state, found.observations, found.unknown), (wanted.state, wanted.count, wanted.unknown), (seed, key))
                numpy.testing.assert_allclose((found.least, found.greatest, found.outside), (wanted.least, wanted.greatest, wanted.outside), rtol=1e-12)
                self.assertEqual([(each.value, each.id << 24) for each in found.worst], wanted.worst, (seed, key))

    def test_what_is_no_number_is_refused(self):
        for wrong in (["a"], "abc", None, {"a": 1}):
            with self.assertRaises(TypeError):
                self.monitor.rewards(wrong)
        with self.assertRaises(ValueError):
            self.monitor.rewards([1, 2], mask=[1])
        with self.assertRaises(ValueError):
            self.monitor.rewards([1, 2], ids=[3])
        self.assertEqual(self.given(self.monitor.tick(1))["reward"].state, "unwatched")

    def test_a_contract_without_any_says_nothing(self):
        monitor = tikc.loads(contract("c", "runtime:\n  latency: max(latency) <= 3 s\nobservability:\n  requests: sample(requests, 100%)\n")).monitor(on_fault="raise")
        monitor.rewards([5])
        window = monitor.tick(1)
        self.assertEqual((window.assumptions, window.claims), ((), ()))


logging.getLogger("tikc").setLevel(logging.WARNING)

if __name__ == "__main__":
    main()
