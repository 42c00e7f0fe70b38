"""Servers of the policy that are a given distance from it: each is a law [node, token], the same weights computed otherwise."""

import numpy as np

from policy import softmax


def spread(of):
    return of.max(axis=1) - of.min(axis=1)


def noise(policy, drift, _):
    """Logits that are off in every context by itself, by as much in the worst token as `drift` says."""
    direction = np.random.default_rng(3).normal(0, 1, policy.logits().shape)
    return softmax(policy.logits() + drift * direction / spread(direction).max())


def weights(policy, drift, _):
    """Other weights, as of another step or another number format: all contexts drift together."""
    random = np.random.default_rng(4)
    moves = [random.normal(0, 1, each.shape) for each in policy.weights()]
    logits = policy.logits()
    low, high = 0.0, 10.0
    for _ in range(80):  # how far to go for the drift that is asked for
        middle = (low + high) / 2
        moved = policy.logits([each + middle * move for each, move in zip(policy.weights(), moves)])
        low, high = (middle, high) if spread(moved - logits).max() < drift else (low, middle)
    return softmax(policy.logits([each + low * move for each, move in zip(policy.weights(), moves)]))


def temperature(policy, drift, _):
    """Logits divided by something above 1."""
    logits = policy.logits()
    return softmax(logits * (1 - drift / spread(logits).max()))


def adverse(policy, drift, advantages):
    """The logits that lower rewards most: minus half of `drift` for tokens better than the average, plus half for worse ones."""
    return softmax(policy.logits() - drift / 2 * np.sign(advantages))


def cut(policy, drift, _):
    """Tokens below a share of the probability are never drawn, and the rest share what they had: what top-p and min-p do."""
    law = softmax(policy.logits())
    order = np.sort(law.min(axis=1))
    least = order[min(len(order) - 1, int(drift * len(order)))]  # cuts something in that share of contexts
    kept = np.where(law <= least, 0.0, law)
    return kept / kept.sum(axis=1, keepdims=True)


SERVERS = {each.__name__: each for each in (noise, weights, temperature, adverse, cut)}
