"""Hooks in trainers and servers, against stand-ins that have their hosts' signatures, shapes and fields: what is watched is what the hosts' own arithmetic
says, written here again in NumPy; nothing of the host's is changed, and nothing that goes wrong in a hook stops it."""

import collections
import contextlib
import copy
import dataclasses
import importlib
import io
import json
import os
import re
import subprocess
import sys
import types
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import Case, contract, main, skip  # noqa: E402
from tikc_python import PACKAGE, tikc  # noqa: E402

import numpy  # noqa: E402

try:
    import torch
except ImportError:
    skip("trainers' batches are Torch's: python3-torch is not installed")
import tikc.hooks  # noqa: E402
import tikc.hooks.loop  # noqa: E402
import tikc.hooks.trl  # noqa: E402

GAP = """statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
  k3: mean(k3) <= 0.01
  shares: mean(abs(prob_gap)) <= 0.05
numerical:
  worst: max(abs(logprob_gap)) <= 5
observability:
  tokens: sample(logprobs, 100%)
"""
SLICED = """labels: { task: [math, code] }
slices:
  math: { when: task == "math" }
  code: { when: task == "code" }
assumptions: { advantage: 2 }
statistical:
  gap: mean(abs(logprob_gap)) <= 0.05 nat
observability:
  tokens: sample(logprobs, 100%)
claims:
  drift: tv <= 0.1
"""
TIMES = """runtime:
  latency: max(latency) <= 3 s
  first: max(first_token_latency) <= 1 s
  between: max(inter_token_latency) <= 50 ms
observability:
  requests: sample(requests, 100%)
  tokens: sample(logprobs, 100%)
  rows: sample(logits, 1%)
"""
ACTIVE = r"^tikc: watching {} with c 1\.0\.0 \(0x[0-9a-f]{{16}}\)$"


def batch(seed=1, size=(16, 40)):
    """A small model's responses, sampled in bf16 and scored in fp32, as trainers pad them: both sides 0 behind a response's end. (train, infer, mask)"""
    torch.manual_seed(seed)
    trainer = torch.nn.Sequential(torch.nn.Embedding(64, 32), torch.nn.Tanh(), torch.nn.Linear(32, 64))
    server = copy.deepcopy(trainer).bfloat16()
    with torch.no_grad():
        tokens = [torch.zeros(size[0], dtype=torch.long)]
        sides = [], []
        for _ in range(size[1]):
            laws = [torch.log_softmax(each(tokens[-1]).float() * 3, -1) for each in (trainer, server)]
            tokens.append(torch.multinomial(laws[1].exp(), 1)[:, 0])
            for side, law in zip(sides, laws):
                side.append(law.gather(1, tokens[-1][:, None])[:, 0])
    train, infer = (torch.stack(side, 1).numpy() for side in sides)
    mask = numpy.arange(size[1])[None, :] < numpy.random.default_rng(seed).integers(3, size[1] + 1, size[0])[:, None]
    return train * mask, infer * mask, mask.astype(numpy.int64)


def figures(train, infer, mask):
    """As verl and NeMo-RL have them: means over the tokens that count."""
    kept = mask.astype(bool)
    x = (train - infer).astype(numpy.float64)[kept]
    shares = numpy.abs(numpy.exp(train.astype(numpy.float64)) - numpy.exp(infer.astype(numpy.float64)))[kept]
    return {"tikc/gap/other": numpy.abs(x).mean(), "tikc/k3/other": (numpy.exp(x) - 1 - x).mean(), "tikc/worst/other": numpy.abs(x).max(),
            "tikc/shares/other": shares.mean()}


def tensors(*arrays):
    return [torch.from_numpy(numpy.ascontiguousarray(each)) for each in arrays]


