"""Addresses of other libraries' arrays. Contiguous arrays of the right type are not copied; others are converted, never reinterpreted."""

from __future__ import annotations

import functools
import sys
from typing import Any, Iterator, List, Optional, Sequence, Tuple

from . import _c

CPU = (1, 3, 11, 13)  # DLPack's device types whose memory a CPU can read
# Logit types that NumPy lacks, by their names in Torch and ml_dtypes.
NARROW = {"bfloat16": _c.BF16, "float8_e4m3fn": _c.FP8_E4M3, "float8_e5m2": _c.FP8_E5M2}


class Pieces:
    """One-dimensional arrays, by their start addresses and sizes. `kept` holds the memory."""

    def __init__(self, kept: List[Any], starts: Sequence[int], sizes: List[int]) -> None:
        self.kept, self.starts, self.sizes = kept, starts, sizes

    def cut(self, name: str, lengths: Sequence[int], width: int, by: str) -> Pieces:
        """Return the pieces of one array that holds several, one after another. `by` names the argument that cuts it."""
        if len(self.starts) != 1:
            raise ValueError(f"`{by}` requires `{name}` to have one dimension")
        if sum(lengths) != self.sizes[0]:
            raise ValueError(f"`{by}` {'adds up to' if by == 'lengths' else 'ends at'} {sum(lengths)}, but `{name}` has size {self.sizes[0]}")
        starts, at = [], self.starts[0]
        for length in lengths:
            starts.append(at)
            at += length * width
        return Pieces(self.kept, starts, list(lengths))


@functools.lru_cache(maxsize=None)
def numpy() -> Any:
    try:
        import numpy as found
    except ImportError as why:
        raise ImportError("NumPy is required to observe arrays") from why
    return found


def is_torch(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def dtype_name(value: Any) -> str:
    return str(getattr(value, "dtype", "")).replace("torch.", "")


def on_host(name: str, value: Any) -> Any:
    """Return the value, or a copy on the CPU if it is a tensor on a device. The copy waits for the device."""
    if is_torch(value):
        if value.device.type == "meta":
            raise TypeError(f"`{name}` is on the meta device, which holds no data")
        if getattr(value, "is_quantized", False):
            raise TypeError(f"`{name}` is quantised: pass its dequantize()")
        if not getattr(value, "is_nested", False) and str(value.layout) != "torch.strided":
            raise TypeError(f"`{name}` has layout {str(value.layout).replace('torch.', '')}: pass its to_dense()")
        value = value.detach() if value.device.type == "cpu" else value.detach().to("cpu")
        return value.resolve_neg() if hasattr(value, "resolve_neg") else value
    if hasattr(value, "__dlpack_device__"):
        kind = value.__dlpack_device__()
        if int(kind[0]) not in CPU:
            raise TypeError(f"`{name}` is on device {tuple(map(int, kind))}: move it to the CPU")
    return value


def as_array(name: str, value: Any) -> Any:
    """Return the value as a NumPy array, as a view if possible."""
    np = numpy()
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray):
            raise TypeError(f"`{name}` is a masked array: pass its data, and its mask as `mask`")
        return value
    value = on_host(name, value)
    if is_torch(value):
        return (value.float() if dtype_name(value) in NARROW else value).numpy()
    if isinstance(value, (str, bytes, dict, set)) or value is None:
        raise TypeError(f"`{name}`: expected an array, found {type(value).__name__}")
    if hasattr(value, "__array__") or is_buffer(value) or isinstance(value, (list, tuple)):
        return np.asarray(value)
    if hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    raise TypeError(f"`{name}`: expected an array, found {type(value).__name__}")


def is_buffer(value: Any) -> bool:
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def parts(value: Any) -> Optional[List[Any]]:
    """Return the arrays of a list of arrays or of a nested tensor, or None for anything else."""
    if is_torch(value) and getattr(value, "is_nested", False):
        return list(value.unbind())
    if isinstance(value, (list, tuple)) and any(hasattr(each, "__len__") or is_torch(each) for each in value):
        return list(value)
    return None


def as_float(name: str, value: Any) -> Any:
    """Return the value as float32, with a contiguous last axis."""
    np = numpy()
    array = as_array(name, value)
    if array.dtype != np.float32 or not array.dtype.isnative:
        listed = isinstance(value, (list, tuple))
        if not (array.dtype.kind == "f" or dtype_name(array) in NARROW or (listed and (array.dtype.kind in "iu" or array.size == 0))):
            raise TypeError(f"`{name}`: expected log-probs as floats, found dtype {array.dtype}")
        with np.errstate(over="ignore"):
            array = array.astype(np.float32)
    return in_rows(array)


