// Compiles a spec's driver and small plugins in a private folder and runs commands on them as the evaluator
// does.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "mep/driver_command.hpp"
#include "mep/driver_report.hpp"
#include "model/mep_spec.hpp"

namespace noctune::testing {

MepSpec spec_from(const std::string& json);

// A running driver with its report file.
class Child {
 public:
  Child(pid_t pid, Descriptor report) : pid_(pid), report_(std::move(report)) {}
  Child(Child&&) = default;
  // Waits for its end: the exit code, or 128 + the signal.
  int wait();
  void kill();
  // Everything in the report file.
  std::string bytes() const;

 private:
  pid_t pid_;
  Descriptor report_;
};

class Bench {
 public:
  // Without a context the generated one is used.
  explicit Bench(const MepSpec& spec, const std::string& context = {}, const std::string& inputs = {});

  const MepSpec& spec() const { return spec_; }
  std::filesystem::path folder() const { return folder_.path(); }
  const std::string& compiler_output() const { return compiler_output_; }
  bool built() const { return built_; }

  // The path of a new plugin; fails the test when it does not compile.
  std::string plugin(const std::string& source, const std::string& flags = "-O0 -fopenmp");
  ResolvedCase resolved(const std::string& case_name, std::uint64_t seed,
                        const std::map<std::string, long long>& sizes = {}) const;

  // Starts a driver; `inherit` are further descriptors it must get, `threads` is OMP_NUM_THREADS.
  Child start(const DriverCommand& command, const std::vector<int>& inherit = {}, int threads = 2) const;
  DriverCommand command(const std::string& plugin, DriverWork work) const;

  struct Outcome {
    int exit_code = 0;
    std::string bytes;
    Result<DriverReport> report;
  };
  Outcome run(const std::string& plugin, DriverWork work, int threads = 2) const;

 private:
  MepSpec spec_;
  ScratchFolder folder_;
  bool built_ = false;
  std::string compiler_output_;
  int plugins_ = 0;
};

// Runs a shell command: exit code, and its output appended.
int shell(const std::string& command, std::string& output);

template <class T>
std::vector<T> elements(const OutputBlob& blob) {
  std::vector<T> out(blob.bytes.size() / sizeof(T));
  blob.bytes.copy(reinterpret_cast<char*>(out.data()), blob.bytes.size());
  return out;
}

}  // namespace noctune::testing