class Hooked(Case):
    def setUp(self):
        super().setUp()
        self.path = self.write("c.tikc.yaml", contract("c", GAP))
        self.told = io.StringIO()
        for each in (mock.patch.dict(os.environ, {"TIKC_CONTRACT": str(self.path), "TIKC_EVIDENCE": str(self.folder / "evidence")}),
                     contextlib.redirect_stderr(self.told)):
            each.__enter__()
            self.addCleanup(each.__exit__, None, None, None)

    def module(self, name, **parts):
        """A host's module, as long as the test runs."""
        made = types.ModuleType(name)
        vars(made).update(parts)
        patch = mock.patch.dict(sys.modules, {name: made})
        patch.start()
        self.addCleanup(patch.stop)
        return made

    def fresh(self, name):
        """A hook, as a process that begins imports it."""
        out = importlib.reload(importlib.import_module(f"tikc.hooks.{name}"))
        if hasattr(out, "watch"):
            self.addCleanup(out.watch.cache_clear)
        return out

    def near(self, logged, wanted):
        for name, value in wanted.items():
            self.assertAlmostEqual(logged[name], value, delta=2e-6 * max(1, abs(value)), msg=name)

    def active(self, host):
        self.assertEqual(len(re.findall(ACTIVE.format(host), self.told.getvalue(), re.M)), 1, self.told.getvalue())


class Loop(Hooked):
    def test_a_loop_of_ones_own(self):
        watch = tikc.hooks.loop.watch(self.path, evidence=self.folder / "kept")
        for step in range(3):
            arrays = batch(step)
            train, infer, mask = tensors(*arrays)
            logged = watch.step(train, infer, mask=mask, step=40 + step)
            self.near(logged, figures(*arrays))
            self.assertEqual((logged["tikc/violated"], logged["tikc/faults"]), (0, 0))
            self.assertGreater(logged["tikc/seconds"], 0)
            json.dumps(logged, allow_nan=False)
        watch.save()
        watch.save()
        files = sorted((self.folder / "kept").iterdir())
        self.assertEqual(len(files), 1)
        self.assertRegex(files[0].name, r"^loop-[0-9a-f]{12}-000000\.tikc-evidence$")
        self.assertEqual(tikc.Evidence.load(files[0]).responses, 48)
        self.assertEqual(self.expect(0, "measure", self.path, files[0]).err, "")
        self.active("loop")

    def test_nothing_stops_the_host(self):
        watch = tikc.hooks.loop.watch(self.path)
        train, infer, mask = tensors(*batch())
        self.assertEqual(watch.step(train, infer[:, :3], mask=mask)["tikc/faults"], 1)
        self.assertEqual(watch.step(train, infer, mask=mask, wrong=1), {})
        self.assertEqual(watch.step(train, infer, mask=mask, step=7)["tikc/faults"], 1)  # that which gave nothing
        self.assertEqual(watch.window.verdict, "undecided")
        self.assertEqual(watch.step(train, infer, mask=mask, step=8)["tikc/faults"], 0)
        self.assertGreater(len(watch.step(train, infer, mask=mask, step=3)), 4)  # a run that went back
        self.assertEqual(len(watch.faults), 1)
        blocked = tikc.hooks.loop.watch(self.path, evidence=self.path)  # which is a file
        blocked.step(train, infer, mask=mask)
        blocked.save()
        self.assertEqual(len(blocked._waiting), 1)
        loud = tikc.hooks.loop.watch(self.path, on_violation="raise")
        with self.assertRaises(tikc.Violation):
            loud.step(train - 9, infer, mask=mask)
        masking = tikc.hooks.loop.watch(self.path, on_violation="mask")
        far = train.clone()
        far[0, 0] -= 9
        masking.step(far, infer, mask=mask)
        self.assertEqual(int((mask.bool() & ~masking.kept).sum()), 1)

    def test_a_trainers_own_figures_are_logged(self):
        watch = tikc.hooks.loop.watch(self.path, metrics=["verl", "trl"])
        train, infer, mask = batch()
        logged = watch.step(*tensors(train, infer), mask=torch.from_numpy(mask))
        kept = mask.astype(bool)
        shares = numpy.abs(numpy.exp(train.astype(numpy.float64)) - numpy.exp(infer.astype(numpy.float64)))[kept]
        gap = numpy.abs((train - infer).astype(numpy.float64))[kept]
        wanted = {"verl/training/rollout_probs_diff_max": shares.max(), "verl/training/rollout_probs_diff_mean": shares.mean(),
                  "verl/training/rollout_probs_diff_std": shares.std(ddof=1), "trl/sampling/sampling_logp_difference/mean": gap.mean(),
                  "trl/sampling/sampling_logp_difference/max": gap.max()}
        for name, value in wanted.items():
            self.assertAlmostEqual(logged[f"tikc/{name}"], value, delta=1e-6, msg=name)
        self.assertTrue(all(name.startswith("tikc/") for name in logged))  # the host's own stay as they are

    def test_a_contract_is_asked_for(self):
        with mock.patch.dict(os.environ, {"TIKC_CONTRACT": ""}):
            with self.assertRaisesRegex(ValueError, "set TIKC_CONTRACT to its file"):
                tikc.hooks.loop.watch()
        with self.assertRaisesRegex(ValueError, "`stage`: the contract has none, found 'cnary'"):
            tikc.hooks.loop.watch(self.path, stage="cnary")


