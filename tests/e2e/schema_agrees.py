"""The JSON Schema and `tikc check` judge structure alike, by a validator and a YAML reader that share no code with tikc."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools"))
from harness import ROOT, run, skip  # noqa: E402
from structure_cases import judged  # noqa: E402

try:
    import jsonschema
    import ruamel.yaml
except ImportError as missing:
    skip(missing)


def with_text_keys(value):
    """JSON has no other keys; tikc reads keys as text, too."""
    if isinstance(value, dict):
        return {"" if key is None else str(key): with_text_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_text_keys(item) for item in value]
    return value


def documents(text):
    reader = ruamel.yaml.YAML(typ="safe", pure=True)
    reader.version = (1, 2)
    return [with_text_keys(document) for document in reader.load_all(text)]


def main():
    schema = json.loads((ROOT / "schemas/kernel-contract.v1.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    if run("schema").out != (ROOT / "schemas/kernel-contract.v1.schema.json").read_text(encoding="utf-8"):
        sys.exit("the schema in the tree is not the one that tikc prints")
    counts = {True: 0, False: 0}
    disagreements = []
    for case in judged():
        faults = [error.message for document in documents(case["text"]) for error in validator.iter_errors(document)]
        counts[case["accepted"]] += 1
        if case["accepted"] != (not faults):
            disagreements.append(f"{case['name']}\n  tikc: {case['codes']}\n  schema: {faults[:2]}")
    print("\n".join(disagreements))
    print(f"{counts[True]} accepted and {counts[False]} rejected by tikc, {len(disagreements)} disagreements")
    sys.exit(1 if disagreements or not all(counts.values()) else 0)


main()
