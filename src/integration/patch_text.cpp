#include "integration/patch_text.hpp"

#include "base/files.hpp"
#include "base/text.hpp"

namespace noctune {
namespace {

std::string times(double speedup) {
  return fixed(speedup, 2) + "x";
}

}  // namespace

std::string patch_header(const Placement& placement) {
  std::string names;
  for (const std::string& one : placement.hotspots) names += (names.empty() ? "" : ", ") + one;
  std::string out = "# Noctune: " + names + " of the application " + placement.application + "\n";
  if (placement.candidate >= 0) out += "# version: candidate " + std::to_string(placement.candidate) + "\n";
  if (placement.standalone > 0)
    out += "# alone: " + times(placement.standalone) + " faster than the original\n";
  if (!placement.flags.empty())
    out += "# needs the compiler flags " + placement.flags +
           (placement.flags_passed ? ", with which the patched file was built here"
                                   : ", which the application's build did not take: see NOCTUNE_FLAGS") +
           "\n";
  if (placement.gain.complete())
    out += "# in the application: " + times(placement.gain.speedup) + ", 95 % interval " +
           times(placement.gain.low) + " to " + times(placement.gain.high) + ", " +
           std::to_string(placement.gain.log_speedups.size()) +
           " pairs of verified runs of original and patched, in random order\n";
  out += std::string("# verdict: ") + to_text(placement.verdict) +
         (placement.reason.empty() ? "" : "; " + placement.reason) + "\n";
  out += std::string("# executed: ") + to_text(placement.use.used) +
         (placement.use.reason.empty() ? "" : "; " + placement.use.reason) + "\n";
  return out + "# placed by rule: " + placement.rule + "\n";
}

Task<Result<std::string>> unified_diff(ProcessHelper& helper, std::string file, std::string before,
                                       std::string after) {
  Result<ScratchFolder> folder = ScratchFolder::make("noctune-diff");
  if (!folder) co_return Failure(folder.error());
  const std::filesystem::path path = folder->path();
  for (const auto& [name, text] : {std::pair("before", &before), std::pair("after", &after)})
    if (Result<void> written = write_file(path / name, *text); !written) co_return Failure(written.error());
  ChildRequest request;
  // Into a file: collected output is made printable, and a source may hold any bytes.
  request.argv = {"/bin/sh", "-c",        "diff -u --label \"$1\" --label \"$2\" before after > patch",
                  "sh",      "a/" + file, "b/" + file};
  request.working_folder = path.string();
  request.environment = application_environment();
  const ChildOutcome outcome = co_await helper.run(std::move(request));
  const bool told = outcome.end == ChildOutcome::End::exited && outcome.exit_code <= 1;
  if (!told) co_return fail("diff " + describe(outcome), outcome.output, "install diffutils");
  Result<std::string> patch = read_file(path / "patch");
  co_return patch;
}

}  // namespace noctune
