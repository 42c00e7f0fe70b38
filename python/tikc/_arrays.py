"""Numbers of others, as addresses. Nothing is copied that is contiguous and of the right type; the rest is converted, never reinterpreted."""

from __future__ import annotations

import functools
import sys
from typing import Any, Iterator, List, Optional, Sequence, Tuple

from . import _c

CPU = (1, 3, 11, 13)  # the kinds of memory, as DLPack has them, that a processor reads
# Logits that NumPy has no numbers of, by the name that Torch and ml_dtypes give them.
NARROW = {"bfloat16": _c.BF16, "float8_e4m3fn": _c.FP8_E4M3, "float8_e5m2": _c.FP8_E5M2}


class Pieces:
    """Arrays of one dimension: where each begins, and how many it has. `kept` is the memory."""

    def __init__(self, kept: List[Any], starts: Sequence[int], sizes: List[int]) -> None:
        self.kept, self.starts, self.sizes = kept, starts, sizes

    def cut(self, name: str, lengths: Sequence[int], width: int, by: str) -> Pieces:
        """Of one that has several after one another; `by` is what says so."""
        if len(self.starts) != 1:
            raise ValueError(f"`{by}` cuts what has one dimension, and `{name}` has more")
        if sum(lengths) != self.sizes[0]:
            raise ValueError(f"`{by}` {'adds up to' if by == 'lengths' else 'ends at'} {sum(lengths)}, and `{name}` has {self.sizes[0]} numbers")
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
        raise ImportError("observing arrays needs NumPy") from why
    return found


def is_torch(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def dtype_name(value: Any) -> str:
    return str(getattr(value, "dtype", "")).replace("torch.", "")


def on_host(name: str, value: Any) -> Any:
    """It, or of a tensor on a device a copy that a processor reads, once the device has made what is in it."""
    if is_torch(value):
        if value.device.type == "meta":
            raise TypeError(f"`{name}` lies on meta, where tensors have no numbers")
        if getattr(value, "is_quantized", False):
            raise TypeError(f"`{name}` is quantised: give its dequantize()")
        if not getattr(value, "is_nested", False) and str(value.layout) != "torch.strided":
            raise TypeError(f"`{name}` has the layout {str(value.layout).replace('torch.', '')}: give its to_dense()")
        value = value.detach() if value.device.type == "cpu" else value.detach().to("cpu")
        return value.resolve_neg() if hasattr(value, "resolve_neg") else value
    if hasattr(value, "__dlpack_device__"):
        kind = value.__dlpack_device__()
        if int(kind[0]) not in CPU:
            raise TypeError(f"`{name}` lies on device {tuple(map(int, kind))}: move it to the CPU")
    return value


def as_array(name: str, value: Any) -> Any:
    """NumPy's view of it, or what NumPy makes of it."""
    np = numpy()
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray):
            raise TypeError(f"`{name}` is a masked array: give its data, and its mask as `mask`")
        return value
    value = on_host(name, value)
    if is_torch(value):
        return (value.float() if dtype_name(value) in NARROW else value).numpy()
    if isinstance(value, (str, bytes, dict, set)) or value is None:
        raise TypeError(f"`{name}` is {type(value).__name__}, and no array")
    if hasattr(value, "__array__") or is_buffer(value) or isinstance(value, (list, tuple)):
        return np.asarray(value)
    if hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    raise TypeError(f"`{name}` is {type(value).__name__}, and no array")


def is_buffer(value: Any) -> bool:
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def parts(value: Any) -> Optional[List[Any]]:
    """The arrays of a list of such, or of a nested tensor."""
    if is_torch(value) and getattr(value, "is_nested", False):
        return list(value.unbind())
    if isinstance(value, (list, tuple)) and any(hasattr(each, "__len__") or is_torch(each) for each in value):
        return list(value)
    return None


