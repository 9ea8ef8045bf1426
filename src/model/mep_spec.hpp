// The spec of a minimal executable program: what the entry takes, which sizes and data it runs on, how to
// check it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace noctune {

// A size the expressions may use. A plain number in the spec is a fixed size.
struct SizeSpec {
  std::string name;
  long long value = 0;  // declared or captured value; 0 = none, sizing starts from `min`
  bool fixed = false;   // never changed by sizing
  bool scale = false;   // sizing may grow and shrink it
  long long min = 1;
  long long max = 1LL << 40;
  long long multiple_of = 1;
  bool power_of_two = false;
};

enum class Role { in, out, inout, scratch };

// How a buffer's elements come about.
struct InitSpec {
  enum class Kind { zeros, constant, uniform, normal, integers, index, permutation, sorted, joint };
  Kind kind = Kind::uniform;
  double low = -1, high = 1;  // uniform, integers and sorted: [low, high], both ends possible for integers
  double mean = 0, sd = 1;    // normal
  double value = 0;           // constant; first value for index
  double step = 1;            // index
  std::string part;           // joint: "A.row_ptr"
};

struct ParamSpec {
  std::string name;
  std::string type;                  // as in the prototype, e.g. "const double*", "int"
  std::optional<std::string> value;  // by-value parameter: an expression over sizes and derived counts
  std::string count;                 // pointer: number of elements, an expression
  Role role = Role::in;
  std::optional<InitSpec> init;  // absent: the documented default of the element type
  bool live_out = true;          // false: nobody reads it afterwards, so it is not compared
  bool keep_unwritten = false;   // "unwritten": "keep": elements K(0) leaves untouched must stay untouched
  bool by_invariants = false;    // "compare": "invariants": any of several results is right; check.cpp judges

  bool is_pointer() const { return !value.has_value(); }
};

// A generator whose parts fit together, e.g. the three arrays of a CSR matrix.
struct DataSpec {
  std::string name;
  std::string gen;                            // "csr"
  std::map<std::string, std::string> fields;  // expressions ("rows": "n") and plain values, by key
};

enum class CaseUse { time, check, report };

struct CaseSpec {
  std::string name;
  CaseUse use = CaseUse::time;
  double weight = 1;
  std::map<std::string, std::string> sizes;  // expression, or "auto" = chosen by sizing
};

struct CheckSpec {
  std::string depth = "1";  // accumulated terms per output element, an expression (K of the tolerance)
  std::optional<double> tolerance;  // set by the user, with a reason that is stored
  std::string tolerance_reason;
  std::string invariants;  // file of the user's own check, relative to the spec's; empty = none
};

struct MepSpec {
  int spec_version = 1;
  std::string entry;
  std::string scope = "kernel";  // or "region"
  std::vector<SizeSpec> sizes;
  std::vector<DataSpec> data;
  std::vector<ParamSpec> params;
  std::vector<CaseSpec> cases;
  std::map<std::string, std::string> defines;
  CheckSpec check;
  bool scratch = false;      // the entry takes a trailing `void* scratch`, sized by <entry>_scratch_bytes
  bool setup = false;        // <entry>_setup(same parameters) runs once, outside the timed region
  std::string flops, bytes;  // per call of the entry, expressions; may be empty
};

}  // namespace noctune
