"""Tutorials: each command prints what its page shows. Pages on trainers and engines: contracts check clean and suit the data of their
hosts, Python runs, and each option, preset and hook exists. All pages show the catalogue's messages.

`tutorials.py write` rewrites the output in tutorials, except in blocks that leave lines out.
"""

import contextlib
import importlib.util
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import LIBRARY, PATIENCE, ROOT, TIKC, Case, main, run  # noqa: E402

TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))
PAGES = ("verl", "trl", "nemo-rl", "slime", "prime-rl", "vllm", "sglang", "llama-cpp", "chains")
BLOCK = re.compile(r"(?ms)^```(console|yaml)\n(.*?)^```$")
CUT = "…"  # a line that stands for any number of lines


def commands(block):
    """The commands of a console block, each with the output that the page shows."""
    return re.findall(r"(?m)^\$ (.*)\n((?:(?!\$ ).*\n)*)", block)


class Session:
    """A reader's empty folder next to the source tree, which is `../tikc`."""

    def __init__(self, scratch):
        scratch.mkdir()
        (scratch / "tikc").symlink_to(ROOT)
        (scratch / "bin").mkdir()
        (scratch / "bin/tikc").symlink_to(Path(TIKC).resolve())
        self.folder = scratch / "work"
        self.folder.mkdir()
        self.environment = {"PATH": f"{scratch / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "HOME": str(scratch)}

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=PATIENCE)
        return done.stdout.decode("utf-8")

    def take(self, block):
        """Writes a block that names its file in its first line; returns whether it does."""
        name = re.match(r"# file: (\S+)\n", block)
        if name:
            (self.folder / name[1]).write_text(block, encoding="utf-8")
        return bool(name)


class Tutorials(Case):
    def follow(self, page):
        session = Session(self.folder / page.stem)
        for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")):
            if kind == "yaml":
                if not session.take(block):
                    known = [path.read_text(encoding="utf-8") for path in session.folder.glob("*.yaml")]
                    self.assertTrue(any(block in text for text in known), f"no file has the lines that the page shows:\n{block}")
                continue
            for command, wanted in commands(block):
                with self.subTest(page=page.name, command=command):
                    pattern = "".join("(?:.*\n)*?" if line == CUT else re.escape(line) + "\n" for line in wanted.splitlines())
                    shown = session.run(command)
                    self.assertTrue(re.fullmatch(pattern, shown), f"the page shows\n{wanted}\nand tikc prints\n{shown}")

    def test_commands_print_what_is_shown(self):
        self.assertGreater(len(TUTORIALS), 1)
        for page in TUTORIALS:
            self.follow(page)


def forms():
    """What each code's message looks like, by code: places for words in between."""
    rows = re.findall(r'DIAG\((\d{4}), \w+, \w+, \w+,\s*\([^)]*\),\s*\(((?:"(?:[^"\\]|\\.)*"\s*)+)', (ROOT / "compiler/diag/Diagnostics.def").read_text(encoding="utf-8"))
    texts = {f"TK{number}": "".join(map(json.loads, re.findall(r'"(?:[^"\\]|\\.)*"', words))) for number, words in rows}
    return {code: "".join(".*" if piece.startswith("{") else re.escape(piece) for piece in re.split(r"(\{[^}]*\})", text)) for code, text in texts.items()}


class Messages(Case):
    def test_pages_show_messages_as_they_are(self):
        known, seen = forms(), 0
        self.assertEqual(len(known), len(list((ROOT / "tests/diag").glob("TK*"))))
        for file in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            for code, text in re.findall(r"(?m)^(?:error|warning|note)\[(TK\d{4})\]: (.*)$", file.read_text(encoding="utf-8")):
                seen += 1
                with self.subTest(page=file.name, code=code):
                    self.assertRegex(text, f"^{known[code]}$")
        self.assertGreater(seen, 10)


def page(name):
    return (ROOT / f"docs/how-to/{name}.md").read_text(encoding="utf-8")


def contracts(text):
    return [block for kind, block in BLOCK.findall(text) if kind == "yaml" and "tikc: v1\n" in block]


