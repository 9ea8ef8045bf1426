#!/usr/bin/env bash
# Stands in for hipcc where HIP code is to run on an NVIDIA GPU (HIP_PLATFORM=nvidia): calls nvcc on HIP's headers.
# HIP_NVIDIA_PATH: a folder with HIP's headers in include/ and, where they do not fit the CUDA that is installed, a file
# shim.hpp that mends that; it is included before everything else. nvcc comes from PATH or CUDA_HOME.
# Usage: as hipcc; options that only hipcc knows are translated or left out.
set -euo pipefail

root=${HIP_NVIDIA_PATH:?set it to a folder with HIP\'s headers in include/}
nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
arguments=(-cudart shared -D__HIP_PLATFORM_NVIDIA__ -isystem "$root/include")
if [ -f "$root/shim.hpp" ]; then arguments+=(-include "$root/shim.hpp"); fi
copies=()
trap 'rm -f "${copies[@]}"' EXIT

while [ $# -gt 0 ]; do
  case $1 in
    --version) exec "$nvcc" --version ;;
    -x) arguments+=(-x cu) && shift ;;
    --offload-arch=*) arguments+=("-arch=${1#*=}") ;;
    -Rpass*) arguments+=(-Xptxas -v) ;;
    -ffp-contract=off) arguments+=(-fmad=false) ;;
    -Wl,*) arguments+=(-Xlinker "${1#-Wl,}") ;;
    -f* | -W* | -m*) arguments+=(-Xcompiler "$1") ;;
    *.hip)  # nvcc goes by the name's end
      copies+=("$1.cu")
      cp "$1" "$1.cu"
      arguments+=("$1.cu")
      ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
"$nvcc" "${arguments[@]}"
