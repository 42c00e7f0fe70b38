"""Monitors in a training step: masks of what breaks a bound of its own, as NumPy has them; jagged and nested tensors; tensors of devices; what calls cost,
and that an interrupt leaves a monitor that can be used."""

import signal
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from compilers import GCC  # noqa: E402
from cuda_stand_in import StandIn  # noqa: E402
from harness import Case, contract, main  # noqa: E402
from tikc_python import PACKAGE, tikc  # noqa: E402

import numpy  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

OBSERVED = "observability:\n  rows: sample(logits, 1%)\n  tokens: sample(logprobs, 100%)\n"
SLICES = 'labels: { task: [math, code] }\nslices:\n  math: { when: task == "math" }\n'
GAP = "statistical:\n  gap: mean(abs(logprob_gap)) <= 0.05 nat\n"
WORST = "numerical:\n  worst: max(abs(logprob_gap)) <= 0.2\n  least: min(ratio) >= 0.9\n"


def loaded(*sections):
    return tikc.loads(contract("c", *sections, OBSERVED))


def sides(shape, seed=1, noise=0.08):
    random = numpy.random.default_rng(seed)
    infer = -random.exponential(0.7, shape).astype(numpy.float32)
    return numpy.minimum(infer + random.normal(0, noise, shape).astype(numpy.float32), 0), infer


def masking(*sections):
    return loaded(*sections).monitor(on_violation="mask", on_fault="raise")


class Masks(Case):
    def test_tokens_that_break_a_bound_are_left_out(self):
        train, infer = sides((40, 60))
        train[3, 5] = numpy.nan
        counts = numpy.random.default_rng(2).random(train.shape) < 0.8
        gap = (train - infer).astype(numpy.float64)
        kept = masking(WORST, GAP).tokens(train, infer, mask=counts)
        wanted = counts & (numpy.abs(gap) <= 0.2) & (numpy.exp(gap) >= 0.9)
        numpy.testing.assert_array_equal(kept, wanted)
        self.assertEqual(kept.dtype, numpy.bool_)
        self.assertTrue(0 < (counts & ~wanted).sum() < wanted.sum())
        # A mean and a quantile are of no single token.
        numpy.testing.assert_array_equal(masking(GAP).tokens(train, infer, mask=counts), counts)

    def test_responses_that_break_a_bound_are_left_out_whole(self):
        train, infer = sides((200, 9), noise=0.05)
        gap = (train - infer).astype(numpy.float64)
        tv = numpy.maximum(0, -numpy.expm1(gap.sum(1)))
        kept = masking("statistical:\n  whole: max(seq_tv) <= 0.1\n").tokens(train, infer)
        numpy.testing.assert_array_equal(kept, numpy.repeat((tv <= 0.1)[:, None], 9, 1))
        self.assertTrue(0 < (tv > 0.1).sum() < 200)

    def test_a_bound_holds_on_its_slice(self):
        held = masking(SLICES, "numerical:\n  worst: max(abs(logprob_gap)) <= 0.2 on math\n  rest: mean(abs(logprob_gap)) <= 1\n")
        train, infer = sides((10, 50), noise=0.2)
        tasks = ["math", "code"] * 5
        kept = held.tokens(train, infer, labels={"task": tasks})
        is_math = numpy.array(tasks)[:, None] == "math"
        numpy.testing.assert_array_equal(kept, ~is_math | (numpy.abs((train - infer).astype(numpy.float64)) <= 0.2))

    def test_lies_as_the_tokens_do(self):
        train, infer = sides((6, 8))
        wanted = masking(WORST).tokens(train, infer)
        flat = masking(WORST).tokens(train.ravel(), infer.ravel(), lengths=[8] * 6)
        numpy.testing.assert_array_equal(flat, wanted.ravel())
        listed = masking(WORST).tokens(list(train), list(infer))
        numpy.testing.assert_array_equal(numpy.stack(listed), wanted)
        self.assertEqual(masking(WORST).tokens(train[:0], infer[:0]).shape, (0, 8))
        if torch:
            tensor = masking(WORST).tokens(torch.from_numpy(train), torch.from_numpy(infer))
            self.assertEqual((tensor.dtype, tensor.tolist()), (torch.bool, wanted.tolist()))

    def test_the_step_goes_on_whatever_is_wrong(self):
        monitor = loaded(WORST).monitor(on_violation="mask")
        train, infer = sides((2, 3))
        mask = numpy.ones((2, 3), bool)
        self.assertIs(monitor.tokens(train, infer[:, :2], mask=mask), mask)
        self.assertEqual(len(monitor.faults), 1)
        self.assertIsNone(loaded(WORST).monitor().tokens(train, infer))
        monitor.tokens(train - 9, infer)
        self.assertEqual(monitor.tick().verdict, "violated")  # which is logged