class HowTo(Case):
    def test_contracts_check_clean(self):
        for name in PAGES:
            blocks = contracts(page(name))
            self.assertTrue(blocks, name)
            for block in blocks:
                with self.subTest(page=name):
                    done = run("check", "--fail-on=warning", self.write("contract.tikc.yaml", block))
                    codes = set(re.findall(r"(?m)^\w+\[(TK\d+)\]", done.out))
                    self.assertEqual(done.returncode, 1 if codes else 0, done.out + done.err)
                    self.assertLessEqual(codes, set() if "\nescalation:" in block else {"TK7005"}, done.out)

    def test_what_commands_name_exists(self):
        for name in PAGES:
            text = page(name)
            for block in re.findall(r"(?ms)^```(?:console|sh)\n(.*?)^```$", text):
                for command, words in re.findall(r"(?m)\btikc ([a-z]+)((?: .*?)?)(?=$|\|)", re.sub(r"(?m)(\s#.*$|\\\n)", "", block)):
                    with self.subTest(page=name, command=command + words):
                        usage = run(command, "--help").out
                        self.assertEqual([word for word in re.findall(r"(?<= )--[a-z-]+", words) if f"{word} " not in usage], [])
                        presets = re.split(r",\s+", re.search(r"--preset NAME .*?\bone\s+of\s+(.*?),\s+if\b", usage, re.S)[1]) if "--preset" in words else []
                        self.assertLessEqual(set(re.findall(r"--preset[= ]([\w-]+)", words)), set(presets))
            for module, hook in re.findall(r"\btikc\.hooks\.(\w+)\.(\w+)", text):
                with self.subTest(page=name, hook=f"{module}.{hook}"):
                    self.assertRegex((ROOT / f"python/tikc/hooks/{module}.py").read_text(encoding="utf-8"), rf"(?m)^(def|class) {hook}\b")


