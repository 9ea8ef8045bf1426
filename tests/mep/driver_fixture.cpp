#include "mep/driver_fixture.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/json.hpp"
#include "mep/driver_sources.hpp"
#include "mep/inputs_source.hpp"
#include "model/mep_spec_json.hpp"

namespace noctune::testing {

MepSpec spec_from(const std::string& json) {
  return read_mep_spec(value_or_throw(parse_json(json, "spec.json")));
}

int shell(const std::string& command, std::string& output) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char block[4096];
  while (const std::size_t got = fread(block, 1, sizeof block, pipe)) output.append(block, got);
  const int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int Child::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void Child::kill() {
  ::kill(pid_, SIGKILL);
}

std::string Child::bytes() const {
  std::string all;
  char block[65536];
  off_t at = 0;
  while (true) {
    const ssize_t got = pread(report_.get(), block, sizeof block, at);
    if (got <= 0) return all;
    all.append(block, static_cast<std::size_t>(got));
    at += got;
  }
}

namespace {

// The runtime is the same for every spec: compiled once for all benches of a test program.
const std::string& runtime_object() {
  static const ScratchFolder folder = value_or_throw(ScratchFolder::make("noctune-runtime-test"));
  static const std::string object = [] {
    for (const auto& [name, text] : driver_sources(MepSpec{}, ""))
      value_or_throw(write_file(folder.path() / name, text));
    std::string command = "cd " + folder.path().string() + " && g++", output;
    for (const std::string& argument : runtime_compile_arguments({})) command += " " + argument;
    EXPECT_EQ(shell(command, output), 0) << output;
    return (folder.path() / "driver.o").string();
  }();
  return object;
}

}  // namespace

Bench::Bench(const MepSpec& spec, const std::string& context, const std::string& inputs)
    : spec_(spec), folder_(value_or_throw(ScratchFolder::make("noctune-driver-test"))) {
  for (const auto& [name, text] : driver_sources(spec, context, inputs))
    value_or_throw(write_file(folder() / name, text));
  std::string command = "cd " + folder().string() + " && g++";
  for (const std::string& argument : driver_compile_arguments({}, runtime_object(), needs_inputs(spec)))
    command += " " + argument;
  built_ = shell(command, compiler_output_) == 0;
}

std::string Bench::plugin(const std::string& source, const std::string& flags) {
  const std::string stem = (folder() / ("plugin" + std::to_string(plugins_++))).string();
  value_or_throw(write_file(stem + ".cpp", "#include \"context.hpp\"\n" + source));
  std::string output;
  const int code =
      shell("g++ -std=c++17 -shared -fPIC " + flags + " " + stem + ".cpp -o " + stem + ".so", output);
  EXPECT_EQ(code, 0) << output;
  return stem + ".so";
}

ResolvedCase Bench::resolved(const std::string& case_name, std::uint64_t seed,
                             const std::map<std::string, long long>& sizes) const {
  const auto chosen = std::find_if(spec_.cases.begin(), spec_.cases.end(),
                                   [&](const CaseSpec& c) { return c.name == case_name; });
  if (chosen == spec_.cases.end()) throw UserError({"no case " + case_name});
  return value_or_throw(resolve_case(spec_, *chosen, sizes, seed));
}

DriverCommand Bench::command(const std::string& plugin, DriverWork work) const {
  DriverCommand command;
  command.plugin = plugin;
  command.nonce = 0x1234567890abcdefULL;
  command.work = std::move(work);
  return command;
}

Child Bench::start(const DriverCommand& wanted, const std::vector<int>& inherit, int threads) const {
  static int counter = 0;
  const std::string stem = (folder() / ("run" + std::to_string(counter++))).string();
  Descriptor report(open((stem + ".report").c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  unlink((stem + ".report").c_str());
  DriverCommand command = wanted;
  command.report_fd = report.get();
  value_or_throw(write_file(stem + ".command", render_command(command)));
  const std::string driver = (folder() / "driver").string(), file = stem + ".command";
  const std::string team = "OMP_NUM_THREADS=" + std::to_string(threads);
  const pid_t pid = fork();
  if (pid == 0) {
    fcntl(report.get(), F_SETFD, 0);
    for (const int fd : inherit) fcntl(fd, F_SETFD, 0);
    const char* const argv[] = {driver.c_str(), file.c_str(), nullptr};
    const char* const envp[] = {"PATH=/usr/bin:/bin", team.c_str(), nullptr};
    execve(argv[0], const_cast<char* const*>(argv), const_cast<char* const*>(envp));
    _exit(127);
  }
  return Child(pid, std::move(report));
}

Bench::Outcome Bench::run(const std::string& plugin, DriverWork work, int threads) const {
  const DriverCommand wanted = command(plugin, std::move(work));
  Child child = start(wanted, {}, threads);
  Outcome outcome{child.wait(), child.bytes(), fail("not parsed")};
  outcome.report = parse_report(outcome.bytes, wanted.nonce);
  return outcome;
}

}  // namespace noctune::testing
