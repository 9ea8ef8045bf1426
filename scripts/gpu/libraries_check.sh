#!/usr/bin/env bash
# On a machine with an NVIDIA GPU and a toolkit with cuBLAS and CUB: versions that call them are taken through the gates,
# and must pass where the campaign allows the library, and be refused by its name where it does not.
# Usage: OUT=FOLDER scripts/gpu/libraries_check.sh NOCTUNE
# Each check is a line "PASS ..." or "FAIL ..."; the last line is "N passed, N failed"; the exit code says the same.
set -euo pipefail
case ${1:-} in
  "" | -h | --help) sed -n '2,5s/^# //p' "$0" && exit 0 ;;
esac
noctune=$(realpath "$1")
OUT=$(realpath -m "${OUT:-$(mktemp -d /tmp/libraries-check.XXXXXX)}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p "$OUT"

hotspot() {
  printf '{"name": "%s", "source": "%s.cu", "entry": "%s", "mep": "%s.mep.json", "allow_libraries": ["%s"]}' \
    "$1" "$PWD/hotspots/cuda/$1" "$1" "$PWD/hotspots/cuda/$1" "$2"
}
cat >"$OUT/campaign.json" <<JSON
{"platform": {"backend": "cuda"}, "hotspots": [$(hotspot gemm cublas), $(hotspot reduction cub)]}
JSON
sed 's/, "allow_libraries": \[[^]]*\]//g' "$OUT/campaign.json" >"$OUT/without.json"

cat >"$OUT/gemm.cu" <<'CUDA'
#include <cublas_v2.h>
static cublasHandle_t handle = nullptr;
extern "C" void gemm(int m, int n, int k, float alpha, float beta, const float* A, const float* B, float* C,
                     mep_stream_t stream) {
  if (!handle) cublasCreate(&handle);
  cublasSetStream(handle, stream);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &alpha, B, n, A, k, &beta, C, n);
}
CUDA
cat >"$OUT/reduction.cu" <<'CUDA'
#include <cub/device/device_reduce.cuh>
extern "C" void reduction(int n, const float* in, float* partial, float* out, mep_stream_t stream) {
  std::size_t bytes = 16384 * sizeof(float);
  cub::DeviceReduce::Sum(partial, bytes, in, out, n, stream);
}
CUDA

passed=0
failed=0
# expect CODE WORDS CAMPAIGN HOTSPOT: the exit code of `noctune try`, and words of its account.
expect() {
  local code=0 name
  name=$(basename "$3" .json)-$4
  "$noctune" try "$3" "$4" "$OUT/$4.cu" >"$OUT/$name.log" 2>&1 || code=$?
  if [ "$code" -eq "$1" ] && grep -q "$2" "$OUT/$name.log"; then
    passed=$((passed + 1)) && echo "PASS $name"
  else
    failed=$((failed + 1)) && echo "FAIL $name: exit code $code, see $OUT/$name.log"
  fi
}
expect 0 "" "$OUT/campaign.json" gemm
expect 0 "" "$OUT/campaign.json" reduction
expect 1 "library cublas" "$OUT/without.json" gemm
expect 1 "library cub" "$OUT/without.json" reduction
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
