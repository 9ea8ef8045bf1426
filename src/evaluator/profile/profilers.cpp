#include "evaluator/profile/profilers.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "evaluator/profile/ncu_command.hpp"
#include "evaluator/profile/ncu_csv.hpp"
#include "evaluator/profile/rocm_csv.hpp"

namespace noctune {
namespace {

using Texts = std::vector<std::string>;

// What fits into one pass on gfx906: eight counters of the SQ, four of the L2.
const std::vector<Texts>& counter_groups() {
  static const std::vector<Texts> groups = {
      {"FETCH_SIZE"},
      {"WRITE_SIZE", "L2CacheHit"},
      {"VALUBusy", "SALUBusy", "VALUUtilization", "LDSBankConflict"},
      {"MemUnitStalled", "WriteUnitStalled", "OccupancyPercent"},
  };
  return groups;
}

std::string name_of(const std::string& program) {
  return std::filesystem::path(program).filename().string();
}

ProfilerPass ncu_pass(const std::string& program) {
  NcuCall call;
  call.program = program;
  call.log_file = "profile.csv";
  call.marked = true;
  call.count = most_profiled_launches;
  return {value_or_throw(ncu_command(call)), {}, {"profile.csv"}};
}

// The first version repeats the program for every line of its input, which a driver does not allow: one line.
ProfilerPass rocprof_pass(const std::string& program, const Texts& counters) {
  return {{program, "-i", "counters.txt", "--timestamp", "on", "-o", "profile.csv"},
          {{"counters.txt", "pmc: " + joined(counters, " ") + "\n"}},
          {"profile.csv"}};
}

ProfilerPass rocprofv3_pass(const std::string& program, const Texts& counters) {
  ProfilerPass out{{program, "--pmc"}, {}, {"counter_collection.csv"}};
  out.command.insert(out.command.end(), counters.begin(), counters.end());
  for (const char* word : {"--output-format", "csv", "-d", ".", "-o", "profile", "--"})
    out.command.emplace_back(word);
  return out;
}

ProfilerPass hipprof_pass(const std::string& program, const char* what) {
  return {{program, what, "--pmc-type", "3", "-o", "profile"}, {}, {".csv"}};
}

// The driver's own kernels are in this namespace; of two equal calls the second counts.
KernelRows entry_rows(const KernelRows& all) {
  KernelRows rows;
  for (const KernelMetrics& row : all)
    if (row.kernel.find("noctune::") == std::string::npos &&
        row.kernel.find("N7noctune") == std::string::npos)
      rows.push_back(row);
  return rows_of_call(rows, rows.size() / 2, rows.size() - rows.size() / 2);
}

Result<KernelRows> read_rocm(const std::string& name, const std::string& table) {
  if (name == "rocprofv3") return read_rocprofv3_csv(table);
  return name == "hipprof" ? read_hipprof_csv(table) : read_rocprof_csv(table);
}

}  // namespace

std::vector<ProfilerPass> profiler_passes(const std::string& program) {
  const std::string name = name_of(program);
  if (name == "ncu") return {ncu_pass(program)};
  std::vector<ProfilerPass> out;
  for (const Texts& group : counter_groups()) {
    if (name == "rocprof" || name == "rocprofv2") out.push_back(rocprof_pass(program, group));
    if (name == "rocprofv3") out.push_back(rocprofv3_pass(program, group));
  }
  if (name == "hipprof")
    for (const char* what : {"--pmc", "--pmc-read", "--pmc-write"})
      out.push_back(hipprof_pass(program, what));
  return out;
}

Result<ProfileFacts> read_profile(const std::string& program, const Texts& tables,
                                  ProfileCeilings& ceilings) {
  const std::string name = name_of(program);
  std::vector<KernelRows> passes;
  for (const std::string& table : tables) {
    Result<KernelRows> rows = name == "ncu" ? read_ncu_csv(table) : read_rocm(name, table);
    if (!rows) return Failure(rows.error());
    passes.push_back(name == "ncu" ? std::move(*rows) : entry_rows(*rows));
  }
  Result<KernelRows> rows = join_passes(passes);
  if (!rows) return Failure(rows.error());
  if (rows->empty()) return fail("the profile is empty", "the profiler saw no kernel of the entry");
  ProfileFacts out;
  if (name == "ncu") {
    fill_limits_from_ncu(*rows, ceilings);
    out = facts_from_ncu(*rows);
  } else {
    const double units = ceilings.multiprocessors.value_or(0);
    out = facts_from_rocm(*rows, name, static_cast<int>(units));
  }
  if (rows->size() >= static_cast<std::size_t>(most_profiled_launches) && name == "ncu")
    out.doubts.push_back("only the first " + std::to_string(most_profiled_launches) +
                         " launches of a call were counted");
  return out;
}

}  // namespace noctune
