// What the steps of a completion know and hand on, in the order in which they find it out.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "mep/completion/array_access.hpp"
#include "mep/completion/choose_kernels.hpp"
#include "mep/completion/host_schedule.hpp"
#include "mep/completion/polynomial.hpp"
#include "model/mep_draft.hpp"
#include "model/source_facts.hpp"

namespace noctune {

struct CompletionState {
  CompletionInput input;
  SourceFacts facts;
  ChosenKernels chosen;
  std::set<std::string> needed;  // functions that the kernels call, themselves included
  HostSchedule schedule;
  ArrayAccesses accesses;
  // Names in polynomials that are no sizes of the spec: what contents decide ("col!max"), members of structs.
  std::map<std::string, Polynomial> settled;
  std::map<std::string, InitSpec> inits;  // contents that index analysis has decided, by buffer
  MepDraft draft;

  MepSpec& spec() { return draft.spec; }
  void understood(const std::string& sentence) { draft.understood.push_back(sentence); }
  void assumed(const std::string& sentence) { draft.assumed.push_back(sentence); }
};

}  // namespace noctune
