#!/usr/bin/env bash
# Limits, deadlines and silences are measured on the steady clock alone, so that setting the wall clock changes none of
# them. The wall clock is for records that people read; of what decides something, only these two ask it: the lease,
# whose heartbeat is read on other hosts, and the end of the job, which Slurm gives as a time of day.
# Usage: clocks.sh [SRC]; prints each violation, exits 1 if there is one.
set -euo pipefail
cd "${1:-$(dirname "$0")/../../src}"

stamps='app/console|app/relay|app/report|integration/placement_rows|llm/relay_watch|evaluator/(mutations|baseline|evaluator)|store/recorder'
deciding='store/lease|app/job_time'
http_dates='llm/exchange' # a Retry-After may be a date
bad=0
report() {
  if [ -n "$2" ]; then
    printf '%s\n%s\n' "$1" "$2"
    bad=1
  fi
}

report "only base/clock.cpp reads the system's clock:" \
  "$(grep -rnE 'system_clock::|CLOCK_REALTIME|gettimeofday\(|std::time\(|system_timer' --include='*.[ch]pp' . |
    grep -vE '^\./base/clock\.cpp:|^\./mep/runtime/' || true)"
report "the wall clock where it is not expected; steady_seconds() is for limits:" \
  "$(grep -rnE '\bwall_seconds\(\)' --include='*.[ch]pp' . |
    grep -vE "^\./(base/clock|$stamps|$deciding|$http_dates)\.[ch]pp:" || true)"
exit "$bad"
