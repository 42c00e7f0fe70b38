"""Convert Torch dumps to JSON lines or safetensors, which `tikc measure` reads: `python3 -m tikc.export DUMP TARGET.jsonl`, or `.safetensors`.

Reading a pickle may run any code. Torch therefore loads with `weights_only`. A dump that needs more, or a Torch without that option, is refused unless you
trust the file.
"""

from __future__ import annotations

import argparse
import inspect
import io
import json
import pickle
import struct
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ._errors import TikcError
from ._files import Named, write_whole

# Torch's dtypes, by their names in safetensors.
DTYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "int64": "I64",
          "int32": "I32", "int16": "I16", "int8": "I8", "uint8": "U8", "bool": "BOOL"}
DEEPEST = 32
TRUST = "If you trust the file, use `--trust` (in Python `trust=True`), which may run that code"
OPERAND = "Unsupported operand"


class ExportError(TikcError, ValueError):
    """A dump was refused, or cannot be converted."""


class _Batch:
    """The state of SkyRL's TensorBatch, which has the bytes of each tensor as Torch saved it."""

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.state = state

    def __setitem__(self, name: str, value: Any) -> None:
        """Ignore the tensors themselves, which only Torch's unsafe reader could rebuild."""


class _Batches(pickle.Unpickler):
    """Reads SkyRL's batches, and calls nothing that the file names."""

    def find_class(self, module: str, name: str) -> Any:
        if name in ("TensorBatch", "TrainingInputBatch") and module.split(".")[0] in ("skyrl", "skyrl_train"):
            return _Batch
        if (module, name) in (("torch", "device"), ("torch._utils", "_rebuild_tensor_v2"), ("torch.storage", "_load_from_bytes"),
                              ("collections", "OrderedDict")):
            return lambda *values: None
        raise pickle.UnpicklingError(f"it uses {module}.{name}")


def _skyrl(path: Named) -> Optional[Dict[str, Any]]:
    """Return the columns of a batch that SkyRL pickled, or None if the file is anything else. Nothing in the file runs."""
    import torch

    try:
        with open(path, "rb") as file:
            batch = _Batches(file).load()
        if isinstance(batch, _Batch):
            columns = {str(name): torch.load(io.BytesIO(data), map_location="cpu", weights_only=True) for name, data in batch.state["batch_dict"].items()}
            return {name: column for name, column in columns.items() if column is not None}
    except Exception:  # a broken pickle can raise any exception
        pass
    return None


def read(path: Named, *, trust: bool = False) -> Any:
    """Return what Torch or SkyRL saved, on the CPU. Raises ExportError if the dump is refused or cannot be read."""
    import torch

    knows = "weights_only" in inspect.signature(torch.load).parameters
    if not trust and not knows:
        raise ExportError(f"{path} was not read: Torch {torch.__version__} lacks weights_only, and could run code in the file. {TRUST}")
    open(path, "rb").close()  # report file errors as such; later errors are faults of the dump
    if knows and (batch := _skyrl(path)) is not None:
        return batch
    try:
        return torch.load(path, map_location="cpu", **({"weights_only": not trust} if knows else {}))
    except pickle.UnpicklingError as why:
        if trust:
            raise ExportError(f"{path} was not read: not a Torch pickle: {why}") from why
        # An early Torch raises this for a number next to tensors.
        hint = ""
        if OPERAND in str(why):
            hint = f" Torch {torch.__version__} rejects some plain values with weights_only, such as floats next to tensors; a newer one may accept them."
        raise ExportError(f"{path} was not read: that could run code in the file ({why}).{hint} {TRUST}") from why
    except Exception as why:
        # A broken pickle can raise any exception.
        raise ExportError(f"{path} was not read: truncated, not a Torch dump, or using classes that are not installed: {type(why).__name__}: {why}") from why


def _plain(value: Any, where: str, depth: int = 0) -> Any:
    """Return a value for JSON. NaN and Infinity stay, and tikc counts them."""
    if depth > DEEPEST:
        raise ExportError(f"`{where}`: expected at most {DEEPEST} levels of nesting")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "tolist"):
        return _listed(value, where, depth)
    if isinstance(value, (list, tuple)):
        return [_plain(each, f"{where}[{i}]", depth + 1) for i, each in enumerate(value)]
    if isinstance(value, dict):
        return {str(name): _plain(each, f"{where}.{name}", depth + 1) for name, each in value.items()}
    raise ExportError(f"`{where}` cannot be written as JSON: {type(value).__name__}")


def _listed(value: Any, where: str, depth: int) -> Any:
    """Return a tensor or an array for JSON."""
    kind = str(value.dtype).replace("torch.", "")
    if "complex" in kind:
        raise ExportError(f"`{where}` cannot be written as JSON: dtype {kind}")
    try:
        out = value.detach().tolist() if hasattr(value, "detach") else value.tolist()
    except (RuntimeError, TypeError) as why:
        raise ExportError(f"`{where}` cannot be converted to a list: {str(why).splitlines()[0]}") from why
    if hasattr(value, "detach") or value.dtype.kind in "iub" or kind in ("float16", "float32", "float64"):
        return out
    if hasattr(out, "tolist"):
        raise ExportError(f"`{where}` cannot be written as JSON: dtype {kind}")
    return _plain(out, where, depth + 1)


