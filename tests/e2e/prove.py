"""`tikc prove` and `tikc-verify`: what is proved is accepted, and nothing else is. Certificates are changed in every place
that a proof rests on, contracts in every text; bytes are flipped and cut off at random, with a fixed seed."""

import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from certificates import KINDS, Mutants, is_as_true, read  # noqa: E402
from harness import ROOT, TIKC, Case, main, run  # noqa: E402

VERIFY = os.environ.get("TIKC_VERIFY") or str(Path(TIKC).with_name("tikc-verify"))
SEED = 20260101
# How many changes of each kind are tried on each certificate.
SAMPLE = int(os.environ.get("TIKC_MUTANTS", "5"))

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
  rest: {{ when: violated(any), do: hold }}
  silent: {{ when: undecided(any) for 6 windows, do: hold }}
"""


def contract(clauses, claims, assumptions=("support: full",), slices=(), pair="pair: { train: trainer, infer: rollout }",
             model="vocabulary: 1000, horizon: 64 tokens, temperature: 1.0"):
    def lines(of):
        return "\n".join("  " + line for line in of)

    return CONTRACT.format(pair=pair, model=model, clauses=lines(clauses), claims=lines(claims), assumptions=lines(assumptions),
                           slices="slices:\n" + lines(slices) + "\n" if slices else "")


GRADIENT = ("advantage: 2", "score_norm: 4")
WRITTEN = {
    "temperatures": contract(
        ["worst: max(logit_osc) <= 0.1"], ["tv: max(tv) <= 0.3"], model="logit_bound: 3, temperature: 1.0").replace(
            "engine: fsdp2", "engine: fsdp2, sampling: { temperature: 0.8 }").replace("engine: vllm", "engine: vllm, sampling: { temperature: 0.9 }"),
    "chain": contract(
        ["near: { require: p95(logit_osc) <= 0.2, link: [trainer, middle] }", "worst_near: { require: max(logit_osc) <= 0.4, link: [trainer, middle] }",
         "far: { require: max(logit_osc) <= 0.6, link: [middle, rollout] }"],
        ["tv: max(tv) <= 0.245", "usual: quantile(tv, 95%) <= 0.2", "mean_tv: tv <= 0.2", "near_tv: { require: tv <= 0.06, link: [trainer, middle] }"],
        pair="chain: [trainer, middle, rollout]"),
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
    "block_layers": contract(
        ["finite: count(nonfinite) == 0"], ["tv: max(tv) <= 0.05"],
        assumptions=["support: full", "head_norm: 2", "layers:", "  - error: 0.01", "    gain: 1.5", "  - { error: 0.02, gain: 2, repeat: 2 }"]),
    "quantiles": contract(
        ["median: p50(logit_osc) <= 0.1", "usual: p99(logit_osc) <= 0.25", "rare: p999(logit_osc) <= 0.5 nat", "worst: max(logit_osc) <= 1"],
        ["tv: tv <= 0.045", "tail: p99(tv) <= 0.063", "kl: mean(kl_infer_train) <= 0.01 bit", "ess: ess >= 99%", "ratio: max(ratio) <= 2.72"]),
    "concave": contract(
        ["kl: mean(kl_train_infer) <= 0.01", "usual: p99(kl_train_infer) <= 0.005"], ["tv: tv <= 0.0705", "hellinger: hellinger <= 0.005"]),
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


def key_of(certificate, quote):
    text = certificate["files"][quote["file"]]["text"].encode()
    return re.match(rb"[\w.-]+", text[quote["from"]:])[0]


class Prove(Case):
    @classmethod
    def setUpClass(cls):
        cls.pool = ThreadPoolExecutor(2)
        cls.addClassCleanup(cls.pool.shutdown)
        scratch = tempfile.TemporaryDirectory(prefix="tikc-test-")
        cls.addClassCleanup(scratch.cleanup)
        cls.contracts = Path(scratch.name)
        for name, text in WRITTEN.items():
            (cls.contracts / f"{name}.tikc.yaml").write_text(text)
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
        done = subprocess.run([VERIFY, path, *files], capture_output=True, timeout=30, cwd=ROOT)
        path.unlink()
        return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")

    def each(self, work, mutants):
        for (what, mutant), (status, said, why) in zip(mutants, self.pool.map(work, (mutant for _, mutant in mutants))):
            yield what, mutant, status, said, why

    def expect_rejected(self, status, why, what):
        self.assertEqual(status, 1, what)
        self.assertRegex(why, r"\ARejected: [^\n]+\n\Z", what)

    def test_what_is_proved_is_accepted(self):
        self.assertGreater(len(self.proved), 30)
        for name, files, certificate in self.proved:
            with self.subTest(name=name):
                status, said, why = self.verify(json.dumps(certificate).encode(), files)
                self.assertEqual(status, 0, why)
                for claim in certificate["claims"]:
                    self.assertIn(f"  {claim['id']} on {claim['scope']}: accepted, ", said)
                for each in certificate["inputs"]:
                    if "from" in each:
                        self.assertIn("\n  " + key_of(certificate, each).decode() + ": ", said)

    def test_a_claim_that_is_not_proved_is_left_open(self):
        path = self.write("open.tikc.yaml", WRITTEN["quantiles"].replace("tv <= 0.045", "tv <= 0.01"))
        done = self.expect(1, "prove", path, "-o", self.folder / "cert.json")
        self.assertIn("1 of 5 claims are not proved", done.err)
        status, said, why = self.verify((self.folder / "cert.json").read_bytes(), [path])
        self.assertEqual(status, 0, why)
        self.assertRegex(said, r"tv on \*: not checked, the certificate says (unproved|refuted)\n")
        self.assertIn("kl on *: accepted", said)

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
        """The certificate is told what the file says now, and where its texts stand."""
        draw = random.Random(SEED)
        for name, files, certificate in self.proved[::3]:
            content = files[0].read_bytes()
            quotes = [each for each in certificate["inputs"] + certificate["claims"] if "from" in each and each["file"] == 0]
            mutants = []
            for quote in draw.sample(quotes, min(4, len(quotes))):
                at = quote["from"]
                old = re.match(rb"[^\n]*", content[at:])[0]
                # A key of another name, a comment, other numbers, other signs, a text within another and in no place of its own.
                new = {b"# " + old, b"x: " + old, b"x" + old, re.sub(rb"([<>]=? *[\d.]+)", rb"\g<1>7", old), re.sub(rb"^(\w+: \d+)", rb"\g<1>7", old),
                       old.replace(b"<=", b">="), old.replace(b": full", b": { missing_mass: 0.1 }"), old.replace(b"none", b"is"),
                       old.replace(b": ", b": '", 1) + b" x'", b"? " + old, old.replace(b": ", b": !x ", 1), old.replace(b": ", b": &x ", 1)}
                mutants += [(at, old, each) for each in sorted(new - {old})]
            for at, old, new in mutants:
                text = content[:at] + new + content[at + len(old):]
                path = self.write("changed.tikc.yaml", text)
                for shift in {0, new.find(old) if old in new else 0}:
                    # Who quotes a key of another name says the same, and so does a claim in bits, which are rounded to nats, of a larger
                    # budget.
                    harmless = new == b"x" + old and shift == 0 or b" bit" in old
                    with self.subTest(name=name, old=old, new=new, shift=shift):
                        status, why, said = self.after(certificate, text, at, len(new) - len(old), shift, [path, *files[1:]])
                        if not (harmless and status == 0):
                            self.expect_rejected(status, why, said)

    def after(self, certificate, text, at, longer, shift, files):
        out = copy.deepcopy(certificate)
        out["files"][0]["text"] = text.decode()
        for each in out["inputs"] + out["claims"] + out["slices"] + [other for given in out["inputs"] for other in given.get("with", [])]:
            if each.get("file") == 0:
                each["from"] += longer if each["from"] > at else shift if each["from"] == at else 0
        status, said, why = self.verify(json.dumps(out).encode(), files)
        return status, why, said


if __name__ == "__main__":
    main()
