#!/bin/bash
# A night with a language model on nodes without a network, first half of a pair: this job writes the model's requests
# into a spool, offline-relay.sh answers them on a node that has a network. The campaign needs
#   "model": {"provider": "spool", "spool": "<the folder below>", "on_wait": "exit"}
# so that no allocation is spent on waiting: when only answers are missing, the job is held until they are there.
# Adapt the lines marked with (1) to (5), then   sbatch offline-tune.sh
#SBATCH --job-name=noctune
#SBATCH --partition=gpu              # (1) your partition, and --account where the site wants one
#SBATCH --nodes=1                    # (2) as in cuda.sh, rocm.sh, dcu.sh or cpu.sh
#SBATCH --gpus-per-node=4
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --time=10:00:00              # (3) what the queue allows
#SBATCH --signal=B:USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=noctune-%j.log
#SBATCH --export=NONE
export SLURM_EXPORT_ENV=ALL

NOCTUNE_HOME=${NOCTUNE_HOME:-$HOME/noctune}         # (4) where Noctune lies, the campaign and its spool
CAMPAIGN=${CAMPAIGN:?export CAMPAIGN or write it here}
NOCTUNE_SPOOL=${NOCTUNE_SPOOL:?export NOCTUNE_SPOOL or write it here}   # a shared file system
# module load cuda gcc openmpi hdf5                 # (5) compilers, and what Noctune was built with

LAUNCHER=${LAUNCHER:-srun --mpi=pmix --cpu-bind=none}   # or as in cuda.sh

. "$NOCTUNE_HOME/jobscripts/run.sh"
# shellcheck disable=SC2086  # the launcher and its options are words
run_campaign $LAUNCHER "${NOCTUNE:-$NOCTUNE_HOME/build/bin/noctune}" tune "$CAMPAIGN" \
  --set model.spool="$NOCTUNE_SPOOL" --output "${RESULTS:-$SLURM_SUBMIT_DIR/night.h5}"
