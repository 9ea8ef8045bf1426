// Runs versions of a hotspot on the cases of its spec and compares their outputs with the original's.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "coordinator/rules/rule_book.hpp"

namespace noctune::rules_test {

struct Hotspot {
  std::string name;
  RuleContext context;                                  // of the timed case
  std::vector<std::map<std::string, long long>> cases;  // sizes of the cases for checking
};
Hotspot load_hotspot(const std::string& name);
std::vector<std::string> hotspot_names();

// All versions of a hotspot in one shared object, built by g++ with warnings as errors.
class Trial {
 public:
  // Index 0 is the original. Throws with the compiler's output when they do not build.
  Trial(const Hotspot& hotspot, const std::vector<RuleProposal>& versions);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Largest norm-wise error over the outputs that are read later; infinity where memory around buffers was
  // touched.
  double error_of(std::size_t version, const std::map<std::string, long long>& sizes) const;

 private:
  using Entry = void (*)(void**);

  const Hotspot& hotspot_;
  ScratchFolder folder_;
  void* library_ = nullptr;
  std::vector<Entry> entries_;
};

}  // namespace noctune::rules_test