def as_double(name: str, value: Any) -> Any:
    """Return the value as float64, with a contiguous last axis. A single number becomes an array of size 1."""
    np = numpy()
    array = as_array(name, value) if not isinstance(value, (int, float)) else np.asarray(value)
    if array.dtype.kind not in "fiu" and dtype_name(array) not in NARROW and array.size:
        raise TypeError(f"`{name}`: expected numbers, found dtype {array.dtype}")
    return in_rows(np.atleast_1d(array).astype(np.float64))


def as_mask(name: str, value: Any) -> Any:
    """Return one byte per token. Tokens with a nonzero byte count."""
    np = numpy()
    array = as_array(name, value)
    if array.dtype == np.bool_ or array.dtype == np.uint8:
        return in_rows(array.view(np.uint8))
    if array.dtype.kind not in "iuf" and dtype_name(array) not in NARROW:
        raise TypeError(f"`{name}`: expected booleans or numbers, found dtype {array.dtype}")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"`{name}` contains a NaN")
    return in_rows((array != 0).view(np.uint8))


def in_rows(array: Any) -> Any:
    contiguous = array.ndim == 0 or array.shape[-1] <= 1 or array.strides[-1] == array.itemsize
    return array if contiguous and array.flags.aligned else array.copy(order="C")


def address(array: Any) -> int:
    at: Tuple[int, bool] = array.__array_interface__["data"]
    return at[0]


def starts_of(array: Any) -> Sequence[int]:
    """Return the start addresses of an array's rows."""
    first, stride, count = address(array), array.strides[0], array.shape[0]
    return range(first, first + stride * count, stride) if stride else [first] * count


def pieces(name: str, value: Any, convert: Any) -> Pieces:
    """Return one piece for a one-dimensional array, one per row for two dimensions, or one per array for a list."""
    each = parts(value)
    if each is not None:
        arrays = [convert(f"{name}[{i}]", one) for i, one in enumerate(each)]
        for i, array in enumerate(arrays):
            if array.ndim != 1:
                raise ValueError(f"`{name}[{i}]`: expected 1 dimension, found {array.ndim}")
        return Pieces(arrays, [address(array) for array in arrays], [array.size for array in arrays])
    array = convert(name, value)
    if array.ndim == 1:
        return Pieces([array], [address(array)], [array.size])
    if array.ndim != 2:
        raise ValueError(f"`{name}`: expected 1 or 2 dimensions, found {array.ndim}")
    count, size = array.shape
    return Pieces([array], starts_of(array), [size] * count)


def same_shape(name: str, of: Pieces, other_name: str, other: Pieces) -> None:
    if len(of.sizes) != len(other.sizes):
        raise ValueError(f"`{name}` and `{other_name}` differ in responses: {len(of.sizes)} and {len(other.sizes)}")
    if of.sizes != other.sizes:
        i = next(i for i, (one, two) in enumerate(zip(of.sizes, other.sizes)) if one != two)
        raise ValueError(f"`{name}` and `{other_name}` differ in tokens of response {i}: {of.sizes[i]} and {other.sizes[i]}")


def whole_numbers(name: str, value: Any) -> List[int]:
    array = as_array(name, list(value) if isinstance(value, range) else value)
    if array.size == 0:
        return []
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise TypeError(f"`{name}`: expected integers in 1 dimension, found dtype {array.dtype} and shape {array.shape}")
    if array.min() < 0:
        raise ValueError(f"`{name}`: expected numbers of at least 0, found {array.min()}")
    out: List[int] = array.tolist()
    return out


def lengths_of(name: str, offsets: Any) -> List[int]:
    """Return the lengths of responses from their offsets: each response runs from one offset to the next, as in a jagged tensor."""
    bounds = whole_numbers(name, offsets)
    if not bounds or bounds[0] != 0:
        raise ValueError(f"`{name}`: expected the first offset to be 0, found {bounds[0] if bounds else 'none'}")
    out = [end - begin for begin, end in zip(bounds, bounds[1:])]
    if any(each < 0 for each in out):
        raise ValueError(f"`{name}`: expected offsets in ascending order")
    return out


class Logits:
    """Rows of logits, by their start addresses and number format."""

    def __init__(self, name: str, value: Any, vocabulary: int) -> None:
        np = numpy()
        array, self.format = self._stored(name, value)
        if array.ndim == 1:
            array = array[np.newaxis]
        if array.ndim != 2:
            raise ValueError(f"`{name}`: expected 1 or 2 dimensions, found {array.ndim}")
        if vocabulary and array.shape[1] != vocabulary:
            raise ValueError(f"`{name}`: expected rows of {vocabulary} logits (the contract's vocabulary), found {array.shape[1]}")
        self.kept = array = in_rows(array)
        self.count, self.size = array.shape
        self.starts = starts_of(array)

    @staticmethod
    def _stored(name: str, value: Any) -> Tuple[Any, int]:
        """Return the logits and their format: unchanged if a kernel reads that format, else as float32."""
        np = numpy()
        value = on_host(name, value)
        narrow = NARROW.get(dtype_name(value))
        if narrow is not None:
            bits = np.uint16 if narrow == _c.BF16 else np.uint8
            if is_torch(value):
                import torch

                return value.view(torch.int16 if narrow == _c.BF16 else torch.uint8).numpy().view(bits), narrow
            array = np.asarray(value)
            return array.view(bits), narrow
        array = as_array(name, value)
        if array.dtype == np.float16 and array.dtype.isnative:
            return array, _c.FP16
        listed = isinstance(value, (list, tuple))
        if array.dtype.kind != "f" and not (listed and array.dtype.kind in "iu"):
            raise TypeError(f"`{name}`: expected logits as floats, found dtype {array.dtype}")
        with np.errstate(over="ignore"):
            return array.astype(np.float32, copy=False), _c.FP32


