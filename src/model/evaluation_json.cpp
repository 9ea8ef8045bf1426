#include "model/evaluation_json.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "base/utf8.hpp"

// Every codec takes its struct apart with a structured binding, so that a new member does not compile until
// it has a place here.

namespace noctune {
namespace {

// Samples come by the million: one string of shortest exact decimals, "0.00123 0.00125", is written and read
// five times faster than a list of numbers and can still be read by eye.
Json numbers_to_json(const std::vector<double>& values) {
  std::string out;
  out.reserve(values.size() * 22);
  char text[40];
  for (const double value : values) {
    if (!out.empty()) out += ' ';
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
  }
  return out;
}

Result<std::vector<double>> numbers_from_json(const Json& json) {
  if (!json.is_string()) return fail("not samples", "expected numbers in one string");
  const auto& text = json.get_ref<const std::string&>();
  std::vector<double> out;
  out.reserve(text.size() / 16 + 1);
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next != end && *next != ' ') || next + 1 == end)
      return fail("not samples", "expected numbers in one string");
    out.push_back(value);
    at = next == end ? end : next + 1;
  }
  return out;
}

// Reads members of one object and keeps the first complaint.
class Members {
 public:
  Members(const Json& json, std::string what) : json_(json), what_(std::move(what)) {
    if (!json_.is_object()) complain("", "expected an object");
  }

  const Json* find(const char* key, bool required = false) {
    if (error_) return nullptr;
    const auto found = json_.find(key);
    if (found != json_.end()) return &*found;
    if (required) complain(key, "is missing");
    return nullptr;
  }
  void read(const char* key, std::string& out, bool required = false) {
    if (const Json* value = find(key, required)) take(key, text_from_json(*value), out);
  }
  void read(const char* key, double& out) {
    if (const Json* value = find(key)) take(key, number_from_json(*value), out);
  }
  void read(const char* key, bool& out) {
    if (const Json* value = find(key))
      value->is_boolean() ? void(out = value->get<bool>()) : wrong(key, "true or false");
  }
  template <class Integer>
  requires std::is_integral_v<Integer>
  void read(const char* key, Integer& out) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_number_integer()) return wrong(key, "an integer");
    const auto wide = value->get<long long>();
    const bool huge = value->is_number_unsigned() && value->get<unsigned long long>() > (~0ULL >> 1);
    if (huge || wide < std::numeric_limits<Integer>::min() || wide > std::numeric_limits<Integer>::max())
      return complain(key, "is out of range");
    out = static_cast<Integer>(wide);
  }
  void read(const char* key, std::vector<double>& out) {
    if (const Json* value = find(key)) take(key, numbers_from_json(*value), out);
  }
  void read(const char* key, std::vector<std::string>& out) {
    each(key, [&](const Json& item) {
      out.emplace_back();
      take(key, text_from_json(item), out.back());
    });
  }
  void read(const char* key, std::map<std::string, std::string>& out) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_object()) return wrong(key, "an object");
    for (const auto& item : value->items()) take(key, text_from_json(item.value()), out[item.key()]);
  }
  template <class Use>
  void each(const char* key, Use use) {
    const Json* value = find(key);
    if (!value) return;
    if (!value->is_array()) return wrong(key, "a list");
    for (const Json& item : *value) {
      if (error_) return;
      use(item);
    }
  }
  void complain(const std::string& key, const std::string& reason) {
    if (!error_) error_ = Error{"cannot read " + what_ + (key.empty() ? "" : ": " + key), reason};
  }
  template <class T>
  void take(const char* key, Result<T> value, T& out) {
    if (value)
      out = std::move(*value);
    else
      complain(key, value.error().reason.empty() ? value.error().problem : value.error().reason);
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  void wrong(const char* key, const std::string& expected) { complain(key, "expected " + expected); }

  const Json& json_;
  std::string what_;
  std::optional<Error> error_;
};

