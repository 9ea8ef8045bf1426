#!/bin/bash
# A night on nodes with AMD GPUs, one evaluator a GPU (a GCD counts as one). Adapt the lines marked with (1) to (5), then
#   sbatch rocm.sh
#SBATCH --job-name=noctune
#SBATCH --partition=gpu              # (1) your partition, and --account where the site wants one
#SBATCH --nodes=1                    # (2) nodes, and of each its GPUs: as many tasks as GPUs, since rank 0 takes one
#SBATCH --gpus-per-node=8            #     where a GPU would stand idle
#SBATCH --ntasks-per-node=8
#SBATCH --cpus-per-task=7            # for the compilers
#SBATCH --exclusive
#SBATCH --time=10:00:00              # (3) what the queue allows; a longer campaign goes on by itself
#SBATCH --signal=B:USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=noctune-%j.log
#SBATCH --export=NONE
export SLURM_EXPORT_ENV=ALL

NOCTUNE_HOME=${NOCTUNE_HOME:-$HOME/noctune}         # (4) where Noctune lies, and the campaign, "backend": "hip"
CAMPAIGN=${CAMPAIGN:?export CAMPAIGN or write it here}
# module load rocm gcc openmpi hdf5                 # (5) hipcc, and what Noctune was built with

# Every task sees all GPUs of its node (no --gpu-bind): Noctune gives each rank its own, by UUID.
LAUNCHER=${LAUNCHER:-srun --mpi=pmix --cpu-bind=none}   # Open MPI
# LAUNCHER="srun --mpi=pmi2 --cpu-bind=none"            # MPICH, Cray MPICH
# LAUNCHER="mpirun --bind-to none"                      # Open MPI where srun is not built for it

. "$NOCTUNE_HOME/jobscripts/run.sh"
# shellcheck disable=SC2086  # the launcher and its options are words
run_campaign $LAUNCHER "${NOCTUNE:-$NOCTUNE_HOME/build/bin/noctune}" tune "$CAMPAIGN" \
  --output "${RESULTS:-$SLURM_SUBMIT_DIR/night.h5}"
