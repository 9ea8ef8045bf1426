#!/bin/bash
# For sites that do not requeue, and campaigns longer than the queue's limit: submits a job script several times, each
# after the one before. A job whose campaign is finished by then ends within seconds.
#   bash chain.sh JOBS SCRIPT [SBATCH OPTIONS]      e.g.  bash chain.sh 4 cuda.sh --time=04:00:00
set -eu

if [ $# -lt 2 ] || ! [ "$1" -ge 1 ] 2>/dev/null || ! [ -r "$2" ]; then
  sed -n '2,4s/^# //p' "$0" >&2
  exit 2
fi
jobs=$1 script=$2
shift 2
previous=
for ((i = 1; i <= jobs; ++i)); do
  after=()
  if [ -n "$previous" ]; then after=(--dependency="afterany:$previous"); fi
  previous=$(sbatch --parsable --no-requeue "${after[@]}" "$@" "$script")
  previous=${previous%%;*}  # a cluster's name may follow
  echo "job $i of $jobs: $previous"
done
