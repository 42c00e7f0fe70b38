"""Policies so small that all of their responses can be written down."""

import numpy as np

WIDTH = 8
END = 0  # the token that ends a response, where one does


class Tree:
    """Every prefix of every response is a node, numbered so that a parent comes before its children, and every response a path of (node, token)."""

    def __init__(self, vocabulary, horizon, prompts, ends):
        self.vocabulary, self.horizon, self.prompts, self.ends = vocabulary, horizon, prompts, ends
        nodes = [(prompt, ()) for prompt in range(prompts)]
        self.parent, self.came_by = [-1] * prompts, [END] * prompts
        for at, (prompt, prefix) in enumerate(nodes):
            if len(prefix) < horizon - 1:
                for token in range(int(ends), vocabulary):
                    nodes.append((prompt, (*prefix, token)))
                    self.parent.append(at)
                    self.came_by.append(token)
        self.prompt = np.array([prompt for prompt, _ in nodes])
        self.prefixes = [prefix for _, prefix in nodes]
        self.depth = np.array([len(prefix) for prefix in self.prefixes])
        self._paths()

    def _paths(self):
        leaves = [(at, token) for at in range(len(self.parent)) for token in range(self.vocabulary)
                  if (self.ends and token == END) or self.depth[at] == self.horizon - 1]
        self.nodes = np.zeros((len(leaves), self.horizon), int)
        self.tokens = np.zeros((len(leaves), self.horizon), int)
        self.is_there = np.zeros((len(leaves), self.horizon), bool)
        for row, (at, token) in enumerate(leaves):
            for step in range(self.depth[at], -1, -1):
                self.nodes[row, step], self.tokens[row, step], self.is_there[row, step] = at, token, True
                at, token = self.parent[at], self.came_by[at]
        self.lengths = self.is_there.sum(axis=1)

    def reached(self, law):
        """The probability of each prefix under a law [node, token], each prompt being as likely as any other."""
        out = np.full(len(self.parent), 1 / self.prompts)
        for at in range(self.prompts, len(out)):
            out[at] = out[self.parent[at]] * law[self.parent[at], self.came_by[at]]
        return out

    def products(self, of):
        """Of each response the product of what a table [node, token] has on its path."""
        return np.where(self.is_there, of[self.nodes, self.tokens], 1.0).prod(axis=1)

    def gathered(self, of):
        """A table [node, token]: the sum over the responses that pass there. `of` has one number per response, or one per step."""
        values = np.where(self.is_there, of if of.ndim == 2 else of[:, None], 0.0)
        out = np.zeros((len(self.parent), self.vocabulary))
        np.add.at(out, (self.nodes, self.tokens), values)
        return out


class Policy:
    """One hidden layer over the prompt and the prefix: weights as arrays, logits of every node, and every token's score."""

    def __init__(self, tree, seed=1):
        random = np.random.default_rng(seed)
        self.tree = tree
        self.of_prompt = random.normal(0, 0.5, (tree.prompts, WIDTH))
        self.of_prefix = random.normal(0, 0.5, (tree.horizon, tree.vocabulary, WIDTH))
        self.head = random.normal(0, 0.6, (WIDTH, tree.vocabulary))

    def weights(self):
        return [self.of_prompt, self.of_prefix, self.head]

    def hidden(self, weights=None):
        of_prompt, of_prefix, _ = weights or self.weights()
        out = of_prompt[self.tree.prompt].copy()
        for at, prefix in enumerate(self.tree.prefixes):
            for step, token in enumerate(prefix):
                out[at] += of_prefix[step, token]
        return np.tanh(out)

    def logits(self, weights=None):
        return self.hidden(weights) @ (weights or self.weights())[2]

    def scores(self):
        """[node, token, parameter]: the gradient of a token's log-prob by all weights."""
        hidden, law = self.hidden(), softmax(self.logits())
        by_logits = np.eye(self.tree.vocabulary)[None] - law[:, None, :]
        by_sum = (by_logits @ self.head.T) * (1 - hidden**2)[:, None, :]
        of_prompt = np.zeros((*law.shape, self.tree.prompts, WIDTH))
        of_prefix = np.zeros((*law.shape, self.tree.horizon, self.tree.vocabulary, WIDTH))
        for at, prefix in enumerate(self.tree.prefixes):
            of_prompt[at, :, self.tree.prompt[at]] = by_sum[at]
            for step, token in enumerate(prefix):
                of_prefix[at, :, step, token] = by_sum[at]
        of_head = hidden[:, None, :, None] * by_logits[:, :, None, :]
        return np.concatenate([each.reshape(*law.shape, -1) for each in (of_prompt, of_prefix, of_head)], axis=2)


def softmax(logits):
    out = np.exp(logits - logits.max(axis=1, keepdims=True))
    return out / out.sum(axis=1, keepdims=True)
