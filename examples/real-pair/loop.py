"""A short training in the manner of GRPO, in which a monitor sees each step, and the server's weights stop arriving for some of them."""

import copy
import dataclasses
import time

import torch

import servers
import text
from pair import Pair, observe, of_drawn, rewards
from story import REPLAYS

GROUP = 8
PROMPTS = {"sums": 16, "tales": 6}  # a step
LOST, FOUND = 2, 7  # steps from which on weights do not arrive, and do again


@dataclasses.dataclass(frozen=True)
class Step:
    lag: int  # how many steps older the server's weights are
    reward: float
    window: object
    decisions: dict
    watching: float  # the monitor's share of the step's time


def advantages(of):
    """Within each group, by the deviation that divides by n: at most sqrt(n - 1)."""
    groups = torch.tensor(of).view(-1, GROUP)
    centred = groups - groups.mean(dim=1, keepdim=True)
    return (centred / (groups.std(dim=1, unbiased=False, keepdim=True) + 1e-6)).flatten()


class Trainer:
    def __init__(self, model, seed):
        self.model = copy.deepcopy(model)
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=1e-4)
        self.seed = seed

    def ask(self, server, task, step):
        asked = [each for each in text.prompts(task, PROMPTS[task], f"{self.seed} {step}") for _ in range(GROUP)]
        return server.serve(task, asked, self.seed + step)

    def learn(self, batches):
        """One step on the mean over answers of the mean over their tokens, without a correction: what the contract's `pg_bias` is about."""
        loss = 0.0
        for served, given in batches:
            asked = torch.tensor([text.encoded(each) for each in served.prompts])
            logits = self.model(torch.cat([asked, served.tokens], 1)[:, :-1])[:, asked.shape[1] - 1 :]
            means = (of_drawn(logits, served) * served.mask).sum(dim=1) / served.mask.sum(dim=1)
            loss = loss - (given * means).mean()
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()


def run(model, contract, steps, seed):
    """Trains step by step and applies the router's state of each slice in the next step: it trains on the safe server's answers where the router
    sends traffic there, and on no answers of a quarantined slice."""
    trainer, monitor = Trainer(model, seed), contract.monitor(on_fault="raise")
    weights, lag = None, 0
    does = {task: "as usual" for task in text.TASKS}
    for step in range(steps):
        began, watched = time.process_time(), 0.0
        now = {name: each.clone() for name, each in trainer.model.state_dict().items()}
        lag = lag + 1 if LOST <= step < FOUND else 0
        weights = weights if lag else now
        rollout, safe = servers.usual(weights), servers.safe(now)
        pair, batches, scores = Pair(trainer.model, {}), [], []
        for task in text.TASKS:
            served = trainer.ask(rollout, task, step)
            given = advantages(rewards(served))
            logits = pair.scored(served)
            norms, drifts = pair.score_norms(served, 4), [rollout.batch_drift(served, i) for i in range(REPLAYS)]
            at = time.process_time()
            observe(monitor, served, logits, norms, drifts)
            monitor.advantages(given)
            watched += time.process_time() - at
            scores += rewards(served)
            if does[task] == "route":
                served = trainer.ask(safe, task, step)
                given = advantages(rewards(served))
            if does[task] != "quarantine":
                batches.append((served, given))
        at = time.process_time()
        window = monitor.tick(float(step))
        watched += time.process_time() - at
        if batches:
            trainer.learn(batches)
        yield Step(lag, sum(scores) / len(scores), window, does, watched / (time.process_time() - began))
        does = {task: window.decisions[task].kind for task in text.TASKS}