def _scalars(of: Dict[Any, Any]) -> Dict[Any, Any]:
    return {name: value for name, value in of.items() if value is None or isinstance(value, (bool, int, float, str))}


def _records(dump: Any) -> Iterator[Dict[str, Any]]:
    """Yield one record per response.

    The dump has slime's samples, or columns under `rollout_data` as in slime and miles, each with shared scalars; or is a list of records, or a batch of
    columns.
    """
    if isinstance(dump, dict) and isinstance(dump.get("rollout_data"), dict):
        dump = {**_scalars(dump), **dump["rollout_data"]}
    elif isinstance(dump, dict) and isinstance(dump.get("samples"), (list, tuple)):
        shared = _scalars(dump)
        dump = [{**shared, **each} if isinstance(each, dict) else each for each in dump["samples"]]
    if isinstance(dump, dict):
        sizes = {name: len(value) for name, value in dump.items() if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0}
        if not sizes:
            raise ExportError("dump: expected samples or columns, found neither")
        if len(set(sizes.values())) != 1:
            raise ExportError("dump: columns differ in length: " + ", ".join(f"`{name}` has {size}" for name, size in sizes.items()))
        count = next(iter(sizes.values()))
        dump = [{name: value[i] if name in sizes else value for name, value in dump.items()} for i in range(count)]
    if not isinstance(dump, (list, tuple)):
        raise ExportError(f"dump: expected samples or columns, found {type(dump).__name__}")
    for i, each in enumerate(dump):
        if not isinstance(each, dict):
            raise ExportError(f"`samples[{i}]`: expected a mapping, found {type(each).__name__}")
        out: Dict[str, Any] = _plain(each, f"samples[{i}]")
        yield out


def _there(target: Named) -> None:
    """Check that the target's folder exists, before a dump is read, which may take long."""
    folder = Path(target).parent
    if not folder.is_dir():
        raise ExportError(f"{target} was not written: folder {folder} does not exist")


def to_json_lines(source: Named, target: Named, *, trust: bool = False) -> int:
    """Write one record per response, with the dump's field names. Return the number of records."""
    _there(target)
    lines = [json.dumps(each, ensure_ascii=False) + "\n" for each in _records(read(source, trust=trust))]
    write_whole(target, "".join(lines).encode("utf-8", "surrogatepass"))
    return len(lines)


def _tensors(dump: Any, where: str, out: Dict[str, Any], said: Dict[str, str], depth: int = 0) -> None:
    if depth > DEEPEST:
        raise ExportError(f"`{where}`: expected at most {DEEPEST} levels of nesting")
    if hasattr(dump, "detach"):
        if str(dump.layout) != "torch.strided" or dump.is_quantized:
            raise ExportError(f"`{where}` cannot be written as safetensors: {'quantised' if dump.is_quantized else dump.layout}")
        # Torch conjugates and negates lazily; do it now.
        out[where] = dump.detach().resolve_conj().resolve_neg().contiguous()
    elif isinstance(dump, dict):
        for name, value in dump.items():
            _tensors(value, f"{where}.{name}" if where else str(name), out, said, depth + 1)
    elif dump is None or isinstance(dump, (bool, int, float, str)):
        said[where] = str(dump)
    else:
        raise ExportError(f"`{where or 'the dump'}` cannot be written as safetensors: {type(dump).__name__}; write responses of several lengths to a .jsonl file")


def _bytes_of(name: str, tensor: Any) -> Tuple[str, bytes]:
    import torch

    kind = DTYPES.get(str(tensor.dtype).replace("torch.", ""))
    if kind is None:
        raise ExportError(f"`{name}` cannot be written as safetensors: dtype {tensor.dtype}")
    return kind, bytes(tensor.reshape(-1).view(torch.uint8).numpy()) if tensor.numel() else b""


def to_safetensors(source: Named, target: Named, *, trust: bool = False) -> int:
    """Write tensors by name, and scalars as metadata. Return the number of tensors."""
    _there(target)
    found: Dict[str, Any] = {}
    said: Dict[str, str] = {}
    _tensors(read(source, trust=trust), "", found, said)
    header: Dict[str, Any] = {"__metadata__": said} if said else {}
    pieces: List[bytes] = []
    at = 0
    for name, tensor in found.items():
        kind, data = _bytes_of(name, tensor)
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [at, at + len(data)]}
        pieces.append(data)
        at += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    write_whole(target, struct.pack("<Q", len(text)) + text + b"".join(pieces))
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python3 -m tikc.export", description="Convert a Torch dump to JSON lines or safetensors.")
    parser.add_argument("dump")
    parser.add_argument("target", help="the output file, ending in .jsonl or .safetensors")
    parser.add_argument("--trust", action="store_true", help="trust the dump, which may run code in it")
    asked = parser.parse_args()
    forms = {".jsonl": to_json_lines, ".safetensors": to_safetensors}
    write = forms.get(Path(asked.target).suffix)
    if write is None:
        parser.error(f"{asked.target}: expected a name ending in {' or '.join(forms)}")
    try:
        count = write(asked.dump, asked.target, trust=asked.trust)
        print(f"{asked.target}: {count} {'response' if write is to_json_lines else 'tensor'}{'' if count == 1 else 's'}")
    except (OSError, TikcError, ImportError) as why:
        sys.exit(f"tikc.export: {why}")


if __name__ == "__main__":
    main()
