#!/usr/bin/env bash
# The installed package, as a project outside the tree uses it: find_package, tikc_generate, pkg-config.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
TIKC=${TIKC:-$root/build/release/bin/tikc}
build=$(dirname "$(dirname "$TIKC")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/usr" >/dev/null
# A finding in an editor leads to the page of its code.
TIKC="$scratch/usr/bin/tikc" PYTHONPATH="$root/tests/tools" python3 - <<'END'
from pathlib import Path

from lsp_client import Client

client = Client()
client.start({"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}})
client.open("untitled:a", "tikc: v1\n")
(first, *_) = client.wait_for("textDocument/publishDiagnostics")["diagnostics"]
page, anchor = first["codeDescription"]["href"].removeprefix("file://").split("#")
headings = [line[4:].lower().replace(" ", "-") for line in Path(page).read_text().splitlines() if line.startswith("### ")]
assert anchor in headings, anchor
assert client.stop() == 0
END
cp -r "$root/examples" "$scratch/examples"
cmake -S "$scratch/examples/embed" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/usr" >/dev/null
cmake --build "$scratch/build" >/dev/null
for program in serving_loop serving_loop_c; do
  "$scratch/build/$program" >"$scratch/out"
  grep -q '^  rule drift activated on math$' "$scratch/out"
  grep -q '^  traffic of math: route safe$' "$scratch/out"
  if grep 'rule stale' "$scratch/out"; then
    echo "a slice that nothing comes to was waited for"
    exit 1
  fi
done
"$scratch/build/training_loop" >"$scratch/out"
[ "$(grep -c '^step' "$scratch/out")" = 5 ]
grep -q '^step 3: violated, .* of 4096 tokens$' "$scratch/out"
grep -q '^step 5: satisfied, ' "$scratch/out"
grep -q '^  rollouts: hold$' "$scratch/out"
if nm -D --defined-only "$scratch/build/librollout_contract.so" | grep -v ' T qwen3_8b_rl_rollout_'; then
  echo "the library exports more than its header declares"
  exit 1
fi

# What runs contracts without a compiler, found by CMake and by pkg-config, shared and static.
any=$root/examples/embed/any_contract.c
compile_any() { # NAME WORD...
  name=$1
  shift
  gcc -std=c99 -pedantic-errors -Wall -Wextra -Werror "$any" -o "$scratch/$name" "$@"
}
programs=$scratch/build/any_contract
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$scratch/usr/lib/pkgconfig
  # shellcheck disable=SC2046
  compile_any any_shared $(pkg-config --cflags --libs libtikc)
  archive=$scratch/usr/lib/libtikc.a
  # shellcheck disable=SC2046
  compile_any any_static $(pkg-config --cflags libtikc) $(pkg-config --static --libs libtikc | sed "s|-ltikc|$archive|")
  programs="$programs $scratch/any_shared $scratch/any_static"
  if ldd "$scratch/any_static" | grep libtikc; then
    echo "a program that takes the archive loads the library"
    exit 1
  fi
fi
for program in $programs; do
  LD_LIBRARY_PATH=$scratch/usr/lib "$program" "$root/examples/demo/rollout.tikc.yaml" >"$scratch/out"
  grep -q '^token_tv: proved' "$scratch/out"
  grep -q '^gap: violated$' "$scratch/out"
done

# Nothing is made anew without a change; a changed contract is compiled again.
header=$scratch/build/tikc/serving_loop/qwen3-8b-rl.tikc.h
library=$scratch/build/librollout_contract.so
before=$(stat -c %y "$header" "$library")
cmake --build "$scratch/build" >/dev/null
[ "$before" = "$(stat -c %y "$header" "$library")" ]
sed -i 's/max(batch_drift) <= 0.05/max(batch_drift) <= 0.06/' "$scratch/examples/qwen3-8b-rl.tikc.yaml"
cmake --build "$scratch/build" >/dev/null
grep -q 'max(batch_drift) <= 0.06' "$header"
grep -q 'max(batch_drift) <= 0.06' "$library"

# A contract that does not hold stops the build, and leaves no header.
sed -i 's/reward_drift <= 0.40/reward_drift <= 0.01/' "$scratch/examples/qwen3-8b-rl.tikc.yaml"
rm "$header"
if cmake --build "$scratch/build" >"$scratch/failed" 2>&1; then
  echo "a claim that does not follow was compiled"
  exit 1
fi
grep -q 'TK610' "$scratch/failed"
[ ! -e "$header" ]

# What was emitted elsewhere needs the runtime and nothing that tikc is built with.
mkdir "$scratch/fetch"
"$TIKC" emit cpp "$root/examples/qwen3-8b-rl.tikc.yaml" -o "$scratch/fetch"
cat >"$scratch/fetch/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.21)
project(fetch LANGUAGES CXX)
include(FetchContent)
set(TIKC_RUNTIME_ONLY ON)
FetchContent_Declare(tikc SOURCE_DIR ${TIKC_SOURCE_DIR})
FetchContent_MakeAvailable(tikc)
add_library(engine OBJECT engine.cpp)
target_link_libraries(engine PRIVATE tikc::runtime)
END
printf '#include "qwen3-8b-rl.tikc.h"' >"$scratch/fetch/engine.cpp"
cmake -S "$scratch/fetch" -B "$scratch/fetch/build" -DTIKC_SOURCE_DIR="$root" >/dev/null
cmake --build "$scratch/fetch/build" >/dev/null
if grep -qi 'antlr\|llvm' "$scratch/fetch/build/CMakeCache.txt"; then
  echo "the runtime alone looked for what tikc is built with"
  exit 1
fi

printf '#include "tikc/checker.h"\nint main() { return 0; }\n' >"$scratch/plain.cpp"
if command -v pkg-config >/dev/null; then
  flags=$(PKG_CONFIG_PATH="$scratch/usr/share/pkgconfig" pkg-config --cflags tikc)
else
  flags=-I$scratch/usr/include
fi
# shellcheck disable=SC2086
g++ -std=c++17 $flags -fsyntax-only "$scratch/plain.cpp"
