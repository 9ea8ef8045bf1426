#!/usr/bin/env bash
# Every include in src/ goes downwards: app -> report, integration, coordinator -> evaluator, llm, store -> mep ->
# model -> base. sandbox sees base alone. Only base sees HDF5, MPI, hwloc, libclang and libcurl. Headers of model
# stay plain data: the standard library and base/error.hpp; only its codecs (*_json) see base/json.hpp.
# Usage: includes.sh [SRC]; prints each violation as file:line, exits 1 if there is one.
set -euo pipefail

src=${1:-$(dirname "$0")/../../src}
cd "$src"
# shellcheck disable=SC2016  # awk's variables
find . -name '*.hpp' -o -name '*.cpp' -o -name '*.h' -o -name '*.c' | sed 's|^\./||' | sort | xargs -r awk '
  BEGIN {
    split("base 0 model 1 mep 2 evaluator 3 llm 3 store 3 report 4 integration 4 coordinator 4 sandbox 4 app 5", r)
    for (i = 1; i in r; i += 2) rank[r[i]] = r[i + 1]
  }
  function violation(why) { print FILENAME ":" FNR ": " why ": " $0; bad = 1 }

  /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
    included = $0
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", included)
    quoted = substr(included, 1, 1) == "\""
    included = substr(included, 2)
    sub(/[>"].*/, "", included)
    split(FILENAME, from, "/"); room = from[1]
    split(included, to, "/"); target = to[1]
    codec = FILENAME ~ /_json\.[ch]pp$/
    header = FILENAME ~ /\.hpp$/

    if (!(room in rank)) { violation("unknown room " room); next }
    if (!quoted) {
      if (room != "base" && included ~ /^(hdf5|H5|mpi\.h|hwloc|clang-c\/|curl\/)/) violation("only base includes this library")
      if (room == "model" && !codec && included ~ /^(nlohmann|asio|spdlog|CLI)/) violation("model is plain data")
      next
    }
    if (index(included, "/") == 0) {  # the runtime is compiled into drivers, away from this tree
      if (FILENAME !~ /^mep\/runtime\//) violation("name the room")
      next
    }
    if (included ~ /\.\./) { violation("name the room"); next }
    if (!(target in rank)) { violation("unknown room " target); next }
    if (target == room) next
    if (FILENAME ~ /^mep\/runtime\//) violation("the runtime stands alone")
    else if (target == "sandbox") violation("sandbox is a program of its own")
    else if (room == "sandbox" && target != "base") violation("sandbox sees base alone")
    else if (rank[target] >= rank[room]) violation("not downwards")
    else if (room == "model" && !codec && header && included != "base/error.hpp") violation("model is plain data")
    else if (room == "model" && !codec && included == "base/json.hpp") violation("JSON belongs in a codec")
  }
  END { exit bad }
'
