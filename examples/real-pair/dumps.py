"""What a trainer and a server would leave behind: the same answers as JSON lines, .npz and safetensors, for `tikc measure`."""

import json
import os
import subprocess
from pathlib import Path

import numpy
import text
from pair import of_drawn, rewards

BUILT = Path(__file__).resolve().parents[2] / "build/release/bin/tikc"
TIKC = os.environ.get("TIKC") or (str(BUILT) if BUILT.exists() else "tikc")
SIDES = {"jsonl": ("train", "infer"), "npz": ("train_rows", "infer_rows"), "safetensors": ("train", "infer")}  # log-probs, or whole rows


def arrays(drawn, logits):
    """[answers, longest], and rows with the alphabet behind: zeros where the mask is 0."""
    out = {name: [] for name in ("train", "infer", "mask", "prompt_tokens", "reward", "train_rows", "infer_rows")}
    longest = max(each.mask.shape[1] for each in drawn.values())
    for task, served in drawn.items():
        room = longest - served.mask.shape[1]
        padded = lambda of: numpy.pad(of.numpy(), [(0, 0), (0, room)] + [(0, 0)] * (of.dim() - 2))  # noqa: E731
        for name, of in (("train", of_drawn(logits[task], served)), ("infer", served.logprobs), ("mask", served.mask.byte()),
                         ("train_rows", logits[task]), ("infer_rows", served.logits)):
            out[name].append(padded(of))
        out["prompt_tokens"].append(numpy.full(len(served.prompts), text.PROMPT[task], numpy.int64))
        out["reward"].append(numpy.array(rewards(served), numpy.float64))
    return {name: numpy.ascontiguousarray(numpy.concatenate(parts)) for name, parts in out.items()}


def write_safetensors(path, tensors):
    kinds = {"float32": "F32", "float64": "F64", "int64": "I64", "uint8": "U8"}
    header, at = {}, 0
    for name, each in tensors.items():
        header[name] = {"dtype": kinds[each.dtype.name], "shape": list(each.shape), "data_offsets": [at, at + each.nbytes]}
        at += each.nbytes
    said = json.dumps(header).encode()
    path.write_bytes(len(said).to_bytes(8, "little") + said + b"".join(each.tobytes() for each in tensors.values()))


def write(folder, name, drawn, logits):
    """One file a form: log-probs in two, rows in the third."""
    of = arrays(drawn, logits)
    paths = {form: Path(folder) / f"{name}.{form}" for form in SIDES}
    with paths["jsonl"].open("w", encoding="utf-8") as file:
        for i, mask in enumerate(of["mask"].astype(bool)):
            sides = {side: of[side][i][mask].tolist() for side in SIDES["jsonl"]}
            file.write(json.dumps({**sides, "prompt_tokens": int(of["prompt_tokens"][i]), "reward": of["reward"][i]}) + "\n")
    numpy.savez(paths["npz"], **{each: of[each] for each in (*SIDES["npz"], "mask", "prompt_tokens")})
    write_safetensors(paths["safetensors"], {each: of[each] for each in (*SIDES["safetensors"], "mask", "prompt_tokens", "reward")})
    return paths


def measured(contract, path, form):
    """The verdicts of `tikc measure` on a file, taken as one window."""
    return subprocess.run([TIKC, "measure", str(contract), path.name, "--every=all", f"--format={form}"], cwd=path.parent, capture_output=True, text=True)


def verdicts(contract, path):
    """Those that the file decides."""
    done = measured(contract, path, "json")
    if not done.stdout:
        raise SystemExit(f"tikc measure: {done.stderr}")
    return {(each["clause"], each["slice"]): each["verdict"] for each in json.loads(done.stdout)["clauses"] if each["verdict"] != "undecided"}
