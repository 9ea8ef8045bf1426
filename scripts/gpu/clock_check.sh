#!/usr/bin/env bash
# On a machine with an NVIDIA GPU, nvcc and ncu: are Noctune's times those that anybody would measure? A plain CUDA
# program times a copy of 64 Mi floats by an event loop, and a kernel of about 5 us; Noctune times the same sources
# as originals of a campaign, and ncu says how long the short kernel itself takes.
# Usage: OUT=FOLDER scripts/gpu/clock_check.sh NOCTUNE
#   OUT: logs and raw numbers are kept there (default: a new folder under /tmp). ARCH: nvcc's -arch (default: native).
# Prints a table with ratios and whether they are within the wanted bounds, as far as the numbers are there; a missed
# bound is said, not an error: the exit code is 0 unless a number is missing. Takes about two minutes, at most six.
set -uo pipefail
case ${1:-} in
  "" | -h | --help) sed -n '2,9s/^# //p' "$0" && exit 0 ;;
esac
noctune=$(realpath "$1")
OUT=$(realpath -m "${OUT:-$(mktemp -d /tmp/clock-check.XXXXXX)}")
mkdir -p "$OUT"
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
export PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT

# attempt SECONDS WHAT LOG COMMAND...: a failure is told and the rest goes on.
attempt() {
  local limit=$1 what=$2 log=$3
  shift 3
  echo "[$SECONDS s] $what"
  timeout "$limit" "$@" >"$log" 2>&1 || { echo "failed (exit code $?): $what" && tail -n 15 "$log"; }
}

cat >"$work/campaign.json" <<JSON
{
  "name": "gpu-clock",
  "mep": {"t_min_ms": 0.1, "s_max_mb": 1024},
  "platform": {"backend": "cuda"},
  "hotspots": [
    {"name": "copy", "source": "$PWD/hotspots/cuda/copy.cu", "entry": "copy", "mep": "$PWD/hotspots/cuda/copy.mep.json"},
    {"name": "short", "source": "$PWD/benchmarks/gpu_clock/short.cu", "entry": "short_entry", "mep": "$PWD/benchmarks/gpu_clock/short.mep.json"}
  ]
}
JSON

echo "logs in $OUT"
attempt 60 "building the plain program" "$OUT/nvcc.txt" \
  nvcc "-arch=${ARCH:-native}" -O3 -std=c++17 benchmarks/gpu_clock/clock.cu -o "$work/clock"
attempt 30 "timing without Noctune" "$OUT/plain.txt" "$work/clock"
cat "$OUT/plain.txt"
attempt 180 "timing with Noctune" "$OUT/noctune.txt" "$noctune" mep "$work/campaign.json" --output "$work/mep"
grep -E '^Hotspot| original | cases |REFUSED' "$OUT/noctune.txt"
for caches in none all; do
  attempt 45 "asking ncu, caches $([ $caches = all ] && echo flushed || echo kept)" "$OUT/ncu-$caches.txt" \
    ncu --csv --page raw --print-units base --log-file "$OUT/ncu-$caches.csv" --clock-control none \
    --cache-control $caches --kernel-name-base function -k 'regex:^(short_kernel)$' --replay-mode kernel \
    --metrics gpu__time_duration.sum "$work/clock" ncu
done

python3 - "$OUT" <<'PYTHON'
import csv, pathlib, re, statistics, sys

out = pathlib.Path(sys.argv[1])
missing = []


def text(name):
    file = out / name
    return file.read_text(errors="replace") if file.exists() else ""


def plain(name):
    found = re.search(rf"^{name} (\S+)", text("plain.txt"), re.M)
    return float(found[1]) if found else None


def noctune(hotspot):
    found = re.search(rf"Hotspot {hotspot} .*?\n *original +(\S+) (ns|us|ms|s) a call", text("noctune.txt"), re.S)
    return float(found[1]) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[found[2]] if found else None


def ncu(caches):
    rows = list(csv.reader(text(f"ncu-{caches}.csv").splitlines()))
    start = next((i for i, row in enumerate(rows) if row and row[0] == "ID"), None)
    if start is None or "gpu__time_duration.sum" not in rows[start]:
        return None
    at = rows[start].index("gpu__time_duration.sum")
    scale = {"ns": 1e-9, "nsecond": 1e-9, "us": 1e-6, "usecond": 1e-6}.get(rows[start + 1][at])
    values = [float(row[at].replace(",", "")) for row in rows[start + 2:] if len(row) > at and row[at][:1].isdigit()]
    return scale * statistics.median(values) if scale and values else None


def line(what, reference, measured, bound=None):
    if reference is None or measured is None:
        missing.append(what)
        return
    ratio = measured / reference
    verdict = ""
    if bound is not None:
        verdict = f"within {100 * bound:.0f} %: " + ("met" if abs(ratio - 1) <= bound else "MISSED")
    print(f"{what:<52} {1e6 * reference:10.3f} us {1e6 * measured:10.3f} us {ratio:8.3f}  {verdict}")


print(f"\n{'Noctune against':<52} {'reference':>13} {'Noctune':>13} {'ratio':>8}")
line("copy, 64 Mi floats: event loop", plain("copy"), noctune("copy"), 0.03)
line("short kernel: ncu, caches flushed", ncu("all"), noctune("short"), 0.10)
line("short kernel: ncu, caches kept", ncu("none"), noctune("short"), 0.10)
line("short kernel: 64 launches by events, other data each", plain("short-cold"), noctune("short"))
line("short kernel: 64 launches by events, the same data", plain("short-hot"), noctune("short"))
copy, short, device = plain("copy"), plain("short-cold"), ncu("all")
if copy:
    print(f"the plain copy moves {8 * 2**26 / copy * 1e-12:.3f} TB/s")
if short and device:
    print(f"without Noctune, events say {short / device:.3f} times what ncu says: launches in a row have gaps")
for what in missing:
    print(f"NO NUMBER for {what}")
sys.exit(bool(missing))
PYTHON
