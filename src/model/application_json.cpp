#include "model/application_json.hpp"

#include <regex>

namespace noctune {
namespace fs = std::filesystem;
namespace {

// A path inside the application's folder, and nowhere else.
std::string inner_path(StrictReader& reader, const std::string& key) {
  const fs::path path = fs::path(reader.text(key)).lexically_normal();
  if (path.empty() || path.is_absolute() || *path.begin() == ".." || path == ".")
    reader.complain(key, "\"" + path.string() + "\" must be a path inside the application's directory");
  return path.string();
}

std::string needed(StrictReader& reader, const std::string& key) {
  const std::string text = reader.text(key);
  if (text.empty()) reader.complain(key, "is empty");
  return text;
}

double seconds(StrictReader& reader, const std::string& key, double fallback) {
  const double value = reader.number(key, fallback);
  if (!(value > 0)) reader.complain(key, "must be greater than 0");
  return value;
}

std::string read_pattern(StrictReader& reader) {
  const std::string pattern = needed(reader, "pattern");
  try {
    if (std::regex(pattern).mark_count() >= 1) return pattern;
  } catch (const std::regex_error& error) {
    reader.complain("pattern", std::string("is no regular expression: ") + error.what());
  }
  reader.complain("pattern", "has no group, so there is no number to take from it",
                  "put the number in parentheses: \"seconds: ([0-9.eE+-]+)\"");
}

void read_source(StrictReader& reader, MetricConfig& metric) {
  metric.from = reader.text("from", metric.from);
  if (metric.from == "output") {
    metric.pattern = read_pattern(reader);
  } else if (metric.from == "csv") {
    metric.file = inner_path(reader, "file");
    metric.column = needed(reader, "column");
  } else if (metric.from == "hdf5") {
    metric.file = inner_path(reader, "file");
    metric.dataset = needed(reader, "dataset");
  } else if (metric.from != "wall") {
    reader.complain("from", "\"" + metric.from + "\" is not known", "known: wall, output, csv, hdf5");
  }
}

MetricConfig read_metric(StrictReader reader) {
  MetricConfig metric;
  read_source(reader, metric);
  const bool wall = metric.from == "wall";
  const std::string better = wall ? reader.text("better", std::string("lower")) : reader.text("better");
  if (better != "lower" && better != "higher")
    reader.complain("better", "\"" + better + "\" is not known", "known: lower, higher");
  if (wall && better == "higher") reader.complain("better", "a longer wall time is not better");
  metric.higher_is_better = better == "higher";
  metric.unit = reader.text("unit", std::string(wall ? "s" : ""));
  reader.finish();
  return metric;
}

std::string read_directory(StrictReader& reader, const fs::path& folder) {
  const fs::path given = needed(reader, "directory");
  std::error_code error;
  fs::path path = fs::absolute(given.is_absolute() ? given : folder / given, error).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (!fs::is_directory(path, error))
    reader.complain("directory", path.string() + " is no folder",
                    "relative paths are taken from the config's folder");
  return path.string();
}

}  // namespace

ApplicationConfig read_application(StrictReader reader, const fs::path& folder) {
  ApplicationConfig out;
  out.name = needed(reader, "name");
  if (out.name.size() > 60 || out.name.find_first_of("/ \t\n") != std::string::npos || out.name[0] == '.')
    reader.complain("name", "must have 1 to 60 characters, none of them a blank or a slash, no dot in front");
  out.directory = read_directory(reader, folder);
  out.build = needed(reader, "build");
  out.run = needed(reader, "run");
  out.verify = reader.text("verify", out.verify);
  out.launch = reader.text("launch", out.launch);
  out.metric = read_metric(reader.object("metric"));
  const long long runs = reader.integer("runs", out.runs);
  if (runs < 2 || runs > 1000)
    reader.complain("runs", std::to_string(runs) + " is outside 2 to 1000", "an interval needs two pairs");
  out.runs = static_cast<int>(runs);
  out.build_s = seconds(reader, "build_s", out.build_s);
  out.run_s = seconds(reader, "run_s", out.run_s);
  reader.finish();
  return out;
}

IntegrateConfig read_integrate(StrictReader reader) {
  IntegrateConfig out;
  out.application = needed(reader, "application");
  out.file = inner_path(reader, "file");
  out.call_site = reader.text("call_site", out.call_site);
  out.symbols = reader.texts("symbols", out.symbols);
  out.share = reader.number("share", out.share);
  if (!(out.share >= 0 && out.share <= 1))
    reader.complain("share", "must be a fraction of the run time, from 0 to 1");
  reader.finish();
  return out;
}

OrderedJson to_json(const ApplicationConfig& a) {
  OrderedJson metric{{"from", a.metric.from}};
  if (a.metric.from == "output") metric["pattern"] = a.metric.pattern;
  if (!a.metric.file.empty()) metric["file"] = a.metric.file;
  if (!a.metric.column.empty()) metric["column"] = a.metric.column;
  if (!a.metric.dataset.empty()) metric["dataset"] = a.metric.dataset;
  metric["better"] = a.metric.higher_is_better ? "higher" : "lower";
  metric["unit"] = a.metric.unit;
  return {{"name", a.name},       {"directory", a.directory}, {"build", a.build}, {"run", a.run},
          {"verify", a.verify},   {"launch", a.launch},       {"metric", metric}, {"runs", a.runs},
          {"build_s", a.build_s}, {"run_s", a.run_s}};
}

OrderedJson to_json(const IntegrateConfig& p) {
  return {{"application", p.application},
          {"file", p.file},
          {"call_site", p.call_site},
          {"symbols", p.symbols},
          {"share", p.share}};
}

}  // namespace noctune
