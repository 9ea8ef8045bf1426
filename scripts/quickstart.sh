#!/usr/bin/env bash
# Installs what is missing, builds Noctune and tunes the six hotspots of configs/quickstart.json on this machine's
# cores, without a GPU, a network or a key. Called again, it goes on where it stopped and measures nothing twice.
# Usage: scripts/quickstart.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ $# -gt 0 ]; then
  sed -n '2,4s/^# //p' scripts/quickstart.sh
  case $1 in -h | --help) exit 0 ;; *) exit 2 ;; esac
fi
. scripts/lib/packages.sh
. scripts/lib/build.sh

results=results/quickstart.h5
noctune=build/bin/noctune

say() { printf '\n== %s\n' "$*"; }

say "What Noctune is built from"
ensure_packages "${build_packages[@]}"

say "Building on $jobs cores"
configure release -DNOCTUNE_BUILD_TESTS=OFF -DNOCTUNE_BUILD_BENCHMARKS=OFF || {
  echo "Configuring failed. Noctune needs: $requirements." >&2
  exit 1
}
build release

mkdir -p "$(dirname "$results")"
allow_any_mpi_start
launch=()
mpirun=$(working_mpirun build)
if [ -n "$mpirun" ]; then
  launch=("$mpirun" -n 2)
else
  echo "mpirun starts nothing here; one process takes both roles."
fi

if [ -t 1 ]; then export NOCTUNE_PROGRESS=live; fi
say "Tuning configs/quickstart.json into $results"
status=0
"${launch[@]}" "$noctune" tune configs/quickstart.json --output "$results" || status=$?
if [ "$status" -eq 75 ]; then
  say "Stopped before the end; call scripts/quickstart.sh again to go on"
elif [ "$status" -ne 0 ]; then
  echo "The campaign ended with exit code $status; the messages above say why." >&2
  exit "$status"
fi

say "What was found"
"$noctune" report "$results"
exit "$status"