def as_float(name: str, value: Any) -> Any:
    """float32, whose last axis is contiguous."""
    np = numpy()
    array = as_array(name, value)
    if array.dtype != np.float32 or not array.dtype.isnative:
        listed = isinstance(value, (list, tuple))
        if not (array.dtype.kind == "f" or dtype_name(array) in NARROW or (listed and (array.dtype.kind in "iu" or array.size == 0))):
            raise TypeError(f"`{name}` has dtype {array.dtype}, and log-probs are floats")
        with np.errstate(over="ignore"):
            array = array.astype(np.float32)
    return in_rows(array)


def as_double(name: str, value: Any) -> Any:
    """float64, whose last axis is contiguous; one number is an array of one."""
    np = numpy()
    array = as_array(name, value) if not isinstance(value, (int, float)) else np.asarray(value)
    if array.dtype.kind not in "fiu" and dtype_name(array) not in NARROW and array.size:
        raise TypeError(f"`{name}` has dtype {array.dtype}, and is to be numbers")
    return in_rows(np.atleast_1d(array).astype(np.float64))


def as_mask(name: str, value: Any) -> Any:
    """A byte a token; what is not 0 counts."""
    np = numpy()
    array = as_array(name, value)
    if array.dtype == np.bool_ or array.dtype == np.uint8:
        return in_rows(array.view(np.uint8))
    if array.dtype.kind not in "iuf" and dtype_name(array) not in NARROW:
        raise TypeError(f"`{name}` has dtype {array.dtype}, and masks are booleans or numbers")
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise ValueError(f"`{name}` has a NaN")
    return in_rows((array != 0).view(np.uint8))


def in_rows(array: Any) -> Any:
    contiguous = array.ndim == 0 or array.shape[-1] <= 1 or array.strides[-1] == array.itemsize
    return array if contiguous and array.flags.aligned else array.copy(order="C")


def address(array: Any) -> int:
    at: Tuple[int, bool] = array.__array_interface__["data"]
    return at[0]


def starts_of(array: Any) -> Sequence[int]:
    """Where the rows of an array begin."""
    first, stride, count = address(array), array.strides[0], array.shape[0]
    return range(first, first + stride * count, stride) if stride else [first] * count


def pieces(name: str, value: Any, convert: Any) -> Pieces:
    """One of one dimension; of two a piece a row; of a list of arrays a piece each."""
    each = parts(value)
    if each is not None:
        arrays = [convert(f"{name}[{i}]", one) for i, one in enumerate(each)]
        for i, array in enumerate(arrays):
            if array.ndim != 1:
                raise ValueError(f"`{name}[{i}]` has {array.ndim} dimensions, and is to have one")
        return Pieces(arrays, [address(array) for array in arrays], [array.size for array in arrays])
    array = convert(name, value)
    if array.ndim == 1:
        return Pieces([array], [address(array)], [array.size])
    if array.ndim != 2:
        raise ValueError(f"`{name}` has {array.ndim} dimensions, and is to have one or two")
    count, size = array.shape
    return Pieces([array], starts_of(array), [size] * count)


def same_shape(name: str, of: Pieces, other_name: str, other: Pieces) -> None:
    if len(of.sizes) != len(other.sizes):
        raise ValueError(f"`{name}` has {len(of.sizes)} responses, and `{other_name}` has {len(other.sizes)}")
    if of.sizes != other.sizes:
        i = next(i for i, (one, two) in enumerate(zip(of.sizes, other.sizes)) if one != two)
        raise ValueError(f"`{name}` has {of.sizes[i]} tokens in response {i}, and `{other_name}` has {other.sizes[i]}")


def whole_numbers(name: str, value: Any) -> List[int]:
    array = as_array(name, list(value) if isinstance(value, range) else value)
    if array.size == 0:
        return []
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise TypeError(f"`{name}` is to be whole numbers, in one dimension")
    if array.min() < 0:
        raise ValueError(f"`{name}` has a number below 0")
    out: List[int] = array.tolist()
    return out