Json to_json(const DeviceReadings& readings) {
  const auto& [clocks, throttles] = readings;
  return {{"clocks", numbers_to_json(clocks)}, {"throttles", numbers_to_json(throttles)}};
}

Result<DeviceReadings> readings_from_json(const Json& json) {
  DeviceReadings out;
  Members members(json, "a device's readings");
  members.read("clocks", out.clocks);
  members.read("throttles", out.throttles);
  if (members.error()) return Failure(*members.error());
  return out;
}

Json to_json(const TimingSummary& timing) {
  const auto& [case_name, weight, batch, trimmed_mean, median, minimum, reference_trimmed_mean, speedup,
               interval_low, interval_high, samples, reference_samples, device, reference_device, schedule,
               solo_ratio, drift, disturbed] = timing;
  return {{"case", text_to_json(case_name)},
          {"weight", number_to_json(weight)},
          {"batch", batch},
          {"trimmed_mean", number_to_json(trimmed_mean)},
          {"median", number_to_json(median)},
          {"minimum", number_to_json(minimum)},
          {"reference_trimmed_mean", number_to_json(reference_trimmed_mean)},
          {"speedup", number_to_json(speedup)},
          {"interval_low", number_to_json(interval_low)},
          {"interval_high", number_to_json(interval_high)},
          {"samples", numbers_to_json(samples)},
          {"reference_samples", numbers_to_json(reference_samples)},
          {"device", to_json(device)},
          {"reference_device", to_json(reference_device)},
          {"schedule", text_to_json(schedule)},
          {"solo_ratio", number_to_json(solo_ratio)},
          {"drift", number_to_json(drift)},
          {"disturbed", disturbed}};
}

Result<TimingSummary> timing_from_json(const Json& json) {
  TimingSummary out;
  Members members(json, "a timing");
  members.read("case", out.case_name);
  members.read("weight", out.weight);
  members.read("batch", out.batch);
  members.read("trimmed_mean", out.trimmed_mean);
  members.read("median", out.median);
  members.read("minimum", out.minimum);
  members.read("reference_trimmed_mean", out.reference_trimmed_mean);
  members.read("speedup", out.speedup);
  members.read("interval_low", out.interval_low);
  members.read("interval_high", out.interval_high);
  members.read("samples", out.samples);
  members.read("reference_samples", out.reference_samples);
  if (const Json* device = members.find("device"))
    members.take("device", readings_from_json(*device), out.device);
  if (const Json* device = members.find("reference_device"))
    members.take("reference_device", readings_from_json(*device), out.reference_device);
  members.read("schedule", out.schedule);
  members.read("solo_ratio", out.solo_ratio);
  members.read("drift", out.drift);
  members.read("disturbed", out.disturbed);
  if (members.error()) return Failure(*members.error());
  return out;
}

Json to_json(const CheckSummary& check) {
  const auto& [passed, max_error, tolerance, worst_output, deterministic, calls] = check;
  return {{"passed", passed},
          {"max_error", number_to_json(max_error)},
          {"tolerance", number_to_json(tolerance)},
          {"worst_output", text_to_json(worst_output)},
          {"deterministic", deterministic},
          {"calls", calls}};
}

Result<CheckSummary> check_from_json(const Json& json) {
  CheckSummary out;
  Members members(json, "a check");
  members.read("passed", out.passed);
  members.read("max_error", out.max_error);
  members.read("tolerance", out.tolerance);
  members.read("worst_output", out.worst_output);
  members.read("deterministic", out.deterministic);
  members.read("calls", out.calls);
  if (members.error()) return Failure(*members.error());
  return out;
}

Json to_json(const StageSeconds& seconds) {
  const auto& [build, check, time, wait, busy] = seconds;
  return {{"build", number_to_json(build)},
          {"check", number_to_json(check)},
          {"time", number_to_json(time)},
          {"wait", number_to_json(wait)},
          {"busy", number_to_json(busy)}};
}

