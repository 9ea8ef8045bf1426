#!/usr/bin/env bash
# Everything CI checks: the optimised build with warnings as errors and the tests of whole programs and of compiled
# kernels, the unit tests under AddressSanitizer and UBSan, the concurrent parts under ThreadSanitizer, the MPI tests
# with MPICH, clang-tidy. The soak is left out.
# Usage: scripts/test.sh [--quick]   --quick: only the optimised build, with all tests.
# The last line is "N passed, N failed"; the exit code is not 0 when anything failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. scripts/lib/packages.sh
. scripts/lib/build.sh

quick=no
for argument in "$@"; do
  case $argument in
    --quick) quick=yes ;;
    -h | --help) sed -n '2,6s/^# //p' "$0" && exit 0 ;;
    *) echo "unknown argument: $argument (known: --quick)" >&2 && exit 2 ;;
  esac
done
. scripts/lib/tally.sh

# The tests of one room carry its name. Threads and coroutines are in these: coordinator and store, and of the
# evaluator what runs several things at once. Left out are the coordinator's rules, prompts and patterns, which only
# turn text into text, and what calls OpenMP code in the test's own process: GCC's OpenMP runtime is not instrumented,
# and its barriers look like races.
threaded_tests=(-R '^(coordinator|store)_|^evaluator_(gates|activity|node_token|gpu_monitor)_|^(base|llm)_http_'
  -E '^coordinator_((gpu_)?rules|prompts|patterns)_' -LE 'soak|timing|e2e|openmp|^mpi$')

# What measures or fills the machine: after the rest, two at once where times do not matter.
alone='timing|e2e|exploits|^mpi$'

# Under sanitizers most of their time goes into compilers and candidates, which are not instrumented; the same paths
# of the evaluator are taken by shorter tests.
long_without_use='^(exploits_test|evaluator_(policy_sources|gpu_compile|confinement)_test|app_file_reader_test|hotspots_cuda_compile_test|suites_(compile|programs)_test|coordinator_(gpu_)?rules_numbers_test|corpus_(by_rules_.*|share_test|cuda_form_test))$'

# One after the other, since they time: minutes.
corpus='^corpus_(by_rules_.*|share_test)$'

ci_stage() {
  local programs optimised
  if [ "$quick" = yes ]; then
    configure ci && build ci || return 1
    run_ctest ci -j "$jobs" -LE "soak|$alone"
  else
    configure ci -DNOCTUNE_BUILD_UNIT_TESTS=OFF && build ci || return 1
    mapfile -t programs < <(test_programs ci -R "$long_without_use" -LE soak)
    build ci --target "${programs[@]}" || return 1
    # What finds something that the sanitizers' build does not tell; unit tests run there.
    optimised=$(sed -n 's/^NOCTUNE_OPTIMISED_LABELS:INTERNAL=//p' "$(build_folder ci)/CMakeCache.txt")
    run_ctest ci -j "$jobs" -L "$optimised" -LE "soak|$alone" -E "$corpus"
    run_ctest ci -j "$jobs" -R "$long_without_use" -LE "$optimised|soak|$alone"
  fi
  run_ctest ci -j $((jobs + 1)) -L "$alone" -LE soak # they wait for much of their time
}

corpus_stage() {
  run_ctest ci -R "$corpus"
}

asan_stage() {
  configure asan -DNOCTUNE_BUILD_BENCHMARKS=OFF && build asan || return 1
  export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
  # GCC 12 pairs Asio's coroutine frames with the wrong operator delete in its report.
  export ASAN_OPTIONS=alloc_dealloc_mismatch=0
  run_ctest asan -j "$jobs" -LE 'soak|timing|style|e2e|compiles|compiler|^mpi$' -E "$long_without_use"
  # MPI libraries keep memory until the process ends.
  ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 run_ctest asan -L '^mpi$' -LE 'soak|timing|e2e'
}

tsan_stage() {
  configure tsan || return 1
  local programs names
  mapfile -t programs < <(test_programs tsan "${threaded_tests[@]}")
  if [ "${#programs[@]}" -eq 0 ]; then return 0; fi
  build tsan --target "${programs[@]}" || return 1
  names=$(IFS='|' && echo "${programs[*]}")
  # ThreadSanitizer of GCC 12 does not start under the address layout of some newer kernels.
  run_under=(setarch "$(uname -m)" -R)
  "${run_under[@]}" true 2>/dev/null || run_under=()
  run_ctest tsan -j "$jobs" -R "^($names)\$"
  run_under=()
}

mpich_stage() {
  configure mpich -DNOCTUNE_BUILD_BENCHMARKS=OFF || return 1
  build mpich --target noctune noctune-sandbox coordinator_rank_pair coordinator_broken_messages || return 1
  # Of the whole program what depends on the MPI library: how ranks are started, talk, are lost and end. Its ranks spin
  # while they wait: with two cores a whole campaign's decisions do not repeat there.
  run_ctest mpich -L '^mpi$' -LE 'soak|timing' -E '^e2e_(try|bad_input|replay|job_kill|mep|model|integrate|export)$'
}

# clang reads GCC's compile commands but for two options; Asio has to be told that this clang has coroutines.
# Warnings are GCC's business: here only the checks of .clang-tidy count.
tidy_stage() {
  local tidy=clang-tidy-16 run=run-clang-tidy-16
  if ! command -v "$run" >/dev/null; then
    echo "skipped: $run is not installed"
    return 0
  fi
  mkdir -p build-ci/tidy
  sed -e 's/ -fcoroutines / -DASIO_HAS_CO_AWAIT=1 -DASIO_HAS_STD_COROUTINE=1 /g' -e 's/ -Wno-restrict / /g; s/ -Werror / /g' \
    build-ci/compile_commands.json >build-ci/tidy/compile_commands.json
  if "$run" -clang-tidy-binary "$(command -v "$tidy")" -p build-ci/tidy -quiet -j "$jobs" "$PWD/src/" \
    >build-ci/tidy/log 2>&1; then
    count 1 0
  else
    grep -E 'error:|warning:' build-ci/tidy/log | sort -u | head -50
    count 0 1
  fi
}

# stage_before MINUTES NAME COMMAND...: a stage that CI's limit of 90 minutes would cut off is left out, which it says.
stage_before() {
  local minutes=$1
  shift
  if [ "${CI:-}" = true ] && [ "$SECONDS" -gt $((60 * minutes)) ]; then
    printf '\n== %s\nskipped: %d minutes are gone; run it by hand: scripts/test.sh\n' "$1" $((SECONDS / 60))
  else
    stage "$@"
  fi
}

allow_any_mpi_start
stage "packages" ensure_packages "${build_packages[@]}" "${test_packages[@]}"
stage "warnings as errors" ci_stage
if [ "$quick" = no ]; then
  stage_before 55 "AddressSanitizer and UBSan" asan_stage
  stage_before 60 "corpus of kernels" corpus_stage
  stage_before 60 "ThreadSanitizer" tsan_stage
  stage_before 55 "MPICH" mpich_stage
  stage_before 50 "clang-tidy" tidy_stage
fi
