#!/bin/bash
# Second half of the pair: answers what offline-tune.sh asks, on a login or transfer node, in screen or tmux, and releases
# jobs that wait for answers. Ask the site whether such a process is welcome there. The key is read from the file that the
# campaign names in model.key_file (mode 0600), never from the environment of a job.
#   bash offline-relay.sh
set -u

NOCTUNE_HOME=${NOCTUNE_HOME:-$HOME/noctune}                             # where Noctune lies,
CAMPAIGN=${CAMPAIGN:?export CAMPAIGN or write it here}                  # the campaign, for models and budget,
NOCTUNE_SPOOL=${NOCTUNE_SPOOL:?export NOCTUNE_SPOOL or write it here}   # its spool,
PROVIDER=${PROVIDER:-openai}                                            # and who answers
LOOK_EVERY=${LOOK_EVERY:-30}                                            # seconds

release_jobs() {
  local mark
  for mark in "$NOCTUNE_SPOOL"/held/*; do
    # A job that is not held yet keeps its mark until the next look.
    if [ -e "$mark" ] && scontrol release "${mark##*/}" 2>/dev/null; then
      echo "$(date +%FT%T) released job ${mark##*/}"
      rm -f "$mark"
    fi
  done
}

while true; do
  "${NOCTUNE:-$NOCTUNE_HOME/build/bin/noctune}" relay --spool "$NOCTUNE_SPOOL" --config "$CAMPAIGN" \
    --set model.provider="$PROVIDER" --once || exit
  release_jobs
  if [ -e "$NOCTUNE_SPOOL/STOP" ]; then exit 0; fi
  sleep "$LOOK_EVERY"
done
