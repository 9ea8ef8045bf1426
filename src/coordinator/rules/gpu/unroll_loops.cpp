// #pragma unroll on the innermost loops of kernels.
#include <algorithm>

#include "coordinator/rules/gpu/gpu_rules.hpp"
#include "coordinator/rules/gpu/source.hpp"

namespace noctune::rules::gpu {
namespace {

bool is_innermost(const SourceLoop& loop, const SourceFunction& function) {
  return std::none_of(function.loops.begin(), function.loops.end(), [&](const SourceLoop& other) {
    return other.where.begin > loop.where.begin && other.where.end <= loop.where.end;
  });
}

std::size_t line_start(const std::string& text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return before == std::string::npos ? 0 : before + 1;
}

bool is_blank(const std::string& text, std::size_t begin, std::size_t end) {
  return text.find_first_not_of(" \t", begin) >= end;
}

// True where the line above already says how far to unroll.
bool has_pragma(const std::string& text, std::size_t line) {
  if (line < 2) return false;
  const std::size_t above = line_start(text, line - 1);
  return text.substr(above, line - above).find("#pragma") != std::string::npos;
}

}  // namespace

bool unroll_loops(Work& work, const Step& step) {
  if (!work.gpu || !settle(work)) return false;
  const long long times = std::clamp(step.integer("times", 4), 2LL, 64LL);
  const std::string& text = work.program.source;
  std::vector<Edit> edits;
  for (const SourceFunction& function : work.gpu->functions) {
    if (function.kind != SourceFunction::Kind::kernel) continue;
    for (const SourceLoop& loop : function.loops) {
      const std::size_t line = line_start(text, loop.where.begin);
      if (text.compare(loop.where.begin, 3, "for") != 0 || !is_innermost(loop, function)) continue;
      if (!is_blank(text, line, loop.where.begin) || has_pragma(text, line)) continue;
      if (wants(step, function.name))
        edits.push_back({line, line, "#pragma unroll " + std::to_string(times) + "\n"});
    }
  }
  return !edits.empty() && change(work, std::move(edits));
}

}  // namespace noctune::rules::gpu
