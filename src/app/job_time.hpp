// How long the batch job may still run.
#pragma once

#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/process.hpp"

namespace noctune {

// Seconds left in the Slurm job, at least 1: from SLURM_JOB_END_TIME, else by asking squeue, since older
// versions of Slurm do not set it. 0 outside of a job, or when nobody knows.
Task<double> job_seconds_left(ProcessHelper& helper);

// Seconds since the epoch of squeue's local "2026-01-31T21:04:05"; none for "NONE", "N/A" or anything else.
std::optional<double> end_time_from(const std::string& squeue_output);

}  // namespace noctune
