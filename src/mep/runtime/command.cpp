#include "command.hpp"

#include <cstdio>
#include <cstdlib>

namespace noctune {
namespace {

// The words of one line, taken from left to right; a missing or malformed one makes the line bad.
class Words {
 public:
  explicit Words(const std::string& line) : line_(line) {}
  bool good() const { return good_; }

  std::string text() {
    const std::size_t start = line_.find_first_not_of(' ', at_);
    if (start == std::string::npos) return missing();
    at_ = line_.find(' ', start);
    if (at_ == std::string::npos) at_ = line_.size();
    return line_.substr(start, at_ - start);
  }
  std::string rest() {
    const std::string tail = at_ + 1 <= line_.size() ? line_.substr(at_ + 1) : std::string();
    at_ = line_.size();
    return tail.empty() ? missing() : tail;
  }
  std::uint64_t hex() { return whole(16); }
  std::uint64_t count() { return whole(10); }
  long long integer() { return static_cast<long long>(whole(10)); }  // strtoull takes a minus sign
  double number() {
    const std::string word = text();
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0') good_ = false;
    return value;
  }

  template <class Value, std::size_t n>
  Value one_of(const char* const (&names)[n]) {
    const std::string word = text();
    for (std::size_t i = 0; i < n; ++i)
      if (word == names[i]) return static_cast<Value>(i);
    good_ = false;
    return Value{};
  }

 private:
  std::string missing() {
    good_ = false;
    return {};
  }
  std::uint64_t whole(int base) {
    const std::string word = text();
    char* end = nullptr;
    const std::uint64_t value = std::strtoull(word.c_str(), &end, base);
    if (word.empty() || *end != '\0') good_ = false;
    return value;
  }

  const std::string& line_;
  std::size_t at_ = 0;
  bool good_ = true;
};

const char* const fill_names[] = {"zeros",       "constant", "uniform", "normal", "integers", "index",
                                  "permutation", "sorted",   "unique",  "val",    "joint"};
const char* const use_names[] = {"in", "out", "inout", "scratch"};
const char* const variant_names[] = {"normal", "nudged", "reseeded", "sign_mixed", "small_integers"};
const char* const mutation_names[] = {"none", "rounded", "shortened", "widened"};

const ElementTraits* read_element(Words& words) {
  return find_element(words.text().c_str());
}

Argument read_buffer(Words& words) {
  Argument argument;
  argument.pointer = true;
  argument.type = read_element(words);
  argument.use = words.one_of<Use>(use_names);
  argument.compared = words.count() != 0;
  argument.count = words.count();
  FillPlan& fill = argument.fill;
  fill.kind = words.one_of<Fill>(fill_names);
  fill.declared = words.count() != 0;
  for (double* value : {&fill.low, &fill.high, &fill.mean, &fill.sd, &fill.value, &fill.step})
    *value = words.number();
  fill.length = words.count();
  fill.data = words.count();
  fill.part = words.text();
  argument.name = words.text();
  return argument;
}

Argument read_by_value(Words& words) {
  Argument argument;
  argument.type = read_element(words);
  argument.scalar = words.number();
  argument.name = words.text();
  return argument;
}

Check read_check(Words& words) {
  Check check;
  check.case_index = words.count();
  check.seed = words.hex();
  check.poison = words.hex();
  check.variant = words.one_of<Variant>(variant_names);
  check.only_param = words.integer();
  check.offset = words.integer();
  check.calls = words.integer();
  check.threads = static_cast<int>(words.integer());
  check.mutation = words.one_of<Mutation>(mutation_names);
  return check;
}

Probe read_probe(Words& words) {
  Probe probe;
  probe.case_index = words.count();
  probe.seed = words.hex();
  probe.calls = words.integer();
  probe.seconds = words.number();
  probe.mode = static_cast<ProbeMode>(words.count());
  return probe;
}

Timing read_timing(Words& words) {
  Timing timing;
  timing.seed = words.hex();
  timing.batch = words.count();
  timing.side = words.text().c_str()[0];
  timing.token_in = static_cast<int>(words.integer());
  timing.token_out = static_cast<int>(words.integer());
  timing.starts_early = words.integer() != 0;
  timing.opening_fd = static_cast<int>(words.integer());
  timing.flush_bytes = words.count();
  timing.warmup_seconds = words.number();
  timing.verify_sample = words.integer();
  timing.memory_bytes = words.number();
  timing.solo_samples = words.integer();
  timing.schedule = words.text();
  return timing;
}

bool add_argument(Command& command, const Argument& argument) {
  if (command.cases.empty() || !argument.type) return false;
  command.cases.back().args.push_back(argument);
  return true;
}

JointSet read_set(Words& words) {
  JointSet set{words.text()};
  for (std::uint64_t left = words.count(); left > 0 && words.good(); --left) set.words.push_back(words.hex());
  return set;
}

bool add_part(Command& command, Words& words) {
  if (command.cases.empty() || command.cases.back().sets.empty()) return false;
  JointPart part{words.text(), words.count(), {}};
  const std::string file = words.rest();
  if (file != "-") part.file = file;
  command.cases.back().sets.back().parts.push_back(part);
  return true;
}

bool read_line(const std::string& line, Command& command, bool& done) {
  Words words(line);
  const std::string key = words.text();
  if (key == "noctune-driver") return words.count() == 5 && words.good();
  if (key == "plugin")
    command.plugin = words.rest();
  else if (key == "report")
    command.report_fd = static_cast<int>(words.integer());
  else if (key == "judge")
    command.outputs_fd = static_cast<int>(words.integer());
  else if (key == "nonce")
    command.nonce = words.hex();
  else if (key == "case")
    command.cases.push_back({words.hex()});
  else if (key == "data" && !command.cases.empty())
    command.cases.back().sets.push_back(read_set(words));
  else if (key == "part")
    return add_part(command, words) && words.good();
  else if (key == "buffer")
    return add_argument(command, read_buffer(words)) && words.good();
  else if (key == "value")
    return add_argument(command, read_by_value(words)) && words.good();
  else if (key == "check")
    command.checks.push_back(read_check(words));
  else if (key == "probe")
    command.probes.push_back(read_probe(words));
  else if (key == "time")
    command.timings.push_back(read_timing(words));
  else if (key == "done")
    done = true;
  else
    return false;
  return key == "done" || words.good();
}

bool read_whole(const char* path, std::string& text) {
  std::FILE* file = std::fopen(path, "rb");
  if (!file) return false;
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file)) text.append(block, got);
  const bool good = std::ferror(file) == 0;
  std::fclose(file);
  return good;
}

}  // namespace

bool read_command(const char* path, Command& command, std::string& reason) {
  std::string text;
  if (!read_whole(path, text)) {
    reason = std::string("the command file ") + path + " cannot be read";
    return false;
  }
  bool done = false;
  for (std::size_t start = 0, line_number = 1; start < text.size(); ++line_number) {
    const std::size_t newline = text.find('\n', start);
    const std::size_t end = newline == std::string::npos ? text.size() : newline;
    if (done || !read_line(text.substr(start, end - start), command, done)) {
      reason = "line " + std::to_string(line_number) + " of the command file is not understood";
      return false;
    }
    start = end + 1;
  }
  if (!done) reason = "the command file is cut off: its last line, done, is missing";
  return done;
}

}  // namespace noctune
