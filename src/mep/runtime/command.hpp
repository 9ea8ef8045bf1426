// The command file, read: what to load, what to run, where to answer. docs/mep.md lists its lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "element.hpp"
#include "joint_set.hpp"

namespace noctune {

enum class Fill {
  zeros,
  constant,
  uniform,
  normal,
  integers,
  index,
  permutation,
  sorted,
  unique,
  val,   // of a data set, but drawn alone like uniform
  joint  // a part of a data set
};
enum class Use { in, out, inout, scratch };
enum class Variant { normal, nudged, reseeded, sign_mixed, small_integers };
enum class Mutation { none, rounded, shortened, widened };

constexpr long long at_page_end = -1;  // an offset: buffers end where memory ends

// Plain numbers, which can go to a device as they are.
struct FillNumbers {
  Fill kind = Fill::zeros;
  bool declared = false;
  double low = 0, high = 0, mean = 0, sd = 0, value = 0, step = 0;
  std::uint64_t length = 0;  // permutation: of each run
};

struct FillPlan : FillNumbers {
  std::size_t data = 0;  // joint: of the case's sets
  std::string part;
};

struct Argument {
  std::string name;
  const ElementTraits* type = nullptr;
  bool pointer = false;
  double scalar = 0;
  std::size_t count = 0;
  Use use = Use::in;
  bool compared = false;
  FillPlan fill;
  const ElementTraits* narrow = nullptr;  // widened for a double-precision run: what it was

  std::size_t bytes() const { return count * type->bytes; }
  bool is_input() const { return pointer && (use == Use::in || use == Use::inout); }
};

struct CaseData {
  std::uint64_t structure_seed = 0;
  std::vector<JointSet> sets = {};
  std::vector<Argument> args = {};
};

struct Check {
  std::size_t case_index = 0;
  std::uint64_t seed = 0, poison = 0;
  Variant variant = Variant::normal;
  long long only_param = -1;
  long long offset = 0;
  long long calls = 1;
  int threads = 0;
  Mutation mutation = Mutation::none;
};

enum class ProbeMode { calls, profiled, sustained };

struct Probe {
  std::size_t case_index = 0;
  std::uint64_t seed = 0;
  long long calls = 3;
  double seconds = 0;
  ProbeMode mode = ProbeMode::calls;
};

struct Timing {
  std::uint64_t seed = 0;
  std::size_t batch = 1;
  char side = 'a';
  int token_in = -1, token_out = -1;
  bool starts_early = false;
  int opening_fd = -1;
  std::size_t flush_bytes = 0;
  double warmup_seconds = 0;
  long long verify_sample = -1;
  double memory_bytes = 0;
  long long solo_samples = 0;
  std::string schedule;
};

struct Command {
  std::string plugin;
  int report_fd = -1;
  int outputs_fd = -1;  // of judge: where another process's outputs lie; the plugin is the user's check then
  std::uint64_t nonce = 0;
  std::vector<CaseData> cases;
  std::vector<Check> checks;
  std::vector<Probe> probes;
  std::vector<Timing> timings;
};

// False with a reason when the file cannot be read or understood to its last line.
bool read_command(const char* path, Command& command, std::string& reason);

}  // namespace noctune
