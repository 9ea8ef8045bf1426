# shellcheck shell=bash
# What every job script here does with the program: starts it, passes signals on, and turns its exit code into what Slurm
# should do with the job. To be sourced by a job script, which then calls
#
#   run_campaign LAUNCHER... noctune tune CAMPAIGN ...
#
#   0    finished: the job ends
#   75   stopped in time, more is to be done: the job goes back into the queue and goes on from its journal, unless
#        somebody cancelled it
#   9, 137 ... a rank was killed, by the kernel for its memory say: as 75, but three times at most
#   76   only answers of the model are missing: the job is held until the relay, or you, release it
#   else the job ends with that code; the log says why
set -u

noctune_pid=
cancelled=no  # SIGTERM: scancel, preemption, the end of the time; a cancelled job must not come back

# A trap runs only between commands, and a shell in the foreground waits for its program: so it runs beside us.
pass_on() {
  if [ -n "$noctune_pid" ]; then kill -s "$1" "$noctune_pid" 2>/dev/null; fi
}

# `wait` also returns when a signal arrives; the program's own code comes once it is gone.
await() {
  local code=0
  while kill -0 "$1" 2>/dev/null; do
    wait "$1"
    code=$?
  done
  wait "$1" 2>/dev/null
  local last=$?
  if [ "$last" -ne 127 ]; then code=$last; fi
  return "$code"
}

# back_into_the_queue CODE: the code is for sites that do not requeue.
back_into_the_queue() {
  echo "$(date +%FT%T) job ${SLURM_JOB_ID:-?}: not finished (exit code $1); it goes back into the queue"
  if ! scontrol requeue "$SLURM_JOB_ID"; then
    echo "this site does not requeue: submit the same script again, or use chain.sh" >&2
    exit "$1"
  fi
}

after_a_kill() {
  if [ "${SLURM_RESTART_COUNT:-0}" -ge 3 ]; then
    echo "$(date +%FT%T) job ${SLURM_JOB_ID:-?}: a rank was killed once more (exit code $1); the log says which" >&2
    exit "$1"
  fi
  back_into_the_queue "$1"
}

hold() {
  echo "$(date +%FT%T) job ${SLURM_JOB_ID:-?}: waits for answers; scontrol release $SLURM_JOB_ID goes on"
  if [ -n "${NOCTUNE_SPOOL:-}" ]; then
    mkdir -p "$NOCTUNE_SPOOL/held" && : >"$NOCTUNE_SPOOL/held/$SLURM_JOB_ID"
  fi
  scontrol requeuehold "$SLURM_JOB_ID" || exit 76
}

run_campaign() {
  trap 'pass_on USR1' USR1
  trap 'cancelled=yes && pass_on TERM' TERM
  trap 'pass_on INT' INT
  "$@" &
  noctune_pid=$!
  await "$noctune_pid"
  local code=$?
  noctune_pid=
  if [ "$cancelled" = yes ]; then exit "$code"; fi
  case $code in
    75) back_into_the_queue "$code" ;;
    9 | 13[0-9] | 14[0-9]) after_a_kill "$code" ;;  # as launchers report a signal
    76) hold ;;
    *) exit "$code" ;;
  esac
}
