"""Many machines: a Dask cluster of processes one of which is killed, ranks of Torch over gloo, and stand-ins of Ray and Spark; all of them say, to the last
bit, what one process says."""

import json
import os
import signal
import socket
import subprocess
import sys
import types
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import PATIENCE, Case, contract, main  # noqa: E402
from tikc_python import PACKAGE, tikc  # noqa: E402

import numpy  # noqa: E402
from tikc import _partitions  # noqa: E402

try:
    import dask
    import dask.bag
    import distributed
except ImportError:
    dask = None
try:
    import torch
except ImportError:
    torch = None

TEXT = contract(
    "rollout", 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n  code: { when: task == "code" }\n',
    "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n  tail: p99(abs(logprob_gap)) <= 0.05 nat\n  answers: mean(seq_tv) <= 0.5\n",
    "observability:\n  tokens: sample(logprobs, 100%)\n",
    "escalation:\n  r: { when: violated(any), do: hold, until: satisfied(any) }\n")
PARTS = 12


def part(number):
    """What somebody would have as a partition: records of responses."""
    random = numpy.random.default_rng(number)
    out = []
    for i in range(20):
        infer = -random.exponential(0.7, 30 + number)
        train = numpy.minimum(infer + random.normal(0, 0.02, len(infer)), 0)
        out.append({"train": train.tolist(), "infer": infer.tolist(), "task": ["math", "code"][i % 2], "id": i})
    return out


def by_one_process(loaded, run="r", numbers=range(PARTS)):
    return tikc.merge(*(tikc.Evidence.loads(_partitions.observed(_partitions.job(loaded, None, run, None), i, part(i))) for i in numbers))


def fails_until(marker):
    def observe(monitor, records):
        if not os.path.exists(marker):
            raise ValueError("not yet")
        _partitions.responses(monitor, records)

    return observe


def dies_once(marker):
    """An observation that kills its worker, the first time."""
    def observe(monitor, records):
        if records[0]["train"] == part(5)[0]["train"]:
            try:
                with open(marker, "x", encoding="ascii") as file:
                    file.write(str(os.getpid()))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        _partitions.responses(monitor, records)

    return observe


class Parts(Case):
    def test_are_judged_as_their_numbers_are(self):
        loaded = tikc.loads(TEXT)
        all_of = by_one_process(loaded)
        self.assertEqual((all_of.pieces, all_of.responses), (PARTS, 20 * PARTS))
        records = [each for i in range(PARTS) for each in part(i)]
        for row in loaded.measure(all_of).clauses:
            if row["clause"] == "gap" and row["slice"] != "other":
                gaps = [numpy.float32(each["train"]).astype(float) - numpy.float32(each["infer"]) for each in records if each["task"] == row["slice"]]
                self.assertAlmostEqual(row["value"], abs(numpy.concatenate(gaps)).mean(), places=7)
                self.assertEqual(row["verdict"], "satisfied")

    def test_count_once_in_any_order(self):
        loaded = tikc.loads(TEXT)
        data = [_partitions.observed(_partitions.job(loaded, None, "r", None), i, part(i)) for i in range(5)]
        whole = _partitions.merged(*data)
        self.assertEqual(_partitions.tree(data[::-1] + data, _partitions.merged), whole)
        self.assertEqual(_partitions.merged(_partitions.merged(*data[:3]), _partitions.merged(*data[2:])), whole)
        other = _partitions.observed(_partitions.job(loaded, None, "r", None), 3, part(4))
        with self.assertRaises(tikc.EvidenceError):
            _partitions.merged(whole, other)

    def test_are_what_people_have(self):
        loaded = tikc.loads(TEXT)

        class Table:
            columns = ("train", "infer", "task")

            def to_dict(self, orient):
                assert orient == "records"
                return [{name: each[name] for name in self.columns} for each in part(0)]

        row = types.SimpleNamespace(asDict=lambda: part(0)[0])
        arrays = {"train": numpy.zeros((3, 4)), "infer": numpy.zeros((3, 4)), "mask": numpy.ones((3, 4)), "task": ["math", "code", "math"]}
        for given, responses in ((Table(), 20), (row, 1), (arrays, 3), ([arrays, part(0)], 23), (iter(part(0)), 20)):
            monitor = loaded.monitor(on_fault="raise")
            _partitions.responses(monitor, given)
            self.assertEqual(monitor.take_evidence().responses, responses)
        for given, why in ((7, "partition: expected a mapping or several, found int"), ("text", "found str"),
                           ([{"train": [0.0]}], "response: expected field `infer`, found train")):
            with self.assertRaisesRegex(ValueError, why):
                _partitions.responses(loaded.monitor(on_fault="raise"), given)

    def test_a_fault_in_one_fails_it(self):
        records = part(0)
        records[3]["infer"] = records[3]["infer"][:-1]
        with self.assertRaises(ValueError):
            _partitions.observed(_partitions.job(tikc.loads(TEXT), None, "r", None), 0, records)

    def test_a_file_that_is_another_elsewhere_is_refused(self):
        loaded = tikc.load(self.write("c.tikc.yaml", TEXT))
        job = _partitions.job(loaded, None, "r", None)
        self.write("c.tikc.yaml", TEXT.replace("0.5", "0.4"))
        with self.assertRaisesRegex(tikc.TikcError, "c.tikc.yaml: the contract differs on this machine"):
            _partitions.observed(job, 0, part(0))
        with self.assertRaisesRegex(ValueError, "`stage`: the contract has none, found 'canary'"):
            _partitions.job(loaded, None, "r", "canary")


