#!/bin/bash
# A night on nodes with Hygon DCUs, one evaluator a DCU, built with DTK's hipcc. Adapt the lines marked with (1) to (5):
#   sbatch dcu.sh
#SBATCH --job-name=noctune
#SBATCH --partition=dcu              # (1) your partition, and --account where the site wants one
#SBATCH --nodes=1                    # (2) nodes, and of each its DCUs: as many tasks as DCUs, since rank 0 takes one
#SBATCH --gres=dcu:4                 #     where a DCU would stand idle
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8            # for the compilers
#SBATCH --exclusive
#SBATCH --time=10:00:00              # (3) what the queue allows; a longer campaign goes on by itself
#SBATCH --signal=B:USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=noctune-%j.log
#SBATCH --export=NONE
export SLURM_EXPORT_ENV=ALL

NOCTUNE_HOME=${NOCTUNE_HOME:-$HOME/noctune}         # (4) where Noctune lies, and the campaign: "backend": "hip",
CAMPAIGN=${CAMPAIGN:?export CAMPAIGN or write it here}   #  "architecture": "gfx906", "gfx926" or "gfx928"
# module load compiler/dtk/24.04 mpi/hpcx hdf5      # (5) DTK, and what Noctune was built with

LAUNCHER=${LAUNCHER:-mpirun --bind-to none}             # Open MPI or HPC-X
# LAUNCHER="srun --mpi=pmix --cpu-bind=none"            # where Slurm was built with PMIx
# LAUNCHER="srun --mpi=pmi2 --cpu-bind=none"            # MPICH

. "$NOCTUNE_HOME/jobscripts/run.sh"
# shellcheck disable=SC2086  # the launcher and its options are words
run_campaign $LAUNCHER "${NOCTUNE:-$NOCTUNE_HOME/build/bin/noctune}" tune "$CAMPAIGN" \
  --output "${RESULTS:-$SLURM_SUBMIT_DIR/night.h5}"
