#!/bin/bash
# A night on CPU nodes: OpenMP hotspots, one evaluator a task. Adapt the lines marked with (1) to (5), then
#   sbatch cpu.sh
#SBATCH --job-name=noctune
#SBATCH --partition=compute          # (1) your partition, and --account where the site wants one
#SBATCH --nodes=2                    # (2) a node may have several evaluators, each with its share of the cores;
#SBATCH --ntasks-per-node=2          #     one more task than evaluators, since rank 0 coordinates
#SBATCH --exclusive                  # measurements share a node with nobody
#SBATCH --time=10:00:00              # (3) what the queue allows; a longer campaign goes on by itself
#SBATCH --signal=B:USR1@300          # five minutes before the end: stop cleanly
#SBATCH --requeue
#SBATCH --open-mode=append           # the log of a requeued job goes on
#SBATCH --output=noctune-%j.log
#SBATCH --export=NONE                # no key and nothing else of your shell gets into the job
export SLURM_EXPORT_ENV=ALL          # but what this script sets reaches its steps

NOCTUNE_HOME=${NOCTUNE_HOME:-$HOME/noctune}         # (4) where Noctune lies, and the campaign
CAMPAIGN=${CAMPAIGN:-$NOCTUNE_HOME/configs/cpu-all.json}
# module load gcc openmpi hdf5                      # (5) what Noctune was built with

# Noctune pins what it runs; the launcher must leave all cores of a node to its tasks.
LAUNCHER=${LAUNCHER:-srun --mpi=pmix --cpu-bind=none}   # Open MPI
# LAUNCHER="srun --mpi=pmi2 --cpu-bind=none"            # MPICH, Intel MPI, MVAPICH
# LAUNCHER="mpirun --bind-to none"                      # Open MPI where srun is not built for it

. "$NOCTUNE_HOME/jobscripts/run.sh"
# shellcheck disable=SC2086  # the launcher and its options are words
run_campaign $LAUNCHER "${NOCTUNE:-$NOCTUNE_HOME/build/bin/noctune}" tune "$CAMPAIGN" \
  --output "${RESULTS:-$SLURM_SUBMIT_DIR/night.h5}"
