#!/bin/bash
# The script of the GitHub Action: annotations on standard output, a SARIF file, the status of the check.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
export TIKC=${TIKC:-$root/build/release/bin/tikc}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export RUNNER_TEMP=$scratch/temp GITHUB_OUTPUT=$scratch/output
mkdir temp 'with blank'
"$TIKC" init 'with blank/a.tikc.yaml' >/dev/null
"$TIKC" init b.tikc.yaml >/dev/null

fail() {
  echo "FAILED: $1"
  exit 1
}

expect() { # STATUS WHAT
  local status=0
  : >"$GITHUB_OUTPUT"
  rm -f temp/tikc.sarif
  "$root/.ci/action" >log 2>&1 || status=$?
  [ "$status" -eq "$1" ] || { cat log; fail "$2: status $status"; }
}

PATHS=$'with blank\nb.tikc.yaml\n\n' expect 0 'clean contracts'
grep -q "^sarif=$scratch/temp/tikc.sarif$" output || fail 'the output is not set'
[ "$(/usr/bin/python3 -c 'import json; print(len(json.load(open("temp/tikc.sarif"))["runs"][0]["results"]))')" = 0 ] || fail 'results in a clean run'

sed -i 's/^pair:/pear:/' 'with blank/a.tikc.yaml'
PATHS=. expect 1 'a faulty contract'
grep -q '^::error file=with blank/a.tikc.yaml,line=' log || fail 'no annotation'
grep -q TK2001 temp/tikc.sarif || fail 'no result in the report'

PATHS=nowhere expect 2 'a missing path'
[ ! -s output ] && [ ! -e temp/tikc.sarif ] || fail 'a report of nothing is uploaded'

"$TIKC" init loose/a.tikc.yaml >/dev/null
git init -q loose
git -C loose add -A
git -C loose -c user.name=n -c user.email=n@n commit -qm one
export GITHUB_STEP_SUMMARY=$scratch/summary
cd loose
AGAINST=git:HEAD PATHS=. expect 0 'nothing changed'
grep -q '^Unchanged: a$' "$GITHUB_STEP_SUMMARY" || fail 'no summary'
sed -i 's/<= 0\.\([0-9]\)/<= 0.9\1/' a.tikc.yaml
AGAINST=git:HEAD PATHS=. expect 1 'a looser contract'
grep -q '^| looser | clause ' "$GITHUB_STEP_SUMMARY" || fail 'what is looser is not in the summary'
AGAINST=git:nowhere PATHS=. expect 2 'an unknown revision'
cd ..
unset GITHUB_STEP_SUMMARY

/usr/bin/python3 - "$root/action.yml" <<'PYTHON'
import sys
import ruamel.yaml
action = ruamel.yaml.YAML(typ="safe").load(open(sys.argv[1]))
assert action["runs"]["using"] == "composite"
for step in action["runs"]["steps"]:
    assert "uses" in step or "shell" in step, step
names = set(action["inputs"])
text = open(sys.argv[1]).read()
import re
assert set(re.findall(r"inputs\.([a-z-]+)", text)) <= names
PYTHON
echo 'the action: clean, faulty, missing, looser'
