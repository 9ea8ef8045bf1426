// The entry that calls the chosen kernels: its parameters, the host's loops, and what each call passes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mep/completion/choose_kernels.hpp"
#include "mep/completion/kernel_use.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

struct EntryParam {
  std::string name;
  const SourceParam* declared =
      nullptr;       // of the kernel that takes it first; null: a bound of the host alone
  std::string type;  // as the entry declares it
  std::size_t use = 0;
  bool is_pointer() const { return declared != nullptr && declared->is_pointer(); }
};

struct HostSchedule {
  std::string entry;
  bool direct = false;  // the source's function is the entry itself
  bool region = false;  // the host's loops belong to it, or several kernels
  std::vector<KernelUse> uses;
  std::vector<EntryParam> params;
  std::vector<StepSpec> steps;             // empty where direct; grids and blocks are filled in later
  std::vector<std::size_t> use_of_launch;  // the use of each launch step, in order
  std::vector<std::string> assumed;

  const EntryParam* param(const std::string& name) const;
};

HostSchedule plan_schedule(const CompletionInput& input, const SourceFacts& facts,
                           const ChosenKernels& chosen);

}  // namespace noctune
