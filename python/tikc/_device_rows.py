"""Figures of rows of logits, computed on the device where the rows are: copying rows to the host can take longer than the model's own step."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib.util
import logging
from ctypes import byref
from pathlib import Path
from typing import Any, List, Optional, Sequence, Tuple

from . import _c
from ._arrays import NARROW, address, dtype_name, is_torch, numpy
from ._library import Handle, gathered, must, tikc

LOG = logging.getLogger("tikc")
# Devices with double precision, whose memory the host cannot read.
DEVICES = ("cuda", "xpu")
# Those that libtikc has kernels for, and the formats that they read.
KERNEL_DEVICES = ("cuda",)
KERNEL_FORMATS = {"float32": _c.FP32, "float16": _c.FP16, **NARROW}
CHUNK = 1 << 25  # bytes of one matrix in double precision; about twelve exist at a time
# Exponentials of larger log-ratios leave the range of a double.
LARGEST = 600.0
# Differences of larger logits lose digits in double precision that libtikc keeps.
FARTHEST = 1e15
LOG_2 = 0.6931471805599453


class Reduction:
    """How a stream's rows are reduced on a device.

    libtikc has kernels for NVIDIA GPUs. Elsewhere Torch computes the figures in double precision, like a textbook; rows with NaN, infinities or tokens that
    only one side masks are then left to libtikc, which has rules for them.
    """

    def __init__(self, contract: Handle, stream: int) -> None:
        plan = _c.RowPlan()
        must(tikc.tikc_contract_rows(contract, stream, byref(plan)), "tikc_contract_rows")
        self.wants, self.scales = plan.wants, (plan.train_temperature, plan.infer_temperature)
        self.is_possible = bool(plan.is_reducible) and all(1e-6 < each < 1e6 for each in self.scales)

    def applies_to(self, train: Any, infer: Any, vocabulary: int) -> bool:
        """Return whether to reduce these rows on their device. Otherwise they are copied, and whatever is wrong with them is reported."""
        if not (self.is_possible and is_torch(train) and is_torch(infer)):
            return False
        size = train.shape[-1] if train.ndim else 0
        return bool(train.device.type in DEVICES and train.device == infer.device and train.ndim == 2 and train.shape == infer.shape
                    and str(train.layout) == str(infer.layout) == "torch.strided" and train.is_floating_point() and infer.is_floating_point() and size >= 2 and vocabulary in (0, size))

    def observe(self, tally: Handle, stream: int, train: Any, infer: Any, named: Sequence[Tuple[int, int]]) -> List[int]:
        """Observe rows, each with its slice and id, and return the rows that are left to libtikc."""
        np = numpy()
        places, ids = (np.array(column, kind) for column, kind in zip(zip(*named), (np.uint32, np.uint64)))
        if train.device.type in KERNEL_DEVICES and not is_rocm():
            reason = self.observe_with_kernels(tally, stream, train, infer, places, ids)
            if reason is None:
                return []
            explain_torch(reason)
        step, left = max(1, CHUNK // (8 * int(train.shape[1]))), []
        for begin in range(0, len(named), step):
            part = slice(begin, begin + step)
            figures, odd = self.figures(train[part], infer[part])
            columns = [np.ascontiguousarray(np.delete(each, odd, 0)) for each in (places[part], figures, ids[part])]
            must(tikc.tikc_observe_row_figures(tally, stream, *map(address, columns), len(columns[0])), "tikc_observe_row_figures")
            left += [begin + i for i in odd]
        return left

    def observe_with_kernels(self, tally: Handle, stream: int, train: Any, infer: Any, places: Any, ids: Any) -> Optional[str]:
        """Observe all rows, or return why the kernels cannot."""
        one, two = (each if each.stride(1) == 1 else each.contiguous() for each in (train.detach().resolve_neg(), infer.detach().resolve_neg()))
        formats = [KERNEL_FORMATS.get(dtype_name(each)) for each in (one, two)]
        if None in formats:
            return f"they do not read {dtype_name(one if formats[0] is None else two)}"
        load_compiler()
        index, queue = device_queue(one.device)
        rows = _c.DeviceRows(one.data_ptr(), two.data_ptr(), one.stride(0), two.stride(0), one.shape[1], queue, *formats, index)
        status, reason = gathered(tikc.tikc_observe_device_rows, tally, stream, address(places), byref(rows), address(ids), len(places))
        if status == _c.UNSUPPORTED:
            return reason.decode("utf-8", "replace")
        must(status, "tikc_observe_device_rows")
        return None

    def figures(self, train: Any, infer: Any) -> Tuple[Any, List[int]]:
        """Return a matrix on the host with a row of figures for each pair, and the pairs that are left to libtikc."""
        import torch

        with torch.no_grad():
            # In single precision first, as libtikc reads them.
            z, w = (each.detach().to(torch.float32).to(torch.float64) for each in (train, infer))
            out = torch.zeros((len(z), _c.ROW_FIGURES), dtype=torch.float64, device=z.device)
            masked = z == -torch.inf
            is_odd = masked.all(1) | (~(z < torch.inf) | ~(w < torch.inf) | (masked != (w == -torch.inf))).any(1)
            is_odd |= ~(self._compare_logits(out, z, w, masked) <= FARTHEST)
            if self.wants & WEIGHED:
                p, q = (torch.log_softmax(each / by, 1).masked_fill(masked, 0) for each, by in zip((z, w), self.scales))
                x = q.sub_(p)
                is_odd |= ~(x.abs().amax(1) <= LARGEST)
                self._compare_laws(out, p, x, masked)
            return out.cpu().numpy(), is_odd.nonzero().flatten().tolist()

    def _compare_logits(self, out: Any, z: Any, w: Any, masked: Any) -> Any:
        """Return the largest difference of each row, as far as a figure needs it."""
        import torch

        if self.wants & bits(_c.ROW_TOP1_FLIP):
            out[:, _c.ROW_TOP1_FLIP] = first_of_largest(z) != first_of_largest(w)
        if self.wants & bits(_c.ROW_TOP1_MARGIN):
            tops = (each.topk(2, 1).values for each in (z, w))
            out[:, _c.ROW_TOP1_MARGIN] = torch.minimum(*(top[:, 0] - top[:, 1] for top in tops))
        if not self.wants & bits(_c.ROW_LOGIT_LINF, _c.ROW_LOGIT_OSC, _c.ROW_LOGIT_L2, _c.ROW_LOGIT_REL):
            return out[:, _c.ROW_LOGIT_LINF]
        gap = (w - z).masked_fill_(masked, 0)
        size = gap.abs()
        out[:, _c.ROW_LOGIT_LINF] = size.amax(1)
        out[:, _c.ROW_LOGIT_L2] = gap.square().sum(1).sqrt()
        out[:, _c.ROW_LOGIT_REL] = size.div_(z.abs().clamp_(min=1)).amax(1)
        out[:, _c.ROW_LOGIT_OSC] = gap.masked_fill(masked, -torch.inf).amax(1) - gap.masked_fill(masked, torch.inf).amin(1)
        return out[:, _c.ROW_LOGIT_LINF]

    def _compare_laws(self, out: Any, log_p: Any, x: Any, masked: Any) -> None:
        """Sum over tokens, in terms of x = log q - log p, so that divergences of nearby laws keep their digits: each term is of their order."""
        import torch

        out[:, _c.ROW_LOGPROB_LINF] = x.abs().amax(1)
        if not self.wants & COMPARED:
            return
        p, u = log_p.exp().masked_fill_(masked, 0), torch.expm1(x)  # u = q/p - 1

        def put(figure: int, terms: Any, most: float = float("inf")) -> None:
            if self.wants & bits(figure):
                out[:, figure] = (p * terms()).sum(1).clamp_(0, most)

        def js() -> Any:
            middle = torch.log1p(u / 2)
            return ((1 + u) * (x - middle) - middle) / 2

        put(_c.ROW_TV, lambda: u.abs() / 2, 1)
        put(_c.ROW_HELLINGER, lambda: torch.expm1(x / 2).square_() / 2, 1)
        put(_c.ROW_KL_TRAIN_INFER, lambda: u - x)
        put(_c.ROW_KL_INFER_TRAIN, lambda: (1 + u) * x - u)
        put(_c.ROW_JS, js, LOG_2)
        put(_c.ROW_CHI2, lambda: torch.sinh(x / 2).mul_(2).square_())
        if self.wants & bits(_c.ROW_ENTROPY_GAP):
            out[:, _c.ROW_ENTROPY_GAP] = (p * (u * log_p + (1 + u) * x)).sum(1).abs()


def is_rocm() -> bool:
    """Return whether Torch's CUDA devices are AMD's."""
    import torch

    return getattr(torch.version, "hip", None) is not None


def device_queue(device: Any) -> Tuple[int, int]:
    """Return the driver's index of a GPU, and Torch's current stream there."""
    import torch

    return device.index, torch.cuda.current_stream(device).cuda_stream


@functools.lru_cache(maxsize=None)
def load_compiler() -> None:
    """Load the run-time compiler that Torch's wheels contain. libtikc then finds it by its name."""
    import torch

    spec = importlib.util.find_spec("nvidia")
    version = str(torch.version.cuda).split(".")[0]  # that Torch was built for
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for path in Path(folder).glob(f"*/lib/libnvrtc.so.{version}"):
            with contextlib.suppress(OSError):  # libtikc then reports that there is none
                ctypes.CDLL(str(path))


@functools.lru_cache(maxsize=None)
def explain_torch(reason: str) -> None:
    """Log each reason once."""
    LOG.info("tikc: Torch reduces the rows on this GPU, because libtikc's kernels cannot: %s", reason)


def bits(*figures: int) -> int:
    return sum(1 << each for each in figures)


COMPARED = bits(_c.ROW_TV, _c.ROW_HELLINGER, _c.ROW_KL_TRAIN_INFER, _c.ROW_KL_INFER_TRAIN, _c.ROW_JS, _c.ROW_CHI2, _c.ROW_ENTROPY_GAP)
WEIGHED = COMPARED | bits(_c.ROW_LOGPROB_LINF)


def first_of_largest(logits: Any) -> Any:
    """Return the index of each row's largest logit; of several, the first, which argmax does not promise."""
    import torch

    index = torch.arange(logits.shape[1], device=logits.device)
    return torch.where(logits == logits.amax(1, keepdim=True), index, logits.shape[1]).amin(1)
