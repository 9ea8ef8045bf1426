#!/usr/bin/env bash
# scripts/test.sh counts right: its last line and exit code, whatever its stages do. ctest is a fake that writes the
# report it is told to. Also: shellcheck has nothing to say, where it is installed.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

mkdir "$work/bin" "$work/build-ci"
cat >"$work/bin/ctest" <<'FAKE'
#!/usr/bin/env bash
while [ "$1" != --output-junit ]; do shift; done
[ "$REPORT" = none ] && exit 8
read -r tests failed skipped <<<"$REPORT"
printf '<testsuite name="x"\n\ttests="%d"\n\tfailures="%d"\n\tdisabled="0"\n\tskipped="%d"\n>' \
  "$tests" "$failed" "$skipped" >"$2"
[ "$failed" -eq 0 ]
FAKE
chmod +x "$work/bin/ctest"

# expect LAST_LINE EXIT_CODE STAGES: runs the stages, bash code, in a script as test.sh is one.
expect() {
  local output code=0
  output=$(cd "$work" && PATH=$work/bin:$PATH bash -euo pipefail -c \
    ". '$root/scripts/lib/build.sh'; . '$root/scripts/lib/tally.sh'; $3" 2>&1) || code=$?
  if [ "$(tail -n1 <<<"$output")" != "$1" ] || [ "$code" -ne "$2" ]; then
    printf 'FAILED: %s\n  expected "%s" and exit code %d, got %d and:\n%s\n' "$3" "$1" "$2" "$code" "$output"
    failures=$((failures + 1))
  fi
}

expect "0 passed, 0 failed" 0 ':'
expect "5 passed, 0 failed" 0 'REPORT="5 0 0"; export REPORT; stage a run_ctest ci'
expect "4 passed, 0 failed" 0 'REPORT="5 0 1"; export REPORT; stage a run_ctest ci'
expect "3 passed, 2 failed" 1 'REPORT="5 2 0"; export REPORT; stage a run_ctest ci'
expect "10 passed, 0 failed" 0 'REPORT="5 0 0"; export REPORT; stage a run_ctest ci; stage b run_ctest ci'
expect "0 passed, 1 failed" 1 'REPORT=none; export REPORT; stage a run_ctest ci'
expect "5 passed, 1 failed" 1 'REPORT="5 0 0"; export REPORT; stage a false; stage b run_ctest ci'
expect "5 passed, 1 failed" 7 'REPORT="5 0 0"; export REPORT; stage a run_ctest ci; exit 7'

if command -v shellcheck >/dev/null; then
  (cd "$root" && shellcheck -x scripts/*.sh scripts/lib/*.sh .ci/run tests/style/*.sh) || failures=$((failures + 1))
fi

[ "$failures" -eq 0 ] && echo "all counts right"