class Trl(Hooked):
    def trainer(self, **more):
        arrays = batch(3)
        train, infer, mask = tensors(*arrays)
        out = {"prompt_ids": None, "completion_mask": mask, "old_per_token_logps": train, "sampling_per_token_logps": infer, "advantages": None, **more}

        class GRPOTrainer:
            """As far as the hook knows it."""

            def __init__(self, model, args=None):
                self.model, self.args = model, args
                self._metrics = {"train": collections.defaultdict(list), "eval": collections.defaultdict(list)}
                self.state = types.SimpleNamespace(global_step=5)

            def _generate_and_score_completions(self, inputs):
                return out

        class Trainer(tikc.hooks.trl.Watched, GRPOTrainer):
            tikc_contract = self.path

        return Trainer(torch.nn.Linear(1, 1), args="args"), out, arrays

    def test_what_is_sampled_is_held_against_vllm(self):
        trainer, out, arrays = self.trainer()
        self.assertEqual(trainer.args, "args")
        self.assertIs(trainer._generate_and_score_completions(["a prompt"]), out)
        logged = {name: each[-1] for name, each in trainer._metrics["train"].items()}
        self.near(logged, figures(*arrays))
        self.assertEqual(dict(trainer._metrics["eval"]), {})
        # TRL's own: `delta[mask.bool()].mean()` and `.max()`, of one process
        train, infer, mask = arrays
        self.assertAlmostEqual(logged["tikc/gap/other"], float(numpy.abs(train - infer)[mask.astype(bool)].mean(dtype=numpy.float64)), delta=1e-6)
        self.active("trl")

    def test_tools_do_not_count(self):
        tools = numpy.zeros((16, 40), numpy.int64)
        tools[:, :7] = 1
        trainer, _, (train, infer, mask) = self.trainer(tool_mask=torch.from_numpy(tools))
        trainer._generate_and_score_completions([])
        self.near({name: each[-1] for name, each in trainer._metrics["train"].items()}, figures(train, infer, mask * tools))

    def test_columns_are_labels_and_advantages_are_held(self):
        self.path.write_text(contract("c", SLICED))
        trainer, _, (train, infer, mask) = self.trainer(advantages=torch.linspace(-3, 1, 16))
        tasks = ["math", "code"] * 8
        trainer._generate_and_score_completions([{"prompt": "…", "task": task} for task in tasks])
        for name in ("math", "code"):
            is_it = numpy.array(tasks) == name
            self.assertAlmostEqual(trainer._metrics["train"][f"tikc/gap/{name}"][-1], figures(train[is_it], infer[is_it], mask[is_it])["tikc/gap/other"], delta=1e-6)
        window = trainer.tikc_watch.window
        self.assertEqual([(each.state, each.observations) for each in window.assumptions if each.key == "advantage"], [("broken", 16)])
        trainer._generate_and_score_completions([{"task": ["a list"]}] * 16)  # is no label
        self.assertEqual(trainer.tikc_watch.window.observed["other"].sequences, 16)

    def test_evaluation_is_not_watched(self):
        trainer, *_ = self.trainer()
        trainer.model.eval()
        trainer._generate_and_score_completions([])
        self.assertEqual(dict(trainer._metrics["train"]), {})

    def test_a_batch_without_both_is_told_of(self):
        for name in ("old_per_token_logps", "sampling_per_token_logps"):
            trainer, out, _ = self.trainer(**{name: None})
            for _ in range(2):
                self.assertIs(trainer._generate_and_score_completions([]), out)
            self.assertEqual(trainer.tikc_watch.faults, {f"{name} is missing from the batch: set use_vllm and vllm_importance_sampling_correction"})


