"""What the guide says of Python runs: each of its blocks, in their order, among what it takes for granted, and each name that it mentions is there."""

import contextlib
import gzip
import io
import json
import logging
import os
import re
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, Case, contract, main, skip_unless  # noqa: E402
from tikc_python import tikc  # noqa: E402

import importlib.util  # noqa: E402

import numpy  # noqa: E402

skip_unless(importlib.util.find_spec("torch"), "the guide's losses are Torch's: python3-torch is not installed")
skip_unless(importlib.util.find_spec("dask"), "the guide has a cluster: python3-dask is not installed")
import dask  # noqa: E402
import dask.bag  # noqa: E402, F401
import torch  # noqa: E402
import torch.distributed  # noqa: E402

sys.modules.setdefault("ray", types.ModuleType("ray"))  # which Debian does not have
import tikc.dask  # noqa: E402
import tikc.export  # noqa: E402
import tikc.hooks.loop  # noqa: E402
import tikc.hooks.prime_rl  # noqa: E402
import tikc.hooks.sglang  # noqa: E402
import tikc.hooks.slime  # noqa: E402
import tikc.hooks.trl  # noqa: E402
import tikc.hooks.verl  # noqa: E402
import tikc.hooks.vllm  # noqa: E402
import tikc.ray  # noqa: E402
import tikc.spark  # noqa: E402
import tikc.torch  # noqa: E402

CONTRACT = contract("rollout", 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n', """statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
numerical:
  worst: max(abs(logprob_gap)) <= 1
observability:
  tokens: sample(logprobs, 100%)
""")


def section():
    return "".join((ROOT / f"docs/how-to/{page}.md").read_text() for page in ("python", "hooks", "many-workers"))


def numbers():
    draw = numpy.random.default_rng(1)
    infer = -draw.exponential(0.7, (4, 30)).astype(numpy.float32)
    train = infer + draw.normal(0, 0.02, infer.shape).astype(numpy.float32)
    return {"old_log_probs": torch.from_numpy(train), "rollout_log_probs": torch.from_numpy(infer), "response_mask": torch.ones(4, 30, dtype=torch.long)}


class Guide(Case):
    def test_each_block_runs(self):
        blocks = re.findall(r"^```python\n(.*?)^```$", section(), re.M | re.S)
        self.assertGreater(len(blocks), 5)
        self.write("rollout.tikc.yaml", CONTRACT)
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        loaded = tikc.load("rollout.tikc.yaml")
        other = loaded.monitor(source="run 7, rank 1")
        other.tokens(numbers()["old_log_probs"], numbers()["rollout_log_probs"], labels={"task": ["math", "code"] * 2})
        other.tick().evidence.save("evidence/rank1.tikc-evidence")
        logged = []
        batch = types.SimpleNamespace(**numbers(), tasks=["math", "code"] * 2)
        mine = {"training": range(2), "tasks": ["math", "code"] * 2, "batches": [batch] * 2, "logger": types.SimpleNamespace(log=logged.append),
                "per_token_loss": torch.ones(4, 30), **numbers()}
        self.ranks()
        mine.update(step=1, json=json, dask=self.cluster())
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            for block in blocks:
                with self.subTest(block=block.splitlines()[0]):
                    if "all_merge" in block:
                        mine["monitor"] = loaded.monitor()
                    if "keep = " in block:
                        mine["monitor"] = loaded.monitor(on_violation="mask")
                    if "window.evidence" in block:
                        # Where it has three dots, a step has been.
                        block = block.replace("...\n", "monitor.tokens(old_log_probs, rollout_log_probs, labels={'task': tasks})\nwindow = monitor.tick()\n", 1)
                    exec(compile(block, "guide", "exec"), mine)
        mine["watch"].save()  # while the folder is there
        self.assertEqual(len(list(Path("evidence").glob("loop-*"))), 1)
        self.assertIn("rollout 1.0.0: satisfied", said.getvalue())
        self.assertTrue(Path("evidence/step-120.tikc-evidence").exists())
        self.assertEqual(float(mine["loss"]), 1)
        self.assertEqual([sorted(each)[:1] for each in logged], [["tikc/faults"]] * 2)
        self.assertIn("test_rollout", mine)

    def test_the_first_block_runs_with_the_contract_that_init_writes(self):
        block = re.search(r"^```python\n(.*?)^```$", section(), re.M | re.S)[1]
        self.expect(0, "init", "rollout.tikc.yaml")
        before = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        mine = {"training": range(2), "tasks": ["math", "code"] * 2, **numbers()}
        with self.assertLogs("tikc", "WARNING") as said:
            exec(compile(block, "guide", "exec"), mine)
        self.assertEqual([line for line in said.output if "label" in line], [line for line in said.output if "ignored the label `task`" in line])
        self.assertEqual((mine["monitor"].faults, mine["monitor"].unasked), ({}, {"task": 2}))
        self.assertEqual(mine["window"].observed["other"].tokens, 120)

    def test_a_share_of_what_is_served_is_undecided_until_that_is_told(self):
        monitor = tikc.loads(CONTRACT).monitor()
        for serves, wanted in ((False, "undecided"), (True, "satisfied")):
            for task in ("math", "code"):
                monitor.tokens(numbers()["old_log_probs"], numbers()["rollout_log_probs"], labels={"task": task})
                if serves:
                    monitor.serve(tokens=120, requests=4, labels={"task": task})
            self.assertEqual(monitor.tick().verdict, wanted)

    def ranks(self):
        """A process group of one."""
        torch.distributed.init_process_group("gloo", store=torch.distributed.FileStore(str(self.folder / "store"), 1), rank=0, world_size=1)
        self.addCleanup(torch.distributed.destroy_process_group)

    def cluster(self):
        """Dask in this process, and what it has."""
        rows = [{"train": train.tolist(), "infer": infer.tolist(), "task": "math"} for train, infer in zip(*list(numbers().values())[:2])]
        (self.folder / "rollouts").mkdir()
        with gzip.open(self.folder / "rollouts/day.jsonl.gz", "wt") as out:
            out.write("".join(json.dumps(each) + "\n" for each in rows))
        dask.config.set(scheduler="synchronous")
        return dask

    def test_each_name_is_there(self):
        loaded = tikc.loads(CONTRACT)
        monitor = loaded.monitor()
        window = monitor.tick(0.0)
        known = {"tikc": tikc, "monitor": monitor, "window": window, "contract": loaded, "worker": monitor, "leader": monitor,
                 "response": monitor.response(), "watch": tikc.hooks.loop.watch(loaded)}
        named = {(first, rest) for first, rest in re.findall(r"`(?:with )?(\w+)\.([\w.]+)", section()) if first in known}
        self.assertGreater(len(named), 30)
        for first, rest in sorted(named):
            at = known[first]
            for name in rest.rstrip(".").split("."):
                # That of a monitor which keeps none is no attribute, and a file is called as a module is.
                if (at is monitor and name == "evidence") or name == "yaml":
                    break
                with self.subTest(name=f"{first}.{rest}"):
                    self.assertTrue(hasattr(at, name))
                at = getattr(at, name, None)


if __name__ == "__main__":
    logging.getLogger("tikc").propagate = False
    main()
