#!/bin/bash
# The real pre-commit runs the hooks in a scratch repository, without a network: clean, then failing.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
tikc=${TIKC:-$root/build/release/bin/tikc}
if ! command -v pre-commit >/dev/null || ! command -v git >/dev/null; then
  echo 'skipped: pre-commit or git is not installed'
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PRE_COMMIT_HOME=$scratch/home HOME=$scratch PRE_COMMIT_COLOR=never
export GIT_CONFIG_NOSYSTEM=1 GIT_ALLOW_PROTOCOL=file
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

fail() {
  echo "FAILED: $1"
  [ -z "${output:-}" ] || echo "$output"
  exit 1
}

pre-commit validate-manifest "$root/.pre-commit-hooks.yaml" || fail 'the manifest is not valid'

# The hooks' repository, with a build that is quick.
hooks=$scratch/hooks
mkdir -p "$hooks/.ci"
cp "$root/.pre-commit-hooks.yaml" "$hooks"
cp "$root/.ci/hook" "$hooks/.ci"
cat >"$hooks/.ci/build" <<BUILD
#!/bin/sh
set -eu
cd "\$(dirname "\$0")/.."
echo built >>"$scratch/built"
mkdir -p build/release/bin
ln -s "$tikc" build/release/bin/tikc
BUILD
chmod +x "$hooks/.ci/build"
git -C "$hooks" init -q
git -C "$hooks" add -A
git -C "$hooks" commit -qm hooks

mkdir "$scratch/bin"
ln -s "$tikc" "$scratch/bin/tikc"
export PATH=$scratch/bin:$PATH

work=$scratch/work
mkdir -p "$work/contracts"
cd "$work"
git init -q
"$tikc" init contracts/rollout.tikc.yaml >/dev/null
echo 'not: [a contract' >other.yaml

for hook in tikc-check tikc-check-build; do
  cat >.pre-commit-config.yaml <<CONFIG
repos:
  - repo: $hooks
    rev: $(git -C "$hooks" rev-parse HEAD)
    hooks: [{ id: $hook, verbose: true }]
CONFIG
  git checkout -q -- contracts 2>/dev/null || true
  git add -A
  output=$(pre-commit run --all-files 2>&1) || fail "$hook fails on a clean contract"
  grep -q '1 contract in 1 file: no findings' <<<"$output" || fail "$hook did not check the one contract"
  git commit -qm clean --allow-empty

  sed -i 's/^pair:/pear:/' contracts/rollout.tikc.yaml
  git add -A
  if output=$(pre-commit run 2>&1); then
    fail "$hook passes a faulty contract"
  fi
  grep -q 'TK2001.*' <<<"$output" || fail "$hook does not show the finding"
  grep -q 'contracts/rollout.tikc.yaml:' <<<"$output" || fail "$hook does not show the place"
  git reset -q --hard

  echo 'a: 1' >>other.yaml
  git add -A
  output=$(pre-commit run 2>&1) || fail "$hook fails on a file that is no contract"
  grep -q 'Skipped' <<<"$output" || fail "$hook ran on a file that is no contract"
  git reset -q --hard
done
[ "$(wc -l <"$scratch/built")" -eq 1 ] || fail 'tikc was not built once'

# A hook that changes files: it fails once, and passes on what it made.
changes() {
  local hook=$1 slip=$2 mended=$3
  cat >.pre-commit-config.yaml <<CONFIG
repos:
  - repo: $hooks
    rev: $(git -C "$hooks" rev-parse HEAD)
    hooks: [{ id: $hook, verbose: true }]
CONFIG
  git add -A
  git commit -qm "$hook"
  output=$(pre-commit run --all-files 2>&1) || fail "$hook fails on a clean contract"
  sed -i "$slip" contracts/rollout.tikc.yaml
  git add -A
  if output=$(pre-commit run 2>&1); then
    fail "$hook passes what it had to change"
  fi
  grep -q 'files were modified by this hook' <<<"$output" || fail "$hook did not change the contract"
  grep -q "$mended" contracts/rollout.tikc.yaml || fail "$hook did not mend the contract"
  git add -A
  output=$(pre-commit run --all-files 2>&1) || fail "$hook fails on what it made"
  git diff --quiet HEAD -- contracts || fail "$hook changed more than the slip"
}
changes tikc-fix 's/^pair:/pairs:/' '^pair:'
changes tikc-fmt 's/^pair: {/pair:   {/' '^pair: {'
# What is looser has to say so by its version.
cat >.pre-commit-config.yaml <<CONFIG
repos:
  - repo: $hooks
    rev: $(git -C "$hooks" rev-parse HEAD)
    hooks: [{ id: tikc-diff, verbose: true }]
CONFIG
git add -A
git commit -qm tikc-diff
sed -i 's/max(logit_osc) <= 1$/max(logit_osc) <= 1.01/' contracts/rollout.tikc.yaml
git add -A
if output=$(pre-commit run 2>&1); then
  fail 'tikc-diff passes a looser contract'
fi
grep -q 'looser *clause drift' <<<"$output" || fail 'tikc-diff does not show what is looser'
sed -i 's/^version: 0.1.0/version: 0.2.0/' contracts/rollout.tikc.yaml
git add -A
output=$(pre-commit run 2>&1) || fail 'tikc-diff fails on a version that says so'
git reset -q --hard

# A contract is gone, and pre-commit names no file.
git rm -q contracts/rollout.tikc.yaml
if output=$(pre-commit run 2>&1); then
  fail 'tikc-diff passes a contract that is gone'
fi
grep -q 'removed' <<<"$output" || fail 'tikc-diff does not tell of what is gone'
git reset -q --hard

# A base is loosened: its child, which is not in the commit, does not hold any more. What tikc.yaml excludes passes.
cat >.pre-commit-config.yaml <<CONFIG
repos:
  - repo: $hooks
    rev: $(git -C "$hooks" rev-parse HEAD)
    hooks: [{ id: tikc-check, verbose: true }]
CONFIG
sed -e 's/^contract: .*/contract: base\nabstract: true/' -e '/^claims:/,/^[a-z]*:/{/^claims:/d;/^  /d}' contracts/rollout.tikc.yaml >contracts/base.tikc.yaml
printf 'tikc: v1\ncontract: child\nextends: base.tikc.yaml\nclaims: { near: tv <= 0.2 }\n' >contracts/child.tikc.yaml
mkdir drafts
echo 'not: [a contract' >drafts/x.tikc.yaml
echo 'exclude: [drafts]' >tikc.yaml
git add -A
output=$(pre-commit run --all-files 2>&1) || fail 'what is excluded is checked'
git commit -qm family
sed -i -e 's/max(logit_osc) <= .*/max(logit_osc) <= 3/' -e 's/mean(k3) <= .*/mean(k3) <= 1/' -e 's/<= 0.1 nat/<= 9 nat/' contracts/base.tikc.yaml
git diff --quiet && fail 'the base was not loosened'
git add -A
if output=$(pre-commit run 2>&1); then
  fail 'a base that breaks its child passes'
fi
grep -q 'contracts/child.tikc.yaml:' <<<"$output" || fail 'the child is not shown'
grep -q 'because it extends `contracts/base.tikc.yaml`' <<<"$output" || fail 'the reason is not shown'

echo 'the hooks: clean passes, faulty fails or is mended, others are skipped'