class Jagged(Case):
    def test_offsets_cut_what_has_one_dimension(self):
        held = loaded(GAP)
        train, infer = sides(30)
        one, other = (held.monitor(on_fault="raise") for _ in range(2))
        one.tokens(train, infer, offsets=[0, 7, 7, 30])
        other.tokens(train, infer, lengths=[7, 0, 23])
        self.assertEqual(one.take(), other.take())
        for offsets, why in (([1, 30], "`offsets`: expected the first offset to be 0, found 1"), ([], "to be 0, found none"), ([0, 9, 8, 30], "`offsets`: expected offsets in ascending order"),
                             ([0, 29], "`offsets` ends at 29")):
            with self.assertRaisesRegex(ValueError, why):
                one.tokens(train, infer, offsets=offsets)
        with self.assertRaisesRegex(ValueError, "`lengths` cannot be combined with `offsets`"):
            one.tokens(train, infer, offsets=[0, 30], lengths=[30])

    @unittest.skipUnless(torch and hasattr(torch, "nested") and hasattr(torch.nested, "nested_tensor"), "this Torch has no nested tensors")
    def test_nested_tensors_are_responses(self):
        train, infer = sides(30)
        cut = [torch.from_numpy(each.copy()) for each in (train[:7], train[7:])], [torch.from_numpy(each.copy()) for each in (infer[:7], infer[7:])]
        one, other = (loaded(WORST).monitor(on_violation="mask", on_fault="raise") for _ in range(2))
        kept = one.tokens(*map(torch.nested.nested_tensor, cut))
        wanted = other.tokens(train, infer, offsets=torch.tensor([0, 7, 30]))
        self.assertEqual(one.take(), other.take())
        self.assertEqual(torch.cat(kept).tolist(), wanted.tolist())


