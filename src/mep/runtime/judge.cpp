// judge: the user's check looks at outputs that another process has left. The inputs are made again from the
// run's seed, so that all it takes from there are the outputs' bytes.
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "modes.hpp"

namespace noctune {
namespace {

constexpr std::size_t why_room = 512;

// Outputs of all runs, one behind the other.
class OutputFile {
 public:
  OutputFile(int fd, Report& report) : fd_(fd), report_(report) {}

  // Anything but exactly so many bytes are not the outputs of these runs.
  void expect(std::size_t bytes) const {
    struct stat found {};
    const bool known = fstat(fd_, &found) == 0;
    if (!known || found.st_size < 0 || static_cast<std::size_t>(found.st_size) != bytes)
      report_.refuse(Fault::driver, "there are " + std::to_string(known ? found.st_size : 0) +
                                        " bytes of outputs to judge, and the runs make " +
                                        std::to_string(bytes));
  }
  void read(char* to, std::size_t bytes) {
    while (bytes > 0) {
      const ssize_t got = pread(fd_, to, bytes, static_cast<off_t>(at_));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) report_.refuse(Fault::driver, "the outputs to judge cannot be read");
      to += got;
      at_ += static_cast<std::size_t>(got);
      bytes -= static_cast<std::size_t>(got);
    }
  }

 private:
  int fd_;
  Report& report_;
  std::size_t at_ = 0;
};

std::size_t output_bytes(const Command& command) {
  std::size_t bytes = 0;
  for (const Check& check : command.checks)
    for (const Argument& argument : command.cases[check.case_index].args)
      if (argument.compared) bytes += argument.bytes();
  return bytes;
}

void prepare(ArgumentSet& set, const Check& check) {
  set.fill(check.seed, check.variant, check.only_param);
  set.poison(check.poison);
}

void judge(Driver& driver, const Check& check, std::uint64_t index, OutputFile& outputs) {
  const CaseData& data = driver.command.cases[check.case_index];
  ArgumentSet before(data, check.offset, driver.plugin, driver.team, driver.report);
  ArgumentSet after(data, check.offset, driver.plugin, driver.team, driver.report);
  driver.team.wake();
  prepare(before, check);
  prepare(after, check);
  for (std::size_t i = 0; i < data.args.size(); ++i)
    if (data.args[i].compared) after.set(i, [&](char* to) { outputs.read(to, data.args[i].bytes()); });
  char why[why_room] = {};
  const bool holds =
      call_check(driver.plugin.entry, after.slots().data(), before.slots().data(), why, sizeof why) == 0;
  why[sizeof why - 1] = '\0';
  const std::string damage = after.damage() + before.damage();
  if (!damage.empty()) driver.report.refuse(Fault::plugin, "it wrote outside a buffer: " + damage);
  driver.report.frame(FrameType::judged, Payload().count(index).flag(holds).text(holds ? "" : why));
}

}  // namespace

void run_judge(Driver& driver) {
  OutputFile outputs(driver.command.outputs_fd, driver.report);
  outputs.expect(output_bytes(driver.command));
  std::uint64_t index = 0;
  for (const Check& check : driver.command.checks) judge(driver, check, index++, outputs);
}

}  // namespace noctune
