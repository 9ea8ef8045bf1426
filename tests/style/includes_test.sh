#!/usr/bin/env bash
# includes.sh accepts a tree that keeps the rules and names every line of one that does not.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# file room/name.hpp holding one line
put() {
  mkdir -p "$tree/$(dirname "$1")"
  printf '%s\n' "$2" >"$tree/$1"
}

expect_good() {
  if ! "$here/includes.sh" "$tree" >"$tree/out"; then
    echo "FAILED: a tree that keeps the rules was refused: $1"
    cat "$tree/out"
    failures=$((failures + 1))
  fi
}

# one bad line at a time: file, line
expect_bad() {
  put "$1" "$2"
  if "$here/includes.sh" "$tree" >"$tree/out" || ! grep -q "^$1:1: " "$tree/out"; then
    echo "FAILED: not reported: $1: $2"
    failures=$((failures + 1))
  fi
  rm "$tree/$1"
}

put base/mpi.cpp '#include <mpi.h>'
put base/error.hpp '#include <string>'
put model/campaign.hpp '#include "base/error.hpp"'
put model/campaign_json.hpp '#include "base/json.hpp"'
put model/task.cpp '#include "base/digest.hpp"'
put mep/sizing.hpp '#include "model/campaign.hpp"'
put mep/runtime/driver.cpp '#include "clock.hpp"'
put store/journal.hpp '#include "model/campaign.hpp"'
put coordinator/flow.cpp '#include "evaluator/check.hpp"'
put sandbox/main.cpp '#include "base/error.hpp"'
put app/main.cpp '#include "coordinator/flow.hpp"'
expect_good "every room"

expect_bad base/up.hpp '#include "model/campaign.hpp"'
expect_bad model/up.hpp '#include "mep/sizing.hpp"'
expect_bad model/fat.hpp '#include "base/json.hpp"'
expect_bad model/fat.cpp '#include "base/json.hpp"'
expect_bad model/third.hpp '#include <nlohmann/json.hpp>'
expect_bad mep/up.cpp '  #  include "evaluator/check.hpp"'
expect_bad mep/runtime/tied.cpp '#include "base/error.hpp"'
expect_bad evaluator/sideways.cpp '#include "store/journal.hpp"'
expect_bad report/sideways.cpp '#include "coordinator/flow.hpp"'
expect_bad store/library.cpp '#include <hdf5.h>'
expect_bad coordinator/library.cpp '#include <mpi.h>'
expect_bad app/library.cpp '#include <hwloc/helper.h>'
expect_bad mep/library.cpp '#include <clang-c/Index.h>'
expect_bad llm/library.cpp '#include <curl/curl.h>'
expect_bad sandbox/much.cpp '#include "model/campaign.hpp"'
expect_bad app/helper.cpp '#include "sandbox/reaper.hpp"'
expect_bad app/local.cpp '#include "options.hpp"'
expect_bad app/relative.cpp '#include "../base/error.hpp"'
expect_bad attic/odd.cpp '#include "base/error.hpp"'

[ "$failures" -eq 0 ] && echo "all rules hold"
