"""The trainer and its servers, and a monitor that observes both."""

import torch

import text


class Pair:
    def __init__(self, model, servers):
        self.model, self.servers = model, servers

    def scored(self, served):
        """The trainer's logits where the server drew, over whole answers in one pass, as in training."""
        asked = torch.tensor([text.encoded(each) for each in served.prompts])
        with torch.no_grad():
            return self.model(torch.cat([asked, served.tokens], 1)[:, :-1])[:, asked.shape[1] - 1 :].contiguous()

    def score_norms(self, served, count):
        """2-norms of the scores of some of the tokens, one an answer, by all weights: what the assumption is held against."""
        norms = []
        for i in range(min(count, len(served.prompts))):
            at = i * 7 % int(served.mask[i].sum())
            before = torch.tensor([text.encoded(served.prompts[i]) + served.tokens[i, :at].tolist()])
            self.model.zero_grad()
            self.model(before)[0, -1].log_softmax(-1)[served.tokens[i, at]].backward()
            norms.append(sum(each.grad.norm() ** 2 for each in self.model.parameters() if each.grad is not None).sqrt().item())
        self.model.zero_grad()
        return norms


def of_drawn(logits, served):
    return logits.log_softmax(-1).gather(2, served.tokens[:, :, None])[:, :, 0]


def rewards(served):
    return [text.reward(*each) for each in zip(served.prompts, served.texts())]


def observe(monitor, served, logits, norms=(), drifts=()):
    """All that the contract asks of one batch of answers."""
    asked = {"prompt_tokens": text.PROMPT[served.task]}
    monitor.serve(tokens=int(served.mask.sum()), requests=len(served.prompts), labels=asked)
    monitor.tokens(of_drawn(logits, served), served.logprobs, mask=served.mask, labels=asked)
    monitor.rows(logits[served.mask], served.logits[served.mask], labels=asked)
    monitor.rewards(rewards(served))
    if len(norms):
        monitor.score_norms(norms)
    if len(drifts):
        monitor.batch_replays(drifts, labels=asked)
