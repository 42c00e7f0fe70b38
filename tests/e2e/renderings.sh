#!/usr/bin/env bash
# What `tikc check` prints of every failing example, judged by the validators that judge the renderings of the sample report.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for example in "$TIKC_SOURCE_DIR"/tests/diag/TK*/avoid.tikc.yaml; do
  cp "$example" "$scratch/$(basename "$(dirname "$example")").tikc.yaml"
done
cp "$TIKC_SOURCE_DIR/examples/qwen3-8b-rl.tikc.yaml" "$scratch/clean.tikc.yaml"
cd "$scratch"
"$TIKC_PYTHON" "$TIKC_SOURCE_DIR/tests/tools/validate_renderings.py" "$TIKC" check --limit findings=100 --format
