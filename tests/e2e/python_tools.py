"""What comes with the Python package: a plugin for pytest, a collector for prometheus_client, dumps of Torch as other files, and the program."""

import contextlib
import importlib.util
import io
import json
import os
import pickle
import re
import subprocess
import sys
import types
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import LIBRARY, TIKC, Case, contract, main  # noqa: E402
from recorded_data import pairs  # noqa: E402
from python_assumptions import TEXT as GIVEN  # noqa: E402
from tikc_python import PACKAGE, tikc  # noqa: E402

import numpy  # noqa: E402

import tikc.export  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

GAP = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\nobservability:\n  tokens: sample(logprobs, 100%)\n"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(PACKAGE), "TIKC_LIBRARY": str(LIBRARY), "PYTHONDONTWRITEBYTECODE": "1"}


@unittest.skipUnless(importlib.util.find_spec("pytest"), "python3-pytest is not installed")
class Pytest(Case):
    TESTS = """
import pytest

def test_kept(tikc_contract):
    tikc_contract("c.tikc.yaml").tokens([-1.0, -2.0], [-1.01, -2.01])

def test_broken(tikc_contract):
    tikc_contract("c.tikc.yaml").tokens([-1.0], [-1.5])

def test_broken_between_ticks(tikc_contract):
    monitor = tikc_contract("c.tikc.yaml")
    monitor.tokens([-1.0], [-1.5])
    monitor.tick()

def test_nothing(tikc_contract):
    tikc_contract("c.tikc.yaml")

def test_nothing_is_asked(tikc_contract):
    tikc_contract("c.tikc.yaml", undecided="pass")

def test_wrong(tikc_contract):
    tikc_contract("c.tikc.yaml").tokens([1.0], ["x"])

def test_fails_by_itself(tikc_contract):
    tikc_contract("c.tikc.yaml").tokens([-1.0], [-1.5])
    assert False, "its own"

def test_one_window_is_broken(tikc_contract):
    monitor = tikc_contract("c.tikc.yaml")
    monitor.tokens([-1.0], [-1.5])
    assert monitor.tick().violated
    monitor.tokens([-1.0] * 900, [-1.0] * 900)
    monitor.tick()

def test_the_last_window_is_broken(tikc_contract):
    monitor = tikc_contract("c.tikc.yaml")
    monitor.tokens([-1.0] * 900, [-1.0] * 900)
    monitor.tick(1.0)
    monitor.tokens([-1.0], [-1.5])
    monitor.end_step()

def test_ones_own_times(tikc_contract):
    monitor = tikc_contract("c.tikc.yaml")
    monitor.tokens([-1.0], [-1.0])
    monitor.tick(1.0)
    monitor.tokens([-1.0], [-1.0])

def test_suspended(tikc_contract):
    monitor = tikc_contract("given.tikc.yaml")
    monitor.tokens([-1.0] * 9, [-1.0] * 9)
    monitor.rewards([5.0])

def test_some_failed(tikc_contract):
    monitor = tikc_contract("c.tikc.yaml", on_fault="log")
    monitor.tokens([-1.0], [-1.0])
    monitor.tokens([-1.0], ["x"])

def test_no_contract():
    pass

@pytest.mark.xfail
def test_known(tikc_contract):
    assert False
"""

    def test_what_is_violated_fails_with_the_table(self):
        self.write("deep/c.tikc.yaml", contract("c", GAP))
        self.write("deep/given.tikc.yaml", GIVEN)
        self.write("deep/test_it.py", self.TESTS)
        done = subprocess.run([sys.executable, "-m", "pytest", "-p", "tikc.pytest_plugin", "-p", "no:cacheprovider", "-rA", "--tb=short", "--color=no", "deep"],
                              cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True)
        outcomes = {line.split("::")[1].split()[0]: line.split()[0] for line in done.stdout.splitlines() if re.match("(PASSED|FAILED|XFAIL|ERROR) .*::", line)}
        self.assertEqual(outcomes, {"test_kept": "PASSED", "test_broken": "FAILED", "test_broken_between_ticks": "FAILED", "test_nothing": "FAILED",
                                    "test_nothing_is_asked": "PASSED", "test_wrong": "FAILED", "test_fails_by_itself": "FAILED", "test_no_contract": "PASSED",
                                    "test_one_window_is_broken": "FAILED", "test_the_last_window_is_broken": "FAILED", "test_ones_own_times": "PASSED",
                                    "test_suspended": "FAILED", "test_some_failed": "FAILED",
                                    "test_known": "XFAIL"}, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"c 1\.0\.0: violated\nverdict +clause +slice +value +says +n\nviolated +gap +other +0\.5 nat +mean")
        self.assertIn("c 1.0.0: undecided", done.stdout)
        self.assertEqual(re.findall(r"^c 1\.0\.0, window (\d): violated$", done.stdout, re.M), ["1", "2"])
        self.assertIn("given 1.0.0: suspended; reward is suspended: reward: [0, 1] is broken\n", done.stdout)
        self.assertIn("c 1.0.0: undecided; 1 observation failed and was not judged\n", done.stdout)
        self.assertIn("AssertionError: its own", done.stdout)
        self.assertEqual(done.returncode, 1)


