#include "app/kernel_groups.hpp"

#include <algorithm>

namespace noctune {
namespace {

bool has_pointer(const SourceFunction& function) {
  return std::any_of(function.params.begin(), function.params.end(),
                     [](const SourceParam& param) { return param.is_pointer() || param.reference; });
}

bool is_free(const SourceFunction& function) {
  return function.name != "main" && function.name.find("::") == std::string::npos &&
         function.body.end > function.body.begin;
}

bool called_by_another(const SourceFunction& function, const std::vector<const SourceFunction*>& all) {
  return std::any_of(all.begin(), all.end(), [&](const SourceFunction* other) {
    return other != &function &&
           std::find(other->calls.begin(), other->calls.end(), function.name) != other->calls.end();
  });
}

// Without __global__ a kernel is what works on arrays and is no helper of another such function.
std::vector<const SourceFunction*> kernels_of(const SourceFacts& facts) {
  std::vector<const SourceFunction*> kernels, working, out;
  for (const SourceFunction& one : facts.functions) {
    if (!is_free(one)) continue;
    if (one.kind == SourceFunction::Kind::kernel) kernels.push_back(&one);
    if (one.kind == SourceFunction::Kind::host && has_pointer(one) &&
        (one.has_pragma_omp || one.c_linkage || !one.accesses.empty()))
      working.push_back(&one);
  }
  if (!kernels.empty()) return kernels;
  for (const SourceFunction* one : working)
    if (one->c_linkage || !called_by_another(*one, working)) out.push_back(one);
  return out;
}

using Groups = std::vector<std::vector<std::string>>;

std::size_t group_of(const Groups& groups, const std::string& name) {
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (std::find(groups[i].begin(), groups[i].end(), name) != groups[i].end()) return i;
  return groups.size();
}

// Kernels that share a launching function are joined, in the order of their launches.
void join_launched(Groups& groups, const SourceFacts& facts) {
  for (std::size_t i = 1; i < facts.launches.size(); ++i) {
    const SourceLaunch &one = facts.launches[i], &before = facts.launches[i - 1];
    if (one.enclosing.empty() || one.enclosing != before.enclosing) continue;
    const std::size_t into = group_of(groups, before.kernel), from = group_of(groups, one.kernel);
    if (into == from || into == groups.size() || from == groups.size()) continue;
    groups[into].insert(groups[into].end(), groups[from].begin(), groups[from].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(from));
  }
}

}  // namespace

std::vector<std::vector<std::string>> kernel_groups(const SourceFacts& facts) {
  const std::vector<const SourceFunction*> kernels = kernels_of(facts);
  Groups groups;
  bool entry = false;
  for (const SourceFunction* one : kernels)
    entry = entry || (one->c_linkage && one->kind == SourceFunction::Kind::host);
  for (const SourceFunction* one : kernels)
    if (!entry || one->c_linkage) groups.push_back({one->name});
  if (!entry) join_launched(groups, facts);
  return groups;
}

}  // namespace noctune