Result<StageSeconds> stages_from_json(const Json& json) {
  StageSeconds out;
  Members members(json, "stage seconds");
  members.read("build", out.build);
  members.read("check", out.check);
  members.read("time", out.time);
  members.read("wait", out.wait);
  members.read("busy", out.busy);
  if (members.error()) return Failure(*members.error());
  return out;
}

Json texts_to_json(const std::vector<std::string>& texts) {
  Json out = Json::array();
  for (const std::string& text : texts) out.push_back(text_to_json(text));
  return out;
}

// Keys that are not UTF-8 cannot be JSON keys; parameter names are identifiers, so none are.
Json map_to_json(const std::map<std::string, std::string>& map) {
  Json out = Json::object();
  for (const auto& [key, value] : map) out[key] = text_to_json(value);
  return out;
}

}  // namespace

Json text_to_json(std::string_view text) {
  if (valid_utf8(text)) return std::string(text);
  std::string wide;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      wide += c;
    } else {
      wide += static_cast<char>(0xc0 | (byte >> 6));
      wide += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return {{"latin1", wide}};
}

Result<std::string> text_from_json(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  if (!json.is_object() || json.size() != 1 || !json.contains("latin1") || !json["latin1"].is_string())
    return fail("not a text", "expected a string");
  const auto& wide = json["latin1"].get_ref<const std::string&>();
  std::string out;
  for (std::size_t i = 0; i < wide.size(); ++i) {
    const auto byte = static_cast<unsigned char>(wide[i]);
    if (byte < 0x80) {
      out += wide[i];
      continue;
    }
    if ((byte & 0xfc) != 0xc0 || i + 1 == wide.size()) return fail("not a text", "a code point is no byte");
    out += static_cast<char>(((byte & 3) << 6) | (static_cast<unsigned char>(wide[++i]) & 0x3f));
  }
  return out;
}

Json number_to_json(double value) {
  if (std::isfinite(value)) return value;
  if (std::isnan(value)) return nullptr;
  return value > 0 ? "inf" : "-inf";
}

Result<double> number_from_json(const Json& json) {
  if (json.is_number()) return json.get<double>();
  if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  return fail("not a number", "expected a number");
}

Json to_json(const Candidate& candidate) {
  const auto& [id, source, extra_flags, proposer, kind, strategies, params, hypothesis, patterns, arm,
               replicate, base, repair_of, call, prompt_template, predicted_gain, sha] = candidate;
  return {{"id", id},
          {"source", text_to_json(source)},
          {"extra_flags", texts_to_json(extra_flags)},
          {"proposer", text_to_json(proposer)},
          {"kind", text_to_json(kind)},
          {"strategies", texts_to_json(strategies)},
          {"params", map_to_json(params)},
          {"hypothesis", text_to_json(hypothesis)},
          {"patterns", texts_to_json(patterns)},
          {"arm", text_to_json(arm)},
          {"replicate", replicate},
          {"base", base},
          {"repair_of", repair_of},
          {"call", call},
          {"prompt_template", text_to_json(prompt_template)},
          {"predicted_gain", number_to_json(predicted_gain)},
          {"sha", text_to_json(sha)}};
}

Result<Candidate> candidate_from_json(const Json& json) {
  Candidate out;
  Members members(json, "a candidate");
  members.read("id", out.id);
  members.read("source", out.source, true);
  members.read("extra_flags", out.extra_flags);
  members.read("proposer", out.proposer);
  members.read("kind", out.kind);
  members.read("strategies", out.strategies);
  members.read("params", out.params);
  members.read("hypothesis", out.hypothesis);
  members.read("patterns", out.patterns);
  members.read("arm", out.arm);
  members.read("replicate", out.replicate);
  members.read("base", out.base);
  members.read("repair_of", out.repair_of);
  members.read("call", out.call);
  members.read("prompt_template", out.prompt_template);
  members.read("predicted_gain", out.predicted_gain);
  members.read("sha", out.sha);
  if (members.error()) return Failure(*members.error());
  return out;
}