@unittest.skipUnless(importlib.util.find_spec("numpy"), "NumPy is missing")
class Data(Case):
    """The pages' contracts and Python with data as their hosts write them."""

    @classmethod
    def setUpClass(cls):
        import recorded_data
        cls.writers, cls.data = recorded_data, recorded_data.pairs(responses=200)

    def arrays(self, *names):
        import numpy
        width = max(len(ids) for ids, *_ in self.data)
        numpy.savez(self.folder / "step_120.npz", **{
            names[0]: self.writers.padded([train for _, train, _ in self.data], width), names[1]: self.writers.padded([infer for *_, infer in self.data], width),
            names[2]: self.writers.padded([[1] * len(ids) for ids, *_ in self.data], width)})
        return "step_120.npz"

    def texts(self):
        """The trainer's own file, as the pages on servers say."""
        self.write("trainer.jsonl", "".join(json.dumps({"id": f"r{i}", "ids": ids.tolist(), "train": train.tolist()}) + "\n" for i, (ids, train, _) in enumerate(self.data)))
        return "trainer.jsonl"

    def measured(self, name, *words):
        [contract] = contracts(page(name))
        done = self.tikc("measure", self.write("c.tikc.yaml", contract.replace("vocabulary: 128256", "vocabulary: 50")), *words, "--format=json")
        self.assertIn(done.returncode, (0, 4), f"{name}: {done.out}{done.err}")
        return {row["clause"] for row in json.loads(done.out)["clauses"] if row["verdict"] == "satisfied"}

    def test_recorded_data(self):
        write = self.writers
        self.assertEqual(self.measured("verl", self.arrays("old_log_probs", "rollout_log_probs", "response_mask")), {"k3", "probs", "weights"})
        self.assertEqual(self.measured("trl", self.arrays("old_per_token_logps", "sampling_per_token_logps", "completion_mask")), {"gap", "worst", "masked"})
        self.assertEqual(self.measured("nemo-rl", self.write("train_data_step1.jsonl", write.nemo_rl(self.data))), {"k3", "error", "coherent"})
        self.assertEqual(self.measured("slime", self.write("dump.json", write.slime(self.data))), {"gap", "by_response", "masked", "coherent"})
        self.assertEqual(self.measured("prime-rl", self.write("step_7/rank_0.jsonl", write.prime_rl(self.data))), {"k3", "coherent"})
        self.write("responses.jsonl", write.vllm(self.data))
        joined = ("--clause=gap", "--clause=coherent", "--preset=plain", self.texts(), "responses.jsonl")
        self.assertEqual(self.measured("vllm", *joined[:3], "--preset=vllm", "--join=key", *joined[3:]), {"gap", "coherent"})
        self.write("responses.jsonl", write.sglang(self.data))
        self.assertEqual(self.measured("sglang", *joined[:3], "--preset=sglang", "--join=ids", *joined[3:]), {"gap", "coherent"})
        self.expect(0, "inspect", "--join=ids", "--preset=slime", "--preset=sglang", "dump.json", "responses.jsonl")

    def test_logged_metrics(self):
        def log(name, text):
            return self.write(name, text if isinstance(text, str) else json.dumps(text))
        verl = {"rollout_corr/k3_kl": 0.0004, "rollout_corr/rollout_is_eff_sample_size": 0.98, "training/rollout_probs_diff_mean": 0.004}
        self.assertEqual(self.measured("verl", "--as-set=verl", "--scalars", log("metrics.jsonl", {"step": 1, "data": verl})), {"k3", "probs", "weights"})
        trl = {"log_history": [{"step": 1, "sampling/sampling_logp_difference/mean": 0.01, "sampling/sampling_logp_difference/max": 0.6}]}
        self.assertEqual(self.measured("trl", "--as-set=trl", "--scalars", log("trainer_state.json", trl)), {"gap", "worst"})
        nemo = {"train/gen_kl_error": {"1": 0.0003}, "train/token_mult_prob_error": {"1": 1.01}}
        self.assertEqual(self.measured("nemo-rl", "--as-set=nemo_rl", "--scalars", log("metrics.json", nemo)), {"k3", "error"})

    def test_llama_perplexity(self):
        import numpy
        random = numpy.random.default_rng(1)
        logits, tokens = random.normal(0, 3, (8, 64, 50)), random.integers(0, 50, 8 * 130)
        for name, noise in (("f16.kld", 0.0), ("q5_k_m.kld", 0.02)):
            self.write(name, self.writers.llama(logits + random.normal(0, 1, logits.shape) * noise, 130, tokens))
        pair = "--pair=reference_to_quantised_drawn_by_text"
        self.assertEqual(self.measured("llama-cpp", pair, "f16.kld", "q5_k_m.kld"), {"kld", "kld_tail", "same_top", "finite"})
        printed = "====== KL divergence statistics ======\nMean    KLD:   0.011093 ±   0.000013\n99.0%   KLD:   0.091416\n" \
                  "\n====== Token probability statistics ======\nRMS Δp    :  3.198 ± 0.010 %\n"
        self.assertEqual(self.measured("llama-cpp", pair, "--as-set=llama_cpp", "--scalars", self.write("kld.txt", printed)), {"kld", "kld_tail", "delta_p"})

    @unittest.skipUnless(Path(LIBRARY).exists(), "libtikc is missing")
    def test_python_runs(self):
        from tikc_python import tikc
        train, infer = [each for _, each, _ in self.data], [each for *_, each in self.data]
        first = [self.writers.padded([[0.0, *each] for each in side], 302) for side in (train, infer, [[1] * len(each) for each in train])]
        known = {"prev_logprobs": first[0], "generation_logprobs": first[1], "token_mask": first[2], "step": 3, "trainer_logprobs": train, "inference_logprobs": infer,
                 "loss_mask": [[1] * len(each) for each in train], "env_names": ["math", "code"] * 100, "train_lp": train, "recompute_lp": train, "server_lp": infer}
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        for name in ("nemo-rl", "prime-rl", "chains"):
            [contract] = contracts(page(name))
            monitor = known["monitor"] = tikc.load(self.write("rollout.tikc.yaml", contract)).monitor()
            for block in re.findall(r"(?ms)^```python\n(.*?)^```$", page(name)):
                with contextlib.redirect_stderr(io.StringIO()):
                    exec(compile(block, name, "exec"), known)
                if "watch" in block:
                    self.assertEqual((known["metrics"]["tikc/violated"], known["metrics"]["tikc/faults"]), (0, 0))
                    known["watch"].save()
            self.assertEqual(monitor.faults, {})
        window = monitor.tick()
        self.assertEqual([window.of(clause).verdict for clause in ("near", "far", "ends")], ["satisfied"] * 3)


def rewrite(page):
    """The page with what its commands print now."""
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="tikc-tutorials-") as scratch:
        session = Session(Path(scratch) / page.stem)

        def block(found):
            kind, old = found.groups()
            if kind == "yaml":
                session.take(old)
                return found[0]
            new = "".join(f"$ {command}\n{session.run(command)}" for command, _ in commands(old))
            if re.search(rf"(?m)^{CUT}$", old):
                return found[0]
            return f"```console\n{new}```"

        page.write_text(BLOCK.sub(block, text), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["write"]:
        for page in TUTORIALS:
            rewrite(page)
    else:
        main()