@unittest.skipUnless(torch, "python3-torch is not installed")
class Layouts(Case):
    def test_a_tensor_is_what_its_array_is(self):
        arrays = sides((12, 17))
        for kind in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
            train, infer = (torch.from_numpy(each.copy()).to(kind) for each in arrays)
            train.requires_grad_(True)
            mask = torch.from_numpy(arrays[0] > -1)
            gap = (train.detach().float() - infer.float()).abs().double()
            for lay in (lambda x: x, lambda x: x.t().contiguous().t(), lambda x: list(x), lambda x: x.repeat_interleave(2, 1)[:, ::2]):
                monitor = loaded(GAP).monitor(on_fault="raise")
                monitor.tokens(lay(train), lay(infer), mask=lay(mask))
                window = monitor.tick(0.0)
                self.assertAlmostEqual(window.of("gap").figures[0].value, gap[mask].mean().item(), delta=1e-7)
                self.assertEqual(window.observed["other"].tokens, int(mask.sum()))
        with self.assertRaisesRegex(TypeError, "`train` is on the meta device"):
            monitor.tokens(train.to("meta"), infer)

    def test_rows_of_a_tensor_are_those_of_its_array(self):
        held = loaded("model: { vocabulary: 17 }\n", "numerical:\n  tv: mean(tv) <= 0.5\n")
        mask = numpy.arange(12) % 3 != 0
        for kind in (torch.float32, torch.bfloat16, torch.float16):
            rows = [torch.from_numpy(each).to(kind) for each in sides((12, 17))]
            one, other = held.monitor(on_fault="raise"), held.monitor(on_fault="raise")
            one.rows(*rows, mask=torch.from_numpy(mask))
            other.rows(*(each.float().numpy() for each in rows), mask=mask)
            self.assertEqual(*(monitor.tick(0.0).of("tv").figures for monitor in (one, other)))

    def test_rows_of_an_output_layer_are_those_of_its_logits(self):
        held = loaded("model: { vocabulary: 17 }\n", "numerical:\n  tv: mean(tv) <= 0.5\n")
        torch.manual_seed(1)
        layers = [torch.nn.Linear(8, 17, bias=False) for _ in range(2)]
        hidden = torch.randn(3, 4, 8)
        mask = torch.tensor([[1, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1, 1]])
        for kind in (torch.float32, torch.bfloat16):
            weights, states = [layer.weight.to(kind) for layer in layers], hidden.to(kind)
            one, other = held.monitor(on_fault="raise"), held.monitor(on_fault="raise")
            one.rows_linear(states, weights[0], states, weights[1], mask=mask, chunk=2)
            other.rows(*(states.detach() @ each.detach().T for each in weights), mask=mask)
            found, wanted = (monitor.tick(0.0).of("tv").figures[0] for monitor in (one, other))
            self.assertAlmostEqual(found.value, wanted.value, delta=2e-3 * wanted.value)
            self.assertEqual((found.observations, wanted.observations), (7, 7))
        most = []
        original = torch.Tensor.__matmul__
        with mock.patch.object(torch.Tensor, "__matmul__", lambda a, b: most.append(a.shape[0]) or original(a, b)):
            held.monitor(on_fault="raise").rows_linear(hidden, layers[0].weight, hidden, layers[1].weight, chunk=5)
        self.assertEqual(most, [5, 5, 5, 5, 2, 2])  # no more rows exist at a time

    def test_numbers_that_torch_negates_when_they_are_read(self):
        train, infer = (torch.from_numpy(each) for each in sides((3, 20)))
        negated = torch.complex(torch.zeros(3, 20), -train).conj().imag
        self.assertTrue(negated.is_neg())
        one, other = loaded(GAP).monitor(on_fault="raise"), loaded(GAP).monitor(on_fault="raise")
        one.tokens(train, infer)
        other.tokens(negated, infer)
        self.assertEqual(one.take(), other.take())

    def test_what_lies_otherwise_is_named(self):
        train, infer = (torch.from_numpy(each) for each in sides((3, 20)))
        monitor = loaded("model: { vocabulary: 20 }\n", GAP, WORST).monitor(on_fault="raise")
        quantised = torch.quantize_per_tensor(train, 0.1, 0, torch.qint8)
        for call in (monitor.tokens, monitor.rows):
            with self.assertRaisesRegex(TypeError, r"`infer` has layout sparse_coo: pass its to_dense\(\)"):
                call(train, infer.to_sparse())
            with self.assertRaisesRegex(TypeError, r"`train` is quantised: pass its dequantize\(\)"):
                call(quantised, infer)
        with self.assertRaisesRegex(TypeError, r"`mask` has layout sparse_coo"):
            monitor.tokens(train, infer, mask=torch.ones(3, 20).to_sparse())


class Devices(Case):
    def test_what_has_no_numbers_is_refused(self):
        train, infer = map(torch.from_numpy, sides((2, 5)))
        monitor = loaded(GAP).monitor(on_fault="raise")
        for call in (lambda: monitor.tokens(train.to("meta"), infer), lambda: monitor.rows(train, infer.to("meta"))):
            with self.assertRaisesRegex(TypeError, "is on the meta device, which holds no data"):
                call()

    def test_rows_of_a_device_come_in_parts(self):
        """As no device is here: one whose tensors are the processor's, but for their name."""
        held = loaded("model: { vocabulary: 64 }\n", SLICES, "numerical:\n  tv: mean(tv) <= 0.5\n  worst: max(logit_osc) <= 99\n")

        class Far(torch.Tensor):
            copies = []

            @property
            def device(self):
                return torch.device("mps")  # which has no double precision

            def to(self, *where, **options):
                Far.copies.append(tuple(self.shape))
                return self.as_subclass(torch.Tensor)

        near = [torch.randn(100, 64), torch.randn(100, 64)]
        tasks = ["math", "code"] * 50
        taken = []
        for rows in (near, [each.as_subclass(Far) for each in near]):
            for ids in (None, list(range(500, 600))):
                monitor = held.monitor(on_fault="raise")
                with mock.patch("tikc._arrays.MOST_COPIED", 64 * 4 * 30):
                    monitor.rows(*rows, labels={"task": tasks}, ids=ids)
                taken.append(monitor.take())
        self.assertEqual(taken[:2], taken[2:])
        self.assertEqual({shape for shape in Far.copies}, {(30, 64), (10, 64)})
        with self.assertRaisesRegex(ValueError, r"`train` and `infer` differ in shape: \(100, 64\) and \(99, 64\)"):
            held.monitor(on_fault="raise").rows(near[0].as_subclass(Far), near[1][:99].as_subclass(Far))