class Slime(Hooked):
    def test_the_loss_and_the_masks_come_back(self):
        slime = self.fresh("slime")
        train, infer, mask = batch(4)
        lengths = mask.sum(1)
        cut = [[torch.from_numpy(each[i, :n].copy()) for i, n in enumerate(lengths)] for each in (train, infer, mask)]
        loss, args = torch.ones(int(lengths.sum())), types.SimpleNamespace(use_tis=False, get_mismatch_metrics=True)
        call = {"pg_loss": loss, "train_log_probs": cut[0], "rollout_log_probs": cut[1], "loss_masks": cut[2],
                "total_lengths": [int(n) + 4 for n in lengths], "response_lengths": [int(n) for n in lengths]}
        said = slime.mismatch(args=args, **call)
        self.assertIs(said[0], loss)
        self.assertIs(said[1], cut[2])
        self.assertEqual(said[2], {})
        window = slime.watch().window
        self.near(window.metrics(), figures(train, infer, mask))
        # slime's own by default: a mean of responses' means
        by_response = numpy.mean([numpy.abs(train[i, :n] - infer[i, :n]).mean(dtype=numpy.float64) for i, n in enumerate(lengths)])
        self.assertNotAlmostEqual(by_response, window.metrics()["tikc/gap/other"], places=6)
        self.active("slime")
        # miles calls it with the parallel state, too
        slime.mismatch(args, **call, parallel_state=object())
        with self.assertRaisesRegex(ValueError, "--use-tis requires weights"):
            slime.mismatch(types.SimpleNamespace(use_tis=True), **call)
        self.module("a_trainers_own", weights=lambda args, **given: (given["pg_loss"] * 2, given["loss_masks"], {"tis": given["pg_loss"]}))
        with mock.patch.dict(os.environ, {"TIKC_TIS": "a_trainers_own.weights"}):
            self.assertEqual(float(slime.mismatch(types.SimpleNamespace(use_tis=True), **call)[0][0]), 2)


