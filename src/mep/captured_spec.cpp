// Numbers that differ between launches are written as sums over launches: max(0, 1-(launch-k)*(launch-k)) is
// 1 for the k-th launch and 0 for the others.
#include "mep/captured_spec.hpp"

#include <algorithm>

namespace noctune {
namespace {

bool is_whole(const CapturedArgument& argument) {
  return argument.role == "value" && argument.type.find("int") != std::string::npos;
}
bool is_copied(const CapturedArgument& argument) {
  return argument.role == "in" || argument.role == "inout";
}
bool is_bytes(const CapturedArgument& argument) {
  return argument.type.rfind("bytes:", 0) == 0;
}

// "1024" where all launches agree, else a sum that picks the launch's own.
std::string picked(const std::vector<std::string>& values) {
  if (std::all_of(values.begin(), values.end(), [&](const std::string& one) { return one == values[0]; }))
    return values[0];
  std::string out;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string launch = "(launch-" + std::to_string(k + 1) + ")";
    out += (k ? " + " : "") + ("max(0, 1-" + launch + "*" + launch + ")*(" + values[k] + ")");
  }
  return out;
}

class Writing {
 public:
  explicit Writing(const std::vector<CapturedLaunch>& launches) : launches_(launches) {}

  Result<CapturedSpec> run() {
    if (launches_.empty()) return fail("captured launches", "there is none");
    for (const CapturedLaunch& one : launches_)
      if (const Result<void> same = agrees(one); !same) return Failure(same.error());
    out_.spec["spec_version"] = 1;
    out_.spec["entry"] = launches_[0].kernel;
    out_.spec["sizes"] = OrderedJson::object();
    if (launches_.size() > 1) out_.spec["sizes"]["launch"] = {{"default", 1}, {"max", launches_.size()}};
    out_.spec["params"] = OrderedJson::array();
    for (std::size_t i = 0; i < launches_[0].arguments.size(); ++i) add_parameter(i);
    add_cases();
    return std::move(out_);
  }

 private:
  Result<void> agrees(const CapturedLaunch& launch) const {
    const CapturedLaunch& first = launches_[0];
    const std::string place = "the captured launches of " + first.kernel;
    if (launch.kernel != first.kernel) return fail(place, "one is of " + launch.kernel);
    if (launch.arguments.size() != first.arguments.size())
      return fail(place, "they differ in their number of arguments", "capture one call site at a time");
    for (std::size_t i = 0; i < first.arguments.size(); ++i) {
      const CapturedArgument &a = first.arguments[i], &b = launch.arguments[i];
      if (a.name != b.name || a.type != b.type || a.role != b.role)
        return fail(place,
                    "argument " + std::to_string(i + 1) + " is " + a.type + " " + a.name + " (" + a.role +
                        ") in one and " + b.type + " " + b.name + " (" + b.role + ") in another",
                    "capture one call site at a time, or give both the same names");
    }
    return {};
  }

  std::vector<std::string> texts(std::size_t argument, bool counts) const {
    std::vector<std::string> out;
    for (const CapturedLaunch& launch : launches_) {
      const CapturedArgument& one = launch.arguments[argument];
      out.push_back(counts ? std::to_string(one.count * width(one)) : one.value);
    }
    return out;
  }
  // What has no type of its own is handed over as bytes.
  static long long width(const CapturedArgument& one) {
    return is_bytes(one) ? std::max(1LL, std::strtoll(one.type.c_str() + 6, nullptr, 10)) : 1;
  }