def as_rows(train: Any, infer: Any) -> Tuple[Any, Any, Optional[Tuple[int, int]]]:
    """Return both sides as rows. For three dimensions, also return how many responses there are, and the tokens of each."""
    shapes = [tuple(getattr(each, "shape", ())) for each in (train, infer)]
    if 3 not in map(len, shapes):
        return train, infer, None
    if shapes[0] != shapes[1]:
        raise ValueError(f"`train` and `infer` differ in shape: {shapes[0]} and {shapes[1]}")
    several, size, vocabulary = map(int, shapes[0])
    return train.reshape(several * size, vocabulary), infer.reshape(several * size, vocabulary), (several, size)


def rows_kept(mask: Any, count: int, responses: Optional[Tuple[int, int]]) -> Sequence[int]:
    """Return for each row whether it counts."""
    if mask is None:
        return bytes([1]) * count
    kept = as_mask("mask", mask)
    wanted = responses or (count,)
    if kept.shape != wanted:
        raise ValueError(f"`mask`: expected shape {wanted}, found {kept.shape}")
    out: Sequence[int] = kept.reshape(-1).tolist()
    return out


MOST_COPIED = 1 << 26  # bytes of rows copied from a device at a time


def paired(train: Any, infer: Any, vocabulary: int) -> Tuple[Logits, Logits]:
    """Return rows of both sides in the host's memory."""
    out = Logits("train", train, vocabulary), Logits("infer", infer, vocabulary)
    shapes = [(each.count, each.size) for each in out]
    if shapes[0] != shapes[1]:
        raise ValueError(f"`train` and `infer` differ in shape: {shapes[0]} and {shapes[1]}")
    return out


def are_on_a_device(train: Any, infer: Any) -> bool:
    """Return whether these are rows outside of the host's memory."""
    if not any(is_torch(each) and each.device.type not in ("cpu", "meta") for each in (train, infer)) or train.ndim != 2 or not train.shape[0]:
        return False
    if tuple(train.shape) != tuple(infer.shape):
        raise ValueError(f"`train` and `infer` differ in shape: {tuple(train.shape)} and {tuple(infer.shape)}")
    return True


def rows_of(array: Any, which: List[int]) -> Any:
    """Return some rows of an array, in ascending order; a view if they are consecutive."""
    return array[which[0] : which[-1] + 1] if which[-1] - which[0] == len(which) - 1 else array[which]


class OutputLayer:
    """Hidden states and an output layer's weights: rows of logits that are computed when they are needed."""

    def __init__(self, name: str, hidden: Any, weights: Any) -> None:
        hidden, weights = (each.detach() if is_torch(each) else numpy().asarray(each) for each in (hidden, weights))
        if hidden.ndim == 1:
            hidden = hidden[None]
        if hidden.ndim != 2 or weights.ndim != 2 or hidden.shape[1] != weights.shape[1]:
            raise ValueError(f"`{name}`: expected hidden states of shape [rows, width] and weights of shape [vocabulary, width], "
                             f"found {tuple(hidden.shape)} and {tuple(weights.shape)}")
        self.name, self.hidden, self.weights = name, hidden, weights
        self.count, self.size = int(hidden.shape[0]), int(weights.shape[0])

    def logits(self, which: List[int]) -> Any:
        return rows_of(self.hidden, which) @ self.weights.T


def equal_counts(sides: Sequence[OutputLayer]) -> int:
    """Return how many rows both sides have."""
    shapes = [(side.count, side.size) for side in sides]
    if shapes[0] != shapes[1]:
        raise ValueError(f"`train` and `infer` differ in rows and vocabulary: {shapes[0]} and {shapes[1]}")
    return shapes[0][0]


def copied_at_a_time(vocabulary: int) -> int:
    return max(1, MOST_COPIED // max(1, 4 * vocabulary))


def in_chunks(items: List[int], size: int) -> Iterator[List[int]]:
    if size < 1:
        raise ValueError(f"`chunk`: expected at least 1, found {size}")
    return (items[begin : begin + size] for begin in range(0, len(items), size))
