// One rank's evaluator: completes MEPs and takes candidates through the gates policy, build, check, time and,
// where it is asked to, profile.
// Calls may overlap: while one candidate is timed, the next ones are built and checked as far as the node
// allows.
#pragma once

#include <map>
#include <memory>

#include "evaluator/baseline.hpp"
#include "evaluator/timing.hpp"
#include "evaluator/workbench.hpp"

namespace noctune {

class Evaluator {
 public:
  explicit Evaluator(Bench& bench) : bench_(bench), preparing_(bench.io) {}

  Task<Baselined> prepare(PrepareTask task);
  Task<Evaluation> evaluate(EvaluationTask task);

 private:
  struct Plugin;
  struct Prepared;

  // The workbench of a MEP at given sizes, built on first use; the evaluation says why when that fails.
  Task<std::shared_ptr<Prepared>> prepared(const EvaluationTask& task, Evaluation& evaluation);
  Task<Built> plugin(std::shared_ptr<Prepared> mep, Candidate candidate);
  Task<bool> build(std::shared_ptr<Prepared> mep, const EvaluationTask& task, Evaluation& evaluation,
                   Built& built);
  Task<bool> check(std::shared_ptr<Prepared> mep, const EvaluationTask& task, const Built& built,
                   Evaluation& evaluation);
  Task<bool> time(std::shared_ptr<Prepared> mep, const EvaluationTask& task, const Built& built,
                  Evaluation& evaluation);
  Task<bool> profile(std::shared_ptr<Prepared> mep, const EvaluationTask& task, const Built& built,
                     Evaluation& evaluation);
  // One time case, once more where the first try is in doubt.
  Task<Timed> timed_case(std::shared_ptr<Prepared> mep, const EvaluationTask& task, std::size_t index,
                         std::filesystem::path reference, std::filesystem::path candidate);
  // False, with the evaluation rejected, when the time is less than the device can do, twice.
  Task<bool> believable(std::shared_ptr<Prepared> mep, const EvaluationTask& task, std::size_t index,
                        Timed& timed, std::filesystem::path reference, std::filesystem::path candidate);
  Task<bool> verify(std::shared_ptr<Prepared> mep, std::size_t index, const EvaluationTask& task,
                    const DriverRun& run, Evaluation& evaluation);

  Bench& bench_;
  AsyncMutex preparing_;
  std::map<std::string, std::shared_ptr<Prepared>> meps_;
};

}  // namespace noctune
