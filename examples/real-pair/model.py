"""A transformer of a third of a million weights, and how it is trained: by fp32 on one processor, in a minute."""

import math
import random

import torch
from torch import nn
from torch.nn import functional

import text

WIDTH, HEADS, LAYERS, CONTEXT = 96, 4, 3, 64


class Convolved(nn.Linear):
    """As a convolution of width 1, for which Debian's Torch has a fast kernel, from batches of 16 on: what the trainer computes with. Servers have
    `nn.Linear`."""

    def forward(self, x):
        return functional.conv1d(x.transpose(1, 2), self.weight[:, :, None], self.bias).transpose(1, 2)


class Block(nn.Module):
    def __init__(self, linear):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attend, self.out = linear(WIDTH, 3 * WIDTH), linear(WIDTH, WIDTH)
        self.widen, self.narrow = linear(WIDTH, 4 * WIDTH), linear(4 * WIDTH, WIDTH)

    def forward(self, x, past):
        """`past` keeps keys and values of the tokens before, and gives them back with those of now."""
        count, now = x.shape[:2]
        query, key, value = (each.view(count, now, HEADS, -1).transpose(1, 2) for each in self.attend(self.before(x)).chunk(3, dim=-1))
        key, value = past(key, value)
        scores = query @ key.transpose(-1, -2) / math.sqrt(WIDTH / HEADS)
        seen = torch.ones(now, key.shape[2], dtype=torch.bool).tril(key.shape[2] - now)
        weights = scores.masked_fill(~seen, -math.inf).softmax(dim=-1)
        x = x + self.out((weights @ value).transpose(1, 2).reshape(count, now, WIDTH))
        return x + self.narrow(functional.gelu(self.widen(self.between(x))))


class Model(nn.Module):
    def __init__(self, linear=Convolved):
        super().__init__()
        self.token, self.place = nn.Embedding(len(text.ALPHABET), WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.blocks = nn.ModuleList(Block(linear) for _ in range(LAYERS))
        self.after, self.head = nn.LayerNorm(WIDTH), linear(WIDTH, len(text.ALPHABET))

    def forward(self, tokens, past=None, at=0):
        """Logits of what follows each token; `past` has one cache a layer where tokens before `at` were seen already."""
        x = self.token(tokens) + self.place(torch.arange(at, at + tokens.shape[1]))
        for i, block in enumerate(self.blocks):
            x = block(x, past[i] if past else lambda key, value: (key, value))
        return self.head(self.after(x))


def examples(task, count, source):
    """Prompts with right answers, and behind them nothing that is learned."""
    asked = text.prompts(task, count, source.random())
    whole = [text.encoded(each + text.answer(each, source)) for each in asked]
    longest = max(map(len, whole))
    return torch.tensor([each + [-1] * (longest - len(each)) for each in whole])


def trained(steps, seed):
    """The trainer's model, and the weights that it had a fifth of the steps before."""
    torch.manual_seed(seed)
    source = random.Random(seed)
    model = Model()
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-3)
    rate = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
    older = None
    for step in range(steps):
        if step == steps - steps // 5:
            older = {name: each.clone() for name, each in model.state_dict().items()}
        loss = 0.0
        for task, count in (("sums", 64), ("tales", 16)):
            tokens = examples(task, count, source)
            logits = model(tokens[:, :-1].clamp(min=0))
            wanted = tokens[:, 1:].clone()
            wanted[:, : text.PROMPT[task] - 1] = -1  # the prompt is given
            loss = loss + functional.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=-1)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        rate.step()
    return model.eval(), older
