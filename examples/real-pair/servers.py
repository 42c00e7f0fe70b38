"""The same weights, computed otherwise: what serves, and what may be wrong with it."""

import dataclasses
import math
from typing import Callable

import torch

import text
from model import Model


@dataclasses.dataclass(frozen=True)
class Served:
    """Answers to prompts [answers, tokens], a mask of the tokens that count, and the logits [answers, tokens, alphabet] they were sampled with."""

    task: str
    prompts: list
    tokens: torch.Tensor
    mask: torch.Tensor
    logprobs: torch.Tensor
    logits: torch.Tensor

    def texts(self):
        return [text.decoded(row[kept].tolist()) for row, kept in zip(self.tokens, self.mask)]


class Past:
    """A layer's keys and values, kept as `stored` leaves them."""

    def __init__(self, stored):
        self.stored, self.key, self.value = stored, None, None

    def __call__(self, key, value):
        key, value = self.stored(key), self.stored(value)
        if self.key is not None:
            key, value = torch.cat([self.key, key], 2), torch.cat([self.value, value], 2)
        self.key, self.value = key, value
        return key, value


def as_it_is(x):
    return x


def in_e4m3(x):
    """Rounded to four significant bits, which is fp8_e4m3 where that neither ends nor underflows: Torch 1.13 has no such type."""
    fraction, exponent = torch.frexp(x.float())
    return torch.ldexp((fraction * 16).round() / 16, exponent).clamp(-448, 448).to(x.dtype)


@dataclasses.dataclass(frozen=True)
class Server:
    """What turns prompts into answers, a token at a time from a cache."""

    name: str
    model: torch.nn.Module
    stored: Callable = as_it_is
    temperature: float = 1.0
    top_p: float = 1.0
    logs_at: float = 1.0  # the temperature of the logged log-probs, which may differ from the sampling temperature

    def law(self, logits):
        """Log-probs of what is drawn."""
        logprobs = (logits / self.temperature).log_softmax(dim=-1)
        if self.top_p == 1:
            return logprobs
        sizes, order = logprobs.exp().sort(dim=-1, descending=True)
        is_behind = sizes.cumsum(dim=-1) - sizes >= self.top_p
        is_cut = torch.empty_like(is_behind).scatter(-1, order, is_behind)
        return logprobs.masked_fill(is_cut, -math.inf).log_softmax(dim=-1)

    def logged(self, logits):
        """The log-probs that the server logs."""
        return self.law(logits) if self.logs_at == 1 else (logits / self.logs_at).log_softmax(-1)

    def batch_drift(self, served, i):
        """How far a log-prob of answer `i` moves at most when it is served alone, token by token as before."""
        count, past = int(served.mask[i].sum()), [Past(self.stored) for _ in self.model.blocks]
        asked = torch.tensor([text.encoded(served.prompts[i])])
        first, largest = asked.shape[1], 0.0
        with torch.no_grad():
            logits = self.model(asked, past)
            for at, token in enumerate(served.tokens[i, :count]):
                alone = self.logged(logits[0, -1].float())[token]
                largest = max(largest, float((alone - served.logprobs[i, at]).abs()))
                logits = self.model(token.view(1, 1), past, first + at)
        return largest

    def serve(self, task, prompts, seed):
        random = torch.Generator().manual_seed(seed)
        tokens = torch.tensor([text.encoded(each) for each in prompts])
        first = tokens.shape[1]
        past = [Past(self.stored) for _ in self.model.blocks]
        rows, logprobs, mask = [], [], []
        going = torch.ones(len(prompts), dtype=torch.bool)
        with torch.no_grad():
            logits = self.model(tokens, past)[:, -1].float()
            while going.any() and len(rows) < text.LONGEST[task]:
                law = self.law(logits)
                drawn = torch.multinomial(law.exp(), 1, generator=random)
                rows.append(logits)
                logprobs.append(self.logged(logits).gather(1, drawn)[:, 0])
                mask.append(going)
                tokens = torch.cat([tokens, drawn], 1)
                going = going & (drawn[:, 0] != text.END)
                logits = self.model(drawn, past, tokens.shape[1] - 1)[:, -1].float()
        return Served(task, prompts, tokens[:, first:], torch.stack(mask, 1), torch.stack(logprobs, 1), torch.stack(rows, 1))


def with_weights(weights):
    out = Model(torch.nn.Linear)
    out.load_state_dict(weights)
    return out.eval()


class InInt8(torch.nn.Module):
    """Torch's dynamic quantisation: the matrix once, what it is multiplied with as it comes. Its own module for it warns at each call."""

    def __init__(self, linear):
        super().__init__()
        weight = linear.weight.detach()
        torch.backends.quantized.engine = "qnnpack"
        of_weight = torch.quantize_per_tensor(weight, float(weight.abs().max()) / 127, 0, torch.qint8)
        self.packed = torch.ops.quantized.linear_prepack(of_weight, linear.bias.detach())

    def forward(self, x):
        return torch.ops.quantized.linear_dynamic(x, self.packed, False)


def in_int8(weights):
    out = with_weights(weights)
    for block in out.blocks:
        for name in ("attend", "out", "widen", "narrow"):
            setattr(block, name, InInt8(getattr(block, name)))
    out.head = InInt8(out.head)
    return out


def in_int4(weights):
    """Each weight matrix as whole numbers from -7 to 7, of a scale for each row: two weights a byte."""
    out = with_weights(weights)
    for each in out.modules():
        if isinstance(each, torch.nn.Linear):
            scale = each.weight.data.abs().amax(dim=1, keepdim=True) / 7
            each.weight.data = (each.weight.data / scale).round() * scale
    return out


def usual(weights):
    """What the contract is about."""
    return Server("usual", with_weights(weights).bfloat16())


def safe(weights):
    return Server("safe", with_weights(weights))


def of(weights, older):
    """All of them by name."""
    half = usual(weights).model
    return {each.name: each for each in (
        usual(weights),
        safe(weights),
        Server("int8", in_int8(weights)),
        Server("int4", in_int4(weights).bfloat16()),
        Server("cache", half, stored=in_e4m3),
        Server("top_p", half, top_p=0.8),
        Server("temperature", half, temperature=0.8),
        Server("stale", with_weights(older).bfloat16()),
        Server("mislogged", half, logs_at=0.6),
    )}