class PrimeRl(Hooked):
    """As of 559b4477: a loss gets LossInputs of one sequence and returns LossOutputs."""

    def host(self):
        @dataclasses.dataclass
        class LossInputs:
            trainer_logprobs: torch.Tensor
            inference_logprobs: torch.Tensor
            ref_logprobs: object
            advantages: torch.Tensor
            loss_mask: torch.Tensor
            loss_weights: object = None

        @dataclasses.dataclass
        class LossOutputs:
            loss: torch.Tensor
            metrics: dict

        @dataclasses.dataclass
        class DefaultLossConfig:
            kl_tau: float = 1e-3

        @dataclasses.dataclass
        class IPOLossConfig:
            ipo_threshold: float = 0.1

        def setup_rl_loss_fn(config):
            def rl_fn(inputs):
                x = inputs.trainer_logprobs - inputs.inference_logprobs
                per_token = -inputs.advantages * torch.exp(x) + getattr(config, "kl_tau", 0) * x**2
                return LossOutputs(loss=(inputs.loss_mask * per_token).sum(), metrics={"is_masked": torch.zeros(())})
            self.configs.append(config)
            return rl_fn

        self.configs = []
        self.module("prime_rl.configs.trainer", DefaultLossConfig=DefaultLossConfig, IPOLossConfig=IPOLossConfig)
        self.module("prime_rl.trainer.rl.loss", setup_rl_loss_fn=setup_rl_loss_fn)
        return setup_rl_loss_fn(DefaultLossConfig(kl_tau=0.01)), LossInputs

    def sequences(self, inputs):
        train, infer, mask = tensors(*batch(5))
        return [inputs(one.clone().requires_grad_(), two, None, torch.ones(len(one)), kept.bool()) for one, two, kept in zip(train, infer, mask)]

    def test_the_loss_is_prime_rls(self):
        hook = self.fresh("prime_rl")
        own, inputs = self.host()
        with mock.patch.object(hook, "SECONDS", 0):
            for one, other in zip(self.sequences(inputs), self.sequences(inputs)):
                found, wanted = hook.loss(one, inner="default", kl_tau=0.01), own(other)
                self.assertEqual((found.loss.item(), list(found.metrics)), (wanted.loss.item(), list(wanted.metrics)))
                found.loss.backward()
                wanted.loss.backward()
                self.assertTrue(torch.equal(one.trainer_logprobs.grad, other.trainer_logprobs.grad))
        self.assertEqual(len(self.configs), 2)  # made once, whatever the number of sequences
        self.assertEqual(hook.watch().watch.window.observed["other"].sequences, 1)
        self.assertEqual(hook.watch().watch.faults, set())
        self.active("prime-rl")

    def test_what_is_watched_is_judged_now_and_then(self):
        hook = self.fresh("prime_rl")
        _, inputs = self.host()
        for each in self.sequences(inputs):
            hook.loss(each)
        paced = hook.watch()
        self.assertIsNone(paced.watch.window)
        paced.judge()
        self.near(paced.watch.window.metrics(), figures(*batch(5)))
        self.assertEqual(paced.watch.window.observed["other"].sequences, 16)

    def test_other_losses(self):
        hook = self.fresh("prime_rl")
        _, inputs = self.host()
        each = self.sequences(inputs)[0]
        hook.loss(each, inner="ipo", ipo_threshold=0.3)
        self.assertEqual(self.configs[-1].ipo_threshold, 0.3)
        self.module("a_trainers_own", mine=lambda given, scale: (given, scale))
        self.assertEqual(hook.loss(each, inner="a_trainers_own.mine", scale=3), (each, 3))
        with self.assertRaisesRegex(ValueError, "invalid `inner` 'dppo'"):
            hook.loss(each, inner="dppo")

    def test_a_fault_does_not_stop_it(self):
        hook = self.fresh("prime_rl")
        _, inputs = self.host()
        each = self.sequences(inputs)[0]
        each.inference_logprobs = each.inference_logprobs[:3]
        self.module("a_trainers_own", mine=lambda given: "the loss")
        self.assertEqual(hook.loss(each, inner="a_trainers_own.mine"), "the loss")
        hook.watch().judge()
        self.assertEqual(hook.watch().watch.window.faults, 1)


