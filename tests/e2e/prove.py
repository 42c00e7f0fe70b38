"""`tikc prove` and `tikc-verify`: what is proved is accepted, and nothing else is. Certificates are changed in every place
that a proof rests on, contracts in every text; bytes are flipped and cut off at random, with a fixed seed."""

import copy
import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from certificates import KINDS, Mutants, is_as_true, read  # noqa: E402
from harness import PATIENCE, ROOT, TIKC, Case, main, run  # noqa: E402

VERIFY = os.environ.get("TIKC_VERIFY") or str(Path(TIKC).with_name("tikc-verify"))
SEED = 20260101
# How many changes of each kind are tried on each certificate.
SAMPLE = int(os.environ.get("TIKC_MUTANTS", "3"))

CONTRACT = """tikc: v1
contract: test
version: 1.0.0
kernels:
  trainer: {{ engine: fsdp2 }}
  middle: {{ engine: transformers }}
  rollout: {{ engine: vllm }}
{pair}
labels: {{ task: [a, b, c] }}
model: {{ {model} }}
{slices}assumptions:
{assumptions}
numerical:
{clauses}
claims:
{claims}
observability:
  rows: sample(logits, 1%)
  tokens: sample(logprobs, 100%)
  requests: sample(requests, 100%)
escalation:
  rest: {{ when: violated(any), do: hold, until: satisfied(any) }}
  silent: {{ when: undecided(any) for 6 windows, do: hold, until: satisfied(any) }}
"""


ENGINES = {"trainer": "fsdp2", "middle": "transformers", "rollout": "vllm"}


def of_kernel(text, name, own):
    """The contract with a kernel that has settings of its own."""
    return text.replace(f"engine: {ENGINES[name]} }}", f"engine: {ENGINES[name]}, {own} }}")


def contract(clauses, claims, assumptions=("support: full",), slices=(), pair="pair: { train: trainer, infer: rollout }",
             model="vocabulary: 1000, horizon: 64 tokens, temperature: 1.0", **kernels):
    def lines(of):
        return "\n".join("  " + line for line in of)

    out = CONTRACT.format(pair=pair, model=model, clauses=lines(clauses), claims=lines(claims), assumptions=lines(assumptions),
                          slices="slices:\n" + lines(slices) + "\n" if slices else "")
    for name, own in kernels.items():
        out = of_kernel(out, name, own)
    return out


