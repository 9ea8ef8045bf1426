#include "evaluator/builder.hpp"

#include <algorithm>
#include <sstream>

#include "base/files.hpp"
#include "evaluator/gpu/gpu_toolchain.hpp"
#include "evaluator/gpu/gpu_tools.hpp"
#include "evaluator/scratch_trouble.hpp"
#include "model/backend.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> environment_for(const std::string& backend, const fs::path& folder) {
  std::vector<std::string> out = compiler_environment({"TMPDIR=" + folder.string(), "LC_ALL=C"});
  return runs_on_gpu(backend) ? gpu_compiler_environment(backend, std::move(out)) : out;
}

}  // namespace

std::string first_error(const std::string& diagnostics) {
  std::istringstream lines(diagnostics);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (first.empty()) first = line;
    for (const char* mark : {"error:", "Error:", "undefined reference"})  // "Error:" is the assembler's
      if (line.find(mark) != std::string::npos) return line;
  }
  return first;
}

Task<Built> Builder::plugin(fs::path folder, std::string source, fs::path context,
                            std::vector<std::string> flags, BuildLimits limits) {
  const fs::path source_file = folder / ("candidate" + source_suffix(target_.backend)),
                 plugin_file = folder / "candidate.so";
  Built out;
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) {
    out.message = "cannot make the folder " + folder.string() + ": " + failed.message();
    co_return out;
  }
  if (const Result<void> written = write_file(source_file, source); !written) {
    out.message = written.error().text();
    co_return out;
  }
  Result<std::vector<std::string>> arguments =
      arguments_for(std::move(flags), source_file.string(), context.string(), plugin_file.string());
  if (!arguments) {
    out.message = arguments.error().text();
    co_return out;
  }
  std::vector<std::string> argv = std::move(*arguments);
  argv.insert(argv.begin(), compiler_);
  std::vector<std::string> reads(1, context.string());
  out = co_await compile(folder, std::move(argv), std::move(reads), std::move(limits));
  out.file = plugin_file;
  if (out.verdict != Verdict::ok) co_return out;
  Result<PluginBinary> binary = read_plugin_binary(plugin_file);
  if (binary) {
    out.binary = std::move(*binary);
  } else {
    out.verdict = Verdict::build_failed;
    out.message = "the compiler succeeded but left no plugin: " + binary.error().text();
  }
  co_return out;
}

Result<std::vector<std::string>> Builder::arguments_for(std::vector<std::string> flags,
                                                        const std::string& source, const std::string& context,
                                                        const std::string& plugin) const {
  if (runs_on_gpu(target_.backend)) {
    const auto toolchain = gpu_toolchain({target_.backend,
                                          compiler_,
                                          {target_.architecture},
                                          std::move(flags),
                                          libraries_,
                                          target_.libraries});
    if (!toolchain) return Failure(toolchain.error());
    return plugin_arguments(*toolchain, source, context, plugin);
  }
  flags.insert(flags.end(), {"-fPIC", "-shared", "-include", context, "-o", plugin, source});
  return flags;
}

Task<Built> Builder::program(fs::path folder, std::string name, std::vector<std::string> arguments,
                             BuildLimits limits) {
  std::vector<std::string> reads;
  for (const std::string& argument : arguments)
    if (argument.starts_with('/')) reads.push_back(argument);
  arguments.insert(arguments.begin(), compiler_);
  Built out = co_await compile(folder, std::move(arguments), std::move(reads), std::move(limits));
  out.file = folder / name;
  co_return out;
}

Task<std::string> Builder::printed(fs::path folder, std::vector<std::string> argv, fs::path file,
                                   BuildLimits limits) {
  argv.push_back(file.string());
  std::vector<std::string> reads = {file.string()};
  Built out = co_await compile(std::move(folder), std::move(argv), std::move(reads), std::move(limits));
  co_return out.verdict == Verdict::ok ? std::move(out.diagnostics) : std::string();
}

Task<Built> Builder::compile(fs::path folder, std::vector<std::string> argv, std::vector<std::string> reads,
                             BuildLimits limits) {
  ChildRequest request;
  request.argv = std::move(argv);
  request.working_folder = folder.string();
  request.environment = environment_for(target_.backend, folder);
  request.deadline_s = limits.seconds;
  request.memory_bytes = static_cast<long long>(limits.settings.memory_mb * 1e6);
  request.output_bytes = static_cast<long long>(limits.settings.output_kb * 1024);
  request.file_bytes = 256LL << 20;
  request.folder_bytes = 1LL << 30;
  request.folder_files = 10000;
  request.confinement = rules_.for_compiler(folder, reads);
  request.cpus = limits.cpus;
  const ChildOutcome outcome = co_await helper_.run(std::move(request));
  Built out;
  out.seconds = outcome.seconds;
  out.diagnostics = outcome.output;
  using End = ChildOutcome::End;
  if (outcome.clean()) {
    out.verdict = Verdict::ok;
  } else if (std::string trouble = scratch_trouble(folder, reads, outcome.output); !trouble.empty()) {
    out.message = std::move(trouble);
  } else if (outcome.end == End::exited) {
    out.verdict = Verdict::build_failed;
    out.message = "does not compile: " + first_error(outcome.output);
  } else if (outcome.end == End::deadline) {
    out.verdict = Verdict::build_timeout;
    out.message = "the compiler " + describe(outcome);
  } else if (outcome.end == End::not_started || outcome.end == End::helper_lost ||
             outcome.end == End::cancelled) {
    out.message = "the compiler " + describe(outcome);
  } else {
    out.verdict = Verdict::build_failed;
    out.message = "the compiler " + describe(outcome);
  }
  co_return out;
}

std::string version_line(const std::string& output) {
  std::istringstream lines(output);
  std::string line, first;
  while (std::getline(lines, line)) {
    if (first.empty()) first = line;
    if (line.find(", release ") != std::string::npos) return first + ", " + line;  // nvcc names itself first
  }
  return first;
}

Task<Result<std::string>> compiler_version(ProcessHelper& helper, std::string compiler) {
  ChildRequest request;
  request.argv = {compiler, "--version"};
  request.working_folder = "/";
  request.environment = compiler_environment({"LC_ALL=C"});
  request.deadline_s = 30;
  const ChildOutcome outcome = co_await helper.run(std::move(request));
  if (!outcome.clean()) {
    Result<std::string> bad = fail("the compiler \"" + compiler + "\" cannot be used", describe(outcome),
                                   "set platform.compiler to a compiler that is on PATH, or load its module");
    co_return bad;
  }
  co_return Result<std::string>(version_line(outcome.output));
}

}  // namespace noctune