def lengths_of(name: str, offsets: Any) -> List[int]:
    """Of responses that lie after one another, each from one offset to the next, as jagged tensors have them."""
    bounds = whole_numbers(name, offsets)
    if not bounds or bounds[0] != 0:
        raise ValueError(f"`{name}` begins with 0, and ends with how many numbers there are")
    out = [end - begin for begin, end in zip(bounds, bounds[1:])]
    if any(each < 0 for each in out):
        raise ValueError(f"`{name}` goes back")
    return out


class Logits:
    """Rows of logits: where each begins, and how its numbers are stored."""

    def __init__(self, name: str, value: Any, vocabulary: int) -> None:
        np = numpy()
        array, self.format = self._stored(name, value)
        if array.ndim == 1:
            array = array[np.newaxis]
        if array.ndim != 2:
            raise ValueError(f"`{name}` has {array.ndim} dimensions, and is to have one or two")
        if vocabulary and array.shape[1] != vocabulary:
            raise ValueError(f"`{name}` has rows of {array.shape[1]} logits, and the contract's vocabulary is {vocabulary}")
        self.kept = array = in_rows(array)
        self.count, self.size = array.shape
        self.starts = starts_of(array)

    @staticmethod
    def _stored(name: str, value: Any) -> Tuple[Any, int]:
        """As it is where a kernel reads it so; float64 becomes float32."""
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
            raise TypeError(f"`{name}` has dtype {array.dtype}, and logits are floats")
        with np.errstate(over="ignore"):
            return array.astype(np.float32, copy=False), _c.FP32


def as_rows(train: Any, infer: Any) -> Tuple[Any, Any, Optional[Tuple[int, int]]]:
    """Both sides by rows; of three dimensions, how many responses there are, and how many tokens each has."""
    shapes = [tuple(getattr(each, "shape", ())) for each in (train, infer)]
    if 3 not in map(len, shapes):
        return train, infer, None
    if shapes[0] != shapes[1]:
        raise ValueError(f"`train` has shape {shapes[0]}, and `infer` {shapes[1]}")
    several, size, vocabulary = map(int, shapes[0])
    return train.reshape(several * size, vocabulary), infer.reshape(several * size, vocabulary), (several, size)


def rows_kept(mask: Any, count: int, responses: Optional[Tuple[int, int]]) -> Sequence[int]:
    """Of each row whether it counts."""
    if mask is None:
        return bytes([1]) * count
    kept = as_mask("mask", mask)
    wanted = responses or (count,)
    if kept.shape != wanted:
        raise ValueError(f"`mask` has shape {kept.shape}, and there are rows of {wanted}")
    out: Sequence[int] = kept.reshape(-1).tolist()
    return out


MOST_COPIED = 1 << 26  # bytes of rows that are copied from a device at a time


def paired_rows(train: Any, infer: Any, vocabulary: int) -> Tuple[int, Iterator[Tuple[Logits, Logits]]]:
    """How many, and both sides of them: of a device a part at a time, so that no copy of all of them is there at once."""

    def pair(one: Any, two: Any) -> Tuple[Logits, Logits]:
        out = Logits("train", one, vocabulary), Logits("infer", two, vocabulary)
        shapes = [(each.count, each.size) for each in out]
        if shapes[0] != shapes[1]:
            raise ValueError(f"`train` has shape {shapes[0]}, and `infer` {shapes[1]}")
        return out

    if not any(is_torch(each) and each.device.type not in ("cpu", "meta") for each in (train, infer)) or train.ndim != 2 or not train.shape[0]:
        whole = pair(train, infer)
        return whole[0].count, iter([whole])
    if tuple(train.shape) != tuple(infer.shape):
        raise ValueError(f"`train` has shape {tuple(train.shape)}, and `infer` {tuple(infer.shape)}")
    count, size = train.shape
    step = max(1, MOST_COPIED // max(1, size * train.element_size()))
    return count, (pair(train[begin : begin + step], infer[begin : begin + step]) for begin in range(0, count, step))
