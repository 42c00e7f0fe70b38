"""What tikc proves of contracts that state measured figures: bounds are its own, and nothing here knows a lemma."""

import decimal
import json
import os
import subprocess
from fractions import Fraction
from pathlib import Path

BUILT = Path(__file__).resolve().parents[3] / "build/release/bin/tikc"
TIKC = os.environ.get("TIKC") or (str(BUILT) if BUILT.exists() else "tikc")
# The budget does not matter, because tikc reports what follows in any case. Every finite bound meets this one.
BUDGET = 10**9

CONTRACT = """tikc: v1
contract: {name}
version: 1.0.0
kernels:
  trainer: {{ engine: numpy, weights: fp64 }}
  rollout: {{ engine: numpy, weights: fp64 }}
pair: {{ train: trainer, infer: rollout }}
model: {{ vocabulary: {vocabulary}, horizon: {horizon} tokens }}
assumptions:
  support: {support}
  reward: [0, 1]
  advantage: {advantage}
  score_norm: {score_norm}
  estimator: {estimator}
  loss: {loss}
  correction: {correction}
numerical:
{numerical}
statistical:
{statistical}
observability:
  rows: sample(logits, 100%)
  tokens: sample(logprobs, 100%)
claims:
  bias: pg_bias <= {budget}
  reward: reward_drift <= {budget}
  answers: seq_tv <= {budget}
"""
ROWS = {"osc": "max(logit_osc)", "worst": "max(logprob_linf)", "tv": "mean(tv)", "missing": "max(missing_mass)", "missing_mean": "mean(missing_mass)"}
TOKENS = {"k3": "mean(k3)", "gap": "mean(abs(logprob_gap))"}
RESPONSES = {"seq_tv": "mean(seq_tv)"}


def above(value):
    """In six digits, and no smaller: what was measured has to keep what the contract says."""
    return str(decimal.Context(prec=6, rounding=decimal.ROUND_CEILING).create_decimal(repr(float(value) * (1 + 1e-12))))


def clauses(kinds, figures):
    return "\n".join(f"  {name}: {says} <= {above(figures[name])}" for kind in kinds for name, says in kind.items() if name in figures) or "  {}"


def contract(name, world, figures, kinds, estimator, correction):
    figures = dict(figures)
    is_cut = figures["missing"] > 0
    if not is_cut:
        del figures["missing"], figures["missing_mean"]
    return CONTRACT.format(
        name=name, vocabulary=world.tree.vocabulary, horizon=world.tree.horizon, budget=BUDGET,
        support=f"{{ missing_mass: {above(figures['missing'])} }}" if is_cut else "full",
        advantage=above(world.advantage), score_norm=above(world.score_norm), estimator=estimator.partition(",")[0],
        loss="seq_mean_token_mean" if "by length" in estimator else "seq_mean_token_sum", correction=correction,
        numerical=clauses([kind for kind in kinds if kind is ROWS], figures),
        statistical=clauses([kind for kind in kinds if kind is not ROWS], figures))


def bounds(contracts, folder):
    """Of each contract what follows for each claim, or None where nothing does."""
    path = Path(folder) / "bias.tikc.yaml"
    path.write_text("---\n".join(contracts), "utf-8")
    done = subprocess.run([TIKC, "explain", str(path), "--format=json"], capture_output=True, text=True)
    if not done.stdout:
        raise SystemExit(f"tikc explain: {done.stderr[:2000]}")
    return [{claim["claim"]: _bound(claim) for claim in each["claims"]} for each in json.loads(done.stdout)["contracts"]]


def _bound(claim):
    if claim["verdict"] == "refuted":
        raise SystemExit(f"tikc refutes {claim['text']}, though figures are those of two kernels")
    steps = [step for step in claim["steps"] if step["id"] == 0]
    return Fraction(steps[0]["bound"]["exact"]) if steps else None