CHAIN = "chain: [trainer, middle, rollout]"
GRADIENT = ("advantage: 2", "score_norm: 4")
WRITTEN = {
    "temperatures": contract(
        ["worst: max(logit_osc) <= 0.1"], ["tv: max(tv) <= 0.3"], model="logit_bound: 3, temperature: 1.0",
        trainer="sampling: { temperature: 0.8 }", rollout="sampling: { temperature: 0.9 }"),
    "chain": contract(
        ["near: { require: p95(logit_osc) <= 0.2, link: [trainer, middle] }", "worst_near: { require: max(logit_osc) <= 0.4, link: [trainer, middle] }",
         "far: { require: max(logit_osc) <= 0.6, link: [middle, rollout] }"],
        ["tv: max(tv) <= 0.245", "usual: quantile(tv, 95%) <= 0.2", "mean_tv: tv <= 0.2", "near_tv: { require: tv <= 0.06, link: [trainer, middle] }"],
        pair=CHAIN),
    "links": contract(
        ["near: { require: max(logit_osc) <= 0.1, link: [trainer, middle] }", "far: { require: max(logit_osc) <= 0.2, link: [middle, rollout] }",
         "seen: { require: mean(tv_sampled) <= 2%, link: [middle, rollout] }", "own: { require: mean(tv_sampled) <= 2%, link: [trainer, middle], drawn: middle }",
         "read: { require: p90(tv) <= 1%, link: [trainer, middle], drawn: text }"],
        ["tv: max(tv) <= 0.08", "mean_tv: tv <= 0.046", "near_tv: { require: max(tv) <= 0.03, link: [trainer, middle] }",
         "far_tv: { require: tv <= 0.02, link: [middle, rollout] }"], pair=CHAIN, middle="sampling: { temperature: 1 }"),
    "roots_of_chi2": contract(
        ["near: { require: mean(chi2) <= 0.01, link: [trainer, middle] }", "usual_near: { require: p99(chi2) <= 0.02, link: [trainer, middle] }",
         "far: { require: mean(chi2) <= 0.0004, link: [middle, rollout] }", "worst_far: { require: max(chi2) <= 0.001, link: [middle, rollout] }",
         "ratios: { require: max(logit_osc) <= 0.1, link: [middle, rollout] }"],
        ["chi2: chi2 <= 0.0157", "usual: quantile(chi2, 99%) <= 0.033", "tv: tv <= 0.063"], pair=CHAIN),
    "top_p_of_both": contract(
        ["drift: max(logit_osc) <= 0.2", "before: mean(tv) <= 1%", "missing: mean(missing_mass) <= 0.2%", "k3: mean(k3) <= 1e-3"],
        ["tv: tv <= 1.1%", "worst_tv: max(tv) <= 0.1", "kl: kl_infer_train <= 0.01", "worst_kl: max(kl_infer_train) <= 0.02"],
        assumptions=["support: { top_p: 99.9% }"], rollout="logprobs: processed, sampling: { top_p: 0.999 }"),
    "top_k": contract(
        ["drift: max(logit_osc) <= 0.2", "usual: p99(logit_osc) <= 0.1", "before: mean(tv) <= 1%"],
        ["tv: tv <= 1.6%", "worst_tv: max(tv) <= 0.1", "kl: max(kl_infer_train) <= 0.03"],
        assumptions=["support: { missing_mass: 0.5% }"], rollout="sampling: { top_k: 50 }"),
    "declared_cuts": contract(
        ["drift: max(logit_osc) <= 0.2", "missing: mean(missing_mass) <= 0.2%", "worst: max(missing_mass) <= 1%"],
        ["tv: tv <= 6%", "worst_tv: max(tv) <= 6%", "worst_kl: max(kl_infer_train) <= 0.04"], assumptions=["reward: [0, 1]"], rollout="sampling: { min_p: 0.05, top_p: 95% }"),
    "middle_cuts": contract(
        ["near: { require: max(missing_mass) <= 0.1%, link: [trainer, middle] }", "near_tv: { require: mean(tv) <= 1%, link: [trainer, middle] }"],
        ["mean: { require: tv <= 1.1%, link: [trainer, middle] }"], pair=CHAIN, middle="sampling: { top_k: 500 }"),
    "trainer_cuts": contract(
        ["sampled: mean(tv_sampled) <= 1%", "drift: max(logit_osc) <= 0.2"], ["tv: tv <= 1%", "reward: reward_drift <= 0.64"],
        assumptions=["support: { top_p: 99% }", "reward: [0, 1]"], trainer="sampling: { top_p: 0.9 }", rollout="sampling: { top_p: 0.99 }"),
    "greedy": contract(
        ["drift: max(logit_osc) <= 0.2 and min(top1_margin) >= 0.3", "flips: mean(top1_flip) <= 1%"], ["tv: tv <= 1%", "worst_tv: max(tv) <= 0", "flip: top1_flip <= 1%"],
        assumptions=["reward: [0, 1]"], trainer="sampling: { temperature: 0 }", rollout="sampling: { temperature: 0 }"),
    "raw": contract(
        ["sampled: mean(tv_sampled) <= 1%", "drift: max(logit_osc) <= 0.1"], ["tv: max(tv) <= 0.04"], model="temperature: 0.7", trainer="logprobs: raw"),
    "raw_at_1": contract(["sampled: mean(tv_sampled) <= 1%"], ["tv: tv <= 1%"], trainer="logprobs: raw", rollout="logprobs: raw"),
    "strict": contract(
        ["each: max(tv) < 0.1", "most: p99(hellinger) < 1%"], ["tv: max(tv) < 0.1", "most_tv: p95(tv) < 0.1", "same: p99(hellinger) < 1%", "fewer: p90(hellinger) < 1%"]),
    "strict_mixture": contract(
        ["each: max(tv) < 0.1 on all", "mean_chi2: mean(chi2) < 0.1 on all"], ["tv: max(tv) < 0.1 on a", "a_chi2: chi2 < 0.4 on a", "b_chi2: chi2 < 0.2 on b"],
        slices=['a: { when: task == "a", weight: 25%, token_weight: 25% }', 'b: { when: task == "b", weight: 50%, token_weight: 50% }']),
    "bits": contract(
        ["drift: max(logit_osc) <= 0.3 bit", "gap: mean(logprob_gap) in [-0.01 bit, 0.02 bit]"], ["kl: max(kl_infer_train) <= 0.1 bit", "mean_kl: kl_infer_train <= 0.01 bit"]),
    "parts": contract(
        ["drift: max(logit_osc) <= 0.1"], ["ratios: max(ratio) <= 1.2 and min(ratio) >= 0.8", "tv: tv in [0, 0.1] and max(tv) <= 0.2 on slices", "none: ess >= 0"],
        slices=['a: { when: task == "a" }']),
    "lengths": contract(
        ["tv: mean(tv) <= 1e-3", "k3: mean(k3) <= 1e-4 on all"], ["seq: seq_tv <= 0.064", "kl: seq_kl <= 1e-2 on all", "short: seq_tv <= 0.03 on a"],
        assumptions=["support: full", "mean_length: 40 tokens"], slices=['a: { when: task == "a", weight: 25%, mean_length: 30 tokens }']),
    "hot_slices": contract(
        ["sampled: mean(tv_sampled) <= 1%", "drift: max(logit_osc) <= 0.1", "flips: mean(top1_flip) <= 1%"], ["tv: tv <= 1%", "flip: top1_flip <= 1%"],
        slices=["hot: { when: temperature > 1, weight: 10% }"]),
    "late_slices": contract(
        ["sampled: mean(tv_sampled) <= 1%", "whole: mean(seq_tv) <= 10% on all"], ["tv: tv <= 1%", "mean_tv: tv <= 1% on all", "seq: seq_tv <= 10% on all"],
        slices=["late: { when: position >= 100, weight: 10%, token_weight: 10% }"]),
    "many_layers": contract(
        ["finite: count(nonfinite) == 0"], ["tv: max(tv) <= 0.95"],
        assumptions=["support: full", "head_norm: 2", "layers: [{ error: 1e-9, gain: 1.000000001, repeat: 1000000000 }, { error: 1, gain: 0.5, repeat: 999999999 }]"]),
    "slices": contract(
        ["one: mean(tv) <= 1% on a", "two: mean(tv) <= 10% on b", "three: { require: mean(tv) <= 5%, slices: [other] }", "worst: max(logit_osc) <= 1"],
        ["a: tv <= 1% on a", "mixed: tv <= 5.7% on all", "worst_tv: max(tv) <= 0.25"],
        slices=['a: { when: task == "a", weight: 25%, token_weight: 20% }', "b:", '  when: task == "b"', "  token_weight: 30%   # of tokens", "  weight: 30%"]),
    "responses": contract(
        ["one: mean(seq_tv) <= 1% on a", "two: mean(seq_tv) <= 10% on b", "three: mean(seq_tv) <= 5% on other"],
        ["mixed: seq_tv <= 5.7% on all", "reward: reward_drift <= 0.057 on all"],
        assumptions=["support: full", "reward: [0, 1]"], slices=['a: { when: task == "a", weight: 20% }', 'b: { when: task == "b", weight: 30% }']),
    "layers": contract(
        ["finite: count(nonfinite) == 0"], ["tv: max(tv) <= 0.05"],
        assumptions=["support: full", "head_norm: 2", "layers: [{ error: 0.01, gain: 1.5 }, { error: 0.02, gain: 2, repeat: 2 }]"]),
    "stale": contract(
        ["drift: max(logit_osc) <= 0.1", "seen: mean(tv_sampled) <= 1%"],
        ["tv: max(tv) <= 0.1", "mean_tv: tv <= 9%", "bias: pg_bias <= 1000000", "kernels: { require: max(tv) <= 2.5%, link: [trainer, rollout] }"],
        assumptions=["support: full", *GRADIENT, "estimator: token", "correction: tis(2)", "staleness: { steps: 3, logit_osc: 0.1 }"]),
    "block_layers": contract(
        ["finite: count(nonfinite) == 0"], ["tv: max(tv) <= 0.05"],
        assumptions=["support: full", "head_norm: 2", "layers:", "  - error: 0.01", "    gain: 1.5", "  - { error: 0.02, gain: 2, repeat: 2 }"]),
    "quantiles": contract(
        ["median: median(logit_osc) <= 0.1", "usual: p99(logit_osc) <= 0.25", "rare: p999(logit_osc) <= 0.5 nat", "worst: max(logit_osc) <= 1"],
        ["tv: tv <= 0.045", "tail: p99(tv) <= 0.063", "kl: mean(kl_infer_train) <= 0.01 bit", "ess: ess >= 99%", "ratio: max(ratio) <= 2.72"]),
    "concave": contract(
        ["kl: mean(kl_train_infer) <= 0.01", "usual: p99(kl_train_infer) <= 0.005"], ["tv: tv <= 0.0705", "hellinger: hellinger <= 0.005"]),
    "villes": contract(["drift: max(logit_osc) <= 1"], ["most: p99(seq_ratio) <= 100.1", "some: p90(seq_ratio) <= 10.1"]),
    "sequences": contract(
        ["worst: max(logit_osc) <= 0.01"], ["seq: seq_tv <= 0.06", "kl: seq_kl <= 0.01", "ess: seq_ess >= 99%",
                                            "ratio: quantile(seq_ratio, 95%) <= 1.2", "floor: quantile(seq_ratio, 5%) >= 0.8"]),
    "steps": contract(
        ["d: mean(tv) <= 0.1%", "worst: max(tv) <= 1%"], ["step: step_reward_drift <= 0.002", "sum: discounted_reward_drift <= 1.9"],
        assumptions=["support: full", "step_reward: [-1, 1]", "discount: 0.9"]),
    "gradient": contract(
        ["d: mean(seq_tv) <= 1%"], ["bias: pg_bias <= 10.24"], assumptions=["support: full", *GRADIENT, "estimator: token", "correction: none"]),
    "groups": contract(
        ["worst: max(logit_osc) <= 0.01"], ["bias: pg_bias <= 200"], assumptions=["support: full", *GRADIENT, "estimator: token", "correction: is", "group: 4"]),
    "clipped": contract(
        ["worst: max(logit_osc) <= 1"], ["bias: pg_bias <= 0.5"], assumptions=["support: full", *GRADIENT, "estimator: step", "correction: tis(2)"]),
    "masked": contract(
        ["d: mean(tv) <= 1%"], ["bias: pg_bias <= 0.25"], assumptions=["support: full", *GRADIENT, "estimator: step", "correction: 'mis(0.5, 2)'"]),
    "missing": contract(
        ["d: mean(tv_sampled) <= 1%"], ["bias: pg_bias <= 0.04", "tv: tv <= 0.01"],
        assumptions=["support: { missing_mass: 0.5% }", *GRADIENT, "estimator: step", "correction: is"]),
    "top_p": contract(
        ["usual: mean(tv) <= 1%", "worst: max(logit_osc) <= 0.5"], ["tv: tv <= 0.02", "worst_tv: max(tv) <= 0.2"], assumptions=["support:", "    top_p: 99%"]),
}


