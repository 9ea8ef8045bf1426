#include "model/task.hpp"

#include "base/digest.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune {

std::string MepSource::sha() const {
  std::string all = to_json(spec).dump() + '\0' + context + '\0' + original + '\0' + check;
  if (!inputs.empty()) all += std::string("\0inputs\0", 8) + inputs;
  for (const std::string& flag : flags) all += '\0' + flag;
  for (const std::string& library : libraries) all += std::string("\0library\0", 9) + library;
  return sha256(all);
}

const SizedCase* heaviest_case(const MepReport& report) {
  const SizedCase* out = nullptr;
  for (const SizedCase& one : report.cases)
    if (one.use == CaseUse::time && (!out || one.weight > out->weight)) out = &one;
  return out;
}

}  // namespace noctune
