#!/usr/bin/env bash
# shellcheck disable=SC2317  # verdict calls the functions
# On a machine with an NVIDIA GPU, nvcc and CUPTI: are launches of an application recorded as they are, without
# disturbing it? Builds the injected library and an example, runs it with and without, and compares what was recorded
# with what the example says that it passed.
# Usage: OUT=FOLDER scripts/gpu/capture_check.sh [NOCTUNE]
#   NOCTUNE: the program noctune, to pack what was recorded and make specs of it; without it that part is skipped.
#   OUT: logs and what was recorded are kept there (default: a new folder under /tmp).
# Each check is a line "PASS ..." or "FAIL ..."; the last line is "N passed, N failed"; the exit code says the same.
set -uo pipefail
case ${1:-} in
  -h | --help) sed -n '3,10s/^# //p' "$0" && exit 0 ;;
esac
noctune=${1:+$(realpath "$1")}
OUT=$(realpath -m "${OUT:-$(mktemp -d /tmp/capture-check.XXXXXX)}")
mkdir -p "$OUT"
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1

export CUDA_HOME=${CUDA_HOME:-/usr/local/cuda}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
passed=0
failed=0

tell() {
  echo "$1" | tee -a "$OUT/checks.log"
}
# verdict NAME COMMAND...: counts whether the command succeeds.
verdict() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1)) && tell "PASS $name"
  else
    failed=$((failed + 1)) && tell "FAIL $name"
  fi
}
finish() {
  tell "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
  exit
}

build_library() {
  g++ -std=c++17 -O2 -Wall -shared -fPIC -o "$work/libnoctune_inject.so" share/capture/noctune_inject.cpp \
    -I"$CUDA_HOME/include" -I"$CUDA_HOME/extras/CUPTI/include" -L"$CUDA_HOME/extras/CUPTI/lib64" -L"$CUDA_HOME/lib64" \
    -Wl,-rpath,"$CUDA_HOME/extras/CUPTI/lib64:$CUDA_HOME/lib64" -lcupti -ldl >>"$OUT/build.log" 2>&1
}
build_example() {
  "$CUDA_HOME/bin/nvcc" -std=c++17 -O2 -o "$work/example" tests/store/capture_cuda_example.cu >>"$OUT/build.log" 2>&1
}
plain_run() {
  env -u CUDA_INJECTION64_PATH "$work/example" >"$OUT/plain.log" 2>&1
}
# captured_run FOLDER LOG [VARIABLE=VALUE]...
captured_run() {
  local folder=$1 log=$2
  shift 2
  env CUDA_INJECTION64_PATH="$work/libnoctune_inject.so" NOCTUNE_CAPTURE_DIR="$folder" "$@" \
    timeout 120 "$work/example" >"$work/$log.out" 2>"$OUT/$log.log"
}

# The folders of a kernel's captures, by its plain name and grid.
folders_of() {
  local one
  for one in "$work/caught"/*/; do
    if says "$one/launch.json" "\"kernel\": \"$1[<\"].*\"grid\": \"$2\""; then echo "$one"; fi
  done
}
# same_contents FILE BYTES CHECKSUM
same_contents() {
  [ -f "$1" ] && [ "$("$work/example" --sum "$1" "$2")" = "$3" ]
}
count_is() {
  local folder
  folder=$(folders_of "$1" "$2")
  [ -f "$folder/count" ] && [ "$(cat "$folder/count")" = "$3" ]
}
captures_are() {
  [ "$(find "$work/caught" -name launch.json | wc -l)" = "$1" ]
}
says() {
  grep -q -- "$2" "$1"
}
compare_contents() {
  local kernel grid position name bytes sum file size
  while read -r _ kernel grid position name bytes sum; do
    file=$(folders_of "$kernel" "$grid")/$position.bin
    verdict "$kernel <<<$grid>>> $name: recorded as passed" same_contents "$file" "$bytes" "$sum"
    size=$(stat -c %s "$file" 2>/dev/null)
    [ "$size" = "$bytes" ] || tell "note: $kernel $name has $bytes bytes, recorded were ${size:-none}"
  done < <(grep '^expect ' "$OUT/plain.log")
}

pack() {
  "$noctune" capture "$work/caught" -o "$work/caught.h5" --mep "$work/mep" --names tests/store/capture_cuda_example.cu \
    >"$OUT/noctune.log" 2>&1
}
compare_specs() {
  local kernel grid position name bytes sum number entry
  while read -r _ kernel grid position name bytes sum; do
    entry=$(grep -o "${kernel}[a-z_]* <<<$grid;" "$OUT/noctune.log" | cut -d' ' -f1)
    number=$(grep "x $entry <<<" "$OUT/noctune.log" | grep -n "<<<$grid;" | cut -d: -f1)
    verdict "spec of $entry, launch ${number:-?}: data of $name" \
      same_contents "$work/mep/$entry.captured/$name.$number.bin" "$bytes" "$sum"
  done < <(grep '^expect ' "$OUT/plain.log")
}

echo "logs in $OUT"
: >"$OUT/checks.log"
{ nvidia-smi && "$CUDA_HOME/bin/nvcc" --version && g++ --version; } >"$OUT/build.log" 2>&1
verdict "the library builds" build_library
verdict "the example builds" build_example
verdict "the example runs without the library" plain_run
[ "$failed" -eq 0 ] || { tail -n 30 "$OUT/build.log" "$OUT/plain.log"; finish; }

verdict "the example runs with the library" captured_run "$work/caught" captured
verdict "its output is the same as without" cmp "$OUT/plain.log" "$work/captured.out"
tar -czf "$OUT/caught.tar.gz" -C "$work" caught 2>/dev/null
cat "$work/caught"/*/launch.json >"$OUT/launches.log" 2>/dev/null
verdict "four launches are recorded" captures_are 4
verdict "saxpy of 1000 was met twice" count_is saxpy 4,1,1 2
verdict "saxpy of 4099 was met once" count_is saxpy 17,1,1 1
verdict "spmv was met once" count_is spmv 7,1,1 1
compare_contents
verdict "it says why hidden is not recorded" \
  says "$OUT/captured.log" "hidden.* is not captured: it is recorded into a graph"
verdict "it says that a graph was launched" says "$OUT/captured.log" "a CUDA graph is launched"

verdict "a run limited to two kernels and no bytes" \
  captured_run "$work/none" limited NOCTUNE_CAPTURE_KERNELS=s\* NOCTUNE_CAPTURE_LAUNCH_MB=0
verdict "it says what the limit left out" says "$OUT/limited.log" "NOCTUNE_CAPTURE_LAUNCH_MB"
verdict "its output is the same, too" cmp "$OUT/plain.log" "$work/limited.out"

if [ -n "$noctune" ]; then
  verdict "noctune capture packs it" pack
  verdict "saxpy has its names, types and weight" says "$OUT/noctune.log" \
    '2x saxpy <<<4,1,1; 256,1,1>>>(n=1000, a=0.5, x\[1000\] in, y\[1000\] inout)'
  verdict "spmv has its names, types and weight" says "$OUT/noctune.log" \
    '1x spmv_double <<<7,1,1; 128,1,1>>>(rows=777, row_ptr\[778\] in, columns\[[0-9]*\] in, values\[.*x\[777\] in, y\[777\] inout)'
  verdict "saxpy has two cases" says "$work/mep/saxpy.mep.json" '"weight": 2'
  compare_specs
  tail -n 20 "$OUT/noctune.log"
else
  tell "note: packing was not checked; name the program noctune as argument"
fi
[ "$failed" -eq 0 ] || tail -n 20 "$OUT/captured.log"
finish
