"""What is true of a server against its trainer, with nothing sampled: figures of clauses, total variation, reward drift, and the gradient's bias."""

import dataclasses

import numpy as np

from policy import Policy, Tree, softmax
from servers import SERVERS


class World:
    """A trainer: its law, the scores of its tokens, what its responses are worth, and so what contracts may assume."""

    def __init__(self, tree, logits, scores):
        self.tree, self.logits, self.scores = tree, logits, scores
        self.law = softmax(logits)
        self.reached = tree.reached(self.law)
        self.responses = tree.products(self.law) / tree.prompts
        self.score_norm = np.linalg.norm(scores, axis=2).max()

    def judge(self, rewards, causal, returns):
        """Rewards and returns are of responses, `causal` of tokens where they stand: advantages that look at nothing after them."""
        self.rewards, self.causal, self.returns = rewards, causal, returns
        self.advantage = max(abs(causal).max(), abs(returns).max())
        return self

    def gradient(self, coefficients):
        """Of a table [node, token], the sum of scores so weighted."""
        return np.tensordot(coefficients, self.scores, 2)


def usual(seed=2):
    """A small network, a random reward for each response, and a critic without error."""
    tree = Tree(vocabulary=5, horizon=5, prompts=4, ends=True)
    policy = Policy(tree)
    world = World(tree, policy.logits(), policy.scores())
    rewards = np.random.default_rng(seed).uniform(0, 1, len(tree.lengths))
    worth = tree.gathered(world.responses * rewards) / (world.reached[:, None] * world.law)
    value = (worth * world.law).sum(axis=1)
    servers = {name: lambda drift, make=make: make(policy, drift, worth - value[:, None]) for name, make in SERVERS.items()}
    return world.judge(rewards, worth - value[:, None], rewards - value[tree.nodes[:, 0]]), servers


def worst(horizon):
    """The one that bounds are for: four tokens, scores of mean zero that are all as large as the largest, and advantages that agree in sign with what
    the server's drift does to a token."""
    tree = Tree(vocabulary=4, horizon=horizon, prompts=1, ends=False)
    score, push = np.array([1.0, 1.0, -1.0, -1.0]), np.array([1.0, -1.0, -1.0, 1.0])
    shape = (len(tree.parent), 4)
    world = World(tree, np.zeros(shape), np.broadcast_to(score[:, None], (*shape, 1)))
    pushed = push[tree.tokens].sum(axis=1)
    before = np.array([push[list(prefix)].sum() for prefix in tree.prefixes])
    causal = sign((before[:, None] + push) * score)
    tilt = lambda drift: softmax(np.broadcast_to(drift / 2 * push, shape))  # noqa: E731
    return world.judge((pushed > 0) * 1.0, causal, sign(pushed * score[tree.tokens].sum(axis=1))), {"tilt": tilt}


def sign(of):
    return np.where(of < 0, -1.0, 1.0)


@dataclasses.dataclass(frozen=True)
class Correction:
    """A correction of the language with its numbers: the weight for a ratio; PPO's also depends on the advantage's sign."""

    name: str
    says: str

    def __call__(self, ratio, advantage):
        a, b = self.numbers
        return {
            "none": lambda: np.ones_like(ratio),
            "is": lambda: ratio,
            "tis": lambda: np.minimum(ratio, a),
            "mis": lambda: np.where((ratio < a) | (ratio > b), 0.0, ratio),
            "clip": lambda: np.clip(ratio, 1 - a, 1 + a),
            "ppo": lambda: np.where(((advantage > 0) & (ratio > 1 + b)) | ((advantage < 0) & (ratio < 1 - a)), 0.0, ratio),
        }[self.name]()

    @property
    def numbers(self):
        found = [float(each) for each in self.says.partition("(")[2].rstrip(")").split(",") if each]
        return (found + [0.0, 0.0])[:2]


CORRECTIONS = [Correction(says.partition("(")[0], says) for says in ("none", "is", "tis(1.1)", "mis(0.9, 1.1)", "clip(0.1)", "ppo(0.1, 0.1)")]
ESTIMATORS = ("step", "token", "token_mc", "token_mc, by length", "sequence")


class Server:
    """A law against the trainer's."""

    def __init__(self, world, law):
        self.world, self.law = world, law
        tree = world.tree
        self.reached = tree.reached(law)
        self.responses = tree.products(law) / tree.prompts
        with np.errstate(divide="ignore"):
            self.ratio = np.where(law > 0, world.law / np.where(law > 0, law, 1), 0.0)
        self.gap = np.log(self.ratio, out=np.zeros_like(law), where=self.ratio > 0)

    def figures(self):
        """Those that clauses are about, of all contexts that the server reaches and as often as it does."""
        world, kept = self.world, self.law > 0
        there = self.reached > 0
        shares = self.reached / self.reached.sum()
        drawn = shares[:, None] * self.law
        missing = (world.law * ~kept).sum(axis=1)
        shift = np.where(kept, self.gap, np.nan)[there]
        return {
            "missing": missing[there].max(),
            "missing_mean": (shares * missing).sum(),
            "osc": (np.nanmax(shift, axis=1) - np.nanmin(shift, axis=1)).max(),
            "worst": np.nanmax(abs(shift)),
            "tv": (shares * abs(world.law - self.law).sum(axis=1)).sum() / 2,
            "k3": (drawn * (self.ratio - 1 - self.gap)).sum(),
            "gap": (drawn * abs(self.gap)).sum(),
            "seq_tv": self.seq_tv(),
        }

    def seq_tv(self):
        return abs(self.world.responses - self.responses).sum() / 2

    def reward_drift(self):
        return abs(((self.world.responses - self.responses) * self.world.rewards).sum())

    def bias(self, estimator, correction):
        """The 2-norm of what the estimator gives of the server's responses, less the gradient that it estimates."""
        return np.linalg.norm(self.world.gradient(getattr(self, "_" + estimator.partition(",")[0])(estimator, correction)))

    def _step(self, _, correction):
        world = self.world
        weights = correction(self.ratio, world.causal)
        return (self.reached / self.reached.sum())[:, None] * (self.law * weights - world.law) * world.causal

    def _token(self, _, correction):
        world = self.world
        weights = correction(self.ratio, world.causal)
        return (self.reached[:, None] * self.law * weights - world.reached[:, None] * world.law) * world.causal

    def _token_mc(self, estimator, correction):
        world, tree = self.world, self.world.tree
        weights = correction(self.ratio[tree.nodes, tree.tokens], world.returns[:, None])
        share = world.returns / (tree.lengths if "by length" in estimator else 1)
        return tree.gathered((self.responses * share)[:, None] * weights) - tree.gathered(world.responses * share)

    def _sequence(self, _, correction):
        world, tree = self.world, self.world.tree
        weights = correction(tree.products(self.ratio), world.returns)
        return tree.gathered((self.responses * weights - world.responses) * world.returns)