@unittest.skipUnless(dask, "python3-distributed is not installed")
class Dask(Case):
    @classmethod
    def setUpClass(cls):
        cls.folder_of_class = cls.shared_folder()
        dask.config.set({"distributed.worker.daemon": True, "distributed.comm.retry.count": 2})
        environment = {"PYTHONPATH": f"{PACKAGE}:{Path(__file__).parent}:{Path(__file__).resolve().parents[1] / 'tools'}"}
        os.environ.update(environment)
        cls.cluster = distributed.LocalCluster(n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
                                               local_directory=str(cls.folder_of_class), silence_logs=50)
        cls.addClassCleanup(cls.cluster.close)
        cls.client = distributed.Client(cls.cluster)
        cls.addClassCleanup(cls.client.close)

    def test_says_what_one_process_says(self):
        import tikc.dask

        loaded = tikc.loads(TEXT)
        given = [dask.delayed(part)(i) for i in range(PARTS)]
        found = tikc.dask.measure(loaded, given, run="r")
        self.assertEqual(bytes(found), bytes(by_one_process(loaded)))
        self.assertEqual(loaded.measure(found).told, loaded.measure(by_one_process(loaded)).told)
        bag = dask.bag.from_delayed(given)
        self.assertEqual(bytes(tikc.dask.measure(loaded, bag, run="r")), bytes(found))
        twice = tikc.merge(tikc.dask.measure(loaded, given, run="r"), found)
        self.assertEqual(bytes(twice), bytes(found))
        others = tikc.merge(found, tikc.dask.measure(loaded, given[:1]))
        self.assertEqual(others.pieces, PARTS + 1)  # of a run that nobody named, the same data are other data

    def test_survives_a_worker_that_is_killed(self):
        import tikc.dask

        loaded, marker = tikc.loads(TEXT), str(self.folder / "killed")
        before = set(self.client.run(os.getpid).values())
        found = tikc.dask.measure(loaded, [dask.delayed(part)(i) for i in range(PARTS)], observe=dies_once(marker), run="r")
        self.assertIn(int(Path(marker).read_text("ascii")), before)  # a worker of the cluster, and no other process
        self.assertEqual(bytes(found), bytes(by_one_process(loaded)))

    def test_calls_in_one_graph_are_of_their_own(self):
        import tikc.dask

        one, other = tikc.loads(TEXT), tikc.loads(TEXT.replace("1.0.0", "1.0.1"))
        given, others = [part(0)], [part(1)]
        with dask.config.set(scheduler="synchronous"):
            graphs = [tikc.dask.delayed(held, data, run="r") for held, data in ((one, given), (other, given), (one, others))]
            found = [tikc.Evidence.loads(each) for each in dask.compute(*graphs)]
            alone = [tikc.dask.measure(held, data, run="r") for held, data in ((one, given), (other, given), (one, others))]
        self.assertEqual(found, alone)
        self.assertEqual([each.origins[0].version for each in found], ["1.0.0", "1.0.1", "1.0.0"])
        self.assertNotEqual(found[0], found[2])
        names = {dask.utils.key_split(key) for graph in graphs for key in graph.dask if "tikc" in str(key)}
        self.assertEqual(names, {"tikc-observe"})

    def test_a_part_that_was_mended_is_observed_anew(self):
        import tikc.dask

        loaded, marker = tikc.loads(TEXT), self.folder / "mended"
        graph = tikc.dask.delayed(loaded, [part(0)], observe=fails_until(str(marker)), run="r").persist()
        with self.assertRaisesRegex(ValueError, "not yet"):
            graph.compute()
        marker.write_text("")
        self.assertEqual(tikc.dask.measure(loaded, [part(0)], observe=fails_until(str(marker)), run="r").pieces, 1)

    def test_a_part_that_fails_fails_all(self):
        import tikc.dask

        with self.assertRaisesRegex(ValueError, "response: expected field `infer`"):
            tikc.dask.measure(tikc.loads(TEXT), [part(0), [{"train": [0.0]}]])
        with self.assertRaisesRegex(ValueError, "no partitions"):
            tikc.dask.measure(tikc.loads(TEXT), [])


