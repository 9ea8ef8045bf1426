#include "model/campaign_json.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "model/application_json.hpp"
#include "model/backend.hpp"
#include "model/model_settings_json.hpp"
#include "model/settings_json.hpp"

namespace noctune {
namespace fs = std::filesystem;
namespace {

int whole(StrictReader& reader, const std::string& key, int fallback, int low, int high) {
  const long long value = reader.integer(key, fallback);
  if (value < low || value > high)
    reader.complain(
        key, std::to_string(value) + " is outside " + std::to_string(low) + " to " + std::to_string(high));
  return static_cast<int>(value);
}

double positive(StrictReader& reader, const std::string& key, double fallback) {
  const double value = reader.number(key, fallback);
  if (!(value > 0)) reader.complain(key, "must be greater than 0");
  return value;
}

SearchSettings read_search(StrictReader reader) {
  SearchSettings s;
  s.strategy = reader.text("strategy", s.strategy);
  if (s.strategy != "greedy")
    reader.complain("strategy", "unknown strategy \"" + s.strategy + "\"", "known strategies: greedy");
  s.rounds = whole(reader, "rounds", s.rounds, 0, 1000);
  s.candidates = whole(reader, "candidates", s.candidates, 1, 100);
  s.repeats = whole(reader, "repeats", s.repeats, 3, 10000);
  s.trim = whole(reader, "trim", s.trim, 0, 4999);
  s.repairs = whole(reader, "repairs", s.repairs, 0, 20);
  s.min_gain = reader.number("min_gain", s.min_gain);
  s.patience = whole(reader, "patience", s.patience, 1, 1000);
  s.confirm_top = whole(reader, "confirm_top", s.confirm_top, 1, 20);
  s.confirm_pairs = whole(reader, "confirm_pairs", s.confirm_pairs, 2, 100);
  s.energy = reader.boolean("energy", s.energy);
  s.profile = reader.boolean("profile", s.profile);
  s.seed = static_cast<unsigned long long>(reader.integer("seed", static_cast<long long>(s.seed)));
  if (s.repeats <= 2 * s.trim)
    reader.complain(reader.has("trim") ? "trim" : "repeats",
                    "repeats (" + std::to_string(s.repeats) + ") must be more than twice trim (" +
                        std::to_string(s.trim) + "), or the trimmed mean has no samples left");
  if (!(s.min_gain >= 0 && s.min_gain < 1))
    reader.complain("min_gain", "must be a fraction from 0 to below 1");
  reader.finish();
  return s;
}

// A GPU's sample lies between two events; opening the gate and noticing the end take some microseconds more,
// which the second clock sees.
constexpr double shortest_gpu_sample_ms = 0.05;

MepLimits read_limits(StrictReader reader, const std::string& backend) {
  MepLimits m;
  m.t_min_ms = positive(reader, "t_min_ms", m.t_min_ms);
  m.t_max_s = positive(reader, "t_max_s", m.t_max_s);
  m.s_max_mb = positive(reader, "s_max_mb", m.s_max_mb);
  if (m.t_min_ms / 1000 >= m.t_max_s)
    reader.complain(reader.has("t_max_s") ? "t_max_s" : "t_min_ms",
                    "t_min_ms must be below t_max_s: one call would exceed a whole measurement");
  if (runs_on_gpu(backend) && m.t_min_ms < shortest_gpu_sample_ms)
    reader.complain("t_min_ms",
                    "must be at least 0.05 for GPUs: what reading the clocks costs would count in anything "
                    "shorter (calls that "
                    "are shorter are batched)");
  reader.finish();
  return m;
}

void need_a_gpu(const StrictReader& reader, const std::vector<std::string>& libraries,
                const std::string& backend) {
  if (!libraries.empty() && !runs_on_gpu(backend))
    reader.complain("allow_libraries", "the backend " + backend + " has none to allow",
                    "leave it out: versions for openmp may use headers of the standard library alone");
}

PlatformSettings read_platform(StrictReader reader) {
  const std::string backend = reader.text("backend", PlatformSettings().backend);
  if (backend != "openmp" && !runs_on_gpu(backend))
    reader.complain("backend", "the backend \"" + backend + "\" is not available in this version",
                    "available backends: openmp, cuda, hip");
  PlatformSettings p = default_platform(backend);
  p.compiler = reader.text("compiler", p.compiler);
  if (p.compiler.empty()) reader.complain("compiler", "must name a compiler");
  p.flags = reader.texts("flags", p.flags);
  p.threads = whole(reader, "threads", p.threads, 0, 4096);
  p.flush_mb = reader.number("flush_mb", p.flush_mb);
  p.architecture = reader.text("architecture", p.architecture);
  if (!p.architecture.empty() && !runs_on_gpu(p.backend))
    reader.complain("architecture", "the backend " + p.backend + " has none", "give -march in the flags");
  p.allow_libraries = reader.texts("allow_libraries", p.allow_libraries);
  need_a_gpu(reader, p.allow_libraries, p.backend);
  reader.finish();
  return p;
}

LimitSettings read_child_limits(StrictReader reader) {
  LimitSettings l;
  l.build_s = positive(reader, "build_s", l.build_s);
  l.build_factor = positive(reader, "build_factor", l.build_factor);
  l.run_s = positive(reader, "run_s", l.run_s);
  l.run_factor = positive(reader, "run_factor", l.run_factor);
  l.memory_mb = positive(reader, "memory_mb", l.memory_mb);
  l.output_kb = positive(reader, "output_kb", l.output_kb);
  reader.finish();
  return l;
}

bool holds(const std::vector<std::string>& words, const char* word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_words(const StrictReader& reader, const std::string& key, const std::vector<std::string>& words,
                 const std::vector<std::string>& known, const std::string& listed) {
  if (words.empty()) reader.complain(key, "is empty: nothing would be tried", "known: " + listed);
  std::set<std::string> seen;
  for (const std::string& word : words) {
    if (!holds(known, word.c_str()))
      reader.complain(key, "\"" + word + "\" is not known", "known: " + listed);
    if (!seen.insert(word).second) reader.complain(key, "\"" + word + "\" is listed twice");
  }
}

std::string existing_file(StrictReader& reader, const std::string& key, const fs::path& folder,
                          const std::string& text) {
  const fs::path path = fs::path(text).is_absolute() ? fs::path(text) : folder / text;
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    reader.complain(key, "the file " + path.lexically_normal().string() + " does not exist",
                    "paths are taken relative to the config's folder");
  if (fs::is_directory(path, ignored))
    reader.complain(key, path.lexically_normal().string() + " is a folder");
  return path.lexically_normal().string();
}

std::string optional_file(StrictReader& reader, const std::string& key, const fs::path& folder) {
  const std::string text = reader.text(key, "");
  return text.empty() ? text : existing_file(reader, key, folder, text);
}

// A name, or a list of names.
std::vector<std::string> read_kernels(StrictReader& reader) {
  if (!reader.has("kernel")) return reader.texts("kernel", std::vector<std::string>{});
  if (reader.raw("kernel").is_string()) return {reader.text("kernel")};
  return reader.texts("kernel");
}

std::map<std::string, std::string> read_defines(StrictReader reader) {
  std::map<std::string, std::string> out;
  for (const std::string& name : reader.keys()) {
    const OrderedJson& value = reader.raw(name);
    const bool usable = value.is_string() || value.is_number() || value.is_boolean();
    if (!usable) reader.complain(name, "expected a number or a text, the macro's value");
    out[name] = value.is_string()    ? value.get<std::string>()
                : value.is_boolean() ? (value.get<bool>() ? "1" : "0")
                                     : value.dump();
  }
  reader.finish();
  return out;
}

// What is said of a hotspot whose MEP is to be completed; without use beside a spec, and refused there.
void read_completion(StrictReader& reader, HotspotConfig& h, const fs::path& folder) {
  for (const char* key : {"kernel", "call_site", "defines", "complete"})
    if (!h.mep_path.empty() && reader.has(key))
      reader.complain(key, "says how a MEP is completed, but this hotspot's is given by `mep`",
                      "leave out one of the two");
  h.kernels = read_kernels(reader);
  if (h.kernels.empty() && h.mep_path.empty() && !h.entry.empty()) h.kernels = {h.entry};
  h.call_site_path = optional_file(reader, "call_site", folder);
  h.defines = read_defines(reader.object("defines"));
  h.complete = reader.texts("complete", std::vector<std::string>{});
  if (reader.has("complete")) check_words(reader, "complete", h.complete, {"rules", "model"}, "rules, model");
}

HotspotConfig read_hotspot(StrictReader reader, const fs::path& folder) {
  HotspotConfig h;
  h.source = existing_file(reader, "source", folder, reader.text("source"));
  h.name = reader.text("name", fs::path(h.source).stem().string());
  if (h.name.empty() || h.name.size() > 60) reader.complain("name", "must have 1 to 60 characters");
  for (const char c : h.name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '_' && c != '.' && c != '+')
      reader.complain("name", "\"" + h.name + "\" may hold only letters, digits and - _ . +");
  h.entry = reader.text("entry", "");
  h.mep_path = optional_file(reader, "mep", folder);
  h.context_path = optional_file(reader, "context", folder);
  read_completion(reader, h, folder);
  h.flags = reader.texts("flags", h.flags);
  h.allow_libraries = reader.texts("allow_libraries", h.allow_libraries);
  h.share = positive(reader, "share", h.share);
  const StrictReader place = reader.object("integrate");
  if (reader.has("integrate")) h.integrate = read_integrate(place);
  reader.finish();
  return h;
}

// Who proposes, and in which arms.
void read_proposers(StrictReader& reader, Campaign& c) {
  const bool model = !c.model.provider.empty();
  c.proposers = reader.texts(
      "proposers", model ? std::vector<std::string>{"model", "rules"} : std::vector<std::string>{"rules"});
  check_words(reader, "proposers", c.proposers, {"model", "rules"}, "model, rules");
  if (holds(c.proposers, "model") && !model)
    reader.complain("proposers", "\"model\" is named, but there is no model section",
                    "add \"model\": {\"provider\": ...}; docs/model.md shows all of them");
  c.arms = reader.texts("arms", std::vector<std::string>{holds(c.proposers, "model") ? "loop" : "rules"});
  check_words(reader, "arms", c.arms, {"loop", "direct", "sampling", "rules"},
              "loop, direct, sampling, rules");
  for (const std::string& arm : c.arms)
    if (arm != "rules" && !model)
      reader.complain("arms", "the arm \"" + arm + "\" asks a model, but there is no model section");
  const auto sampling = std::find(c.arms.begin(), c.arms.end(), "sampling");
  if (std::find(sampling, c.arms.end(), "loop") != c.arms.end())
    reader.complain("arms", "\"sampling\" stands before \"loop\", whose use is its limit",
                    "name the loop first");
  c.replicates = whole(reader, "replicates", c.replicates, 1, 100);
}

// Rules first, since they cost nothing; then the model where it proposes as well.
void settle_completers(const StrictReader& reader, const Campaign& c, HotspotConfig& h) {
  if (!h.mep_path.empty()) return;
  if (holds(h.complete, "model") && c.model.provider.empty())
    reader.complain("complete", "\"model\" is named, but there is no model section",
                    "add \"model\": {\"provider\": ...}; docs/model.md shows all of them");
  if (!h.complete.empty()) return;
  h.complete = {"rules"};
  if (holds(c.proposers, "model")) h.complete.emplace_back("model");
}

void read_applications(StrictReader& reader, Campaign& c, const fs::path& folder) {
  std::set<std::string> names;
  for (StrictReader& one : reader.objects("applications")) {
    c.applications.push_back(read_application(one, folder));
    if (!names.insert(c.applications.back().name).second)
      one.complain("name", "\"" + c.applications.back().name + "\" is used twice");
  }
}

void need_an_application(const StrictReader& reader, const HotspotConfig& h,
                         const std::vector<ApplicationConfig>& applications) {
  if (!h.integrate) return;
  std::vector<std::string> names;
  for (const ApplicationConfig& one : applications) names.push_back(one.name);
  if (holds(names, h.integrate->application.c_str())) return;
  const std::string meant = closest(h.integrate->application, names);
  reader.complain("integrate", "there is no application \"" + h.integrate->application + "\"",
                  meant.empty() ? "name it in `applications`" : "did you mean \"" + meant + "\"?");
}

PatternSettings read_patterns(StrictReader reader, const fs::path& folder) {
  PatternSettings p;
  const std::string library = reader.text("library", "");
  if (!library.empty())
    p.library = (fs::path(library).is_absolute() ? fs::path(library) : folder / library).string();
  p.frozen = reader.boolean("frozen", p.frozen);
  reader.finish();
  return p;
}

}  // namespace

Campaign campaign_from(const JsonDocument& document) {
  Campaign c;
  c.config_path = document.name;
  // Whole paths, since the campaign is stored and may be read again from another folder.
  const fs::path folder = fs::absolute(document.name).parent_path();
  StrictReader reader(document, "");
  c.name = reader.text("name", fs::path(document.name).stem().string());
  c.search = read_search(reader.object("search"));
  c.platform = read_platform(reader.object("platform"));
  c.mep = read_limits(reader.object("mep"), c.platform.backend);
  c.limits = read_child_limits(reader.object("limits"));
  c.model = read_model_settings(reader.object("model"), folder);
  read_proposers(reader, c);
  c.patterns = read_patterns(reader.object("patterns"), folder);
  read_applications(reader, c, folder);
  std::set<std::string> names;
  if (!reader.has("hotspots"))
    reader.complain("hotspots", "is missing: a campaign needs at least one hotspot");
  for (StrictReader& hotspot : reader.objects("hotspots")) {
    c.hotspots.push_back(read_hotspot(hotspot, folder));
    settle_completers(hotspot, c, c.hotspots.back());
    need_an_application(hotspot, c.hotspots.back(), c.applications);
    need_a_gpu(hotspot, c.hotspots.back().allow_libraries, c.platform.backend);
    if (!names.insert(c.hotspots.back().name).second)
      hotspot.complain("name", "\"" + c.hotspots.back().name + "\" is used twice");
  }
  if (c.hotspots.empty()) reader.complain("hotspots", "is empty: a campaign needs at least one hotspot");
  reader.finish();
  c.resolved_json = to_json(c).dump(2);
  return c;
}

Campaign read_campaign(const std::string& path, const std::vector<std::string>& overrides) {
  JsonDocument document = value_or_throw(read_json(path));
  if (!document.root.is_object()) throw UserError({path, "a campaign is a JSON object"});
  for (const std::string& assignment : overrides) value_or_throw(apply_override(document, assignment));
  return campaign_from(document);
}

OrderedJson to_json(const Campaign& c) {
  OrderedJson out;
  out["name"] = c.name;
  out["search"] = Json(c.search);
  out["mep"] = Json(c.mep);
  out["platform"] = Json(c.platform);
  out["limits"] = Json(c.limits);
  if (!c.model.provider.empty()) out["model"] = to_json(c.model);
  out["proposers"] = c.proposers;
  out["arms"] = c.arms;
  out["replicates"] = c.replicates;
  out["patterns"] = {{"library", c.patterns.library}, {"frozen", c.patterns.frozen}};
  for (const ApplicationConfig& one : c.applications) out["applications"].push_back(to_json(one));
  for (const HotspotConfig& h : c.hotspots) {
    OrderedJson one{{"name", h.name}, {"source", h.source}, {"entry", h.entry}};
    if (!h.mep_path.empty()) one["mep"] = h.mep_path;
    one["share"] = h.share;
    if (!h.context_path.empty()) one["context"] = h.context_path;
    if (!h.kernels.empty()) one["kernel"] = h.kernels;
    if (!h.call_site_path.empty()) one["call_site"] = h.call_site_path;
    if (!h.defines.empty()) one["defines"] = h.defines;
    if (!h.complete.empty()) one["complete"] = h.complete;
    if (!h.flags.empty()) one["flags"] = h.flags;
    if (!h.allow_libraries.empty()) one["allow_libraries"] = h.allow_libraries;
    if (h.integrate) one["integrate"] = to_json(*h.integrate);
    out["hotspots"].push_back(std::move(one));
  }
  return out;
}

}  // namespace noctune
