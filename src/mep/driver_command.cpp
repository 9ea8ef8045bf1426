#include "mep/driver_command.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "model/mep_spec_json.hpp"

namespace noctune {
namespace {

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "%" PRIx64, value);
  return text;
}

// Exact in both directions.
std::string exact(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%a", value);
  return text;
}

// "key word word ...", one line.
class Line {
 public:
  explicit Line(const char* key) : text_(key) {}
  Line& add(const std::string& word) {
    text_ += ' ' + word;
    return *this;
  }
  Line& add(long long value) { return add(std::to_string(value)); }
  Line& add(double value) { return add(exact(value)); }
  std::string text() const { return text_ + '\n'; }

 private:
  std::string text_;
};

std::string render(const ArgPlan& arg) {
  if (!arg.pointer) return Line("value").add(to_text(arg.element)).add(arg.scalar).add(arg.name).text();
  const InitPlan& init = arg.init;
  Line line("buffer");
  line.add(to_text(arg.element))
      .add(to_text(arg.role))
      .add(static_cast<long long>(arg.compared()))
      .add(arg.count);
  line.add(init.kind == InitSpec::Kind::joint && init.plain ? "val" : to_text(init.kind));
  line.add(static_cast<long long>(init.declared));
  line.add(init.low).add(init.high).add(init.mean).add(init.sd).add(init.value).add(init.step);
  line.add(init.length).add(static_cast<long long>(init.data_index));
  return line.add(init.part.empty() ? "-" : init.part).add(arg.name).text();
}

std::string render(const JointSet& set) {
  Line line("data");
  line.add(set.generator).add(static_cast<long long>(set.words.size()));
  for (const std::uint64_t word : set.words) line.add(hex(word));
  std::string out = line.text();
  for (const JointPart& part : set.parts)
    out += Line("part")
               .add(part.name)
               .add(static_cast<long long>(part.bytes))
               .add(part.file.empty() ? "-" : part.file)
               .text();
  return out;
}

std::string render(const ResolvedCase& resolved) {
  std::string out = Line("case").add(hex(resolved.seed)).text();
  for (const JointSet& set : resolved.data) out += render(set);
  for (const ArgPlan& arg : resolved.args) out += render(arg);
  return out;
}

// The cases of a command; runs refer to them by position, and equal ones are written once.
class CaseList {
 public:
  long long index_of(const ResolvedCase& resolved) {
    const std::string text = render(resolved);
    const auto known = std::find(texts_.begin(), texts_.end(), text);
    if (known != texts_.end()) return known - texts_.begin();
    texts_.push_back(text);
    return static_cast<long long>(texts_.size()) - 1;
  }
  std::string text() const {
    std::string out;
    for (const std::string& one : texts_) out += one;
    return out;
  }

 private:
  std::vector<std::string> texts_;
};

std::string render(const std::vector<CheckRun>& runs) {
  CaseList cases;
  std::string out;
  for (const CheckRun& run : runs) {
    Line line("check");
    line.add(cases.index_of(run.resolved)).add(hex(run.seed)).add(hex(run.poison)).add(to_text(run.variant));
    line.add(static_cast<long long>(run.only_param)).add(static_cast<long long>(run.offset_bytes));
    line.add(static_cast<long long>(run.calls)).add(static_cast<long long>(run.threads));
    out += line.add(to_text(run.mutation)).text();
  }
  return cases.text() + out;
}

std::string render(const JudgeRun& run) {
  return Line("judge").add(static_cast<long long>(run.outputs_fd)).text() + render(run.runs);
}

std::string render(const ProbeRun& run) {
  return render(run.resolved) + Line("probe")
                                    .add(0LL)
                                    .add(hex(run.seed))
                                    .add(static_cast<long long>(run.calls))
                                    .add(run.seconds)
                                    .add(static_cast<long long>(run.kind))
                                    .text();
}

std::string render(const TimeRun& run) {
  std::string out;
  for (const ResolvedCase& resolved : run.cases) out += render(resolved);
  Line line("time");
  line.add(hex(run.seed)).add(static_cast<long long>(run.batch)).add(std::string(1, run.side));
  line.add(static_cast<long long>(run.token_in)).add(static_cast<long long>(run.token_out));
  line.add(run.starts_early ? 1LL : 0LL).add(static_cast<long long>(run.opening_fd));
  line.add(static_cast<long long>(run.flush_bytes)).add(run.warmup_seconds);
  line.add(static_cast<long long>(run.verify_sample)).add(run.memory_bytes);
  line.add(static_cast<long long>(run.solo_samples)).add(run.schedule);
  return out + line.text();
}

}  // namespace

const char* to_text(InputVariant variant) {
  constexpr const char* names[] = {"normal", "nudged", "reseeded", "sign_mixed", "small_integers"};
  return names[static_cast<std::size_t>(variant)];
}

const char* to_text(Mutation mutation) {
  constexpr const char* names[] = {"none", "rounded", "shortened", "widened"};
  return names[static_cast<std::size_t>(mutation)];
}

std::string render_command(const DriverCommand& command) {
  std::string out = Line("noctune-driver").add(5LL).text() + Line("plugin").add(command.plugin).text();
  out += Line("report").add(static_cast<long long>(command.report_fd)).text();
  out += Line("nonce").add(hex(command.nonce)).text();
  out += std::visit([](const auto& work) { return render(work); }, command.work);
  return out + "done\n";
}

}  // namespace noctune