RANK = """
import hashlib, json, os, sys
sys.path[:0] = [{tests!r}, {tools!r}]
import python_machines as of
import tikc, tikc.torch, torch.distributed as distributed
rank = int(sys.argv[1])
distributed.init_process_group("gloo", init_method={address!r}, rank=rank, world_size=4)
loaded = tikc.loads(of.TEXT)
monitor = loaded.monitor(source="run 1", keeps_evidence=True)
said = []
for step in range(3):
    of._partitions.responses(monitor, of.part(10 * step + rank))
    if rank == 2 and step == 1:
        monitor.tokens([0.0], [0.0, 0.0])  # one observation that fails
    tikc.torch.all_merge(monitor)
    try:
        tikc.torch.all_merge(monitor)
        said.append("gathered twice")
    except ValueError as why:
        said.append(str(why))
    window = monitor.tick(float(step))
    plain = window.to_dict()
    plain.pop("evidence", None)
    said.append(plain)
monitor.end_step()
other = tikc.loads(of.TEXT.replace("0.5", "0.4")) if rank == 3 else loaded
try:
    tikc.torch.all_merge(other.monitor())
except tikc.BytesError as why:
    said.append(str(why))
print(json.dumps([said, hashlib.sha256(bytes(monitor.evidence)).hexdigest(), monitor.evidence.responses, bytes(monitor.evidence).hex()]))
# A thread of Torch's that still lets go of what it gathered while the interpreter ends would abort.
distributed.destroy_process_group()
"""


