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
  enum class Kind { zeros, constant, uniform, normal, integers, index, permutation, sorted, unique, joint };
  Kind kind = Kind::uniform;
  double low = -1, high = 1;  // uniform, integers, sorted, unique: [low, high], both ends for integers
  double mean = 0, sd = 1;    // normal
  double value = 0;           // constant; first value for index
  double step = 1;            // index
  std::string part;           // joint: "A.row_ptr"
  // Of the numbers above, and the "length" of a permutation: those that follow from sizes, as expressions.
  std::map<std::string, std::string> expressions;
};

// A parameter of the entry, a member of a struct, or a symbol at file scope.
struct ParamSpec {
  std::string name;
  std::string type;                  // as in the prototype, e.g. "const double*", "int", "float4*", "Domain"
  std::optional<std::string> value;  // by-value parameter: an expression over sizes and derived counts
  std::string count;                 // pointer: number of elements, an expression
  Role role = Role::in;
  std::optional<InitSpec> init;  // absent: the documented default of the element type
  bool live_out = true;          // false: nobody reads it afterwards, so it is not compared
  bool keep_unwritten = false;   // "unwritten": "keep": elements K(0) leaves untouched must stay untouched
  bool by_invariants = false;    // "compare": "invariants": any of several results is right; check.cpp judges
  // Members, where the type is a struct or points to structs, in the struct's order. In a struct by value a
  // member has a value, or a count, role and init of its own, or members; behind a pointer it has an init,
  // and the role is the parameter's.
  std::vector<ParamSpec> fields;

  bool is_struct_value() const { return !value.has_value() && count.empty() && !fields.empty(); }
  bool is_pointer() const { return !value.has_value() && !is_struct_value(); }
  // A pointer to one struct that holds pointers: its members are given as those of a struct by value.
  bool is_single_struct() const { return is_pointer() && count == "1" && holds_pointers(); }
  bool holds_pointers() const {
    for (const ParamSpec& field : fields)
      if (!field.count.empty() || field.holds_pointers()) return true;
    return false;
  }
};

// A step of a host schedule, from which the entry is generated. Texts are expressions over sizes, by-value
// parameters and loop variables; arguments name parameters.
struct StepSpec {
  enum class Kind { for_loop, while_flag, launch, swap, copy, zero };
  Kind kind = Kind::launch;
  std::string name;   // for: its variable; while: a parameter, repeated until its first element is 0;
                      // launch: the function, "f" or "f<float, 256>"; swap, copy, zero: the target
  std::string other;  // swap, copy: the other parameter
  std::string count;  // copy, zero: elements
  std::string from, to, step = "1";      // for: from <= variable < to, or downwards where step is negative
  std::vector<std::string> grid, block;  // launch on a GPU: one to three each
  std::string shared = "0";              // bytes of dynamic shared memory
  std::vector<std::string> args;
  std::vector<StepSpec> steps;  // for, while
};

// A part of a data set whose contents come from outside: a file, or the user's inputs.cpp.
struct DataPart {
  std::string name;
  std::string type;   // of one element: "double", "float4"
  std::string count;  // elements, an expression; empty: the whole file
  std::string file;   // raw little-endian elements, or "captured.h5:/path"; "{n}" stands for a size's value
};

// A generator whose parts fit together, e.g. the three arrays of a CSR matrix.
struct DataSpec {
  std::string name;
  std::string gen;                            // "csr", see data_generators.hpp
  std::map<std::string, std::string> fields;  // expressions ("rows": "n") and words, by key
  std::vector<DataPart> parts = {};           // of generators whose parts the spec declares
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
  std::string backend = "openmp";  // the source's: "cuda" and "hip" entries take a stream last
  std::string entry;
  std::string scope = "kernel";  // or "region"
  std::vector<SizeSpec> sizes;
  std::vector<DataSpec> data;
  std::vector<ParamSpec> params;
  std::vector<ParamSpec>
      globals;  // symbols of the source at file scope; <entry>_setup writes them before each sample
  std::vector<std::string> template_args;  // "template": of launches that name none
  std::vector<StepSpec> sequence;          // empty: the source defines the entry itself
  std::vector<CaseSpec> cases;
  std::map<std::string, std::string> defines;
  CheckSpec check;
  bool scratch = false;      // the entry takes a trailing `void* scratch`, sized by <entry>_scratch_bytes
  bool setup = false;        // <entry>_setup(same parameters) runs once, outside the timed region
  std::string flops, bytes;  // per call of the entry, expressions; may be empty
};

}  // namespace noctune
