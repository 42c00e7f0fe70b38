#!/usr/bin/env bash
# What `tikc check` prints of every failing example, judged by the validators that judge the renderings of the sample report.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for example in "$root"/tests/diag/TK*/avoid.tikc.yaml; do
  cp "$example" "$scratch/$(basename "$(dirname "$example")").tikc.yaml"
done
cp "$root/examples/qwen3-8b-rl.tikc.yaml" "$scratch/clean.tikc.yaml"
cd "$scratch"
"${TIKC_PYTHON:-/usr/bin/python3}" "$root/tests/tools/validate_renderings.py" "${TIKC:-$root/build/release/bin/tikc}" check --limit findings=100 --format
