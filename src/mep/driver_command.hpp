// What a driver process is asked to do. render_command() makes the text of its command file; the driver reads
// the file, removes it (the nonce and the seeds are secrets) and only then loads the plugin. Run as `./driver
// <command file>` with the descriptors named here inherited. Exit codes: 0 the report is complete, 2 the
// driver refused (the report's error says why), 3 the peer of a timing run is gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "mep/case.hpp"

namespace noctune {

// Poisons: as floating point of any width the first is NaN, the second an ordinary number.
inline constexpr std::uint64_t nan_poison = 0x7ffda5c37ffda5c3ULL;
inline constexpr std::uint64_t finite_poison = 0xc2b15a3cc2b15a3cULL;

enum class InputVariant {
  normal,
  nudged,         // every floating-point input moved by one unit in the last place
  reseeded,       // the same structure, other values
  sign_mixed,     // inputs without a declared range: both signs and magnitudes from 2^-8 to 2^8
  small_integers  // inputs without a declared range, or with one that holds them: whole numbers from -4 to 4
};
const char* to_text(InputVariant variant);

// Defects that a check must be able to see; K(0) runs with them when a MEP is completed.
enum class Mutation {
  none,
  rounded,    // floating-point inputs keep about half of their precision
  shortened,  // the by-value whole number `only_param` is one less: the last term is left out
  widened     // no defect: buffers are in double precision, for the plugin widened_version() makes
};
const char* to_text(Mutation mutation);

inline constexpr int at_page_end = -1;  // an offset: a read past the end meets no memory

// One checked call; the runs of a command follow one another in one process.
struct CheckRun {
  ResolvedCase resolved;
  std::uint64_t seed = 0;  // decides values; resolved.seed decides structure
  std::uint64_t poison = nan_poison;
  InputVariant variant = InputVariant::normal;
  int only_param = -1;   // the variant touches this parameter alone; -1 = all
  int offset_bytes = 0;  // 0: buffers start on a 64-byte line; 16: as malloc may return them; or at_page_end
  int calls = 1;         // entry calls on the same buffers, as VerifiedOutputs::calls asks
  int threads = 0;       // that OpenMP offers to the plugin; 0 = the driver's team
  Mutation mutation = Mutation::none;
};

// Calls for sizing: a first one, then more until `seconds` have passed, or three times that where `calls`
// later ones are not reached. A first call of more than ten times `seconds` is the only one. Of the other
// kinds:
enum class ProbeKind {
  calls,
  profiled,  // one call to warm up and a second one, which alone lies between the profiler's start and stop
             // marks
  sustained  // one call after the other on values that are made once, for `seconds`: power settles
};
struct ProbeRun {
  ResolvedCase resolved;
  std::uint64_t seed = 0;
  int calls = 4;
  double seconds = 0.1;
  ProbeKind kind = ProbeKind::calls;
};

// One side of a timing pair. Both sides get the same cases, seed, batch and schedule; side 'a' starts.
// token_in is the read end of the pipe that the peer writes; hold no other copy of the pipes' ends, or the
// death of a peer goes unseen. Both -1: no peer, every letter of the schedule must be this side's.
// Processes that start before their turn open the device and wait for it, side 'a' for a byte from token_in.
struct TimeRun {
  std::vector<ResolvedCase> cases;  // argument sets rotate over these: one case resolved with several seeds
  std::uint64_t seed = 0;           // fresh values for every sample derive from it
  int batch = 1;                    // entry calls per sample
  char side = 'a';
  std::string schedule;  // "abba...": one letter a sample
  int token_in = -1, token_out = -1;
  bool starts_early = false;
  int opening_fd = -1;            // closed once the device is open; inherited; -1 = none
  std::size_t flush_bytes = 0;    // swept before each sample
  double warmup_seconds = 0.05;   // and at least 3 calls
  int verify_sample = -1;         // of this side's samples, counted from 0: its outputs come back; -1 = none
  double memory_bytes = 1 << 30;  // for argument sets: as many as the batch needs, if they fit
  int solo_samples = 0;           // side 'a' takes so many before the peer loads its plugin
};

// The user's check (the plugin) on outputs that a version left in these runs.
struct JudgeRun {
  std::vector<CheckRun> runs;
  std::vector<std::string_view> outputs;  // of every run, its compared parameters in order
  int outputs_fd = -1;                    // where the driver reads them, one behind the other; inherited
};

using DriverWork = std::variant<std::vector<CheckRun>, JudgeRun, ProbeRun, TimeRun>;

struct DriverCommand {
  std::string plugin;       // absolute path of the shared object
  int report_fd = -1;       // plain file opened for writing, inherited
  std::uint64_t nonce = 0;  // keys the report's checksums: fresh for every process
  DriverWork work;
};

std::string render_command(const DriverCommand& command);

}  // namespace noctune