class Prometheus(Case):
    @unittest.skipUnless(importlib.util.find_spec("prometheus_client"), "python3-prometheus-client is not installed")
    def test_a_registry_collects_what_checkers_export(self):
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.parser import text_string_to_metric_families

        import tikc.prometheus
        monitor = tikc.loads(contract("c", GAP)).monitor(on_fault="raise")
        monitor.tokens([-1.0], [-1.0])
        monitor.tick(0.0)
        registry = CollectorRegistry()
        registry.register(tikc.prometheus.Collector(monitor))

        def samples(text):
            return {(each.name, tuple(sorted(each.labels.items()))): each.value for family in text_string_to_metric_families(text) for each in family.samples}

        seen = []
        for i in range(3):
            monitor.tokens([-1.0, -2.0], [-1.5, -2.5])
            monitor.tick(i + 1.0)
            served = generate_latest(registry).decode()
            wanted = samples(monitor.prometheus())
            self.assertEqual({name: repr(value) for name, value in samples(served).items()}, {name: repr(value) for name, value in wanted.items()})
            seen.append({name: value for name, value in wanted.items() if name[0].endswith("_total") and value})
        self.assertTrue(seen[0])
        self.assertTrue(all(seen[2][name] == 3 * value for name, value in seen[0].items() if "token" in name[0]), seen)  # counters never go back


# As SkyRL pickles a batch: a dict of tensors, whose state has each tensor again, as Torch saves it.
SKYRL_BATCH = """
import io, torch
class TensorBatch(dict):
    evil = False
    def __getstate__(self):
        if self.evil is not False:
            return self.evil
        saved = {}
        for name, value in self.items():
            buffer = io.BytesIO()
            torch.save(value, buffer)
            saved[name] = buffer.getvalue()
        return {"batch_dict": saved, "batch_size": 6, "device": torch.device("cpu"), "metadata": {"response_length": 9, "uids": ["a"]}}
    def __setstate__(self, state):
        raise AssertionError("SkyRL's own code ran")
class TrainingInputBatch(TensorBatch):
    pass
TensorBatch.__module__ = TrainingInputBatch.__module__ = "skyrl_train.training_batch"
"""