class Verl(Hooked):
    class Config(types.SimpleNamespace):
        """An OmegaConf, as far as it is asked."""

        def get(self, name, otherwise=None):
            return getattr(self, name, otherwise)

    def config(self, bypass=False, logged=True):
        made = self.Config
        return made(trainer=made(v1=made(trainer_mode="tikc_sync", sync=made())), algorithm=made(rollout_correction=made(bypass_mode=bypass)),
                    actor_rollout_ref=made(rollout=made(calculate_log_probs=logged)))

    def host(self, arrays, tags=None, **columns):
        """verl's registries and its transfer queue, with a batch in it."""
        case, trainers, losses = self, {}, {}
        train, infer, mask = tensors(*arrays)
        lengths = arrays[2].sum(1)
        jagged = [torch.nested.nested_tensor([each[i, :n] for i, n in enumerate(lengths)]) for each in (train, infer, mask)]
        stored = dict(zip(("old_log_probs", "rollout_log_probs", "response_mask"), jagged)) | columns

        class PPOTrainerSync:
            def __init__(self, config):
                self.config, self.global_steps = config, 7
                self.trainer_mode = config.trainer.v1.trainer_mode
                case.assertEqual(self.trainer_mode, "sync")

            def _compute_old_log_prob(self, batch, metrics):
                metrics["actor/entropy"] = 1.5
                return batch

        def kv_batch_get(keys, partition_id, select_fields):
            self.assertEqual((keys, partition_id), (["a"] * len(lengths), "train"))
            return {name: stored[name] for name in select_fields}

        def register(into):
            return lambda name: lambda each: into.setdefault(name, each)

        def vanilla(old_log_prob, log_prob, advantages, response_mask, loss_agg_mode="token-mean", config=None, rollout_is_weights=None):
            return log_prob.sum(), {"actor/ppo_kl": 0.5}

        self.module("transfer_queue", kv_batch_get=kv_batch_get)
        core = self.module("verl.trainer.ppo.core_algos", register_policy_loss=register(losses), get_policy_loss_fn={"vanilla": vanilla}.get)
        for name in ("verl", "verl.trainer", "verl.trainer.ppo", "verl.trainer.ppo.v1"):
            self.module(name, __path__=[], core_algos=core)
        self.module("verl.trainer.ppo.v1.trainer_base", register_trainer=register(trainers))
        self.module("verl.trainer.ppo.v1.trainer_sync", PPOTrainerSync=PPOTrainerSync)
        self.fresh("verl")
        return trainers["tikc_sync"], losses["tikc_vanilla"], types.SimpleNamespace(keys=["a"] * len(lengths), partition_id="train", tags=tags)

    def test_the_trainer_shows_what_it_computed(self):
        arrays = batch(5)
        trainer_class, _, stored = self.host(arrays, tags=[{"seq_len": 3}] * 16)
        config = self.config()
        trainer, metrics = trainer_class(config), {}
        self.assertEqual(config.trainer.v1.trainer_mode, "tikc_sync")  # its own copy is another
        self.assertIs(trainer._compute_old_log_prob(stored, metrics), stored)
        self.near(metrics, figures(*arrays))
        self.assertEqual(metrics["actor/entropy"], 1.5)
        self.active("verl")

    def test_what_fills_the_batch_up_does_not_count(self):
        train, infer, mask = batch(6)
        trainer_class, _, stored = self.host((train, infer, mask), tags=[{"is_padding": i >= 12} for i in range(16)])
        metrics = {}
        trainer_class(self.config())._compute_old_log_prob(stored, metrics)
        self.near(metrics, figures(train[:12], infer[:12], mask[:12]))

    def test_in_bypass_mode_the_loss_shows_it(self):
        train, infer, mask = batch(7)
        trainer_class, loss, stored = self.host((train, infer, mask))
        metrics = {}
        with self.assertLogs("tikc", "ERROR") as told:
            trainer_class(self.config(bypass=True))._compute_old_log_prob(stored, metrics)
            trainer_class(self.config(logged=False))._compute_old_log_prob(stored, metrics)
        self.assertEqual(metrics, {"actor/entropy": 1.5})
        self.assertIn("set the policy loss to tikc_vanilla", told.output[0])
        self.assertIn("calculate_log_probs", told.output[1])
        now = torch.from_numpy(train).requires_grad_(True)
        value, logged = loss(torch.from_numpy(infer), now, None, torch.from_numpy(mask).bool(), "token-mean", config=None, rollout_is_weights=None)
        self.near(logged, figures(train, infer, mask))
        self.assertEqual((logged["actor/ppo_kl"], value.requires_grad), (0.5, True))

    def test_fields_are_labels(self):
        self.path.write_text(contract("c", SLICED))
        train, infer, mask = batch(8)
        sources = ["math", "code"] * 8
        trainer_class, _, stored = self.host((train, infer, mask), data_source=numpy.array(sources, object))
        metrics = {}
        with mock.patch.dict(os.environ, {"TIKC_LABELS": "task=data_source"}):
            trainer_class(self.config())._compute_old_log_prob(stored, metrics)
        is_it = numpy.array(sources) == "code"
        self.assertAlmostEqual(metrics["tikc/gap/code"], figures(train[is_it], infer[is_it], mask[is_it])["tikc/gap/other"], delta=1e-6)

    def test_a_store_that_fails_is_told_of(self):
        trainer_class, _, stored = self.host(batch())
        trainer, metrics = trainer_class(self.config()), {}
        stored.keys = ["gone"]
        self.assertIs(trainer._compute_old_log_prob(stored, metrics), stored)
        self.assertEqual(metrics, {"actor/entropy": 1.5})


