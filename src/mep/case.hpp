// A case with every number known: sizes, counts, how each argument is filled. Pure arithmetic, but for
// a look at how long captured files are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "mep/runtime/joint_set.hpp"
#include "model/element_type.hpp"
#include "model/mep_spec.hpp"

namespace noctune {

// How a buffer is filled.
struct InitPlan {
  InitSpec::Kind kind = InitSpec::Kind::zeros;
  double low = -1, high = 1, mean = 0, sd = 1, value = 0, step = 1;
  long long length = 0;   // permutation: of each run; 0 = the whole buffer is one
  bool declared = false;  // the spec states the range: input variants stay inside it
  std::string part;       // joint: "row_ptr"
  int data_index = 0;     // joint: which entry of the spec's data
  bool plain = false;     // joint: but each element is drawn alone from low to high
};

// An argument as the driver makes it: a leaf of the parameters (mep/leaves.hpp).
struct ArgPlan {
  std::string name;
  std::string type;  // as in the prototype or the struct
  ElementType element = ElementType::f64;
  bool pointer = false;  // made as a buffer
  double scalar = 0;     // by value: its value, a whole number for integer types
  long long count = 0;   // pointer: scalars, four for each float4
  Role role = Role::in;
  InitPlan init;
  bool live_out = true;
  bool keep_unwritten = false;
  bool by_invariants = false;  // no element is compared: check.cpp alone judges it

  // An output somebody reads, so that a driver hands it back.
  bool compared() const { return pointer && live_out && (role == Role::out || role == Role::inout); }
  double bytes() const {
    return pointer ? static_cast<double>(count) * static_cast<double>(size_of(element)) : 0;
  }
};

struct ResolvedCase {
  std::string name;
  CaseUse use = CaseUse::time;
  double weight = 1;
  std::map<std::string, long long> sizes;
  std::uint64_t seed = 0;       // decides structure (row lengths, columns, permutations)
  std::vector<JointSet> data;   // as the spec's
  std::vector<ArgPlan> args;    // by leaf
  double data_bytes = 0;        // all buffers of one argument set
  double flops = 0, bytes = 0;  // per call of the entry; 0 = the spec does not say
  double depth = 1;             // accumulated terms per output element

  std::string sizes_text() const;  // "m=128 n=96"
};

// Fails where a buffer has more elements than int can count although int is all that the entry's sizes are:
// its indices would overflow.
Result<void> countable(const ResolvedCase& resolved);

// Sizes a case leaves open: "auto", or a scaling size it does not mention.
std::vector<std::string> auto_sizes(const MepSpec& spec, const CaseSpec& chosen);

// `scaling_sizes` gives the sizes that sizing chose; an open size that it lacks takes its declared value.
// Structure, and so counts such as A.nnz, follow from the seed.
Result<ResolvedCase> resolve_case(const MepSpec& spec, const CaseSpec& chosen,
                                  const std::map<std::string, long long>& scaling_sizes, std::uint64_t seed);

}  // namespace noctune
