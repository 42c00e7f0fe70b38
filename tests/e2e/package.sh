#!/usr/bin/env bash
# The installed package, as a project outside the tree uses it: find_package, tikc_generate, pkg-config.
set -eu
build=$(dirname "$(dirname "$TIKC")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/usr" >/dev/null
cp -r "$TIKC_SOURCE_DIR/examples" "$scratch/examples"
cmake -S "$scratch/examples/embed" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/usr" >/dev/null
cmake --build "$scratch/build" >/dev/null
"$scratch/build/serving_loop" >"$scratch/out"
grep -q '^  rule drift activated on math$' "$scratch/out"
grep -q '^  traffic of math: route safe$' "$scratch/out"

# Nothing is made anew without a change; a changed contract is compiled again.
header=$scratch/build/tikc/serving_loop/qwen3-8b-rl.tikc.h
before=$(stat -c %Y.%y "$header")
cmake --build "$scratch/build" >/dev/null
[ "$before" = "$(stat -c %Y.%y "$header")" ]
sed -i 's/max(batch_drift) <= 0.05/max(batch_drift) <= 0.06/' "$scratch/examples/qwen3-8b-rl.tikc.yaml"
cmake --build "$scratch/build" >/dev/null
grep -q 'max(batch_drift) <= 0.06' "$header"

# A contract that does not hold stops the build, and leaves no header.
sed -i 's/reward_drift <= 0.40/reward_drift <= 0.01/' "$scratch/examples/qwen3-8b-rl.tikc.yaml"
rm "$header"
if cmake --build "$scratch/build" >"$scratch/failed" 2>&1; then
  echo "a claim that does not follow was compiled"
  exit 1
fi
grep -q 'TK610' "$scratch/failed"
[ ! -e "$header" ]

printf '#include "tikc/checker.h"\nint main() { return 0; }\n' >"$scratch/plain.cpp"
if command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH="$scratch/usr/share/pkgconfig" pkg-config --cflags tikc)
else
  flags=-I$scratch/usr/include
fi
# shellcheck disable=SC2086
g++ -std=c++17 $flags -fsyntax-only "$scratch/plain.cpp"
