// Gate 2: compilers as children of the sandbox helper, with limits, and what came out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/process.hpp"
#include "evaluator/confinement.hpp"
#include "evaluator/plugin_binary.hpp"
#include "mep/driver_sources.hpp"
#include "model/campaign.hpp"
#include "model/evaluation.hpp"

namespace noctune {

struct BuildLimits {
  double seconds = 60;
  LimitSettings settings;
  std::vector<int> cpus;
};

struct Built {
  Verdict verdict =
      Verdict::lost;    // ok, build_failed, build_timeout, or lost when the compiler cannot run at all
  std::string message;  // for people
  std::string diagnostics;
  std::filesystem::path file;
  PluginBinary binary;  // of plugins
  double seconds = 0;
};

class Builder {
 public:
  // `libraries`: names of gpu/gpu_libraries.hpp that plugins may use.
  Builder(ProcessHelper& helper, std::string compiler, DriverBuild target, SandboxRules rules,
          std::vector<std::string> libraries = {})
      : helper_(helper),
        compiler_(std::move(compiler)),
        target_(std::move(target)),
        rules_(std::move(rules)),
        libraries_(std::move(libraries)) {}

  // Compiles `source` in `folder` (made if absent) into a plugin, with `context` put in front of it. The
  // compiler sees no other folder of ours.
  Task<Built> plugin(std::filesystem::path folder, std::string source, std::filesystem::path context,
                     std::vector<std::string> flags, BuildLimits limits);
  // Runs the compiler in `folder` with these trusted arguments, which leave the file `name` there and may
  // name files elsewhere by their absolute paths.
  Task<Built> program(std::filesystem::path folder, std::string name, std::vector<std::string> arguments,
                      BuildLimits limits);
  // What a program of the toolkit prints about a file, as confined as the compiler is; empty where it fails.
  Task<std::string> printed(std::filesystem::path folder, std::vector<std::string> argv,
                            std::filesystem::path file, BuildLimits limits);

 private:
  // Behind the compiler's name.
  Result<std::vector<std::string>> arguments_for(std::vector<std::string> flags, const std::string& source,
                                                 const std::string& context, const std::string& plugin) const;
  Task<Built> compile(std::filesystem::path folder, std::vector<std::string> argv,
                      std::vector<std::string> reads, BuildLimits limits);

  ProcessHelper& helper_;
  std::string compiler_;
  DriverBuild target_;
  SandboxRules rules_;
  std::vector<std::string> libraries_;
};

// What tells a compiler's version in its --version: the first line, with nvcc's release.
std::string version_line(const std::string& output);

// That of a compiler, or why it cannot run.
Task<Result<std::string>> compiler_version(ProcessHelper& helper, std::string compiler);

// The compiler's first error, or its first line, for messages.
std::string first_error(const std::string& diagnostics);

}  // namespace noctune
