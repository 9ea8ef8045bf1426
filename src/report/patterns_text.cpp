#include "report/patterns_text.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "model/pattern_json.hpp"
#include "report/account_lines.hpp"
#include "report/report_style.hpp"
#include "report/text_table.hpp"

namespace noctune {
namespace {

std::string listed(const std::set<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string conditions_text(const Pattern& pattern) {
  std::string out;
  for (const auto& [feature, condition] : pattern.when)
    out += (out.empty() ? "" : ", ") + feature + " " + condition;
  return out.empty() ? "always" : out;
}

std::string where_text(const PatternLine& line) {
  if (line.uses == 0) return line.pattern.drafted_on.empty() ? "" : "drafted on " + line.pattern.drafted_on;
  const std::string platform =
      line.platforms.size() == 1 ? *line.platforms.begin() : counted(line.platforms.size(), "platform");
  return listed(line.hotspots) + " on " + platform;
}

// What was tried first, the strongest effects on top.
std::vector<PatternLine> in_order(std::vector<PatternLine> lines) {
  std::stable_sort(lines.begin(), lines.end(), [](const PatternLine& a, const PatternLine& b) {
    if ((a.uses > 0) != (b.uses > 0)) return a.uses > 0;
    return a.effect > b.effect;
  });
  return lines;
}

std::string table_text(const std::vector<PatternLine>& lines, const ReportOptions& options) {
  TextTable table({Align::left, Align::left, Align::right, Align::right, Align::right, Align::left});
  table.add({"pattern", "status", "uses", "gains", "effect", "where"});
  for (const PatternLine& line : lines)
    table.add({line.pattern.name, to_text(line.pattern.status), std::to_string(line.uses),
               std::to_string(line.gains), line.uses > 0 ? factor(std::exp(line.effect)) : "-",
               where_text(line)});
  const auto width = static_cast<std::size_t>(options.width);
  std::istringstream rows(table.text(2, width));
  std::string out, row;
  std::getline(rows, row);
  out += emphasised(row, options) + "\n";
  for (const PatternLine& line : lines) {
    std::getline(rows, row);
    out += row + "\n" + "      " + wrapped("when " + conditions_text(line.pattern), width - 6, 11) + "\n";
  }
  return out;
}

std::string unused_text(const std::vector<PatternLine>& lines, const ReportOptions& options) {
  TextTable table({Align::left, Align::right, Align::left});
  table.add({"pattern", "offers", "on"});
  bool any = false;
  for (const PatternLine& line : lines) {
    if (line.offers == 0 || line.taken > 0) continue;
    table.add({line.pattern.name, std::to_string(line.offers), listed(line.offered_on)});
    any = true;
  }
  return any ? "\nOffered and never used\n" + table.text(2, static_cast<std::size_t>(options.width)) : "";
}

std::string problems_text(const std::vector<std::string>& problems) {
  std::string out;
  for (const std::string& problem : problems) out += (out.empty() ? "\nLeft out\n  " : "  ") + problem + "\n";
  return out;
}

}  // namespace

std::string patterns_text(const PatternsPage& page, const ReportOptions& options) {
  int uses = 0, gains = 0;
  for (const PatternLine& line : page.lines) {
    uses += line.uses;
    gains += line.gains;
  }
  std::string out =
      "Patterns in " + page.source + (page.hotspot.empty() ? "" : ", on " + page.hotspot) + "\n";
  out += "  " + counted(page.lines.size(), "pattern") + ", " + counted(uses, "measured use") + ", " +
         counted(gains, "gain") + "\n";
  if (!page.lines.empty()) {
    const std::vector<PatternLine> lines = in_order(page.lines);
    out += "\n" + table_text(lines, options) + unused_text(lines, options);
    out += "\nEffect: mean factor over one-change versions, failures as 1, shrunk towards 1 by few uses.\n";
  }
  return out + problems_text(page.problems);
}

Json patterns_json(const PatternsPage& page) {
  Json list = Json::array();
  for (const PatternLine& line : in_order(page.lines)) {
    Json one = to_json(line.pattern);
    one["uses"] = line.uses;
    one["gains"] = line.gains;
    one["effect"] = line.effect;
    one["hotspots"] = line.hotspots;
    one["platforms"] = line.platforms;
    one["offers"] = line.offers;
    one["taken"] = line.taken;
    one["offered_on"] = line.offered_on;
    list.push_back(std::move(one));
  }
  return {
      {"source", page.source}, {"hotspot", page.hotspot}, {"patterns", list}, {"problems", page.problems}};
}

}  // namespace noctune
