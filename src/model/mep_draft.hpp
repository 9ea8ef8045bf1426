// A minimal executable program as whoever completed it left it: to be built and checked before anyone trusts
// it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/mep_spec.hpp"

namespace noctune {

// What a hotspot's owner hands in.
struct CompletionInput {
  std::string hotspot;               // its name in the campaign
  std::string file;                  // where the source came from, for messages
  std::string source;                // isolated: types, macros and headers may be missing
  std::string backend;               // "openmp", "cuda", "hip"
  std::vector<std::string> kernels;  // the functions meant, in order; empty = those that the source suggests
  std::string call_site;             // a snippet of the host code that launches them; may be empty
  std::map<std::string, std::string> defines;  // values of macros that the build supplies
};

struct MepDraft {
  MepSpec spec;
  std::string original;                 // K(0): the source less what the host alone needs, and the entry
  std::string context;                  // context.hpp; empty: made from the spec
  std::string inputs;                   // inputs.cpp, generators that the spec names; empty = none
  std::string check;                    // check.cpp; empty = none
  std::string by;                       // "user", "rules", "model"
  std::vector<std::string> understood;  // for people, a sentence each
  std::vector<std::string> assumed;     // what nobody said, and what was taken in its place
};

}  // namespace noctune
