#!/usr/bin/env bash
# Every tracked C++ file is formatted as .clang-format says, but for the corpus' kernels, which look as applications do.
# Exits 77 (skipped) where clang-format or git is missing.
set -euo pipefail

cd "$(dirname "$0")/../.."
command -v clang-format >/dev/null || { echo "skipped: clang-format is not installed"; exit 77; }
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: not a git working tree"; exit 77; }
git ls-files -z -- '*.cpp' '*.hpp' ':!tests/corpus/*/source.cpp' | xargs -0 -r clang-format --dry-run -Werror
