#include "evaluator/profile/ncu_command.hpp"

#include <cctype>

#include "base/text.hpp"
#include "evaluator/profile/ncu_metrics.hpp"

namespace noctune {
namespace {

std::string literal(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') out += '\\';
    out += c;
  }
  return out;
}

Result<void> complete(const NcuCall& call) {
  if (call.log_file.empty()) return fail("ncu cannot be called", "no file for its table was given");
  if (call.skip < 0 || call.count < 1)
    return fail("ncu cannot be called",
                "it would skip " + std::to_string(call.skip) + " and profile " + std::to_string(call.count) +
                    " launches",
                "one call of the entry has at least one launch");
  return {};
}

}  // namespace

std::string kernel_filter(const std::vector<std::string>& kernels) {
  std::vector<std::string> names;
  for (const std::string& kernel : kernels) names.push_back(literal(kernel));
  return "regex:^(" + joined(names, "|") + ")$";
}

Result<std::vector<std::string>> ncu_command(const NcuCall& call) {
  if (const auto checked = complete(call); !checked) return Failure(checked.error());
  std::vector<std::string> out = {call.program,      "--csv", "--page",         "raw",
                                  "--print-units",   "base",  "--log-file",     call.log_file,
                                  "--clock-control", "none",  "--cache-control"};
  out.emplace_back(call.caches == CacheControl::flush ? "all" : "none");
  if (!call.kernels.empty())
    out.insert(out.end(), {"--kernel-name-base", "function", "-k", kernel_filter(call.kernels)});
  if (call.marked) out.insert(out.end(), {"--profile-from-start", "off"});
  out.insert(out.end(), {"-s", std::to_string(call.skip), "-c", std::to_string(call.count)});
  const std::vector<std::string> metrics = call.metrics.empty() ? ncu_metric_names() : call.metrics;
  out.insert(out.end(), {"--replay-mode", "kernel", "--metrics", joined(metrics, ",")});
  out.insert(out.end(), call.child.begin(), call.child.end());
  return out;
}

}  // namespace noctune
