#include "app/job_time.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "base/clock.hpp"

namespace noctune {
namespace {

constexpr double squeue_deadline_s = 20;  // a busy controller answers late; the run must not wait for it

std::string environment(const char* name) {
  const char* text = std::getenv(name);
  return text ? text : "";
}

ChildRequest squeue(const std::string& job) {
  ChildRequest request;
  request.argv = {"squeue", "--noheader", "--jobs=" + job, "--format=%e"};
  for (const char* name : {"PATH", "HOME", "LD_LIBRARY_PATH", "SLURM_CONF", "SLURM_CONF_SERVER", "TZ"})
    if (const std::string value = environment(name); !value.empty())
      request.environment.push_back(std::string(name) + "=" + value);
  request.deadline_s = squeue_deadline_s;
  return request;
}

}  // namespace

std::optional<double> end_time_from(const std::string& squeue_output) {
  std::tm time{};
  const char* rest = ::strptime(squeue_output.c_str(), "%Y-%m-%dT%H:%M:%S", &time);
  if (!rest || (*rest != '\0' && *rest != '\n')) return std::nullopt;
  time.tm_isdst = -1;
  const std::time_t seconds = std::mktime(&time);
  if (seconds <= 0) return std::nullopt;
  return static_cast<double>(seconds);
}

Task<double> job_seconds_left(ProcessHelper& helper) {
  const std::string job = environment("SLURM_JOB_ID"), told = environment("SLURM_JOB_END_TIME");
  double end = std::atof(told.c_str());
  if (end <= 0 && !job.empty()) {
    ChildRequest request = squeue(job);
    const ChildOutcome outcome = co_await helper.run(std::move(request));
    if (outcome.clean()) end = end_time_from(outcome.output).value_or(0);
  }
  co_return end > 0 ? std::max(1.0, end - wall_seconds()) : 0;
}

}  // namespace noctune
