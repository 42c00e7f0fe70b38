"""Dumps of Torch as files that `tikc measure` and others read, without Torch: `python3 -m tikc.export DUMP TARGET.jsonl`, or `.safetensors`.

A pickle may run any code when it is read. Torch is asked to take weights alone; what needs more, or an older Torch, is refused unless it is told to
trust the file.
"""

from __future__ import annotations

import argparse
import inspect
import json
import pickle
import struct
import sys
from pathlib import Path
from typing import Any, Dict, Iterator, List, Tuple

from ._errors import TikcError
from ._files import Named, write_whole

# As safetensors calls what Torch does.
DTYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "float8_e4m3fn": "F8_E4M3", "float8_e5m2": "F8_E5M2", "int64": "I64",
          "int32": "I32", "int16": "I16", "int8": "I8", "uint8": "U8", "bool": "BOOL"}
DEEPEST = 32
TRUST = "`--trust`, in Python `trust=True`, reads it and runs that code: use it if the file is yours"
OPERAND = "Unsupported operand"


class ExportError(TikcError, ValueError):
    """A dump that must not be read, or has what the other form cannot say."""


def read(path: Named, *, trust: bool = False) -> Any:
    """What Torch saved, on the CPU."""
    import torch

    knows = "weights_only" in inspect.signature(torch.load).parameters
    if not trust and not knows:
        raise ExportError(f"{path} was not read: Torch {torch.__version__} cannot take weights alone, and would run what code is in it. {TRUST}")
    open(path, "rb").close()  # what is wrong with the file is told as such; then all is wrong with the dump
    try:
        return torch.load(path, map_location="cpu", **({"weights_only": not trust} if knows else {}))
    except pickle.UnpicklingError as why:
        if trust:
            raise ExportError(f"{path} was not read: it is no pickle that Torch reads: {why}") from why
        # Of a number beside tensors an early one has this to say.
        hint = f" Torch {torch.__version__} does not know all that weights alone may have, as floats beside tensors; a newer one may." if OPERAND in str(why) else ""
        raise ExportError(f"{path} was not read, as that may run what code is in it ({why}).{hint} {TRUST}") from why
    except Exception as why:
        # What a pickle can go wrong by is anything.
        raise ExportError(f"{path} was not read: it is cut off, no dump of Torch, or of classes that are not here: {type(why).__name__}: {why}") from why


def _plain(value: Any, where: str, depth: int = 0) -> Any:
    """As JSON has it; bare NaN and Infinity stay, which tikc counts."""
    if depth > DEEPEST:
        raise ExportError(f"`{where}` is nested too deep")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "tolist"):
        return _listed(value, where, depth)
    if isinstance(value, (list, tuple)):
        return [_plain(each, f"{where}[{i}]", depth + 1) for i, each in enumerate(value)]
    if isinstance(value, dict):
        return {str(name): _plain(each, f"{where}.{name}", depth + 1) for name, each in value.items()}
    raise ExportError(f"`{where}` is {type(value).__name__}, which JSON does not have")


def _listed(value: Any, where: str, depth: int) -> Any:
    """Of a tensor or an array."""
    kind = str(value.dtype).replace("torch.", "")
    if "complex" in kind:
        raise ExportError(f"`{where}` is {kind}, which JSON does not have")
    try:
        out = value.detach().tolist() if hasattr(value, "detach") else value.tolist()
    except (RuntimeError, TypeError) as why:
        raise ExportError(f"`{where}` has no numbers that can be listed: {str(why).splitlines()[0]}") from why
    if hasattr(value, "detach") or value.dtype.kind in "iub" or kind in ("float16", "float32", "float64"):
        return out
    if hasattr(out, "tolist"):
        raise ExportError(f"`{where}` is {kind}, which JSON does not have")
    return _plain(out, where, depth + 1)


def _scalars(of: Dict[Any, Any]) -> Dict[Any, Any]:
    return {name: value for name, value in of.items() if value is None or isinstance(value, (bool, int, float, str))}