FIGURES = ("logit_linf", "logit_osc", "logit_l2", "logit_rel", "logprob_linf", "tv", "hellinger", "kl_train_infer", "kl_infer_train", "js", "chi2", "top1_flip",
           "top1_margin", "entropy_gap", "missing_mass", "nonfinite")
SIZE = 300


def row_pairs():
    """Rows of all kinds, by name."""
    draw = torch.Generator().manual_seed(5)
    random = lambda by=1.0: by * torch.randn(SIZE, generator=draw)  # noqa: E731
    out = {}
    for drift in (0, 1e-6, 1e-4, 1e-2, 0.3, 3, 20, 300):
        for peak in (1, 6, 40):
            row = random(peak)
            out[f"drift {drift}, peak {peak}"] = row, row + random(drift)
    row = random(3)
    out["far apart"] = row, row + 5000 + random(0.1)
    out["far below"] = torch.where(torch.arange(SIZE) == 3, 0.0, -800.0), torch.where(torch.arange(SIZE) == 9, 0.0, -100.0)
    out["ties"] = torch.where(torch.arange(SIZE) % 7 == 6, 2.0, 1.0), torch.where(torch.arange(SIZE) % 14 == 6, 2.0, 1.0)
    masked = torch.arange(SIZE) % 3 == 0
    hidden = lambda row, which=masked: row.masked_fill(which, -torch.inf)  # noqa: E731
    out["masked alike"] = hidden(row), hidden(row + random(0.2))
    out["one token"] = hidden(row, torch.arange(SIZE) != 4), hidden(row, torch.arange(SIZE) != 4)
    out["beyond doubles"] = torch.where(torch.arange(SIZE) == 3, -3e38, 80.0), torch.where(torch.arange(SIZE) == 3, 3e38, -5000.0)
    for name, which in (("train", (hidden(row), row)), ("infer", (row, hidden(row))), ("nothing", (hidden(row, masked | True), row)),
                        ("nothing twice", (hidden(row, masked | True), hidden(row, masked | True)))):
        out[f"masked: {name}"] = which
    for value in (torch.nan, torch.inf):
        out[f"{value} on one side"] = row, torch.where(torch.arange(SIZE) == 8, value, row)
    return out


class ReductionCase(Case):
    """Rows that are reduced where they are. The processor stands in for the device."""

    def figures(self, held, train, infer, is_reduced):
        monitor = held.monitor(on_fault="raise")
        with mock.patch("tikc._device_rows.DEVICES", ("cpu",)), mock.patch("tikc._monitor.are_on_a_device", lambda *_: is_reduced):
            monitor.rows(train, infer)
        window = monitor.tick(0.0)
        return {name: window.of(name).figures[0] for name in FIGURES}

    def compare(self, model="", kind=None):
        clauses = "".join(f"  {name}: max({name}) <= {1 if name == 'missing_mass' else '1e300'}\n" for name in FIGURES if name not in ("tv", "hellinger", "js", "top1_flip"))
        clauses += "".join(f"  {name}: max({name}) <= 0.6\n" for name in ("tv", "hellinger", "js", "top1_flip"))
        held = loaded(f"model: {{ vocabulary: {SIZE}{model} }}\n", "numerical:\n" + clauses)
        reduced = 0
        original = tikc._device_rows.Reduction.figures

        def counted(*arguments):
            nonlocal reduced
            figures, odd = original(*arguments)
            reduced += len(figures) - len(odd)
            return figures, odd

        with mock.patch.object(tikc._device_rows.Reduction, "figures", counted):
            for pair, rows in row_pairs().items():
                train, infer = (each[None].to(kind or torch.float32) for each in rows)
                wanted, found = (self.figures(held, train, infer, is_reduced) for is_reduced in (False, True))
                for name in FIGURES:
                    with self.subTest(rows=pair, figure=name, model=model, kind=kind):
                        self.assertEqual(found[name].observations, 1)
                        one, other = wanted[name].value, found[name].value
                        exact = max(1e-4 * abs(one), 2e-6 if name in ("logit_linf", "logit_osc", "logprob_linf") else 1e-6 if name == "entropy_gap" else 1e-12)
                        self.assertTrue(one == other or abs(one - other) <= exact, f"{one} and {other}")
        return reduced