@unittest.skipUnless(torch, "python3-torch is not installed")
class Export(Case):
    def dump(self):
        """slime's --save-debug-train-data."""
        return {"format_version": 2, "rollout_id": 5, "rank": 0, "samples": [
            {"sample_index": i, "tokens": torch.tensor([1, 2, *ids.tolist()]), "total_lengths": len(ids) + 2, "response_lengths": len(ids),
             "loss_masks": torch.ones(len(ids), dtype=torch.int), "rollout_log_probs": torch.from_numpy(infer), "log_probs": torch.from_numpy(train)}
            for i, (ids, train, infer) in enumerate(pairs(responses=30))]}

    def run_export(self, *words, status=0):
        """The program, in this process, which has Torch already."""
        said, before, got = io.StringIO(), os.getcwd(), 0
        os.chdir(self.folder)
        try:
            with mock.patch("sys.argv", ["tikc.export", *map(str, words)]), contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
                tikc.export.main()
        except SystemExit as ended:
            got = ended.code if isinstance(ended.code, int) else 1
            said.write("" if isinstance(ended.code, int) else ended.code)
        finally:
            os.chdir(before)
        self.assertEqual(got, status, said.getvalue())
        return said.getvalue()

    def test_slimes_dump_is_measured(self):
        dump = self.dump()
        dump["samples"][3]["log_probs"][1] = float("nan")
        torch.save(dump, self.folder / "dump.pt")
        self.assertIn("out/dump.jsonl was not written: folder out does not exist", self.run_export("dump.pt", "out/dump.jsonl", status=1))
        (self.folder / "out").mkdir()
        self.assertEqual(self.run_export("dump.pt", "out/dump.jsonl"), "out/dump.jsonl: 30 responses\n")
        first = json.loads((self.folder / "out/dump.jsonl").read_text().splitlines()[0])
        self.assertEqual((first["rollout_id"], first["sample_index"], first["log_probs"]), (5, 0, dump["samples"][0]["log_probs"].tolist()))
        said = json.loads(self.expect(0, "inspect", "--format=json", "out/dump.jsonl").out)
        self.assertIn("slime", json.dumps(said["layout"] if "layout" in said else said))
        where = self.write("c.tikc.yaml", contract("c", GAP.replace("abs(logprob_gap)", "k1")))
        told = json.loads(self.tikc("measure", "--format=json", where, "out/dump.jsonl").out)
        self.assertEqual(told["data"]["responses"], 30)
        self.assertEqual(told["verdict"], "violated")  # by the NaN

    def test_columns_of_slime_and_miles_are_as_samples(self):
        samples = self.dump()["samples"]
        columns = {name: [each[name] for each in samples] for name in samples[0]}
        torch.save(self.dump(), self.folder / "samples.pt")
        torch.save({"rollout_id": 5, "rank": 0, "rollout_data": columns}, self.folder / "columns.pt")
        self.assertEqual([self.run_export(f"{each}.pt", f"{each}.jsonl") for each in ("samples", "columns")],
                         ["samples.jsonl: 30 responses\n", "columns.jsonl: 30 responses\n"])
        one, other = ([json.loads(line) for line in (self.folder / f"{each}.jsonl").read_text().splitlines()] for each in ("samples", "columns"))
        self.assertEqual([{name: value for name, value in each.items() if name != "format_version"} for each in one], other)

    def test_miles_calls_are_measured(self):
        responses = pairs(responses=20)
        torch.save({"rank": 0, "call": 0, "samples": [
            {"index": i, "total_length": len(ids) + 2, "response_length": len(ids), "train_log_probs": torch.from_numpy(train), "old_log_probs": torch.from_numpy(infer),
             "advantages": torch.ones(len(ids)), "local_loss_mask": torch.ones(len(ids)), "rollout_log_probs": torch.from_numpy(infer)}
            for i, (ids, train, infer) in enumerate(responses)], "ppo_kl": torch.zeros(3), "pg_loss": torch.zeros(3), "finite": {"pg_loss": True}}, self.folder / "call.pt")
        self.assertEqual(self.run_export("call.pt", "call.jsonl"), "call.jsonl: 20 responses\n")
        self.assert_mean_gap("call.jsonl", numpy.concatenate([train - infer for _, train, infer in responses]))

    def test_skyrls_batch_is_measured_and_runs_nothing(self):
        made = types.ModuleType("skyrl_train.training_batch")
        exec(SKYRL_BATCH, vars(made))
        train, infer, loss = -torch.rand(6, 9), -torch.rand(6, 9), torch.arange(9).expand(6, 9) < torch.arange(3, 9)[:, None]
        batch = made.TrainingInputBatch(action_log_probs=train * loss, rollout_logprobs=infer * loss, loss_mask=loss.int(), sequences=torch.ones(6, 14, dtype=torch.long),
                                        advantages=torch.ones(6, 9), base_action_log_probs=None)
        with mock.patch.dict(sys.modules, {"skyrl_train": types.ModuleType("skyrl_train"), "skyrl_train.training_batch": made}):
            (self.folder / "batch.pkl").write_bytes(pickle.dumps(batch))
        self.assertEqual(self.run_export("batch.pkl", "batch.jsonl"), "batch.jsonl: 6 responses\n")
        self.assert_mean_gap("batch.jsonl", (train - infer).double()[loss].numpy())
        ran = self.folder / "ran"

        class Evil:
            def __reduce__(self):
                return Path.touch, (ran,)

        for state in ({"batch_dict": {"a": Evil()}}, {"batch_dict": {"a": pickle.dumps(Evil())}}, {"batch_dict": 7}, {}, None):
            with self.subTest(state=state), mock.patch.dict(sys.modules, {"skyrl_train": types.ModuleType("skyrl_train"), "skyrl_train.training_batch": made}):
                batch.evil = state
                (self.folder / "evil.pkl").write_bytes(pickle.dumps(batch))
                with self.assertRaises(tikc.export.ExportError):
                    tikc.export.to_json_lines(self.folder / "evil.pkl", self.folder / "evil.jsonl")
        self.assertFalse(ran.exists() or (self.folder / "evil.jsonl").exists())

    def assert_mean_gap(self, data, gaps):
        where = self.write("c.tikc.yaml", contract("c", GAP))
        found = json.loads(self.tikc("measure", "--format=json", where, data).out)
        self.assertEqual(found["data"]["tokens"], len(gaps))
        self.assertAlmostEqual(next(each for each in found["clauses"] if each["clause"] == "gap")["value"], float(abs(gaps).mean()), places=6)

    def test_what_cannot_be_read_or_said_is_told_and_nothing_written(self):
        torch.save(self.dump(), self.folder / "whole.pt")
        data = (self.folder / "whole.pt").read_bytes()
        torch.save({"a": [torch.zeros(2, dtype=torch.complex64)]}, self.folder / "complex.pt")
        torch.save({"a": torch.eye(3).to_sparse()}, self.folder / "sparse.pt")
        torch.save({"a": [1.5]}, self.folder / "float.pt")
        made = types.ModuleType("not_here")
        exec("class Gone:\n    pass\n", vars(made))
        with mock.patch.dict(sys.modules, {"not_here": made}):
            torch.save({"a": [made.Gone()]}, self.folder / "class.pt")
        for name, content in {"cut": data[: len(data) // 2], "empty": b"", "text": b"no dump", "pickle": pickle.dumps({"a": [1]}), "zip": b"PK\3\4" + bytes(99)}.items():
            (self.folder / f"{name}.pt").write_bytes(content)
        for name in ("cut", "empty", "text", "pickle", "zip", "complex", "sparse", "class", "float"):
            for form in ("jsonl", "safetensors"):
                for words in ((), ("--trust",)):
                    with self.subTest(name=name, form=form, words=words):
                        try:
                            {"jsonl": tikc.export.to_json_lines, "safetensors": tikc.export.to_safetensors}[form](
                                self.folder / f"{name}.pt", self.folder / f"a.{form}", trust=bool(words))
                        except tikc.export.ExportError as why:
                            self.assertRegex(str(why), r"^(\S+ was not read|`(samples\[0\]\.)?a\b|dump:|`the dump`)")
                            self.assertFalse((self.folder / f"a.{form}").exists())
                        else:
                            self.assertIn((name, form), (("float", "jsonl"), ("sparse", "jsonl"), ("pickle", "jsonl")))
                            (self.folder / f"a.{form}").unlink()
        self.assertEqual(self.run_export("float.pt", "a.jsonl", "--trust"), "a.jsonl: 1 response\n")
        said = self.run_export("cut.pt", "b.jsonl", status=1)
        self.assertRegex(said, r"^tikc\.export: cut\.pt was not read: .*")

    def test_tensors_become_safetensors(self):
        train, infer = -torch.rand(4, 9), -torch.rand(4, 9).to(torch.bfloat16)
        mask = torch.rand(4, 9) < 0.7
        torch.save({"train": train, "infer": infer.t().contiguous().t(), "mask": mask, "run": {"step": 5, "none": torch.zeros(0, 3)}}, self.folder / "batch.pt")
        self.assertEqual(self.run_export("batch.pt", "batch.safetensors"), "batch.safetensors: 4 tensors\n")
        data = (self.folder / "batch.safetensors").read_bytes()
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8:8 + size])
        self.assertEqual((size % 8, header["__metadata__"]), (0, {"run.step": "5"}))
        at = header["train"]["data_offsets"]
        numpy.testing.assert_array_equal(numpy.frombuffer(data[8 + size + at[0]:8 + size + at[1]], "<f4").reshape(4, 9), train.numpy())
        self.assertEqual({name: each["dtype"] for name, each in header.items() if name != "__metadata__"},
                         {"train": "F32", "infer": "BF16", "mask": "BOOL", "run.none": "F32"})
        where = self.write("c.tikc.yaml", contract("c", GAP))
        told = json.loads(self.tikc("measure", "--format=json", where, "batch.safetensors").out)
        gap = (train - infer.float()).double().abs()[mask].mean()
        self.assertAlmostEqual(next(each for each in told["clauses"] if each["clause"] == "gap")["value"], float(gap), places=6)

    def test_what_would_run_code_is_refused(self):
        ran = self.folder / "ran"

        class Evil:
            def __reduce__(self):
                return Path.touch, (ran,)

        torch.save({"samples": [Evil()]}, self.folder / "evil.pt")
        self.assertRegex(self.run_export("evil.pt", "evil.jsonl", status=1), r"evil\.pt was not read: that could run code in the file \(.*use `--trust` \(in Python `trust=True`\)")
        self.assertFalse(ran.exists() or (self.folder / "evil.jsonl").exists())
        with self.assertRaisesRegex(tikc.export.ExportError, r"`samples\[0\]`: expected a mapping, found NoneType"):
            tikc.export.to_json_lines(self.folder / "evil.pt", self.folder / "evil.jsonl", trust=True)
        self.assertTrue(ran.exists())
        with mock.patch("torch.load", lambda path, map_location=None: self.fail("it was read")):
            with self.assertRaisesRegex(tikc.export.ExportError, "lacks weights_only"):
                tikc.export.read(self.folder / "evil.pt")

    def test_what_the_other_form_cannot_say_is_named(self):
        for dump, why in (({"samples": [{"a": b"x"}]}, r"`samples\[0\]\.a` cannot be written as JSON: bytes"), ({"a": [1], "b": [1, 2]}, "`a` has 1, `b` has 2"), (7, "dump: expected samples or columns, found int"),
                          ({"a": 1}, "dump: expected samples or columns, found neither"), ({"samples": [7]}, r"`samples\[0\]`: expected a mapping, found int")):
            with self.subTest(dump=dump):
                torch.save(dump, self.folder / "a.pt")
                with self.assertRaisesRegex(tikc.export.ExportError, why):
                    tikc.export.to_json_lines(self.folder / "a.pt", self.folder / "a.jsonl", trust=True)
        torch.save({"a": {"b": torch.zeros(2, dtype=torch.complex64)}}, self.folder / "a.pt")
        with self.assertRaisesRegex(tikc.export.ExportError, r"`a\.b` cannot be written as safetensors: dtype torch\.complex64"):
            tikc.export.to_safetensors(self.folder / "a.pt", self.folder / "a.safetensors", trust=True)
        torch.save(self.dump(), self.folder / "a.pt")
        with self.assertRaisesRegex(tikc.export.ExportError, "`samples` cannot be written as safetensors: list; .*\\.jsonl"):
            tikc.export.to_safetensors(self.folder / "a.pt", self.folder / "a.safetensors")
        self.assertFalse((self.folder / "a.safetensors").exists())
        self.assertIn("expected a name ending in .jsonl or .safetensors", self.run_export("a.pt", "a.csv", status=2))
        self.assertIn("tikc.export: ", self.run_export("none.pt", "a.jsonl", status=1))


class Program(Case):
    def test_says_where_it_is_not(self):
        for named, status, wanted in ((TIKC, 0, "tikc "), (str(self.folder / "none"), 1, "this installation has only the library")):
            done = subprocess.run([sys.executable, "-m", "tikc", "--version"], capture_output=True, text=True, env=ENVIRONMENT | {"TIKC_PROGRAM": named})
            self.assertEqual((done.returncode, wanted in done.stdout + done.stderr), (status, True), done)


if __name__ == "__main__":
    main()
