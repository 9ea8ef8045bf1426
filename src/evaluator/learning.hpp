// What K(0)'s own outputs are: whether they can be checked at all, how much they move by themselves, and so
// how far a candidate's may be from them.
#pragma once

#include <memory>

#include "evaluator/original_run.hpp"
#include "evaluator/workbench.hpp"

namespace noctune {

struct Learnt {
  Step refused;
  MepReport report;          // with tolerances, limits and what K(0) leaves behind
  double check_seconds = 0;  // spent
};

// Runs K(0) through the check plan of the adopted report: twice, on inputs moved by one unit in the last
// place, and in double precision where it is narrower.
Task<Learnt> learn_outputs(std::shared_ptr<Workbench> bench, MepReport report);

}  // namespace noctune
