// A sum that goes through memory in a loop is kept in a register.
#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/source.hpp"

namespace noctune::rules::gpu {

bool accumulate(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  Step plain = step;
  plain.rule = "localise";
  return localise(work, plain) && settle(work);
}

}  // namespace noctune::rules::gpu