@unittest.skipUnless(torch and torch.distributed.is_available(), "python3-torch is not installed")
class Ranks(Case):
    def test_all_have_what_all_observed(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        script = self.write("rank.py", RANK.format(tests=str(Path(__file__).parent), tools=str(Path(__file__).resolve().parents[1] / "tools"), address=address))
        environment = {**os.environ, "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"}
        ranks = [subprocess.Popen([sys.executable, str(script), str(rank)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
                 for rank in range(4)]
        done = [each.communicate(timeout=PATIENCE) for each in ranks]
        self.assertEqual([each.returncode for each in ranks], [0] * 4, [err for _, err in done])
        told = [json.loads(out) for out, _ in done]
        for each in told[1:]:
            self.assertEqual(each[0][:-1], told[0][0][:-1])
            self.assertEqual(each[1:], told[0][1:])
        said, _, responses, evidence = told[0]
        self.assertEqual(responses, 3 * 4 * 20)
        self.assertIn("already called on ranks 0, 1, 2, 3:", said[0])
        self.assertIn("found another on rank 3", said[-1])
        self.assertEqual([each["faults"] for each in said[1:-1:2]], [0, 1, 0])
        self.assert_one_monitor_says(said[1:-1:2])
        self.assertEqual(tikc.merge(*[tikc.Evidence.loads(bytes.fromhex(each[3])) for each in told]).responses, responses)
        self.assertEqual(tikc.Evidence.loads(bytes.fromhex(evidence)).failed, 1)

    def assert_one_monitor_says(self, windows):
        """Of the same responses, joined in the order of ranks."""
        monitor = tikc.loads(TEXT).monitor(source="run 1")
        for step, window in enumerate(windows):
            workers = [tikc.loads(TEXT).monitor() for _ in range(4)]
            for rank, worker in enumerate(workers):
                _partitions.responses(worker, part(10 * step + rank))
            monitor.merge(monitor.contract.merge(*(worker.take() for worker in workers)))
            alone = json.loads(json.dumps(monitor.tick(float(step)).to_dict()))
            self.assertEqual([(each["clause"], each["slice"], each["verdict"], [figure["value"] for figure in each["figures"]]) for each in alone["verdicts"]],
                             [(each["clause"], each["slice"], each["verdict"], [figure["value"] for figure in each["figures"]]) for each in window["verdicts"]])


class StandIns(Case):
    """Of what Ray and Spark do with functions and values: pickle them, run them in any order, and some of them twice. Neither is in Debian."""

    def test_ray(self):
        import pickle

        ray = types.ModuleType("ray")
        ray.runs = 0

        def remote(function):
            def call(*arguments):
                for _ in range(2):
                    ray.runs += 1
                    out = pickle.dumps(function(*(pickle.loads(each.data) if isinstance(each, Reference) else each for each in arguments)))
                return Reference(out)

            return types.SimpleNamespace(remote=call)

        class Reference:
            def __init__(self, data):
                self.data = data

        ray.remote, ray.put, ray.get = remote, lambda value: Reference(pickle.dumps(value)), lambda reference: pickle.loads(reference.data)
        sys.modules["ray"] = ray
        self.addCleanup(sys.modules.pop, "ray")
        import tikc.ray

        loaded = tikc.loads(TEXT)
        self.assertEqual(bytes(tikc.ray.measure(loaded, [part(i) for i in range(PARTS)], run="r")), bytes(by_one_process(loaded)))
        self.assertGreaterEqual(ray.runs, 2 * (PARTS + 2))

    def test_spark(self):
        import tikc.spark

        class Rdd:
            def __init__(self, parts):
                self.parts = parts

            def mapPartitionsWithIndex(self, function):  # noqa: N802
                done = {}
                for i in [*reversed(range(len(self.parts))), 0]:
                    done[i] = list(function(i, iter(self.parts[i])))
                return Rdd([done[i] for i in range(len(self.parts))])

            def treeReduce(self, function):  # noqa: N802
                level = [each for of in self.parts for each in of]
                while len(level) > 1:
                    level = [function(*level[at : at + 2]) if at + 1 < len(level) else level[at] for at in range(0, len(level), 2)]
                return level[0]

        class Row(dict):
            def asDict(self):  # noqa: N802
                return dict(self)

        loaded = tikc.loads(TEXT)
        rdd = Rdd([[types.SimpleNamespace(asDict=Row(each).asDict) for each in part(i)] for i in range(PARTS)])
        for data in (rdd, types.SimpleNamespace(rdd=rdd)):
            self.assertEqual(bytes(tikc.spark.measure(loaded, data, run="r")), bytes(by_one_process(loaded)))


if __name__ == "__main__":
    main()