  // In terms of sizes passed before it, where one or a product of two is the count in every launch.
  std::string count_text(std::size_t index) const {
    const std::vector<std::string> counts = texts(index, true);
    for (std::size_t a = 0; a < sizes_.size(); ++a) {
      if (texts(sizes_[a], false) == counts) return name(sizes_[a]);
      for (std::size_t b = a + 1; b < sizes_.size(); ++b)
        if (products(sizes_[a], sizes_[b]) == counts) return name(sizes_[a]) + "*" + name(sizes_[b]);
    }
    return picked(counts);
  }
  std::vector<std::string> products(std::size_t a, std::size_t b) const {
    const std::vector<std::string> left = texts(a, false), right = texts(b, false);
    std::vector<std::string> out;
    for (std::size_t k = 0; k < left.size(); ++k)
      out.push_back(std::to_string(std::strtoll(left[k].c_str(), nullptr, 10) *
                                   std::strtoll(right[k].c_str(), nullptr, 10)));
    return out;
  }
  const std::string& name(std::size_t argument) const { return launches_[0].arguments[argument].name; }

  void add_parameter(std::size_t index) {
    const CapturedArgument& argument = launches_[0].arguments[index];
    OrderedJson param;
    param["name"] = argument.name;
    if (argument.role == "value") {
      param["type"] = argument.type;
      param["value"] = is_whole(argument) ? whole_value(index) : picked(texts(index, false));
      if (is_bytes(argument))
        out_.notes.push_back(argument.name +
                             " is a struct by value, captured as bytes: give its members in the spec");
    } else {
      const std::string type = is_bytes(argument) ? "uint8_t" : argument.type;
      if (is_bytes(argument))
        out_.notes.push_back(argument.name + " has elements of " + argument.type.substr(6) +
                             " bytes without a known type: the entry takes them as uint8_t*, or give their "
                             "members in the spec");
      param["type"] = (argument.role == "in" ? "const " : "") + type + "*";
      param["count"] = count_text(index);
      param["role"] = argument.role;
      if (is_copied(argument)) {
        param["init"] = "captured." + argument.name;
        add_contents(index, type);
      }
    }
    out_.spec["params"].push_back(std::move(param));
  }

  // A size of the case where it can be one: then people see it by its name.
  std::string whole_value(std::size_t index) {
    const CapturedArgument& argument = launches_[0].arguments[index];
    const std::vector<std::string> values = texts(index, false);
    if (argument.name == "launch" || std::any_of(values.begin(), values.end(), [](const std::string& one) {
          return std::strtoll(one.c_str(), nullptr, 10) < 1;
        }))
      return picked(values);
    sizes_.push_back(index);
    out_.spec["sizes"][argument.name] = {{"default", std::strtoll(values[0].c_str(), nullptr, 10)}};
    return argument.name;
  }

  void add_contents(std::size_t index, const std::string& type) {
    const CapturedArgument& first = launches_[0].arguments[index];
    const std::string folder = launches_[0].kernel + ".captured/";
    OrderedJson& data = out_.spec["data"]["captured"];
    data["gen"] = "file";
    data["parts"][first.name] = {
        {"file", folder + first.name + (launches_.size() > 1 ? ".{launch}.bin" : ".1.bin")},
        {"type", type},
        {"count", count_text(index)}};
    for (std::size_t k = 0; k < launches_.size(); ++k)
      out_.files.emplace_back(folder + first.name + "." + std::to_string(k + 1) + ".bin",
                              launches_[k].arguments[index]);
  }

  void add_cases() {
    out_.spec["cases"] = OrderedJson::array();
    for (std::size_t k = 0; k < launches_.size(); ++k) {
      OrderedJson one;
      one["name"] = "launch" + std::to_string(k + 1);
      one["sizes"] = OrderedJson::object();
      if (launches_.size() > 1) one["sizes"]["launch"] = k + 1;
      for (const std::size_t index : sizes_) {
        const CapturedArgument& argument = launches_[k].arguments[index];
        one["sizes"][argument.name] = std::strtoll(argument.value.c_str(), nullptr, 10);
      }
      one["weight"] = launches_[k].weight;
      out_.spec["cases"].push_back(std::move(one));
    }
  }

  const std::vector<CapturedLaunch>& launches_;
  CapturedSpec out_;
  std::vector<std::size_t> sizes_;  // arguments that are sizes
};

}  // namespace

Result<CapturedSpec> spec_of_captures(const std::vector<CapturedLaunch>& launches) {
  return Writing(launches).run();
}

}  // namespace noctune
