#include "coordinator/prompts/facts_text.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "coordinator/prompts/plain_text.hpp"

namespace noctune {
namespace {

constexpr std::size_t most_bytes = 8000, longest_index = 80, most_of_a_kind = 6;

const char* verb_of(SourceAccess::Kind kind) {
  switch (kind) {
    case SourceAccess::Kind::read:
      return "read";
    case SourceAccess::Kind::write:
      return "written";
    case SourceAccess::Kind::update:
      return "updated";
    case SourceAccess::Kind::atomic:
      return "updated atomically";
  }
  return "";
}

std::string place_of(const SourceAccess& access) {
  std::string out = "[" + one_line(access.index, longest_index) + "]";
  if (!access.member.empty()) out += "." + access.member;
  return access.callee.empty() ? out : out + " in " + access.callee;
}

// "read at [i], [i + 1]; written at [i]", each place once.
std::string uses_of(const SourceFunction& function, const std::string& array) {
  std::string out;
  for (const auto kind : {SourceAccess::Kind::read, SourceAccess::Kind::write, SourceAccess::Kind::update,
                          SourceAccess::Kind::atomic}) {
    std::vector<std::string> places;
    for (const SourceAccess& one : function.accesses) {
      if (one.kind != kind || one.array != array || places.size() >= most_of_a_kind) continue;
      const std::string place = place_of(one);
      if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    }
    if (!places.empty())
      out += (out.empty() ? "" : "; ") + std::string(verb_of(kind)) + " at " + joined(places);
  }
  return out;
}

std::string traits_of(const SourceFunction& function) {
  std::vector<std::string> out;
  if (!function.launch_bounds.empty()) out.push_back("launch bounds " + function.launch_bounds);
  if (function.uses_block_size) out.emplace_back("uses the block size");
  if (function.barriers) out.emplace_back("barriers");
  if (function.atomics) out.emplace_back("atomics");
  if (function.warp_intrinsics) out.emplace_back("warp intrinsics");
  if (function.cooperative_groups) out.emplace_back("cooperative groups");
  for (const SharedArray& one : function.shared)
    out.push_back("shared " + one.type + " " + one.name + (one.dynamic ? ", sized by the launch" : ""));
  return joined(out);
}

std::string function_lines(const SourceFunction& function) {
  const char* kind = function.kind == SourceFunction::Kind::kernel   ? "kernel "
                     : function.kind == SourceFunction::Kind::device ? "device function "
                                                                     : "function ";
  std::string out = "- " + std::string(kind) + function_text(function) + "\n";
  for (const SourceParam& param : function.params)
    if (const std::string uses = uses_of(function, param.name); !uses.empty())
      out += "  - " + param.name + ": " + uses + "\n";
  std::vector<std::string> loops;
  for (const SourceLoop& loop : function.loops)
    if (!loop.variable.empty() && loops.size() < 2 * most_of_a_kind)
      loops.push_back(loop.variable + " from " + one_line(loop.from, longest_index) + " to " +
                      one_line(loop.to, longest_index));
  if (!loops.empty()) out += "  - loops: " + joined(loops) + "\n";
  if (!function.guards.empty()) out += "  - guards: " + one_line(joined(function.guards), 400) + "\n";
  if (const std::string traits = traits_of(function); !traits.empty()) out += "  - " + traits + "\n";
  return out;
}

std::string launch_line(const SourceLaunch& launch) {
  std::string out = "- launch of " + launch.kernel;
  if (!launch.templates.empty()) out += "<" + launch.templates + ">";
  out += "(" + one_line(joined(launch.args), 300) + ")";
  if (!launch.grid.empty()) out += ", grid " + launch.grid + ", block " + launch.block;
  if (!launch.shared_bytes.empty()) out += ", shared bytes " + launch.shared_bytes;
  for (const SourceLoop& loop : launch.loops)
    out += loop.variable.empty() ? ", while " + one_line(loop.condition, longest_index)
                                 : ", for " + loop.variable + " from " + loop.from + " to " + loop.to;
  return out + (launch.in_snippet ? " (call site)" : launch.in_comment ? " (comment)" : "") + "\n";
}

std::string symbol_line(const SourceSymbol& symbol) {
  std::string out = "- at file scope: " + symbol.type + " " + symbol.name;
  for (const std::string& extent : symbol.extents) out += "[" + extent + "]";
  return out +
         (symbol.space == SourceSymbol::Space::constant ? ", constant memory"
          : symbol.space == SourceSymbol::Space::device ? ", device memory"
                                                        : "") +
         (symbol.initial.empty() ? "" : " = " + one_line(symbol.initial, longest_index)) + "\n";
}

}  // namespace

std::string function_text(const SourceFunction& function) {
  std::string out;
  for (const SourceParam& param : function.params)
    out += (out.empty() ? "" : ", ") + param.type + " " + param.name;
  std::string templates;
  for (const TemplateParam& one : function.templates)
    templates += (templates.empty() ? "" : ", ") + one.kind + " " + one.name;
  return (templates.empty() ? "" : "template <" + templates + "> ") + function.name + "(" + out + ")";
}

std::string facts_text(const SourceFacts& facts) {
  std::string out;
  for (const SourceFunction& one : facts.functions) out += function_lines(one);
  for (const SourceLaunch& one : facts.launches) out += launch_line(one);
  for (const SourceSymbol& one : facts.symbols) out += symbol_line(one);
  if (!facts.unknown_types.empty())
    out += "- types that are declared nowhere: " + joined(facts.unknown_types) + "\n";
  if (!facts.unknown_names.empty())
    out += "- names that are declared nowhere: " + joined(facts.unknown_names) + "\n";
  for (const SourceProblem& one : facts.problems)
    out += "- line " + std::to_string(one.line) + ": " + one.text + "\n";
  return capped(without_fences(clean_text(out)), most_bytes);
}

}  // namespace noctune