class Servers(Hooked):
    def setUp(self):
        super().setUp()
        self.path.write_text(contract("c", TIMES))

    def test_vllm(self):
        class StatLoggerBase:
            """Abstract there."""

        for name in ("vllm", "vllm.v1", "vllm.v1.metrics"):
            self.module(name, __path__=[])
        self.module("vllm.v1.metrics.loggers", StatLoggerBase=StatLoggerBase)

        @dataclasses.dataclass
        class Finished:
            finish_reason: str
            e2e_latency: float = 0.0
            num_prompt_tokens: int = 0
            num_generation_tokens: int = 0
            mean_time_per_output_token: float = 0.0

        vllm = self.fresh("vllm")
        self.assertTrue(issubclass(vllm.StatLogger, StatLoggerBase))
        logger = vllm.StatLogger(object(), 0)
        logger.log_engine_initialized()
        logger.record(None, None)
        logger.record(object(), types.SimpleNamespace(finished_requests=[Finished("stop", 1.5, 3, 20, 0.04), Finished("length", 2.5, 3, 30, 0.02)]), engine_idx=0)
        logger.record(object(), types.SimpleNamespace(finished_requests=[object()]))  # of another vLLM
        self.assertEqual(len(logger.served.watch.faults), 1)
        logger.log()
        window = logger.served.watch.window
        self.assertEqual((window.metrics()["tikc/latency/other"], window.metrics()["tikc/between/other"]), (2.5, 0.04))
        volume = window.observed["other"]
        self.assertEqual((volume.requests, volume.served_requests, volume.served_tokens), (2, 2, 0))
        self.assertEqual({each.verdict for each in window.verdicts if each.clause in ("tokens", "rows")}, {"undecided"})  # which is nothing that a server has
        self.active("vllm")

    def test_sglang(self):
        registered = []
        registry = types.SimpleNamespace(register=lambda target, hook, kind: registered.append((target, hook, kind)))
        for name in ("sglang", "sglang.srt", "sglang.srt.plugins"):
            self.module(name, __path__=[])
        self.module("sglang.srt.plugins.hook_registry", HookRegistry=registry, HookType=types.SimpleNamespace(AFTER="after"))
        sglang = self.fresh("sglang")
        sglang.register()
        [(target, hook, kind)] = registered
        self.assertEqual((target, kind), ("sglang.srt.managers.tokenizer_manager.TokenizerManager.collect_metrics", "after"))
        state = types.SimpleNamespace(finished=False, created_time=100.0, first_token_time=100.5, finished_time=0.0)
        sent = types.SimpleNamespace(completion_tokens=[7, 41])
        self.assertIsNone(hook(None, object(), state, sent, 1))
        state.finished, state.finished_time = True, 102.5
        self.assertIsNone(hook(None, object(), state, sent, 1))
        hook(None, object(), object(), None, 0)
        hook(None, object(), types.SimpleNamespace(finished=True, created_time="x"), sent, 0)
        self.assertEqual(len(hook.watch.faults), 1)
        hook.watch.tick()
        said = hook.watch.window.metrics()
        self.assertEqual((said["tikc/latency/other"], said["tikc/first/other"]), (2.5, 0.5))
        self.assertAlmostEqual(said["tikc/between/other"], 0.05)
        self.active("sglang")


