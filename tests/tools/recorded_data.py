"""Recorded data as their writers leave them behind: byte by byte, by NumPy, json and struct."""

import json
import struct

import numpy


def pairs(seed=1, responses=40, longest=300, vocabulary=64, noise=0.01):
    """Responses of a server that drew tokens from its law, and a trainer whose logits are near: (ids, train, infer), one a response."""
    random = numpy.random.default_rng(seed)
    out = []
    for _ in range(responses):
        length = int(random.integers(5, longest + 1))
        logits = random.normal(0, 3, (length, vocabulary))
        server = log_softmax(logits)
        trainer = log_softmax(logits + random.normal(0, noise, logits.shape))
        ids = (server.cumsum(axis=1) * 0 + numpy.exp(server)).cumsum(axis=1)
        ids = (ids < random.random((length, 1))).sum(axis=1).clip(0, vocabulary - 1)
        at = numpy.arange(length)
        out.append((ids, trainer[at, ids].astype(numpy.float32), server[at, ids].astype(numpy.float32)))
    return out


def log_softmax(logits):
    top = logits.max(axis=-1, keepdims=True)
    return logits - top - numpy.log(numpy.exp(logits - top).sum(axis=-1, keepdims=True))


def padded(lists, width, value=0, dtype=numpy.float32):
    out = numpy.full((len(lists), width), value, dtype)
    for row, each in zip(out, lists):
        row[: len(each)] = each
    return out


def numbers(values):
    return [float(value) for value in values]


def nemo_rl(data, prompt=3):
    """An object a sample, each value in a list of length 1, padded to the batch's longest; index 0 is a dummy."""
    width = 1 + prompt + max(len(ids) for ids, *_ in data)
    lines = []
    for i, (ids, train, infer) in enumerate(data):
        pad = [0.0] * (width - 1 - prompt - len(ids))
        head = [0.0] * (1 + prompt)
        lines.append(json.dumps({
            "idx": i, "content": ["a text with \"quotes\" and ünïcode"], "rewards": [i % 2], "input_lengths": [1 + prompt + len(ids)],
            "token_ids": [[7] * (1 + prompt) + [int(each) for each in ids] + [0] * len(pad)],
            "token_loss_mask": [[0] * (1 + prompt) + [1] * len(ids) + [0] * len(pad)], "sample_loss_mask": [1.0],
            "advantages": [[0.0] * (1 + prompt) + [0.5 - i % 2] * len(ids) + pad],
            "generation_logprobs": [head + numbers(infer) + pad], "prev_logprobs": [head + numbers(train) + pad],
        }))
    return "\n".join(lines) + "\n"


def prime_rl(data, prompt=4, **more):
    """An object a sequence: the prompt is in front, where the loss mask is false."""
    return "".join(json.dumps({
        "schema_version": 1, "step": 7, "rank": 0, "env_name": "math", "token_ids": [1] * prompt + [int(each) for each in ids],
        "position_ids": list(range(prompt + len(ids))), "loss_mask": [False] * prompt + [True] * len(ids), "advantages": [0.5] * (prompt + len(ids)),
        "inference_logprobs": [0.0] * prompt + numbers(infer), "trainer_logprobs": [0.0] * prompt + numbers(train), **more}) + "\n" for ids, train, infer in data)


def slime(data):
    """Its train dump, a pickle of Torch there, as JSON."""
    return json.dumps({"format_version": 2, "rollout_id": 5, "rank": 0, "samples": [
        {"sample_index": i, "tokens": [1, 2] + [int(each) for each in ids], "total_lengths": len(ids) + 2, "response_lengths": len(ids),
         "loss_masks": [1] * len(ids), "rollout_log_probs": numbers(infer), "log_probs": numbers(train)}
        for i, (ids, train, infer) in enumerate(data)]}, indent=1)


def miles(data):
    """A call of its policy loss, which dumps a pickle of Torch, as JSON."""
    return json.dumps({"rank": 0, "call": 3, "samples": [
        {"index": i, "total_length": len(ids) + 2, "response_length": len(ids), "train_log_probs": numbers(train), "old_log_probs": numbers(train),
         "advantages": [0.5] * len(ids), "local_loss_mask": [1.0] * len(ids), "rollout_log_probs": numbers(infer)}
        for i, (ids, train, infer) in enumerate(data)], "ppo_kl": [0.0], "pg_loss": [0.0]})


def plain(data, **more):
    return "".join(json.dumps({"id": f"r{i}", "train": numbers(train), "infer": numbers(infer), "mask": [1] * len(ids), **more}) + "\n"
                   for i, (ids, train, infer) in enumerate(data))


def vllm(data):
    return "".join(json.dumps({"id": f"r{i}", "object": "text_completion", "choices": [{"index": 0, "text": "…", "logprobs": {
        "text_offset": [0] * len(ids), "token_logprobs": numbers(infer), "tokens": [str(each) for each in ids], "top_logprobs": None}}]}) + "\n"
        for i, (ids, _, infer) in enumerate(data))


def vllm_chat(data):
    return "".join(json.dumps({"id": f"r{i}", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant"}, "logprobs": {
        "content": [{"token": str(token), "logprob": float(value), "bytes": [65], "top_logprobs": []} for token, value in zip(ids, infer)]}}]}) + "\n"
        for i, (ids, _, infer) in enumerate(data))


def sglang(data):
    return "".join(json.dumps({"text": "…", "meta_info": {"id": f"r{i}", "weight_version": 3, "output_token_logprobs": [
        [float(value), int(token), None] for token, value in zip(ids, infer)]}}) + "\n" for i, (ids, _, infer) in enumerate(data))


def lm_eval(sums):
    return "".join(json.dumps({"doc_hash": f"h{i}", "prompt_hash": "p", "target_hash": "t", "task_name": "arc",
                               "resps": [[[str(value), "False"]] for value in choices]}) + "\n" for i, choices in enumerate(sums))


def safetensors(tensors):
    """{name: (dtype, array)}, as the library writes it."""
    header, data = {}, b""
    for name, (kind, array) in tensors.items():
        raw = array.tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def bfloat16(values):
    return (numpy.asarray(values, numpy.float32).view(numpy.uint32) >> 16).astype(numpy.uint16)


def llama(logits, context, tokens):
    """`llama-perplexity --kl-divergence-base`: logits[chunk][row][vocabulary] of the rows from the middle of each context on."""
    chunks, rows, vocabulary = logits.shape
    out = b"_logits_" + struct.pack("=iii", context, vocabulary, chunks) + numpy.asarray(tokens, numpy.int32).tobytes()
    for chunk in logits:
        for row in chunk:
            top = row.max()
            low = max(row.min(), top - 16)
            scale = (top - low) / 65535
            least = low - top - numpy.log(numpy.exp(row - top).sum())
            steps = numpy.round((numpy.maximum(row, low) - low) / scale).astype(numpy.uint16)
            out += struct.pack("=ff", scale, least) + steps.tobytes() + b"\0\0" * (vocabulary % 2)
    return out
