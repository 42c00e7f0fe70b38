"""Contracts whose structure two readers must judge alike: tikc and a JSON Schema validator.

Each case is (name, YAML text). Only the structure is at issue: tikc's verdict is whether it reports a TK2xxx code. Left out is what the
YAML readers of the peers read otherwise than the core schema says: ruamel.yaml takes 1_000 for a number.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from harness import ROOT  # noqa: E402

BASE = """tikc: v1
contract: rollout
version: 1.0.0
kernels:
  trainer: { engine: fsdp2, weights: bf16 }
  rollout: { engine: vllm, weights: bf16 }
pair: { train: trainer, infer: rollout }
"""

# Lines put after BASE.
ADDED = """
summary: text
summary: ''
summary: 5
summary: true
summary: [a]
summary: {a: b}
summary:
summary: "5"
owners: [a, b]
owners: []
owners: a
owners: [1]
owners: [a, '']
owners: {a: b}
abstract: false
abstract: yes
abstract: "true"
abstract: 1
labels: {task: [math, code]}
labels: {task: []}
labels: {task: math}
labels: {Task: [math]}
labels: {task: [1]}
labels: {}
labels: []
labels:
model: {vocabulary: 151936}
model: {vocabulary: 0}
model: {vocabulary: -1}
model: {vocabulary: 1.5}
model: {vocabulary: 2.0}
model: {vocabulary: 1e3}
model: {vocabulary: 1e-3}
model: {vocabulary: "5"}
model: {vocabulary: 0x10}
model: {vocabulary: 0o17}
model: {vocabulary: +7}
model: {vocabulary: 007}
model: {vocabulary: .inf}
model: {temperature: 1}
model: {temperature: 1e-1}
model: {temperature: .5}
model: {temperature: "1"}
model: {temperature: one}
model: {temperature: .nan}
model: {temperature: 0x1F}
model: {horizon: 4096 tokens}
model: {horizon: 4096}
model: {horizon: ''}
model: {name: a, digest: b, logit_bound: 30}
model: {unknown: 1}
model: {}
model: []
model: text
load: {tokens: 200 per s}
load: {tokens: 200}
load: {token: 200 per s}
assumptions: {reward: [0, 1]}
assumptions: {reward: [0]}
assumptions: {reward: [0, 1, 2]}
assumptions: {reward: 1}
assumptions: {reward: ["0", 1]}
assumptions: {reward: []}
assumptions: {reward: {low: 0}}
assumptions: {support: full}
assumptions: {support: empty}
assumptions: {support: ''}
assumptions: {support: {missing_mass: 1e-4}}
assumptions: {support: {missing_mass: 1e-4, top_p: 0.9}}
assumptions: {support: {}}
assumptions: {support: {top_p: 99.9%}}
assumptions: {support: {top_p: true}}
assumptions: {support: {top_k: 1}}
assumptions: {support: [full]}
assumptions: {support: 1}
assumptions: {estimator: token_mc}
assumptions: {estimator: tokens}
assumptions: {estimator: 1}
assumptions: {correction: tis(2)}
assumptions: {correction: 2}
assumptions: {correction: {cap: 2}}
assumptions: {group: 8, advantage: 4, discount: 0.99}
assumptions: {group: 0}
slices: {long: {when: prompt_tokens >= 8192, weight: 20%}}
slices: {long: {when: prompt_tokens >= 8192, weight: 0.2}}
slices: {long: {when: prompt_tokens >= 8192, weight: ''}}
slices: {long: {when: prompt_tokens >= 8192, weight: [1]}}
slices: {long: {weight: 20%}}
slices: {long: prompt_tokens >= 8192}
slices: {Long: {when: prompt_tokens >= 8192}}
slices: {"": {when: prompt_tokens >= 8192}}
slices: {"1": {when: prompt_tokens >= 8192}}
slices: {long: }
slices: {}
numerical: {a: max(tv) <= 0.5}
numerical: {a: {require: max(tv) <= 0.5, because: it is}}
numerical: {a: {because: it is}}
numerical: {a: {require: ''}}
numerical: {a: {require: [max(tv) <= 0.5]}}
numerical: {a: ''}
numerical: {a: 1}
numerical: {a: [max(tv) <= 0.5]}
numerical: {a: {}}
numerical: {a: }
numerical: {a-b: max(tv) <= 0.5}
numerical: {aB: max(tv) <= 0.5}
numerical: {a: {require: max(tv) <= 0.5, severity: warning}}
numerical: {a: {require: max(tv) <= 0.5, severity: fatal}}
numerical: {a: {require: max(tv) <= 0.5, slices: other}}
numerical: {a: {require: max(tv) <= 0.5, slices: [other]}}
numerical: {a: {require: max(tv) <= 0.5, slices: []}}
numerical: {a: {require: max(tv) <= 0.5, slices: [Other]}}
numerical: {a: {require: max(tv) <= 0.5, confidence: 0.99}}
numerical: {a: {require: max(tv) <= 0.5, confidence: true}}
numerical: {a: {require: max(tv) <= 0.5, over: 10 min}}
numerical: {a: {require: max(tv) <= 0.5, over: 10}}
numerical: {a: {require: max(tv) <= 0.5, until: never}}
numerical: [max(tv) <= 0.5]
observability: {rows: 'sample(logits, 1%)'}
observability: {rows: {require: 'sample(logits, 1%)'}}
observability: {rows: {rate: 1%}}
observability: {rows: 1%}
observability: {rows: true}
claims: {a: mean(tv) <= 0.5}
claims: {a: {require: mean(tv) <= 0.5, because: x}}
claims: {a: {because: x}}
escalation: {a: {when: violated(any), do: hold}}
escalation: {a: {when: violated(any), do: [hold, rollback]}}
escalation: {a: {when: violated(any), do: []}}
escalation: {a: {when: violated(any), do: ''}}
escalation: {a: {when: violated(any), do: [1]}}
escalation: {a: {when: violated(any), do: {hold: 1}}}
escalation: {a: {when: violated(any)}}
escalation: {a: {do: hold}}
escalation: {a: {when: violated(any), do: hold, steps: [{for: 2 windows, do: hold}]}}
escalation: {a: {when: violated(any), steps: [{for: 2 windows, do: hold}]}}
escalation: {a: {when: violated(any), steps: [{for: 2 windows}]}}
escalation: {a: {when: violated(any), steps: [{do: hold}]}}
escalation: {a: {when: violated(any), steps: []}}
escalation: {a: {when: violated(any), steps: {for: 2 windows, do: hold}}}
escalation: {a: hold}
promotion: {full: {traffic: 100%}}
promotion: {full: {traffic: 1}}
promotion: {full: {traffic: [1]}}
promotion: {ramp: {traffic: 5%}}
promotion: {offline: {tokens: 5 tokens, lasts: 2 h, data: a.jsonl}}
promotion: {offline: {tokens: 5}}
promotion: {offline: }
promotion: {}
chain: [trainer, rollout]
modle: {}
on: true
extends:
"""

# A line of BASE and what stands for it.
CHANGED = [
    ("tikc: v1", ""), ("tikc: v1", "tikc: v2"), ("tikc: v1", "tikc: 1"), ("tikc: v1", "tikc:"),
    ("contract: rollout", ""), ("contract: rollout", "contract: 2024"), ("contract: rollout", 'contract: "2024"'),
    ("contract: rollout", "contract: a b"), ("contract: rollout", "contract: -a"), ("contract: rollout", "contract: a.b-c_D"),
    ("contract: rollout", "contract: |\n  rollout"), ("contract: rollout", "contract: ''"), ("contract: rollout", "contract: größe"),
    ("version: 1.0.0", ""), ("version: 1.0.0", "version: 1.0"), ("version: 1.0.0", 'version: "1.0"'),
    ("version: 1.0.0", "version: 1.0.0-rc.1+b2"), ("version: 1.0.0", "version: v1.0.0"), ("version: 1.0.0", "version: 1.0.0-"),
    ("version: 1.0.0", "version: 1.0.0+a+b"), ("version: 1.0.0", "version: 1..0"), ("version: 1.0.0", "version: 1.0.0-a_b"),
    ("version: 1.0.0", "version: 1.0.0.0"), ("version: 1.0.0", "version: 1.0.0-a+"), ("version: 1.0.0", "version: 1.0.0+a-b"),
    ("pair: { train: trainer, infer: rollout }", ""),
    ("pair: { train: trainer, infer: rollout }", "pair: { train: trainer }"),
    ("pair: { train: trainer, infer: rollout }", "pair: [trainer, rollout]"),
    ("pair: { train: trainer, infer: rollout }", "pair:"),
    ("pair: { train: trainer, infer: rollout }", "pair: { train: Trainer, infer: rollout }"),
    ("pair: { train: trainer, infer: rollout }", "chain: [trainer, rollout]"),
    ("pair: { train: trainer, infer: rollout }", "chain: [trainer]"),
    ("pair: { train: trainer, infer: rollout }", "chain: []"),
    ("pair: { train: trainer, infer: rollout }", "chain: trainer"),
    ("weights: bf16 }", "weights: bf61 }"), ("weights: bf16 }", "weights: 'my format' }"), ("weights: bf16 }", "weights: 8 }"),
    ("weights: bf16 }", "weights: '' }"), ("weights: bf16 }", "deterministic: true }"), ("weights: bf16 }", "deterministic: no }"),
    ("weights: bf16 }", "logprobs: raw }"), ("weights: bf16 }", "logprobs: cooked }"), ("weights: bf16 }", "parallel: { tp: 8 } }"),
    ("weights: bf16 }", "parallel: { tp: 8.0 } }"), ("weights: bf16 }", "parallel: { tp: 0 } }"), ("weights: bf16 }", "parallel: 8 }"),
    ("weights: bf16 }", "sampling: { top_p: 0.9, top_k: 50 } }"), ("weights: bf16 }", "sampling: { top_q: 0.9 } }"),
    ("weights: bf16 }", "version: 0.9 }"), ("weights: bf16 }", 'version: "0.9" }'), ("weights: bf16 }", "weights: }"),
    ("engine: fsdp2, ", ""), ("engine: fsdp2", "engine: ''"), ("trainer: {", "Trainer: {"), ("trainer: {", '"1": {'),
]

PARTIAL = """
{}
kernels: {a: {weights: bf16}}
kernels: {a: null}
kernels: null
kernels: {a: {engine: null}}
kernels: {a: {engine: ''}}
pair: {train: a}
pair: null
version: null
version: x
modle: null
modle: 1
slices: {a: {weight: 20%}}
slices: {a: null}
slices: {a: []}
numerical: {a: null}
numerical: null
numerical: {a: {because: x}}
numerical: {a: {require: null}}
numerical: {a: 1}
observability: {a: null}
assumptions: {support: null}
assumptions: {support: {}}
assumptions: {support: {top_p: null}}
assumptions: {reward: null}
assumptions: {estimator: null}
escalation: {a: {do: hold}}
escalation: {a: {do: hold, steps: [{for: 2 windows, do: hold}]}}
escalation: {a: {do: null, steps: [{for: 2 windows, do: hold}]}}
escalation: {a: {steps: [{for: 2 windows}]}}
escalation: {a: {when: null}}
promotion: {canary: null}
promotion: {canary: {traffic: null}}
owners: null
owners: [null]
labels: {task: null}
labels: {task: [null]}
model: {vocabulary: null}
"""


def cases():
    yield "base", BASE
    for line in ADDED.strip("\n").splitlines():
        yield f"+ {line}", BASE + line + "\n"
    for old, new in CHANGED:
        assert old in BASE, old
        yield f"{old} -> {new}", BASE.replace(old, new, 1)
    for line in PARTIAL.strip("\n").splitlines():
        yield f"abstract + {line}", "tikc: v1\ncontract: base\nabstract: true\n" + ("" if line == "{}" else line + "\n")
    yield "abstract without name", "tikc: v1\nabstract: true\n"
    yield "abstract with null name", "tikc: v1\ncontract: null\nabstract: true\n"
    yield "list", "[1, 2]\n"
    yield "text", "text\n"
    yield "empty map", "{}\n"
    for folder in ("examples", *sorted(p.relative_to(ROOT) for p in (ROOT / "tests/diag").glob("TK2*"))):
        for path in sorted((ROOT / folder).rglob("*.tikc.yaml")):
            # What a child lacks, its parent may have, which a schema cannot see; the examples are there to be clean.
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def judged():
    """The cases with tikc's verdict and where each lies."""
    import json
    import tempfile

    from harness import run

    out = []
    with tempfile.TemporaryDirectory(prefix="tikc-schema-") as scratch:
        for number, (name, text) in enumerate(cases()):
            # A file of the tree is judged where it lies, so that its parents are found.
            path = ROOT / name if name.endswith(".tikc.yaml") else Path(scratch) / f"case{number}.tikc.yaml"
            if not path.exists():
                path.write_text(text, encoding="utf-8")
            report = json.loads(run("check", "--format=json", path).out)
            codes = sorted({found["code"] for found in report["diagnostics"]})
            accepted = not any(found["code"].startswith("TK2") and found["severity"] == "error" for found in report["diagnostics"])
            out.append({"name": name, "text": text, "path": str(path), "codes": codes, "accepted": accepted})
    return out


if __name__ == "__main__":
    import json

    json.dump(judged(), sys.stdout)
