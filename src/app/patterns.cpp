#include "app/patterns.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "coordinator/patterns/pattern_library.hpp"
#include "coordinator/patterns/ranking.hpp"
#include "report/pattern_tables.hpp"
#include "report/patterns_text.hpp"

namespace noctune {
namespace {

// A results file as a library in memory, so that both are counted alike.
PatternLibrary library_from(const ResultsFile& results, std::vector<std::string>& problems) {
  PatternLibrary library = value_or_throw(PatternLibrary::open({}, ""));
  const PatternTables tables = value_or_throw(read_pattern_tables(results));
  for (const Pattern& one : tables.patterns)
    if (const auto kept = library.add(one); !kept) problems.push_back(kept.error().text());
  for (const PatternEvidence& one : tables.evidence) value_or_throw(library.add(one));
  for (const PatternTrial& one : tables.trials) value_or_throw(library.add_trial(one));
  return library;
}

PatternLine line_of(const KnownPattern& known, const std::string& hotspot) {
  PatternLine line;
  line.pattern = known.pattern;
  std::vector<PatternEvidence> counted;
  for (const PatternEvidence& one : known.evidence) {
    if (!hotspot.empty() && one.hotspot != hotspot) continue;
    counted.push_back(one);
    line.hotspots.insert(one.hotspot);
    line.platforms.insert(one.platform);
  }
  const Effect effect = effect_of(counted);
  line.uses = effect.uses;
  line.gains = effect.gains;
  line.effect = effect.shrunk;
  for (const PatternTrial& one : known.trials) {
    if (!hotspot.empty() && one.hotspot != hotspot) continue;
    ++line.offers;
    line.taken += one.used;
    line.offered_on.insert(one.hotspot);
  }
  return line;
}

bool concerns(const PatternLine& line, const std::string& hotspot) {
  return hotspot.empty() || line.uses > 0 || line.offers > 0 || line.pattern.drafted_on == hotspot;
}

[[noreturn]] void refuse_hotspot(const std::vector<KnownPattern>& known, const PatternsPage& page) {
  std::set<std::string> names;
  for (const KnownPattern& one : known) {
    const PatternLine line = line_of(one, "");
    names.insert(line.hotspots.begin(), line.hotspots.end());
    names.insert(line.offered_on.begin(), line.offered_on.end());
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  throw UserError({"no pattern was used or offered on a hotspot \"" + page.hotspot + "\"", page.source,
                   list.empty() ? "no hotspot is named there" : "there are " + list});
}

PatternsPage page_of(const Options& options) {
  PatternsPage page;
  page.source = options.results;
  page.hotspot = options.hotspot;
  const bool folder = std::filesystem::is_directory(options.results);
  const PatternLibrary library =
      folder ? value_or_throw(PatternLibrary::open(options.results, ""))
             : library_from(value_or_throw(ResultsFile::open(options.results)), page.problems);
  for (const std::string& problem : library.problems()) page.problems.push_back(problem);
  const std::vector<KnownPattern> known = library.patterns();
  for (const KnownPattern& one : known)
    if (PatternLine line = line_of(one, options.hotspot); concerns(line, options.hotspot))
      page.lines.push_back(std::move(line));
  if (page.lines.empty() && !options.hotspot.empty()) refuse_hotspot(known, page);
  return page;
}

}  // namespace

int patterns(const Options& options) {
  const PatternsPage page = page_of(options);
  ReportOptions how;
  how.colour = ::isatty(STDOUT_FILENO) != 0;
  const std::string text =
      options.json ? patterns_json(page).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"
                   : patterns_text(page, how);
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace noctune