for estimator in ("token", "token_mc", "sequence", "step"):
    for correction in ("none", "is", "tis(2)", "'mis(0.5, 2)'", "clip(0.3)", "'ppo(0.2, 0.3)'"):
        for support in ("full", "{ missing_mass: 0.1% }") if correction[0] in "nit" else ("full",):
            WRITTEN[f"{estimator}_{correction.strip(chr(39))[:3]}_{support[:2].strip()}"] = contract(
                ["seq: mean(seq_tv) <= 1%", "drift: max(logit_osc) <= 0.01", "tv: max(tv) <= 0.1"], ["bias: pg_bias <= 300"],
                assumptions=[f"support: {support}", *GRADIENT, f"estimator: {estimator}", f"correction: {correction}"])

# A parent with two contracts in one file, and children that replace some of it.
PARENT = contract(["drift: max(logit_osc) <= 0.1", "usual: p99(logit_osc) <= 0.05", "gone: max(tv) <= 1e-6"], ["tv: max(tv) <= 0.05"],
                  assumptions=("support: full", "advantage: 2", "score_norm: 4", "estimator: step", "correction: none"),
                  slices=['a: { when: task == "a", weight: 25%, token_weight: 25% }']).replace("contract: test", "contract: base.all")
OTHER = PARENT.replace("base.all", "base.other").replace("<= 0.1", "<= 0.02")
CHILD = """tikc: v1
contract: child
version: 1.0.0
extends: below/base.tikc.yaml#base.all
model: { horizon: 32 tokens }
assumptions: { group: null }
slices: { b: { when: task == "b", weight: 25%, token_weight: 25% } }
numerical: { drift: max(logit_osc) <= 0.2, gone: null }
claims: { tv: max(tv) <= 0.06, seq: seq_tv <= 0.4, mixed: tv <= 0.02 on all, bias: pg_bias <= 0.25 }
"""
TWO = CHILD.replace("extends: below/base.tikc.yaml#base.all", "extends: '#base.all'")
FILES = {"family.tikc.yaml": CHILD, "below/base.tikc.yaml": PARENT + "---\n" + OTHER, "two.tikc.yaml": PARENT + "---\n" + OTHER + "---\n" + TWO}


