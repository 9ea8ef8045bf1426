# shellcheck shell=bash
# Runs the stages of a test script and counts. To be sourced after build.sh; prints the sum when the script ends.

passed=0
failed=0
stages_failed=()
run_under=()  # what ctest is started with, e.g. setarch

count() {
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# stage NAME COMMAND...: a stage that fails counts as one failure, and the next ones still run.
stage() {
  local name=$1 start=$SECONDS before=$failed
  shift
  printf '\n== %s\n' "$name"
  if ! "$@"; then count 0 1; fi
  if [ "$failed" -gt "$before" ]; then stages_failed+=("$name"); fi
  printf -- '-- %s: %d s\n' "$name" $((SECONDS - start))
}

# run_ctest PRESET [CTEST ARGUMENTS]: runs the tests of a build folder and adds what passed and failed.
run_ctest() {
  local preset=$1 folder report
  shift
  folder=$(build_folder "$preset")
  report=$PWD/$folder/ctest-$$-$RANDOM.xml
  "${run_under[@]}" ctest --test-dir "$folder" --output-on-failure --no-tests=ignore --output-junit "$report" "$@" || true
  if [ ! -s "$report" ]; then
    echo "ctest wrote no report for $folder" >&2
    count 0 1
    return
  fi
  local tests failures skipped
  tests=$(junit_count tests "$report")
  failures=$(junit_count failures "$report")
  skipped=$(junit_count skipped "$report")
  count $((tests - failures - skipped)) "$failures"
  rm -f "$report"
}

# The count of the whole suite, from the first line that has one.
junit_count() {
  grep -o -m1 "\\b$1=\"[0-9]*\"" "$2" | head -n1 | tr -dc 0-9
}

print_tally() {
  local status=$?
  if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then failed=1; fi
  if [ "${#stages_failed[@]}" -gt 0 ]; then
    printf '\nfailed in:\n'
    printf '  %s\n' "${stages_failed[@]}"
  fi
  printf '%d passed, %d failed\n' "$passed" "$failed"
  if [ "$failed" -ne 0 ] && [ "$status" -eq 0 ]; then status=1; fi
  exit "$status"
}
trap print_tally EXIT