class Unwatched(Hooked):
    """No host is stopped by a contract that cannot be had, as a file that is missing, refused or is none."""

    def setUp(self):
        super().setUp()
        self.write("refused.tikc.yaml", contract("c", GAP.replace("logprob_gap", "logprob_gab")))
        self.write("none.tikc.yaml", "\0")

    def each(self, host):
        """With each of them, and what is told."""
        for name in ("missing", "refused", "none"):
            with self.subTest(host=host, contract=name), mock.patch.dict(os.environ, {"TIKC_CONTRACT": str(self.folder / f"{name}.tikc.yaml")}):
                with self.assertLogs("tikc", "ERROR") as said:
                    yield
                self.assertEqual(len(said.output), 1, said.output)
                self.assertRegex(said.output[0], rf"{host}: not watched: \w+: .*{name}\.tikc\.yaml")

    def test_vllm(self):
        for _ in self.each("vllm"):
            logger = self.fresh("vllm").StatLogger(object(), 0)
            logger.log_engine_initialized()
            logger.record(None, types.SimpleNamespace(finished_requests=[object()]))
            logger.log()

    def test_sglang(self):
        for _ in self.each("sglang"):
            self.fresh("sglang").register()

    def test_slime(self):
        for _ in self.each("slime"):
            slime, loss = self.fresh("slime"), object()
            for _ in range(3):
                said = slime.mismatch(types.SimpleNamespace(), pg_loss=loss, train_log_probs=[], rollout_log_probs=[], loss_masks=[], total_lengths=[], response_lengths=[])
                self.assertEqual(said, (loss, [], {}))

    def test_prime_rl(self):
        for _ in self.each("prime-rl"):
            hook = self.fresh("prime_rl")
            self.module("a_trainers_own", mine=lambda inputs: "the loss")
            for _ in range(3):
                self.assertEqual(hook.loss(object(), inner="a_trainers_own.mine"), "the loss")

    def test_trl(self):
        for _ in self.each("trl"):
            class Trainer(tikc.hooks.trl.Watched, Generating):
                pass

            self.assertEqual(Trainer()._generate_and_score_completions([]), {"completion_mask": None})

    def test_verl(self):
        for _ in self.each("verl"):
            verl = self.fresh("verl")
            rollout = types.SimpleNamespace(calculate_log_probs=True)
            config = types.SimpleNamespace(trainer=types.SimpleNamespace(v1=types.SimpleNamespace(trainer_mode="")), algorithm={},
                                           actor_rollout_ref=types.SimpleNamespace(rollout=rollout))
            metrics = {}
            self.assertEqual(verl.watched(Generating, None)(config)._compute_old_log_prob("batch", metrics), "batch")
            self.assertEqual(metrics, {})
        for _ in self.each("verl-actor"):
            loss = self.fresh("verl").policy_loss(lambda *arguments: ("loss", {"a": 1}))
            self.assertEqual(loss(None, None, None, None), ("loss", {"a": 1}))


class Generating:
    """A trainer, as far as both hooks know it."""

    def __init__(self, config=None):
        pass

    def _generate_and_score_completions(self, inputs):
        return {"completion_mask": None}

    def _compute_old_log_prob(self, batch, metrics):
        return batch


class Imports(Case):
    def test_each_needs_no_host_and_is_silent_without_a_contract(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TIKC_")} | {"PYTHONPATH": str(PACKAGE), "TIKC_LIBRARY": os.environ["TIKC_LIBRARY"]}
        program = ("import sys; sys.modules['torch'] = None; import tikc.hooks.verl, tikc.hooks.trl, tikc.hooks.slime, tikc.hooks.prime_rl, tikc.hooks.vllm, tikc.hooks.sglang, tikc.hooks.loop; "
                   "tikc.hooks.sglang.register(); log = tikc.hooks.vllm.StatLogger(None); log.record(None, None); log.log()")
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True, cwd=self.folder)
        self.assertEqual(done.stdout + done.stderr, "")

    def test_a_fork_watches_by_itself_and_its_evidence_is_saved_at_its_end(self):
        path = self.write("c.tikc.yaml", contract("c", GAP))
        program = ("import os, sys; import tikc.hooks.loop; w = tikc.hooks.loop.watch(sys.argv[1], evidence=sys.argv[2]); w.step([-0.5], [-0.5]); child = os.fork(); "
                   "logged = w.step([-0.5, -0.5], [-0.5, -0.5]); assert len(logged) > 4, logged; child and os.waitpid(child, 0); os.chdir('/')")
        done = subprocess.run([sys.executable, "-c", program, str(path), "kept"], cwd=self.folder, capture_output=True, text=True, check=True,
                              env=os.environ | {"PYTHONPATH": str(PACKAGE)})
        self.assertEqual(len(re.findall(ACTIVE.format("loop"), done.stderr, re.M)), 2, done.stderr)
        found = [tikc.Evidence.load(each) for each in (self.folder / "kept").iterdir()]
        self.assertEqual(sorted(each.tokens for each in found), [2, 3])
        self.assertEqual(tikc.merge(*found).responses, 3)


if __name__ == "__main__":
    main()