def key_of(certificate, quote):
    text = certificate["files"][quote["file"]]["text"].encode()
    return re.match(rb"[\w.-]+", text[quote["from"]:])[0]


class Prove(Case):
    @classmethod
    def setUpClass(cls):
        cls.pool = ThreadPoolExecutor(2)
        cls.addClassCleanup(cls.pool.shutdown)
        cls.contracts = cls.shared_folder()
        for name, text in WRITTEN.items():
            (cls.contracts / f"{name}.tikc.yaml").write_text(text)
        (cls.contracts / "below").mkdir()
        for name, text in FILES.items():
            (cls.contracts / name).write_text(text)
        cls.proved = [found for path in cls.paths() for found in cls.prove(path)]

    @classmethod
    def paths(cls):
        return [path for folder in (ROOT / "examples", ROOT / "examples/fleet", cls.contracts) for path in sorted(folder.glob("*.tikc.yaml"))]

    @classmethod
    def prove(cls, path):
        """(name, files, certificate) of every contract in a file that claims something."""
        for name in re.findall(r"^contract: *(\S+)", path.read_text(), re.M):
            done = run("prove", path, "--contract", name, cwd=ROOT)
            if "is abstract" not in done.err:
                if done.returncode != 0:
                    raise AssertionError(f"{path} {name}\n{done.err}")
                certificate = json.loads(done.out)
                files = [ROOT / file["name"] for file in certificate["files"]]
                yield name if name != "test" else path.stem, files, certificate

    def verify(self, certificate, files):
        """Exit status and what was said, of a certificate in bytes."""
        path = self.folder / f"{random.getrandbits(64):x}.json"
        path.write_bytes(certificate)
        done = subprocess.run([VERIFY, path, *files], capture_output=True, timeout=PATIENCE, cwd=ROOT)
        path.unlink()
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def each(self, work, mutants):
        for (what, mutant), (status, said, why) in zip(mutants, self.pool.map(work, (mutant for _, mutant in mutants))):
            yield what, mutant, status, said, why

    def expect_rejected(self, status, why, what):
        self.assertEqual(status, 1, what)
        self.assertRegex(why, r"\ARejected: [^\n]+\n\Z", what)

    def test_what_is_proved_is_accepted(self):
        self.assertGreater(len(self.proved), 80)
        for name, files, certificate in self.proved:
            with self.subTest(name=name):
                status, said, why = self.verify(json.dumps(certificate).encode(), files)
                self.assertEqual(status, 0, why)
                for claim in certificate["claims"]:
                    self.assertIn(f"\n  {claim['id']}: accepted, ", said)
                for each in certificate["inputs"]:
                    if "from" in each:
                        self.assertIn("\n  " + key_of(certificate, each).decode() + ": ", said)

    def test_a_claim_that_is_not_proved_is_left_open(self):
        path = self.write("open.tikc.yaml", WRITTEN["quantiles"].replace("tv <= 0.045", "tv <= 0.01"))
        done = self.expect(1, "prove", path, "-o", self.folder / "cert.json")
        self.assertIn("1 of 5 claims is not proved", done.err)
        status, said, why = self.verify((self.folder / "cert.json").read_bytes(), [path])
        self.assertEqual((status, why), (1, "tikc-verify: tv is not proved\n"))
        self.assertRegex(said, r"  tv: not proved, tv <= 0.01\n    tv <= 0.01: not checked, the certificate says (unproved|refuted)\n")
        self.assertIn("\n  kl: accepted", said)

    def test_what_is_the_authors_own_may_be_any_yaml(self):
        for own in ("x-a: !foo bar", "x-a: !!set { a, b }", "x-b: &b { a: 1 }\nx-a: { <<: *b, c: 2 }", "x-a: [on, off, 010, 12:30:45]", "x-a: &q [1, 2]\nx-b: *q",
                    "x-a: { 1: 2, true: 3 }", "x-a: { : 2 }", "x-a: [ a: b, c ]", "x-a:\n- b:\n  - c: {}\n# a comment\n  d: it's\n- [[[]]]", "x-a: |\n  text: [\n\n    more",
                    "x-a: { b: it's, c: \"} , \", d: '}', e: [{ f: ']' }] } # }", "x-a:", "x-a: \"two\n  lines: [\""):
            text = WRITTEN["quantiles"]
            for name, where in {"end": text + own + "\n", "start": text.replace("kernels:", own + "\nkernels:", 1)}.items():
                with self.subTest(own=own, where=name):
                    path = self.write("own.tikc.yaml", where)
                    self.expect(0, "check", "--fail-on=warning", "--alone", path)
                    self.expect(0, "prove", path, "-o", self.folder / "cert.json")
                    status, said, why = self.verify((self.folder / "cert.json").read_bytes(), [path])
                    self.assertEqual(status, 0, why)
                    self.assertIn(self.tikc("fmt", "--check", path).returncode, (0, 1))
        # In braces, too; and what follows it is read.
        text = WRITTEN["quantiles"]
        self.assertIn("pair: { ", text)
        path = self.write("own.tikc.yaml", text.replace("pair: { ", "pair: { x-a: { b: [1, '}'] }, ", 1))
        self.expect(0, "prove", path, "-o", self.folder / "cert.json")
        self.assertEqual(self.verify((self.folder / "cert.json").read_bytes(), [path])[0], 0)

    def test_changed_certificates_are_rejected(self):
        draw = random.Random(SEED)
        for name, files, certificate in self.proved:
            for kind in KINDS:
                mutants = list(getattr(Mutants(certificate), kind)())
                mutants = [(what, make()) for what, make in draw.sample(mutants, min(SAMPLE, len(mutants)))]
                for what, mutant, status, said, why in self.each(lambda m: self.verify(json.dumps(m).encode(), files), mutants):
                    with self.subTest(name=name, kind=kind, what=what):
                        if status != 0 or not is_as_true(certificate, mutant):
                            self.expect_rejected(status, why, said)

    def test_bytes_that_are_flipped_or_cut_off(self):
        draw = random.Random(SEED)
        for name, files, certificate in self.proved[::4]:
            text = json.dumps(certificate).encode()
            mutants = [(f"cut at {cut}", text[:cut]) for cut in (0, 1, len(text) - 1, *draw.sample(range(len(text)), 6))]
            for _ in range(12):
                at, byte = draw.randrange(len(text)), draw.randrange(256)
                mutants.append((f"byte {at} as {byte}", text[:at] + bytes([byte]) + text[at + 1:]))
            for what, mutant, status, said, why in self.each(lambda m: self.verify(m, files), mutants):
                with self.subTest(name=name, what=what):
                    other = read(mutant)
                    if status != 0 or other is None or not is_as_true(certificate, other):
                        self.expect_rejected(status, why, said)

    def test_contracts_that_say_something_else(self):
        """The certificate is told what the file says now, and where its texts stand: it may be accepted where the prover proves all of it."""
        draw = random.Random(SEED)
        accepted = refused = 0
        for name, files, certificate in self.proved:
            content = certificate["files"][0]["text"]
            edits = sorted(set(self.edits(certificate, content)))
            for old, new in draw.sample(edits, min(SAMPLE, len(edits))):
                text = content.replace(old, new, 1)
                with self.subTest(name=name, old=old, new=new):
                    path = self.write("changed/" + files[0].name, text)
                    for other in files[1:]:
                        self.write("changed/" + str(Path(os.path.relpath(other, files[0].parent))), other.read_text())
                    given = [path, *(path.parent / os.path.relpath(other, files[0].parent) for other in files[1:])]
                    status, said, why = self.verify(json.dumps(self.after(certificate, content, old, new)).encode(), given)
                    if status == 0:
                        accepted += 1
                        now = run("prove", path, "--contract", certificate["contract"], cwd=self.folder)
                        self.assertTrue(now.out, now.err)
                        self.assertLessEqual(self.claims_of(certificate), self.claims_of(json.loads(now.out)), said)
                    else:
                        refused += 1
                        self.expect_rejected(status, why, said)
        self.assertGreater(accepted, 20)
        self.assertGreater(refused, 100)

    @staticmethod
    def claims_of(certificate):
        """What is proved; of bits, which are rounded, only which claim."""
        return {(each["id"], each["scope"], each["op"], each["budget"] if len(each["budget"]) < 40 else "") for each in certificate["claims"] if each["verdict"] == "proved"}

    @staticmethod
    def edits(certificate, content):
        """(old, new) of texts of the first file, each of which changes what some text means."""
        for name in re.findall(r"^  (\w+): \{ engine:", content, re.M):
            for own in ("sampling: { temperature: 0.1 }", "sampling: { temperature: 0 }", "sampling: { top_p: 0.5 }", "sampling: { top_k: 5 }",
                        "sampling: { min_p: 0.5 }", "logprobs: raw", "build: x"):
                yield f"  {name}: {{ engine:", f"  {name}: {{ {own}, engine:"
        for old, new in ((r"temperature: 1(\.0)?", "temperature: 0.1"), ("train: (\\w+), infer: (\\w+)", r"train: \2, infer: \1"), (r"chain: \[(\w+), (\w+), ", r"chain: [\2, \1, "),
                         ("support: full", "support: { missing_mass: 10% }"), ("support: full", "support: { top_p: 90% }"), (r"( *)support: full\n", r"\1reward_sigma: 1\n"),
                         (r"support: \{[^}]*\}", "support: full"), ("( *)correction: none", r"\1correction: is"), ("( *)correction: is", r"\1correction: none"),
                         ("( *)estimator: ", r"\1group: 4\n\1estimator: "), ("estimator: step", "estimator: token"), ("slices:\n", "slices:\n  new: { when: prompt_tokens > 5 }\n"),
                         ("slices:\n", "slices:\n  new: { when: position > 5 }\n"), ("slices:\n", "slices:\n  new: { when: temperature > 5 }\n"),
                         ("numerical:\n", "slices: { new: { when: top_p > 0.5 } }\nnumerical:\n"), (r"weight: 2\d%", "weight: 60%"), ("\\Z", "---\n" + content), ("horizon: \\d+", "horizon: 9999"),
                         (r"repeat: \d+", "repeat: 100"), (r"advantage: \d", "advantage: 9"), (r"(max\([\w() ]+\) <= [\d.]+(%|e-?\d+)?)", r"\1 on all"), (r"link: \[", "drawn: text, link: [")):
            if (found := re.search(old, content)) and (changed := re.sub(old, new, found[0])) != found[0]:
                yield (found[0], changed) if found[0] else (content, content + changed)
        for quote in certificate["inputs"] + certificate["claims"]:
            if quote.get("file") != 0:
                continue
            old = re.match(r"[^\n]*", content.encode()[quote["from"]:].decode())[0]
            if content.count(old) > 1 or not old:
                continue
            plain = re.fullmatch(r"(\w+): ([a-z][^{]*)", old)
            # A key of another name, a comment, other numbers and signs, a text within another, a clause of another kind, half of a claim.
            yield from ((old, each) for each in (
                "# " + old, "x: " + old, "x" + old, re.sub(r"([<>]=? *[\d.]+)", r"\g<1>7", old), re.sub(r"^(\w+: \d+)", r"\g<1>7", old), old.replace("<=", ">="),
                old.replace("<=", "<"), old.replace("<=", "=="), old.replace(": ", ": '", 1) + " x'", "? " + old, old.replace(": ", ": !x ", 1),
                old.replace(": ", ": &x ", 1), re.sub(r"(require: )?(\w+\()(.*?)( on |,? *\w+:|$)", r"\1max(tv) <= 1e-9 and \2\3\4", old, count=1),
                *((f"{plain[1]}: {{ require: '{plain[2]}', {more} }}" for more in ("drawn: text", "drawn: trainer", "slices: [a]", "link: [trainer, middle]")) if plain else ())) if each != old)

    @staticmethod
    def after(certificate, content, old, new):
        out = copy.deepcopy(certificate)
        out["files"][0]["text"] = content.replace(old, new, 1)
        at = len(content[:content.index(old)].encode())
        for each in out["inputs"] + out["claims"]:
            if each.get("file") != 0:
                continue
            if each["from"] >= at + len(old.encode()):
                each["from"] += len(new.encode()) - len(old.encode())
            elif each["from"] > at or not new.startswith(old.split(":")[0]):
                # Where the same text stands now, if anywhere.
                found = new.find(content.encode()[each["from"]:at + len(old.encode())].decode())
                each["from"] = at + max(found, 0)
        return out

    def forged(self, texts, name, before, after, change=lambda certificate: None):
        """What is said of a certificate whose first text had `before` where `after` stands now."""
        first = next(iter(texts))
        for file, text in texts.items():
            self.write(f"before/{file}", text)
            self.write(f"after/{file}", text.replace(before, after, 1) if file == first else text)
        done = run("prove", first, "--contract", name, cwd=self.folder / "before")
        self.assertTrue(done.out, done.err)
        certificate = json.loads(done.out)
        status, said, why = self.verify(json.dumps(certificate).encode(), [self.folder / "before" / file["name"] for file in certificate["files"]])
        self.assertEqual(status, 0, why)
        self.assertNotIn(": not proved", said)
        if before:
            files = certificate["files"]
            certificate = self.after(certificate, texts[first], before, after)
            self.assertNotEqual(files[0]["text"], certificate["files"][0]["text"])
        change(certificate)
        return self.verify(json.dumps(certificate).encode(), [self.folder / "after" / file["name"] for file in certificate["files"]])

    def test_what_a_child_replaces_is_no_longer_there(self):
        cases = {"a clause": ("numerical: {", "numerical: { usual: p99(logit_osc) <= 9,"), "a clause that is removed": ("numerical: {", "numerical: { usual: null,"),
                 "a temperature": ("model: { ", "model: { temperature: 0.1, "), "a group": ("group: null", "group: 4"), "support": ("assumptions: {", "assumptions: { support: null,"),
                 "a correction": ("assumptions: {", "assumptions: { correction: is,"), "a slice's weight": ("slices: {", "slices: { a: { token_weight: 70% },"),
                 "another slice": ("slices: {", 'slices: { c: { when: task == "c" },'), "a kernel's sampling": ("model: {", "kernels: { rollout: { sampling: { top_p: 0.5 } } }\nmodel: {"),
                 "a kernel's temperature": ("model: {", "kernels: { trainer: { sampling: { temperature: 0.5 } } }\nmodel: {"), "a chain": ("model: {", "pair: { infer: middle }\nmodel: {"),
                 "another parent": ("base.tikc.yaml#base.all", "base.tikc.yaml#base.other"), "no parent": ("extends: below/base.tikc.yaml#base.all\n", ""),
                 "a parent elsewhere": ("extends: below/", "extends: above/"), "a claim": ("claims: {", "claims: { worst: max(tv) <= 1e-9,")}
        texts = {"family.tikc.yaml": CHILD.replace("tv: max(tv) <= 0.06", "tv: max(tv) <= 0.06, usual_tv: p99(tv) <= 0.02"), "below/base.tikc.yaml": FILES["below/base.tikc.yaml"]}
        for what, (before, after) in cases.items():
            with self.subTest(what=what):
                status, said, why = self.forged(texts, "child", before, after)
                self.expect_rejected(status, why, said)

    def test_a_certificate_is_of_one_contract_of_the_file(self):
        texts = {"two.tikc.yaml": FILES["two.tikc.yaml"]}
        for other in ("base.all", "base.other", "nothing"):
            status, said, why = self.forged(texts, "child", "", "", lambda certificate, other=other: certificate.update(contract=other))
            self.expect_rejected(status, why, said)
        # base.other has the tighter bound: what stands there is not what base.all rests on.
        far = FILES["two.tikc.yaml"].index("base.other")

        def moved(certificate):
            for each in certificate["inputs"]:
                if "from" in each:
                    key = texts["two.tikc.yaml"][each["from"]:].split(" ")[0]
                    each["from"] = texts["two.tikc.yaml"].index(key, far)
        status, said, why = self.forged(texts, "base.all", "", "", moved)
        self.expect_rejected(status, why, said)

    def test_samples_of_an_inner_link_say_nothing_of_who_serves(self):
        """Each was taken for a fact of the ends, or of what is served, once."""
        chain = contract(["near: { require: mean(tv_sampled) <= 1%, link: [trainer, middle], drawn: middle }", "far: { require: mean(tv_sampled) <= 1%, link: [middle, rollout] }"],
                         ["near_tv: { require: seq_tv <= 0.64, link: [trainer, middle] }"], pair=CHAIN)
        for before, after in (("drawn: middle", "drawn: rollout"), ("drawn: middle", "drawn: text"), (", drawn: middle", "")):
            status, said, why = self.forged({"chain.tikc.yaml": chain}, "test", before, after)
            self.expect_rejected(status, why, said)
        rows = contract(["tv: mean(tv) <= 1%"], ["mean_tv: tv <= 1%"])
        for before, after in (("support: full", "support: { top_p: 99% }"), ("engine: vllm", "engine: vllm, sampling: { top_k: 4 }"), ("engine: fsdp2", "engine: fsdp2, sampling: { min_p: 1% }"),
                              ("engine: vllm", "engine: vllm, sampling: { temperature: 0 }"), ("horizon: 64 tokens", "horizon: 64 tokens\nslices: { hot: { when: temperature > 1 } }\nx-model: { x: 1")):
            status, said, why = self.forged({"rows.tikc.yaml": rows.replace(", temperature: 1.0 }", " }")}, "test", before, after)
            self.expect_rejected(status, why, said)


if __name__ == "__main__":
    main()