@unittest.skipUnless(torch, "python3-torch is not installed")
class Reductions(ReductionCase):
    def test_figures_are_those_of_libtikc(self):
        # Six rows have other faults than drift, and five are beyond what doubles can subtract or raise.
        self.assertEqual(self.compare(), len(row_pairs()) - 11)

    def test_at_other_temperatures(self):
        for temperature in (0.6, 3):
            self.assertGreater(self.compare(f", temperature: {temperature}"), 20)
        self.assertEqual(self.compare(", temperature: 0"), 0)  # which no exponential gives

    def test_in_other_formats(self):
        for kind in (torch.float64, torch.bfloat16, torch.float16):
            self.assertGreater(self.compare(kind=kind), 20)


@unittest.skipUnless(torch and GCC, "python3-torch or g++ is not installed")
class Kernels(ReductionCase):
    """libtikc's kernels. A stand-in for the driver runs the host's build of them."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = cls.shared_folder()
        cls.stand_in = StandIn(cls.scratch)

    def setUp(self):
        super().setUp()
        for name, value in (("KERNEL_DEVICES", ("cpu",)), ("device_queue", lambda _: (0, self.stand_in.stream)), ("load_compiler", lambda: None)):
            self.enterContext(mock.patch(f"tikc._device_rows.{name}", value))
        self.enterContext(mock.patch.dict("os.environ", {"XDG_CACHE_HOME": str(self.scratch)}))

    def test_figures_are_those_of_libtikc(self):
        for kind in (torch.float32, torch.bfloat16, torch.float16):
            self.assertEqual(self.compare(kind=kind), 0)  # by Torch
        self.assertEqual(self.compare(", temperature: 0.6"), 0)
        self.assertGreater(self.stand_in.compilations(), 0)

    def test_other_types_are_left_to_torch(self):
        with self.assertLogs("tikc", "INFO") as logged:
            self.assertGreater(self.compare(kind=torch.float64), 20)
        self.assertEqual([each.getMessage() for each in logged.records if "GPU" in each.getMessage()],
                         ["tikc: Torch reduces the rows on this GPU, because libtikc's kernels cannot: they do not read float64"])

    def test_a_failure_is_logged_once(self):
        explain = tikc._device_rows.explain_torch
        explain.cache_clear()
        held, rows = loaded(f"model: {{ vocabulary: {SIZE} }}\n", "numerical:\n  tv: max(tv) <= 0.5\n"), torch.zeros(3, SIZE)
        with mock.patch.dict("os.environ", {"STAND_IN_FAILS": "cuModuleLoadData"}), self.assertLogs("tikc", "INFO") as logged:
            monitor = held.monitor(on_fault="raise")
            with mock.patch("tikc._device_rows.DEVICES", ("cpu",)), mock.patch("tikc._monitor.are_on_a_device", lambda *_: True):
                for _ in range(3):
                    monitor.rows(rows, rows)
        self.assertEqual(monitor.tick(0.0).of("tv").figures[0].observations, 9)
        self.assertEqual([each.getMessage() for each in logged.records],
                         ["tikc: Torch reduces the rows on this GPU, because libtikc's kernels cannot: "
                          "the NVIDIA driver cannot load the kernels: as asked (error 2)"])

    def test_columns_and_views(self):
        held = loaded(f"model: {{ vocabulary: {SIZE} }}\n", "numerical:\n" + "".join(f"  {name}: max({name}) <= 1e300\n" for name in ("logit_linf", "chi2")))
        draw = torch.Generator().manual_seed(1)
        train, noise = (torch.randn(SIZE, 50, generator=draw) for _ in range(2))
        sides = train.T, (train + noise).T.requires_grad_()  # columns, whose elements are not adjacent
        found = []
        for is_reduced in (False, True):
            monitor = held.monitor(on_fault="raise")
            with mock.patch("tikc._device_rows.DEVICES", ("cpu",)), mock.patch("tikc._monitor.are_on_a_device", lambda *_: is_reduced):
                monitor.rows(*(side.detach() if not is_reduced else side for side in sides))
                monitor.rows(*(side.detach()[::7, :SIZE] for side in sides))
            window = monitor.tick(0.0)
            found.append([window.of(name).figures[0].value for name in ("logit_linf", "chi2")] + [window.of("chi2").figures[0].observations])
        numpy.testing.assert_allclose(*found, rtol=1e-4)


class Steps(Case):
    def test_tells_what_it_costs(self):
        monitor = loaded(GAP).monitor()
        self.assertEqual((monitor.cost.calls, monitor.cost.seconds), (0, 0.0))
        pair = sides((64, 4096))
        began = time.perf_counter()
        for _ in range(3):
            monitor.tokens(*pair)
        monitor.end_step()
        monitor.tick()
        spent = time.perf_counter() - began
        self.assertEqual(monitor.cost.calls, 5)
        self.assertGreater(monitor.cost.seconds, 0)
        self.assertLessEqual(monitor.cost.seconds, spent)

    def test_what_is_raised_in_a_callback_is_not_lost(self):
        """An interrupt may come there as anywhere, and ctypes would drop it, and with it what was told."""
        monitor = loaded(GAP, 'escalation:\n  r: { when: violated(gap), do: alert("us"), until: satisfied(gap) }\n').monitor()
        train, infer = sides((4, 50), noise=0.5)
        monitor.tokens(train, infer)
        with mock.patch.object(type(monitor._reading), "_action", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                monitor.tick()
        monitor.tokens(train, infer)
        self.assertEqual([each.kind for each in monitor.tick().actions], ["alert"])

    def test_an_interrupt_leaves_a_monitor_that_can_be_used(self):
        monitor = loaded(GAP).monitor()
        train, infer = sides((20_000, 200))
        interrupted = 0
        for _ in range(5):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            before = signal.signal(signal.SIGALRM, signal.default_int_handler)
            try:
                for _ in range(1000):
                    monitor.tokens(train, infer)
            except KeyboardInterrupt:
                interrupted += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)
        self.assertEqual(interrupted, 5)
        self.assertEqual({name.split(":")[0] for name in monitor.faults}, {"tokens"})
        self.assertEqual((sum(monitor.faults.values()), monitor.tick().faults), (5, 5))  # nobody knows how much of them came in
        monitor.tokens(*sides((10, 20)))
        window = monitor.tick()
        self.assertEqual((window.observed["other"].tokens, window.faults), (200, 0))

    def test_an_interrupt_at_any_line_is_exact_or_told(self):
        """Of a call that cuts responses, of a step's end and of a tick: what is retried counts once, or what was interrupted is told to have failed."""
        held = loaded('slices:\n  early: { when: position < 10 }\n', GAP)
        train, infer = sides((3, 20), noise=0.01)
        told = exact = 0
        for at in range(1, 4000, 7):
            monitor = held.monitor(keeps_evidence=True)
            left = at

            def trace(frame, event, argument):
                nonlocal left
                # What is raised in `__del__` Python tells and drops.
                if not frame.f_code.co_filename.startswith(str(PACKAGE)) or frame.f_code.co_name == "__del__":
                    return None
                left -= event != "return"
                if left == 0 and event != "return":
                    raise KeyboardInterrupt
                return trace

            was = 0
            sys.settrace(trace)
            try:
                monitor.tokens(train, infer)
                was = 1
                monitor.end_step()
                was = 2
                monitor.tick()
                was = 3
            except KeyboardInterrupt:
                pass
            finally:
                sys.settrace(None)
            if was == 3:
                break
            if was == 0:
                monitor.tokens(train, infer)
            if was <= 1:
                monitor.end_step()
            window = monitor.tick()
            if window.faults:
                told += 1
                self.assertGreater(monitor.evidence.failed, 0)
                self.assertEqual(held.measure(monitor.evidence).verdict, "undecided")
            else:
                exact += 1
                self.assertEqual(sum(each.tokens for each in window.observed.values()), 60, at)
                self.assertEqual((monitor.evidence.tokens, held.measure(monitor.evidence).verdict), (60, "satisfied"), at)
        self.assertEqual(was, 3)
        self.assertGreater(told, 20)

    def test_what_was_interrupted_while_it_was_made_goes_silently(self):
        from tikc._library import Handle

        with mock.patch("sys.unraisablehook") as unraisable:
            Handle.__new__(Handle).__del__()
        unraisable.assert_not_called()


if __name__ == "__main__":
    main()