def _records(dump: Any) -> Iterator[Dict[str, Any]]:
    """One a response: slime's samples, or the columns that it and miles have as `rollout_data`, with what is said of all; a list of records, or a batch by
    columns."""
    if isinstance(dump, dict) and isinstance(dump.get("rollout_data"), dict):
        dump = {**_scalars(dump), **dump["rollout_data"]}
    elif isinstance(dump, dict) and isinstance(dump.get("samples"), (list, tuple)):
        shared = _scalars(dump)
        dump = [{**shared, **each} if isinstance(each, dict) else each for each in dump["samples"]]
    if isinstance(dump, dict):
        sizes = {name: len(value) for name, value in dump.items() if isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0}
        if not sizes:
            raise ExportError("the dump has no samples, and no columns either")
        if len(set(sizes.values())) != 1:
            raise ExportError("the dump's columns are not as long as each other: " + ", ".join(f"`{name}` has {size}" for name, size in sizes.items()))
        count = next(iter(sizes.values()))
        dump = [{name: value[i] if name in sizes else value for name, value in dump.items()} for i in range(count)]
    if not isinstance(dump, (list, tuple)):
        raise ExportError(f"the dump is {type(dump).__name__}, and has no samples")
    for i, each in enumerate(dump):
        if not isinstance(each, dict):
            raise ExportError(f"`samples[{i}]` is {type(each).__name__}, and has no fields")
        out: Dict[str, Any] = _plain(each, f"samples[{i}]")
        yield out


def _there(target: Named) -> None:
    """Before a dump is read, which may take long."""
    folder = Path(target).parent
    if not folder.is_dir():
        raise ExportError(f"{target} was not written: there is no folder {folder}")


def to_json_lines(source: Named, target: Named, *, trust: bool = False) -> int:
    """A record a response, under the dump's own names. Gives how many there are."""
    _there(target)
    lines = [json.dumps(each, ensure_ascii=False) + "\n" for each in _records(read(source, trust=trust))]
    write_whole(target, "".join(lines).encode("utf-8", "surrogatepass"))
    return len(lines)


def _tensors(dump: Any, where: str, out: Dict[str, Any], said: Dict[str, str], depth: int = 0) -> None:
    if depth > DEEPEST:
        raise ExportError(f"`{where}` is nested too deep")
    if hasattr(dump, "detach"):
        if str(dump.layout) != "torch.strided" or dump.is_quantized:
            raise ExportError(f"`{where}` is {'quantised' if dump.is_quantized else dump.layout}, which safetensors does not have")
        # What Torch negates when it is read is negated now.
        out[where] = dump.detach().resolve_conj().resolve_neg().contiguous()
    elif isinstance(dump, dict):
        for name, value in dump.items():
            _tensors(value, f"{where}.{name}" if where else str(name), out, said, depth + 1)
    elif dump is None or isinstance(dump, (bool, int, float, str)):
        said[where] = str(dump)
    else:
        raise ExportError(f"`{where or 'the dump'}` is {type(dump).__name__}, which safetensors does not have: responses of several lengths go into JSON lines")


def _bytes_of(name: str, tensor: Any) -> Tuple[str, bytes]:
    import torch

    kind = DTYPES.get(str(tensor.dtype).replace("torch.", ""))
    if kind is None:
        raise ExportError(f"`{name}` has dtype {tensor.dtype}, which safetensors does not have")
    return kind, bytes(tensor.reshape(-1).view(torch.uint8).numpy()) if tensor.numel() else b""


def to_safetensors(source: Named, target: Named, *, trust: bool = False) -> int:
    """Tensors under their names; what else is said becomes metadata. Gives how many tensors there are."""
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
    parser = argparse.ArgumentParser(prog="python3 -m tikc.export", description="Writes a dump of Torch as JSON lines or safetensors.")
    parser.add_argument("dump")
    parser.add_argument("target", help="ends in .jsonl or .safetensors")
    parser.add_argument("--trust", action="store_true", help="runs what code is in the dump, if it wants to")
    asked = parser.parse_args()
    forms = {".jsonl": to_json_lines, ".safetensors": to_safetensors}
    write = forms.get(Path(asked.target).suffix)
    if write is None:
        parser.error(f"{asked.target} ends in none of {', '.join(forms)}")
    try:
        print(f"{asked.target}: {write(asked.dump, asked.target, trust=asked.trust)} {'responses' if write is to_json_lines else 'tensors'}")
    except (OSError, TikcError, ImportError) as why:
        sys.exit(f"tikc.export: {why}")


if __name__ == "__main__":
    main()