namespace {

Json to_json(const CompiledNeeds& needs) {
  const auto& [registers, shared_bytes, spill_bytes] = needs;
  return {{"registers", registers}, {"shared_bytes", shared_bytes}, {"spill_bytes", spill_bytes}};
}

Json to_json(const std::vector<ProfileMetric>& profile) {
  Json out = Json::array();
  for (const auto& [metric, value, unit] : profile)
    out.push_back({{"metric", text_to_json(metric)}, {"value", number_to_json(value)}, {"unit", unit}});
  return out;
}

Result<ProfileMetric> metric_from_json(const Json& json) {
  ProfileMetric out;
  Members members(json, "a profile");
  members.read("metric", out.metric, true);
  members.read("value", out.value);
  members.read("unit", out.unit);
  if (members.error()) return Failure(*members.error());
  return out;
}

Result<CompiledNeeds> needs_from_json(const Json& json) {
  CompiledNeeds out;
  Members members(json, "what kernels need");
  members.read("registers", out.registers);
  members.read("shared_bytes", out.shared_bytes);
  members.read("spill_bytes", out.spill_bytes);
  if (members.error()) return Failure(*members.error());
  return out;
}

}  // namespace

Json to_json(const Evaluation& evaluation) {
  const auto& [verdict, message, diagnostics, binary_sha, needs, profile, timings, check, seconds, started,
               device, speedup, interval_low, interval_high, energy, reference_energy, spread] = evaluation;
  Json all_timings = Json::array();
  for (const TimingSummary& timing : timings) all_timings.push_back(to_json(timing));
  return {{"verdict", to_text(verdict)},
          {"message", text_to_json(message)},
          {"diagnostics", text_to_json(diagnostics)},
          {"binary_sha", text_to_json(binary_sha)},
          {"needs", to_json(needs)},
          {"profile", to_json(profile)},
          {"timings", std::move(all_timings)},
          {"check", to_json(check)},
          {"seconds", to_json(seconds)},
          {"started", number_to_json(started)},
          {"device", device},
          {"speedup", number_to_json(speedup)},
          {"interval_low", number_to_json(interval_low)},
          {"interval_high", number_to_json(interval_high)},
          {"energy", number_to_json(energy)},
          {"reference_energy", number_to_json(reference_energy)},
          {"spread", number_to_json(spread)}};
}

Result<Evaluation> evaluation_from_json(const Json& json) {
  Evaluation out;
  Members members(json, "an evaluation");
  std::string verdict;
  members.read("verdict", verdict, true);
  members.read("message", out.message);
  members.read("diagnostics", out.diagnostics);
  members.read("binary_sha", out.binary_sha);
  if (const Json* needs = members.find("needs")) members.take("needs", needs_from_json(*needs), out.needs);
  members.each("profile", [&](const Json& item) {
    out.profile.emplace_back();
    members.take("profile", metric_from_json(item), out.profile.back());
  });
  members.each("timings", [&](const Json& item) {
    out.timings.emplace_back();
    members.take("timings", timing_from_json(item), out.timings.back());
  });
  if (const Json* check = members.find("check")) members.take("check", check_from_json(*check), out.check);
  if (const Json* stages = members.find("seconds"))
    members.take("seconds", stages_from_json(*stages), out.seconds);
  members.read("started", out.started);
  members.read("device", out.device);
  members.read("speedup", out.speedup);
  members.read("interval_low", out.interval_low);
  members.read("interval_high", out.interval_high);
  members.read("energy", out.energy);
  members.read("reference_energy", out.reference_energy);
  members.read("spread", out.spread);
  if (members.error()) return Failure(*members.error());
  try {
    out.verdict = verdict_from(verdict);
  } catch (const std::invalid_argument& unknown_verdict) {
    return fail("cannot read an evaluation: verdict", unknown_verdict.what());
  }
  return out;
}

}  // namespace noctune
